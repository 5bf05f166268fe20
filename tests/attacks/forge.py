"""What somebody does to a log who has the file and knows SQLite, and SQLite's `writable_schema`."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from ddz.log.base import Row
from ddz.log.chain import sealed
from ddz.log.driver import Connection, sqlite3

from .damage import Files

HONEST_INDEX = "idx_events_game_seq"
"""The index by which the events of a game are found."""


@contextmanager
def forging(path: Path) -> Iterator[Connection]:
    """A bare connection to the file; while it is open the log's triggers are gone, and afterwards they are back."""
    connection = sqlite3.connect(path, isolation_level=None)
    guards = connection.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' ORDER BY rowid").fetchall()
    try:
        for name, _ in guards:
            connection.execute(f"DROP TRIGGER {name}")
        yield connection
        for _, text in guards:
            connection.execute(text)
    finally:
        connection.close()


@contextmanager
def open_schema(connection: Connection) -> Iterator[None]:
    """The table of the schema is like any other; afterwards it is read anew."""
    connection.execute("PRAGMA writable_schema=ON")
    yield
    connection.execute("PRAGMA writable_schema=RESET")


@contextmanager
def without(connection: Connection, name: str) -> Iterator[None]:
    """What is called so is not kept up with the table: its pages stay as they are, and then it is back."""
    row = connection.execute("SELECT * FROM sqlite_schema WHERE name = ?", (name,)).fetchone()
    with open_schema(connection):
        connection.execute("DELETE FROM sqlite_schema WHERE name = ?", (name,))
    yield
    with open_schema(connection):
        connection.execute("INSERT INTO sqlite_schema VALUES (?, ?, ?, ?, ?)", row)


def rewrite(connection: Connection, game: str, change: Callable[[Row], Row]) -> None:
    """Change the rows of a game that is no fork, and hash all of it anew."""
    rows = [Row(*row) for row in connection.execute("SELECT * FROM events WHERE game = ? ORDER BY seq", (game,))]
    prev = rows[0].prev
    for row in rows:
        made = sealed(msgspec.structs.replace(change(row), prev=prev))
        connection.execute(
            "UPDATE events SET body = ?, prev = ?, hash = ? WHERE position = ?",
            (made.body, made.prev, made.hash, made.position),
        )
        prev = made.hash


def renamed(row: Row) -> Row:
    """Other players sat there: no law and no sum speaks against it, only the hash."""
    return msgspec.structs.replace(row, body=row.body.replace('"name":"easy', '"name":"evil'))


def forged(files: Files, folder: Path, forge: Callable[[Path], object]) -> Files:
    """The bytes of a log after somebody has been at it."""
    path = folder / "forged.db"
    path.write_bytes(files[""])
    forge(path)
    made = path.read_bytes()
    path.unlink()
    return {**files, "": made}


def another(path: Path, target: Path) -> Path:
    """A copy of a log."""
    shutil.copy(path, target)
    return target
