"""The lines of a log as statistics count them: games that are over, and what does not count and why.

Which line of a game counts is the rule of `services.fates`, here for all matches in one reading.
"""

import itertools
from collections.abc import Callable, Iterator
from typing import Final, Literal, TypeVar

import msgspec

from ddz import places
from ddz.errors import BrokenLog, Phrase
from ddz.frozen.shapes import ForkReason, Players
from ddz.frozen.versions import VERSIONS
from ddz.log import chain, codec
from ddz.log.base import EventLog, Row
from ddz.services.fates import Fates

Status = Literal["over", "unfinished", "explored", "superseded"]
"""What a line counts as: a game that is over, one that goes on, or not at all (see `fates`)."""

_BOUNDS: Final = ("game_opened", "game_forked", "game_scored")
_T = TypeVar("_T")


class NamedRules(msgspec.Struct, frozen=True):
    """Rules, of which only the name is read."""

    name: str


class OpeningFacts(msgspec.Struct, frozen=True):
    """What the statistics need of a `game_opened`: the event has more."""

    match: str
    round: int
    previous: str | None
    players: Players
    rules: NamedRules


class _Forked(msgspec.Struct, frozen=True):
    parent: str
    reason: ForkReason


_OPENING: Final = msgspec.json.Decoder(OpeningFacts)
_FORKED: Final = msgspec.json.Decoder(_Forked)


def read_body(row: Row, decoder: msgspec.json.Decoder[_T]) -> _T:
    """A part of a row's event.

    Raises:
        BrokenLog: the body cannot be decoded.
        UnsupportedVersion: the event is newer than this ddz.
    """
    body = row.body
    if row.version != VERSIONS.get(row.type):
        body = codec.encode(codec.event_of(row))[2]  # upcasts what is older, and refuses what is newer
    try:
        return decoder.decode(body)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise BrokenLog(
            "integrity/body",
            "{where}: {why}",
            seq=row.seq,
            where=places.event(row.game, row.seq),
            why=Phrase("body/undecodable", "the body cannot be decoded: {complaint}", complaint=str(error)[:300]),
        ) from None


def opening_of_row(row: Row) -> OpeningFacts:
    """The opening of the game with this first row; raises as `read_body`."""
    if row.type != "game_opened":
        raise broken(row, Phrase("fork/no-opening", "is the first there is, but opens no game"))
    return read_body(row, _OPENING)


def broken(row: Row, what: Phrase) -> BrokenLog:
    """The error for a row that cannot stand where it does."""
    return BrokenLog("integrity/gap", "event {seq} of {game} {what}", seq=row.seq, game=row.game, what=what)


class CountedLine(msgspec.Struct, frozen=True):
    """One line of the log."""

    game: str
    status: Status
    opening: OpeningFacts
    rows: tuple[Row, ...]
    """All rows from the opening to the score, inherited ones too, if it is over; else none."""


class LineIndex:
    """What becomes of each line of a log. Memory grows with forks, matches and unfinished games, not with games."""

    def __init__(self, log: EventLog) -> None:
        self._log = log
        self.horizon = 0
        """The position up to which the log was read: what others append meanwhile is ignored."""
        self.number = 0
        """Games and forks."""
        self.fates = Fates(lambda game: log.own(game)[-1].position)
        self._openings: dict[str, OpeningFacts] = {}
        self._unfinished: set[str] = set()
        for row in log.after(0, _BOUNDS):
            self._note(row)

    def status(self, game: str) -> Status:
        """What a line counts as."""
        fate = self.fates.fate(game)
        if fate != "counts":
            return fate
        return "unfinished" if game in self._unfinished else "over"

    def opening(self, row: Row) -> OpeningFacts:
        """The opening of the game that a fork belongs to, by the fork's first row; raises as `read_body`."""
        root = self.fates.root(row.game)
        if root not in self._openings:
            own = self._log.own(root)
            if not own or own[0].seq != 1:
                raise broken(row, Phrase("fork/no-parent", "forks from a line that is not there"))
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
            self.fates.note_game(game, opening.match, opening.round, opening.previous)
        else:
            fork = read_body(row, _FORKED)
            self.fates.note_fork(game, fork.parent, fork.reason)


def counted_lines(log: EventLog, progress: Callable[[int, int], None] | None = None) -> Iterator[CountedLine]:
    """Every line of the log, those that are over with all their rows, in the order in which they end.

    `progress` is called with the number of lines done and the number of all lines.

    Raises:
        BrokenLog: events are missing, are not what was hashed, or cannot be decoded. Chains and rules are not looked
            at: that is the audit.
        UnsupportedVersion: an event is newer than this ddz.
    """
    lines = LineIndex(log)
    for done, line in enumerate(_counted(log, lines), 1):
        if progress:
            progress(done, lines.number)
        yield line


def _counted(log: EventLog, lines: LineIndex) -> Iterator[CountedLine]:
    going: dict[str, list[Row]] = {}
    for place, row in enumerate(log.after(0), 1):
        if place > lines.horizon:
            break
        if row.position != place:  # no hash says where an event stands: a gap would end the sums before their time
            raise broken(
                row,
                Phrase(
                    "row/position",
                    "stands at position {position} of the log, where {expected} must stand",
                    position=row.position,
                    expected=place,
                ),
            )
        rows = going.get(row.game)
        if rows is not None:
            if row.seq != rows[-1].seq + 1:
                raise broken(row, Phrase("row/gap", "follows event {before}", before=rows[-1].seq))
            rows.append(row)
            if row.type == "game_scored":
                yield CountedLine(row.game, "over", opening_of_row(rows[0]), tuple(going.pop(row.game)))
        elif row.type == "game_opened":
            status = lines.status(row.game)
            if status == "over":
                going[row.game] = [row]
            else:
                yield CountedLine(row.game, status, opening_of_row(row), ())
        elif row.type == "game_forked":
            yield _counted_fork(log, row, lines)
        elif row.type != "seed_revealed" and row.game not in lines.fates.forks and lines.status(row.game) == "over":
            raise broken(row, Phrase("row/no-game", "belongs to no game that was opened"))


def _counted_fork(log: EventLog, row: Row, lines: LineIndex) -> CountedLine:
    """A fork with what it inherits."""
    status, opening = lines.status(row.game), lines.opening(row)
    if status != "over":
        return CountedLine(row.game, status, opening, ())
    rows = tuple(map(chain.sound, log.rows(row.game)))
    if rows[0].seq != 1:
        raise broken(row, Phrase("fork/no-parent", "forks from a line that is not there"))
    for before, after in itertools.pairwise(rows):
        if after.seq != before.seq + 1:
            raise broken(after, Phrase("row/gap", "follows event {before}", before=before.seq))
    end = next(at for at, each in enumerate(rows, 1) if each.type == "game_scored")
    return CountedLine(row.game, status, opening, rows[:end])
