"""The command line as a whole: one file a command, put together here."""

import functools
from collections.abc import Callable
from typing import Annotated

import typer

from ddz import __version__

from . import (
    act,
    audit,
    counts,
    diff,
    doctor,
    export,
    fork,
    games,
    import_,
    log,
    match,
    melds,
    moves,
    new,
    path,
    play,
    replay,
    rules,
    show,
    tree,
)
from .exits import MEANING, guarded

_EPILOG = "Exit codes: " + "; ".join(f"{code} {meaning}" for code, meaning in MEANING.items()) + "."

app = typer.Typer(
    name="ddz",
    help="Dou Dizhu (Fight the Landlord): play against bots, audit a game from its log, fork it at any point.",
    epilog=_EPILOG,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(value: bool) -> None:
    if value:
        typer.echo(f"ddz {__version__}")
        raise typer.Exit


@app.callback()
def _main(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    """Take the options that belong to no command."""


def _add(to: typer.Typer, name: str, command: Callable[..., None]) -> None:
    """Put a command in its place; the example of its docstring stands apart in the help."""
    to.command(name)(functools.update_wrapper(guarded(command), command))


for _name, _command in (
    ("play", play.play),
    ("replay", replay.replay),
    ("audit", audit.audit),
    ("fork", fork.fork),
    ("tree", tree.tree),
    ("diff", diff.diff),
    ("games", games.games),
    ("match", match.match),
    ("new", new.new),
    ("act", act.act),
    ("show", show.show),
    ("import", import_.import_),
    ("export", export.export),
    ("melds", melds.melds),
    ("moves", moves.moves),
    ("counts", counts.counts),
    ("rules", rules.rules),
    ("doctor", doctor.doctor),
    ("path", path.path),
):
    _add(app, _name, _command)

_log = typer.Typer(
    help="The log as a whole: head, verify, events, backup.", rich_markup_mode=None, no_args_is_help=True
)
for _name, _verb in (
    ("head", log.head),
    ("verify", log.verify),
    ("events", log.events),
    ("backup", log.backup),
):
    _add(_log, _name, _verb)
app.add_typer(_log, name="log")
