"""What the levels do, in positions that a player would not argue about, and the worlds that `expert` looks at."""

import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from ddz import bots, features, kernel
from ddz.bots import expert as expert_module
from ddz.bots.base import Bot, Thinking
from ddz.bots.expert import Budget, ExpertBot
from ddz.bots.hard import HardBot
from ddz.bots.network import NAMES, WEIGHTS, Layers, save, shipped
from ddz.bots.quick import BLUNDER, EasyBot, NormalBot, slip
from ddz.bots.world import World, goes_out, worth_under
from ddz.cards import FULL_DECK, parse_ranks, rank_letters
from ddz.commands import Pass, Play
from ddz.decide import decide, legal
from ddz.endgame import Solver
from ddz.errors import Unreadable
from ddz.frozen.shapes import Kind
from ddz.positions import Position
from ddz.quickplay import gains_of, quick_move
from ddz.rules import CLASSIC, PRESETS
from ddz.state import Playing, fold
from ddz.view import seat_view

from .games import at_the_end, crowned

DECK = FULL_DECK.counts


def answer(bot: Bot, state: Playing, seed: int = 0) -> str:
    """What a bot at seat 0 plays, as letters."""
    turn = bot.choose(seat_view(state, 0), legal(state), random.Random(seed))
    assert turn in legal(state)
    return "pass" if isinstance(turn, Pass) else turn.cards.ranks


def on_the_way(seed: int, name: str = "classic") -> Iterator[Playing]:
    """The states of a game in which every third move is by chance, a bomb if there is one."""
    state = crowned(seed, seed % 3, PRESETS[name])
    rng = random.Random(seed)
    sensible = NormalBot()
    while isinstance(state, Playing):
        yield state
        turn = sensible.choose(seat_view(state, state.turn), legal(state), rng)
        if rng.random() < 0.3:
            bombs = [turn for turn in legal(state) if isinstance(turn, Play) and turn.kind in (Kind.BOMB, Kind.ROCKET)]
            turn = rng.choice(bombs or legal(state))
        state = fold(decide(state, turn), state)


# --- worlds


@pytest.mark.parametrize("name", PRESETS)
def test_a_world_agrees_with_all_that_is_public(name: str) -> None:
    rng = random.Random(1)
    kept_seen = 0
    for seed in range(4):
        for state in on_the_way(seed, name):
            seat, landlord = state.turn, state.landlord
            view = seat_view(state, seat)
            world = World(view)
            kept = (state.dealt.kitty & state.hands[landlord]).counts
            kept_seen += kept > 0 and seat != landlord
            told = set()
            for position in (world.position(), world.position(rng), world.position(rng)):
                hands = position.hands
                assert [kernel.total(hand) for hand in hands] == [
                    len(state.hands[(landlord + r) % 3]) for r in range(3)
                ]
                assert hands[world.role] == state.hands[seat].counts
                assert sum(hands) + sum(position.played) == DECK, "no card is lost, and none is there twice"
                assert seat == landlord or kernel.covers(hands[0], kept), "what is known to lie with the landlord"
                assert position.turn == world.role == (seat - landlord) % 3
                assert position.bombs == sum(cause.name in ("bomb", "rocket") for cause in state.causes)
                assert len(position.moves()) == len(legal(state))
                told.add((features.encode(position), quick_move(position)))
            assert len(told) == 1, "all worlds look the same from the own seat"
    assert kept_seen > 10


def test_a_view_is_told_of_as_the_game_was_played() -> None:
    """What a network is told of a view is what it is told of the position that was played move by move."""
    bombs = 0
    for seed in range(12):
        truth: Position | None = None
        for state in on_the_way(seed):
            if truth is None:
                truth = Position(CLASSIC.kickers.code, worth_under(CLASSIC.kickers.code))
                one, two, three = (state.hands[(state.landlord + role) % 3].counts for role in range(3))
                truth.set((one, two, three), state.dealt.kitty.counts)
            elif state.history:
                meld = state.history[-1].meld
                truth.play(None if meld is None else (*meld.shape, meld.cards.counts))
            seen = World(seat_view(state, state.turn)).position()
            assert features.encode(seen) == features.encode(truth)
            assert gains_of(seen) == gains_of(truth)
        assert truth is not None
        bombs += truth.bombs
    assert bombs > 5


def test_every_world_that_can_be_is_met_about_as_often() -> None:
    """Two hidden cards of three ranks lie with either opponent: of 3 ways each is met a third of the times."""
    state = at_the_end(("33", "5", "67"), landlord=0)
    world = World(seat_view(state, 0))
    rng = random.Random(2)
    found = Counter(rank_letters(world.position(rng).hands[1]) for _ in range(3000))
    assert set(found) == {"5", "6", "7"}
    assert all(850 < count < 1150 for count in found.values())


# --- going out


@pytest.mark.parametrize("level", bots.LEVELS)
def test_whoever_can_go_out_does(level: str) -> None:
    """Also where the network sees no difference."""
    blindly: dict[str, Bot] = {"hard": HardBot(blind()), "expert": ExpertBot(Budget(worlds=2), blind())}
    bot = blindly.get(level) or bots.make(level)
    met = 0
    for seed in range(60):
        for state in on_the_way(seed):
            hand = state.hands[state.turn]
            out = [turn for turn in legal(state) if isinstance(turn, Play) and turn.cards == hand]
            if out and len(legal(state)) > 1:
                assert bot.choose(seat_view(state, state.turn), legal(state), random.Random(seed)) in out
                met += 1
    assert met > 25


@pytest.mark.parametrize("level", bots.LEVELS)
@pytest.mark.parametrize("landlord", [0, 1, 2])
@pytest.mark.parametrize(
    ("hand", "top"),
    [("444555", None), ("55", (1, "44")), ("BR", (2, "AAAA")), ("2222", (1, "345678")), ("R", (2, "B"))],
)
def test_it_goes_out_even_over_its_partner(level: str, hand: str, top: tuple[int, str] | None, landlord: int) -> None:
    assert answer(bots.make(level), at_the_end((hand, 9, 9), landlord, top)) == hand


def test_which_move_goes_out() -> None:
    moves = [(0, 1, 0, 1), None, (1, 1, 0, 2)]
    assert goes_out(moves, 2) == 2
    assert goes_out(moves, 3) is None


# --- normal


@pytest.mark.parametrize("top", [(1, "A"), (1, "TTT3"), (1, "4"), (1, "33"), (2, "KK"), (2, "TTT3"), (2, "2")])
def test_normal_leaves_its_partners_trick_alone(top: tuple[int, str]) -> None:
    """Behind the landlord who has passed (1), or before him on a strong meld (2)."""
    assert answer(NormalBot(), at_the_end(("445679TJQKAA2B", 10, 10), 3 - top[0], top)) == "pass"


@pytest.mark.parametrize("top", ["4", "33", "6789T", "JJJ4"])
@pytest.mark.parametrize("seat", [1, 2])
def test_normal_spends_no_bomb_on_its_partner(top: str, seat: int) -> None:
    assert answer(NormalBot(), at_the_end(("5555BR36678TJQ", 10, 10), 3 - seat, (seat, top))) not in ("5555", "BR")


def test_normal_keeps_its_bombs_while_nothing_presses() -> None:
    assert answer(NormalBot(), at_the_end(("34455557889TJK2", 15, 15), 1, (1, "66"))) not in ("5555", "BR")


def test_normal_bombs_a_landlord_who_is_about_to_go_out() -> None:
    assert answer(NormalBot(), at_the_end(("35555779", 1, 9), 1, (1, "KK"))) == "5555"


@pytest.mark.parametrize("landlord", [0, 1])
def test_normal_leads_no_solo_to_an_opponent_with_one_card(landlord: int) -> None:
    assert len(answer(NormalBot(), at_the_end(("3467799", 1, 9), landlord))) > 1


@pytest.mark.parametrize("landlord", [0, 1])
def test_normal_leads_no_pair_to_an_opponent_with_two_cards(landlord: int) -> None:
    assert len(answer(NormalBot(), at_the_end(("336688T", 2, 9), landlord))) != 2


@pytest.mark.parametrize("landlord", [0, 1])
def test_of_solos_alone_normal_leads_the_highest_to_an_opponent_with_one_card(landlord: int) -> None:
    assert answer(NormalBot(), at_the_end(("358J", 1, 9), landlord)) == "J"


@pytest.mark.parametrize(("others", "landlord"), [((1, 9), 2), ((9, 1), 1)])
def test_normal_feeds_a_partner_with_one_card(others: tuple[int, int], landlord: int) -> None:
    assert answer(NormalBot(), at_the_end(("3577QQ", *others), landlord)) in ("3", "5")


def test_normal_plays_its_sure_cards_before_its_last_loser() -> None:
    assert answer(NormalBot(), at_the_end(("3BR", 9, 9))) == "BR"
    assert answer(NormalBot(), at_the_end(("3BR22", 9, 9), 0, (1, "AA"))) in ("22", "BR")


def test_normal_leads_long_and_low() -> None:
    assert answer(NormalBot(), at_the_end(("345678TTKKA2", 17, 17))) == "345678"


# --- easy


def test_easy_errs_as_people_do() -> None:
    """Often enough to be beaten; never by a blunder, with a bomb, or past a win."""
    easy, rng = EasyBot(), random.Random(1)
    turns = errs = 0
    for seed in range(30):
        for state in on_the_way(seed):
            if len(legal(state)) == 1:
                continue
            position = World(seat_view(state, state.turn)).position()
            moves, gains = position.moves(), gains_of(position)
            turn = easy.choose(seat_view(state, state.turn), legal(state), rng)
            at = legal(state).index(turn)
            best = max(gains)
            turns += 1
            errs += gains[at] < best
            assert gains[at] == best or gains[at] > best - BLUNDER
            move = moves[at]
            assert gains[at] == best or move is None or move[0] < kernel.BOMB
    assert 0.05 < errs / turns < 0.5


def test_a_slip_is_the_rarer_the_worse_it_is() -> None:
    moves = [(0, 1, 0, 1), (0, 1, 1, 16), (0, 1, 2, 256), (kernel.BOMB, 1, 3, 4 << 12), None]
    rng = random.Random(3)
    counts = Counter(slip(moves, [100, 80, 40, 99, -50], rng) for _ in range(4000))
    assert counts[0] > counts[1] > counts[2] > 0
    assert set(counts) == {0, 1, 2}, "neither a bomb that is not best, nor what no person would do"
    assert {slip(moves, [0, 0, 0, 500, 0], rng) for _ in range(100)} == {3}, "a bomb that is best"


# --- expert


def blind() -> dict[str, Layers]:
    """Networks that think the same of every choice."""
    return {name: Layers(*(np.zeros_like(values) for values in layers)) for name, layers in shipped().items()}


def one_world_ends() -> Iterator[tuple[Playing, set[str]]]:
    """Endings in which all hidden cards are of one rank, so that it is known who holds what; and the moves that win.

    Only those in which some moves win and some do not.
    """
    rng = random.Random(9)
    solver = Solver(CLASSIC.kickers.code)
    found = 0
    while found < 60:
        rank = rng.randrange(1, 12)
        one, two = rng.choice([(1, 1), (1, 2), (2, 1), (2, 2), (1, 3), (3, 1)])
        letter = rank_letters(1 << 4 * rank)
        others = [other for other in "3456789TJQKA2" for _ in range(4) if other != letter]
        hand = "".join(rng.sample(others, rng.randrange(2, 7)))
        state = at_the_end((hand, letter * one, letter * two), rng.randrange(3))
        position = World(seat_view(state, 0)).position()
        wins = set()
        for turn, move in zip(legal(state), position.moves(), strict=True):
            after = position.copy()
            after.play(move)
            if (solver.solve(after, 10**6) == 1) == (state.landlord == 0):
                wins.add("pass" if move is None else turn.cards.ranks)
        if wins and rank_letters(parse_ranks(hand)) not in wins and len(wins) < len(legal(state)):
            found += 1
            yield state, wins


def test_expert_finds_the_move_that_wins_where_its_network_is_blind() -> None:
    expert, hard = ExpertBot(Budget(worlds=4, moves=100), blind()), HardBot(blind())
    missed = 0
    for state, wins in one_world_ends():
        assert answer(expert, state) in wins
        missed += answer(hard, state) not in wins
    assert missed > 10, "the network alone does not know"


def test_expert_wins_with_its_own_network_what_is_clearly_won() -> None:
    expert = bots.make("expert")
    assert answer(expert, at_the_end(("449", "7", "77"))) == "9"
    assert answer(expert, at_the_end(("3BR", 1, 9))) in ("BR", "B", "R")
    assert answer(expert, at_the_end(("5555K3", 1, 9), 1, (1, "Q"))) in ("K", "5555")


def test_expert_looks_at_many_worlds_each_for_every_move(monkeypatch: pytest.MonkeyPatch) -> None:
    met: list[tuple[int, int, int]] = []

    class Watched(World):
        def position(self, rng: random.Random | None = None) -> Position:
            found = super().position(rng)
            if rng is not None:
                met.append(found.hands)
            return found

    monkeypatch.setattr(expert_module, "World", Watched)
    state = at_the_end(("34579JQA", 6, 7))
    answer(ExpertBot(Budget(worlds=25, moves=3, nodes=100), blind()), state)
    assert len(met) == 25
    assert len(set(met)) > 20
    first = list(met)
    answer(ExpertBot(Budget(worlds=25, moves=3, nodes=100), blind()), state)
    assert met[25:] == first, "the same ones for the same seed"
    answer(ExpertBot(Budget(worlds=25, moves=3, nodes=100), blind()), state, seed=1)
    assert met[50:] != first


def test_expert_looks_at_so_many_worlds_or_as_long_as_it_may() -> None:
    state = at_the_end(("34579JQA", 6, 7))
    ticks = 0

    def clock() -> float:
        nonlocal ticks
        ticks += 1
        return float(ticks)

    expert = ExpertBot(Budget(moves=100, least=10**6), blind())
    assert expert.version == "2"
    expert.think(12_000, clock)
    assert expert.version == "2+12000ms"
    answer(expert, state)
    assert ticks == 1 + 12, "once at the begin, and once before each lot of worlds"
    with pytest.raises(Unreadable, match="only a bot that searches can be given time to think"):
        bots.think([NormalBot(), HardBot(blind())], Thinking(12, clock))
    other = ExpertBot(networks=blind())
    version = other.version
    bots.think([NormalBot(), other], Thinking(5, clock))
    assert other.version == f"{version}+5ms", "those that do not think play as they do"


def test_moves_that_fall_behind_are_looked_at_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """The worlds of a decision with one clear winner: after `least` of them the race is over."""
    looked: list[int] = []

    def weighed(self: ExpertBot, positions: list[Position], solver: Solver) -> list[float]:  # noqa: ARG001
        looked.append(len(positions))
        return [float(position.turn == 1 and position.hands[0] & 15 == 0) for position in positions]

    monkeypatch.setattr(ExpertBot, "_landlords_chances", weighed)
    state = at_the_end(("3579JQA", 6, 7))
    expert = ExpertBot(Budget(worlds=1000, least=40, moves=100), blind())
    assert answer(expert, state) == "3", "whoever keeps the 3 wins nothing"
    assert looked == [32 * 7, 32 * 7]
    looked.clear()
    answer(ExpertBot(Budget(worlds=70, least=1000, moves=100), blind()), state)
    assert looked == [32 * 7, 32 * 7, 6 * 7], "nobody is left behind before"


@pytest.mark.parametrize(
    ("values", "chances", "left"),
    [
        ([[1.0] * 100, [0.0] * 100], [0.5, 0.5], [0]),
        ([[1.0] * 100, [1.0] * 100], [0.5, 0.5], [0, 1]),
        ([[1.0] * 9, [0.0] * 9], [0.5, 0.5], [0, 1]),  # too few worlds
        ([[1.0, 0.0] * 50, [0.0, 1.0] * 50], [0.5, 0.5], [0, 1]),
        ([[1.0, 0.0] * 50, [0.0, 1.0] * 50], [0.9, 0.1], [0]),  # the network's word: 25.6 worlds ahead, of 25
        ([[0.0] * 100, [0.3, 0.3, 0.0, 0.0] * 25, [0.3, 0.0, 0.3, 0.0] * 25], [0.5, 0.5, 0.5], [1, 2]),
    ],
)
def test_a_move_is_left_behind_if_chance_does_not_explain_it(
    values: list[list[float]], chances: list[float], left: list[int]
) -> None:
    expert = ExpertBot(Budget(least=10, trust=32), blind())
    assert expert._still_racing(list(range(len(values))), values, chances) == left


def test_a_bot_by_a_file_says_by_which(tmp_path: Path) -> None:
    file = tmp_path / "weights.npz"
    file.write_bytes(WEIGHTS.read_bytes())
    one = bots.make(f"hard:{file}")
    assert one.name == f"hard:{file}"
    assert one.version.startswith(bots.make("hard").version + "+")
    state = crowned(1, 0)
    assert answer(one, state) == answer(bots.make("hard"), state)
    save(file, blind())
    other = bots.make(f"expert:{file}")
    assert other.version.startswith(bots.make("expert").version + "+")
    assert other.version != one.version, "it names the weights"
    assert set(blind()) == set(NAMES)
