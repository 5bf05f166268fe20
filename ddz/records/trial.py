"""A game on trial: played card for card by the law as it is translated, so that a fault is met where it stands.

An import judges the translated record once more; nothing of a trial is kept.
"""

from typing import Final

from ddz.commands import Command, Deal, GivenDeal, OpenGame, Seeds
from ddz.decide import decide
from ddz.frozen.shapes import Origin, Player, Rules
from ddz.state import START, State, fold

_NAME: Final = "trial"
_PLAYER: Final = Player(_NAME, "import")
_SEEDS: Final = Seeds("00" * 32, "00" * 32)
"""All cards are given, so nothing follows from them."""


def dealt(rules: Rules, given: GivenDeal) -> State:
    """The state after the cards are dealt.

    Raises:
        Refused: the deal is not one of the whole deck.
    """
    players = (_PLAYER, _PLAYER, _PLAYER)
    origin = Origin(_NAME, _NAME)
    opening = OpenGame(_NAME, _NAME, 1, None, players, rules, _SEEDS, given.first_voice, "record", origin)
    return after(after(START, opening), Deal(given))


def after(state: State, command: Command) -> State:
    """The state after one more command.

    Raises:
        Refused: by the law.
    """
    return fold(decide(state, command), state)
