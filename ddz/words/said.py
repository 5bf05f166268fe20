"""What people write for cards and for a reading of them, in any language, as the rules have it."""

from typing import Final

from ddz.cards import LETTERS, Rank, no_rank, split_cards
from ddz.errors import Unreadable
from ddz.frozen.shapes import Kind
from ddz.melds import KINDS

_SPOKEN: Final = {"rocket": "BR", "王炸": "BR", "火箭": "BR", "小王": "B", "大王": "R"}
"""What the jokers are called where they are not written as letters."""


def letters_of(cards: str) -> str:
    """What a person types as cards, with the jokers that he names in words as letters."""
    said = cards.lower()
    for spoken, letters in _SPOKEN.items():
        said = said.replace(spoken, letters)
    return said


def parse_reading(text: str | None) -> tuple[Kind | None, Rank | None]:
    """The kind and rank that `KIND [RANK]` names.

    Raises:
        Unreadable: if it names none.
    """
    if text is None:
        return None, None
    kind_text, _, rank_text = text.strip().lower().partition(" ")
    if kind_text not in {kind.value for kind in KINDS}:
        raise Unreadable(
            "cards/no-kind",
            "'{sign}' is no kind: the kinds are {kinds}",
            sign=kind_text,
            kinds=", ".join(str(kind) for kind in KINDS),
        )
    rank_names = split_cards(rank_text)
    if not rank_names:
        return Kind(kind_text), None
    if len(rank_names) > 1 or rank_names[0] not in LETTERS:
        raise no_rank(rank_text.strip())
    return Kind(kind_text), Rank(rank_names[0])
