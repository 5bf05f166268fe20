"""A new log with everything of an old one that verifies and is lawful, and a list of what is not.

A line is taken whole, or cut after its last good event: what is left is an unfinished game, and is named as cut.
In three steps: rows that follow each other by hash go into a log beside the new one; each line of it is judged there;
what stands is written into the new one, as anything is that is taken over. Nothing is kept in memory but exceptions.
"""

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

import msgspec

from ddz.errors import BrokenLog, Finding
from ddz.log import codec, files
from ddz.log.adopt import id_taken
from ddz.log.base import EventLog, Row, Taking
from ddz.log.lenient import pages_of
from ddz.log.lineage import parent_named
from ddz.log.pages import Pages
from ddz.log.stores import open_log
from ddz.services.judge import findings, judge_for
from ddz.signs import shown
from ddz.state import START, State, evolve, in_batch

MOST_TRIES: Final = 50
"""Places at which a faulty line is cut on trial, each before the one tried last."""
MOST_GAPS: Final = 1000
"""Stretches of positions that are named one by one."""
LONGEST_NAME: Final = 64


class NotTaken(msgspec.Struct, frozen=True):
    """Something that was not taken."""

    what: str
    """`line`: nothing of it was taken; `tail`: its beginning was; `positions`: nothing can be read there; `beside`."""
    game: str | None
    seq: int | None
    """The last event of a line that was taken, of a `tail`."""
    first: int | None
    """The first position, and the last one, of a stretch."""
    last: int | None
    code: str
    detail: str


class Salvaged(msgspec.Struct, frozen=True):
    """The result of a salvage."""

    lines: int
    events: int
    left: tuple[NotTaken, ...]

    @property
    def whole(self) -> bool:
        """True if everything was taken."""
        return not self.left


def salvage(source: Path, target: Path, report: Callable[[str], object] = lambda _: None) -> Salvaged:
    """Make the new log `target` of what verifies in the log at `source`. `report` hears of the steps by name.

    Raises:
        Unreadable: there is no file at `source`, or it cannot be read.
        Refused: `log/file-exists`, there is something at `target` already.
        BrokenLog: `log/nothing`, not one line verifies; there is no new log then.
        StorageRefused: `target` cannot be written.
    """
    with files.placed(target) as place:
        report("reading")
        with pages_of(source, place.with_name("copy")) as (pages, why), closing(_made(place.with_name("rows"))) as log:
            rescue = _Rescue(log)
            rescue.take(pages)
            seen = {game: at for game, at in pages.seen() if log.own(game)}
        # Opened again: the first step has written without waiting for the disk.
        with closing(open_log(place.with_name("rows"), create=False)) as log, closing(_made(place)) as new:
            report("judging")
            rescue.judge(log)
            report("writing")
            taken = new.adopt(rescue.kept(log), seen, judge_for(new))
        if not taken.lines:
            raise BrokenLog(
                "log/nothing",
                "there is nothing in {source} that verifies as an event of a log of ddz",
                source=str(source),
            )
        beside = () if why is None else (NotTaken("beside", None, None, None, None, "log/damaged", why),)
        return Salvaged(taken.lines, taken.events, (*beside, *rescue.gaps, *rescue.left.values()))


def _made(path: Path) -> EventLog:
    files.create(path)
    log = open_log(path, create=True)
    log.relax_sync()  # a killed salvage leaves nothing, and a finished one is synced to the disk as a whole
    return log


class _Rescue:
    """The rows of a broken log on their way through a log beside it."""

    def __init__(self, log: EventLog) -> None:
        self._log = log
        self.left: dict[str, NotTaken] = {}
        """By the id of the line, or of one that was not even begun."""
        self.gaps: list[NotTaken] = []
        self._upto: dict[str, int] = {}
        """The last event that is kept, of a line that is not kept whole; 0 if nothing is."""

    def take(self, pages: Pages) -> None:
        """Take every row that follows the one before it in its line, and note where a line breaks off."""
        after = 0
        with self._log.taking() as adoption:
            for row in pages.rows():
                if row.position > after:
                    self._missing(after + 1, row.position - 1)
                    after = row.position
                try:
                    _take(adoption, row)
                except BrokenLog as error:
                    self._break_off(row, error)
        self._missing(after + 1, pages.reached())
        if lost := pages.missing():
            detail = f"the file is cut: it has lost {lost} pages at its end"
            self.gaps.append(NotTaken("positions", None, None, None, None, "log/damaged", detail))

    def _missing(self, first: int, last: int) -> None:
        if first <= last and len(self.gaps) < MOST_GAPS:
            detail = f"no event can be read at the positions {first} to {last}"
            self.gaps.append(NotTaken("positions", None, None, first, last, "integrity/position", detail))

    def _break_off(self, row: Row, error: BrokenLog) -> None:
        game = shown(row.game)[:LONGEST_NAME]
        if game not in self.left:
            self.left[game] = NotTaken("tail", game, None, None, None, error.code, str(error))

    def judge(self, log: EventLog) -> None:
        """Judge each line, those that others descend from first, and say up to where it is kept."""
        self._log = log
        for row in log.after(0, ("game_opened", "game_forked")):
            rows = log.rows(row.game)
            upto, finding = self._kept_upto(rows)
            own = rows[-1].seq
            broken = self.left.get(row.game)
            if upto < own:
                self._upto[row.game] = upto
            if finding is not None or broken is not None:
                code, detail = (broken.code, broken.detail) if broken else (finding.code, finding.detail)  # type: ignore[union-attr]
                what = "tail" if upto else "line"
                self.left[row.game] = NotTaken(what, row.game, upto or None, None, None, code, detail)
        for game, left in self.left.items():
            if left.what == "tail" and left.seq is None:  # of these there is not even a beginning
                self.left[game] = msgspec.structs.replace(left, what="line")

    def _kept_upto(self, rows: tuple[Row, ...]) -> tuple[int, Finding | None]:
        """The seq of the last event of a line that is kept, 0 if nothing is; and what is wrong after it."""
        own = next(row for row in rows if row.game == rows[-1].game)
        parent, first = parent_named(own), own.seq
        if parent is not None:
            for row in rows:
                if row.game != rows[-1].game and row.seq > self._upto.get(row.game, row.seq):
                    return 0, Finding(
                        "integrity/fork",
                        "the line {parent}, from which it forks, is not kept",
                        seq=first,
                        parent=row.game,
                    )
            if self._upto.get(parent) == 0:
                return 0, Finding(
                    "integrity/fork", "the line {parent}, from which it forks, is not kept", seq=first, parent=parent
                )
        worst: Finding | None = None
        for _ in range(MOST_TRIES):
            found = list(findings(self._log, rows))
            if not found:
                return rows[-1].seq, worst
            worst = worst or found[0]
            end = min((each.seq for each in found if each.seq is not None), default=0)
            rows = tuple(_whole(rows, end))
            if not rows or rows[-1].seq < first:
                break
        return 0, worst

    def kept(self, log: EventLog) -> Iterator[Row]:
        """The rows that are kept, in their order."""
        return (row for row in log.after(0) if row.seq <= self._upto.get(row.game, row.seq))


def _take(adoption: Taking, row: Row) -> None:
    """Take a row; raises BrokenLog where it does not hold or cannot stand here, and leaves the others as they are."""
    here = adoption.there(row.event_id)
    if here is None:
        adoption.take(row)
    elif here.hash != row.hash:
        raise id_taken(row)


def _whole(rows: tuple[Row, ...], end: int) -> tuple[Row, ...]:
    """The rows before event `end`, up to the last one after which no command is half done."""
    state: State = START
    good = 0
    for number, row in enumerate(rows, 1):
        if row.seq >= end:
            break
        try:
            state = evolve(state, codec.event_of(row))
        except BrokenLog:
            break
        if not in_batch(state):
            good = number
    return rows[:good]
