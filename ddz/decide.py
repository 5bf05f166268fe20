"""The law: `decide(state, command) -> events`, or a refusal. Every rule is asked here and nowhere else.

`refusal` is what `decide` raises, as an answer; `legal` lists what the seat to act may do.
"""

from collections.abc import Sequence
from typing import assert_never

from ddz import dealing
from ddz.auction import Call, Won, allowed_bids, highest, verdict
from ddz.cards import CardSet
from ddz.commands import Bid, Command, Deal, Escape, Fork, GivenDeal, OpenGame, Pass, PassBid, Play, Turn
from ddz.errors import Refused
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
)
from ddz.frozen.shapes import Rules, Score, Seat
from ddz.melds import Meld
from ddz.moves import leads, read_play, responses
from ddz.refusals import (
    check_bid,
    check_given,
    check_held,
    check_is_seat,
    check_seeds,
    check_source,
    check_turn,
    wrong_phase,
)
from ddz.rules import next_seat
from ddz.scoring import cause_of, settle, settle_escape, settle_void
from ddz.state import Auction, Called, Ending, Opened, Playing, State, Unopened, Void, evolve, in_batch, turn_of


def refusal(state: State, command: Command) -> Refused | None:
    """Why `command` may not be given now; None if it may. The whole law: `decide` refuses exactly this."""
    try:
        decide(state, command)
    except Refused as refused:
        return refused
    return None


def decide(state: State, command: Command) -> tuple[Event, ...]:
    """The events that `command` causes, to be appended together.

    Raises:
        Refused: first for the phase, then for the turn, then by the rules of the move itself.
    """
    match command:  # most frequent first
        case Play():
            return _play(state, command)
        case Pass():
            return _pass(state, command)
        case Bid() | PassBid():
            return _call(state, command)
        case Deal():
            return _deal(state, command)
        case OpenGame():
            return (_open(state, command),)
        case Escape():
            return _escape(state, command)
        case Fork():
            return (_fork(state, command),)
        case _:
            assert_never(command)


def legal(state: State) -> tuple[Turn, ...]:
    """What the seat to act may do: bids, passes, and each reading by rank once, in the lowest suits held.

    Empty where no seat is to act. Escape is never listed; it is open to every seat at any time.
    """
    match state:
        case Auction(turn=seat) if not in_batch(state):
            return legal_calls(seat, state.calls)
        case Playing(turn=seat):
            return legal_plays(seat, state.hands[seat], state.top.meld if state.top else None, state.opened.rules)
        case _:
            return ()


def legal_calls(seat: Seat, calls: Sequence[Call]) -> tuple[Turn, ...]:
    """What `seat`, whose voice it is, may say after `calls`."""
    return (*(Bid(seat, points) for points in allowed_bids(calls)), PassBid(seat))


def legal_plays(seat: Seat, hand: CardSet, top: Meld | None, rules: Rules) -> tuple[Turn, ...]:
    """What `seat`, whose turn it is, may do with `hand` against `top`; None: it leads."""
    melds = responses(hand, top, rules) if top else leads(hand, rules)
    plays = tuple(Play(seat, meld.cards, meld.kind, meld.rank) for meld in melds)
    return (*plays, Pass(seat)) if top else plays


def _open(state: State, command: OpenGame) -> GameOpened:
    if not isinstance(state, Unopened):
        raise Refused("phase/wrong", "this game is open already")
    voice = command.first_voice
    seeds = command.seeds
    nonce, server_seed = bytes.fromhex(seeds.nonce), bytes.fromhex(seeds.server_seed)
    if voice is None:
        voice = dealing.deal(nonce, server_seed, seeds.seat_seeds, 0).voice
    check_is_seat(voice)
    return GameOpened(
        game=command.game,
        match=command.match,
        round=command.round,
        previous=command.previous,
        players=command.players,
        rules=command.rules,
        first_voice=voice,
        voice_from=command.voice_from,
        nonce=seeds.nonce,
        commitment=dealing.commitment(nonce, server_seed).hex(),
        seat_seeds=seeds.seat_seeds,
        server_seed=seeds.server_seed,
        seed_chosen=seeds.chosen,
        origin=command.origin,
    )


def _deal(state: State, command: Deal) -> tuple[Event, ...]:
    if not isinstance(state, Opened | Void) or in_batch(state):
        raise wrong_phase(state, "deal")
    opened = state.opened
    number = 0 if isinstance(state, Opened) else state.dealt.number + 1
    voice = opened.first_voice if isinstance(state, Opened) else state.next_voice
    given = command.given
    check_source(state, number, given)
    if given is None:
        check_seeds(opened)
        deck = dealing.deal(bytes.fromhex(opened.nonce), bytes.fromhex(opened.server_seed), opened.seat_seeds, number)
        given = GivenDeal(deck.hands, deck.kitty, voice, voice, 1)
    else:
        check_given(state, voice, given)
    dealt = Dealt(number, given.hands, given.kitty, voice)
    if opened.rules.auction != "assigned":
        return (dealt,)
    assert given.landlord is not None
    return dealt, LandlordChosen(given.landlord, given.base or 1, given.kitty)


def _call(state: State, command: Bid | PassBid) -> tuple[Event, ...]:
    if not isinstance(state, Auction) or in_batch(state):
        raise wrong_phase(state, "bid")
    seat = command.seat
    check_turn(state.turn, seat)
    points = 0
    if isinstance(command, Bid):
        points = command.points
        check_bid(state, points)
    rules = state.opened.rules
    result = verdict(rules.auction, (*state.calls, Call(seat, points)))
    following = next_seat(seat) if result is None else None
    event = BidMade(seat, points, following) if points else BidPassed(seat, following)
    match result:
        case None:
            return (event,)
        case Won(landlord, base):
            return event, LandlordChosen(landlord, base, state.dealt.kitty)
        case _:
            voided = DealVoided(next_seat(state.dealt.first_voice))
            if rules.all_pass == "redeal":
                return event, voided
            return _end(state, (event, voided))


def _play(state: State, command: Play) -> tuple[Event, ...]:
    if not isinstance(state, Playing):
        raise wrong_phase(state, "play")
    seat, hand, rules = state.turn, state.hands[state.turn], state.opened.rules
    check_turn(seat, command.seat)
    check_held(hand, command.cards)
    top = state.top.meld if state.top else None
    meld = read_play(command.cards, top, rules, command.kind, command.rank)
    following = None if meld.cards == hand else next_seat(seat)
    played = CardsPlayed(seat, meld.kind, meld.rank, meld.length, meld.cards, cause_of(meld.kind, rules), following)
    return (played,) if following is not None else _end(state, (played,))


def _pass(state: State, command: Pass) -> tuple[Event, ...]:
    if not isinstance(state, Playing):
        raise wrong_phase(state, "pass")
    check_turn(state.turn, command.seat)
    if state.top is None:
        raise Refused("pass/must-lead", "the leader may not pass: play anything you like")
    following = next_seat(command.seat)
    return (PlayPassed(command.seat, following, following == state.top.seat),)


def _escape(state: State, command: Escape) -> tuple[Event, ...]:
    if not isinstance(state, Opened | Auction | Void | Playing) or in_batch(state):
        raise wrong_phase(state, "escape")
    check_is_seat(command.seat)
    return _end(state, (SeatEscaped(command.seat),))


def _fork(state: State, command: Fork) -> GameForked:
    if turn_of(state) is None:
        raise Refused("fork/no-turn-here", "no seat is to act after event {at}", at=command.at)
    return GameForked(command.parent, command.at, command.head, command.reason)


def _end(state: State, events: tuple[Event, ...]) -> tuple[Event, ...]:
    """`events` that end the game, with the score and the revealed seed that follow from them."""
    for event in events:
        state = evolve(state, event)
    assert isinstance(state, Ending | Void)
    opened = state.last.opened if isinstance(state, Ending) else state.opened
    return *events, GameScored(_score(state)), SeedRevealed(opened.server_seed)


def _score(state: Ending | Void) -> Score:
    if isinstance(state, Void):
        return settle_void()
    last = state.last
    rules = last.opened.rules
    if isinstance(last, Playing):
        if state.escaped is not None:
            return settle_escape(rules, state.escaped, last.landlord, last.base, last.causes)
        return settle(rules, last.landlord, last.base, last.causes, last.turn, last.hands_played)
    assert state.escaped is not None
    best = highest(last.calls) if isinstance(last, Auction | Called) else None
    return settle_escape(rules, state.escaped, None, best.points if best else 0, ())
