"""The statements of the log in a SQLite file: what `sqlite` says to its table of events."""

from typing import Final

from ddz.log.base import ENDINGS
from ddz.log.guards import LINEAGE
from ddz.log.indexes import MATCH, PARENT

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
NEWEST: Final = f"{SCAN} WHERE position = (SELECT max(position) FROM events NOT INDEXED)"
LAST_POSITION: Final = "SELECT coalesce(max(position), 0) FROM events NOT INDEXED"
BEFORE: Final = f"{SCAN} WHERE position <= ? ORDER BY position DESC LIMIT ?"
FIRST: Final = f"{SELECT} WHERE game = ? ORDER BY seq LIMIT 1"
LAST_UPTO: Final = f"{SELECT} WHERE game = ? AND position <= ? ORDER BY seq DESC LIMIT 1"
OWN_BETWEEN: Final = "SELECT count(*) FROM events WHERE game = ? AND position BETWEEN ? AND ?"
SEEN: Final = "SELECT at FROM seen WHERE game = ?"
_OVER: Final = ", ".join(f"'{type}'" for type in ENDINGS)
FORKS: Final = f"SELECT game FROM events WHERE type = 'game_forked' AND {PARENT} = ? ORDER BY +position"
ALL_FORKS: Final = f"SELECT {PARENT}, game FROM events NOT INDEXED WHERE type = 'game_forked' ORDER BY position"
"""For a log that has no index of them yet."""
GAMES_IN: Final = f"""
SELECT game FROM events WHERE type = 'game_opened' AND {MATCH} <> game AND {MATCH} = ? ORDER BY +position
"""
UNFINISHED: Final = """
SELECT game FROM unfinished
ORDER BY (SELECT position FROM events WHERE events.game = unfinished.game ORDER BY seq DESC LIMIT 1) DESC
"""
BEGIN: Final = "INSERT OR IGNORE INTO unfinished (game) VALUES (?)"
END: Final = "DELETE FROM unfinished WHERE game = ?"
_IDS: Final = """
WITH RECURSIVE ids(game) AS (
  SELECT min(game) FROM events
  UNION
  SELECT (SELECT min(game) FROM events WHERE game > ids.game) FROM ids WHERE ids.game IS NOT NULL
)
"""
GOING_ON: Final = f"""
{_IDS}
SELECT game FROM ids WHERE game IS NOT NULL
AND (SELECT type FROM events WHERE events.game = ids.game ORDER BY seq DESC LIMIT 1) NOT IN ({_OVER})
"""
"""The lines that are not over, each by two looks into the index: what `unfinished` notes."""
UNNOTED: Final = f"""
SELECT * FROM ({GOING_ON} AND NOT EXISTS (SELECT 1 FROM unfinished WHERE unfinished.game = ids.game) LIMIT 20)
UNION ALL
SELECT * FROM (
  SELECT game FROM unfinished WHERE coalesce(
    (SELECT type FROM events WHERE events.game = unfinished.game ORDER BY seq DESC LIMIT 1), '{ENDINGS[0]}'
  ) IN ({_OVER}) LIMIT 20
)
"""
"""Lines that are not over and not noted, and notes of what is over or is not there."""
HASHES: Final = """
SELECT position, coalesce(CAST(hash AS TEXT), '') FROM events NOT INDEXED
WHERE position > ? AND position <= ? ORDER BY position LIMIT ?
"""
PLAIN_HASHES: Final = """
SELECT count(*), min(position), max(position), min(length(hash)),
group_concat(position || ? || hash, ?) FROM
(SELECT position, hash FROM events NOT INDEXED WHERE position > ? AND position <= ? ORDER BY position)
"""
"""As `HASHES`, as one text: to make an object of each row takes three times as long as to read them all."""
BEFORE_ALL: Final = "SELECT EXISTS (SELECT 1 FROM events NOT INDEXED WHERE position < 1)"
GROWN: Final = """
SELECT position, game FROM events AS own
WHERE position > ? AND seq = (SELECT max(seq) FROM events WHERE game = own.game) ORDER BY position LIMIT ?
"""
"""The last event of each line that has one after a position."""
NEXT_GAME: Final = (
    "SELECT CAST(min(game) AS TEXT) FROM events WHERE game > ? AND game >= ? AND game < ? || char(1114111)"
)
"""The next game that begins so; sign by sign, without LIKE or GLOB: `%` and `*` in what was typed mean themselves."""
