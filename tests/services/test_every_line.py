"""Every line that ddz makes audits clean: under all rules, at all points, by all commands that store.

The short form gives a few dozen commands to a log of each house. The long form is the same with 120 commands on 100
logs, 2,000 with the profile `long`: `HYPOTHESIS_PROFILE=long pytest -m long tests/services/test_every_line.py`.
"""

import random
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ddz import bots
from ddz.commands import Escape
from ddz.decide import legal
from ddz.errors import Refused
from ddz.frozen.shapes import Rules
from ddz.log.memory import MemoryLog
from ddz.record import Record, record_of, record_text
from ddz.rules import PRESETS, SEATS
from ddz.services import loop
from ddz.services.archive import export_events, import_bytes
from ddz.services.audit import audit_game
from ddz.services.audit_log import audit_log
from ddz.services.lines import fork
from ddz.services.match import next_opening
from ddz.services.opening import Opening
from ddz.services.table import Moment, Table, turn_points
from ddz.state import Over, Void

from .tables import HUMANS, PassingBot, hasty, table_on

HOUSES = (
    *PRESETS.values(),
    Rules("void once", all_pass="void"),
    Rules("redeal until", auction="until-two-passes", escape_least=7, spring=1),
    Rules("assigned void", auction="assigned", all_pass="void", bomb=3),
)
BY_NAME = {rules.name: rules for rules in HOUSES}
EACH_HOUSE = pytest.mark.parametrize("house", HOUSES, ids=lambda rules: rules.name)
SEEDS = st.integers(0, 10**6)


def audits_clean(table: Table, game: str) -> None:
    found = audit_game(table.log, game)
    assert found.ok, f"{game}: {found.findings}"


def all_audit_clean(table: Table) -> None:
    """The whole log: each line, and each in its match."""
    found = []
    whole = audit_log(table.log, each=lambda audit: found.extend(audit.findings))
    assert whole.ok, f"{whole.findings} {found}"


class Hall:
    """One log, and whatever may be asked of it, at random."""

    def __init__(self, table: Table, rules: Rules, seed: int) -> None:
        self.table = table
        self.rules = rules
        self.rng = random.Random(f"{rules.name}/{seed}")
        self.lines: list[str] = []
        self.done: set[str] = set()
        """The names of the commands that have stored something."""
        self.asked = 0

    def one_command(self) -> None:
        """Give one command, and audit the line that it was given to."""
        commands: list[Callable[[], str | None]] = [
            *(self.act, self.act_by_id, self.bots, self.passing, self.fork, self.back, self.leave),
            *(self.next_round, self.take_record, self.take_events, self.open),
        ]
        command = self.rng.choice(commands) if self.lines else self.open
        if (game := command()) is None:
            return
        self.done.add(command.__name__)
        if game not in self.lines:
            self.lines.append(game)
        audits_clean(self.table, game)

    def line(self) -> Moment:
        return self.table.load(self.rng.choice(self.lines))

    def open(self) -> str:
        seated = self.rng.random() < 0.5
        players = loop.seat_bots(("random",))[0] if seated else HUMANS
        voice = self.rng.choice([None, *SEATS])
        seed = self.rng.choice([None, self.rng.randrange(10**6)])
        words = self.rng.choice([("", "", ""), ("", "my words", "")])
        opening = Opening(players=players, rules=self.rules, first_voice=voice, seed=seed, seat_seeds=words)
        return self.table.open(opening).game

    def act(self, command_id: str | None = None) -> str | None:
        at = self.line()
        turns = legal(at.state)
        if not turns:
            return None
        self.table.act(at.game, self.rng.choice([*turns, turns[-1]]), at.seq, command_id)
        return at.game

    def act_by_id(self) -> str | None:
        """One command, several times."""
        at = self.line()
        turns = legal(at.state)
        if not turns:
            return None
        self.asked += 1
        turn = self.rng.choice(turns)
        first = self.table.act(at.game, turn, at.seq, f"asked {self.asked}")
        assert self.table.act(at.game, turn, at.seq, f"asked {self.asked}") == first
        return at.game

    def leave(self) -> str | None:
        at = self.line()
        if isinstance(at.state, Over) or self.rng.random() < 0.7:
            return None
        self.table.act(at.game, Escape(self.rng.randrange(3)))
        return at.game

    def bots(self) -> str:
        """Bots play a line to its end, or until a person must act."""
        at = self.line()
        bot = bots.make(self.rng.choice(["random", "easy"]))
        seats = SEATS if self.rng.random() < 0.6 else (self.rng.randrange(3),)
        return loop.run(self.table, at, dict.fromkeys(seats, bot)).game

    def passing(self) -> str | None:
        """Nobody bids, for a deal or two."""
        at = self.line()
        for _ in range(self.rng.randrange(1, 6)):
            if isinstance(at.state, Void):
                done = self.table.redeal(at)
            elif legal(at.state):
                done = self.table.go_on(at, PassingBot().choose(None, legal(at.state), self.rng))
            else:
                return None
            at = done.moment
        return at.game

    def fork(self, reason: str = "explore") -> str | None:
        """At any event, a turn point or not: it is refused, or it makes a sound line."""
        at = self.line()
        before = self.table.log.last_position()
        try:
            return fork(self.table, at.game, self.rng.randrange(1, at.seq + 1), reason).game
        except Refused:
            assert self.table.log.last_position() == before
            return None

    def back(self) -> str | None:
        return self.fork("back")

    def next_round(self) -> str | None:
        at = self.line()
        if not isinstance(at.state, Over):
            return None
        return self.table.open(next_opening(at.state, at.game, self.rng.choice([None, 3]))).game

    def take_record(self) -> str:
        """A line as a record that stops anywhere."""
        record = self.record()
        return import_bytes(self.table, record_text(record).encode(), "a test").game

    def record(self) -> Record:
        record = record_of(self.table.log.history(self.line().game))
        if self.rng.random() < 0.3:
            return record
        deals = record.deals[: self.rng.randrange(1, len(record.deals) + 1)]
        cut = self.rng.randrange(len(deals[-1].actions) + 1)
        last = msgspec.structs.replace(deals[-1], actions=deals[-1].actions[:cut])
        return msgspec.structs.replace(record, deals=(*deals[:-1], last), payouts=None)

    def take_events(self) -> str:
        """A line in a log of its own, where it goes on, and comes back if it has not gone on here."""
        at = self.line()
        other = table_on(MemoryLog(), self.rng.random())
        import_bytes(other, export_events(self.table, at.game).encode(), "a test")
        audits_clean(other, at.game)
        there = other.load(at.game)
        if legal(there.state):
            other.go_on(there, self.rng.choice(legal(there.state)))
        audits_clean(other, at.game)
        return import_bytes(self.table, export_events(other, at.game).encode(), "a test").game


def play_in_a_hall(table: Table, house: Rules, seed: int, commands: int) -> Hall:
    hall = Hall(table, house, seed)
    for _ in range(commands):
        hall.one_command()
    all_audit_clean(table)
    return hall


@EACH_HOUSE
def test_whatever_is_asked_every_line_audits_clean(house: Rules, tmp_path: Path):
    table = table_on(hasty(tmp_path / "hall.db"), seed=house.name)
    hall = play_in_a_hall(table, house, 1, 45)
    table.log.close()
    assert len(hall.lines) > 8
    assert len(hall.done) > 7, "most commands came up"


@EACH_HOUSE
def test_a_fork_at_every_event_of_every_kind_of_line_is_refused_or_sound(house: Rules):
    """Of a game (with a new deal where the rules know one), of a fork that `back` made, and of an import."""
    table = table_on(seed=house.name)
    whole = a_whole_game(table, house)
    points = turn_points(table.log.history(whole))
    back = fork(table, whole, points[len(points) // 2], "back").game
    record = import_bytes(table, record_text(record_of(table.log.history(whole))).encode(), "a test").game
    made = 0
    for line in (whole, back, record):
        for seq in range(1, len(table.log.history(line)) + 1):
            before = table.log.last_position()
            try:
                forked = fork(table, line, seq)
            except Refused:
                assert table.log.last_position() == before
                continue
            made += 1
            table.go_on(forked.moment, legal(forked.state)[0])
            audits_clean(table, forked.game)
    assert made > 20


def a_whole_game(table: Table, house: Rules) -> str:
    """Nobody bids at first, where that brings a new deal; then bots play to the end."""
    opened = table.open(Opening(players=HUMANS, rules=house, seed=5))
    at = opened.moment
    for _ in range(4 if house.auction != "assigned" and house.all_pass == "redeal" else 0):
        done = table.go_on(at, legal(at.state)[-1])
        at = done.moment
    return loop.run(table, at, dict.fromkeys(SEATS, bots.make("easy"))).game


@pytest.mark.long
@given(seed=SEEDS, name=st.sampled_from(sorted(BY_NAME)))
def test_whatever_is_asked_long(seed: int, name: str):
    """The long form, in memory: 120 commands each on as many logs as the profile says."""
    play_in_a_hall(table_on(seed=seed), BY_NAME[name], seed, 120)
