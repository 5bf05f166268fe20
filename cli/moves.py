"""`ddz moves`: what a hand may play."""

from typing import TYPE_CHECKING, Annotated

import typer

from .door import give, put
from .languages import words_for
from .shell import Json, Lang, RulesName, rules_named

if TYPE_CHECKING:
    from ddz.frozen.shapes import Rules
    from ddz.melds import Meld


def moves(
    hand: Annotated[str, typer.Argument(metavar="HAND", help="The hand by rank, in any order.")],
    top: Annotated[
        str | None, typer.Option("--top", metavar="CARDS", help="The cards to beat; omit it if the hand leads.")
    ] = None,
    reading: Annotated[
        str | None,
        typer.Option("--as", help="How to read the top, if it has several readings.", metavar='"KIND [RANK]"'),
    ] = None,
    rules: RulesName = "classic",
    lang: Lang = None,
    as_json: Json = False,
) -> None:
    """List every meld that a hand may lead, or that beats the top; each reading once.

    Example: ddz moves 334444678TTQK2 --top 99
    """
    from ddz.cards import FULL_DECK, parse_ranks
    from ddz.errors import Unreadable
    from ddz.moves import leads, responses
    from ddz.words.said import letters_of
    from ddz.words.tell import move_words

    if reading is not None and top is None:
        raise Unreadable("usage/as-without-top", "--as says how to read the cards of --top: add --top")
    held = FULL_DECK.take(parse_ranks(letters_of(hand)))
    house = rules_named(rules)
    beaten = None if top is None else _top(top, reading, house)
    found = leads(held, house) if beaten is None else responses(held, beaten, house)
    if as_json:
        from ddz.contract.melds import MovesJson, move_json

        give(MovesJson(tuple(map(move_json, found)), beaten is not None))
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
    from ddz.words.said import letters_of, parse_reading

    kind, rank = parse_reading(reading)
    try:
        return read_play(FULL_DECK.take(parse_ranks(letters_of(cards))), None, rules, kind, rank)
    except Refused as refused:
        if refused.code == "play/ambiguous":
            raise Unreadable("usage/top-ambiguous", '--top: {why} (--as "KIND RANK")', why=refused) from None
        raise Unreadable.at("--top", refused) from None
