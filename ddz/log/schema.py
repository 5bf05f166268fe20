"""The tables of a log, in numbered migrations, and the recognition of files that are none.

A migration that is released is never edited: a change is a new one at the end, and `VERSION` counts them.
sqlite-utils creates and migrates; it is imported only then, because its import takes longer than most commands.
"""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ddz.errors import BrokenLog, Phrase, UnsupportedVersion
from ddz.log import schema_check, sql
from ddz.log.base import APPLICATION_ID
from ddz.log.driver import Connection
from ddz.log.guards import FOLLOW, FOLLOW_1, NO_DELETE, NO_UPDATE
from ddz.log.indexes import BY_MATCH, BY_PARENT, UNFINISHED

if TYPE_CHECKING:
    from sqlite_utils import Database


def _m001_events(db: "Database") -> None:
    """The one table of events, and what guards it against connections that are not ours."""
    columns = {
        "position": int,
        "game": str,
        "seq": int,
        "event_id": str,
        "type": str,
        "version": int,
        "at": str,
        "body": str,
        "prev": str,
        "hash": str,
    }
    events = db.table("events")
    events.create(columns, pk="position", not_null=set(columns) - {"position"}, strict=True)
    events.create_index(["game", "seq"], unique=True)
    events.create_index(["event_id"], unique=True)
    events.create_index(["hash"], unique=True)
    for trigger in (FOLLOW_1, NO_UPDATE, NO_DELETE):
        db.execute(trigger)


def _m002_seen(db: "Database") -> None:
    """Which lines had hidden cards shown, and at which seq first. A note, no law: it is under no hash."""
    db.table("seen").create({"game": str, "at": int}, pk="game", not_null={"at"}, strict=True)


def _m003_without_an_index_of_hashes(db: "Database") -> None:
    """Appending costs half: hashes fall anywhere in an index, so that every event wrote a page of its own."""
    db.execute("DROP INDEX idx_events_hash")
    db.execute("DROP TRIGGER events_follow")
    db.execute(FOLLOW)


def _m004_where_to_look(db: "Database") -> None:
    """What is asked of a few lines takes no longer in a long log: forks, matches and unfinished lines are found."""
    for statement in (BY_PARENT, BY_MATCH, UNFINISHED, f"INSERT INTO unfinished (game) {sql.GOING_ON}"):
        db.execute(statement)


MIGRATIONS: Final[tuple[Callable[["Database"], None], ...]] = (
    _m001_events,
    _m002_seen,
    _m003_without_an_index_of_hashes,
    _m004_where_to_look,
)
VERSION: Final = len(MIGRATIONS)
"""The `user_version` of a log that has every table."""
READABLE: Final = 2
"""The `user_version` from which on a log has all that reading asks for: its next writer migrates it."""
FOUND: Final = 4
"""The `user_version` from which on forks, matches and unfinished lines are found without reading the whole log."""


_IDENTITY: Final = """
SELECT application_id, user_version, (SELECT count(*) FROM sqlite_schema)
FROM pragma_application_id, pragma_user_version
"""


def is_begun(connection: Connection, path: Path) -> bool:
    """True for a log of ours that this ddz can read; False for a database in which there is nothing yet.

    Raises:
        BrokenLog: `log/foreign`, it belongs to another program; `log/schema`, its version is none.
        UnsupportedVersion: a newer ddz made it.
    """
    # One statement sees one moment: another process may be creating the log just now.
    application, version, tables = connection.execute(_IDENTITY).fetchone()
    if application == APPLICATION_ID:
        if version < 1:
            raise BrokenLog(
                "log/schema",
                "{path} is not as ddz made it: it says that its tables are {version}",
                path=str(path),
                version=version,
            )
        if version > VERSION:
            raise UnsupportedVersion(
                "log/newer",
                "{path} was made by a newer ddz (tables {version}, this one knows {known}): install a newer one",
                path=str(path),
                version=version,
                known=VERSION,
            )
        return True
    if application == 0 and tables == 0:
        return False
    raise BrokenLog(
        "log/foreign",
        "{path} is no log of ddz: {why}",
        path=str(path),
        why=Phrase("foreign/database", "it is a database of another program"),
    )


def version_of(connection: Connection) -> int:
    """How many migrations the log has had."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def migrate(connection: Connection, path: Path) -> None:
    """Create what is missing, all or nothing. Two processes may come here at once: the second finds it done.

    Raises:
        BrokenLog, UnsupportedVersion: as `is_begun` does.
    """
    from sqlite_utils import Database

    connection.execute("BEGIN IMMEDIATE")
    try:
        # Looked at again under the lock: another process may have been faster.
        done = version_of(connection) if is_begun(connection, path) else 0
        if done:
            check_whole(connection, path)
        db = Database(connection, execute_plugins=False)
        for migration in MIGRATIONS[done:]:
            migration(db)
        connection.execute(f"PRAGMA application_id={APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version={VERSION}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def check_readable(connection: Connection, path: Path) -> None:
    """Make sure that what holds the events is what ddz makes; triggers alone change nothing that is read.

    Raises:
        BrokenLog: `log/schema`, naming the first difference.
    """
    _refuse([each for each in schema_check.differences(connection) if each.type != "trigger"], path)


def check_whole(connection: Connection, path: Path) -> None:
    """Make sure that the whole schema is what ddz makes, before anything is written: a trigger may swallow a row.

    Raises:
        BrokenLog: `log/schema`, naming the first difference.
    """
    _refuse(schema_check.differences(connection), path)


def _refuse(differences: list[schema_check.SchemaDifference], path: Path) -> None:
    if differences:
        first = differences[0].phrase
        raise BrokenLog(
            "log/schema",
            "{path} is not as ddz made it: {why}. Nothing was stored; what verifies in it can be "
            "salvaged into a new log",
            path=str(path),
            why=Phrase("schema/more", "{first} (and {more} more)", first=first, more=len(differences) - 1)
            if len(differences) > 1
            else first,
        )
