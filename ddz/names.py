"""Names that people give, of players and of rules: what one may be, and how one that may not be is shown.

A name is Unicode text in its composed form (NFC), 1 to 40 columns wide on a terminal. It is made of letters, marks,
digits, punctuation, symbols and single blanks inside it. No sign in it is invisible but the two joiners, where the
signs beside them need one: within a cursive script or after a virama, as UAX 31 has it, and between emoji. Marks
stand on something, and at most four in a row (UTS 39). What a person types is composed first; what is taken over
byte for byte is refused if it is not a name. Old logs hold other names: `shown_name` is for those.
"""

import unicodedata
from bisect import bisect_right
from typing import Final

from ddz.errors import Phrase, Unreadable
from ddz.signs import JOINERS, STAND_IN, width

WIDEST: Final = 40
"""Columns of a name."""
MOST_MARKS: Final = 4
"""Marks in a row."""
A_NAME: Final = Phrase("name/any", "a name")
ELLIPSIS: Final = "…"
_ZWJ: Final = JOINERS[1]
_VIRAMA: Final = 9
"""The combining class of what silences a letter's vowel."""
_BLANK: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Signs that are printed as nothing, though Unicode counts them as letters, marks or symbols."""
_SELECTORS: Final = ((0x180B, 0x180D), (0x180F, 0x180F), (0xFE00, 0xFE0F), (0xE0100, 0xE01EF))
"""They choose how the sign before them looks."""
_MOST_SIGNS: Final = WIDEST * (MOST_MARKS + 1)
"""Of any name."""
_COMPOSED: Final = 4 * _MOST_SIGNS
"""No text of more signs becomes a name by being composed, and to compose one may take the square of its length."""


def typed_name(text: str, what: Phrase | str = A_NAME) -> str:
    """A name that somebody gives, composed; `what` says whose it is.

    Raises:
        Unreadable: it may not be one; says what is wrong and what would be right.
    """
    if len(text) <= _COMPOSED:
        text = unicodedata.normalize("NFC", text)
    check_name(text, what)
    return text


def check_name(text: str, what: Phrase | str = A_NAME) -> None:
    """Make sure that `text` is a name as it stands.

    Raises:
        Unreadable: it is not; says what is wrong and what would be right.
    """
    why = _fault(text)
    if why is not None:
        if not text:
            raise Unreadable("name/empty", "{what} is empty: {why}", what=what, why=why)
        raise Unreadable("name/unfit", "{what} is '{name}': {why}", what=what, name=shown_name(text), why=why)


def _fault(text: str) -> Phrase | None:
    """What is wrong with a name; None if nothing is."""
    if not text:
        return Phrase("name/columns", "a name has 1 to {widest} columns", widest=WIDEST)
    if len(text) > _MOST_SIGNS:
        return Phrase(
            "name/signs",
            "a name has 1 to {widest} columns, and this has {signs} signs",
            widest=WIDEST,
            signs=len(text),
        )
    for at, char in enumerate(text):
        if wrong := _wrong(text, at):
            sign = f"U+{ord(char):04X}"
            if called := unicodedata.name(char, "").lower():
                sign += f" ({called})"
            return Phrase("name/sign", "sign {at} is {sign}, and {why}", at=at, sign=sign, why=wrong)
    if text != text.strip():
        return Phrase("name/blank", "a name begins and ends with no blank")
    if not unicodedata.is_normalized("NFC", text):
        return Phrase("name/not-composed", "a name is in the composed form (NFC), and this is not")
    if (columns := width(text)) > WIDEST:
        return Phrase(
            "name/columns", "a name has 1 to {widest} columns, and this has {columns}", widest=WIDEST, columns=columns
        )
    return None


def _wrong(text: str, at: int) -> Phrase | None:
    """The rule that a sign breaks at its place; None if it may stand there."""
    char = text[at]
    if char in JOINERS and not _joins(text, at):
        return Phrase("name/joiner", "a joiner stands in a cursive script, after a virama or between emoji")
    if char in _BLANK or not (char.isprintable() or char in JOINERS):
        return Phrase(
            "name/invisible",
            "a name has no control, direction or invisible signs, and none that this Unicode does not know",
        )
    if not _rides(char):
        return None
    if at == 0:
        return Phrase("name/lone-mark", "a mark stands on another sign")
    if _selects(char) and _selects(text[at - 1]):
        return Phrase("name/selectors", "a sign has one variation selector")
    row = text[max(0, at - MOST_MARKS) : at + 1]
    if len(row) > MOST_MARKS and all(map(_rides, row)):
        return Phrase("name/marks", "at most {most} marks stand in a row", most=MOST_MARKS)
    return None


def _joins(text: str, at: int) -> bool:
    """True if the signs beside a joiner need it."""
    before, after = text[max(0, at - MOST_MARKS) : at], text[at + 1 : at + 2]
    if before and unicodedata.combining(before[-1]) == _VIRAMA:
        return True
    base = next((char for char in reversed(before) if not _is_mark(char)), "")
    if not base or not after:
        return False
    if unicodedata.bidirectional(base) == unicodedata.bidirectional(after) == "AL":
        return True
    return text[at] == _ZWJ and _pictures(base) and _pictures(after)


def _pictures(char: str) -> bool:
    """True for what may be part of an emoji, the colours of skin included."""
    return unicodedata.category(char) == "So" or char == "↔" or "\U0001f3fb" <= char <= "\U0001f3ff"


def _is_mark(char: str) -> bool:
    return unicodedata.category(char) in ("Mn", "Me")


def _rides(char: str) -> bool:
    """True for what takes no column: a mark or a joiner."""
    return char in JOINERS or _is_mark(char)


def _selects(char: str) -> bool:
    return any(first <= ord(char) <= last for first, last in _SELECTORS)


def cleaned(text: str) -> str:
    """The text with `?` for every sign that may not be in a name at its place; blanks may stand anywhere."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(STAND_IN if _wrong(text, at) else char for at, char in enumerate(text))


def shown_name(text: str, columns: int = WIDEST) -> str:
    """Whatever stands where a name should, as it may be shown: cleaned, and cut to a number of columns."""
    if text.isascii() and text.isprintable() and 1 <= len(text) <= columns:
        return text
    text = cleaned(text[: columns * (MOST_MARKS + 2)])  # no more can be seen, whatever else there is
    if width(text) <= columns:
        return text or STAND_IN
    cut = bisect_right(range(len(text)), columns - 1, key=lambda end: width(text[:end])) - 1
    return text[:cut].rstrip(JOINERS) + ELLIPSIS
