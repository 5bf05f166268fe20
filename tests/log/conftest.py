"""Logs for tests."""

from collections.abc import Iterator
from pathlib import Path

import named_store
import pytest

from ddz.log.base import EventLog
from ddz.log.sqlite import SqliteLog
from ddz.log.stores import STORES, open_log

from .games import sqlite_log


@pytest.fixture(scope="session")
def empty_log(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The file of an empty log: to make it takes most of the time of most tests."""
    path = tmp_path_factory.mktemp("empty") / "empty.db"
    sqlite_log(path).close()
    return path.read_bytes()


def hasty(path: Path, content: bytes) -> SqliteLog:
    """A log that does not wait for the disk: what a power cut leaves is not asked here."""
    path.write_bytes(content)
    log = sqlite_log(path, create=False)
    log.connection.execute("PRAGMA synchronous=OFF")
    return log


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where a log may be; there is none yet. The name needs quoting in a URI."""
    return tmp_path / "a log? #1 %41.db"


PLACES = {"sqlite": "{path}", "memory": "", "named": "a log"}
"""Where the tests open a log of each registered store: a line a store."""


@pytest.fixture(params=sorted(PLACES))
def log(request: pytest.FixtureRequest, path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[EventLog]:
    """An empty log of each store that is registered, and of a toy one, as its address opens it."""
    monkeypatch.setitem(STORES, "named", named_store.__name__)
    monkeypatch.setattr(named_store, "KEPT", {})
    made = open_log(f"{request.param}:{PLACES[request.param].format(path=path)}", create=True)
    made.relax_sync()
    yield made
    made.close()


@pytest.fixture
def file_log(path: Path, empty_log: bytes) -> Iterator[SqliteLog]:
    """An empty log in a file."""
    made = hasty(path, empty_log)
    yield made
    made.close()
