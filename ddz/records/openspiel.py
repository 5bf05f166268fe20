"""OpenSpiel's dou_dizhu: the history of a state, as `serialize_game_and_state` writes it, or as a plain list.

The first form has sections `[Meta]`, `[Game]` and `[State]`, in the last an action number a line. A plain list is the
same history as numbers or as texts (`Deal C3`, `Bid 2`, `333444-56`), one a line or as a JSON list. What `44` is
depends on that, action 44 or the pair, so the first entry decides for the whole list.

The history begins with 52 moves of chance: the place of the card that lies face up, then 51 cards, dealt one by one
from seat 0 on. Who gets the face-up card speaks first; the three cards that are left are the kitty. All else is a
bid, a play or a pass each, and who makes it follows from the rules. Cards are dealt with suits and played without:
the lowest suits held are taken. Faults name the *move*: its place in the history, counted from 0 with the deal, so
that move 52 is the first bid, which is action 0 of our record.

Nothing in a history says what was paid, so there is no claim. The state that OpenSpiel prints is not read: unless
seat 0 speaks first it shows the hands of a finished game under wrong seats.
"""

from collections.abc import Sequence
from typing import Final

from ddz import kernel, places
from ddz.actions import command_of
from ddz.cards import DECK, FULL_DECK, LETTERS, CardSet, rank_letters, union
from ddz.commands import Bid, Command, GivenDeal, Pass, PassBid, Play
from ddz.errors import Phrase, Refused, Unreadable
from ddz.frozen.events import (
    BidMade,
    BidPassed,
    CardsPlayed,
    Dealt,
    Event,
    GameOpened,
    GameScored,
    LandlordChosen,
    PlayPassed,
    SeatEscaped,
)
from ddz.frozen.shapes import Seat
from ddz.melds import KINDS, played_meld
from ddz.record import FORMAT, Record, RecordDeal, parse_action
from ddz.records import openspiel_actions as actions
from ddz.records import openspiel_history, trial
from ddz.records.base import Foreign
from ddz.records.openspiel_actions import DEALT, FIRST_PLAY, PASS, RULES
from ddz.records.openspiel_history import CHANCE, GAMES, NAME, VERSION, looks_like, shown
from ddz.state import Over, Playing, State, turn_of

__all__ = ["NAME", "looks_like", "read", "write"]

_FROM_FOUR: Final = (kernel.CHAIN, kernel.PAIR_CHAIN, kernel.AIRPLANE)
"""What OpenSpiel does not find in a hand that holds its lowest rank four times."""
_HEADER: Final = "# written in the form of OpenSpiel's serialize_game_and_state"


def read(raw: bytes) -> Foreign:
    """The game in a file's bytes, played to its last move.

    Raises:
        Unreadable: naming the deal, the move and the card.
    """
    history = openspiel_history.parse(raw)
    given = _given(history[:CHANCE])
    state = trial.dealt(RULES, given)
    said: list[str] = []
    for move, action in enumerate(history[CHANCE:], CHANCE):
        text = _said(action, turn_of(state) or 0)
        try:
            state = trial.after(state, command_of(parse_action(text, 0, len(said)), state))
        except (Refused, Unreadable) as error:
            where = Phrase(
                "openspiel/at",
                "deal 0, move {move} ({said}; action {action} after the deal)",
                move=move,
                said=shown(action),
                action=len(said),
            )
            raise Unreadable.at(where, error) from None
        said.append(text)
    deal = RecordDeal(
        first_bidder=given.first_voice,
        hands=(str(given.hands[0]), str(given.hands[1]), str(given.hands[2])),
        kitty=str(given.kitty),
        actions=tuple(said),
    )
    return Foreign(Record(FORMAT, RULES.name, ("player 0", "player 1", "player 2"), (deal,)))


def _given(chance: Sequence[int]) -> GivenDeal:
    """The deal that the moves of chance make."""
    hands = [CardSet(), CardSet(), CardSet()]
    for move, action in enumerate(chance[1:], 1):
        card = actions.card_of(action)
        one = CardSet(1 << card)
        if union(hands) >= one:
            text = actions.card_text(card)
            raise Unreadable(
                "cards/twice",
                '{where}: the card {card} ({action}, "Deal {text}") is dealt twice',
                where=places.move(move),
                card=DECK[card],
                action=action,
                text=text,
            )
        hands[(move - 1) % 3] |= one
    return GivenDeal((hands[0], hands[1], hands[2]), FULL_DECK - union(hands), first_voice=chance[0] % 3)


def _said(action: int, seat: Seat) -> str:
    """An action in the words of our record, the reading named where the cards have more than one."""
    if action == PASS:
        return f"{seat} pass"
    if action < FIRST_PLAY:
        return f"{seat} bid {action}"
    kind, _, rank, cards = actions.readings()[action - FIRST_PLAY]
    played = f"{seat} play {rank_letters(cards)}"
    if len(kernel.readings(cards, RULES.kickers.code)) == 1:
        return played
    return f"{played} as {KINDS[kind]} {LETTERS[rank]}"


def write(events: Sequence[Event]) -> str:
    """A game as OpenSpiel saves a state; each action is one that OpenSpiel lists as legal.

    Raises:
        Unreadable: OpenSpiel knows no such game: another auction, a redeal, an escape, a meld that it lacks or does
            not find, other points; says which.
    """
    dealt = _only_deal(events)
    state = trial.dealt(RULES, GivenDeal(dealt.hands, dealt.kitty, dealt.first_voice))
    history = _chance(dealt)
    for event in events:
        if isinstance(event, LandlordChosen):
            _check_landlord(event, state, len(history))
        elif (turn := _turn(event, state)) is not None:
            command, action = turn
            try:
                state = trial.after(state, command)
            except Refused as refused:
                raise Unreadable(
                    "openspiel/not-allowed",
                    "move {move} ({said}) is not allowed by OpenSpiel's rules: {why}",
                    move=len(history),
                    said=shown(action),
                    why=refused,
                ) from None
            history.append(action)
    _check_end(events, state)
    lines = [_HEADER, "[Meta]", VERSION, "", "[Game]", GAMES[0], "[State]", *map(str, history)]
    return "\n".join(lines) + "\n\n"


def _only_deal(events: Sequence[Event]) -> Dealt:
    deals = [event for event in events if isinstance(event, Dealt)]
    if not deals:
        raise Unreadable(
            "openspiel/no-deal", "the cards are not dealt yet, and an OpenSpiel record begins with the deal"
        )
    if len(deals) > 1:
        raise Unreadable(
            "openspiel/redeal",
            "the cards were dealt {deals} times, and OpenSpiel's game is over when all have passed",
            deals=len(deals),
        )
    opened = next(event for event in events if isinstance(event, GameOpened))
    if opened.rules.auction == "assigned":
        raise Unreadable("openspiel/assigned", "the landlord was given with the deal, and in OpenSpiel he is bid for")
    return deals[0]


def _chance(dealt: Dealt) -> list[int]:
    """The moves of chance: the first card of the first voice lies face up, each hand is dealt low cards first."""
    hands = [list(hand) for hand in dealt.hands]
    return [dealt.first_voice, *(actions.deal_of(hands[at % 3][at // 3]) for at in range(DEALT))]


def _turn(event: Event, state: State) -> tuple[Command, int] | None:
    """What a seat did, as our command and OpenSpiel's action; None for an event that is no turn."""
    match event:
        case BidMade():
            return Bid(event.seat, event.points), event.points
        case BidPassed():
            return PassBid(event.seat), PASS
        case PlayPassed():
            return Pass(event.seat), PASS
        case CardsPlayed():
            return Play(event.seat, event.cards, event.kind, event.rank), _play(event, state)
        case SeatEscaped():
            raise Unreadable(
                "record/no-escape",
                "seat {seat} escaped, and {engine} knows no escape",
                engine="OpenSpiel",
                seat=event.seat,
            )
        case _:
            return None


def _play(event: CardsPlayed, state: State) -> int:
    meld = played_meld(event)
    named = f"{meld.cards.ranks} ({meld.name})"
    action = actions.action_of((*meld.shape, meld.cards.counts))
    if action is None:
        raise Unreadable("openspiel/no-action", "OpenSpiel has no action for {reading}", reading=named)
    held = state.hands[event.seat].counts if isinstance(state, Playing) else 0
    if meld.kind.index in _FROM_FOUR and kernel.lane(held, meld.rank.index) == 4:
        raise Unreadable(
            "openspiel/not-listed",
            "OpenSpiel does not list {reading} as legal while seat {seat} holds four of rank {rank}: it misses a "
            "chain or an airplane that begins there",
            reading=named,
            seat=event.seat,
            rank=str(meld.rank),
        )
    return action


def _check_landlord(event: LandlordChosen, state: State, move: int) -> None:
    if not isinstance(state, Playing) or (state.landlord, state.base) != (event.landlord, event.base):
        raise Unreadable(
            "openspiel/goes-on",
            "before move {move} seat {landlord} becomes the landlord for {base}, but OpenSpiel goes on asking "
            "until two passes follow a bid, or a 3",
            move=move,
            landlord=event.landlord,
            base=event.base,
        )


def _check_end(events: Sequence[Event], state: State) -> None:
    """The game ends where OpenSpiel's does, and pays the same."""
    scored = next((event.score for event in events if isinstance(event, GameScored)), None)
    theirs = state.scored.score.payouts if isinstance(state, Over) else None
    if theirs is not None and scored is None:
        raise Unreadable(
            "openspiel/redeal",
            "all three have passed: OpenSpiel's game is over, and in this one the cards are dealt again",
        )
    if scored is not None and scored.payouts != theirs:
        points = [", ".join(map(str, payouts or ())) for payouts in (theirs, scored.payouts)]
        raise Unreadable(
            "openspiel/payouts",
            "OpenSpiel pays the seats {theirs}, and by this game's own rules they get {ours}",
            theirs=points[0],
            ours=points[1],
        )
