"""The rules of a house as data: knobs, and the presets of rules.md C.

A game stores its rules whole in its first event and is for ever judged by them.
"""

from typing import Any, Final

import msgspec

from ddz.errors import Phrase, Unreadable
from ddz.frozen.shapes import KickerPolicy, Rules, Seat
from ddz.names import check_name, typed_name

SEATS: Final = (0, 1, 2)

_THEIR_NAME: Final = Phrase("name/of-rules", "the name of the rules")


def next_seat(seat: Seat) -> Seat:
    """The seat after `seat` in order of play."""
    return (seat + 1) % 3


def _kickers(
    core_kickers: bool, most_equal: int, equal_pairs: bool, both_jokers: bool, adjacent_trio: bool, quads: bool
) -> KickerPolicy:
    return KickerPolicy(core_kickers, most_equal, equal_pairs, both_jokers, adjacent_trio, quads)


CLASSIC: Final = Rules()

# The table of rules.md C, a column a preset.
_PRESETS: Final = (
    CLASSIC,
    Rules("literal", _kickers(True, 4, True, True, True, True)),
    Rules("rlcard", _kickers(False, 3, False, False, False, True), auction="assigned", spring=1, anti_spring=1),
    Rules("openspiel", _kickers(False, 3, False, False, True, False), auction="until-two-passes", all_pass="void"),
    Rules("douzero", _kickers(False, 4, False, True, True, True), auction="assigned", spring=1, anti_spring=1),
    Rules("pagat", _kickers(False, 1, False, False, False, True)),
)
PRESETS: Final = {rules.name: rules for rules in _PRESETS}


def preset(name: str) -> Rules:
    """The preset called `name`.

    Raises:
        Unreadable: if there is none, naming those there are.
    """
    if name not in PRESETS:
        raise Unreadable(
            "rules/unknown",
            "there are no rules called '{name}': the presets are {presets}",
            name=name,
            presets=", ".join(PRESETS),
        )
    return PRESETS[name]


def parse_rules(raw: bytes) -> Rules:
    """A house's own rules from TOML: its `name`, `like` (the preset that it differs from), and the knobs it changes.

    Raises:
        Unreadable: saying what is wrong and where.
    """
    from ddz.limits import RULES, SOME_RULES, check_size, toml_table  # noqa: PLC0415  # few games are played by own rules

    check_size(len(raw), RULES, SOME_RULES)
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Unreadable("file/not-utf-8", "not UTF-8 text: byte {byte} cannot be read", byte=error.start) from None
    table = toml_table(text, RULES, SOME_RULES)
    like = table.pop("like", "classic")
    if not isinstance(like, str):
        raise Unreadable("rules/like", "like must name a preset")
    knobs: dict[str, Any] = msgspec.to_builtins(preset(like))
    if not isinstance(table.get("kickers", {}), dict):
        raise Unreadable("rules/kickers", "kickers must be a table of knobs")
    kickers = {**knobs["kickers"], **table.get("kickers", {})}
    try:
        rules = msgspec.convert({**knobs, **table, "kickers": kickers}, Rules)
    except msgspec.ValidationError as error:
        raise Unreadable("rules/misshapen", "not the rules of a house: {why}", why=str(error)) from None
    return typed_rules(rules)


def typed_rules(rules: Rules) -> Rules:
    """The rules as somebody gives them, with their name composed.

    Raises:
        Unreadable: if their name is none (see `names`), or is the name of a preset with other knobs.
    """
    named = msgspec.structs.replace(rules, name=typed_name(rules.name, _THEIR_NAME))
    check_rules_name(named)
    return named


def check_rules_name(rules: Rules) -> None:
    """Make sure that rules which are taken over have a name, and no preset's name unless they are equal to it.

    Raises:
        Unreadable: if they have none (see `names`), or are called like a preset, but differ from it.
    """
    check_name(rules.name, _THEIR_NAME)
    check_stored_name(rules)


_LONGEST_STORED: Final = 40


def check_stored_name(rules: Rules) -> None:
    """Make sure that rules in a log have a name, and no preset's name unless they are equal to it.

    Old logs have names of up to 40 signs.

    Raises:
        Unreadable: if they have none, or are called like a preset, but differ from it.
    """
    named = PRESETS.get(rules.name)
    if named is not None and named != rules:
        raise Unreadable(
            "rules/name-taken",
            "the rules are called {name} but differ from that preset: give them another name",
            name=named.name,
        )
    if not rules.name or not rules.name.isprintable() or len(rules.name) > _LONGEST_STORED:
        raise Unreadable(
            "rules/no-name",
            "rules need a name of 1 to {most} printable characters",
            most=_LONGEST_STORED,
        )
