"""The log that the suites damage: games that bots played, forks, a match, games that go on, notes of what was seen.

Ids, times and cards are the same in every run, and with them every byte of the file.
"""

import shutil
import sqlite3
from dataclasses import dataclass
from pathlib import Path

from cli.stage import PEOPLE, Ddz, forked, import_record, opened, say, stage, turn

from ddz.log.sqlite import SqliteLog
from ddz.services import loop
from ddz.services.match import next_opening
from ddz.services.table import Moment, Opening, Outcome, Table

GAMES = 24
"""So many that the events take more than one read of the log, and each b-tree more than one page."""


@dataclass(frozen=True)
class BuiltLog:
    """A log in a file, and what was known of it before anybody touched it."""

    path: Path
    lines: tuple[str, ...]
    """Lines of every kind: a fork of a fork, one taken back, a game of a match, one that was seen, an import."""
    head: str

    @property
    def files(self) -> dict[str, bytes]:
        """The bytes of the file and of the WAL beside it, by what their names end in."""
        beside = self.path.with_name(self.path.name + "-wal")
        return {"": self.path.read_bytes()} | ({"-wal": beside.read_bytes()} if beside.exists() else {})


def build(path: Path, page_size: int = 4096) -> BuiltLog:
    """Make the log. In small pages rows overflow, and trees have three floors."""
    _empty(path, page_size)
    with stage(path) as table:
        lines = _fill(table)
    return BuiltLog(path, lines, _head(path))


def build_with_wal(path: Path) -> BuiltLog:
    """The log as it is while somebody has it open: what was written last stands in the WAL alone."""
    used = path.with_name(f"used-{path.name}")
    with stage(used) as table:
        lines = _fill(table)
        assert isinstance(table.log, SqliteLog)
        table.log.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        last = opened(table, seed=7)
        say(table, last, "0 bid 3")
        for seed in range(4):
            _played(table, Opening(players=loop.seat_bots(("easy",))[0], seed=1000 + seed))
        shutil.copy(used, path)
        shutil.copy(f"{used}-wal", f"{path}-wal")
    return BuiltLog(path, (*lines, last), _head(used))


def _empty(path: Path, page_size: int) -> None:
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA page_size={page_size}")
    connection.execute("VACUUM")
    connection.close()


def _head(path: Path) -> str:
    return Ddz({"DDZ_DB": str(path)})("log", "head").out.strip()


def _played(table: Table, opening: Opening) -> Outcome | Moment:
    begun = table.open(opening)
    _, seated = loop.seat_bots(("easy",))
    return loop.run(table, begun.moment, seated)


def _fill(table: Table) -> tuple[str, ...]:
    bots = loop.seat_bots(("easy",))[0]
    for seed in range(GAMES):
        _played(table, Opening(players=bots, seed=seed))
    before = _played(table, Opening(players=bots, seed=GAMES))
    for number in range(2):
        before = _played(table, next_opening(before.state, before.game, GAMES + 1 + number))
    whole = import_record(table, "bombs-rocket", claim=False)
    fork = forked(table, whole, turn(table, whole, "0 play 8c"), "0 play 3")
    deeper = forked(table, fork, len(table.log.history(fork)), "1 pass")
    import_record(table, "redeals")
    import_record(table, "spring")
    waiting = opened(table, seed=5, players=PEOPLE)
    say(table, waiting, "0 bid 3")
    table.log.mark_seen(waiting)
    table.log.mark_seen(before.game)
    return before.game, whole, deeper, waiting
