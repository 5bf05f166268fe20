"""Run by `test_new_knob.py` with a copy of ddz that knows a knob more: FIXTURES, and where a log may be put."""

import gzip
import json
import random
import sys
from pathlib import Path

import msgspec
import pytest

import ddz
from ddz.decide import legal
from ddz.errors import BrokenLog
from ddz.frozen.events import GameOpened
from ddz.frozen.shapes import Player, Rules
from ddz.log import codec
from ddz.log.base import EventLog, Row
from ddz.log.memory import MemoryLog
from ddz.log.stores import open_log
from ddz.services import lines
from ddz.services.archive import export_events, import_bytes
from ddz.services.audit_log import audit_log
from ddz.services.opening import Opening
from ddz.services.table import Table, turn_points

FIXTURES, PATH = Path(sys.argv[1]), Path(sys.argv[2])
RNG = random.Random("a new knob")


def table_on(log: EventLog) -> Table:
    return Table(log, lambda: "2027-01-02T03:04:05Z", RNG.randbytes)


def hold_row(row: Row) -> None:
    """It reads, and is written as it was: an opening, as soon as the new fields are taken out again."""
    event = codec.event_of(row)
    type, version, body = codec.encode(event)
    assert codec.decode(type, version, body) == event
    if not isinstance(event, GameOpened):
        assert (type, version, body) == (row.type, row.version, row.body)
        return
    assert (row.version, version) == (1, 2)
    assert event.rules.wild == "none"
    assert [player.country for player in event.players] == [None] * 3
    stored = json.loads(body)
    assert stored["rules"].pop("wild") == "none"
    assert [player.pop("country") for player in stored["players"]] == [None] * 3
    assert json.dumps(stored, sort_keys=True, separators=(",", ":"), ensure_ascii=False) == row.body


def refused(version: int, stored: dict) -> None:
    body = msgspec.json.encode(stored, order="sorted").decode()
    with pytest.raises(BrokenLog) as caught:
        codec.decode("game_opened", version, body)
    assert caught.value.code == "integrity/body"


def hold_bodies(row: Row) -> None:
    """A body is what its own version writes: with the field in version 1 or without it in version 2 it is none."""
    stored = json.loads(row.body)
    refused(2, stored)
    for value in ("none", "two"):
        refused(1, {**stored, "rules": {**stored["rules"], "wild": value}})
    refused(1, {**stored, "players": [{**player, "country": "cn"} for player in stored["players"]]})
    refused(1, {key: value for key, value in stored.items() if key != "rules"})
    refused(1, {**stored, "players": 7})
    refused(1, {**stored, "rules": {key: value for key, value in stored["rules"].items() if key != "bomb"}})


def without_positions(text: bytes) -> list[bytes]:
    head, *rows = text.splitlines()
    return [head, *(row.partition(b",")[2] for row in rows)]


def hold_event_files() -> None:
    for file in sorted(FIXTURES.glob("*.jsonl")):
        table = table_on(MemoryLog())
        game = import_bytes(table, file.read_bytes(), file.name).game
        assert without_positions(export_events(table, game).encode()) == without_positions(file.read_bytes())
        for row in table.log.after(0):
            hold_row(row)
        assert audit_log(table.log).ok


def hold_log() -> int:
    """The log of everything: read, audited, forked, gone on with, and given a game of the new version."""
    PATH.write_bytes(gzip.decompress((FIXTURES / "v1-everything.db.gz").read_bytes()))
    log = open_log(PATH, create=False)
    table = table_on(log)
    games = [line.game for line in log.lines()]
    rows = list(log.after(0))
    before = audit_log(log)
    assert before.ok
    assert before.lines == len(games)
    for row in rows:
        hold_row(row)
    hold_bodies(rows[0])
    command = rows[0].event_id.partition("/")[0]
    first = log.find(command)
    again = log.append(rows[0].game, 0, [codec.event_of(row) for row in first], command, rows[0].at)
    assert again == first, "a command of then, given again, answers what it did"
    for game in games[::3]:
        points = turn_points(log.history(game))
        if points:
            fork = lines.fork(table, game, RNG.choice(points))
            for _ in range(3):
                if moves := legal(table.load(fork.game).state):
                    table.act(fork.game, RNG.choice(moves))
    for record in sorted((FIXTURES.parent / "records").glob("*.toml")):
        found = import_bytes(table, record.read_bytes(), record.name, by_content=True)
        assert found.game in games, f"{record.name} is known by what an older ddz has stored"
    people = tuple(Player(name, "human", country="中国") for name in ("ann", "bob", "cat"))
    opened = table.open(Opening(players=people, rules=Rules("wild", wild="two")))
    (stored, *_) = log.rows(opened.game)
    assert (stored.version, '"wild":"two"' in stored.body) == (2, True)
    assert codec.event_of(stored) == log.history(opened.game)[0]
    after = audit_log(log, head=before.head)
    assert after.ok
    assert list(log.after(0))[: len(rows)] == rows, "what was stored stays byte for byte"
    log.close()
    return after.lines


hold_event_files()
print(f"{Path(ddz.__file__).parent}: {hold_log()} lines")
