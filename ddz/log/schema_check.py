"""What the whole schema of a log must be. A file is compared with this before any of its rows is read or written.

A schema is a stranger's text: another trigger may swallow what is stored, a view may stand in the place of the events,
and another index may answer for rows that are not there.
"""

import re
from collections.abc import Mapping
from typing import Final, Literal

import msgspec

from ddz.errors import Phrase
from ddz.log.driver import Connection, fetched
from ddz.log.guards import FOLLOW, FOLLOW_1, NO_DELETE, NO_UPDATE
from ddz.log.indexes import BY_MATCH, BY_PARENT, UNFINISHED

_EVENTS: Final = """CREATE TABLE "events" (
   "position" INTEGER PRIMARY KEY,
   "game" TEXT NOT NULL,
   "seq" INTEGER NOT NULL,
   "event_id" TEXT NOT NULL,
   "type" TEXT NOT NULL,
   "version" INTEGER NOT NULL,
   "at" TEXT NOT NULL,
   "body" TEXT NOT NULL,
   "prev" TEXT NOT NULL,
   "hash" TEXT NOT NULL
) STRICT"""
_SEEN: Final = """CREATE TABLE "seen" (
   "game" TEXT PRIMARY KEY,
   "at" INTEGER NOT NULL
) STRICT"""

Name = tuple[str, str]
"""(type, name) of an object of the schema: `("trigger", "events_stay")`."""
SchemaObjects = dict[Name, tuple[str, str | None]]
"""(table, text) of each object; SQLite's own index of a primary key has no text."""

MOST_OBJECTS: Final = 50
"""A log has at most 12; in a file with more, only this many are looked at."""
LONGEST_TEXT: Final = 20_000
"""Characters of an object's text; ours have at most 2,300."""


def expected(version: int) -> SchemaObjects:
    """The schema of a log after its first `version` migrations."""
    shape: SchemaObjects = {
        ("table", "events"): ("events", _EVENTS),
        ("index", "idx_events_game_seq"): ("events", _index("game_seq", "game", "seq")),
        ("index", "idx_events_event_id"): ("events", _index("event_id", "event_id")),
        ("trigger", "events_follow"): ("events", FOLLOW if version >= 3 else FOLLOW_1),
        ("trigger", "events_stay"): ("events", NO_UPDATE),
        ("trigger", "events_remain"): ("events", NO_DELETE),
    }
    if version < 3:
        shape["index", "idx_events_hash"] = ("events", _index("hash", "hash"))
    if version >= 2:
        shape["table", "seen"] = ("seen", _SEEN)
        shape["index", "sqlite_autoindex_seen_1"] = ("seen", None)
    if version >= 4:
        shape["index", "idx_events_by_parent"] = ("events", BY_PARENT)
        shape["index", "idx_events_by_match"] = ("events", BY_MATCH)
        shape["table", "unfinished"] = ("unfinished", UNFINISHED)
    return shape


def _index(name: str, *columns: str) -> str:
    listed = ", ".join(f'"{column}"' for column in columns)
    return f'CREATE UNIQUE INDEX "idx_events_{name}"\n    ON "events" ({listed})'


class SchemaDifference(msgspec.Struct, frozen=True):
    """One thing of a log's schema that is not as ddz makes it."""

    type: str
    """`table`, `index`, `trigger`, `view`; `encoding` for that of all text."""
    name: str
    how: Literal["is missing", "is not as ddz makes it", "is none of ddz's"]

    @property
    def phrase(self) -> Phrase:
        """What is not as it should be."""
        match self.how:
            case "is missing":
                return Phrase("schema/missing", "the {type} {name} is missing", type=self.type, name=self.name)
            case "is not as ddz makes it":
                return Phrase(
                    "schema/changed", "the {type} {name} is not as ddz makes it", type=self.type, name=self.name
                )
            case "is none of ddz's":
                return Phrase("schema/strange", "the {type} {name} is none of ddz's", type=self.type, name=self.name)

    def __str__(self) -> str:
        return str(self.phrase)


def differences(connection: Connection) -> list[SchemaDifference]:
    """Everything in a log's schema that is not as ddz makes it; empty for a log that is whole.

    Raises:
        sqlite3.DatabaseError: as the driver does; the schema itself may be damaged.
    """
    found: list[SchemaDifference] = []
    encoding = str(connection.execute("PRAGMA encoding").fetchone()[0])
    if encoding != "UTF-8":
        found.append(SchemaDifference("encoding", encoding, "is not as ddz makes it"))
    shape = expected(int(connection.execute("PRAGMA user_version").fetchone()[0]))
    pages: set[int] = set()
    for type, name, table, page, text in fetched(connection, _SCHEMA, (LONGEST_TEXT, MOST_OBJECTS)):
        wanted = shape.pop((type, name), None)
        if wanted is None:
            found.append(SchemaDifference(str(type), str(name), "is none of ddz's"))
        elif table != wanted[0] or not _same(text, wanted[1]) or page in pages:
            found.append(SchemaDifference(type, name, "is not as ddz makes it"))
        if page:  # triggers have none; two that share one would be read as each other
            pages.add(page)
    return found + [SchemaDifference(type, name, "is missing") for type, name in shape]


_SCHEMA: Final = "SELECT type, name, tbl_name, rootpage, substr(sql, 1, ?) FROM sqlite_schema LIMIT ?"


def _same(text: object, wanted: str | None) -> bool:
    if not isinstance(text, str) or wanted is None:
        return text is wanted
    return text.strip() == wanted.strip() or _tokens(text) == _tokens(wanted)


_TOKEN: Final = r"""'(?:[^']|'')*'|"[^"]*"|\[[^\]]*\]|`[^`]*`|\w+|\S"""
_QUOTES: Final[Mapping[str, str]] = {'"': '"', "[": "]", "`": "`"}


def _tokens(sql: str) -> list[str]:
    """The words and signs of a statement: releases of sqlite-utils quote, break and capitalise them differently."""
    return [token if token[0] == "'" else _bare(token).lower() for token in re.findall(_TOKEN, sql)]


def _bare(token: str) -> str:
    inner = token[1:-1]
    quoted = len(token) > 2 and token[-1] == _QUOTES.get(token[0])
    return inner if quoted and re.fullmatch(r"[A-Za-z_]\w*", inner, re.ASCII) else token
