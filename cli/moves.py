"""`ddz moves`: what a hand may play."""

from typing import TYPE_CHECKING, Annotated

import typer

from .door import give, put
from .languages import words_for
from .shell import Json, Lang, RulesName, rules_named

if TYPE_CHECKING:
    from ddz.cards import Rank
    from ddz.frozen.shapes import Kind, Rules
    from ddz.melds import Meld


_SPOKEN = {"rocket": "BR", "王炸": "BR", "火箭": "BR", "小王": "B", "大王": "R"}


def moves(
    hand: Annotated[str, typer.Argument(metavar="HAND", help="The hand by rank, in any order.")],
    top: Annotated[
        str | None, typer.Option("--top", metavar="CARDS", help="The cards to beat; none if the hand leads.")
    ] = None,
    reading: Annotated[
        str | None,
        typer.Option("--as", help="How the top is read, where it has several readings.", metavar='"KIND [RANK]"'),
    ] = None,
    rules: RulesName = "classic",
    lang: Lang = None,
    as_json: Json = False,
) -> None:
    """Every meld that a hand may lead, or that beats the top; each reading once.

    Example: ddz moves 334444678TTQK2 --top 99
    """
    from ddz.cards import FULL_DECK, parse_ranks
    from ddz.contract.views import move_json
    from ddz.errors import Unreadable
    from ddz.moves import leads, responses
    from ddz.words.tell import move_words

    if reading is not None and top is None:
        raise Unreadable("--as says how the top is read: say --top too")
    held = FULL_DECK.take(parse_ranks(letters_of(hand)))
    house = rules_named(rules)
    beaten = None if top is None else _top(top, reading, house)
    found = leads(held, house) if beaten is None else responses(held, beaten, house)
    if as_json:
        listed = [move_json(meld) for meld in found]
        give({"schema": "ddz/moves@1", "moves": listed, "can_pass": beaten is not None})
        return
    words = words_for(lang)
    put(*(move_words(meld, words) for meld in found))
    if beaten is not None:
        put(words.passes)


def _top(cards: str, reading: str | None, rules: "Rules") -> "Meld":
    """The meld to beat.

    Raises:
        Unreadable: it is none, or several and `reading` does not say which.
    """
    from ddz.cards import FULL_DECK, parse_ranks
    from ddz.errors import Refused, Unreadable
    from ddz.moves import read_play

    kind, rank = parse_reading(reading)
    try:
        return read_play(FULL_DECK.take(parse_ranks(letters_of(cards))), None, rules, kind, rank)
    except Refused as refused:
        raise Unreadable(
            f"--top: {refused}" + (' (--as "KIND RANK")' if refused.code == "play/ambiguous" else "")
        ) from None


def letters_of(cards: str) -> str:
    """What a person types as cards, with the jokers that he names in words as letters."""
    said = cards.lower()
    for spoken, letters in _SPOKEN.items():
        said = said.replace(spoken, letters)
    return said


def parse_reading(text: str | None) -> "tuple[Kind | None, Rank | None]":
    """The kind and rank that `KIND [RANK]` names.

    Raises:
        Unreadable: if it names none.
    """
    from ddz.cards import LETTERS, Rank, split_cards
    from ddz.errors import Unreadable
    from ddz.frozen.shapes import Kind
    from ddz.melds import KINDS

    if text is None:
        return None, None
    kind_text, _, rank_text = text.strip().lower().partition(" ")
    if kind_text not in {kind.value for kind in KINDS}:
        raise Unreadable(f"'{kind_text}' is no kind: the kinds are {', '.join(str(kind) for kind in KINDS)}")
    rank_names = split_cards(rank_text)
    if not rank_names:
        return Kind(kind_text), None
    if len(rank_names) > 1 or rank_names[0] not in LETTERS:
        raise Unreadable(f"'{rank_text.strip()}' is no rank: the ranks are {' '.join(LETTERS)}")
    return Kind(kind_text), Rank(rank_names[0])
