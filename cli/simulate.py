"""`ddz simulate`: whole games of bots among themselves."""

import os
import shlex
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .columns import shown
from .door import give, put, say
from .exits import FAULT
from .languages import words_for
from .progress import Bar, wants_bar
from .shell import Db, Json, Lang, db_path, now, rules_named, table_at

if TYPE_CHECKING:
    from ddz.services.contract import Json as JsonObject
    from ddz.services.executor import Engine
    from ddz.services.plan import Simulation
    from ddz.services.simulate import Tally

    from .words import Words


def simulate(
    games: Annotated[int | None, typer.Option("--games", help="How many games.", min=1, max=999_999_999)] = None,
    bots: Annotated[
        str | None,
        typer.Option("--bots", help="Who plays: one bot for all seats, or A,B,C for the seats 0, 1 and 2."),
    ] = None,
    seed: Annotated[int | None, typer.Option("--seed", help="Deal from this chosen number; else one is drawn.")] = None,
    jobs: Annotated[
        int | None, typer.Option("-j", "--jobs", help="So many workers side by side; else one a core.", min=1)
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", help="Keep the games in shards in this folder, out of the log.", metavar="DIR"),
    ] = None,
    rules: Annotated[
        str | None,
        typer.Option("--rules", help="A preset of `ddz rules`, or a house's own in FILE.toml.", metavar="NAME"),
    ] = None,
    engine: Annotated[
        str, typer.Option("--engine", help="What runs the workers: process, or ray (the extra `ray`).")
    ] = "process",
    address: Annotated[
        str | None, typer.Option("--address", help="A Ray cluster that runs already.", metavar="HOST:PORT")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on where an earlier run was broken off.")] = False,
    think: Annotated[int | None, typer.Option("--think", hidden=True)] = None,
    lang: Lang = None,
    db: Db = None,
    as_json: Json = False,
) -> None:
    """Let bots play whole games, and store them in the log. Equal seeds and bots play equal games, whatever -j is.

    Example: ddz simulate --games 20 --bots simple,random,random --seed 7
    """
    from ddz.errors import Unreadable
    from ddz.services import plan
    from ddz.services.executor import engine_named, usable_cores

    if think is not None:  # it is known elsewhere, and so deserves an answer
        raise Unreadable(
            "--think hangs on the machine, a simulation on its seed alone: leave it away, and expert counts"
        )
    if out is not None and db is not None:
        raise Unreadable("--out keeps the games out of the log: leave one of --out and --db away")
    wish = plan.Wish(
        games=games,
        seed=seed,
        bots=None if bots is None else tuple(bots.split(",")),
        rules=None if rules is None else rules_named(rules),
    )
    log = db_path(db) if out is None else None
    folder = out or db_path(db).with_name(db_path(db).name + ".simulation")
    simulation = plan.old(folder, wish) if resume else plan.new(folder, wish, int.from_bytes(os.urandom(6), "big"))
    words = words_for(lang)
    jobs = jobs or usable_cores()
    run = _Run(simulation, folder, log, words, _again(out, db))
    tally, seconds = run.whole(engine_named(engine, jobs, address), jobs)
    if as_json:
        how = {"jobs": jobs, "engine": engine, "seconds": seconds, "games_per_second": tally.games / seconds}
        give({**_json(simulation, tally, log, folder), **how})
    else:
        _print(simulation, tally, seconds, log, folder, words)
    if tally.given_up:
        raise typer.Exit(FAULT)


def _again(out: Path | None, db: Path | None) -> str:
    """The command that goes on with a simulation: everything else is written down in its folder."""
    where = ["--out", str(out)] if out else ["--db", str(db)] if db else []
    return shlex.join(["ddz", "simulate", "--resume", *where])


class _Run:
    """One run of a simulation: how far it is is shown, and said when it is broken off."""

    def __init__(self, simulation: "Simulation", folder: Path, log: Path | None, words: "Words", again: str) -> None:
        self._simulation = simulation
        self._folder = folder
        self._log = log
        """The log that takes the games; None keeps them in the folder."""
        self._words = words
        self._again = again
        self._done: int | None = None
        """How many games are there; None until the shards have been looked through."""

    def whole(self, engine: "Engine", jobs: int) -> "tuple[Tally, float]":
        """Play what is missing and, where there is a log, merge it all; the seconds are those of the play."""
        from ddz.services import plan
        from ddz.services.shards import remove
        from ddz.services.simulate import play

        with plan.at_work(self._folder):
            plan.write(self._folder, self._simulation)
            with self._broken_off():
                began = time.monotonic()
                with Bar(self._words) as bar:

                    def told(done: int, total: int) -> None:
                        self._done = done
                        bar(done, total)

                    tally = play(self._folder, self._simulation, engine, jobs, now, os.urandom, told)
                seconds = time.monotonic() - began
                if self._log is not None:
                    self._merge(self._log, tally)
        if self._log is not None:
            remove(self._folder)
        return tally, seconds

    def _merge(self, log: Path, tally: "Tally") -> None:
        from ddz.services.merge import merge
        from ddz.services.shards import shards_of

        if wants_bar():
            say(self._words.simulate["merging"])
        begun = 0
        with table_at(log, create=True) as table, Bar(self._words) as bar:

            def another() -> None:
                nonlocal begun
                bar(begun, self._simulation.games)
                begun += 1

            for path, _ in shards_of(self._folder):
                merge(table.log, path, another, tally.heads.get(path))

    @contextmanager
    def _broken_off(self) -> Iterator[None]:
        """Say how to go on when something comes between, if there is anything to go on with."""
        from ddz.errors import DdzError
        from ddz.services.shards import shards_of

        try:
            yield
        except (DdzError, KeyboardInterrupt):
            if self._done is not None and shards_of(self._folder):
                facts = {"done": self._done, "total": self._simulation.games, "folder": shown(str(self._folder))}
                say(self._words.simulate["stopped"].format(**facts, command=shown(self._again)))
            raise


def _print(
    simulation: "Simulation", tally: "Tally", seconds: float, log: Path | None, folder: Path, words: "Words"
) -> None:
    says = words.simulate
    rate = tally.games / seconds
    facts = {"games": tally.games, "events": tally.events, "seed": simulation.seed, "rate": f"{rate:,.0f}"}
    put(says["played"].format(**facts))
    if tally.given_up:
        numbers = ", ".join(map(str, tally.given_up[:10])) + ", ..." * (len(tally.given_up) > 10)
        say(says["given_up"].format(count=len(tally.given_up), numbers=numbers))
    where = says["kept"] if log is None else says["merged"]
    put(where.format(path=shown(str(log or folder))))


def _json(simulation: "Simulation", tally: "Tally", log: Path | None, folder: Path) -> "JsonObject":
    players = [{"bot": player.bot, "version": player.version} for player in simulation.players]
    heads = [{"file": str(path), "head": head} for path, head in sorted(tally.heads.items())]
    return {
        "schema": "ddz/simulate@1",
        "seed": simulation.seed,
        "games": simulation.games,
        "players": players,
        "rules": simulation.rules.name,
        "played": tally.games,
        "events": tally.events,
        "given_up": tally.given_up,
        "log": None if log is None else str(log),
        "folder": str(folder) if log is None else None,
        "shards": heads if log is None else [],
    }
