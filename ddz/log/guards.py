"""What guards the rows of a log against connections that are not ours: its triggers, as SQL.

Their texts are released, and so frozen: `shape` holds every log against them.
"""

from typing import Final

from ddz.log.base import GENESIS

_PARENT: Final = """substr({body}, instr({body}, '"parent":"') + 10,
    instr({body}, '","parent_head":"') - instr({body}, '"parent":"') - 10)"""
"""The parent in the canonical body of a `game_forked` of version 1. (Ids hold no quotes and no backslashes.)

Not by SQLite's JSON functions: 3.40.1 refuses them in a trigger where the schema is not trusted, and they fail on a
body that was spoilt, where this finds no such game. A version 2 needs a migration for this.
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

FOLLOW_1: Final = f"""
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

FOLLOW: Final = f"""
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
"""The same rule as the first one's, but it tests what lets a row in, and looks for the reason only if it is refused.

It leaves equal hashes to the audit: a hash covers its row's game, seq and id, and no two rows share these.
"""

NO_UPDATE: Final = """
CREATE TRIGGER events_stay BEFORE UPDATE ON events BEGIN
  SELECT RAISE(ABORT, 'the log is append-only: no event is changed');
END
"""

NO_DELETE: Final = """
CREATE TRIGGER events_remain BEFORE DELETE ON events BEGIN
  SELECT RAISE(ABORT, 'the log is append-only: no event is removed');
END
"""
