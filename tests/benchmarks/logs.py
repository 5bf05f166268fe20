"""Logs in files, filled with real games as quickly as it goes: what the benchmarks of reading read."""

from pathlib import Path

import corpus
import msgspec

from ddz.frozen.events import Event, GameOpened
from ddz.log.sqlite import SqliteLog
from ddz.log.stores import open_log

AT = "2026-01-02T03:04:05.678901Z"

History = tuple[Event, ...]


def histories(count: int) -> list[History]:
    """The events of so many games."""
    return [corpus.events(game) for game in corpus.games(count)]


def filled(path: Path, games: list[History], count: int) -> SqliteLog:
    """A log of `count` games: the given ones again and again, each time as other games."""
    log = open_log(path, create=True)
    assert isinstance(log, SqliteLog)
    log.connection.execute("PRAGMA synchronous=OFF")  # it need not outlive a power cut
    for number in range(count):
        opened, *rest = games[number % len(games)]
        assert isinstance(opened, GameOpened)
        game = f"g{number:09}"
        named = msgspec.structs.replace(opened, game=game, match=game)
        log.append(game, 0, (named, *rest), f"{game}-all", AT)
    return log


def steps(number: int) -> None:
    """A loop of so many steps and nothing in them: what a slower or a faster Python makes of it is in the ratio."""
    value = 0
    for step in range(number):
        value = (value * 31 + step) & 0xFFFF
