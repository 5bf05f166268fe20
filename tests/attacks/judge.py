"""What a damaged log still says, held against what it said before: harmless, found out, or a lie."""

import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ddz.log.driver import sqlite3

from .damage import Damage, Files
from .standing import BuiltLog
from .watched import Answer, Watched

Command = tuple[str, ...]
Rows = set[tuple[object, ...]]
Json = dict[str, Any]
_HIDDEN = [None, None, None]
"""The hands of a game that goes on."""
_ALL_GAMES = ("games", "--json", "--limit", "1000")
_BESIDE = ("", "-wal", "-shm", "-journal")


def whole(standing: BuiltLog) -> list[Command]:
    """The commands that read all of a log."""
    del standing
    return [
        ("log", "events", "--json"),
        _ALL_GAMES,
        ("stats", "--json"),
        ("log", "head", "--json"),
    ]


def by_line(standing: BuiltLog) -> list[Command]:
    """The commands that read a line, for each of some lines."""
    names = ("replay", "show", "tree", "match", "audit")
    found: list[Command] = []
    for line in standing.lines:
        found += [(name, line, "--json") for name in names]
        found += [("export", "--events", line), ("diff", standing.lines[1], line, "--json")]
    return [*found, ("export", standing.lines[0]), ("games", "--unfinished", "--json"), ("show", "@last", "--json")]


def put(path: Path, files: Files) -> None:
    """Put a file and those beside it where there may be others."""
    for ending in _BESIDE:
        beside = path.with_name(path.name + ending)
        if ending in files:
            beside.write_bytes(files[ending])
        else:
            beside.unlink(missing_ok=True)


@dataclass
class Verdict:
    """What one damage has come to."""

    damage: Damage
    found: bool
    """`log verify` or `audit --all` does not pass."""
    silent: list[str] = field(default_factory=list)
    """Answers that are others than before though both pass."""
    false: list[str] = field(default_factory=list)
    """Answers with exit 0 that show as true what was never stored."""
    bad: list[str] = field(default_factory=list)
    """Tracebacks, hangs, exit codes that are not documented, and what took too long."""
    longest: float = 0.0

    @property
    def faults(self) -> list[str]:
        """Everything that must not be."""
        return [f"{self.damage.kind}, {self.damage.what}: {each}" for each in (*self.silent, *self.false, *self.bad)]


class Judge:
    """Knows what a log said when it was in order, and asks again."""

    def __init__(self, standing: BuiltLog, watched: Watched) -> None:
        self.standing = standing
        self._watched = watched
        self.files = standing.files
        self._asked = 0
        put(watched.db, self.files)
        self._rows = _rows(watched.db)
        self._checks: list[Command] = [
            ("log", "verify", "--head", standing.head),
            ("audit", "--all", "--head", standing.head),
        ]
        self._by_line = by_line(standing)
        self._whole = whole(standing)
        self._before = {command: self._ask(command, self.files) for command in (*self._whole, *self._by_line)}
        for command in self._checks:
            assert self._ask(command, self.files).code == 0, "the log was in order"
        assert not [answer for answer in self._before.values() if answer.complaint()]
        answered = {command[:2] for command, answer in self._before.items() if answer.code == 0 and answer.out}
        assert {command[0] for command in answered} == {command[0] for command in self._before}
        assert len(self._rows) == int(standing.head.partition(":")[0])

    def _ask(self, command: Command, files: Files) -> Answer:
        return self._watched(*command, before=lambda: put(self._watched.db, files))

    def judge(self, damage: Damage) -> Verdict:
        """Hold the log, damaged so, against what it was."""
        checks = [self._ask(command, damage.files) for command in self._checks]
        verdict = Verdict(damage, any(answer.code != 0 for answer in checks))
        for command, answer in zip(self._checks, checks, strict=True):
            self._note(verdict, command, answer)
        changed = _rows_of(self._watched.db, damage.files) - self._rows
        for command in self._whole + (self._some() if verdict.found else self._by_line):
            answer, before = self._ask(command, damage.files), self._before[command]
            self._note(verdict, command, answer)
            if not verdict.found and (answer.code, answer.out) != (before.code, before.out):
                verdict.silent.append(f"{' '.join(command)} answers {_difference(before, answer)}")
            elif answer.code == 0 and (lie := _lie(command, self._known(command), answer, changed)):
                verdict.false.append(f"{' '.join(command)} shows {lie}")
        return verdict

    def _some(self) -> list[Command]:
        """Some of the commands that read a line, others each time."""
        step, self._asked = 6, self._asked + 1
        return self._by_line[self._asked % step :: step]

    def _known(self, command: Command) -> Answer:
        """What an answer may be made of: the list of unfinished games, of any game that there was."""
        return self._before[_ALL_GAMES if command[0] == "games" else command]

    def _note(self, verdict: Verdict, command: Command, answer: Answer) -> None:
        verdict.longest = max(verdict.longest, answer.seconds)
        if complaint := answer.complaint():
            verdict.bad.append(f"{' '.join(command)}: {complaint}")


def _rows_of(path: Path, files: Files) -> Rows:
    put(path, files)
    return _rows(path)


def _rows(path: Path) -> Rows:
    """The rows as the table has them, read by no index; as many as can be read."""
    found: Rows = set()
    copy = path.with_name("scanned.db")
    for ending in _BESIDE:
        copy.with_name(copy.name + ending).unlink(missing_ok=True)
        if (beside := path.with_name(path.name + ending)).exists():
            shutil.copy(beside, copy.with_name(copy.name + ending))
    connection = sqlite3.connect(copy)
    connection.text_factory = bytes
    try:
        for row in connection.execute("SELECT * FROM events NOT INDEXED LIMIT 5000"):
            found.add(tuple(row))
    except (sqlite3.DatabaseError, UnicodeDecodeError):
        pass  # what was read until here is what there is; SQLite's own words may quote what is no UTF-8
    finally:
        connection.close()
    return found


def _parts(command: Command, answer: Answer) -> list[Json] | None:
    """What an answer is made of, where each part of it is a row or stands for a game; None where it is one whole."""
    if command[:2] == ("log", "events"):
        return [json.loads(line) for line in answer.out.splitlines()]
    if command[:2] == ("export", "--events"):
        return [json.loads(line) for line in answer.out.splitlines()[1:]]
    if command[0] == "replay":
        events: list[Json] = json.loads(answer.out)["events"]
        return events
    if command[0] == "tree":
        return [each for each in json.loads(answer.out)["lines"] if each["phase"] != "broken"]
    if command[0] == "games":
        listed = [each for each in json.loads(answer.out)["games"] if each["phase"] != "broken"]
        return [{"game": each["game"], "players": each["players"], "match": each["match"]} for each in listed]
    return None


def _lie(command: Command, before: Answer, answer: Answer, changed: Rows) -> str:
    """What an answer shows as true that never was; empty where at most the choice of rows is another one."""
    if answer.out == before.out or command[:2] == ("log", "head"):  # a head shows no row: it is what rows are held to
        return ""
    known, shown = _parts(command, before), _parts(command, answer)
    if known is None or shown is None:
        return f"{_difference(before, answer)}, and rows were changed" if changed else ""
    name = next(name for name in ("position", "seq", "game") if name in shown[0]) if shown else ""
    by_name = {part[name]: part for part in known if shown}
    more = [part for part in shown if not _is_part(part, by_name.get(part[name], {}))]
    return f"{len(more)} that were never there, such as {str(more[0])[:300]}" if more else ""


def _is_part(part: Json, of: Json) -> bool:
    """Every field is as it was, or hidden: whoever does not see the end of a game hides its cards."""
    return part.keys() == of.keys() and all(part[name] in (of[name], None, _HIDDEN) for name in part)


def _difference(before: Answer, answer: Answer) -> str:
    if before.code != answer.code:
        return f"exit {answer.code}, {answer.err.strip()[:200]!r}"
    at = next((at for at, (one, other) in enumerate(_pairs(before.out, answer.out)) if one != other), 0)
    return f"otherwise from sign {at} on: {answer.out[max(0, at - 40) : at + 60]!r}"


def _pairs(one: str, other: str) -> Iterator[tuple[str, str]]:
    size = max(len(one), len(other))
    return zip(one.ljust(size), other.ljust(size), strict=True)
