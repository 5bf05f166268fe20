"""The log as a whole: its head, its events, what is copied, taken over and salvaged."""

from __future__ import annotations

import functools
from typing import Annotated, Any, Final, get_args

import msgspec
from msgspec import Meta

from ddz.contract.audits import Findings, HeadKnown, Ok
from ddz.contract.base import Answer, Code, Detail, Events, File, GameId, Hash, Head, LineCount, LogPosition, Seq, Time
from ddz.contract.events import AnyEvent, event_json
from ddz.view import EventView


class LogHeadJson(Answer, frozen=True, tag="ddz/log-head@1"):
    """The head of the log."""

    head: Head


class LogVerifyJson(Answer, frozen=True, tag="ddz/log-verify@1"):
    """Whether the file, every hash and every chain hold."""

    ok: Ok
    events: Events
    head: Head
    head_known: HeadKnown
    findings: Findings


class LogBackupJson(Answer, frozen=True, tag="ddz/log-backup@1"):
    """A copy of the log."""

    file: File
    events: Events
    head: Head


class LogMergeJson(Answer, frozen=True, tag="ddz/log-merge@1"):
    """What was taken over from another log."""

    file: File
    lines: LineCount
    events: Events
    known: Annotated[int, Meta(description="A number of lines: those that were here already.")]


class LeftJson(msgspec.Struct, frozen=True):
    """Something that a salvage did not take."""

    what: Annotated[
        str,
        Meta(
            description="`line`: nothing of it was taken; `tail`: its beginning was; `positions`: nothing can be read "
            "there; `beside`: the file itself."
        ),
    ]
    game: GameId | None
    seq: Annotated[int, Meta(description="The number of the last event that was taken, of a `tail`.")] | None
    first: LogPosition | None
    last: LogPosition | None
    code: Code
    detail: Detail


class LogSalvageJson(Answer, frozen=True, tag="ddz/log-salvage@1", rename={"source": "from", "target": "to"}):
    """What a salvage has come to."""

    source: File
    target: File
    lines: LineCount
    events: Events
    left: Annotated[tuple[LeftJson, ...], Meta(description="What was not taken, and why.")]


TAG: Final = "ddz/log-event@1"


class LogEventJson(Answer, frozen=True, tag=TAG):
    """One event of the log: a place in the log, the fields of the event, and its hash."""

    position: LogPosition
    game: GameId
    time: Time


_FOOT = [
    ("event_id", Annotated[str, Meta(description="The id of the command, and the number of the event in it: ID/0.")]),
    ("hash", Hash),
]


@functools.cache
def kind_of_log_event(event: type[AnyEvent]) -> type[LogEventJson]:
    """The object of the log for one type of event: the event's fields stand between those of the log."""
    head = {field.name for field in msgspec.structs.fields(LogEventJson)}
    fields: list[tuple[str, Any] | tuple[str, Any, Any]] = [("seq", Seq)]
    for field in msgspec.structs.fields(event):
        if field.name == "type":
            fields.append(("type", field.type, field.default))
        elif field.name not in (*head, "seq"):
            fields.append((field.name, field.type))
    name = f"Log{event.__name__}"
    made = msgspec.defstruct(
        name, [*fields, *_FOOT], bases=(LogEventJson,), module=__name__, frozen=True, kw_only=True, tag=TAG
    )
    made.__doc__ = event.__doc__
    assert issubclass(made, LogEventJson)
    return made


def kinds_of_log_event() -> tuple[type[LogEventJson], ...]:
    """The object for each type of event."""
    return tuple(map(kind_of_log_event, get_args(AnyEvent)))


def log_event_json(
    position: int, game: str, time: str, seq: int, event: EventView, event_id: str, hash_: str
) -> LogEventJson:
    """One event of the log as a viewer may see it."""
    told = event_json(seq, event)
    facts = msgspec.structs.asdict(told)
    facts |= {"position": position, "game": game, "time": time, "event_id": event_id, "hash": hash_}
    return kind_of_log_event(type(told))(**facts)
