"""The command line as a whole: one file a command, imported when it is asked for."""

import functools
import importlib
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated, Any, ClassVar, Final, NamedTuple

import typer
import typer.main
from typer.core import TyperCommand, TyperGroup

from ddz import __version__

from .door import put, say
from .exits import MEANING, USAGE, give_usage, guarded
from .languages import complaints, meant_in, page


class Entry(NamedTuple):
    """A command: its file, the functions in it by the name of the command, and what the list of commands says."""

    file: str
    function: str
    says: str


# What `ddz --help` lists. The sentences stand here so that listing imports no command.
COMMANDS: Final = {
    "play": Entry("play", "play", "Play against two bots."),
    "replay": Entry("replay", "replay", "Retell a game from its log, explain its score, and audit it."),
    "audit": Entry("audit", "audit", "Derive a game, or the whole log, again and say what does not hold."),
    "fork": Entry("fork", "fork", "Begin another line of a game."),
    "tree": Entry("tree", "tree", "Show all lines of a game with their results."),
    "diff": Entry("diff", "diff", "Show where two lines part, and what it changed in the score."),
    "games": Entry("games", "games", "List the games of the log, newest first."),
    "match": Entry("match", "match", "Show the score table of a match."),
    "stats": Entry("stats", "stats", "Show who wins, for how much and how, or write the games as tables."),
    "new": Entry("new", "new", "Open a game and deal; `act` then plays it."),
    "act": Entry("act", "act", "Bid, pass, play or escape for one seat."),
    "show": Entry("show", "show", "Show a game as it stands, as a viewer may see it."),
    "simulate": Entry("simulate", "simulate", "Let bots play many games, on all cores."),
    "import": Entry("import_", "import_", "Store games from files."),
    "export": Entry("export", "export", "Print games as records, or byte for byte."),
    "melds": Entry("melds", "melds", "List every reading of some cards."),
    "moves": Entry("moves", "moves", "List what a hand may play."),
    "counts": Entry("counts", "counts", "Count all melds that the rules allow."),
    "rules": Entry("rules", "rules", "List the presets of rules, or show one in words."),
    "arena": Entry("arena", "arena", "Play bots against each other on the same decks: who is stronger, how surely."),
    "train": Entry("train", "train", "Train the network of the strongest levels."),
    "botzone": Entry("botzone", "botzone", "Let a bot play as a Botzone program."),
    "doctor": Entry("doctor", "doctor", "Show what ddz runs on, and how its log is kept."),
    "schema": Entry("schema", "schema", "Print what a JSON object holds, as a JSON Schema."),
    "path": Entry("path", "path", "Print the file of the log."),
    "log": Entry("log", "", "The log as a whole: head, verify, events, backup, merge, salvage."),
}
LOG_COMMANDS: Final = {
    "head": Entry("log", "head", "Print the head of the log, N:DIGEST."),
    "verify": Entry("log", "verify", "Check every hash and chain, and a head noted earlier."),
    "events": Entry("log", "events", "Print the events of all games by position."),
    "backup": Entry("log", "backup", "Copy the log into a new file."),
    "merge": Entry("log", "merge", "Take over the games of other logs."),
    "salvage": Entry("log", "salvage", "Make a new log of what verifies in a broken one."),
}

_EPILOG = "Exit codes: " + "; ".join(f"{code} {meaning}" for code, meaning in MEANING.items()) + "."
_AS_JSON: Final = "ddz.as_json"
"""Where a context of Typer's keeps whether `--json` is among the words of the command line."""
_HELP: Final = {"help_option_names": ["-h", "--help"]}


class _Command(TyperCommand):
    """A command whose help is in the language that is meant."""

    extra: Callable[[str], str] | None = None
    """What stands below its help and is generated, not written, in a language."""

    def get_usage(self, ctx: Any) -> str:  # noqa: ANN401  # Click's own type is Typer's secret
        """How the command is called."""
        return page(ctx, self.format_usage)

    def get_help(self, ctx: Any) -> str:  # noqa: ANN401
        """The page of help."""
        return page(ctx, self.format_help)

    def format_help_text(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401
        """What the command says of itself."""
        super().format_help_text(ctx, formatter)
        if self.extra is not None:
            formatter.write_paragraph()
            with formatter.indentation():
                formatter.write_text(f"\b\n{self.extra(meant_in(ctx))}")


class _Commands(TyperGroup):
    """A group whose commands are imported one by one."""

    entries: ClassVar[dict[str, Entry]] = COMMANDS

    def get_usage(self, ctx: Any) -> str:  # noqa: ANN401
        """How the commands are called."""
        return page(ctx, self.format_usage)

    def get_help(self, ctx: Any) -> str:  # noqa: ANN401
        """The page of help."""
        return page(ctx, self.format_help)

    def make_context(self, info_name: str | None, args: list[str], *rest: Any, **more: Any) -> Any:  # noqa: ANN401
        """The context of a command line. What Typer cannot read in it is printed through our door."""
        as_json = "--json" in args[: args.index("--") if "--" in args else None]
        with _said(as_json):
            context = super().make_context(info_name, args, *rest, **more)
            context.meta[_AS_JSON] = as_json
            return context

    def invoke(self, ctx: Any) -> Any:  # noqa: ANN401
        """Run the command. What Typer cannot read is printed through our door."""
        with _said(ctx.meta[_AS_JSON]):
            return super().invoke(ctx)

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ANN401  # Click's own type is Typer's secret
        """The names, in the order of the table."""
        del ctx
        return list(self.entries)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ANN401
        """The command of this name; None if there is no such command."""
        del ctx
        entry = self.entries.get(cmd_name)
        if entry is None:
            return None
        if not entry.function:
            return typer.main.get_command(_log_app())
        return _command_for(cmd_name, entry)

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401
        """List the commands from the table."""
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.says) for name, entry in self.entries.items()])


@contextmanager
def _said(as_json: bool) -> Iterator[None]:
    """Print what Typer cannot read through our door: Typer would print the words of the command line unchanged.

    A program that asked for JSON is given an object too.

    Raises:
        typer.Exit: with the exit code, once it is said.
    """
    try:
        yield
    except Exception as error:
        message = getattr(error, "format_message", None)  # Typer's own type is its secret
        if message is None:
            raise
        context = getattr(error, "ctx", None)
        say(*_complaint(message(), context))
        if as_json:
            kind = re.sub(r"(?<=[a-z])(?=[A-Z])", "-", type(error).__name__).lower()
            give_usage(kind, message(), context.command_path if context else "ddz")
        raise typer.Exit(USAGE) from None


def _complaint(message: str, ctx: Any) -> list[str]:  # noqa: ANN401
    if ctx is None:
        return complaints(ctx, f"Error: {message}")
    if message == ctx.get_help():  # where nothing was asked at all
        return message.splitlines()
    usage = ctx.get_usage().splitlines()
    hint = f"Try '{ctx.command_path} {ctx.help_option_names[0]}' for help."
    return [*usage, *complaints(ctx, hint, "", f"Error: {message}")]


class _LogCommands(_Commands):
    """The commands of `ddz log`."""

    entries: ClassVar[dict[str, Entry]] = LOG_COMMANDS


def load(entry: Entry) -> Callable[..., None]:
    """The function behind a command."""
    module = importlib.import_module(f".{entry.file}", __package__)
    command: Callable[..., None] = getattr(module, entry.function)
    return command


def _bare_app(cls: type[TyperGroup] | None = None, **options: Any) -> typer.Typer:  # noqa: ANN401
    return typer.Typer(
        cls=cls,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings=_HELP,
        **options,
    )


def _command_for(name: str, entry: Entry) -> Any:  # noqa: ANN401
    single = _bare_app(add_completion=False)
    command = load(entry)
    single.command(name, cls=_Command, context_settings=_HELP)(functools.update_wrapper(guarded(command), command))
    found = typer.main.get_command(single)
    if isinstance(found, _Command):
        found.extra = getattr(importlib.import_module(command.__module__), "help_text", None)
    return found


def _log_app() -> typer.Typer:
    group = _bare_app(_LogCommands, name="log", help=COMMANDS["log"].says, add_completion=False, no_args_is_help=True)
    group.callback()(lambda: None)
    return group


app = _bare_app(
    _Commands,
    name="ddz",
    help="Dou Dizhu (Fight the Landlord): play against bots, audit a game from its log, fork it at any point.",
    epilog=_EPILOG,
    no_args_is_help=True,
)


def _version(value: bool) -> None:
    if value:
        put(f"ddz {__version__}")
        raise typer.Exit


@app.callback()
def _main(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    """Take the options that belong to no command."""
