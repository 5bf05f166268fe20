"""`ddz audit`: derive everything again and say what does not hold."""

from typing import IO, TYPE_CHECKING, Annotated, Final

import typer

from ddz.words.columns import shown
from ddz.words.tell import audit_lines, findings_lines, judgement_text

from .door import give, hand, put
from .exits import FAULT
from .languages import words_for
from .shell import Db, Json, Lang, complete_game, log_at, rules_named

if TYPE_CHECKING:
    from ddz.services.audit import Audit

_SPOOLED: Final = 1 << 20
"""Bytes of the lines' audits that are kept in memory; more go into a file."""
_PIECE: Final = 1 << 16


def audit(
    game: Annotated[
        str | None,
        typer.Argument(
            metavar="[GAME]",
            help="A game or fork: its id, the start of its id, or @last.",
            autocompletion=complete_game,
        ),
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Audit the whole log: every line, and every match.")] = False,
    head: Annotated[
        str | None,
        typer.Option("--head", help="A head that you noted earlier: a hash of the game, or N:DIGEST with --all."),
    ] = None,
    jobs: Annotated[
        int | None, typer.Option("-j", "--jobs", help="With --all: the number of parallel processes.", min=1)
    ] = None,
    as_rules: Annotated[
        str | None,
        typer.Option("--as-rules", help="Judge the game by other rules: a preset, or FILE.toml.", metavar="NAME"),
    ] = None,
    lang: Lang = None,
    db: Db = None,
    as_json: Json = False,
) -> None:
    """Check a game's integrity, legality, accounting and fairness by deriving everything again.

    Example: ddz audit @last
    """
    from ddz.errors import Unreadable
    from ddz.services.audit import audit_game

    if every == (game is not None):
        raise Unreadable("usage/game-or-all", "name one game, or use --all for the whole log")
    if every and as_rules is not None:
        raise Unreadable("usage/as-rules-one-game", "--as-rules judges one game: name it")
    if jobs is not None and not every:
        raise Unreadable("usage/jobs-without-all", "-j is for the whole log: add --all")
    if every:
        _audit_all(head, jobs or 1, lang, db, as_json)
        return
    assert game is not None
    if as_rules is not None:
        _audit_as(game, as_rules, lang, db, as_json)
        return
    with log_at(db) as log:
        audited = audit_game(log, log.resolve(game), head)
    if as_json:
        from ddz.services import logs_json

        give(logs_json.audit(audited))
    else:
        put(audited.game, *audit_lines(audited, words_for(lang)))
    if not audited.ok:
        raise typer.Exit(FAULT)


def _audit_all(head: str | None, jobs: int, lang: str | None, db: Db, as_json: bool) -> None:
    """Audit the log; what is to be printed of its lines waits in a file, not in memory."""
    from tempfile import SpooledTemporaryFile

    from ddz.contract.base import encode
    from ddz.services import logs_json
    from ddz.services.audit_log import audit_log

    from .progress import Bar

    words = words_for(lang)
    with SpooledTemporaryFile(_SPOOLED, "w+", encoding="utf-8", errors="surrogatepass", newline="\n") as waiting:

        def note(audit: "Audit") -> None:
            if as_json:
                waiting.write("," * bool(waiting.tell()) + encode(logs_json.audited(audit)))
            elif not audit.ok:
                waiting.writelines(f"{shown(line)}\n" for line in (audit.game, *audit_lines(audit, words)))

        with log_at(db, must_exist=True) as log, Bar(words) as bar:
            whole = audit_log(log, head, note, jobs, bar)
        waiting.seek(0)
        if as_json:
            _print_around(encode(logs_json.audit_all(whole)), waiting)
        else:
            for line in waiting:
                put(line.removesuffix("\n"))
            put(*findings_lines(whole.findings, words))
            put(words.audited.format(lines=whole.lines, faulty=whole.faulty, findings=len(whole.findings)))
            put(words.head.format(head=whole.head))
            if not whole.head_known:
                put(words.no_known_head)
    if not whole.ok:
        raise typer.Exit(FAULT)


def _print_around(text: str, inside: "IO[str]") -> None:
    """Print an object, with what `inside` holds in the list that stands empty at its end."""
    end = "]}"
    hand(text.removesuffix(end))
    while piece := inside.read(_PIECE):
        hand(piece)
    hand(f"{end}\n")


def _audit_as(game: str, name: str, lang: str | None, db: Db, as_json: bool) -> None:
    """Say where other rules would first have refused the game, or what they would have paid."""
    from ddz.services.as_rules import judge

    with log_at(db) as log:
        found = judge(log, log.resolve(game), rules_named(name))
    if as_json:
        from ddz.services import logs_json

        give(logs_json.audit_as(found))
        return
    put(judgement_text(found, words_for(lang)))
