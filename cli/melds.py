"""`ddz melds`: every reading of some cards."""

from typing import Annotated

import typer

from .door import give, put
from .languages import words_for
from .shell import Json, Lang, RulesName, rules_named


def melds(
    cards: Annotated[
        str, typer.Argument(metavar="CARDS", help="Cards by rank, in any order: 333444555666, 10JQKA, BR.")
    ],
    rules: RulesName = "classic",
    lang: Lang = None,
    as_json: Json = False,
) -> None:
    """List every meld that exactly these cards form.

    Example: ddz melds 333444555666
    """
    from ddz.cards import FULL_DECK, parse_ranks
    from ddz.melds import readings
    from ddz.words.said import letters_of
    from ddz.words.tell import reading_words

    held = FULL_DECK.take(parse_ranks(letters_of(cards)))
    found = readings(held, rules_named(rules).kickers)
    if as_json:
        from ddz.contract.melds import MeldsJson, reading_json

        give(MeldsJson(tuple(map(reading_json, found))))
        return
    words = words_for(lang)
    put(*(reading_words(meld, words) for meld in found))
    if not found:
        put(words.no_meld.format(cards=held.ranks or words.no_cards))
