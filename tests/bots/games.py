"""Whole games between bots, driven by the pure core, and positions put up by hand."""

import random
from collections.abc import Callable, Sequence

import msgspec

from ddz.bots.base import Bot
from ddz.cards import FULL_DECK, CardSet, parse_ranks, union
from ddz.commands import Bid, Deal, GivenDeal, OpenGame, Seeds
from ddz.decide import decide, legal
from ddz.frozen.shapes import Origin, Player, Rules
from ddz.melds import readings
from ddz.rules import CLASSIC
from ddz.state import START, Auction, Over, Played, Playing, State, Top, Void, fold, turn_of
from ddz.view import seat_view

NOBODY = Player("x", "bot")


def shuffled(seed: int) -> tuple[tuple[CardSet, CardSet, CardSet], CardSet]:
    """Three hands of 17 and a kitty."""
    deck = random.Random(seed).sample(range(54), 54)
    one, two, three, kitty = (CardSet(sum(1 << card for card in deck[a : a + 17])) for a in (0, 17, 34, 51))
    return (one, two, three), kitty


def opened(seed: int, rules: Rules = CLASSIC, landlord: int = 0) -> State:
    """A dealt game; where the rules assign a landlord, `landlord`."""
    hands, kitty = shuffled(seed)
    assigned = rules.auction == "assigned"
    command = OpenGame(
        game="g", match="m", round=1, previous=None, players=(NOBODY, NOBODY, NOBODY), rules=rules,
        seeds=Seeds(f"{seed:064x}", "00" * 32), first_voice=landlord, voice_from="chosen", origin=Origin("t", "t"),
    )  # fmt: skip
    given = GivenDeal(hands, kitty, landlord, landlord if assigned else None, 1 if assigned else None)
    state = fold(decide(START, command))
    return fold(decide(state, Deal(given)), state)


def crowned(seed: int, landlord: int, rules: Rules = CLASSIC) -> State:
    """A dealt game whose `landlord` is about to lead."""
    state = opened(seed, rules, landlord)
    return fold(decide(state, Bid(landlord, 3)), state) if isinstance(state, Auction) else state


Watch = Callable[[State, object], None]


def play(state: State, bots: Sequence[Bot], seed: int = 0, watch: Watch | None = None) -> Over:
    """`state` played to its end by one bot a seat."""
    rng = random.Random(seed)
    while not isinstance(state, Over):
        if isinstance(state, Void):
            state = fold(decide(state, Deal()), state)
        seat = turn_of(state)
        assert seat is not None
        turn = bots[seat].choose(seat_view(state, seat), legal(state), rng)
        if watch:
            watch(state, turn)
        state = fold(decide(state, turn), state)
    return state


def landlord_wins(landlord: Bot, peasants: Bot, deals: int) -> int:
    """Of so many deals, always the same ones."""
    won = 0
    for seed in range(deals):
        seats = [peasants] * 3
        seats[seed % 3] = landlord
        won += play(crowned(seed, seed % 3), seats, seed).scored.score.winner == "landlord"
    return won


def match(one: Bot, other: Bot, deals: int) -> float:
    """The share of its games that `one` wins, as the landlord and as the peasants of the same deals."""
    as_landlord = landlord_wins(one, other, deals)
    as_peasants = deals - landlord_wins(other, one, deals)
    return (as_landlord + as_peasants) / (2 * deals)


def exchanged(state: Auction | Playing, rng: random.Random) -> Auction | Playing:
    """The same with the cards that the seat to act cannot know given out otherwise, the kitty before it is public."""
    seat = state.turn
    others = [other for other in range(3) if other != seat]
    auction = isinstance(state, Auction)
    public = CardSet() if auction else state.dealt.kitty
    hands = list(state.hands)
    kept = {other: hands[other] & public for other in others}
    hidden = [card for other in others for card in hands[other] - kept[other]]
    kitty = state.dealt.kitty
    if auction:
        hidden += list(kitty)
    rng.shuffle(hidden)
    for other in others:
        need = len(hands[other]) - len(kept[other])
        hands[other] = kept[other] | CardSet(sum(1 << card for card in hidden[:need]))
        hidden = hidden[need:]
    if auction:
        kitty = CardSet(sum(1 << card for card in hidden))
        return msgspec.structs.replace(
            state, dealt=msgspec.structs.replace(state.dealt, hands=tuple(hands), kitty=kitty)
        )
    return msgspec.structs.replace(state, hands=tuple(hands))


def at_the_end(
    hands: tuple[str | int, str | int, str | int],
    landlord: int = 0,
    top: tuple[int, str] | None = None,
    rules: Rules = CLASSIC,
) -> Playing:
    """Seat 0 to act with these hands; `top` is (seat, cards), and all other cards have been played, one by one.

    A hand may say how many cards it has instead; they are taken out of the deck by chance.
    """
    left = FULL_DECK
    held: list[CardSet] = []
    for hand in (*hands, top[1] if top else ""):
        cards = left.take(parse_ranks(hand)) if isinstance(hand, str) else CardSet()
        left -= cards
        held.append(cards)
    chance = random.Random(7)
    for seat, hand in enumerate(hands):
        if isinstance(hand, int):
            held[seat] = CardSet(sum(1 << card for card in chance.sample(sorted(left), hand)))
            left -= held[seat]
    history = []
    rest = chance.sample(sorted(left), len(left))
    kitty = CardSet()
    for seat in range(3):
        gone = (20 if seat == landlord else 17) - len(held[seat]) - (len(held[3]) if top and top[0] == seat else 0)
        solos = [CardSet(1 << card) for card in rest[:gone]]
        rest = rest[gone:]
        history += [Played(seat, readings(solo, rules.kickers)[0]) for solo in solos]
        if seat == landlord:
            kitty = union(solos[:3])
            assert len(kitty) == 3, "the landlord has played the kitty"
    meld = readings(held[3], rules.kickers)[-1] if top else None
    if top:
        history.append(Played(top[0], meld))
        history += [Played(2, None)] * (top[0] == 1)
    base = crowned(0, landlord, rules)
    assert isinstance(base, Playing)
    return msgspec.structs.replace(
        base,
        dealt=msgspec.structs.replace(base.dealt, kitty=kitty),
        hands=(held[0], held[1], held[2]),
        turn=0,
        top=Top(top[0], meld) if top and meld else None,
        history=tuple(history),
    )
