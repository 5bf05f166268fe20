"""Logs for tests."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from ddz.log.base import EventLog
from ddz.log.memory import MemoryLog
from ddz.log.sqlite import SqliteLog

from .games import sqlite_log


def hasty(path: Path) -> SqliteLog:
    """A log that does not wait for the disk: what a power cut leaves is not asked here."""
    log = sqlite_log(path)
    log.connection.execute("PRAGMA synchronous=OFF")
    return log


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where a log may be; there is none yet. The name needs quoting in a URI."""
    return tmp_path / "a log? #1 %41.db"


@pytest.fixture(params=["memory", "sqlite"])
def log(request: pytest.FixtureRequest, path: Path) -> Iterator[EventLog]:
    """An empty log of each kind."""
    made: EventLog = MemoryLog() if request.param == "memory" else hasty(path)
    yield made
    made.close()


@pytest.fixture
def file_log(path: Path) -> Iterator[SqliteLog]:
    """An empty log in a file."""
    made = hasty(path)
    yield made
    made.close()
