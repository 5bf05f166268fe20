"""With twice as many forks of forks, no answer takes much more than twice the work: calls, and steps of SQLite."""

import cProfile
from collections.abc import Callable
from pathlib import Path

import pytest
from nested import Kind, nested, table_on

from ddz.log.base import EventLog
from ddz.log.memory import MemoryLog
from ddz.log.sqlite import SqliteLog
from ddz.log.stores import open_log
from ddz.services import archive, audit, audit_log, lines, match, replay, sight
from ddz.services.judge import judge_for
from ddz.services.table import Table
from ddz.stats.counting import counted_lines


def taken_over(log: EventLog) -> None:
    """By a log without triggers: the one that looks whom a fork follows walks through all ancestors of each."""
    other = MemoryLog()
    assert other.adopt(log.after(0), judge=judge_for(other)).lines == 1 + len(list(log.after(0, ("game_forked",))))


STEPS = 100
LEVELS = 150
ASKED: dict[str, Callable[[Table, str], object]] = {
    "tree": lambda table, line: lines.tree(table.log, line),
    "match": lambda table, line: match.match_table(table.log, line),
    "open": lambda table, line: sight.is_open(table.log, line, table.load(line).state),
    "replay": lambda table, line: replay.replay(table.log, line),
    "audit": lambda table, line: audit.audit_game(table.log, line),
    "lines": lambda table, _: list(table.log.lines()),
    "stats": lambda table, _: list(counted_lines(table.log)),
    "events": archive.export_events,
    "verify": lambda table, _: audit_log.verify_log(table.log),
    "audit all": lambda table, _: audit_log.audit_log(table.log),
    "take over": lambda table, _: taken_over(table.log),
    "fork": lambda table, line: lines.fork(table, line, table.load(line).seq),
}


def work(path: Path, ask: Callable[[Table, str], object], line: str) -> tuple[int, int]:
    """How many functions are called, and how many times SQLite does some steps."""
    log = open_log(path, create=False)
    assert isinstance(log, SqliteLog)
    steps = 0

    def step() -> int:
        nonlocal steps
        steps += 1
        return 0

    profile = cProfile.Profile()
    with log:
        table = table_on(log, seed=2)
        log.relax_sync()
        log.connection.set_progress_handler(step, STEPS)
        profile.enable()
        ask(table, line)
        profile.disable()
        log.connection.set_progress_handler(None, 0)
    return sum(entry.callcount for entry in profile.getstats()), steps


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[Kind, int], tuple[Path, str]]:
    """A log of each kind, and one with twice as many levels; with its last fork."""
    folder, kinds = tmp_path_factory.mktemp("deep"), ("chain", "inherited", "wide")
    return {
        (kind, levels): (path := folder / f"{kind}-{levels}.db", nested(path, kind, levels)[1])
        for kind in kinds
        for levels in (LEVELS, 2 * LEVELS)
    }


@pytest.mark.parametrize("kind", ["chain", "inherited", "wide"])
@pytest.mark.parametrize("what", ASKED)
def test_twice_the_levels_are_twice_the_work(
    logs: dict[tuple[Kind, int], tuple[Path, str]], kind: Kind, what: str
) -> None:
    (path, line), (longer, its) = logs[kind, LEVELS], logs[kind, 2 * LEVELS]
    work(path, ASKED[what], line)  # what is loaded late is loaded, what is remembered is remembered
    calls, steps = work(path, ASKED[what], line)
    more_calls, more_steps = work(longer, ASKED[what], its)
    assert more_calls <= 2.3 * calls
    assert more_steps <= 2.3 * steps + 10
