"""`ddz counts`: how many melds the rules allow, enumerated."""

from ddz.words.columns import padded

from .door import give, put
from .shell import Json, RulesName, rules_named


def counts(rules: RulesName = "classic", as_json: Json = False) -> None:
    """Enumerate all melds of one deck with at most 20 cards: sets by rank, readings, readings by kind.

    Example: ddz counts --rules classic
    """
    from ddz.moves import census

    house = rules_named(rules)
    found = census(house)
    if as_json:
        give(
            {
                "schema": "ddz/counts@1",
                "rules": house.name,
                "sets": found.sets,
                "readings": found.readings,
                "by_kind": {kind.value: number for kind, number in found.by_kind.items()},
            }
        )
        return
    rows = [(kind.value, f"{number:,}") for kind, number in found.by_kind.items()]
    rows += [("readings", f"{found.readings:,}"), ("sets", f"{found.sets:,}")]
    put(*padded(rows, right=(1,)))
