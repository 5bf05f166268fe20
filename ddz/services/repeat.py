"""Commands that are given again under an id of their own: what is known by its id is answered, and not done twice."""

from collections.abc import Callable
from typing import TypeVar

from ddz.errors import Refused, UnknownGame, Unreadable
from ddz.frozen.events import Event, GameForked
from ddz.log import codec
from ddz.log.base import EventLog, Row
from ddz.log.read import LAST
from ddz.log.write import check_command_id
from ddz.state import State, fold

_T = TypeVar("_T")


def once(log: EventLog, command_id: str | None, first: Callable[[], _T], again: Callable[[tuple[Row, ...]], _T]) -> _T:
    """Do what `first` does; of a command that is known by its id, only answer by `again` what it did then.

    A command may be given again while the first one still runs in another process, which may store it between any two
    looks into the log. Then the log, the law or an expectation may refuse the second one because it was done already.
    So the id is looked up once more.

    Raises:
        Refused: `log/bad-command-id`, or what `first` and `again` raise.
    """
    if command_id is None:
        return first()
    check_command_id(command_id)
    if rows := log.find(command_id):
        return again(rows)
    try:
        return first()
    except (Refused, Unreadable):
        if rows := log.find(command_id):
            return again(rows)
        raise


def decided_again(
    log: EventLog, rows: tuple[Row, ...], decided: Callable[[State], tuple[tuple[Event, ...], State]]
) -> tuple[tuple[Event, ...], State]:
    """The events of the command with these rows: decided again by `decided`, they must be the same.

    Raises:
        Refused: `log/command-reused`, it was another command.
    """
    begin = rows[0].seq - 1
    history = log.history(rows[0].game, rows[-1].seq)
    try:
        events, state = decided(fold(history[:begin]))
    except (Refused, Unreadable):
        raise reused(rows) from None
    if events != history[begin:]:
        raise reused(rows)
    return events, state


def reused(rows: tuple[Row, ...]) -> Refused:
    """The refusal of an id that belongs to the command with these rows, and not to the one that was given."""
    return Refused(
        "log/command-reused", "this command id has already been used for another command", id=rows[0].event_id
    )


def line_meant(log: EventLog, named: str, command_id: str | None) -> str:
    """The line that `named` names: an id, the beginning of one, or `@last`.

    With the id of a known command it is the line that the command was given to, if it may be meant at all: what is
    last changes, and a beginning that was one line's may now be that of two.

    Raises:
        UnknownGame: there is none, or there are several.
    """
    if command_id is None:
        return log.resolve(named)
    try:
        found: str | UnknownGame = log.resolve(named)
    except UnknownGame as error:
        found = error
    rows = log.find(command_id)  # after the other look: a twin that is stored in between has made a new last line
    if rows and found != named:
        event = codec.event_of(rows[0])
        given_to = event.parent if isinstance(event, GameForked) else rows[0].game
        if named == LAST or given_to.startswith(named):
            return given_to
    if isinstance(found, UnknownGame):
        raise found
    return found
