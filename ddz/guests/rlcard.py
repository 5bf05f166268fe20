"""The guest `rlcard-rule`: the rule agent of RLCard (`DouDizhuRuleAgentV1`), the usual baseline of the field.

It is RLCard's own code, asked with the state that RLCard's game would give it, made of the view. Two things are not
RLCard's. It knows no auction, and bids as `simple` does. And where other rules let a meld be played that its preset
does not know, it sees no move of that meld's type, and does what it does without such a move.
"""

import random
import warnings
from typing import Any, Final

from ddz import bots
from ddz.commands import Play, Turn
from ddz.errors import NotInstalled, Phrase
from ddz.view import SeatView

EXTRA: Final = "rlcard"
_PASS: Final = "pass"
_LISTED: Final = {"rocket": 1, "bomb": 2}
"""RLCard lists the moves of the top's own type first, then the rocket, then the bombs."""


def make(name: str) -> "RlcardRule":
    """RLCard's agent.

    Raises:
        NotInstalled: RLCard is not here.
    """
    try:
        with warnings.catch_warnings():  # its warnings while it is imported do not concern ddz
            warnings.simplefilter("ignore")
            import numpy
            from rlcard.games.doudizhu import utils
            from rlcard.models.doudizhu_rule_models import DouDizhuRuleAgentV1
    except ImportError:
        raise NotInstalled(Phrase("extra/rlcard", "the bot {name} is RLCard's", name=name), EXTRA) from None
    return RlcardRule(name, DouDizhuRuleAgentV1(), utils.CARD_TYPE[0], utils.TYPE_CARD, numpy.random)


class RlcardRule:
    """Plays what RLCard's agent says."""

    version = "1"

    def __init__(self, name: str, agent: Any, types: Any, by_type: Any, chance: Any) -> None:  # noqa: ANN401  # RLCard has no types
        self.name = name
        self._agent = agent
        self._types = types
        self._chance = chance
        cards = (cards for weights in by_type.values() for many in weights.values() for cards in many)
        self._places = {text: place for place, text in enumerate(cards)}
        self._bidder = bots.make("simple")

    def choose(self, view: SeatView, legal: tuple[Turn, ...], rng: random.Random) -> Turn:
        """The agent's choice. Where it draws, its chance follows from `rng`."""
        if view.phase == "auction":
            return self._bidder.choose(view, legal, rng)
        turns: dict[str, Turn] = {}
        for turn in legal:
            turns.setdefault(turn.cards.ranks if isinstance(turn, Play) else _PASS, turn)
        self._chance.seed(rng.getrandbits(32))
        state = self.state(view, list(turns))
        if view.top is not None and view.top.meld.cards.ranks not in self._types:
            return turns[self._without_a_type(state)]
        return turns[str(self._agent.step({"raw_obs": state}))]

    def state(self, view: SeatView, moves: list[str]) -> dict[str, Any]:
        """What RLCard's game tells the seat, as far as the agent looks at it; the landlord is its player 0."""
        assert view.landlord is not None
        trace = [
            ((turn.seat - view.landlord) % 3, turn.meld.cards.ranks if turn.meld else _PASS) for turn in view.history
        ]
        own = self._type(view.top.meld.cards.ranks) if view.top else None
        known = [text for text in moves if text in self._places]
        known.sort(
            key=lambda text: (_LISTED.get(str(self._type(text)), 0) * (self._type(text) != own), self._places[text])
        )
        return {
            "current_hand": view.hand.ranks,
            "trace": trace,
            "actions": [_PASS] * (_PASS in moves) + known,
            "landlord": 0,
            "self": (view.seat - view.landlord) % 3,
        }

    def _type(self, text: str) -> str | None:
        return str(self._types[text][0][0]) if text in self._types else None

    def _without_a_type(self, state: dict[str, Any]) -> str:
        """What the agent does where it finds no move of the top's type."""
        if state["trace"][-1][0] != 0 and state["self"] != 0:
            return _PASS
        return str(self._chance.choice(state["actions"]))
