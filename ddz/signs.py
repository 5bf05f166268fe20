"""Signs that must not reach a screen, how long a text is on it, and how files for programs write such signs.

A text that somebody else wrote may hold signs that move, recolour, reorder or hide what stands around them: escape
sequences, other controls, line separators, directions, marks that are never seen. They are refused by category, so
what Unicode has not assigned yet (to this Python's knowledge) is refused too. Letters, digits, punctuation, marks that
combine, emoji and the joiners (which scripts and emoji need) are left alone.
"""

import unicodedata
from collections.abc import Callable
from typing import Final

JOINERS: Final = "\u200c\u200d"
"""The signs of category Cf that stay: without them Persian, Hindi and many emoji fall apart."""
STAND_IN: Final = "?"
"""What is shown in place of a sign: ASCII, so that every output can print it."""

_ACTING: Final = frozenset(("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"))
_UNSEEN: Final = frozenset(("Mn", "Me"))
_EMOJI: Final = "\ufe0f"
_TONES: Final = range(0x1F3FB, 0x1F400)
_REMEMBERED: Final = 8192
"""Signs that a table keeps: a text with all signs there are must not fill the memory."""


def acts(char: str) -> bool:
    """True for a sign that may move, recolour, reorder or hide what stands around it; a line's end is one."""
    return unicodedata.category(char) in _ACTING and char not in JOINERS


def harmless(text: str) -> bool:
    """True if no sign of the text acts on what stands around it."""
    return text.isprintable() or not any(map(acts, text))


def shown(text: str) -> str:
    """A stranger's text as one piece of a line: a stand-in for every sign that acts."""
    return text if text.isprintable() else text.translate(_SHOWN)


def in_json(text: str) -> str:
    """A text of JSON that is read as the same value, with every sign that acts escaped, but for the ends of its lines.

    (Where JSON is well-formed they stand in its strings alone.)
    """
    return text if text.isprintable() else text.translate(_IN_JSON)


def in_toml(text: str) -> str:
    """A text of TOML with basic strings only, read as the same value, with every sign that acts escaped."""
    return text if text.isprintable() else text.translate(_IN_TOML)


def width(text: str) -> int:
    """How many columns a terminal gives to `shown(text)`: two for a wide sign, none for a mark on another."""
    if text.isascii():
        return len(text)
    columns, last, joined = 0, 0, False
    for char in shown(text):
        if char in JOINERS or unicodedata.category(char) in _UNSEEN:
            if char == _EMOJI and last == 1:  # shown as an emoji, which is wide
                columns, last = columns + 1, 2
        else:
            wide = unicodedata.east_asian_width(char) in "WF"
            part = wide and last == 2 and (joined or ord(char) in _TONES)  # of the emoji before it
            last = 2 if wide else 1
            columns += 0 if part else last
        joined = char == JOINERS[1]
    return columns


class _Table(dict[int, str]):
    """What `str.translate` asks, sign by sign; it remembers what it was asked."""

    def __init__(self, replacing: Callable[[int], str], kept: str = "") -> None:
        super().__init__({ord(char): char for char in kept})
        self._replacing = replacing

    def __missing__(self, code: int) -> str:
        char = chr(code)
        found = self._replacing(code) if acts(char) else char
        if len(self) < _REMEMBERED:
            self[code] = found
        return found


def _json_escape(code: int) -> str:
    units = chr(code).encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))


def _toml_escape(code: int) -> str:
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


_SHOWN: Final = _Table(lambda _: STAND_IN)
_IN_JSON: Final = _Table(_json_escape, kept="\n")
_IN_TOML: Final = _Table(_toml_escape, kept="\n")
