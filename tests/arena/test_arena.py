"""The arena: whose games they are, the same ones whoever plays them, counted again by other means."""

import random
import statistics
from collections import Counter

import msgspec
import pytest

from ddz import bots
from ddz.arena.contest import Plan, play
from ddz.arena.standings import Standings, arena_json
from ddz.frozen.events import CardsPlayed, Dealt, GameOpened, GameScored, LandlordChosen, SeedRevealed
from ddz.frozen.shapes import Player
from ddz.log.memory import MemoryLog
from ddz.rules import CLASSIC, PRESETS
from ddz.services.audit import audit_game
from ddz.services.table import Table

ASSIGNED = PRESETS["douzero"]


def plan_of(*bots: str, decks: int = 20, seed: int = 7, rules=ASSIGNED) -> Plan:
    return Plan(bots, decks, seed, rules)


def said(plan: Plan, jobs: int = 1) -> dict:
    """The report for programs, without times."""
    standings = Standings(plan)
    for deck in play(plan, jobs):
        standings.add(deck)
    found = msgspec.to_builtins(arena_json(standings.report()))
    for each in (*found["results"], *found["ladder"]):
        del each["ms"]
    return found


def games_of(plan: Plan) -> list[tuple]:
    """The events of every game."""
    games: list[tuple] = []
    names = iter(range(10**6))
    for _ in play(plan, 1, lambda: f"g{next(names)}", games.append):
        pass
    return games


def event(events, kind):
    return next(each for each in events if isinstance(each, kind))


def test_every_deck_is_played_twice_with_the_sides_swapped() -> None:
    games = games_of(plan_of("simple", "random"))
    assert len(games) == 40
    voices = Counter()
    for one, two in zip(games[::2], games[1::2], strict=True):
        assert event(one, Dealt) == event(two, Dealt)
        landlord = event(one, LandlordChosen).landlord
        assert landlord == event(two, LandlordChosen).landlord == event(one, GameOpened).first_voice
        voices[landlord] += 1
        seated = [[player.bot for player in event(each, GameOpened).players] for each in (one, two)]
        assert [seats[landlord] for seats in seated] == ["simple", "random"]
        assert [set(seats) for seats in seated] == [{"simple", "random"}] * 2
        assert [Counter(seats)[seats[landlord]] for seats in seated] == [1, 1]
    assert len({event(each, Dealt).hands for each in games}) == 20, "each deck is another one"
    assert min(voices[seat] for seat in (0, 1, 2)) > 0, "any hand may be the landlord's"


def test_with_an_auction_each_sits_alone_everywhere() -> None:
    games = games_of(plan_of("simple", "random", decks=4, rules=CLASSIC))
    assert len(games) == 4 * 6
    for at in range(0, len(games), 6):
        seated = [tuple(player.bot for player in event(each, GameOpened).players) for each in games[at : at + 6]]
        assert len(set(seated)) == 6
        assert all(len(set(seats)) == 2 for seats in seated)
        assert len({event(each, Dealt).hands for each in games[at : at + 6]}) == 1


def points_of(events, bot: str) -> int:
    players = event(events, GameOpened).players
    score = event(events, GameScored).score
    return sum(points for player, points in zip(players, score.payouts, strict=True) if player.bot == bot)


@pytest.mark.parametrize("rules", [ASSIGNED, CLASSIC], ids=lambda rules: rules.name)
def test_the_figures_are_those_of_the_games(rules) -> None:
    """Counted again from the events, by the textbook: means and standard deviations of decks."""
    plan = plan_of("simple", "random", decks=12, rules=rules)
    games, found = games_of(plan), said(plan)["results"][0]
    a_deck = plan.games
    points = [points_of(events, "simple") for events in games]
    wins = [each > 0 for each in points]
    assert found["games"] == len(games)
    assert found["wp"] == pytest.approx(sum(wins) / len(games), abs=1e-6)
    assert found["adp"] == pytest.approx(sum(points) / len(games), abs=1e-6)
    decks = [sum(points[at : at + a_deck]) / a_deck for at in range(0, len(games), a_deck)]
    half = 1.959964 * statistics.stdev(decks) / len(decks) ** 0.5
    assert found["adp_high"] - found["adp"] == pytest.approx(half, abs=1e-5)
    assert found["adp"] - found["adp_low"] == pytest.approx(half, abs=1e-5)
    assert found["wp_low"] < found["wp"] <= found["wp_high"]
    for role in ("landlord", "peasants"):
        mine = []
        for events in games:
            score, players = event(events, GameScored).score, event(events, GameOpened).players
            seats = [seat for seat in (0, 1, 2) if players[seat].bot == "simple"]
            in_role = [seat for seat in seats if (seat == score.landlord) == (role == "landlord")]
            if in_role:
                mine.append((score.winner == role, sum(score.payouts[seat] for seat in in_role)))
        assert found["by_role"][role]["games"] == len(mine) > 0
        assert found["by_role"][role]["wp"] == pytest.approx(sum(won for won, _ in mine) / len(mine), abs=1e-6)
        assert found["by_role"][role]["adp"] == pytest.approx(sum(p for _, p in mine) / len(mine), abs=1e-6)


def test_bombs_double_and_a_spring_does_not_count() -> None:
    games = games_of(plan_of("simple", "random", decks=20))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ddz.guests.make", lambda name: Silent() if name == "silent" else bots.make(name))
        games += games_of(plan_of("simple", "silent", decks=3))
    springs = doubled = 0
    for events in games:
        score = event(events, GameScored).score
        bombs = sum(isinstance(each, CardsPlayed) and each.kind.value in ("bomb", "rocket") for each in events)
        assert abs(score.payouts[score.landlord]) == 2 * 2**bombs
        silent = not any(isinstance(each, CardsPlayed) and each.seat != score.landlord for each in events)
        springs += silent
        doubled += bombs > 0
    assert springs > 0
    assert doubled > 0


def test_the_same_seed_says_the_same_however_many_processes_play() -> None:
    plan = plan_of("random", "simple", "random", decks=8)
    assert said(plan, jobs=1) == said(plan, jobs=2) == said(plan)
    assert said(plan) != said(plan_of("random", "simple", "random", decks=8, seed=8))


def test_more_decks_begin_with_the_same_ones() -> None:
    few, many = games_of(plan_of("simple", "random", decks=3)), games_of(plan_of("simple", "random", decks=5))
    assert few == many[: len(few)]


def test_b_against_a_is_a_against_b_from_the_other_side() -> None:
    one = said(plan_of("simple", "random"))["results"][0]
    two = said(plan_of("random", "simple"))["results"][0]
    assert two["wp"] == pytest.approx(1 - one["wp"], abs=1e-6)
    assert two["wp_low"] == pytest.approx(1 - one["wp_high"], abs=2e-6)
    assert two["adp"] == -one["adp"]
    assert two["by_role"]["landlord"]["wp"] == pytest.approx(1 - one["by_role"]["peasants"]["wp"], abs=1e-6)


def test_a_bot_that_draws_nothing_is_its_own_equal() -> None:
    """Every deck is won once by each, as both games are the same one."""
    found = said(plan_of("simple", "simple"))
    assert (found["results"][0]["wp"], found["results"][0]["adp"]) == (0.5, 0.0)
    assert [rung["elo"] for rung in found["ladder"]] == [1500, 1500]


def test_simple_beats_random_and_the_ladder_says_so() -> None:
    found = said(plan_of("random", "simple", "random", decks=30))
    assert [rung["bot"] for rung in found["ladder"]] == ["simple", "random", "random"]
    best, other, last = found["ladder"]
    assert best["elo_low"] > other["elo_high"]
    assert sum(rung["elo"] for rung in (best, other, last)) == pytest.approx(4500, abs=0.01)
    versus = next(each for each in found["results"] if (each["a"], each["b"]) == ("simple", "random"))
    assert versus["wp_low"] > 0.8
    assert versus["adp_low"] > 1
    even = next(each for each in found["results"] if (each["a"], each["b"]) == ("random", "random"))
    assert even["wp_low"] < 0.5 < even["wp_high"]


def test_games_that_are_kept_audit_clean() -> None:
    entropy = random.Random(1)
    table = Table(MemoryLog(), lambda: "2026-11-30T12:00:00Z", entropy.randbytes)
    stored = []

    def keep(events) -> None:
        stored.append(events[0].game)
        table.store(events[0].game, events)

    for rules in (ASSIGNED, CLASSIC, PRESETS["openspiel"]):
        for _ in play(plan_of("simple", "random", decks=2, rules=rules), 1, table.new_id, keep):
            pass
    assert len(set(stored)) == len(stored) == 4 + 12 + 12
    for game in stored:
        assert audit_game(table.log, game).ok
        opened = table.log.history(game, 1)[0]
        assert isinstance(opened, GameOpened)
        assert opened.seed_chosen
        assert all(isinstance(player, Player) and player.bot in ("simple", "random") for player in opened.players)
        assert isinstance(table.log.history(game)[-1], SeedRevealed)


def test_a_game_that_nobody_bids_for_is_won_by_neither() -> None:
    plan = plan_of("silent", "silent", decks=3, rules=PRESETS["openspiel"])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ddz.guests.make", lambda _: Silent())
        found = said(plan)["results"][0]
    assert (found["games"], found["wp"], found["adp"]) == (18, 0.5, 0.0)
    assert found["by_role"]["landlord"] == dict.fromkeys(found["by_role"]["landlord"]) | {"games": 0}


class Silent:
    name, version = "silent", "1"

    def choose(self, view, legal, rng):  # noqa: ARG002
        return legal[-1]


def test_the_faults_of_a_guest_are_counted_where_it_sat() -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ddz.guests.make", lambda name: Faulty() if name == "faulty" else Silent())
        found = said(plan_of("faulty", "silent", "faulty", decks=2))
    faults = {rung["bot"]: rung["faults"] for rung in found["ladder"]}
    assert faults["silent"] == {}
    assert set(faults["faulty"]) == {"timeout"}


class Faulty(Silent):
    name = "faulty"

    def __init__(self) -> None:
        self.faults: Counter[str] = Counter()

    def choose(self, view, legal, rng):
        self.faults["timeout"] += 1
        return super().choose(view, legal, rng)


def test_the_report_survives_json() -> None:
    plan = plan_of("simple", "random", decks=1)
    standings = Standings(plan)
    for deck in play(plan, 1):
        standings.add(deck)
    found = msgspec.json.decode(msgspec.json.encode(arena_json(standings.report())))
    assert found["schema"] == "ddz/arena@1"
    assert found["results"][0]["adp_low"] is None, "one deck says nothing of the spread"
    assert set(found["results"][0]["ms"]) == {"a", "b"}
    for side in found["results"][0]["ms"].values():
        assert 0 <= side["median"] <= side["p95"]
        assert side["choices"] > 0
