"""`ddz rules`: the presets side by side, and one of them, or a house's own rules, in words."""

from typing import TYPE_CHECKING, Annotated

import typer

from ddz.words.columns import padded

from .door import give, put
from .shell import Json, rules_named

if TYPE_CHECKING:
    from ddz.frozen.shapes import Rules


def rules(
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="A preset or a FILE.toml; without one, all presets.")
    ] = None,
    as_json: Json = False,
) -> None:
    """The presets of rules side by side, or one of them in words with the number of its melds.

    A house's own rules are a TOML file: `name`, `like` (a preset) and the knobs that differ, such as `bomb = 3` or,
    in a table `[kickers]`, `most_equal = 2`; `ddz rules --json` shows all knobs.

    Example: ddz rules classic
    """
    import msgspec

    from ddz.rules import PRESETS

    chosen = tuple(PRESETS.values()) if name is None else (rules_named(name),)
    if as_json:
        knobs = {each.name: msgspec.to_builtins(each) for each in chosen}
        give({"schema": "ddz/rules@1", "presets": knobs})
    elif name is None:
        put(*presets_table())
    else:
        put(*padded(_words(chosen[0])))


def help_text() -> str:
    """The table of presets, generated, for the command's help."""
    return "\n".join(presets_table())


def presets_table() -> list[str]:
    """All presets side by side, a row a knob."""
    from ddz.rules import PRESETS

    columns = [_knobs(rules) for rules in PRESETS.values()]
    rows = [("", *PRESETS)]
    rows += [(knob, *(column[knob] for column in columns)) for knob in columns[0]]
    return padded(rows)


def _knobs(rules: "Rules") -> dict[str, str]:
    """Every knob by a short name."""
    kickers = rules.kickers
    yes = {True: "yes", False: "no"}
    auction = {"once": "once", "assigned": "assigned", "until-two-passes": "2 passes"}
    return {
        "core kickers": "airplanes" if kickers.core_kickers else "no",
        "equal solos": str(kickers.most_equal),
        "equal pairs": yes[kickers.equal_pairs],
        "both jokers": yes[kickers.both_jokers],
        "trio beside": yes[kickers.adjacent_trio],
        "quad+ melds": yes[kickers.quads],
        "auction": auction[rules.auction],
        "all pass": rules.all_pass if rules.auction != "assigned" else "-",
        "bomb, rocket": f"{rules.bomb}, {rules.rocket}",
        "spring, anti-": f"{rules.spring}, {rules.anti_spring}",
        "escape, least": f"{rules.escape_factor}, {rules.escape_least}",
    }


def _words(rules: "Rules") -> list[tuple[str, str]]:
    """Every knob of one house in words, and how many melds there are."""
    from ddz.moves import census

    kickers = rules.kickers
    yes = {True: "yes", False: "no"}
    found = census(rules)
    return [
        ("rules", rules.name),
        ("kicker of a core rank", "in airplanes only" if kickers.core_kickers else "no"),
        ("most equal solo kickers", str(kickers.most_equal)),
        ("two equal pairs as kickers", yes[kickers.equal_pairs]),
        ("both jokers as solo kickers", yes[kickers.both_jokers]),
        ("a trio of solo kickers next to the airplane's trios", yes[kickers.adjacent_trio]),
        ("quad+ melds", yes[kickers.quads]),
        ("auction", rules.auction),
        ("all pass", rules.all_pass),
        ("factor of a bomb, of the rocket", f"{rules.bomb}, {rules.rocket}"),
        ("factor of spring, of anti-spring", f"{rules.spring}, {rules.anti_spring}"),
        ("escape: factor, least", f"{rules.escape_factor}, {rules.escape_least}"),
        ("melds by rank", f"{found.sets:,}"),
        ("readings", f"{found.readings:,}"),
        *((f"  {kind.value}", f"{number:,}") for kind, number in found.by_kind.items()),
    ]
