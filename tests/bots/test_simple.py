"""What `simple` does in positions that a player would not argue about."""

import random

import msgspec
import pytest

from ddz.auction import Call
from ddz.bots.simple import SimpleBot, strength
from ddz.cards import FULL_DECK, CardSet, parse_ranks
from ddz.commands import Bid, Pass, PassBid
from ddz.decide import legal
from ddz.kernel import total
from ddz.melds import readings
from ddz.rules import CLASSIC
from ddz.state import Auction, Played, Playing, Top
from ddz.view import seat_view

from .games import crowned, opened

ANY = random.Random(0)


def position(hand: str, others: tuple[int, int], top: tuple[int, str] | None, landlord: int) -> Playing:
    """Seat 0 to act with `hand`; seats 1 and 2 hold so many cards; `top` is (seat, cards). What is left is played."""
    left = FULL_DECK
    own = left.take(parse_ranks(hand))
    left -= own
    history = []
    if top:
        cards = left.take(parse_ranks(top[1]))
        left -= cards
        history = [Played(top[0], readings(cards, CLASSIC.kickers)[-1])]
        if top[0] == 1:
            history.append(Played(2, None))
    deck = random.Random(7).sample(list(left), len(left))
    one = CardSet(sum(1 << card for card in deck[: others[0]]))
    two = CardSet(sum(1 << card for card in deck[others[0] : sum(others)]))
    base = crowned(0, landlord)
    assert isinstance(base, Playing)
    meld = history[0].meld if history else None
    return msgspec.structs.replace(
        base,
        hands=(own, one, two),
        turn=0,
        top=Top(top[0], meld) if top and meld else None,
        history=tuple(history),
    )


def answer(state):
    turn = SimpleBot().choose(seat_view(state, 0), legal(state), ANY)
    assert turn in legal(state)
    return "pass" if isinstance(turn, Pass) else turn.cards.ranks


@pytest.mark.parametrize(
    ("hand", "top"),
    [("444555", None), ("55", (1, "44")), ("BR", (2, "AAAA")), ("2222", (1, "345678")), ("R", (2, "B"))],
)
@pytest.mark.parametrize("landlord", [0, 1, 2])
def test_it_goes_out_when_it_can_even_over_its_partner(hand, top, landlord):
    assert answer(position(hand, (9, 9), top, landlord)) == hand


@pytest.mark.parametrize("top", ["A", "2", "KK", "TTT3", "89TJQ", "R"])
@pytest.mark.parametrize("seat", [1, 2])
def test_it_leaves_its_partners_strong_meld_alone(seat, top):
    hand = "3445679TJQKAA22B" if top != "B" else "3445679TJQKAA22R"
    assert answer(position(hand, (10, 10), (seat, top), 3 - seat)) == "pass"


@pytest.mark.parametrize("top", ["4", "9", "33", "5556"])
def test_it_never_beats_a_partner_whom_the_landlord_has_let_pass(top):
    assert answer(position("36778TJJQQQK2222", (10, 10), (1, top), 2)) == "pass"


@pytest.mark.parametrize("top", ["4", "33", "6789TJ", "JJJ4"])
def test_it_spends_no_bomb_on_its_partner(top):
    for seat in (1, 2):
        assert answer(position("5555BR36678TJQK", (10, 10), (seat, top), 3 - seat)) not in ("5555", "BR")


def test_it_follows_low_before_high():
    assert answer(position("36789TQKA2", (12, 12), (1, "5"), 1)) not in ("A", "2")


def test_it_keeps_its_bombs_while_nothing_presses():
    assert answer(position("34455557889TJK2", (15, 15), (1, "66"), 1)) not in ("5555", "BR")


def test_it_bombs_a_landlord_who_is_about_to_go_out():
    assert answer(position("35555779", (1, 9), (1, "KK"), 1)) == "5555"


@pytest.mark.parametrize("landlord", [0, 1])
def test_it_leads_no_solo_to_an_opponent_with_one_card(landlord):
    assert len(answer(position("3467799", (1, 9), None, landlord))) > 1


def test_of_solos_alone_it_leads_the_highest_to_an_opponent_with_one_card():
    assert answer(position("358J", (1, 9), None, 0)) == "J"


def test_it_lets_a_partner_with_one_card_go_out():
    assert answer(position("3577QQ", (1, 9), None, 2)) == "3"


def test_sure_winners_first_when_one_loser_is_left():
    assert answer(position("3BR", (9, 9), None, 0)) == "BR"
    assert answer(position("3BR22", (9, 9), (1, "AA"), 0)) in ("22", "BR")


def test_it_leads_long_and_low():
    assert len(answer(position("345678TTKKA2", (17, 17), None, 0))) >= 5


def bid(hand: str, called: tuple[int, ...] = ()) -> int:
    state = opened(1)
    assert isinstance(state, Auction)
    cards = FULL_DECK.take(parse_ranks(hand))
    assert total(cards.counts) == 17
    rest = list(FULL_DECK - cards)
    other = CardSet(sum(1 << card for card in rest[:17]))
    third = CardSet(sum(1 << card for card in rest[17:34]))
    state = msgspec.structs.replace(state, dealt=msgspec.structs.replace(state.dealt, hands=(cards, other, third)))
    calls = tuple(Call(seat + 1, points) for seat, points in enumerate(called))
    state = msgspec.structs.replace(state, calls=calls)
    turn = SimpleBot().choose(seat_view(state, 0), legal(state), ANY)
    assert turn in legal(state)
    assert isinstance(turn, Bid | PassBid)
    return turn.points if isinstance(turn, Bid) else 0


WEAK, FAIR, STRONG = "34456778899TJJQKK", "3345678TJQKKAA22B", "3344556677AA222BR"


def test_it_bids_by_strength():
    assert bid(WEAK) == 0
    assert bid(STRONG) == 3
    assert bid(WEAK) <= bid(FAIR) <= bid(STRONG)
    policy = CLASSIC.kickers.code
    hands = [FULL_DECK.take(parse_ranks(text)) for text in (WEAK, FAIR, STRONG)]
    assert strength(hands[0], policy) < strength(hands[1], policy) < strength(hands[2], policy)


def test_it_does_not_outbid_beyond_its_hand():
    assert bid(FAIR, (2,)) in (0, 3)
    assert bid(WEAK, (1,)) == 0
    assert bid(STRONG, (1, 2)) == 3
