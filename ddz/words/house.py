"""The rules of a house in words: presets side by side, and one house with the number of its melds."""

from collections.abc import Mapping

from ddz.frozen.shapes import Rules
from ddz.moves import Census, census
from ddz.rules import PRESETS

from .base import Words
from .columns import padded, shown


def presets_lines(words: Words) -> list[str]:
    """All presets side by side, a row a knob."""
    columns = [_values(rules, words) for rules in PRESETS.values()]
    rows = [("", *PRESETS)]
    rows += [(words.knobs[knob], *(column[knob] for column in columns)) for knob in columns[0]]
    return padded(rows)


def house_lines(rules: Rules, words: Words) -> list[str]:
    """Every knob of one house, and how many melds there are."""
    says = words.values
    in_full = {
        "rules": shown(rules.name),
        **_values(rules, words),
        "core_kickers": says["airplanes-only" if rules.kickers.core_kickers else "no"],
        "auction": says[rules.auction],
        "all_pass": says[rules.all_pass],
    }
    rows = [(words.knobs_in_full[knob], value) for knob, value in in_full.items()]
    found = census(rules)
    rows += [(words.census["sets"], f"{found.sets:,}"), (words.census["readings"], f"{found.readings:,}")]
    rows += [(f"  {kind}", number) for kind, number in _kinds(found, words)]
    return padded(rows)


def census_lines(found: Census, words: Words) -> list[str]:
    """How many melds there are of each kind, and in all."""
    rows = [*_kinds(found, words), (words.census["readings"], f"{found.readings:,}")]
    return padded([*rows, (words.census["sets"], f"{found.sets:,}")], right=(1,))


def _kinds(found: Census, words: Words) -> list[tuple[str, str]]:
    return [(words.kinds[kind], f"{number:,}") for kind, number in found.by_kind.items()]


def _values(rules: Rules, words: Words) -> Mapping[str, str]:
    """What each knob is, briefly."""
    kickers, says = rules.kickers, words.values
    yes = {True: says["yes"], False: says["no"]}
    return {
        "core_kickers": says["airplanes" if kickers.core_kickers else "no"],
        "most_equal": str(kickers.most_equal),
        "equal_pairs": yes[kickers.equal_pairs],
        "both_jokers": yes[kickers.both_jokers],
        "adjacent_trio": yes[kickers.adjacent_trio],
        "quads": yes[kickers.quads],
        "auction": says["two-passes" if rules.auction == "until-two-passes" else rules.auction],
        "all_pass": says[rules.all_pass] if rules.auction != "assigned" else "-",
        "bomb": f"{rules.bomb}, {rules.rocket}",
        "spring": f"{rules.spring}, {rules.anti_spring}",
        "escape": f"{rules.escape_factor}, {rules.escape_least}",
    }
