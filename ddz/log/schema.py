"""The tables of a log, in numbered migrations, and the recognition of files that are none.

A migration that is released is never edited: a change is a new one at the end, and `VERSION` counts them.
sqlite-utils creates and migrates; it is imported only then, because its import takes longer than most commands.
"""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ddz.errors import BrokenLog, UnsupportedVersion
from ddz.log.base import APPLICATION_ID, GENESIS
from ddz.log.driver import Connection, fetched

if TYPE_CHECKING:
    from sqlite_utils import Database

_PARENT: Final = """substr({body}, instr({body}, '"parent":"') + 10,
    instr({body}, '","parent_head":"') - instr({body}, '"parent":"') - 10)"""
"""The parent in the canonical body of a `game_forked` of version 1. (Ids hold no quotes and no backslashes.)

Not by SQLite's JSON functions: 3.40.1 refuses them in a trigger where the schema is not trusted, and they fail on a
body that somebody has spoilt, where this finds no such game. A version 2 needs a migration for this.
"""

LINEAGE: Final = f"""
WITH RECURSIVE lineage(game, upto) AS (
  SELECT {{game}}, {{upto}}
  UNION
  SELECT {_PARENT.format(body="first.body")}, min(lineage.upto, first.seq - 1)
  FROM lineage JOIN events AS first ON first.game = lineage.game
  WHERE first.seq = (SELECT min(seq) FROM events AS own WHERE own.game = lineage.game)
    AND first.type = 'game_forked'
)
"""
"""The lines that a line inherits from, and up to which seq. A fork may name a line that only inherits the point.

UNION drops repetitions, so that even a ring of forks (somebody wrote into the file) comes to an end.
"""

_FOLLOW_1: Final = f"""
CREATE TRIGGER events_follow BEFORE INSERT ON events BEGIN
  SELECT RAISE(ABORT, 'the log is append-only: this event is there already')
  WHERE EXISTS (SELECT 1 FROM events WHERE position = NEW.position)
     OR EXISTS (SELECT 1 FROM events WHERE game = NEW.game AND seq = NEW.seq)
     OR EXISTS (SELECT 1 FROM events WHERE event_id = NEW.event_id)
     OR EXISTS (SELECT 1 FROM events WHERE hash = NEW.hash);
  SELECT RAISE(ABORT, 'the log has no gaps: the position is not the next one')
  WHERE NEW.position IS NOT (SELECT coalesce(max(position), 0) + 1 FROM events);
  SELECT RAISE(ABORT, 'the log has no gaps: there is no such event for this one to follow')
  WHERE NOT CASE
    WHEN EXISTS (SELECT 1 FROM events WHERE game = NEW.game)
      THEN NEW.type NOT IN ('game_opened', 'game_forked')
       AND EXISTS (SELECT 1 FROM events WHERE game = NEW.game AND seq = NEW.seq - 1 AND hash = NEW.prev)
    WHEN NEW.type = 'game_opened' THEN NEW.seq = 1 AND NEW.prev = '{GENESIS}'
    WHEN NEW.type = 'game_forked'
      THEN instr(NEW.body, '{{"at":' || (NEW.seq - 1) || ',"parent":"') = 1
       AND instr(NEW.body, '","parent_head":"' || NEW.prev || '","reason":"') > 0
       AND EXISTS (
         SELECT 1 FROM (
           {LINEAGE.format(game=_PARENT.format(body="NEW.body"), upto="NEW.seq - 1")}
           SELECT events.seq, events.hash FROM lineage JOIN events ON events.game = lineage.game
           WHERE events.seq = NEW.seq - 1 AND lineage.upto >= NEW.seq - 1
         ) AS point WHERE point.hash = NEW.prev
       )
    ELSE 0
  END;
END
"""

_FOLLOW: Final = f"""
CREATE TRIGGER events_follow BEFORE INSERT ON events BEGIN
  SELECT CASE
    WHEN EXISTS (SELECT 1 FROM events WHERE position = NEW.position)
      OR EXISTS (SELECT 1 FROM events WHERE game = NEW.game AND seq = NEW.seq)
      OR EXISTS (SELECT 1 FROM events WHERE event_id = NEW.event_id)
      THEN RAISE(ABORT, 'the log is append-only: this event is there already')
    WHEN NEW.position IS NOT (SELECT coalesce(max(position), 0) + 1 FROM events)
      THEN RAISE(ABORT, 'the log has no gaps: the position is not the next one')
    ELSE RAISE(ABORT, 'the log has no gaps: there is no such event for this one to follow')
  END
  WHERE (
    NEW.position = (SELECT coalesce(max(position), 0) + 1 FROM events)
    AND NOT EXISTS (SELECT 1 FROM events WHERE event_id = NEW.event_id)
    AND CASE
      WHEN NEW.type NOT IN ('game_opened', 'game_forked') THEN EXISTS (
        SELECT 1 FROM (SELECT seq, hash FROM events WHERE game = NEW.game ORDER BY seq DESC LIMIT 1) AS last
        WHERE last.seq = NEW.seq - 1 AND last.hash = NEW.prev
      )
      WHEN EXISTS (SELECT 1 FROM events WHERE game = NEW.game) THEN 0
      WHEN NEW.type = 'game_opened' THEN NEW.seq = 1 AND NEW.prev = '{GENESIS}'
      ELSE instr(NEW.body, '{{"at":' || (NEW.seq - 1) || ',"parent":"') = 1
       AND instr(NEW.body, '","parent_head":"' || NEW.prev || '","reason":"') > 0
       AND EXISTS (
         SELECT 1 FROM (
           {LINEAGE.format(game=_PARENT.format(body="NEW.body"), upto="NEW.seq - 1")}
           SELECT events.seq, events.hash FROM lineage JOIN events ON events.game = lineage.game
           WHERE events.seq = NEW.seq - 1 AND lineage.upto >= NEW.seq - 1
         ) AS point WHERE point.hash = NEW.prev
       )
    END
  ) IS NOT TRUE;
END
"""
"""The same law as the first one's, but it asks what lets a row in, and why not only of what is refused.

It leaves equal hashes to the audit: a hash covers its row's game, seq and id, and no two rows share these.
"""

_NO_UPDATE: Final = """
CREATE TRIGGER events_stay BEFORE UPDATE ON events BEGIN
  SELECT RAISE(ABORT, 'the log is append-only: no event is changed');
END
"""

_NO_DELETE: Final = """
CREATE TRIGGER events_remain BEFORE DELETE ON events BEGIN
  SELECT RAISE(ABORT, 'the log is append-only: no event is removed');
END
"""


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
    for trigger in (_FOLLOW_1, _NO_UPDATE, _NO_DELETE):
        db.execute(trigger)


def _m002_seen(db: "Database") -> None:
    """Which lines had hidden cards shown, and at which seq first. A note, no law: it is under no hash."""
    db.table("seen").create({"game": str, "at": int}, pk="game", not_null={"at"}, strict=True)


def _m003_without_an_index_of_hashes(db: "Database") -> None:
    """Appending costs half: hashes fall anywhere in an index, so that every event wrote a page of its own.

    A guard that somebody has dropped or changed stays as it is, and named by `missing_guards`.
    """
    db.execute("DROP INDEX IF EXISTS idx_events_hash")
    if "events_follow" not in missing_guards(db.conn):
        db.execute("DROP TRIGGER events_follow")
        db.execute(_FOLLOW)


MIGRATIONS: Final[tuple[Callable[["Database"], None], ...]] = (
    _m001_events,
    _m002_seen,
    _m003_without_an_index_of_hashes,
)
VERSION: Final = len(MIGRATIONS)
"""The `user_version` of a log that has every table."""
READABLE: Final = 2
"""The `user_version` from which on a log has all that reading asks for: its next writer migrates it."""


_IDENTITY: Final = """
SELECT application_id, user_version, (SELECT count(*) FROM sqlite_schema)
FROM pragma_application_id, pragma_user_version
"""


def is_begun(connection: Connection, path: Path) -> bool:
    """True for a log of ours that this ddz can read; False for a database in which there is nothing yet.

    Raises:
        BrokenLog: `log/foreign`, it belongs to another program.
        UnsupportedVersion: a newer ddz made it.
    """
    # One statement sees one moment: another process may be creating the log just now.
    application, version, tables = connection.execute(_IDENTITY).fetchone()
    if application == APPLICATION_ID:
        if version > VERSION:
            raise UnsupportedVersion(
                f"{path} was made by a newer ddz (tables {version}, this one knows {VERSION}): install a newer one",
                "log/newer",
            )
        return True
    if application == 0 and tables == 0:
        return False
    raise BrokenLog(f"{path} is no log of ddz: it is a database of another program", "log/foreign")


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
        is_begun(connection, path)
        done = version_of(connection)
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


def missing_guards(connection: Connection) -> list[str]:
    """The triggers of a log that somebody has dropped or changed, by name."""
    there = dict(fetched(connection, "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'"))
    follow = _FOLLOW if version_of(connection) >= 3 else _FOLLOW_1
    expected = {"events_follow": follow, "events_stay": _NO_UPDATE, "events_remain": _NO_DELETE}
    return [name for name, sql in expected.items() if there.get(name, "").strip() != sql.strip()]
