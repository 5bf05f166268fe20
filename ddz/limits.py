"""How much of a stranger's text is read: enough for every honest one, and little enough that none takes long.

Size alone does not bound the time: a TOML reader takes the square of the depth of a dotted key, so that 80 KB of one
took it 19 s. What ddz reads needs hardly a dot outside of its texts, so that many are refused unread.
"""

import re
from collections.abc import Iterator
from typing import Any, Final

from ddz.errors import Phrase, Unreadable

A_RECORD: Final = Phrase("thing/game-record", "record")
SOME_RULES: Final = Phrase("thing/rules", "file of rules")
SOME_WEIGHTS: Final = Phrase("thing/weights", "file of weights")
SOME_MOVES: Final = Phrase("thing/moves", "file of moves")
A_GAME: Final = Phrase("thing/game", "game")
"""What a text may be too long for."""

MOST_SIMULATED: Final = 999_999_999
"""Games of a simulation; the name of a shard has room for no more."""

KIB: Final = 1 << 10
MIB: Final = 1 << 20
RECORD: Final = 128 * KIB
"""Bytes of a record of ours. One of 100 redeals, more than ddz deals in a game, has 40 KiB (see `tests/core`)."""
RULES: Final = 16 * KIB
"""Bytes of a file of a house's rules; one that says every knob has half a KiB."""
FOREIGN: Final = 1 * MIB
"""Bytes of another engine's record; the largest that is known here has 20 KiB."""
FILE: Final = 4 * MIB
"""Bytes of whatever file holds a game: one of events, with the chain of all that it was forked from, is the largest."""
MOVES: Final = 1 * MIB
"""Bytes of a file of moves: those of some 200 rounds."""
WEIGHTS: Final = 16 * MIB
"""Bytes of a file of weights, packed or unpacked; those that come with ddz have some 1.6 MiB."""
LINE: Final = 2000
"""Signs of a line that a player types; a hand is 40."""
REQUEST: Final = 1 * MIB
"""Signs of a line of a judge's; a whole deal is some KiB, and what the program has saved up to 200 more."""
MOST_DOTS: Final = 100
"""Dots of TOML outside of texts and remarks, as in `[rules.kickers]` or in a fraction; ours have some three."""
DEEPEST: Final = 20
"""Brackets of TOML within each other; ours have some three."""


def check_size(size: int, most: int, thing: Phrase) -> None:
    """Make sure that a text of a `thing`, such as `A_RECORD`, is not too long.

    Raises:
        Unreadable: it has more than `most` bytes; says how many there may be.
    """
    if size > most:
        amount = f"{most // MIB} MiB" if most >= MIB else f"{most // KIB} KiB"
        raise Unreadable("file/too-long", "it is longer than {amount}: no {thing} is", amount=amount, thing=thing)


def toml_table(text: str, most: int, thing: Phrase) -> dict[str, Any]:
    """The table in a text of TOML.

    Raises:
        Unreadable: it is longer than `most` signs, or deeper than a `thing` is, or no TOML.
    """
    check_size(len(text), most, thing)
    dots = depth = 0
    for part in _outside(text):
        dots += part.count(".")
        for bracket in re.findall(_BRACKETS, part):
            depth = max(0, depth + (1 if bracket in "[{" else -1))
            if depth > DEEPEST:
                raise Unreadable(
                    "file/too-deep",
                    "its lists and tables are over {most} deep: those of a {thing} are not",
                    most=DEEPEST,
                    thing=thing,
                )
    if dots > MOST_DOTS:
        raise Unreadable(
            "file/too-many-dots",
            "it has {dots} dots in its keys and numbers: a {thing} has at most {most}",
            dots=dots,
            thing=thing,
            most=MOST_DOTS,
        )
    import tomllib  # noqa: PLC0415  # most commands read no TOML

    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # also a number that no reader takes
        raise Unreadable("file/no-toml", "not a TOML file, or one that is cut short: {why}", why=str(error)) from None


# Patterns are left to `re` to compile when they are asked for: most commands read no TOML.
_BRACKETS: Final = r"[][{}]"
_OPENS: Final = "\"\"\"|'''|\"|'|#"
_CLOSES: Final = {
    '"""': r'(?s:(?:[^"\\]|\\.|"(?!""))*+"{3,5})',
    "'''": r"(?:[^']|'(?!''))*+'{3,5}",
    '"': r'(?:[^"\\\n]|\\[^\n])*+"',
    "'": r"[^'\n]*+'",
    "#": r"[^\n]*+",
}


def _outside(text: str) -> Iterator[str]:
    """What stands in TOML outside of its texts and remarks; a text without an end is taken for the rest of it all."""
    at = 0
    opens = re.compile(_OPENS)
    while opened := opens.search(text, at):
        yield text[at : opened.start()]
        closed = re.compile(_CLOSES[opened[0]]).match(text, opened.end())
        if closed is None:
            yield text[opened.end() :]
            return
        at = closed.end()
    yield text[at:]
