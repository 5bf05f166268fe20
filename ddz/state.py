"""Game state as a union of phases, and the reducer that folds events into it. No rule lives here.

`evolve` never refuses. An event without meaning in its phase is a `BrokenLog`, which the audit turns into a finding.
"""

from collections.abc import Iterable
from functools import reduce

import msgspec

from ddz.auction import Call
from ddz.cards import EMPTY, CardSet, union
from ddz.errors import BrokenLog
from ddz.frozen.events import (
    BidMade,
    BidPassed,
    CardsPlayed,
    Dealt,
    DealVoided,
    Event,
    GameForked,
    GameOpened,
    GameScored,
    LandlordChosen,
    PlayPassed,
    SeatEscaped,
    SeedRevealed,
    tag_of,
)
from ddz.frozen.shapes import MOST_CAUSES, Cause, Seat
from ddz.melds import Meld, played_meld
from ddz.rules import SEATS

Hands = tuple[CardSet, CardSet, CardSet]


class Unopened(msgspec.Struct, frozen=True, tag=True):
    """Before the first event."""


class Opened(msgspec.Struct, frozen=True, tag=True):
    """Opened, and waiting for cards."""

    opened: GameOpened
    """The event as it is stored, here and in every later state."""
    from_record: int
    """How many of this line's deals, from the first one on, a record brings along; 0 without a record."""


class Auction(msgspec.Struct, frozen=True, tag=True):
    """The seats bid. `hands` are the 17 cards of each."""

    opened: GameOpened
    from_record: int
    dealt: Dealt
    calls: tuple[Call, ...]
    turn: Seat

    @property
    def hands(self) -> Hands:
        """17 cards a seat; the kitty belongs to no seat yet."""
        return self.dealt.hands


class Called(msgspec.Struct, frozen=True, tag=True):
    """The last voice has spoken; the verdict follows in the same batch."""

    opened: GameOpened
    from_record: int
    dealt: Dealt
    calls: tuple[Call, ...]


class Void(msgspec.Struct, frozen=True, tag=True):
    """Nobody bid; the cards are to be dealt again."""

    opened: GameOpened
    from_record: int
    dealt: Dealt
    calls: tuple[Call, ...]
    next_voice: Seat

    @property
    def hands(self) -> Hands:
        """The hands that nobody wanted."""
        return self.dealt.hands


class Played(msgspec.Struct, frozen=True):
    """One turn of the play."""

    seat: Seat
    meld: Meld | None
    """None for a pass."""


class Top(msgspec.Struct, frozen=True):
    """The meld to beat and whose it is."""

    seat: Seat
    meld: Meld


class Playing(msgspec.Struct, frozen=True, tag=True):
    """The landlord is known and the cards are played."""

    opened: GameOpened
    from_record: int
    dealt: Dealt
    calls: tuple[Call, ...]
    landlord: Seat
    base: int
    hands: Hands
    turn: Seat
    top: Top | None
    """None when the seat to act leads."""
    causes: tuple[Cause, ...]
    history: tuple[Played, ...]
    """Every turn of the play so far, passes too."""

    @property
    def hands_played(self) -> tuple[int, int, int]:
        """How many melds each seat has played."""
        counts = [0, 0, 0]
        for turn in self.history:
            counts[turn.seat] += turn.meld is not None
        return counts[0], counts[1], counts[2]

    @property
    def out_cards(self) -> CardSet:
        """The cards that have been played."""
        return union(turn.meld.cards for turn in self.history if turn.meld)


class Ending(msgspec.Struct, frozen=True, tag=True):
    """The last card is played or a seat has escaped; the score follows in the same batch."""

    last: Opened | Auction | Void | Playing | Called
    """The state in which it ended."""
    escaped: Seat | None


class Over(msgspec.Struct, frozen=True, tag=True):
    """Scored."""

    last: Opened | Auction | Void | Playing | Called
    scored: GameScored
    revealed: str | None
    """The server seed, once it is revealed."""


State = Unopened | Opened | Auction | Called | Void | Playing | Ending | Over
START = Unopened()


def opening_of(state: State) -> GameOpened | None:
    """The event that opened the game; None before it."""
    match state:
        case Unopened():
            return None
        case Ending() | Over():
            return state.last.opened
        case _:
            return state.opened


def opened_in(state: State) -> GameOpened:
    """The event that opened the game of a state which is not the one before all events."""
    opened = opening_of(state)
    assert opened is not None, "no game has been opened in this state"
    return opened


def from_record(state: State) -> int:
    """How many of this line's deals, from the first one on, a record brings along; 0 without a record.

    Those that a record brings after the deal in which a fork has left belong to the other line.
    """
    match state:
        case Unopened():
            return 0
        case Ending() | Over():
            return state.last.from_record
        case _:
            return state.from_record


def in_batch(state: State) -> bool:
    """True between two events of one command: more must follow, and no command may come in between.

    It is the events that tell, and of the rules the two knobs that say what a deal and a third pass bring along.
    """
    match state:
        case Called() | Ending():
            return True
        case Auction():
            return state.opened.rules.auction == "assigned"  # nobody is asked: the landlord comes with the deal
        case Void():
            return state.opened.rules.all_pass == "void"  # the score comes with the third pass
        case Over():
            return state.revealed is None
        case _:
            return False


def turn_of(state: State) -> Seat | None:
    """The seat to act; None where no seat is, as between two events of one command: there one may not fork."""
    return state.turn if isinstance(state, Auction | Playing) and not in_batch(state) else None


def fold(events: Iterable[Event], start: State = START) -> State:
    """The state after `events`.

    Raises:
        BrokenLog: at an event without meaning in its phase.
    """
    return reduce(evolve, events, start)


def evolve(state: State, event: Event) -> State:
    """The state after one more event.

    Raises:
        BrokenLog: if the event has no meaning in this phase.
    """
    match event:  # most frequent first
        case CardsPlayed() if isinstance(state, Playing):
            return _play(state, event)
        case PlayPassed() if isinstance(state, Playing):
            return _pass(state, event)
        case BidMade() | BidPassed() if isinstance(state, Auction):
            return _call(state, event)
        case Dealt() if isinstance(state, Opened | Void):
            return Auction(state.opened, state.from_record, event, (), event.first_voice)
        case GameOpened() if isinstance(state, Unopened):
            return Opened(event, 0 if event.origin is None else event.origin.deals)
        case LandlordChosen() if isinstance(state, Auction | Called):
            return _enthrone(state, event)
        case GameScored() if isinstance(state, Ending):
            return Over(state.last, event, None)
        case GameScored() if isinstance(state, Void):
            return Over(state, event, None)
        case SeedRevealed() if isinstance(state, Over) and state.revealed is None:
            return Over(state.last, state.scored, event.server_seed)
        case DealVoided() if isinstance(state, Called):
            return Void(state.opened, state.from_record, state.dealt, state.calls, event.next_voice)
        case SeatEscaped() if isinstance(state, Opened | Auction | Void | Playing):
            return Ending(state, event.seat)
        case GameForked() if isinstance(state, Auction | Playing):
            return _own_line(state)
        case _:
            raise BrokenLog(
                "log/broken",
                "a {type} event has no meaning in the phase {phase}",
                type=tag_of(event),
                phase=type(state).__name__.lower(),
            )


def _own_line(state: Auction | Playing) -> Auction | Playing:
    """A fork goes on from the deal it is in: those that an imported record brings after it are another line's."""
    kept = state.dealt.number + 1
    return state if state.from_record <= kept else msgspec.structs.replace(state, from_record=kept)


def _call(state: Auction, event: BidMade | BidPassed) -> Auction | Called:
    points = event.points if isinstance(event, BidMade) else 0
    calls = (*state.calls, Call(event.seat, points))
    if event.next is None:
        return Called(state.opened, state.from_record, state.dealt, calls)
    return Auction(state.opened, state.from_record, state.dealt, calls, event.next)


def _enthrone(state: Auction | Called, event: LandlordChosen) -> Playing:
    hands = [
        hand | event.kitty if seat == event.landlord else hand
        for seat, hand in zip(SEATS, state.dealt.hands, strict=True)
    ]
    return Playing(
        opened=state.opened,
        from_record=state.from_record,
        dealt=state.dealt,
        calls=state.calls,
        landlord=event.landlord,
        base=event.base,
        hands=(hands[0], hands[1], hands[2]),
        turn=event.landlord,
        top=None,
        causes=(),
        history=(),
    )


def _play(state: Playing, event: CardsPlayed) -> Playing | Ending:
    seat, cards, meld, following = event.seat, event.cards, played_meld(event), event.next
    if len(state.causes) >= MOST_CAUSES - 1:  # the last one is a spring, which no card brings
        raise BrokenLog("log/broken", "more multiplies this game than there are cards for")
    one, two, three = state.hands
    hands = one - cards if seat == 0 else one, two - cards if seat == 1 else two, three - cards if seat == 2 else three
    causes = (*state.causes, event.cause) if event.cause else state.causes
    turn = seat if following is None else following
    after = _turned(state, hands, turn, Top(seat, meld), causes, Played(seat, meld))
    return Ending(after, None) if following is None else after


def _pass(state: Playing, event: PlayPassed) -> Playing:
    top = None if event.cleared else state.top
    return _turned(state, state.hands, event.next, top, state.causes, Played(event.seat, None))


def _turned(
    state: Playing, hands: Hands, turn: Seat, top: Top | None, causes: tuple[Cause, ...], played: Played
) -> Playing:
    """The play one turn later, built by position: `msgspec.structs.replace` takes several times as long."""
    return Playing(
        state.opened,
        state.from_record,
        state.dealt,
        state.calls,
        state.landlord,
        state.base,
        hands,
        turn,
        top,
        causes,
        (*state.history, played),
    )


def cards_in_play(state: State) -> CardSet:
    """Every card that the state holds somewhere: in a hand, in the kitty or played. All 54 once they are dealt."""
    match state:
        case Unopened() | Opened():
            return EMPTY
        case Auction() | Called() | Void():
            return union(state.dealt.hands) | state.dealt.kitty
        case Playing():
            return union(state.hands) | state.out_cards
        case Ending() | Over():
            return cards_in_play(state.last)
