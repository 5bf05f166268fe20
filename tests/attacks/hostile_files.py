"""Makes hostile files, by Python and its own sqlite3 alone: what somebody hands over and calls a log of ddz.

`python tests/attacks/hostile_files.py HONEST.db FOLDER` takes an honest log, whose newest game is over, and makes of
it everything that `CORPUS` names, a file each (some with files beside them). It knows ddz's shapes but not its code.
"""

import json
import os
import random
import shutil
import socket
import sqlite3
import struct
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

APPLICATION_ID = 0x64647A31
COLUMNS = ("position", "game", "seq", "event_id", "type", "version", "at", "body", "prev", "hash")
Row = dict[str, Any]
Json = dict[str, Any]


class Hostile(NamedTuple):
    """How a file is made, and what a check must make of it."""

    make: Callable[[Path, Path], object]
    """Of the honest log at the first path, at the second."""
    sound: bool | None
    """True: nothing is wrong with it. False: `audit --all` must not pass. None: either."""


CORPUS: dict[str, Hostile] = {}
HEAVY = ("body-long", "name-long", "huge-blob", "forks-deep", "forks-many")
"""What takes time to make and to read, however well it is read."""


def hostile(name: str, sound: bool | None = False) -> Callable[[Callable[[Path, Path], object]], Any]:
    """Enter a file into the corpus."""

    def enter(make: Callable[[Path, Path], object]) -> Callable[[Path, Path], object]:
        assert name not in CORPUS
        CORPUS[name] = Hostile(make, sound)
        return make

    return enter


# ---- what the makers stand on ----


@contextmanager
def changing(honest: Path, path: Path) -> Iterator[sqlite3.Connection]:
    """A copy of the honest log, without its guards until all is done to it; nothing waits for the disk."""
    shutil.copy(honest, path)
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA synchronous=OFF")
        guards = db.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' ORDER BY rowid").fetchall()
        for name, _ in guards:
            db.execute(f"DROP TRIGGER {name}")
        db.execute("BEGIN")
        yield db
        if db.in_transaction:
            db.execute("COMMIT")
        with suppress(sqlite3.OperationalError):  # what is no table any more takes no guards
            for _, text in guards:
                db.execute(text)


def by_sql(name: str, *statements: str, sound: bool | None = False) -> None:
    """A file that some statements make; the guards are gone meanwhile."""

    def make(honest: Path, path: Path) -> None:
        with changing(honest, path) as db:
            for statement in statements:
                db.execute(statement)

    hostile(name, sound)(make)


def by_schema(name: str, *statements: str, sound: bool | None = False) -> None:
    """A file whose table of the schema is written to."""

    def make(honest: Path, path: Path) -> None:
        with changing(honest, path) as db:
            db.execute("COMMIT")
            db.execute("PRAGMA writable_schema=ON")
            for statement in statements:
                db.execute(statement)
            db.execute("PRAGMA writable_schema=OFF")

    hostile(name, sound)(make)


def hash_of(row: Row) -> str:
    """The hash that ddz would give a row."""
    parts = [row[name] for name in ("game", "seq", "event_id", "type", "version", "at", "body", "prev")]
    raw = [str(part).encode(errors="surrogatepass") for part in ("ddz-log-event-v1", *parts)]
    return sha256(b"".join(struct.pack(">I", len(part)) + part for part in raw)).hexdigest()


def newest(db: sqlite3.Connection) -> list[Row]:
    """The rows of the newest game."""
    found = db.execute("SELECT * FROM events WHERE game = (SELECT game FROM events ORDER BY position DESC LIMIT 1)")
    return [dict(zip(COLUMNS, row, strict=True)) for row in found]


def chained(rows: list[Row]) -> list[Row]:
    """The rows with hashes and links that hold."""
    prev = rows[0]["prev"]
    for row in rows:
        row["prev"] = prev
        row["hash"] = prev = hash_of(row)
    return rows


def put(db: sqlite3.Connection, rows: list[Row]) -> None:
    """Store rows, in the place of those at the same position."""
    marks = ", ".join("?" * len(COLUMNS))
    db.executemany(f"INSERT OR REPLACE INTO events VALUES ({marks})", [[row[name] for name in COLUMNS] for row in rows])


def rewritten(name: str, change: Callable[[list[Row]], object], sound: bool | None = False) -> None:
    """A file whose newest game was changed and hashed anew, so that nothing but its law speaks against it."""

    def make(honest: Path, path: Path) -> None:
        with changing(honest, path) as db:
            rows = newest(db)
            db.execute("DELETE FROM events WHERE position >= ?", (rows[0]["position"],))
            change(rows)
            put(db, chained(rows))

    hostile(name, sound)(make)


def of_type(rows: list[Row], type: str) -> Row:
    """The first row of a type."""
    return next(row for row in rows if row["type"] == type)


def bodied(name: str, type: str, change: Callable[[str], str], sound: bool | None = False) -> None:
    """A file in which the text of one body is another, hashed anew."""

    def edit(rows: list[Row]) -> None:
        row = of_type(rows, type)
        row["body"] = change(row["body"])

    rewritten(name, edit, sound)


def told(body: Json) -> str:
    """An object as ddz writes it."""
    return json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def valued(name: str, type: str, change: Callable[[Json], object], sound: bool | None = False) -> None:
    """A file in which one event says other things, in the canonical form."""

    def edit(body: str) -> str:
        said = json.loads(body)
        change(said)
        return told(said)

    bodied(name, type, edit, sound)


def columned(name: str, sound: bool | None = None, **values: Any) -> None:
    """A file in which the last row has other values, hashed anew."""
    rewritten(name, lambda rows: rows[-1].update(values), sound)


# ---- views and virtual tables in the place of tables ----

ENDLESS = "WITH RECURSIVE more(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM more)"
AS_EVENTS = (
    "n AS position, 'endless' AS game, n AS seq, 'c/' || n AS event_id, 'dealt' AS type, 1 AS version,"
    " '2024-05-06T07:00:00Z' AS at, '{}' AS body, '' AS prev, '' AS hash"
)
by_sql("view-endless", "DROP TABLE events", f"CREATE VIEW events AS {ENDLESS} SELECT {AS_EVENTS} FROM more")
by_sql("view-of-events", "ALTER TABLE events RENAME TO kept", "CREATE VIEW events AS SELECT * FROM kept")
by_sql(
    "view-of-products",
    "ALTER TABLE events RENAME TO kept",
    "CREATE VIEW events AS SELECT kept.* FROM kept, kept AS b, kept AS c, kept AS d, kept AS e, kept AS f",
)
by_sql("view-of-itself", "DROP TABLE events", "CREATE VIEW events AS SELECT * FROM events")
by_sql(
    "view-of-heavy-values",
    "ALTER TABLE events RENAME TO kept",
    "CREATE VIEW events AS SELECT position, game, seq, event_id, type, version, at,"
    " hex(zeroblob(500000000)) AS body, prev, hash FROM kept",
)
by_sql(
    "view-endless-seen", "DROP TABLE seen", f"CREATE VIEW seen AS {ENDLESS} SELECT 'g' || n AS game, n AS at FROM more"
)
by_sql("seen-is-gone", "DROP TABLE seen")
by_sql("events-are-gone", "DROP TABLE events")
by_schema(
    "virtual-unknown",
    "DROP TABLE events",
    "INSERT INTO sqlite_schema VALUES ('table', 'events', 'events', 0, 'CREATE VIRTUAL TABLE events USING nothing(a)')",
)
by_schema(
    "virtual-json-each",
    "DROP TABLE events",
    "INSERT INTO sqlite_schema VALUES"
    " ('table', 'events', 'events', 0, 'CREATE VIRTUAL TABLE events USING fts5(position, game, seq, body)')",
)
by_schema(
    "virtual-seen",
    "DROP TABLE seen",
    "INSERT INTO sqlite_schema VALUES ('table', 'seen', 'seen', 0, 'CREATE VIRTUAL TABLE seen USING rtree(a, b, c)')",
)

# ---- triggers ----

INSERT = f"INSERT INTO events ({', '.join(COLUMNS)})"
SHIFTED = ", ".join(f"NEW.{name}" if name not in ("position", "event_id") else f"NEW.{name} || 'x'" for name in COLUMNS)
by_sql("trigger-ignores", "CREATE TRIGGER more BEFORE INSERT ON events BEGIN SELECT RAISE(IGNORE); END")
by_sql("trigger-ignores-seen", "CREATE TRIGGER more BEFORE INSERT ON seen BEGIN SELECT RAISE(IGNORE); END")
by_sql("trigger-aborts", "CREATE TRIGGER more BEFORE INSERT ON events BEGIN SELECT RAISE(ABORT, '\x1b[2J no'); END")
by_sql("trigger-rolls-back", "CREATE TRIGGER more AFTER INSERT ON events BEGIN SELECT RAISE(ROLLBACK, 'no'); END")
by_sql("trigger-forgets", "CREATE TRIGGER more AFTER INSERT ON seen BEGIN DELETE FROM seen; END")
by_sql(
    "trigger-endless",
    f"CREATE TRIGGER more BEFORE INSERT ON events BEGIN SELECT count(*) FROM ({ENDLESS} SELECT n FROM more); END",
)
by_sql(
    "trigger-recursive",
    "CREATE TABLE pit (n INTEGER)",
    "CREATE TRIGGER deeper AFTER INSERT ON pit BEGIN INSERT INTO pit VALUES (NEW.n + 1), (NEW.n + 2); END",
    "CREATE TRIGGER more AFTER INSERT ON events BEGIN INSERT INTO pit VALUES (1); END",
)
by_sql("trigger-functions", "CREATE TRIGGER more BEFORE INSERT ON events BEGIN SELECT load_extension('/tmp/evil'); END")
by_sql(
    "trigger-instead-of",
    "ALTER TABLE events RENAME TO kept",
    "CREATE VIEW events AS SELECT * FROM kept",
    "CREATE TRIGGER more INSTEAD OF INSERT ON events BEGIN SELECT 1; END",
)
by_schema(
    "trigger-under-a-guard's-name",
    "CREATE TRIGGER events_extra BEFORE INSERT ON events BEGIN SELECT RAISE(IGNORE); END",
    "UPDATE sqlite_schema SET name = 'EVENTS_FOLLOW' WHERE name = 'events_extra'",
)


@hostile("guards-are-gone")
def _guards_are_gone(honest: Path, path: Path) -> None:
    with changing(honest, path):
        pass
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
            db.execute(f"DROP TRIGGER {name}")


# ---- more tables, indexes and columns than there should be ----

by_sql("table-more", "CREATE TABLE more (a)")
by_sql("tables-many", *(f"CREATE TABLE more{number} (a)" for number in range(400)))
by_sql("index-more", "CREATE INDEX more ON events (position, hash)")
by_schema(
    "index-partial",
    "CREATE INDEX more ON events (game)",
    "UPDATE sqlite_schema SET sql = 'CREATE INDEX more ON events (game) WHERE length(hex(zeroblob(300000000))) > 0'"
    " WHERE name = 'more'",
)
by_schema(
    "index-of-heavy-expressions",
    "CREATE INDEX more ON events (body)",
    "UPDATE sqlite_schema SET sql = 'CREATE INDEX more ON events (hex(zeroblob(400000000)))' WHERE name = 'more'",
)
by_sql("index-unique", "CREATE UNIQUE INDEX more ON events (at, type, body, position)")
by_sql(
    "index-descending",
    "DROP INDEX idx_events_game_seq",
    'CREATE UNIQUE INDEX "idx_events_game_seq" ON events (game DESC, seq DESC)',
)
by_sql("index-is-gone", "DROP INDEX idx_events_game_seq")
by_sql("column-more", "ALTER TABLE events ADD COLUMN more TEXT")
by_sql("column-generated", "ALTER TABLE events ADD COLUMN more TEXT AS (hex(zeroblob(300000000))) VIRTUAL")
by_sql(
    "column-less",
    *("DROP INDEX idx_events_by_parent", "DROP INDEX idx_events_by_match"),
    "ALTER TABLE events DROP COLUMN body",
)
by_sql("column-renamed", "ALTER TABLE events RENAME COLUMN hash TO digest")
by_sql("analysed", "ANALYZE", sound=None)
TABLE = "SELECT sql FROM sqlite_schema WHERE name = 'events'"


def rebuilt(name: str, change: Callable[[str], str]) -> None:
    """A file whose table of events was made by another statement; its rows are the same."""

    def make(honest: Path, path: Path) -> None:
        with changing(honest, path) as db:
            text = db.execute(TABLE).fetchone()[0]
            changed = change(text)
            assert changed != text
            db.execute("ALTER TABLE events RENAME TO kept")
            db.execute(changed)
            db.execute("INSERT INTO events SELECT * FROM kept")
            db.execute("DROP TABLE kept")
            db.execute('CREATE UNIQUE INDEX "idx_events_game_seq"\n    ON "events" ("game", "seq")')
            db.execute('CREATE UNIQUE INDEX "idx_events_event_id"\n    ON "events" ("event_id")')

    hostile(name)(make)


rebuilt("table-without-rowid", lambda text: text.replace("STRICT", "STRICT, WITHOUT ROWID"))
rebuilt("table-not-strict", lambda text: text.replace(" STRICT", ""))
rebuilt("table-of-nulls", lambda text: text.replace(" NOT NULL", ""))
rebuilt("table-collated", lambda text: text.replace('"game" TEXT', '"game" TEXT COLLATE NOCASE'))
rebuilt("table-defaulted", lambda text: text.replace('"at" TEXT', "\"at\" TEXT DEFAULT 'then'"))
by_schema(
    "table-checked",
    """UPDATE sqlite_schema SET sql =
    replace(sql, '"body" TEXT', '"body" TEXT CHECK (length(hex(zeroblob(300000000))) > 0)') WHERE name = 'events'""",
)
by_schema("schema-garbage", "UPDATE sqlite_schema SET sql = 'CREATE NONSENSE \x1b[2J' WHERE name = 'events'")
by_schema("schema-no-text", "UPDATE sqlite_schema SET sql = CAST(x'43FFFE' AS TEXT) WHERE name = 'events'")
by_schema("schema-null", "UPDATE sqlite_schema SET sql = NULL WHERE name = 'events'")
by_schema("schema-root-of-another", "UPDATE sqlite_schema SET rootpage = 1 WHERE name = 'seen'")
by_schema("schema-root-beyond", "UPDATE sqlite_schema SET rootpage = 99999 WHERE name = 'events'")
by_schema(
    "schema-roots-alike",
    "UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'events')"
    " WHERE name = 'seen'",
)
by_schema(
    "schema-collation-unknown",
    "UPDATE sqlite_schema SET sql = replace(sql, '(\"game\"', '(\"game\" COLLATE NOTHING') WHERE name LIKE 'idx%'",
)
by_schema("schema-twice", "INSERT INTO sqlite_schema SELECT * FROM sqlite_schema WHERE name = 'seen'")

# ---- the file as a whole ----


def vacuumed(name: str, *pragmas: str, sound: bool | None = None) -> None:
    """The same log, its file made anew under other settings."""

    def make(honest: Path, path: Path) -> None:
        shutil.copy(honest, path)
        with closing(sqlite3.connect(path, isolation_level=None)) as db:
            db.execute("PRAGMA journal_mode=DELETE")
            for pragma in pragmas:
                db.execute(f"PRAGMA {pragma}")
            db.execute("VACUUM")

    hostile(name, sound)(make)


vacuumed("pages-of-512", "page_size=512", sound=True)
vacuumed("pages-of-65536", "page_size=65536", sound=True)
vacuumed("auto-vacuum", "auto_vacuum=FULL", sound=True)
vacuumed("auto-vacuum-incremental", "auto_vacuum=INCREMENTAL", sound=True)
for number in (0, 1, -1, 2**31 - 1):
    vacuumed(f"application-id-{number}", f"application_id={number}", sound=False)
for number in (0, 1, 2, 5, 99, -1, -(2**31), 2**31 - 1):
    vacuumed(f"user-version-{number}", f"user_version={number}", sound=None if number in (0, 1, 2) else False)


@hostile("utf-16")
def _utf16(honest: Path, path: Path, encoding: str = "UTF-16le") -> None:
    with closing(sqlite3.connect(honest)) as source, closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute(f"PRAGMA encoding='{encoding}'")
        schema = source.execute("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY type = 'trigger'")
        rows = source.execute("SELECT * FROM events").fetchall()
        texts = [text for (text,) in schema]
        for text in texts:
            if "TRIGGER" not in text:
                db.execute(text)
        db.execute("BEGIN")
        db.executemany(f"INSERT INTO events VALUES ({', '.join('?' * len(COLUMNS))})", rows)
        db.execute("COMMIT")
        for text in texts:
            if "TRIGGER" in text:
                db.execute(text)
        db.execute(f"PRAGMA application_id={APPLICATION_ID}")
        db.execute(f"PRAGMA user_version={source.execute('PRAGMA user_version').fetchone()[0]}")


@hostile("utf-16be")
def _utf16be(honest: Path, path: Path) -> None:
    _utf16(honest, path, "UTF-16be")


# ---- values of other types, by a table that took them ----


def loose(name: str, column: str, value: Any, where: str = "position = (SELECT max(position) FROM events)") -> None:
    """A value that the table as it says of itself would never have taken."""

    def make(honest: Path, path: Path) -> None:
        with changing(honest, path) as db:
            text = db.execute(TABLE).fetchone()[0]
            lax = text.replace(" NOT NULL", "").replace(" STRICT", "").replace(f'"{column}" TEXT', f'"{column}"')
            _retell(db, lax)
            db.execute(f"UPDATE events SET {column} = {value} WHERE {where}")
            _retell(db, text)

    hostile(name)(make)


def _retell(db: sqlite3.Connection, text: str) -> None:
    if db.in_transaction:
        db.execute("COMMIT")
    db.execute("PRAGMA writable_schema=ON")
    db.execute("UPDATE sqlite_schema SET sql = ? WHERE name = 'events'", (text,))
    db.execute("PRAGMA writable_schema=RESET")


for column in COLUMNS[1:]:
    loose(f"null-{column}", column, "NULL")
    loose(f"no-text-{column}", column, "CAST(x'41FFFE42' AS TEXT)")
    loose(f"blob-{column}", column, "x'00FF'")
for column in ("seq", "version"):
    loose(f"float-{column}", column, "1.5")
loose("nulls-everywhere", "game", "NULL, seq = NULL, type = NULL, hash = NULL, body = NULL, version = NULL", "1")
loose("huge-blob", "body", "zeroblob(100000000)")
by_sql("position-negative", "UPDATE events SET position = -position")
by_sql("position-huge", f"UPDATE events SET position = {2**63 - 1} WHERE position = (SELECT max(position) FROM events)")
by_sql("position-gap", "UPDATE events SET position = position + 1000 WHERE position > 5")
by_sql("position-zero", "UPDATE events SET position = 0 WHERE position = 1")
by_sql("seen-strangers", "INSERT INTO seen VALUES ('\x1b[2Jnobody', -5), ('', 9223372036854775807)", sound=None)
columned("seq-huge", False, seq=2**63 - 1)
columned("seq-negative", False, seq=-5)
columned("version-zero", False, version=0)
columned("version-negative", False, version=-1)
columned("version-newer", None, version=2)
columned("version-huge", None, version=2**63 - 1)
columned("type-unknown", None, type="cards_eaten")
columned("type-escape", None, type="\x1b[2J")
columned("type-empty", None, type="")

# ---- bodies, hashed anew ----

DEEP = 100_000
bodied("body-empty", "cards_played", lambda _: "")
bodied("body-null", "cards_played", lambda _: "null")
bodied("body-list", "cards_played", lambda _: "[]")
bodied("body-deep", "cards_played", lambda _: "[" * DEEP + "]" * DEEP)
bodied("body-deep-open", "cards_played", lambda _: "[" * DEEP)
bodied(
    "body-deep-inside",
    "game_opened",
    lambda body: body.replace('"origin":null', '"origin":' + '{"a":' * DEEP + "1" + "}" * DEEP),
)
bodied(
    "body-long",
    "game_opened",
    lambda body: body.replace('"voice_from"', '"more":"' + "x" * 100_000_000 + '","voice_from"'),
)
valued("name-long", "game_opened", lambda body: body["players"][0].update(name="x" * 50_000_000), None)
bodied("number-huge", "game_scored", lambda body: body.replace('"payouts":[', '"payouts":[' + "9" * 4001 + ","))
bodied("payout-huge", "game_scored", lambda body: body.replace('"multiplier":', '"multiplier":1' + "0" * 4000))
valued("payouts-huge", "game_scored", lambda body: body["score"].update(payouts=[10**4000, -(10**4000), 0]))
valued("base-huge", "landlord_chosen", lambda body: body.update(base=10**400))
valued("seat-huge", "cards_played", lambda body: body.update(seat=2**70))
valued("round-huge", "game_opened", lambda body: body.update(round=10**30), None)
bodied("number-nan", "landlord_chosen", lambda body: body.replace('"base":', '"base":NaN,"b":'))
bodied("number-infinity", "landlord_chosen", lambda body: body.replace('"base":', '"base":1e999,"b":'))
bodied("key-twice", "cards_played", lambda body: body.replace("{", '{"seat":2,', 1))
bodied("escape-invalid", "game_opened", lambda body: body.replace('"nonce":"', '"nonce":"\\x'))
bodied("surrogate-escaped", "game_opened", lambda body: body.replace('"name":"', '"name":"\\ud800'))
bodied("blanks", "cards_played", lambda body: body.replace(",", ", "))
bodied("bom", "cards_played", lambda body: "\ufeff" + body)
valued("field-more", "cards_played", lambda body: body.update(more=1))
valued("field-less", "cards_played", lambda body: body.pop("seat"))
for at, (kind, value) in enumerate({"list": [], "float": 0.5, "text": "x", "true": True}.items()):
    for type in ("game_opened", "dealt", "game_scored"):

        def _spoil(body: Json, value: Any = value, at: int = at) -> None:
            names = sorted(name for name in body if name != "type")
            body[names[at % len(names)]] = value

        valued(f"{type.replace('_', '-')}-{kind}", type, _spoil)
valued("rules-huge", "game_opened", lambda body: body["rules"].update(bomb=10**300, rocket=10**300))
valued("rules-negative", "game_opened", lambda body: body["rules"].update(bomb=-1, escape_factor=0))
ESCAPES = "\x1b]0;owned\x07\x1b[2J\u202e"
valued("rules-escape", "game_opened", lambda body: body["rules"].update(name=ESCAPES))
valued("name-escape", "game_opened", lambda body: body["players"][0].update(name=ESCAPES), None)
valued("commitment-escape", "game_opened", lambda body: body.update(commitment=ESCAPES))
valued("seed-no-hex", "game_opened", lambda body: body.update(nonce="zz", server_seed=ESCAPES))
valued("seat-seeds-escape", "game_opened", lambda body: body.update(seat_seeds=[ESCAPES, "", ""]))
valued("match-escape", "game_opened", lambda body: body.update(match=ESCAPES))
valued("previous-nobody", "game_opened", lambda body: body.update(previous="nobody", round=2), None)
valued("previous-itself", "game_opened", lambda body: body.update(previous=body["game"], round=2), None)
valued("revealed-other", "seed_revealed", lambda body: body.update(server_seed="00" * 32))
valued("cards-twice", "dealt", lambda body: body.update(hands=[body["hands"][0]] * 3))
valued(
    "bot-of-a-stranger", "game_opened", lambda body: body["players"][0].update(bot="exec:touch owned", kind="bot"), None
)


# ---- ids and times ----


def called(name: str, game: str, sound: bool | None = None) -> None:
    """A file whose newest game has another id, everywhere."""

    def edit(rows: list[Row]) -> None:
        for row in rows:
            row["game"] = game
        body = json.loads(rows[0]["body"])
        rows[0]["body"] = told({**body, "game": game, "match": game})

    rewritten(name, edit, sound)


called("id-option", "--help")
called("id-last", "@last")
called("id-path", "../../../tmp/owned")
called("id-absolute", "/tmp/owned")
called("id-empty", "")
called("id-escape", ESCAPES)
called("id-lines", "a\nb\r\nc")
called("id-long", "x" * 20_000)
called("id-nul", "a\0b")
called("id-quote", "a','b\"; DROP TABLE events; --")
called("id-percent", "%s{game}%n")
columned("command-slash", event_id="a/b/c/0")
columned("command-bare", event_id="abc")
columned("command-option", event_id="--help/0")
columned("command-escape", event_id=f"{ESCAPES}/0")
columned("command-path", event_id="../../etc/passwd/0")
columned("time-escape", at=ESCAPES)
columned("time-empty", at="")
columned("time-long", at="9" * 1_000_000)
columned("time-far", at="999999999-99-99T99:99:99Z")
columned("time-digits", at="٢٠٢٤-٠٥-٠٦T٠٧:٠٠:٠٠Z")


# ---- forks ----


def fork(position: int, game: str, parent: str, at: int, head: str, prev: str | None = None) -> Row:
    """The first row of a fork."""
    body = told({"at": at, "parent": parent, "parent_head": head, "reason": "explore", "type": "game_forked"})
    row = dict(zip(COLUMNS, (position, game, at + 1, f"c{position}/0", "game_forked", 1), strict=False))
    row |= {"at": "2024-05-06T07:00:00.000Z", "body": body, "prev": head if prev is None else prev}
    return row | {"hash": hash_of(row)}


def forked(name: str, make: Callable[[list[Row]], list[Row]], sound: bool | None = False) -> None:
    """A file with more forks, made from the rows of the newest game."""

    def build(honest: Path, path: Path) -> None:
        with changing(honest, path) as db:
            put(db, make(newest(db)))

    hostile(name, sound)(build)


def _next(rows: list[Row]) -> int:
    return int(rows[-1]["position"]) + 1


def _ring(rows: list[Row]) -> list[Row]:
    one = fork(_next(rows), "ringa", "ringb", 3, "0" * 64)
    other = fork(_next(rows) + 1, "ringb", "ringa", 4, one["hash"])
    return [fork(_next(rows), "ringa", "ringb", 5, other["hash"]), other]


def _deep(rows: list[Row], levels: int = 5000) -> list[Row]:
    made: list[Row] = []
    parent, at, head = rows[2]["game"], rows[2]["seq"], rows[2]["hash"]
    for level in range(levels):
        made.append(fork(_next(rows) + level, f"deep{level}", parent, at, head))
        parent, at, head = made[-1]["game"], made[-1]["seq"], made[-1]["hash"]
    return made


def _of_itself(rows: list[Row]) -> list[Row]:
    return [fork(_next(rows), "itself", "itself", 3, rows[2]["hash"])]


forked("forks-ring", _ring)
forked("forks-itself", _of_itself)
forked("forks-nothing", lambda rows: [fork(_next(rows), "orphan", "nobody", 3, "0" * 64)])
forked("forks-at-zero", lambda rows: [fork(_next(rows), "zero", rows[0]["game"], 0, "0" * 64)])
forked("forks-behind-the-end", lambda rows: [fork(_next(rows), "behind", rows[0]["game"], 9999, rows[-1]["hash"])])
forked("forks-beyond", lambda rows: [fork(_next(rows), "beyond", rows[0]["game"], 2**63 - 2, rows[-1]["hash"])])
forked("forks-parent-escape", lambda rows: [fork(_next(rows), "escape", ESCAPES, 3, rows[2]["hash"])])
forked("forks-deep", _deep, None)
forked(
    "forks-many",
    lambda rows: [fork(_next(rows) + n, f"many{n}", rows[0]["game"], 3, rows[2]["hash"]) for n in range(3000)],
    None,
)

# ---- what is no database, or has another's files beside it ----


def raw(name: str, content: Callable[[bytes], bytes], sound: bool | None = False) -> None:
    """A file of bytes that are made of the honest log's."""
    hostile(name, sound)(lambda honest, path: path.write_bytes(content(honest.read_bytes())))


raw("empty", lambda _: b"")
raw("one-byte", lambda _: b"S")
raw("magic-alone", lambda _: b"SQLite format 3\0")
raw("header-alone", lambda data: data[:100])
raw("zeros", lambda _: bytes(8192))
raw("noise", lambda _: random.Random(1).randbytes(8192))
raw("text", lambda _: b'[meta]\nid = "\x1b[2J"\n')
raw("json-deep", lambda _: b"[" * DEEP)
raw("toml-deep", lambda _: b"a = " + b"[" * DEEP)
raw("events-huge-number", lambda _: b'{"format":"ddz-events/1","game":"g","head":' + b"9" * DEEP + b"}\n")
raw("half", lambda data: data[: len(data) // 2])
raw("twice", lambda data: data + data, None)
raw("reserved-bytes", lambda data: data[:20] + b"\xff" + data[21:])
raw("size-in-header", lambda data: data[:28] + b"\xff\xff\xff\xff" + data[32:])
raw("free-pages-endless", lambda data: data[:32] + struct.pack(">II", 2, 2**31) + data[40:])


def beside(name: str, ending: str, content: Callable[[bytes], bytes], sound: bool | None = None) -> None:
    """The honest log with something beside it that SQLite looks at."""

    def make(honest: Path, path: Path) -> None:
        shutil.copy(honest, path)
        path.with_name(path.name + ending).write_bytes(content(honest.read_bytes()))

    hostile(name, sound)(make)


def _journal_of_another(data: bytes) -> bytes:
    """A rollback journal that is hot, of a database that is not this one: its page 1 is another program's."""
    head = bytes.fromhex("d9d505f920a163d7") + struct.pack(">IIIII", 1, 0, len(data) // 4096, 512, 4096)
    page = (b"SQLite format 3\0" + bytes(4080))[:4096]
    check = sum(page[at] for at in range(4096 - 200, 0, -200)) & 0xFFFFFFFF
    return head.ljust(512, b"\0") + struct.pack(">I", 1) + page + struct.pack(">I", check)


beside("journal-hot", "-journal", _journal_of_another)
beside("journal-noise", "-journal", lambda _: random.Random(2).randbytes(9000), True)
beside("wal-noise", "-wal", lambda _: random.Random(3).randbytes(9000), True)
beside("wal-zeros", "-wal", lambda _: bytes(40_000), True)
beside("shm-noise", "-shm", lambda _: random.Random(4).randbytes(32768), True)


@hostile("wal-of-another", None)
def _wal_of_another(honest: Path, path: Path) -> None:
    shutil.copy(honest, path)
    other = path.with_name("another.db")
    with closing(sqlite3.connect(other, isolation_level=None)) as db:
        db.execute("PRAGMA journal_mode=WAL")
        db.execute("CREATE TABLE strange (a)")
        db.execute("INSERT INTO strange SELECT 1")
        shutil.copy(f"{other}-wal", f"{path}-wal")
    other.unlink()


@hostile("wal-is-a-folder", None)
def _wal_is_a_folder(honest: Path, path: Path) -> None:
    shutil.copy(honest, path)
    Path(f"{path}-wal").mkdir()
    Path(f"{path}-journal").mkdir()


@hostile("wal-is-a-loop", None)
def _wal_is_a_loop(honest: Path, path: Path) -> None:
    shutil.copy(honest, path)
    Path(f"{path}-wal").symlink_to(f"{path}-wal")


@hostile("folder")
def _folder(honest: Path, path: Path) -> None:
    del honest
    path.mkdir()


@hostile("pipe")
def _pipe(honest: Path, path: Path) -> None:
    del honest
    os.mkfifo(path)


@hostile("socket")
def _socket(honest: Path, path: Path) -> None:
    del honest
    here = Path.cwd()
    os.chdir(path.parent)  # the name of a socket has 108 bytes
    try:
        with closing(socket.socket(socket.AF_UNIX)) as made:
            made.bind(path.name)
    finally:
        os.chdir(here)


@hostile("link-to-itself")
def _link_to_itself(honest: Path, path: Path) -> None:
    del honest
    path.symlink_to(path.name)


@hostile("link-to-nothing", None)
def _link_to_nothing(honest: Path, path: Path) -> None:
    del honest
    path.symlink_to("nothing-there")


@hostile("link-to-zeros")
def _link_to_zeros(honest: Path, path: Path) -> None:
    del honest
    path.symlink_to("/dev/zero")


@hostile("sparse")
def _sparse(honest: Path, path: Path) -> None:
    del honest
    with path.open("wb") as file:
        file.truncate(4 << 30)


@hostile("sparse-tail", None)
def _sparse_tail(honest: Path, path: Path) -> None:
    shutil.copy(honest, path)
    with path.open("r+b") as file:
        file.truncate(4 << 30)


def main(honest: Path, folder: Path) -> None:
    """Make all of them."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, made in CORPUS.items():
        made.make(honest, folder / f"{name}.db")
    print(f"{len(CORPUS)} files in {folder}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
