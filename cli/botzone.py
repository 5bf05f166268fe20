"""`ddz botzone`: one of our bots as a program that Botzone, or a similar judge, can run."""

from collections.abc import Iterator
from typing import Annotated

import typer

from .door import put
from .shell import rules_named
from .terminal import typed_line


def botzone(
    bot: Annotated[str, typer.Option("--bot", help="The bot that answers.", metavar="NAME")] = "simple",
    keep_running: Annotated[
        bool, typer.Option("--keep-running", help="Keep running after an answer; each new request then comes alone.")
    ] = False,
    rules: Annotated[
        str | None,
        typer.Option(
            "--rules", help="A preset from `ddz rules`, or FILE.toml; by default Botzone's own rules.", metavar="NAME"
        ),
    ] = None,
) -> None:
    """Speak FightTheLandlord2's JSON: read all requests and responses on one line, answer on one line.

    Example: ddz botzone --bot simple --keep-running
    """
    from ddz import bots
    from ddz.guests.serve import serve
    from ddz.records.botzone_shapes import TWO

    serve(bots.make(bot), rules_named(rules) if rules else TWO, _requests(), put, keep_running)


def _requests() -> Iterator[str]:
    """The lines of standard input, each as it comes."""
    from ddz.limits import REQUEST

    while line := typed_line(REQUEST):
        yield line
