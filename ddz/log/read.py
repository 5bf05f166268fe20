"""What every log answers alike from its raw rows: histories, the list of lines, ids by their beginning."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final, Protocol

import msgspec

from ddz.errors import BrokenLog, UnknownGame
from ddz.frozen.events import Event
from ddz.log import chain, codec
from ddz.log.base import Line, Row

LAST: Final = "@last"
CANDIDATES: Final = 5
"""How many games an ambiguous prefix names."""


class Source(Protocol):
    """What the answers here ask of a storage."""

    def rows(self, game: str, upto: int | None = None) -> tuple[Row, ...]:
        """The rows of a line, inherited ones first."""
        ...

    def last_own(self, game: str) -> Row | None:
        """The last row that the line itself has; None if there is no such line."""
        ...

    def newest(self) -> Row | None:
        """The newest row of the log."""
        ...

    def games(self, prefix: str, limit: int) -> Sequence[str]:
        """At most `limit` games whose ids begin so, in order."""
        ...


def unknown(game: str) -> UnknownGame:
    """The error for an id that names nothing."""
    return UnknownGame("game/unknown", "there is no game '{game}'", game=game)


def history(source: Source, game: str, upto: int | None) -> tuple[Event, ...]:
    """The checked events of a line; as `EventLog.history`.

    Raises:
        UnknownGame: there is no such game.
        BrokenLog: hash, chain or decoding.
        UnsupportedVersion: an event is newer than this ddz.
    """
    rows = source.rows(game, upto)
    if not rows:
        last = source.last_own(game)
        if last is None:
            raise unknown(game)
        if upto is None or last.seq <= upto:
            raise BrokenLog(
                "log/damaged",
                "event {seq} of {game} is there, but is not found among the events of {game}",
                seq=last.seq,
                game=game,
            )
    for problem in chain.verify_rows(rows):
        raise problem.error()
    return tuple(codec.event_of(row) for row in rows)


def resolve(source: Source, prefix: str) -> str:
    """The id that `prefix` begins; as `EventLog.resolve`.

    Raises:
        UnknownGame: there is none, or there are several.
    """
    if prefix == LAST:
        newest = source.newest()
        if newest is None:
            raise UnknownGame("game/none", "there is no last game: the log is empty")
        return newest.game
    if not prefix or not prefix.isprintable():
        raise unknown(prefix)
    if source.last_own(prefix) is not None:
        return prefix
    found = source.games(prefix, CANDIDATES + 1)
    if not found:
        raise unknown(prefix)
    if len(found) > 1:
        names = ", ".join(found[:CANDIDATES]) + (", ..." if len(found) > CANDIDATES else "")
        raise UnknownGame("game/ambiguous", "several games begin with '{prefix}': {games}", prefix=prefix, games=names)
    return found[0]


class Hashed(Protocol):
    """What the head of a log is made of."""

    def last_position(self) -> int:
        """As `EventLog.last_position`."""
        ...

    def hashes(self, upto: int) -> Iterator[Sequence[tuple[int, str]]]:
        """As `EventLog.hashes`."""
        ...


def head(log: Hashed) -> str:
    """The head of a whole log as it stands, N:DIGEST."""
    check = chain.LogCheck()
    for piece in log.hashes(log.last_position()):
        check.add(piece)
    return check.head


class _ForkFacts(msgspec.Struct):
    """What the list of lines needs to know of a fork, read leniently: listing is no check."""

    parent: str
    at: int
    reason: str


def _fork_facts(first: Row) -> _ForkFacts | None:
    """None for a game that is no fork, and for a fork whose bytes were spoilt: the audit says so, the list goes on."""
    if first.type != "game_forked":
        return None
    try:
        return msgspec.json.decode(first.body, type=_ForkFacts)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None


def line_of(first: Row, last: Row, seen: bool, found: bool = True) -> Line:
    """A line from its first and its last own row; `found`: by the line's id."""
    facts = _fork_facts(first)
    return Line(
        game=first.game,
        parent=facts.parent if facts else None,
        forked_at=facts.at if facts else None,
        reason=facts.reason if facts else None,
        opened_at=first.at,
        last_seq=last.seq,
        last_position=last.position,
        last_type=last.type,
        last_at=last.at,
        seen=seen,
        sound=found and not (chain.hash_problems(first) or chain.hash_problems(last)),
    )


def families(
    games: Iterable[str], line: Callable[[str], Line | None], forks: Callable[[str], Iterable[str]]
) -> list[Line]:
    """The lines of some families; as `EventLog.families`. `forks` answers which lines name a line as their parent."""
    found: dict[str, Line] = {}
    for game in games:
        path: list[Line] = []
        at, passed = line(game), set[str]()
        while at is not None and at.game not in passed:
            passed.add(at.game)
            path.append(at)
            at = None if at.parent is None else line(at.parent)
        if at is not None:  # a ring
            found[game] = path[0]
            continue
        going = [each for each in path[-1:] if each.game not in found]
        while going:
            each = going.pop()
            found[each.game] = each
            children = map(line, forks(each.game))
            going += [child for child in children if child is not None and child.parent == each.game]
    return list(found.values())


def roots(parents: Mapping[str, str]) -> dict[str, str]:
    """The line that each fork descends from; itself where somebody has written a ring of forks."""
    found: dict[str, str] = {}
    for game in parents:
        passed: dict[str, None] = {}
        at = game
        while at in parents and at not in found and at not in passed:
            passed[at] = None
            at = parents[at]
        in_ring = at in passed or found.get(at) == at
        found.update({each: each if in_ring else found.get(at, at) for each in passed})
    return found
