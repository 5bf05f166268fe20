"""The solver of open endgames against a search of its own that knows nothing of tables, orders or budgets."""

import random
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from twins import compiled_kernel, interpreted

from ddz import kernel
from ddz.cards import parse_ranks, rank_letters
from ddz.rules import PRESETS

CODES = {name: rules.kickers.code for name, rules in PRESETS.items()}
CLASSIC = CODES["classic"]
PLENTY = 10**8


class Endgame(NamedTuple):
    """Three packed hands, none empty; who is to act, and on whose meld."""

    hands: tuple[int, int, int]
    turn: int = 0
    top: tuple[int, int, int, int] | None = None
    owner: int = 0

    def __str__(self) -> str:
        hands = " | ".join(map(rank_letters, self.hands))
        return f"{hands}; role {self.turn} on {self.top and rank_letters(self.top[3])} of role {self.owner}"


def landlord_wins(end: Endgame, code: int, known: dict[Any, bool]) -> bool:
    """The truth, by trying everything."""
    key = end.hands, end.turn, end.top and end.top[:3], end.owner
    if key not in known:
        known[key] = (end.turn == 0) == any(
            not after.hands[end.turn] or landlord_wins(after, code, known) == (end.turn == 0)
            for after in afters(end, code)
        )
    return known[key]


def afters(end: Endgame, code: int) -> Iterator[Endgame]:
    """What may come of one move."""
    hand, following = end.hands[end.turn], (end.turn + 1) % 3
    melds = kernel.responses(hand, *end.top[:3], code) if end.top else kernel.leads(hand, code)
    for meld in melds:
        one, two, three = (held - meld[3] if role == end.turn else held for role, held in enumerate(end.hands))
        yield Endgame((one, two, three), following, meld, end.turn)
    if end.top:
        leads = following == end.owner
        yield Endgame(end.hands, following, None if leads else end.top, end.owner)


class Kernel:
    """A solver and the positions it takes."""

    def __init__(self, positions: Any, endgame: Any, code: int) -> None:
        self._position = positions.Position(code, positions.Worth(code))
        self._new = lambda: endgame.Solver(code)
        self.solver = self._new()

    def fresh(self) -> None:
        self.solver = self._new()

    def solve(self, end: Endgame, budget: int = PLENTY) -> int:
        self._position.set(end.hands, 0, end.turn, end.top, end.owner)
        found: int = self.solver.solve(self._position, budget)
        return found


def compiled(code: int = CLASSIC) -> Kernel:
    module = compiled_kernel()
    return Kernel(module, module, code)


def plain(code: int = CLASSIC) -> Kernel:
    return Kernel(interpreted(), interpreted(), code)


def some_ends(number: int, most: int, code: int = CLASSIC) -> list[Endgame]:
    """Random endgames of up to `most` cards a hand, of few neighbouring ranks so that melds meet."""
    rng = random.Random(f"{number} {most} {code}")
    found: list[Endgame] = []
    while len(found) < number:
        low, width = rng.choice([(0, 4), (2, 5), (5, 7), (9, 6), (0, 15)])
        deck = [rank for rank in range(low, low + width) for _ in range(4 if rank < kernel.BLACK_JOKER else 1)]
        sizes = [rng.randrange(1, most + 1) for _ in range(3)]
        if sum(sizes) + 6 > len(deck):
            continue
        rng.shuffle(deck)
        cards = [1 << 4 * rank for rank in deck]
        hands = sum(cards[: sizes[0]]), sum(cards[sizes[0] : sizes[0] + sizes[1]]), sum(cards[-sizes[2] :])
        turn = rng.randrange(3)
        end = Endgame(hands, turn)
        others = cards[sizes[0] + sizes[1] : -sizes[2]]
        tops = kernel.leads(sum(others[:6]), code)
        if rng.random() < 0.5 and tops:
            end = Endgame(hands, turn, rng.choice(tops), (turn + rng.choice([1, 2])) % 3)
        found.append(end)
    return found


@pytest.mark.parametrize("name", PRESETS)
def test_it_is_right_compiled(name: str) -> None:
    code = CODES[name]
    solver = compiled(code)
    results = set()
    for end in some_ends(500, 6, code):
        truth = landlord_wins(end, code, {})
        assert solver.solve(end) == truth, str(end)
        results.add((truth, end.turn, end.top is None))
    assert len(results) == 12, "each role wins and loses, leading and following"


@pytest.mark.parametrize("name", PRESETS)
def test_it_is_right_interpreted(name: str) -> None:
    code = CODES[name]
    solver = plain(code)
    for end in some_ends(60, 5, code):
        assert solver.solve(end) == landlord_wins(end, code, {}), str(end)


def test_larger_hands_are_solved_alike_by_both() -> None:
    kernels = compiled(), plain()
    for end in some_ends(40, 8):
        assert kernels[0].solve(end) == kernels[1].solve(end), str(end)
        assert kernels[0].solver.left == kernels[1].solver.left, "node by node"


def test_a_budget_that_runs_out_says_so_and_never_lies() -> None:
    for make in (compiled, plain):
        solver = make()
        unknown = 0
        for end in some_ends(60, 6):
            truth = landlord_wins(end, CLASSIC, {})
            solver.fresh()
            assert solver.solve(end) == truth
            needed = PLENTY - solver.solver.left
            solver.fresh()
            assert solver.solve(end, needed) == truth, "what it needed is enough"
            for budget in {0, 1, 2, needed // 3, needed // 2, needed - 1} - {needed}:
                solver.fresh()
                found = solver.solve(end, budget)
                assert found in (-1, truth), str(end)
                assert 0 <= solver.solver.left <= budget
                unknown += found == -1
                assert solver.solve(end) == truth, "what an earlier budget has left in the table is right"
        assert unknown > 100


def test_no_budget_at_all_tells_nothing() -> None:
    end = Endgame((parse_ranks("34"), parse_ranks("5"), parse_ranks("6")))
    assert compiled().solve(end, 0) == -1
    assert compiled().solve(end, -5) == -1


def test_a_hand_that_is_empty_has_won() -> None:
    for make in (compiled, plain):
        solver = make()
        three, four = parse_ranks("333"), parse_ranks("444")
        assert solver.solve(Endgame((0, three, four))) == 1
        assert solver.solve(Endgame((three, 0, four))) == 0
        assert solver.solve(Endgame((three, four, 0))) == 0


def test_a_table_that_is_full_forgets_and_stays_right() -> None:
    """Many more positions than there is room for, and the first ones asked again between them."""
    solver = compiled()
    first = some_ends(40, 6)
    truths = [landlord_wins(end, CLASSIC, {}) for end in first]
    nodes = 0
    for number, end in enumerate(some_ends(3000, 7)):
        solver.solve(end, 20_000)
        nodes += 20_000 - solver.solver.left
        if number % 100 == 0:
            for known, truth in zip(first, truths, strict=True):
                assert solver.solve(known) == truth, str(known)
    assert nodes > 10 * (1 << 15)


ALIKE = (
    (("34477", "33", "368", "5556"), ("34477", "33", "35678", "4555")),
    (("34477", "33", "368", "5556"), ("34477", "33", "367", "5557")),
    (("8TJJ", "899T", "89", "67777T"), ("8TJJ", "899T", "8J", "677778")),
)
"""Hands by role and a meld of role 2 on which role 0 is to act: pairs that differ in what a table might mix up, the
hand of role 2 and the cards of the meld, and have other winners."""


def alike(letters: tuple[str, ...]) -> Endgame:
    one, two, three, top = map(parse_ranks, letters)
    (kind, length, rank), *_ = kernel.readings(top, CLASSIC)
    return Endgame((one, two, three), 0, (kind, length, rank, top), 2)


@pytest.mark.parametrize("pair", ALIKE)
@pytest.mark.parametrize("make", [compiled, plain])
def test_positions_that_look_alike_are_told_apart(make: Any, pair: tuple[tuple[str, ...], tuple[str, ...]]) -> None:
    solver = make()
    one, other = map(alike, pair)
    truths = [landlord_wins(end, CLASSIC, {}) for end in (one, other)]
    assert truths[0] != truths[1]
    assert [solver.solve(one), solver.solve(other)] == truths


def test_too_many_moves_are_no_answer_rather_than_a_wrong_one() -> None:
    """A hand with more moves than are looked at: nothing is said of it, unless it goes out at once."""
    wide = parse_ranks("33344455566678TQKA2B")
    assert len(kernel.leads(wide, CLASSIC)) > interpreted().WIDEST
    for make in (compiled, plain):
        assert make().solve(Endgame((wide, parse_ranks("7"), parse_ranks("9")))) == -1
