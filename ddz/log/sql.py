"""The statements of the log in a SQLite file: what `sqlite` says to its table of events."""

from typing import Final

from ddz.log.guards import LINEAGE

BEYOND: Final = 2**63 - 1
"""The greatest integer of SQLite."""

COLUMNS: Final = "position, game, seq, event_id, type, version, at, body, prev, hash"
INSERT: Final = f"INSERT INTO events ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
SELECT: Final = f"SELECT {COLUMNS} FROM events"
SCAN: Final = f"{SELECT} NOT INDEXED"
"""By position, which is the table itself: what an index says is not asked."""
OWN: Final = f"{SELECT} WHERE game = ? AND seq <= ? ORDER BY seq, position"
STANDING: Final = (
    "SELECT (SELECT max(position) FROM events), "
    f"EXISTS (SELECT 1 FROM events WHERE event_id >= ? AND event_id < ?), {COLUMNS} "
    "FROM events WHERE game = ? ORDER BY seq DESC LIMIT 1"
)
LINE: Final = (
    LINEAGE.format(game="?", upto="?")
    + f"SELECT {', '.join('events.' + name for name in COLUMNS.split(', '))}"
    + " FROM lineage JOIN events ON events.game = lineage.game AND events.seq <= lineage.upto"
    + " ORDER BY events.seq, events.position"
)
SPAN: Final = (
    f"{SELECT} WHERE game BETWEEN CAST(? AS TEXT) AND CAST(? AS TEXT) AND position <= ? ORDER BY game, seq, position"
)
IDS: Final = """
WITH RECURSIVE ids(game) AS (
  SELECT min(game) FROM events
  UNION ALL
  SELECT (SELECT min(game) FROM events WHERE game > ids.game) FROM ids WHERE ids.game IS NOT NULL
)
SELECT CAST(game AS BLOB) FROM ids WHERE game IS NOT NULL
"""
"""Every id once, each by one look into the index; DISTINCT would look at every event. As bytes: it need be no text."""
SEE: Final = "INSERT OR IGNORE INTO seen (game, at) VALUES (?, ?)"
SEE_TOO: Final = """
INSERT OR IGNORE INTO seen (game, at) SELECT ?1, max(1, min(?2, last))
FROM (SELECT max(seq) AS last FROM events WHERE game = ?1) WHERE last IS NOT NULL
"""
"""Another log's note, of a line that is here by now; what was seen there of events that are not here stays seen."""
COMMAND: Final = f"{SELECT} WHERE event_id >= ? AND event_id < ? ORDER BY seq"
"""A command's rows, from its id and a slash up to its id and the sign after the slash, which is 0."""
OLDEST: Final = f"{SELECT} WHERE event_id >= ? AND event_id < ? ORDER BY +position LIMIT 1"
"""The first row of the commands whose ids begin alike: from a dot after the beginning up to the sign after the dot.

`+` keeps SQLite from walking through the whole table in the order of the positions.
"""
EVENT: Final = f"{SELECT} WHERE event_id = ?"
LAST: Final = f"{SELECT} WHERE game = ? ORDER BY seq DESC LIMIT 1"
NEWEST: Final = f"{SCAN} ORDER BY position DESC LIMIT 1"
LAST_POSITION: Final = "SELECT coalesce(max(position), 0) FROM events NOT INDEXED"
ENDS: Final = f"""
{SELECT} JOIN (SELECT game, min(seq) AS first, max(seq) AS last FROM events GROUP BY game) USING (game)
WHERE seq IN (first, last) ORDER BY game, seq
"""
"""The first and the last own row of every line; one statement, so that it sees one moment of the log."""
HASHES: Final = """
SELECT position, coalesce(CAST(hash AS TEXT), '') FROM events NOT INDEXED
WHERE position > ? AND position <= ? ORDER BY position LIMIT ?
"""
GROWN: Final = """
SELECT position, game FROM events AS own
WHERE position > ? AND seq = (SELECT max(seq) FROM events WHERE game = own.game) ORDER BY position LIMIT ?
"""
"""The last event of each line that has one after a position."""
NEXT_GAME: Final = (
    "SELECT CAST(min(game) AS TEXT) FROM events WHERE game > ? AND game >= ? AND game < ? || char(1114111)"
)
"""The next game that begins so; sign by sign, without LIKE or GLOB: `%` and `*` in what was typed mean themselves."""
