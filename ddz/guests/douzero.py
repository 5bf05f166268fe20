"""The guest `douzero:DIR`: a checkpoint of DouZero, one file a position, asked with DouZero's own features.

DIR holds `landlord.ckpt`, `landlord_down.ckpt` and `landlord_up.ckpt`, as DouZero's training and its authors write
them. The features are built by DouZero's `get_obs` from what the view tells, and the move of the highest value is
played. DouZero knows no auction, and bids as `simple` does.
"""

import random
from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

from ddz import bots, kernel
from ddz.cards import FULL_DECK, union
from ddz.commands import Play, Turn
from ddz.errors import NotInstalled, Phrase, Unreadable
from ddz.frozen.shapes import Seat
from ddz.rules import SEATS
from ddz.view import SeatView

EXTRA: Final = "douzero"
POSITIONS: Final = ("landlord", "landlord_down", "landlord_up")
"""In order of play."""
CARDS: Final = (*range(3, 15), 17, 20, 30)
"""DouZero's number of each rank: 17 is a 2, 20 and 30 are the jokers."""

Values = Callable[[str, Any], Sequence[float]]
"""(position, DouZero's observation) -> the value of each legal move."""


def make(name: str) -> "DouZero":
    """The bot of the checkpoint in a folder.

    Raises:
        Unreadable: the folder lacks a file, or torch cannot read one.
        NotInstalled: DouZero or torch is not here.
    """
    folder = Path(name.partition(":")[2])
    files = {position: folder / f"{position}.ckpt" for position in POSITIONS}
    for file in files.values():
        if not file.is_file():
            raise Unreadable(
                "bot/no-checkpoint",
                "{name}: there is no file {file}: a checkpoint of DouZero has {files}",
                name=name,
                file=str(file),
                files=", ".join(f"{position}.ckpt" for position in POSITIONS),
            )
    try:
        from douzero.env.env import get_obs

        return DouZero(name, get_obs, _networks(name, files))
    except ImportError:
        raise NotInstalled(
            Phrase("extra/douzero", "the bot {name} needs DouZero and torch", name=name), EXTRA
        ) from None


def _networks(name: str, files: dict[str, Path]) -> Values:
    """DouZero's networks with the weights of these files; pickles that hold more than weights are not read."""
    import torch
    from douzero.dmc.models import model_dict

    torch.set_num_threads(1)
    models: dict[str, Any] = {}
    for position, file in files.items():
        model = model_dict[position]()
        try:
            weights = torch.load(file, map_location="cpu", weights_only=True)
            model.load_state_dict({name: weights[name] for name in model.state_dict()})  # as DouZero itself reads it
        except Exception as error:  # whatever torch raises at a file that is no checkpoint: it has no class of its own
            raise Unreadable(
                "bot/bad-checkpoint",
                "{name}: {file} is no checkpoint of DouZero's {position}: {why}",
                name=name,
                file=file.name,
                position=position,
                why=str(error),
            ) from None
        models[position] = model.eval()

    def values(position: str, observation: Any) -> Sequence[float]:  # noqa: ANN401  # DouZero has no types
        z, x = (torch.from_numpy(observation[part]).float() for part in ("z_batch", "x_batch"))
        with torch.no_grad():
            found: list[float] = models[position].forward(z, x, return_value=True)["values"].flatten().tolist()
        return found

    return values


class DouZero:
    """Plays the move that the networks value most."""

    version = "1"
    title = "douzero"

    def __init__(self, name: str, get_obs: Callable[[Any], Any], values: Values) -> None:
        self.name = name
        self._get_obs = get_obs
        self._values = values
        self._bidder = bots.make("simple")

    def choose(self, view: SeatView, legal: tuple[Turn, ...], rng: random.Random) -> Turn:
        """The legal move of the highest value, the first one of equals."""
        if view.phase == "auction":
            return self._bidder.choose(view, legal, rng)
        if len(legal) == 1:
            return legal[0]
        asked = infoset(view, legal)
        values = self._values(asked.player_position, self._get_obs(asked))
        return legal[max(range(len(legal)), key=lambda at: values[at])]


def infoset(view: SeatView, legal: Sequence[Turn]) -> SimpleNamespace:
    """What DouZero's game tells the seat that is to act, as far as `get_obs` looks at it; nothing hidden is in it."""
    assert view.landlord is not None
    landlord = view.landlord

    def position(seat: Seat) -> str:
        return POSITIONS[(seat - landlord) % 3]

    turns = [(position(turn.seat), numbers(turn.meld.cards.counts) if turn.meld else []) for turn in view.history]
    played = union(turn.meld.cards for turn in view.history if turn.meld)
    last = dict(turns)  # the later turn of a position takes the place of the earlier
    return SimpleNamespace(
        player_position=position(view.seat),
        player_hand_cards=numbers(view.hand.counts),
        other_hand_cards=numbers(FULL_DECK.counts - view.hand.counts - played.counts),
        num_cards_left_dict={position(seat): view.counts[seat] for seat in SEATS},
        card_play_action_seq=[cards for _, cards in turns],
        last_move=next((cards for _, cards in reversed(turns[-2:]) if cards), []),
        last_move_dict={name: last.get(name, []) for name in POSITIONS},
        played_cards={name: [card for who, cards in turns if who == name for card in cards] for name in POSITIONS},
        bomb_num=sum(turn.meld is not None and turn.meld.kind.value in ("bomb", "rocket") for turn in view.history),
        legal_actions=[numbers(turn.cards.counts) if isinstance(turn, Play) else [] for turn in legal],
    )


def numbers(counts: int) -> list[int]:
    """Packed counts as DouZero's list, low to high."""
    return [number for rank, number in enumerate(CARDS) for _ in range(kernel.lane(counts, rank))]
