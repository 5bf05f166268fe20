"""What the tests of the command line stand on: how `ddz` is run, and logs whose ids and times are known."""

import hashlib
import itertools
import json
import os
import re
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from ddz.frozen.shapes import Player, Players
from ddz.log.sqlite import SqliteLog
from ddz.log.stores import open_log
from ddz.record import parse_action
from ddz.services import archive, lines
from ddz.services.opening import Opening
from ddz.services.table import Outcome, Table

RECORDS = Path(__file__).parent / "records"
SCRIPT = Path(sysconfig.get_path("scripts")) / ("ddz.exe" if sys.platform == "win32" else "ddz")
PEOPLE: Players = (Player("ann", "human"), Player("bob", "human"), Player("cat", "human"))


@dataclass
class Done:
    """A command that has run."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one object on standard output."""
        first, *more = self.out.splitlines()
        assert not more, "one object, on one line"
        found = json.loads(first)
        assert isinstance(found, dict)
        return found


class Ddz:
    """Runs `ddz`: here, or as a process of its own (`apart`)."""

    def __init__(self, env: dict[str, str | None] | None = None) -> None:
        self.env = env or {}

    def __call__(
        self, *args: object, input: str | bytes = "", code: int | None = 0, env: dict[str, str] | None = None
    ) -> Done:
        """Run in this process; `code` is the exit code that must come of it, None for any."""
        from ddz.cli.app import app

        found = CliRunner().invoke(app, [str(arg) for arg in args], input=input, env={**self.env, **(env or {})})
        if found.exception is not None and not isinstance(found.exception, SystemExit):
            raise found.exception
        return self._judged(args, Done(found.exit_code, found.stdout, found.stderr), code)

    def apart(
        self,
        *args: object,
        input: str | bytes = "",
        code: int | None = 0,
        env: dict[str, str] | None = None,
        **more: Any,
    ) -> Done:
        """Run in a process of its own."""
        found = subprocess.run(
            [SCRIPT, *map(os.fsencode, map(str, args))],
            input=input.encode() if isinstance(input, str) else input,
            capture_output=True,
            env=self.environment(env),
            timeout=60,
            check=False,
            **more,
        )
        return self._judged(
            args, Done(found.returncode, found.stdout.decode("utf-8", "replace"), found.stderr.decode()), code
        )

    def raw(self, *args: object, input: bytes = b"", code: int = 0) -> bytes:
        """Run in a process of its own; the bytes on standard output."""
        words = [os.fsencode(str(arg)) for arg in args]
        found = subprocess.run(
            [SCRIPT, *words], input=input, capture_output=True, env=self.environment(), timeout=60, check=False
        )
        assert b"Traceback" not in found.stderr, found.stderr
        assert found.returncode == code, found.stderr
        return found.stdout

    def environment(self, more: dict[str, str] | None = None) -> dict[str, str]:
        """The environment of a process."""
        merged = {**os.environ, **self.env, **(more or {})}
        return {name: value for name, value in merged.items() if value is not None}

    @staticmethod
    def _judged(args: tuple[object, ...], done: Done, code: int | None) -> Done:
        assert "Traceback" not in done.out + done.err, done.err
        if code is not None:
            said = f"ddz {' '.join(map(str, args))}: {done.code}, not {code}\n{done.out}\n{done.err}"
            assert done.code == code, said
        return done


class Known:
    """Entropy and a clock that give the same in every run, so that ids, hashes and times can stand in a snapshot."""

    def __init__(self) -> None:
        self._draws = itertools.count()
        self._ticks = itertools.count()

    def entropy(self, size: int) -> bytes:
        return hashlib.shake_128(f"draw {next(self._draws)}".encode()).digest(size)

    def clock(self) -> str:
        seconds = next(self._ticks)
        return f"2024-05-06T07:{seconds // 60:02}:{seconds % 60:02}.000Z"


@contextmanager
def stage(db: Path) -> Iterator[Table]:
    """A table over the log at `db`, with known ids and times. It does not wait for the disk."""
    known = Known()
    log = open_log(db, create=True)
    assert isinstance(log, SqliteLog)
    log.connection.execute("PRAGMA synchronous=OFF")
    try:
        yield Table(log, known.clock, known.entropy)
    finally:
        log.close()


def record(name: str) -> str:
    """One of our own records, as text."""
    return (RECORDS / f"{name}.toml").read_text(encoding="utf-8")


def import_record(table: Table, name: str, without: str = "", claim: bool = True) -> str:
    """Store one of our own records; `without` cuts it off before this action, and `claim` keeps its points."""
    raw = record(name)
    if without or not claim:
        raw = re.sub(r"payouts = \[.*?\]\n", "", raw, flags=re.DOTALL)
    if without:
        head, found, _ = raw.partition(f'    "{without}"')
        assert found, f"{name} has no action {without}"
        raw = head + "]\n"
    return archive.import_bytes(table, raw.encode(), f"{name}.toml").game


def opened(table: Table, seed: int, first: int = 0, players: Players = PEOPLE) -> str:
    """A new game from a chosen seed."""
    return table.open(Opening(players=players, seed=seed, first_voice=first)).game


def say(table: Table, game: str, *actions: str) -> Outcome:
    """Act in the words of a record, `1 play 334455`."""
    for action in actions:
        outcome = table.act(game, parse_action(action, 0, 0))
    return outcome


def forked(table: Table, game: str, at: int, *actions: str) -> str:
    """A fork, and what is done in it."""
    line = lines.fork(table, game, at).game
    if actions:
        say(table, line, *actions)
    return line


def turn(table: Table, game: str, action: str) -> int:
    """The seq before an action of a record: where to fork to do another thing instead."""
    events = table.log.history(game)
    wanted = parse_action(action, 0, 0)
    for seq, event in enumerate(events):
        cards = getattr(event, "cards", None)
        if getattr(event, "seat", None) == wanted.seat and cards is not None and str(cards) == wanted.cards:
            return seq
    raise AssertionError(f"{action} is not in {game}")


ID = re.compile(r"\b[a-z][a-z2-7]{11}\b")
HASH = re.compile(r"\b[0-9a-f]{64}\b")
TIME = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+Z)?")


def plain(text: str) -> str:
    """Output with what is drawn by chance named the same in every run."""
    text = TIME.sub("<time>", HASH.sub("<hash>", text))
    names: dict[str, str] = {}
    return ID.sub(lambda found: names.setdefault(found[0], f"<game {len(names)}>"), text)
