"""What is compared: moves as numbers that ours and a peer's can both be turned into, and the positions they stand in.

A *reading* is (kind, length, rank, cards) in the kernel's numbers. A peer that knows only cards compares by the packed
cards alone; then two readings of the same cards are one move.
"""

import random
from dataclasses import dataclass
from functools import cache

from ddz import kernel
from ddz.cards import DECK_SIZE, EMPTY, FULL_DECK, LETTERS, CardSet
from ddz.commands import Bid, GivenDeal, Play, Turn
from ddz.melds import KINDS

Reading = tuple[int, int, int, int]
Move = int | Reading
PASS = 0
"""A pass, in the play and in the auction; in the auction the other moves are the points."""


@dataclass(frozen=True)
class TurnToAct:
    """A seat to act in the play."""

    hand: int
    """Packed counts."""
    top: Reading | None
    """What is to be beaten; None for the leader."""
    policy: int
    by_cards: bool
    """The peer knows cards, not readings."""

    def move(self, reading: Reading) -> Move:
        """The move that a reading is to this peer."""
        return reading[3] if self.by_cards else reading

    def melds(self, kind: int, length: int) -> frozenset[Reading]:
        """Our melds of one shape in the hand."""
        return frozenset((kind, length, *meld) for meld in kernel.melds_of(self.hand, kind, length, -1, self.policy))

    def answers(self) -> frozenset[Reading]:
        """Our legal melds."""
        if self.top is None:
            return frozenset(kernel.leads(self.hand, self.policy))
        return frozenset(kernel.responses(self.hand, *self.top[:3], self.policy))

    def __str__(self) -> str:
        top = told(self.top) if self.top else "nothing: a lead"
        return f"hand {letters(self.hand)} on {top}"


def reading_of(turn: Turn) -> Reading:
    """The reading that one of our legal plays is."""
    assert isinstance(turn, Play)
    assert turn.kind is not None
    assert turn.rank is not None
    kind = turn.kind.index
    return kind, len(turn.cards) // kernel.size(kind, 1), turn.rank.index, turn.cards.counts


def our_move(turn: Turn, by_cards: bool) -> Move:
    """One of our legal turns as a peer's move."""
    if isinstance(turn, Bid):
        return turn.points
    if isinstance(turn, Play):
        reading = reading_of(turn)
        return reading[3] if by_cards else reading
    return PASS


def letters(packed: int) -> str:
    """Packed counts as rank letters, low to high."""
    return "".join(letter * kernel.lane(packed, rank) for rank, letter in enumerate(LETTERS))


def packed(text: str) -> int:
    """Rank letters as packed counts."""
    counts = 0
    for letter in text:
        counts += 1 << 4 * LETTERS.index(letter)
    return counts


def told(move: Move) -> str:
    """A move in words."""
    if isinstance(move, int):
        return letters(move) if move else "pass"
    kind, length, rank, cards = move
    return f"{letters(cards)} ({KINDS[kind]} {LETTERS[rank]}, {length} long)"


def shuffled_deck(rng: random.Random, clumped: bool) -> list[int]:
    """The deck in random order; clumped as by a house that shuffles badly, so that bombs and airplanes abound."""
    deck = list(range(DECK_SIZE))
    if not clumped:
        rng.shuffle(deck)
        return deck
    packets = []
    while deck:
        size = rng.randint(2, 7)
        packets.append(deck[:size])
        deck = deck[size:]
    rng.shuffle(packets)
    return [card for packet in packets for card in packet]


def card_set(cards: list[int]) -> CardSet:
    """Cards by their numbers as a set."""
    return CardSet(sum(1 << card for card in cards))


def random_hand(rng: random.Random, size: int, clumped: bool) -> int:
    """The packed counts of a random hand."""
    return card_set(shuffled_deck(rng, clumped)[:size]).counts


def kicker_counts(reading: Reading) -> list[int]:
    """How many kickers of each lane."""
    kind, length, rank, cards = reading
    beside = 0 if kind == kernel.ROCKET else cards - kernel.block(kernel.CORE_COPIES[kind], rank, length)
    return [kernel.lane(beside, other) for other in range(kernel.LANES)]


def most_equal_kickers(reading: Reading) -> int:
    """The most kickers of one rank."""
    return max(kicker_counts(reading))


@cache
def leads_by_class(policy: int) -> dict[tuple[int, int, int], list[Reading]]:
    """Every meld of the deck by kind, length and the most kickers of one rank."""
    classes: dict[tuple[int, int, int], list[Reading]] = {}
    for reading in kernel.leads(FULL_DECK.counts, policy):
        classes.setdefault((*reading[:2], most_equal_kickers(reading)), []).append(reading)
    return classes


def answered_lead(rng: random.Random, policy: int, assigned: bool, least_equal: int = 0) -> tuple[GivenDeal, Reading]:
    """A deal in which the landlord can lead a given meld and the seat after him mostly holds one to beat it.

    Every kind and length is led equally often, airplane+solos once for each number of equal kickers, and the rest of
    the deck is clumped. The landlord has the first voice. With `least_equal` only melds that carry so many equal
    kickers are led.
    """
    classes = leads_by_class(policy)
    lead = rng.choice(classes[rng.choice([key for key in classes if key[2] >= least_equal])])
    kind, length = lead[:2]
    deck = FULL_DECK
    led = deck.take(lead[3])
    deck -= led
    answers = [
        answer for answer in kernel.melds_of(deck.counts, kind, length, -1, policy) if kernel.total(answer[1]) <= 17
    ]
    higher = [answer for answer in answers if answer[0] > lead[2]]
    answers = higher if higher and rng.random() < 0.8 else answers
    sort = rng.choice(sorted({most_equal_kickers((kind, length, *answer)) for answer in answers}) or [0])
    answers = [answer for answer in answers if most_equal_kickers((kind, length, *answer)) == sort]
    answer = deck.take(rng.choice(answers)[1]) if answers else EMPTY
    deck -= answer
    rest = [card for card in shuffled_deck(rng, clumped=True) if card in set(deck)]
    cut = 17 - len(answer)
    following, rest = answer | card_set(rest[:cut]), rest[cut:]
    cut = 20 - len(led)
    landlords, third = led | card_set(rest[:cut]), card_set(rest[cut:])
    seat = rng.randrange(3)
    kitty = card_set(sorted(landlords - led)[:3]) if len(led) <= 17 else card_set(sorted(led)[:3])
    hands = [EMPTY, EMPTY, EMPTY]
    hands[seat], hands[(seat + 1) % 3], hands[(seat + 2) % 3] = landlords - kitty, following, third
    given = GivenDeal((hands[0], hands[1], hands[2]), kitty, seat, *((seat, 1) if assigned else (None, None)))
    return given, lead


def random_deal(rng: random.Random, clumped: bool, assigned: bool) -> GivenDeal:
    """A deal with a random first voice, and a random landlord for base 1 where the rules assign one."""
    deck = shuffled_deck(rng, clumped)
    hands = (card_set(deck[:17]), card_set(deck[17:34]), card_set(deck[34:51]))
    landlord = rng.randrange(3) if assigned else None
    return GivenDeal(hands, card_set(deck[51:]), rng.randrange(3), landlord, 1 if assigned else None)
