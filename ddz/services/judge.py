"""Judging what is taken over from elsewhere before it is kept: the shapes of texts and numbers, and the whole law.

A log that holds a lawless game cannot get rid of it, and everything that reads the log meets it. So a line is judged
where it will stand, within the transaction that takes it over, and any fault takes all of the file back.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final

from ddz import places
from ddz.commands import check_names
from ddz.errors import BrokenLog, Finding, Unreadable
from ddz.frozen.events import GameOpened
from ddz.log.base import EventLog, Row
from ddz.log.stored import marks
from ddz.services.audit import CLAIM, audit_trail
from ddz.services.audit_log import match_findings
from ddz.services.bounds import Misshapen, check_id, check_marks, check_opening
from ddz.services.trail import Trail, Trails, extend

SHAPE: Final = "legality/shape"


class Lawless(BrokenLog):
    """A line of another log that may not be kept here."""


def judge_for(log: EventLog) -> Callable[[Sequence[Row]], None]:
    """The judge of the lines that `log` takes over at once; as `judge`."""
    return partial(judge, log, Trails(log))


def judge(log: EventLog, trails: Trails, own: Sequence[Row]) -> None:
    """Make sure that the line with these own rows may stay in `log`, of which `trails` are.

    A false claim of its source is no reason against it: the audit reports it.

    Raises:
        Lawless: naming the line and what is wrong with it.
        UnsupportedVersion: a newer ddz wrote it.
    """
    for finding in findings(log, own, trails.before(own[0])):
        game = own[-1].game
        where = places.game(game) if finding.seq is None else places.event(game, finding.seq)
        raise Lawless.at(where, finding)


def findings(log: EventLog, rows: Sequence[Row], before: Trail | None = None) -> Iterator[Finding]:
    """The findings against a line, from all of its rows; with the trail of what it inherits, from its own rows."""
    audit, opened = audit_trail(extend(before, rows))
    yield from (finding for finding in audit.findings if finding.code != CLAIM)
    if audit.ok or audit.claim_holds is False:
        yield from _misshapen(rows, opened)
    if opened is not None:
        yield from match_findings(log, log.last_position(), audit.game, opened)


def _misshapen(rows: Sequence[Row], opened: GameOpened | None) -> Iterator[Finding]:
    """What is wrong with the texts of a line's own rows, which can all be read."""
    game = rows[-1].game
    try:
        check_id("id", game)
        check_marks(marks(rows, game))
        if opened is not None:
            check_opening(opened)
            check_names(opened.players, opened.rules)
    except Unreadable as error:
        yield Finding(SHAPE, "{why}", seq=error.seq if isinstance(error, Misshapen) else 1, why=error)
