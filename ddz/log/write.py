"""What may be appended, for every log alike. The storage below only stores, inside a transaction that it opens."""

import re
from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache
from typing import Final, Protocol

import msgspec

from ddz.errors import Refused, StaleLog, UnknownGame
from ddz.frozen.events import Event, GameForked, GameOpened, tag_of
from ddz.log import chain, codec
from ddz.log.base import GENESIS, Row
from ddz.log.lineage import Lineage

COMMAND_ID_LENGTH: Final = 64
GAME_ID_LENGTH: Final = 64
_TIME: Final = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|\+00:00)"


class AppendPoint(msgspec.Struct, frozen=True):
    """What an append to a line needs to know of the log."""

    position: int
    """Of the newest row of the log, 0 in an empty one."""
    known: bool
    """The command has appended before."""
    last: Row | None
    """The last row that the line itself has; None if there is no such line."""


class AppendStore(Protocol):
    """What the rules here ask of a storage."""

    def append_point(self, game: str, command_id: str) -> AppendPoint:
        """What an append asks first, all at once."""
        ...

    def find(self, command_id: str) -> tuple[Row, ...]:
        """The rows that a command has appended."""
        ...

    def begun(self, beginning: str) -> tuple[Row, ...]:
        """The rows of the oldest command whose id begins with `beginning` and a dot."""
        ...

    def own(self, game: str) -> tuple[Row, ...]:
        """The rows that a line itself has, in order."""
        ...

    def last_own(self, game: str) -> Row | None:
        """The last row that the line itself has; None if there is no such line."""
        ...

    def by_event_id(self, event_id: str) -> Row | None:
        """The row with this id."""
        ...

    def last_position(self) -> int:
        """The position of the newest row, 0 in an empty log."""
        ...

    def insert(self, rows: Sequence[Row]) -> None:
        """Store rows, in order."""
        ...


def check_command_id(command_id: str) -> None:
    """Refuse an id that could not be told from an event's, or not be printed.

    Raises:
        Refused: `log/bad-command-id`.
    """
    if 1 <= len(command_id) <= COMMAND_ID_LENGTH and command_id.isprintable() and "/" not in command_id:
        return
    raise Refused(
        "log/bad-command-id",
        "{command_id} cannot be the id of a command: 1 to {most} printable characters without '/'",
        command_id=repr(command_id),
        most=COMMAND_ID_LENGTH,
    )


def check_game_id(game: str) -> None:
    """Refuse an id that could not be printed, or that JSON would not write as it is.

    Raises:
        Refused: `log/bad-game-id`.
    """
    if 1 <= len(game) <= GAME_ID_LENGTH and game.isprintable() and not set(game) & set('"\\/@'):
        return
    raise Refused(
        "log/bad-game-id",
        "{game} cannot be the id of a game: 1 to {most} printable characters without quotes, '/' or '@'",
        game=repr(game),
        most=GAME_ID_LENGTH,
    )


@lru_cache(1024)
def is_time(at: str) -> bool:
    """True for a time in UTC as RFC 3339 writes it, of a day that there is."""
    try:
        return re.fullmatch(_TIME, at, re.ASCII) is not None and datetime.fromisoformat(at) is not None
    except ValueError:
        return False


def append(
    store: AppendStore,
    game: str,
    expected_seq: int,
    events: Sequence[Event],
    command_id: str,
    at: str,
    unless: str | None = None,
) -> tuple[Row, ...]:
    """Append one command's events, or answer what it appended the first time; as `EventLog.append`.

    Raises:
        BrokenLog: the line's last event, or what the command appended the first time, is not what was hashed.
        StaleLog: the line's last event is not `expected_seq`.
        Refused: `log/command-reused`, `log/bad-command-id`, `log/bad-game-id`, `log/bad-batch`,
            `log/bad-fork`.
        UnknownGame: the parent of a fork does not exist.
        ValueError: no events, or an `at` that is no time in UTC: a fault of the program.
    """
    check_command_id(command_id)
    if not events:
        raise ValueError("a command appends at least one event")
    if not is_time(at):
        raise ValueError(f"not a time as RFC 3339 writes it in UTC: {at!r}")
    encoded = [codec.encode(event) for event in events]
    # Known commands first, before staleness: the retry of a command that is stored is always stale.
    append_point = store.append_point(game, command_id)
    if append_point.known:
        return _repeated(store.find(command_id), game, events, command_id)
    if unless is not None and (rows_before := store.begun(unless)):
        return rows_before
    before = _predecessor(store, append_point.last, game, expected_seq, events[0])
    prev = before.hash if before else GENESIS
    rows: list[Row] = []
    for index, (type, version, body) in enumerate(encoded):
        place, seq = append_point.position + 1 + index, expected_seq + 1 + index
        row = chain.sealed(Row(place, game, seq, f"{command_id}/{index}", type, version, at, body, prev, ""))
        if problems := chain.link_problems(before, row):
            raise Refused("log/bad-batch", "this cannot be appended: {why}", why=problems[0])
        rows.append(row)
        before, prev = row, row.hash
    store.insert(rows)
    return tuple(rows)


def _repeated(known: tuple[Row, ...], game: str, events: Sequence[Event], command_id: str) -> tuple[Row, ...]:
    # As events, since an older version may have written the rows.
    same = [codec.event_of(row) for row in map(chain.sound, known)] == list(events)
    if same and all(row.game == game for row in known):
        return known
    raise Refused(
        "log/command-reused",
        "the command id {command} was used before, for something else in game {game}",
        game=known[0].game,
        command=command_id,
    )


def _predecessor(store: AppendStore, last: Row | None, game: str, expected_seq: int, first: Event) -> Row | None:
    """The row that the batch follows, `last` if the line has one already; None for a game that it opens."""
    if last is not None:
        if chain.sound(last).seq != expected_seq:
            raise StaleLog(game, expected_seq, last.seq)
        return last
    check_game_id(game)
    if isinstance(first, GameForked):
        if first.at != expected_seq:
            raise Refused(
                "log/bad-fork",
                "a fork at {at} continues there, not at {expected}",
                at=first.at,
                expected=expected_seq,
            )
        return fork_point(store, first)
    if expected_seq != 0:
        raise StaleLog(game, expected_seq, 0)
    if isinstance(first, GameOpened) and first.game == game:
        return None
    raise Refused(
        "log/bad-batch",
        "there is no game {game}, and this {type} event does not open it",
        game=game,
        type=tag_of(first),
    )


def fork_point(store: AppendStore, event: GameForked, lineage: Lineage | None = None) -> Row:
    """The event after which a fork leaves its parent. A caller that asks for many forks passes their `lineage`.

    Raises:
        UnknownGame: there is no such parent.
        Refused: `log/bad-fork`, it has another event there, or none.
    """
    # Only the line that has the point itself is read, however many stand between it and the parent that is named.
    owner = (lineage or Lineage(store.own)).owner(event.parent, event.at)
    if owner is None and not store.own(event.parent):
        raise UnknownGame("game/no-parent", "there is no game {parent} to fork", parent=event.parent)
    for row in store.own(owner) if owner is not None else ():
        if row.seq == event.at and row.hash == event.parent_head:
            return row
    raise Refused(
        "log/bad-fork",
        "game {parent} has no event {at} with the hash that the fork names",
        parent=event.parent,
        at=event.at,
    )
