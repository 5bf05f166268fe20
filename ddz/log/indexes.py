"""What only says where to look in a log, as SQL: two indexes and a table. Their texts are released, and so frozen.

A statement finds by an index only what it asks for in the very words of the index: `PARENT` and `MATCH`.
"""

from typing import Final


def _named(key: str) -> str:
    """A text field of a canonical body, up to the next quote: ids hold no quotes and no backslashes.

    Not by SQLite's JSON functions, for the reasons of `guards`.
    """
    behind = f"""substr(body, instr(body, '"{key}":"') + {len(key) + 4})"""
    return f"""substr({behind}, 1, instr({behind}, '"') - 1)"""


PARENT: Final = _named("parent")
"""The line that a fork names as its parent."""
MATCH: Final = _named("match")
"""The match that a game names."""

BY_PARENT: Final = f"""
CREATE INDEX "idx_events_by_parent" ON "events" ({PARENT}) WHERE type = 'game_forked'
"""
BY_MATCH: Final = f"""
CREATE INDEX "idx_events_by_match" ON "events" ({MATCH}) WHERE type = 'game_opened' AND {MATCH} <> game
"""
"""Only the games behind the first one of a match: most games are alone, and cost nothing here."""
UNFINISHED: Final = """CREATE TABLE "unfinished" (
   "game" TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID"""
"""The lines that are not over. Noted by whoever inserts rows, in the same transaction."""
