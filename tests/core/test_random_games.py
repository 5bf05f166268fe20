"""Random games inside the kernel: legal from the deal to the last card, even among the choices, and told by a seed.

`Model` plays the same game outside of it: the generator, the shuffle and the choice as their documents say them, the
moves as `leads` and `responses` list them. Where the kernel's wins and turns are the model's for every seed, its games
are the model's, whose scripts `follow` then judges.
"""

import math
import random
from collections import Counter
from itertools import pairwise

import pytest

from ddz import kernel, playouts
from ddz.cards import DECK, parse_ranks
from ddz.rules import PRESETS

CODES = {name: rules.kickers.code for name, rules in PRESETS.items()}
CLASSIC = CODES["classic"]
WORD = 2**64
GOLDEN = 0x9E3779B97F4A7C15  # 2^64 over the golden ratio
CARDS = [parse_ranks(name[0]) for name in DECK]
"""The deck in order: the 3s, ..., the 2s, the black joker, the red one."""


class Model:
    """One game: its hands, its script, its end."""

    def __init__(self, seed: int, policy: int, rng: random.Random | None = None) -> None:
        """Out of a seed, by the kernel's generator; or by another one, in which case the seed is not used."""
        self._rng = rng
        self._state = self._stirred(((seed + 1) * GOLDEN % WORD) | 1)
        self.placed = self._deal()
        self.hands = tuple(sum(CARDS[card] for card in range(54) if self.placed[card] == seat) for seat in range(3))
        self.script: list[kernel.PackedMeld | None] = []
        self.winner = self._play(list(self.hands), policy)

    @staticmethod
    def _stirred(state: int) -> int:
        """xorshift64*, Vigna, "An experimental exploration of Marsaglia's xorshift generators, scrambled" (2016)."""
        state ^= state >> 12
        state = (state ^ state << 25) % WORD
        return state ^ state >> 27

    def _draw(self, n: int) -> int:
        if self._rng is not None:
            return self._rng.randrange(n)
        self._state = self._stirred(self._state)
        return (self._state * 0x2545F4914F6CDD1D % WORD >> 32) * n >> 32

    def _deal(self) -> list[int]:
        """The seat of each card: the first 34 of a shuffled deck go to the peasants in turn, the rest to seat 0."""
        deck = list(range(54))
        placed = [0] * 54
        for at in range(34):
            other = at + self._draw(54 - at)
            deck[at], deck[other] = deck[other], deck[at]
            placed[deck[at]] = 1 + at % 2
        return placed

    def _play(self, hands: list[int], policy: int) -> int:
        seat = owner = 0
        top: kernel.PackedMeld | None = None
        while True:
            if top is None:
                choices: list[kernel.PackedMeld | None] = [*kernel.leads(hands[seat], policy)]
            else:
                kind, length, rank, _ = top
                choices = [*kernel.responses(hands[seat], kind, length, rank, policy), None]
            choice = choices[self._draw(len(choices))]
            self.script.append(choice)
            if choice is not None:
                top, owner = choice, seat
                hands[seat] -= choice[3]
                if not hands[seat]:
                    return seat
            seat = (seat + 1) % 3
            if seat == owner:
                top = None


@pytest.mark.parametrize("name", CODES)
def test_its_games_are_those_of_the_model_and_every_turn_is_legal(name: str):
    for seed in range(150):
        game = Model(seed, CODES[name])
        assert playouts.random_games(1, seed, CODES[name]) == (game.winner == 0, len(game.script)), seed
        assert playouts.follow(game.hands, 0, game.script, CODES[name]) == (len(game.script), game.winner)


@pytest.mark.parametrize("seed", [2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**63 - 1, 2**63, 2**64 - 2, 2**64 - 1])
def test_seeds_of_every_size(seed: int):
    game = Model(seed, CLASSIC)
    assert playouts.random_games(1, seed, CLASSIC) == (game.winner == 0, len(game.script))


def test_game_i_of_a_seed_is_game_0_of_the_seed_plus_i():
    single = [playouts.random_games(1, seed, CLASSIC) for seed in range(90, 130)]
    for games in (0, 1, 2, 7, 40):
        expected = sum(won for won, _ in single[:games]), sum(turns for _, turns in single[:games])
        assert playouts.random_games(games, 90, CLASSIC) == expected
    assert len(set(single)) > 20, "and they are different games"


def test_the_seeds_go_round_behind_the_last():
    last, first = playouts.random_games(1, WORD - 1, CLASSIC), playouts.random_games(1, 0, CLASSIC)
    assert playouts.random_games(2, WORD - 1, CLASSIC) == (last[0] + first[0], last[1] + first[1])


def test_no_games_are_no_turns():
    assert playouts.random_games(0, 7, CLASSIC) == (0, 0)


def test_a_deal_is_the_whole_deck():
    for seed in range(50):
        game = Model(seed, CLASSIC)
        assert Counter(game.placed) == {0: 20, 1: 17, 2: 17}
        assert sum(game.hands) == sum(CARDS)


# --- even deals, even choices. Fixed seeds: whoever changes the generator sees it, nobody else does


def chi_square(observed: list[float], expected: list[float]) -> float:
    """Pearson's statistic."""
    return sum((one - other) ** 2 / other for one, other in zip(observed, expected, strict=True))


def deviations(statistic: float, freedom: int) -> float:
    """How many standard deviations a chi-square is above its mean (Wilson and Hilferty 1931)."""
    return ((statistic / freedom) ** (1 / 3) - (1 - 2 / (9 * freedom))) / math.sqrt(2 / (9 * freedom))


def test_the_bound_finds_an_uneven_deal():
    """A shuffle that swaps with any card, the usual slip, is found by the same measure with as many deals."""

    def slipped(rng: random.Random) -> list[int]:
        deck = list(range(54))
        for at in range(34):
            other = rng.randrange(54)
            deck[at], deck[other] = deck[other], deck[at]
        placed = [0] * 54
        for at in range(34):
            placed[deck[at]] = 1 + at % 2
        return placed

    rng = random.Random(1)
    assert by_card([slipped(rng) for _ in range(DEALS)]) > 4


DEALS = 2000


def by_card(deals: list[list[int]]) -> float:
    """How uneven the seats of each card are: deviations above the mean of an even deal.

    54 cards times 3 seats; as each deal is without repetition, (54 - 1) / 54 of the statistic is a chi-square of
    53 times 2 degrees of freedom.
    """
    observed = Counter((card, seat) for placed in deals for card, seat in enumerate(placed))
    cells = [(card, seat) for card in range(54) for seat in range(3)]
    expected = [len(deals) * (20, 17, 17)[seat] / 54 for _, seat in cells]
    return deviations(chi_square([observed[cell] for cell in cells], expected) * 53 / 54, 53 * 2)


@pytest.fixture(scope="module")
def games() -> list[Model]:
    """Games of successive seeds."""
    return [Model(seed, CLASSIC) for seed in range(DEALS)]


def test_every_card_goes_everywhere_alike(games: list[Model]):
    assert abs(by_card([game.placed for game in games])) < 3.5


def test_the_four_of_a_rank_are_spread_as_they_should(games: list[Model]):
    """Of 13 ranks, how many the landlord has of each: hypergeometric, 20 of 54."""
    observed = Counter(
        sum(game.placed[4 * rank + suit] == 0 for suit in range(4)) for game in games for rank in range(13)
    )
    expected = [DEALS * 13 * math.comb(4, k) * math.comb(50, 20 - k) / math.comb(54, 20) for k in range(5)]
    assert deviations(chi_square([observed[k] for k in range(5)], expected), 4) < 3.5


def test_neighbouring_seeds_have_nothing_to_do_with_each_other(games: list[Model]):
    """How many cards lie with the same seat as in the game before: the mean of independent deals, within its error."""
    mean = sum(
        sum(one == other for one, other in zip(before.placed, after.placed, strict=True))
        for before, after in pairwise(games)
    ) / (DEALS - 1)
    expected = (20 * 20 + 17 * 17 + 17 * 17) / 54
    assert abs(mean - expected) < 4 * math.sqrt(54 * 2 / 9 / DEALS)


def test_the_first_turn_is_even_among_all_leads(games: list[Model]):
    """Where in its list the first choice lies, in ten parts of equal chance."""
    lists = [kernel.leads(game.hands[0], CLASSIC) for game in games]
    parts = Counter(10 * leads.index(game.script[0]) // len(leads) for leads, game in zip(lists, games, strict=True))
    expected = [0.0] * 10
    for leads in lists:
        for at in range(len(leads)):
            expected[10 * at // len(leads)] += 1 / len(leads)
    assert deviations(chi_square([parts[part] for part in range(10)], expected), 9) < 3.5


def test_passes_are_as_likely_as_any_other_choice(games: list[Model]):
    """Over all turns in which one might pass, the passes are as many as the sum of their chances, within its error."""
    passes, chances, variance = 0, 0.0, 0.0
    for game in games[:400]:
        hands, top, owner = list(game.hands), None, 0
        for number, meld in enumerate(game.script):
            seat = number % 3
            if seat == owner:
                top = None
            if top is not None:
                chance = 1 / (1 + len(kernel.responses(hands[seat], *top[:3], CLASSIC)))
                passes += meld is None
                chances += chance
                variance += chance * (1 - chance)
            if meld is not None:
                top, owner = meld, seat
                hands[seat] -= meld[3]
    assert passes > 1000
    assert abs(passes - chances) < 4 * math.sqrt(variance)


def test_wins_and_turns_are_those_of_another_generator(games: list[Model]):
    """The kernel's games against games that Python's own generator deals and plays: no difference beyond chance."""
    won, turns = playouts.random_games(DEALS, 0, CLASSIC)
    assert (won, turns) == (sum(game.winner == 0 for game in games), sum(len(game.script) for game in games))
    rng = random.Random(3)
    others = [Model(0, CLASSIC, rng) for _ in range(DEALS)]
    share = sum(game.winner == 0 for game in others) / DEALS
    assert abs(won / DEALS - share) < 4 * math.sqrt(2 * share * (1 - share) / DEALS)
    lengths = [len(game.script) for game in others]
    mean = sum(lengths) / DEALS
    spread = math.sqrt(sum((length - mean) ** 2 for length in lengths) / DEALS)
    assert abs(turns / DEALS - mean) < 4 * spread * math.sqrt(2 / DEALS)
