"""The log in a SQLite file. Writes under our own `BEGIN IMMEDIATE`, by plain SQL; `sqlite_reading` is what it answers.

(sqlite-utils' `atomic()` begins deferred: a second writer that has read dies at once with "database is locked".)
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import astuple

from ddz.errors import BrokenLog, Phrase, StorageRefused, Unreadable, of_system
from ddz.files import there
from ddz.frozen.events import Event
from ddz.log import chain, driver, files, read, schema, sql, write
from ddz.log.base import ENDINGS, Adopted, Judge, Row
from ddz.log.connect import connect_file
from ddz.log.sqlite_reading import SqliteReader
from ddz.log.stored import row_of

if TYPE_CHECKING:
    from ddz.log.adopt import Adoption


def opened(place: str, create: bool, busy_seconds: float = driver.BUSY_SECONDS) -> "SqliteLog | None":
    """The log in the file `place`. With `create` it is made if there is none, its folder too, for their owner alone.

    Without `create` nothing is ever created, and None is answered where there is no log yet.

    Raises:
        Unreadable: no file is named.
        BrokenLog: the file is no log of ddz, or a damaged one, or its tables are not as ddz makes them.
        UnsupportedVersion: a newer ddz made it.
        StorageRefused: it cannot be read, or not be created.
    """
    if not place:
        raise Unreadable("log/no-file-name", "a log in a file needs the name of the file, and none is given")
    path = Path(place)
    try:
        if not create and not there(path):
            return None
        if create:
            files.folder(path.parent)
        if path.is_dir():
            raise StorageRefused("log/folder", "{path} is a folder, not a log", path=str(path))
        if create:
            files.create(path)  # by ourselves, since SQLite would let others read it
    except OSError as error:
        raise StorageRefused(
            "file/unopened", "{path} cannot be opened: {why}", path=str(path), why=of_system(error)
        ) from error
    with driver.translated(path):
        connection = connect_file(path, create, busy_seconds)
        try:
            if not schema.is_begun(connection, path):
                if create:
                    schema.migrate(connection, path)
                else:
                    connection.close()
                    return None
            schema.check_readable(connection, path)
            if schema.version_of(connection) < schema.READABLE:
                schema.migrate(connection, path)
            return SqliteLog(connection, path)
        except BaseException:
            connection.close()
            raise


class SqliteLog(SqliteReader):
    """An `EventLog` in a file. Made by `opened`. For one thread; other processes may read and write meanwhile."""

    def __init__(self, connection: driver.Connection, path: Path) -> None:
        super().__init__(connection, path)
        self._ready_to_write = False
        self._checked: int | None = None
        """SQLite's number of the schema that was found to be whole."""

    def append(
        self,
        game: str,
        expected_seq: int,
        events: Sequence[Event],
        command_id: str,
        at: str,
        unless: str | None = None,
    ) -> tuple[Row, ...]:
        """Append one command's events; raises as `EventLog.append`. They are on the disk when it returns."""
        with self._transaction():
            return write.append(self, game, expected_seq, events, command_id, at, unless)

    def adopt(self, rows: Iterable[Row], seen: Mapping[str, int] | None = None, judge: Judge | None = None) -> Adopted:
        """Take over another log's rows; raises as `EventLog.adopt`."""
        from ddz.log.adopt import adopt  # here and below: most commands take over nothing

        with self._transaction():
            adopted = adopt(self, rows, judge)
            self.connection.executemany(sql.SEE_TOO, (seen or {}).items())
            return adopted

    @contextmanager
    def taking(self) -> Iterator["Adoption"]:
        """Rows one by one, for a caller that skips those that cannot be taken. All others are stored, or none."""
        from ddz.log.adopt import Adoption

        with self._transaction():
            adoption = Adoption(self)
            yield adoption
            adoption.flush()

    def mark_seen(self, game: str) -> None:
        """Note that hidden cards were shown, and after which event first.

        Raises:
            UnknownGame: there is no such game.
            StorageRefused: the storage would not take it.
        """
        with self._transaction():
            last = self.last_own(game)
            if last is None:
                raise read.unknown(game)
            self.connection.execute(sql.SEE, (game, last.seq))

    def copy_into(self, target: Path) -> None:
        """Copy the file, while others may go on writing; raises as `EventLog.copy_into`."""
        from ddz.log.backup import copy

        copy(self, target)

    def relax_sync(self) -> None:
        """Write from now on as suits a log that can be made again: see `driver.relax_sync`."""
        driver.relax_sync(self.connection)

    def append_point(self, game: str, command_id: str) -> write.AppendPoint:
        """What an append asks first, by one statement where the line is there already."""
        found = self._fetched(sql.STANDING, f"{command_id}/", f"{command_id}0", game)
        if not found:
            return write.AppendPoint(self.last_position(), bool(self.find(command_id)), None)
        position, known, *last = found[0]
        return write.AppendPoint(position, bool(known), row_of(last))

    def insert(self, rows: Sequence[Row]) -> None:
        """Store rows, inside a transaction."""
        if rows and rows[-1].position > sql.BEYOND:
            raise self._out_of_order(
                Phrase("order/last", "no position comes after {last}. Nothing was stored", last=sql.BEYOND)
            )
        stored = self.connection.executemany(sql.INSERT, map(astuple, rows)).rowcount
        if stored != len(rows):
            raise BrokenLog(
                "log/schema",
                "{path} has taken {stored} of {rows} events. Nothing was stored",
                path=str(self.path),
                stored=stored,
                rows=len(rows),
            )
        self._note(rows)

    def _note(self, rows: Sequence[Row]) -> None:
        """Note which lines are not over, as these rows leave them."""
        begun = {row.game for row in rows if row.type in chain.BEGINNINGS}
        over = {row.game for row in rows if row.type in ENDINGS}
        for statement, games in ((sql.BEGIN, begun - over), (sql.END, over - begun)):
            if games:
                self.connection.executemany(statement, [(game,) for game in sorted(games)])

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """Everything or nothing, under the one lock for writers, taken before anything is read."""
        try:
            if not self._ready_to_write:
                schema.check_whole(self.connection, self.path)
                if schema.version_of(self.connection) != schema.VERSION:
                    schema.migrate(self.connection, self.path)
                driver.prepare_writing(self.connection)
                self._ready_to_write = True
            self.connection.execute("BEGIN IMMEDIATE")
            try:
                self._check_schema()
                yield
                self.connection.execute("COMMIT")
            except BaseException:
                # A full disk may have rolled back already.
                if self.connection.in_transaction:
                    self.connection.execute("ROLLBACK")
                raise
        except driver.sqlite3.DatabaseError as error:
            raise driver.explain(error, self.path) from error

    def _check_schema(self) -> None:
        """Somebody may have changed the schema since it was looked at; under the lock nobody can."""
        number = self.connection.execute("PRAGMA schema_version").fetchone()[0]
        if number != self._checked:
            schema.check_whole(self.connection, self.path)
            self._checked = number
