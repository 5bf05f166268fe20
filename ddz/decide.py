"""The law: `decide(state, command) -> events`, or a refusal. Every rule is asked here and nowhere else.

`refusal` is the whole law as a question, `decide` its answer as events, `legal` what the seat to act may do.
"""

from typing import assert_never

from ddz import dealing, kernel
from ddz.auction import HIGHEST_BID, Call, Won, allowed_bids, highest, verdict
from ddz.cards import DECK, FULL_DECK, LETTERS, CardSet, not_held, union
from ddz.commands import Bid, Command, Deal, Escape, Fork, GivenDeal, OpenGame, Pass, PassBid, Play, Turn
from ddz.errors import Refused
from ddz.events import (
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
from ddz.moves import leads, read_play, responses
from ddz.rules import SEATS, next_seat
from ddz.scoring import Score, cause_of, settle, settle_escape, settle_void
from ddz.state import Auction, Called, Ending, Opened, Over, Playing, State, Unopened, Void, evolve


def refusal(state: State, command: Command) -> Refused | None:
    """Why `command` may not be given now; None if it may. The whole law: `decide` refuses exactly this."""
    try:
        _check(state, command)
    except Refused as refused:
        return refused
    return None


def decide(state: State, command: Command) -> tuple[Event, ...]:
    """The events that `command` brings about, to be appended together.

    Raises:
        Refused: with the code and the sentence of `refusal`.
    """
    _check(state, command)
    match command:
        case OpenGame():
            return (_open(command),)
        case Deal():
            return _deal(state, command)
        case Bid() | PassBid():
            return _call(state, command)
        case Play():
            return _play(state, command)
        case Pass():
            return _pass(state, command)
        case Escape():
            return _end(state, (SeatEscaped(command.seat),))
        case Fork():
            return (GameForked(command.parent, command.at, command.head, command.reason),)
        case _:
            assert_never(command)


def legal(state: State) -> tuple[Turn, ...]:
    """What the seat to act may do: bids, passes, and each reading by rank once, in the lowest suits held.

    Empty where no seat is to act. Escape is never listed; it is open to every seat at any time.
    """
    match state:
        case Auction(turn=seat):
            return (*(Bid(seat, points) for points in allowed_bids(state.calls)), PassBid(seat))
        case Playing(turn=seat):
            hand, rules = state.hands[seat], state.opened.rules
            melds = responses(hand, state.top.meld, rules) if state.top else leads(hand, rules)
            plays = tuple(Play(seat, meld.cards, meld.kind, meld.rank) for meld in melds)
            return (*plays, Pass(seat)) if state.top else plays
        case _:
            return ()


def _check(state: State, command: Command) -> None:
    """Raise what stands against `command`: first the phase, then the turn, then the rules of the move itself."""
    match command:
        case OpenGame():
            if not isinstance(state, Unopened):
                raise Refused("phase/wrong", "this game is open already")
            if command.first_voice is not None:
                _check_is_seat(command.first_voice)
        case Deal():
            _check_deal(state, command)
        case Bid() | PassBid():
            _check_call(state, command)
        case Play() | Pass():
            _check_turn(state, command)
        case Escape():
            if not isinstance(state, Opened | Auction | Void | Playing):
                raise _wrong_phase(state, "escape")
            _check_is_seat(command.seat)
        case Fork():
            if not isinstance(state, Auction | Playing):
                raise Refused("fork/no-turn-here", f"no seat is to act after event {command.at}", at=command.at)
        case _:
            assert_never(command)


def _wrong_phase(state: State, what: str) -> Refused:
    if isinstance(state, Over):
        return Refused("game/over", "the game is over")
    phase = {Unopened: "not open yet", Auction: "in its auction", Void: "waiting for a new deal"}
    now = phase.get(type(state), "in its play" if isinstance(state, Playing) else "between two phases")
    return Refused("phase/wrong", f"no {what} now: the game is {now}", what=what, now=now)


def _check_is_seat(seat: int) -> None:
    if seat not in SEATS:
        raise Refused("seat/unknown", f"there is no seat {seat}, only 0, 1 and 2", seat=seat)


def _check_seat(turn: int, seat: int) -> None:
    if seat != turn:
        raise Refused("turn/not-yours", f"it is seat {turn}'s turn, not seat {seat}'s", turn=turn, seat=seat)


def _check_deal(state: State, command: Deal) -> None:
    if not isinstance(state, Opened | Void):
        raise _wrong_phase(state, "deal")
    number = 0 if isinstance(state, Opened) else state.dealt.number + 1
    origin = state.opened.origin
    brought = origin is not None and number < origin.deals
    if command.given is None:
        if brought:
            raise Refused("deal/from-record", f"the record brings deal {number} along", number=number)
        return
    if not brought:
        raise Refused("deal/not-from-seed", f"deal {number} follows from the seed; nobody may bring its cards")
    given = command.given
    sizes = (*(len(hand) for hand in given.hands), len(given.kitty))
    if sizes != (17, 17, 17, 3):
        raise Refused(
            "deal/wrong-size",
            f"the hands hold {sizes[0]}, {sizes[1]}, {sizes[2]} and the kitty {sizes[3]} cards, not 17, 17, 17 and 3",
        )
    missing = FULL_DECK - (union(given.hands) | given.kitty)
    if missing:
        card = DECK[next(iter(missing))]
        raise Refused("deal/not-54", f"the card {card} is nowhere, so another one is there twice", card=card)
    expected = state.opened.first_voice if isinstance(state, Opened) else state.next_voice
    if given.first_voice != expected:
        raise Refused(
            "deal/wrong-voice",
            f"seat {expected} has the first voice in this deal, not seat {given.first_voice}",
            expected=expected,
            seat=given.first_voice,
        )
    assigned = state.opened.rules.auction == "assigned"
    if (given.landlord is not None) != assigned or (given.base is not None and not assigned):
        raise Refused("deal/assigned", "a landlord and a base stand in the deal exactly where the rules assign them")
    if given.landlord is not None:
        _check_is_seat(given.landlord)
    if given.base is not None and given.base < 1:
        raise Refused("deal/assigned", f"a base is at least 1 point, not {given.base}")


def _check_call(state: State, command: Bid | PassBid) -> None:
    if not isinstance(state, Auction):
        raise _wrong_phase(state, "bid")
    _check_seat(state.turn, command.seat)
    if isinstance(command, PassBid) or command.points in allowed_bids(state.calls):
        return
    if not 1 <= command.points <= HIGHEST_BID:
        raise Refused("bid/no-such-bid", f"a bid is 1, 2 or 3 points, not {command.points}", points=command.points)
    best = highest(state.calls)
    assert best is not None
    raise Refused(
        "bid/too-low",
        f"a bid of {command.points} is not higher than seat {best.seat}'s bid of {best.points}",
        points=command.points,
        best=best.points,
        seat=best.seat,
    )


def _check_turn(state: State, command: Play | Pass) -> None:
    if not isinstance(state, Playing):
        raise _wrong_phase(state, "play" if isinstance(command, Play) else "pass")
    _check_seat(state.turn, command.seat)
    top = state.top.meld if state.top else None
    if isinstance(command, Pass):
        if top is None:
            raise Refused("pass/must-lead", "the leader may not pass: play anything you like")
        return
    _check_held(state.hands[command.seat], command.cards)
    read_play(command.cards, top, state.opened.rules, command.kind, command.rank)


def _check_held(hand: CardSet, cards: CardSet) -> None:
    if hand >= cards:
        return
    for rank, letter in enumerate(LETTERS):
        wanted, held = kernel.lane(cards.counts, rank), kernel.lane(hand.counts, rank)
        if wanted > held:
            raise not_held(letter, wanted, held)
    card = DECK[next(iter(cards - hand))]
    raise Refused("play/not-held", f"the hand does not hold the card {card}", rank=card, wanted=1, held=0)


def _open(command: OpenGame) -> GameOpened:
    seeds = command.seeds
    nonce, server_seed = bytes.fromhex(seeds.nonce), bytes.fromhex(seeds.server_seed)
    voice = command.first_voice
    if voice is None:
        voice = dealing.deal(nonce, server_seed, seeds.seat_seeds, 0).voice
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
    assert isinstance(state, Opened | Void)
    opened = state.opened
    number = 0 if isinstance(state, Opened) else state.dealt.number + 1
    voice = opened.first_voice if isinstance(state, Opened) else state.next_voice
    given = command.given
    if given is None:
        deck = dealing.deal(bytes.fromhex(opened.nonce), bytes.fromhex(opened.server_seed), opened.seat_seeds, number)
        given = GivenDeal(deck.hands, deck.kitty, voice, voice, 1)
    dealt = Dealt(number, given.hands, given.kitty, voice)
    if opened.rules.auction != "assigned":
        return (dealt,)
    assert given.landlord is not None
    return dealt, LandlordChosen(given.landlord, given.base or 1, given.kitty)


def _call(state: State, command: Bid | PassBid) -> tuple[Event, ...]:
    assert isinstance(state, Auction)
    rules = state.opened.rules
    seat = command.seat
    points = command.points if isinstance(command, Bid) else 0
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
    assert isinstance(state, Playing)
    rules = state.opened.rules
    meld = read_play(command.cards, state.top.meld if state.top else None, rules, command.kind, command.rank)
    last_card = len(state.hands[command.seat]) == len(meld.cards)
    played = CardsPlayed(
        seat=command.seat,
        kind=meld.kind,
        rank=meld.rank,
        length=meld.length,
        cards=meld.cards,
        cause=cause_of(meld.kind, rules),
        next=None if last_card else next_seat(command.seat),
    )
    return _end(state, (played,)) if last_card else (played,)


def _pass(state: State, command: Pass) -> tuple[Event, ...]:
    assert isinstance(state, Playing)
    assert state.top is not None
    following = next_seat(command.seat)
    return (PlayPassed(command.seat, following, following == state.top.seat),)


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
