"""What audits find in a game, in a whole log, and in a game that is judged by other rules."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from ddz.contract.base import Answer, Code, Detail, GameId, Head, RulesName, Seq
from ddz.contract.results import OriginJson, ScoreJson

Ok = Annotated[bool, Meta(description="Nothing was found.")]
HeadKnown = Annotated[bool, Meta(description="A head from before was given, and it holds.")]
Checks = Annotated[
    dict[str, Literal["ok", "fault", "chosen", "unrevealed", "not-applicable"]],
    Meta(description="integrity, legality, accounting and fairness; only `fault` is a failure."),
]
ClaimHolds = Annotated[bool, Meta(description="Whether what the source of an import claims is true.")]


NamedFacts = Annotated[
    dict[str, str | int | float],
    Meta(description="What the sentence is made of, by name, and sometimes more."),
]


class FindingJson(msgspec.Struct, frozen=True):
    """Something that does not hold."""

    code: Code
    seq: Seq | None
    detail: Detail
    facts: NamedFacts


Findings = Annotated[tuple[FindingJson, ...], Meta(description="What does not hold.")]


class AuditJson(Answer, frozen=True, tag="ddz/audit@1"):
    """The audit of one line."""

    game: GameId
    ok: Ok
    checks: Checks
    findings: Findings
    origin: OriginJson | None
    claim_holds: ClaimHolds | None


class AuditedJson(msgspec.Struct, frozen=True):
    """The audit of one line of a whole log."""

    game: GameId
    ok: Ok
    checks: Checks
    findings: Findings
    origin: OriginJson | None
    claim_holds: ClaimHolds | None


class AuditAllJson(Answer, frozen=True, tag="ddz/audit-all@1"):
    """The audit of a whole log."""

    ok: Ok
    head: Head
    head_known: HeadKnown
    findings: Annotated[tuple[FindingJson, ...], Meta(description="What does not hold of the log, and of its matches.")]
    games: Annotated[tuple[AuditedJson, ...], Meta(description="The audit of each line.")]


class IllegalJson(msgspec.Struct, frozen=True):
    """The first event that other rules would have refused."""

    seq: Seq
    code: Code
    detail: Detail
    facts: NamedFacts


class AuditAsJson(Answer, frozen=True, tag="ddz/audit-as@1"):
    """A game judged by other rules."""

    game: GameId
    rules: RulesName
    legal: Annotated[bool, Meta(description="Every event would have been legal.")]
    first_illegal: IllegalJson | None
    result: Annotated[ScoreJson, Meta(description="What it would have scored.")] | None
    own_result: Annotated[ScoreJson, Meta(description="What it scored by its own rules.")] | None
