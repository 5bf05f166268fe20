"""What a viewer may know: views of the state, and events with what is hidden left out.

Built by listing what is allowed. A new field of the state or of an event is invisible until somebody lists it here.
"""

from typing import Any, Literal

import msgspec

from ddz.auction import Call, highest
from ddz.cards import CardSet
from ddz.commands import Turn
from ddz.decide import legal
from ddz.frozen.events import Dealt, Event, GameOpened
from ddz.frozen.shapes import Cause, Origin, Players, Rules, Score, Seat, VoiceFrom
from ddz.scoring import multiplier
from ddz.state import (
    Auction,
    Called,
    Ending,
    Opened,
    Over,
    Played,
    Playing,
    State,
    Top,
    Unopened,
    Void,
    in_batch,
    turn_of,
)

Phase = Literal["dealing", "auction", "void", "playing", "over"]
Viewer = Seat | Literal["table", "all"]
"""A seat, somebody at the table who sees no hand, or one who sees all."""


class PublicView(msgspec.Struct, frozen=True, kw_only=True):
    """What everybody at the table knows."""

    phase: Phase
    players: Players
    rules: Rules
    round: int
    deal_number: int
    """0, 1, ... over the redeals."""
    first_voice: Seat
    turn: Seat | None
    """The seat to act."""
    counts: tuple[int, int, int]
    """How many cards each seat holds."""
    calls: tuple[Call, ...]
    landlord: Seat | None
    base: int
    """The winning bid; before the auction ends the highest bid so far, 0 if there is none."""
    multiplier: int
    """The product of the causes so far, at the end of all causes."""
    causes: tuple[Cause, ...]
    kitty: CardSet | None
    """Public once the landlord is known."""
    top: Top | None
    """The meld to beat; None if the seat to act leads."""
    history: tuple[Played, ...]
    """Every turn of the play so far."""
    score: Score | None
    """How it ended; None while it goes on."""

    @property
    def last_plays(self) -> tuple[Played | None, Played | None, Played | None]:
        """Each seat's last turn in the play; None if it has had none."""
        last: list[Played | None] = [None, None, None]
        for turn in self.history:
            last[turn.seat] = turn
        return last[0], last[1], last[2]


class SeatView(PublicView, frozen=True, kw_only=True):
    """What one seat knows: what is public, and its own hand."""

    seat: Seat
    hand: CardSet


class OpenView(PublicView, frozen=True, kw_only=True):
    """All hands and the kitty: for a game that is over, or for one who asked to see it."""

    hands: tuple[CardSet, CardSet, CardSet]
    hidden_kitty: CardSet


def public_view(state: State) -> PublicView:
    """What everybody may know of `state`, which must be opened."""
    at = _at(state)
    hands = _hands(state)
    score = state.scored.score if isinstance(state, Over) else None
    calls = () if isinstance(at, Opened) else at.calls
    best = highest(calls)
    playing = at if isinstance(at, Playing) else None
    causes = score.causes if score else playing.causes if playing else ()
    base = playing.base if playing else best.points if best else 0
    return PublicView(
        phase=phase_of(state),
        players=at.opened.players,
        rules=at.opened.rules,
        round=at.opened.round,
        deal_number=0 if isinstance(at, Opened) else at.dealt.number,
        first_voice=at.opened.first_voice if isinstance(at, Opened) else at.dealt.first_voice,
        turn=turn_of(state),
        counts=(len(hands[0]), len(hands[1]), len(hands[2])) if hands else (0, 0, 0),
        calls=calls,
        landlord=playing.landlord if playing else None,
        base=base,
        multiplier=multiplier(causes),
        causes=causes,
        kitty=playing.dealt.kitty if playing else None,
        top=playing.top if playing else None,
        history=playing.history if playing else (),
        score=score,
    )


def _shared(state: State) -> dict[str, Any]:
    return msgspec.structs.asdict(public_view(state))


def seat_view(state: State, seat: Seat) -> SeatView:
    """What `seat` may know of `state`, which must be opened."""
    hands = _hands(state)
    return SeatView(**_shared(state), seat=seat, hand=hands[seat] if hands else CardSet())


def open_view(state: State) -> OpenView:
    """Everything that lies on the table, face up; still not the seeds."""
    at = _at(state)
    nothing = CardSet()
    hands = _hands(state) or (nothing, nothing, nothing)
    kitty = nothing if isinstance(at, Opened) else at.dealt.kitty
    return OpenView(**_shared(state), hands=hands, hidden_kitty=kitty)


def view_for(state: State, viewer: Viewer) -> PublicView:
    """The view of a seat, of the table, or of all."""
    if viewer == "all":
        return open_view(state)
    if viewer == "table":
        return public_view(state)
    return seat_view(state, viewer)


def visible_legal(state: State, viewer: Viewer) -> tuple[Turn, ...]:
    """The legal turns, where the viewer may see them: the seat to act sees its own, `all` sees everybody's."""
    turn = turn_of(state)
    return legal(state) if turn is not None and viewer in ("all", turn) else ()


def _at(state: State) -> Opened | Auction | Called | Void | Playing:
    """The state on the table: at or after the end, the one in which it ended."""
    assert not isinstance(state, Unopened), "an unopened game has no view"
    return state.last if isinstance(state, Ending | Over) else state


def _hands(state: State) -> tuple[CardSet, CardSet, CardSet] | None:
    at = _at(state)
    if isinstance(at, Opened):
        return None
    return at.dealt.hands if isinstance(at, Called) else at.hands


def phase_of(state: State) -> Phase:
    """Where the game stands."""
    match state:
        case Unopened() | Opened():
            return "dealing"
        case Auction() if in_batch(state):
            return "dealing"  # the landlord comes with the cards, and there is no auction
        case Auction() | Called():
            return "auction"
        case Void():
            return "void"
        case Playing() | Ending():
            return "playing"
        case Over():
            return "over"


class OpenedView(msgspec.Struct, frozen=True, tag="game_opened"):
    """A GameOpened as anybody may see it: without the server seed."""

    game: str
    match: str
    round: int
    previous: str | None
    players: Players
    rules: Rules
    first_voice: Seat
    voice_from: VoiceFrom
    nonce: str
    commitment: str
    seat_seeds: tuple[str, str, str]
    seed_chosen: bool
    origin: Origin | None


class DealtView(msgspec.Struct, frozen=True, tag="dealt"):
    """A Dealt with the hands that the viewer may see; None for the others."""

    number: int
    hands: tuple[CardSet | None, CardSet | None, CardSet | None]
    kitty: CardSet | None
    first_voice: Seat


EventView = OpenedView | DealtView | Event
"""An event as a viewer may see it; those with nothing to hide are shown as they are."""


def redact(event: Event, viewer: Viewer) -> EventView:
    """`event` without what `viewer` may not know. The server seed is in no view; SeedRevealed tells it at the end."""
    match event:
        case GameOpened():
            return OpenedView(
                game=event.game,
                match=event.match,
                round=event.round,
                previous=event.previous,
                players=event.players,
                rules=event.rules,
                first_voice=event.first_voice,
                voice_from=event.voice_from,
                nonce=event.nonce,
                commitment=event.commitment,
                seat_seeds=event.seat_seeds,
                seed_chosen=event.seed_chosen,
                origin=event.origin,
            )
        case Dealt():
            one, two, three = (hand if viewer in ("all", seat) else None for seat, hand in enumerate(event.hands))
            return DealtView(
                event.number, (one, two, three), event.kitty if viewer == "all" else None, event.first_voice
            )
        case _:
            return event
