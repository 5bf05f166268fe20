"""What the services answer about audits and about the log as a whole, as objects of the contract."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from ddz.contract import audits, logs
from ddz.contract.results import origin_json, result_json

if TYPE_CHECKING:
    from ddz.errors import Finding
    from ddz.log.base import Adopted
    from ddz.services.as_rules import Judgement
    from ddz.services.audit import Audit
    from ddz.services.audit_log import LogAudit, Verified
    from ddz.services.feed import FeedEntry
    from ddz.services.salvage import Salvaged


def audit(found: "Audit") -> audits.AuditJson:
    """The audit of a line."""
    return audits.AuditJson(
        game=found.game,
        ok=found.ok,
        checks=found.checks,
        findings=_findings(found.findings),
        origin=origin_json(found.origin),
        claim_holds=found.claim_holds,
    )


def audited(found: "Audit") -> audits.AuditedJson:
    """The audit of a line of a whole log."""
    return audits.AuditedJson(**msgspec.structs.asdict(audit(found)))


def audit_all(found: "LogAudit") -> audits.AuditAllJson:
    """The audit of a whole log, except its lines: they are many, and are written into it one by one."""
    return audits.AuditAllJson(found.ok, found.head, found.head_known, _findings(found.findings), ())


def audit_as(found: "Judgement") -> audits.AuditAsJson:
    """A game judged by other rules."""
    illegal = found.illegal
    return audits.AuditAsJson(
        game=found.game,
        rules=found.rules.name,
        legal=illegal is None,
        first_illegal=None if illegal is None else _illegal(illegal),
        result=result_json(found.score),
        own_result=result_json(found.own_score),
    )


def _illegal(found: "Finding") -> audits.IllegalJson:
    assert found.seq is not None, "it is an event that is refused"
    return audits.IllegalJson(found.seq, found.code, found.detail, found.plain_facts)


def _findings(found: Iterable["Finding"]) -> tuple[audits.FindingJson, ...]:
    return tuple([audits.FindingJson(each.code, each.seq, each.detail, each.plain_facts) for each in found])


def verified(found: "Verified") -> logs.LogVerifyJson:
    """Whether a log holds."""
    findings = _findings(found.findings)
    return logs.LogVerifyJson(not findings, found.events, found.head, found.head_known, findings)


def event(entry: "FeedEntry") -> logs.LogEventJson:
    """One event of the log."""
    return logs.log_event_json(entry.position, entry.game, entry.at, entry.seq, entry.event, entry.event_id, entry.hash)


def merged(file: str, found: "Adopted") -> logs.LogMergeJson:
    """What was taken over from another log."""
    return logs.LogMergeJson(file, found.lines, found.events, found.known)


def salvaged(source: Path, target: Path, found: "Salvaged") -> logs.LogSalvageJson:
    """The result of a salvage."""
    left = tuple([msgspec.convert(each, logs.LeftJson, from_attributes=True) for each in found.left])
    return logs.LogSalvageJson(str(source), str(target), found.lines, found.events, left)
