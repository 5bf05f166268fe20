"""A log that holds everything, made before the front doors were rebuilt: what was answered of it then is answered now.

`fixtures/logs/v1-everything.db.gz` is the log, and `v1-everything.answers.jsonl.gz` what the commands of then said of
it (see the README there). JSON may have gained fields since; of a sentence (`detail`) only that it is there counts.

The long form asks all of it (a thousand commands, some ten seconds); the usual one asks every seventh command, which is
another one for each line.
"""

import gzip
import hashlib
import re
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from ddz.log import codec
from ddz.log.sqlite import SqliteLog
from ddz.log.stores import open_log
from ddz.services import lines
from ddz.services.audit import audit_game
from ddz.services.table import Table, turn_points

from .stage import Ddz, Known

FOLDER = Path(__file__).parents[2] / "fixtures" / "logs"
DIGEST = "sha256:"
EVERY = 7
FROZEN = {
    "db": "731045ca024f057cd5208fb2c66391a2a6ce32c0c48c34cc5f8d184fb0ba6cd0",
    "answers.jsonl": "13df9a2a266e8a1e7ec40b6459fec9b346176b8ddb80aa1853c6026ee9e0f601",
}
"""The SHA-256 of both files. They are never edited."""
SIMULATED = "b326bbb2f50a740880b099f241e490f913bb2e6a19dcb9da3be873c8aba48267"
"""Of the bodies of `ddz simulate --seed 3 --games 3`, as the code of then played it, without ids."""


class Answer(msgspec.Struct):
    """A command, and what came of it."""

    args: list[str]
    code: int
    out: str
    """Of exports and of all events only the digest; empty where the command refused."""


def unpacked(name: str) -> bytes:
    return gzip.decompress((FOLDER / f"v1-everything.{name}.gz").read_bytes())


ANSWERS = [msgspec.json.decode(line, type=Answer) for line in unpacked("answers.jsonl").splitlines()]


@pytest.mark.parametrize("name", FROZEN)
def test_the_file_is_what_it_was(name: str):
    raw = (FOLDER / f"v1-everything.{name}.gz").read_bytes()
    assert hashlib.sha256(raw).hexdigest() == FROZEN[name], "never edit a frozen log"


@pytest.fixture
def old(db: Path) -> Path:
    """A copy of the log, where the commands look for it."""
    db.write_bytes(unpacked("db"))
    return db


def opened(path: Path) -> SqliteLog:
    log = open_log(path, create=False)
    assert isinstance(log, SqliteLog)
    return log


def lost(was: Any, now: Any, where: str = "") -> list[str]:
    """Where the JSON of today lacks or contradicts what stood there; what it gained is no loss."""
    if isinstance(was, dict) and isinstance(now, dict):
        gone = [f"{where}.{key} is gone" for key in was if key not in now]
        both = [key for key in was if key in now and not (key == "detail" and now[key])]
        return gone + [fault for key in both for fault in lost(was[key], now[key], f"{where}.{key}")]
    if isinstance(was, list) and isinstance(now, list) and len(was) == len(now):
        pairs = enumerate(zip(was, now, strict=True))
        return [fault for at, (one, other) in pairs for fault in lost(one, other, f"{where}[{at}]")]
    return [] if was == now and type(was) is type(now) else [f"{where} was {was!r}, and is {now!r}"]


def held(answer: Answer, ddz: Ddz) -> list[str]:
    """What is not as it was in the answer to one command."""
    done = ddz(*answer.args, code=None)
    if done.code != answer.code:
        return [f"the exit code was {answer.code}, and is {done.code}: {done.err}"]
    if answer.code:
        return []
    if answer.out.startswith(DIGEST):
        digest = DIGEST + hashlib.sha256(done.out.encode()).hexdigest()[:32]
        return [] if digest == answer.out else ["other bytes"]
    if "--json" in answer.args:
        return lost(msgspec.json.decode(answer.out), msgspec.json.decode(done.out))
    return [] if done.out == answer.out else [f"was {answer.out!r}, and is {done.out!r}"]


def all_held(answers: list[Answer], ddz: Ddz) -> None:
    faults = [f"{' '.join(answer.args)}: {fault}" for answer in answers for fault in held(answer, ddz)]
    assert not faults, "\n".join(faults[:20])


@pytest.mark.usefixtures("old")
def test_a_part_of_it_is_answered_as_before(ddz: Ddz):
    asked = [
        answer
        for at, answer in enumerate(ANSWERS)
        if at % EVERY == 0 or answer.args[1] in ("head", "events", "--json", "--all")
    ]
    assert {answer.args[0] for answer in asked} == {answer.args[0] for answer in ANSWERS}
    all_held(asked, ddz)


@pytest.mark.long
@pytest.mark.usefixtures("old")
def test_all_of_it_is_answered_as_before(ddz: Ddz):
    all_held(ANSWERS, ddz)


def test_its_rows_are_read_and_written_as_they_are_and_every_line_is_forked(old: Path):
    known = Known()
    with closing(opened(old)) as log:
        table = Table(log, known.clock, known.entropy)
        games = [line.game for line in log.lines()]
        for game in games:
            for row in log.own(game):
                assert codec.encode(codec.event_of(row)) == (row.type, row.version, row.body)
            points = turn_points(log.history(game))
            for at in {points[0], points[len(points) // 2], points[-1]} if points else ():
                fork = lines.fork(table, game, at)
                before = log.rows(game, at)
                assert log.rows(fork.game)[:-1] == before
                assert log.rows(fork.game)[-1].prev == before[-1].hash
                audit = audit_game(log, fork.game)
                assert audit.ok, audit.findings
        assert len(games) == len({answer.args[1] for answer in ANSWERS if answer.args[0] == "replay"})


def test_the_same_seed_deals_and_plays_the_same_games(db: Path, ddz: Ddz):
    ddz("simulate", "--seed", 3, "--games", 3, "-j", 1)
    with closing(opened(db)) as log:
        games = sorted((log.rows(line.game) for line in log.lines()), key=lambda rows: rows[0].position)
    bodies = [re.sub(r'"(game|match|previous)":"[^"]*"', r'"\1":""', row.body) for rows in games for row in rows]
    assert hashlib.sha256("\n".join(bodies).encode()).hexdigest() == SIMULATED


def test_what_is_lost_is_found():
    assert lost({"a": [1, {"b": None}]}, {"a": [1, {"b": None, "new": 2}], "c": 3}) == []
    assert lost({"detail": "one sentence"}, {"detail": "another"}) == []
    for now in ({}, {"a": []}, {"a": [1, {}]}, {"a": [True, {"b": None}]}, {"a": [1, {"b": 0}]}):
        assert lost({"a": [1, {"b": None}]}, now)
