"""Which lines of a log are games to count: each game once, by the line that its match counts.

The rule is that of `services.match`, for all matches in one reading: the newest line that `back` went on in, and the
lines that a later game of the match names. An exploration never counts, not even where a match went on from one.
"""

import itertools
from collections.abc import Callable, Iterator
from typing import Final, Literal, TypeVar

import msgspec

from ddz.commands import ForkReason, Players
from ddz.errors import BrokenLog
from ddz.log import chain, codec
from ddz.log.base import EventLog, Row
from ddz.log.read import roots

Fate = Literal["over", "unfinished", "explored", "superseded"]
"""`superseded`: taken back, or a game that its match went on without."""

_BOUNDS: Final = ("game_opened", "game_forked", "game_scored")
_T = TypeVar("_T")


class Named(msgspec.Struct, frozen=True):
    """A house's rules by their name alone."""

    name: str


class Opening(msgspec.Struct, frozen=True):
    """What is asked of a `game_opened`: the event has more."""

    match: str
    round: int
    previous: str | None
    players: Players
    rules: Named


class _Forked(msgspec.Struct, frozen=True):
    parent: str
    reason: ForkReason


_OPENING: Final = msgspec.json.Decoder(Opening)
_FORKED: Final = msgspec.json.Decoder(_Forked)


def read_body(row: Row, decoder: msgspec.json.Decoder[_T]) -> _T:
    """A part of a row's event.

    Raises:
        BrokenLog: the body cannot be decoded.
        UnsupportedVersion: the event is newer than this ddz.
    """
    body = row.body
    if row.version != codec.VERSIONS.get(row.type):
        body = codec.encode(codec.event_of(row))[2]  # upcasts what is older, and refuses what is newer
    try:
        return decoder.decode(body)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        detail = f"event {row.seq} of {row.game}: the body cannot be decoded: {str(error)[:300]}"
        raise BrokenLog(detail, "integrity/body", row.seq) from None


def opening_of_row(row: Row) -> Opening:
    """How the game begins whose first event this is; raises as `read_body`."""
    if row.type != "game_opened":
        raise broken(row, "is the first there is, but opens no game")
    return read_body(row, _OPENING)


def broken(row: Row, what: str) -> BrokenLog:
    """The error for a row that cannot stand where it does."""
    return BrokenLog(f"event {row.seq} of {row.game} {what}", "integrity/gap", row.seq)


class Told(msgspec.Struct, frozen=True):
    """One line of the log."""

    game: str
    fate: Fate
    opening: Opening
    rows: tuple[Row, ...]
    """All rows from the opening to the score, inherited ones too, if it is over; else none."""


class Lines:
    """What becomes of each line of a log. Memory grows with forks, matches and unfinished games, not with games."""

    def __init__(self, log: EventLog) -> None:
        self._log = log
        self.horizon = 0
        """The position up to which the log was read: what others append meanwhile is not looked at."""
        self.number = 0
        """Games and forks."""
        self.forks: dict[str, str] = {}
        """The line that each fork names as its parent."""
        self._roots: dict[str, str] = {}
        self._openings: dict[str, Opening] = {}
        self._backs: dict[str, list[str]] = {}
        self._explored: set[str] = set()
        self._unfinished: set[str] = set()
        self._matches: dict[str, list[str]] = {}
        """The games of each match but its first, which is most often alone."""
        self._later: dict[str, tuple[int, str | None]] = {}
        """The round of each of these, and the line that it names as the one before."""
        for row in log.after(0, _BOUNDS):
            self._note(row)
        self._roots = roots(self.forks)
        self._counted = self._decided()
        self._involved = {*self._later, *self._matches, *self._backs, *self.forks}

    def fate(self, game: str) -> Fate:
        """What becomes of a line."""
        if game in self._explored:
            return "explored"
        if game in self._involved and game not in self._counted:
            return "superseded"
        return "unfinished" if game in self._unfinished else "over"

    def root(self, game: str) -> str:
        """The game that a line descends from."""
        return self._roots.get(game, game)

    def opening(self, row: Row) -> Opening:
        """How the game begins of which the fork with this first row is a line; raises as `read_body`."""
        root = self.root(row.game)
        if root not in self._openings:
            own = self._log.own(root)
            if not own or own[0].seq != 1:
                raise broken(row, "forks from a line that is not there")
            self._openings[root] = opening_of_row(chain.sound(own[0]))
        return self._openings[root]

    def _note(self, row: Row) -> None:
        self.horizon = row.position
        game = row.game
        if row.type == "game_scored":
            self._unfinished.discard(game)
            return
        self.number += 1
        self._unfinished.add(game)
        if row.type == "game_opened":
            opening = opening_of_row(row)
            if (opening.match, opening.round, opening.previous) != (game, 1, None):
                self._later[game] = opening.round, opening.previous
                self._matches.setdefault(opening.match, []).append(game)
            return
        fork = read_body(row, _FORKED)
        self.forks[game] = fork.parent
        if fork.reason == "explore" or fork.parent in self._explored:
            self._explored.add(game)
        if fork.reason == "back":
            self._backs.setdefault(fork.parent, []).append(game)

    def _decided(self) -> set[str]:
        """The lines that count, of all that have a match or a fork to decide about."""
        counted: set[str] = set()
        for games in self._matches.values():
            highest = max(self._later[game][0] for game in games)
            last = self._newest([game for game in games if self._later[game][0] == highest])
            counted |= set(self._path(self._newest_back(last)))
        alone = {game for game in self._backs if game not in self.forks} - self._later.keys() - self._matches.keys()
        return counted | {self._newest_back(game) for game in alone}

    def _path(self, line: str) -> Iterator[str]:
        """The lines that count in a match whose last one is `line`, backwards."""
        passed: set[str] = set()
        at: str | None = line
        while at is not None and at not in passed:
            passed.add(at)
            root = self.root(at)
            yield self._newest_back(root) if at in self._explored else at
            _, at = self._later.get(root, (1, None))

    def _newest_back(self, game: str) -> str:
        """The line in which `back` went on with `game`, however often; `game` itself if it never did."""
        passed: set[str] = set()
        while (children := self._backs.get(game)) and game not in passed:
            passed.add(game)
            game = self._newest(children)
        return game

    def _newest(self, games: list[str]) -> str:
        """The one of some lines that has the newest event; the log is only asked where there is a choice."""
        if len(games) == 1:
            return games[0]
        return max(games, key=lambda game: self._log.own(game)[-1].position)


def told_lines(log: EventLog, progress: Callable[[int, int], None] | None = None) -> Iterator[Told]:
    """Every line of the log, those that are over with all their rows, in the order in which they end.

    `progress` hears how many lines of how many have been told.

    Raises:
        BrokenLog: events are missing, are not what was hashed, or cannot be decoded. Chains and rules are not looked
            at: that is the audit.
        UnsupportedVersion: an event is newer than this ddz.
    """
    lines = Lines(log)
    for done, line in enumerate(_told(log, lines), 1):
        if progress:
            progress(done, lines.number)
        yield line


def _told(log: EventLog, lines: Lines) -> Iterator[Told]:
    going: dict[str, list[Row]] = {}
    for place, row in enumerate(log.after(0), 1):
        if place > lines.horizon:
            break
        if row.position != place:  # no hash says where an event stands: a gap would end the sums before their time
            raise broken(row, f"stands at position {row.position} of the log, where {place} must stand")
        rows = going.get(row.game)
        if rows is not None:
            if row.seq != rows[-1].seq + 1:
                raise broken(row, f"follows event {rows[-1].seq}")
            rows.append(row)
            if row.type == "game_scored":
                yield Told(row.game, "over", opening_of_row(rows[0]), tuple(going.pop(row.game)))
        elif row.type == "game_opened":
            fate = lines.fate(row.game)
            if fate == "over":
                going[row.game] = [row]
            else:
                yield Told(row.game, fate, opening_of_row(row), ())
        elif row.type == "game_forked":
            yield _told_fork(log, row, lines)
        elif row.type != "seed_revealed" and row.game not in lines.forks and lines.fate(row.game) == "over":
            raise broken(row, "belongs to no game that was opened")


def _told_fork(log: EventLog, row: Row, lines: Lines) -> Told:
    """A fork with what it inherits."""
    fate, opening = lines.fate(row.game), lines.opening(row)
    if fate != "over":
        return Told(row.game, fate, opening, ())
    rows = tuple(map(chain.sound, log.rows(row.game)))
    if rows[0].seq != 1:
        raise broken(row, "forks from a line that is not there")
    for before, after in itertools.pairwise(rows):
        if after.seq != before.seq + 1:
            raise broken(after, f"follows event {before.seq}")
    end = next(at for at, each in enumerate(rows, 1) if each.type == "game_scored")
    return Told(row.game, fate, opening, rows[:end])
