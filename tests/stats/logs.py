"""Logs to count: games that are over, that go on, that were taken back, explored, escaped, imported, of many rules."""

import random
from pathlib import Path
from typing import Any

from ddz.commands import Bid, Escape, PassBid
from ddz.decide import legal
from ddz.frozen.shapes import Player, Players
from ddz.log.base import EventLog
from ddz.log.memory import MemoryLog
from ddz.rules import CLASSIC, PRESETS, parse_rules
from ddz.services import lines, loop
from ddz.services.archive import export_events, import_bytes
from ddz.services.match import next_opening
from ddz.services.opening import Opening
from ddz.services.table import Moment, Table, turn_points
from ddz.state import Over, Void

FIXTURES = Path(__file__).parents[2] / "fixtures"
PEOPLE: Players = (Player("ann", "human"), Player("bob", "human"), Player("cat", "human"))
MIXED: Players = (Player("you", "human"), Player("s", "bot", "simple", "1"), Player("r", "bot", "random", "2"))
OURS = parse_rules(b'name = "ours"\nbomb = 3\nspring = 1\n')


def table_on(log: EventLog | None = None, seed: object = 1, at: str = "2026-01-02T03:04:05Z") -> Table:
    """A table whose ids follow from `seed`."""
    return Table(MemoryLog() if log is None else log, lambda: at, random.Random(str(seed)).randbytes)


def opened(table: Table, seed: int, players: Players = PEOPLE, **more: Any) -> str:
    return table.open(Opening(players=players, seed=seed, **more)).game


def random_of(seed: int) -> random.Random:
    return random.Random(seed)


def play_on(table: Table, game: str, rng: random.Random, turns: int | None = None, escape: float = 0.0) -> Moment:
    """Random legal play until the line is over, or for some turns; before each a seat may escape."""
    at = table.load(game)
    while not isinstance(at.state, Over) and turns != 0:
        if isinstance(at.state, Void):
            done = table.redeal(at)
        elif rng.random() < escape:
            done = table.act(game, Escape(rng.randrange(3)), at.seq)
        else:
            done = table.act(game, rng.choice(legal(at.state)), at.seq)
        at = done.moment
        turns = None if turns is None else turns - 1
    return at


def bot_game(table: Table, seed: int, *names: str) -> str:
    players, seated = loop.seat_bots(names)
    begun = table.open(Opening(players=players, seed=seed))
    loop.run(table, begun.moment, seated)
    return begun.game


def next_game(table: Table, line: str, seed: int) -> str:
    return table.open(next_opening(table.load(line).state, line, seed)).game


def forked(table: Table, line: str, at: float, reason: str, rng: random.Random, turns: int | None = None) -> str:
    """A fork at a part of a line's turn points, played on."""
    points = turn_points(table.log.history(line))
    fork = lines.fork(table, line, points[int(at * (len(points) - 1))], reason).game
    play_on(table, fork, rng, turns)
    return fork


def fixtures(table: Table) -> None:
    """Every game of fixtures/logs and fixtures/records."""
    for path in sorted(FIXTURES.glob("logs/*.jsonl")) + sorted(FIXTURES.glob("records/*.toml")):
        import_bytes(table, path.read_bytes(), path.name)


def singles(table: Table, count: int, seed: int = 0) -> None:
    """Games of several tables and rules, some escaped, some unfinished."""
    rng = random.Random(seed)
    houses = (CLASSIC, PRESETS["pagat"], PRESETS["openspiel"], OURS)
    for number in range(count):
        players = (PEOPLE, MIXED)[number % 2]
        game = opened(table, 1000 * seed + number, players, rules=houses[number % 4], first_voice=number % 3)
        play_on(table, game, rng, rng.choice([None, None, None, 0, 2, 20]), rng.choice([0, 0, 0.02, 0.4]))


def match(table: Table, seed: int) -> None:
    """Rounds that go on from lines of all kinds."""
    rng = random.Random(seed)
    game = opened(table, seed, MIXED)
    play_on(table, game, rng)
    for number in range(5):
        line = game
        if number % 2:
            line = forked(table, line, rng.random(), "back", rng)
            line = forked(table, line, rng.random(), "back", rng)
            forked(table, line, rng.random(), "explore", rng)
        older = next_game(table, line, seed)  # left behind, now and then after it was played
        play_on(table, older, rng, rng.choice([0, 3, None]))
        before, game = line, next_game(table, line, seed + number)
        play_on(table, game, rng)
        if number % 2 == 0:
            forked(table, before, rng.random(), "back", rng)  # too late: the match has gone on
    forked(table, game, 0.5, "back", rng, rng.choice([0, None]))  # the last round may go on


def families(table: Table, seed: int) -> None:
    """Games with forks of forks: explorations, what goes back in them, brothers, unfinished ones."""
    rng = random.Random(seed)
    for kinds in ("back", "explore", "back back", "explore back", "back explore", "back back explore back"):
        line = opened(table, seed, PEOPLE)
        play_on(table, line, rng, rng.choice([None, None, 12]))
        for kind in kinds.split():
            brother = forked(table, line, rng.random(), kind, rng, rng.choice([None, 1]))
            line = forked(table, line, rng.random(), kind, rng, rng.choice([None, None, 1]))
            if rng.random() < 0.3:
                line = brother


def exploring_match(table: Table, seed: int) -> None:
    """A match that was gone on with from an exploration."""
    rng = random.Random(seed)
    game = opened(table, seed, MIXED)
    play_on(table, game, rng)
    forked(table, game, 0.3, "back", rng)
    explored = forked(table, game, 0.6, "explore", rng)
    play_on(table, next_game(table, explored, seed), rng)


def nobody_bids(table: Table, seed: int) -> None:
    """Games that everybody passes: one that is over for it, one that is dealt again and left."""
    for rules in (PRESETS["openspiel"], CLASSIC):
        game = opened(table, seed, rules=rules, first_voice=1)
        for seat in (1, 2, 0):
            table.act(game, PassBid(seat))


def landlord_escapes(table: Table, seed: int) -> None:
    """A game whose landlord leaves it after some turns."""
    game = opened(table, seed, MIXED, first_voice=0)
    table.act(game, Bid(0, 3))
    play_on(table, game, random.Random(seed), turns=5)
    table.act(game, Escape(0))


def everything(table: Table) -> Table:
    """A log with all of it."""
    fixtures(table)
    singles(table, 24)
    match(table, 1)
    match(table, 2)
    families(table, 3)
    families(table, 4)
    exploring_match(table, 5)
    nobody_bids(table, 6)
    landlord_escapes(table, 7)
    for seed, names in enumerate((("simple",), ("random", "simple", "random"), ("simple", "simple", "random"))):
        bot_game(table, seed, *names)
    return table


def copied(log: EventLog, into: Table, rng: random.Random | None) -> None:
    """Import every line of a log into another one; with `rng`, matches and families in another order."""
    groups: dict[str, list[str]] = {}
    for line in reversed(list(log.lines())):
        opening = log.history(line.game, 1)[0]
        groups.setdefault(opening.match, []).append(line.game)
    order = list(groups.values())
    if rng:
        rng.shuffle(order)
    for group in order:
        for game in group:
            import_bytes(into, export_events(Table(log, into.clock, into.entropy), game).encode(), "a copy")
