"""`ddz log`: the log as a whole."""

import time
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from ddz.words.columns import brief, shown
from ddz.words.tell import findings_lines

from .door import give, put, say
from .exits import FAULT, code_of, complain
from .languages import words_for
from .progress import Bar
from .shell import Db, Json, Lang, Reveal, db_address, log_at

if TYPE_CHECKING:
    from ddz.log.base import Adopted, EventLog
    from ddz.words.base import Words

POLL_SECONDS: Final = 0.2
"""How long `log events --follow` waits before it looks again."""


def head(db: Db = None, as_json: Json = False) -> None:
    """Print the head of the log, N:DIGEST. Note it elsewhere: `ddz log verify --head` then shows any change before it.

    It is made of the hashes as they are stored; `ddz log verify` computes them again.

    Example: ddz log head
    """
    from ddz.log import read

    with log_at(db, must_exist=True) as log:
        found = read.head(log)
    if as_json:
        from ddz.contract.logs import LogHeadJson

        give(LogHeadJson(found))
    else:
        put(found)


def verify(
    known: Annotated[str | None, typer.Option("--head", help="A head that you noted earlier, N:DIGEST.")] = None,
    lang: Lang = None,
    db: Db = None,
    as_json: Json = False,
) -> None:
    """Check the file, every hash, the chain of every line, and that nothing before a known head has changed.

    Without a head, a log whose end was cut, or that was written anew as a whole, looks like an honest one.

    Example: ddz log verify --head 120:3f2a...
    """
    from ddz.services.audit_log import verify_log

    words = words_for(lang)
    with log_at(db, must_exist=True) as log:
        found = verify_log(log, known)
    if as_json:
        from ddz.services import logs_json

        give(logs_json.verified(found))
    else:
        put(*findings_lines(found.findings, words))
        put(words.verified.format(events=found.events, findings=len(found.findings)))
        if not found.head_known:
            put(words.no_known_head)
    if found.findings:
        raise typer.Exit(FAULT)


def events(
    after: Annotated[int, typer.Option("--after", help="Only events after this position.", min=0)] = 0,
    follow: Annotated[bool, typer.Option("--follow", help="Wait for more until interrupted.")] = False,
    reveal: Reveal = False,
    db: Db = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object for each event, for programs.")
    ] = False,
) -> None:
    """Print the events of all games by position, for programs that follow the log. What is still hidden is left out.

    Example: ddz log events --after 120 --follow --json
    """
    from ddz.services import feed

    def wait() -> bool:
        if follow:
            time.sleep(POLL_SECONDS)
        return follow

    for entry in feed.follow(lambda: log_at(db), lambda log, at: feed.of_log(log, at, reveal), after, wait):
        if as_json:
            from ddz.services import logs_json

            give(logs_json.event(entry))
        else:
            put(f"{entry.position} {brief(entry.game)} {entry.seq} {brief(entry.type)} {brief(entry.at, 32)}")


def backup(
    target: Annotated[Path, typer.Argument(metavar="FILE", help="The new file.")],
    lang: Lang = None,
    db: Db = None,
    as_json: Json = False,
) -> None:
    """Copy the log into a new file; others may continue to write meanwhile.

    Example: ddz log backup games-2026.db
    """
    from ddz.log.stores import backup as copy

    copy(db_address(db), target)
    say(words_for(lang).copied.format(file=target))
    if as_json:
        from ddz.contract.logs import LogBackupJson
        from ddz.log import read

        with log_at(str(target)) as copied:
            found = read.head(copied)
        give(LogBackupJson(str(target), int(found.partition(":")[0]), found))


def merge(
    files: Annotated[list[str], typer.Argument(help="Logs, such as the shards of a simulation.", metavar="FILE...")],
    lang: Lang = None,
    db: Db = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object for each file, for programs.")] = False,
) -> None:
    """Take over all games and forks of other logs. Each file is taken over whole or, if it has a fault, not at all.

    They keep their ids, events and chains, and get new positions. What is here already stays as it is, so you can
    repeat a merge. A game that continued in one way here and in another way there is a fault.

    Example: ddz log merge shards/*.db
    """
    from ddz.errors import BrokenLog, Unreadable

    words = words_for(lang)
    worst = 0
    with log_at(db, create=True) as log:
        for path in files:
            try:
                found = _taken_over(log, path, words)
            except (BrokenLog, Unreadable) as error:  # what this log itself refuses ends it, whatever the next file is
                complain(error, as_json, lang=lang)
                worst = max(worst, code_of(error))
                continue
            if as_json:
                from ddz.services import logs_json

                give(logs_json.merged(path, found))
            else:
                facts = {"lines": found.lines, "events": found.events, "known": found.known}
                put(words.merged.format(file=shown(path), **facts))
    if worst:
        raise typer.Exit(worst)


def _taken_over(log: "EventLog", path: str, words: "Words") -> "Adopted":
    from ddz.services.merge import lines_of, merge

    total = lines_of(path)
    begun = count()
    with Bar(words) as bar:
        return merge(log, path, lambda: bar(next(begun), total))


def salvage(
    broken: Annotated[Path, typer.Argument(metavar="FROM", help="A log that may be broken in any way.")],
    target: Annotated[Path, typer.Argument(metavar="TO", help="The new log.")],
    lang: Lang = None,
    as_json: Json = False,
) -> None:
    """Make a new log of what verifies and is lawful in another log, and say what is left behind and why.

    A game is taken as a whole, or up to its last good event. Hashes, ids and times stay; positions are new. FROM is
    only read, and nobody should write to it meanwhile. TO must not exist yet, and appears when it is complete.

    Example: ddz log salvage games.db sound.db
    """
    from ddz.services.salvage import salvage as take_out

    words = words_for(lang)
    found = take_out(broken, target)
    if as_json:
        from ddz.services import logs_json

        give(logs_json.salvaged(broken, target, found))
    else:
        for each in found.left:
            put(words.salvage[each.what].format(game=each.game, seq=each.seq, code=each.code, detail=each.detail))
        facts = {"lines": found.lines, "events": found.events, "left": len(found.left)}
        put(words.salvage["done"].format(file=shown(str(target)), **facts))
    if not found.whole:
        raise typer.Exit(FAULT)
