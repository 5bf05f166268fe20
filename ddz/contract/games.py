"""Games and their lines: what is opened, acted, forked, listed, compared and retold."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from ddz.contract.base import (
    Answer,
    Detail,
    File,
    GameId,
    Hash,
    LastSeq,
    Payouts,
    Points,
    RoundNumber,
    RulesName,
    SeatNumber,
    Time,
    encode,
)
from ddz.contract.events import AnyEvent
from ddz.contract.melds import KnobsJson
from ddz.contract.results import ScoreJson
from ddz.contract.views import PhaseName, ViewJson
from ddz.view import Phase, Viewer

LinePhase = Annotated[
    Phase | Literal["broken"], Meta(description="Where the line stands; `broken` if it cannot be read.")
]
MatchId = Annotated[str, Meta(description="The id of a match: of its first game.")]
Reason = Annotated[str, Meta(description="Why it was forked: `explore`, or `back` for a move taken back.")]
ForkPoint = Annotated[int, Meta(description="The number of the last inherited event of a fork.")]
Names = Annotated[tuple[str, ...], Meta(description="The names of the players, in the order of the seats.")]


class NewJson(Answer, frozen=True, tag="ddz/new@1"):
    """A game that was opened."""

    game: GameId
    seq: LastSeq
    turn: SeatNumber | None
    events: Annotated[tuple[AnyEvent, ...], Meta(description="The events that opened it, as the table sees them.")]


class ActJson(Answer, frozen=True, tag="ddz/act@1"):
    """What one seat did."""

    game: GameId
    seq: LastSeq
    events: Annotated[
        tuple[AnyEvent, ...],
        Meta(description="The events that followed, as the seat sees them; of a bot among people, as the table does."),
    ]
    view: ViewJson


class ForkJson(Answer, frozen=True, tag="ddz/fork@1"):
    """A line that was begun."""

    game: GameId
    parent: GameId
    at: ForkPoint


class GameJson(msgspec.Struct, frozen=True, kw_only=True):
    """A game or fork in a list."""

    game: GameId
    parent: GameId | None
    at: ForkPoint | None
    reason: Reason | None
    last_seq: LastSeq
    last_at: Time
    seen: Annotated[bool, Meta(description="Somebody looked at hidden cards while it went on.")]
    phase: LinePhase
    detail: Detail | UnsetType = UNSET
    match: MatchId | UnsetType = UNSET
    round: RoundNumber | UnsetType = UNSET
    rules: RulesName | UnsetType = UNSET
    players: Names
    result: ScoreJson | None


class GamesJson(Answer, frozen=True, tag="ddz/games@1"):
    """Games and forks of the log."""

    games: Annotated[tuple[GameJson, ...], Meta(description="The one with the newest event first.")]


class LineJson(msgspec.Struct, frozen=True):
    """One line of a game."""

    game: GameId
    parent: GameId | None
    at: ForkPoint | None
    reason: Reason | None
    last_seq: LastSeq
    phase: LinePhase
    result: ScoreJson | None


class BranchJson(LineJson, frozen=True):
    """One line of a game, and what was forked from it."""

    children: Annotated[tuple[BranchJson, ...], Meta(description="As they were begun.")]


class TreeJson(Answer, frozen=True, tag="ddz/tree@1"):
    """All lines of a game. However deep they lie within each other, `lines` has them in one list."""

    tree: BranchJson
    lines: Annotated[tuple[LineJson, ...], Meta(description="Each followed by what was forked from it.")]


class SideJson(msgspec.Struct, frozen=True):
    """One of two lines that are compared."""

    game: GameId
    next: Annotated[AnyEvent, Meta(description="Its first event that the other does not have.")] | None
    result: ScoreJson | None


class DiffJson(Answer, frozen=True, tag="ddz/diff@1"):
    """Where two lines part."""

    common: Annotated[int, Meta(description="The number of the last event that both share; 0 if they share none.")]
    left: SideJson
    right: SideJson
    payout_change: Annotated[Payouts, Meta(description="By how many points each seat does better on the right.")] | None


class RoundJson(msgspec.Struct, frozen=True):
    """One game of a match."""

    round: RoundNumber
    game: GameId
    result: ScoreJson | None


class MatchJson(Answer, frozen=True, tag="ddz/match@1"):
    """The score table of a match."""

    match: MatchId
    players: Names
    rounds: Annotated[tuple[RoundJson, ...], Meta(description="In the order in which they were played.")]
    totals: Annotated[tuple[Points, ...], Meta(description="The points of each seat over all games that are over.")]


class ReplayJson(Answer, frozen=True, tag="ddz/replay@1"):
    """A line retold."""

    game: GameId
    rules: RulesName | None
    knobs: KnobsJson | None
    head: Hash
    viewer: Annotated[Viewer, Meta(description="Whose view it is: a seat, `table`, or `all`.")]
    events: Annotated[tuple[AnyEvent, ...], Meta(description="The events that were asked for, each with its time.")]
    result: ScoreJson | None


class ImportJson(Answer, frozen=True, tag="ddz/import@1"):
    """A game that was stored from a file."""

    file: File
    game: GameId
    phase: Annotated[str, Meta(description="`over`, `void`, or `in progress`.")]
    seq: LastSeq
    payouts: Payouts | None


class ExportJson(Answer, frozen=True, tag="ddz/export@1"):
    """A game that was exported: into a file, or as the text that would stand in one."""

    game: GameId
    format: Annotated[str, Meta(description="The format of the text: `ddz-record/1`, `ddz-events/1`, or another's.")]
    file: File | None
    size: Annotated[int, Meta(description="Bytes of the text in UTF-8.")]
    text: Annotated[str, Meta(description="The text itself, where it went into no file.")] | UnsetType = UNSET


class PlayedGameJson(msgspec.Struct, frozen=True):
    """A game of a session."""

    round: RoundNumber
    game: GameId
    seq: LastSeq
    phase: PhaseName
    result: ScoreJson | None


class PlayJson(Answer, frozen=True, tag="ddz/play@1"):
    """What was played in one session."""

    match: MatchId
    seat: Annotated[SeatNumber, Meta(description="The seat of the person: 0, 1 or 2; null if bots played.")] | None
    games: Annotated[tuple[PlayedGameJson, ...], Meta(description="A line a round; the last one may go on.")]
    suspended: Annotated[bool, Meta(description="The lines of the person ended before the last game did.")]


def written_tree(lines: Iterable[tuple[int, LineJson]]) -> str:
    """The text of `ddz/tree@1`, of lines and how deep each lies.

    Put together line by line, since an encoder goes no deeper than the stack.
    """
    flat: list[str] = []
    nested: list[str] = []
    depth = -1
    for level, line in lines:
        text = encode(line)
        flat.append(text)
        if depth >= 0:
            nested.append("]}" * (depth - level + 1))
        if depth >= level:
            nested.append(",")
        nested += text.removesuffix("}"), ',"children":['
        depth = level
    tree = "".join([*nested, "]}" * (depth + 1)])
    return f'{{"schema":"ddz/tree@1","tree":{tree},"lines":[{",".join(flat)}]}}'
