"""`ddz counts`: how many melds the rules allow, enumerated."""

from .door import give, put
from .languages import words_for
from .shell import Json, Lang, RulesName, rules_named


def counts(rules: RulesName = "classic", lang: Lang = None, as_json: Json = False) -> None:
    """Count all melds of one deck with at most 20 cards: sets by rank, readings, readings by kind.

    Example: ddz counts --rules classic
    """
    from ddz.moves import census
    from ddz.words.house import census_lines

    house = rules_named(rules)
    found = census(house)
    if as_json:
        from ddz.contract.melds import CountsJson

        by_kind = {kind.value: number for kind, number in found.by_kind.items()}
        give(CountsJson(house.name, found.sets, found.readings, by_kind))
        return
    put(*census_lines(found, words_for(lang)))
