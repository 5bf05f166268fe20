"""`ddz simulate`: whole games of bots among themselves."""

import os
import shlex
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ddz.limits import MOST_SIMULATED
from ddz.words.columns import shown

from .door import give, put, say
from .exits import FAULT
from .languages import words_for
from .progress import Bar, wants_bar
from .shell import Db, Json, Lang, db_address, now, rules_named, table_at

if TYPE_CHECKING:
    from ddz.simulation.plan import PlanRequest, Simulation
    from ddz.simulation.simulate import SimulationResult
    from ddz.words.base import Words
    from ddz.work.base import Engine

    Reporter = Callable[[Simulation, SimulationResult, float], None]


def simulate(
    games: Annotated[
        int | None, typer.Option("--games", help="The number of games.", min=1, max=MOST_SIMULATED)
    ] = None,
    bots: Annotated[
        str | None,
        typer.Option("--bots", help="Who plays: one bot for all seats, or A,B,C for the seats 0, 1 and 2."),
    ] = None,
    seed: Annotated[int | None, typer.Option("--seed", help="Deal from this number; by default one is drawn.")] = None,
    jobs: Annotated[
        int | None,
        typer.Option("-j", "--jobs", help="The number of parallel workers; by default one for each core.", min=1),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", help="Keep the games in shards in this folder instead of the log.", metavar="DIR"),
    ] = None,
    rules: Annotated[
        str | None,
        typer.Option("--rules", help="A preset from `ddz rules`, or your own rules in FILE.toml.", metavar="NAME"),
    ] = None,
    engine: Annotated[
        str, typer.Option("--engine", help="What runs the workers: process, or ray (the extra `ray`).")
    ] = "process",
    address: Annotated[
        str | None, typer.Option("--address", help="The address of a running Ray cluster.", metavar="HOST:PORT")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Continue an interrupted run.")] = False,
    think: Annotated[int | None, typer.Option("--think", hidden=True)] = None,
    lang: Lang = None,
    db: Db = None,
    as_json: Json = False,
) -> None:
    """Let bots play whole games, and store them in the log. Equal seeds and bots play equal games for any -j.

    Example: ddz simulate --games 20 --bots simple,random,random --seed 7
    """
    from ddz.errors import Unreadable
    from ddz.simulation import plan
    from ddz.work.engines import engine_named, usable_cores

    if think is not None:  # it is known elsewhere, and so deserves an answer
        raise Unreadable(
            "usage/think-in-simulation",
            "--think depends on the speed of the machine, a simulation only on its seed: omit --think",
        )
    if out is not None and db is not None:
        raise Unreadable("usage/out-and-db", "--out keeps the games out of the log: omit one of --out and --db")
    request = plan.PlanRequest(
        games=games,
        seed=seed,
        bots=None if bots is None else tuple(bots.split(",")),
        rules=None if rules is None else rules_named(rules),
    )
    asked = None if resume else plan.new(request, int.from_bytes(os.urandom(6), "big"))
    log = db_address(db) if out is None else None
    folder = out or _beside(db_address(db))
    words = words_for(lang)
    jobs = jobs or usable_cores()

    def report(simulation: "Simulation", tally: "SimulationResult", seconds: float) -> None:
        if as_json:
            from ddz.simulation.simulation_json import simulation_json

            give(simulation_json(simulation, tally, log, folder, jobs, engine, seconds))
        else:
            _print(simulation, tally, seconds, log, folder, words)

    run = _Run(folder, log, words, _again(out, db), report)
    tally = run.whole(request, asked, engine_named(engine, jobs, address), jobs)
    if tally.given_up:
        raise typer.Exit(FAULT)


def _beside(address: str) -> Path:
    """The folder for the shards of a simulation whose games go into a log.

    Raises:
        Unreadable: the log is no file, so that nothing is beside it.
    """
    from ddz.errors import Unreadable
    from ddz.log.stores import file_of

    file = file_of(address)
    if file is None:
        raise Unreadable(
            "simulate/no-folder",
            "the games of a simulation are kept beside the log's file, and {address} is none: name a folder for them",
            address=address,
        )
    return file.with_name(file.name + ".simulation")


def _again(out: Path | None, db: str | None) -> str:
    """The command that continues a simulation: everything else is stored in its folder."""
    where = ["--out", str(out)] if out else ["--db", str(db)] if db else []
    return shlex.join(["ddz", "simulate", "--resume", *where])


class _Run:
    """One run of a simulation: how far it is is shown, and said when it is broken off."""

    def __init__(self, folder: Path, log: str | None, words: "Words", again: str, report: "Reporter") -> None:
        self._folder = folder
        self._log = log
        """The log that takes the games; None keeps them in the folder."""
        self._words = words
        self._again = again
        self._report = report
        self._done: tuple[int, int] | None = None
        """How many games of how many are there; None until the shards have been looked through, and at the end."""

    def whole(
        self, request: "PlanRequest", asked: "Simulation | None", engine: "Engine", jobs: int
    ) -> "SimulationResult":
        """Play what is missing and, where there is a log, merge it all; without `asked`, what the folder is for.

        The result is told before the folder goes. So whoever has not heard it can ask again for the very same.
        """
        from ddz.simulation import folder as at_folder
        from ddz.simulation import plan, shards
        from ddz.simulation.at_work import at_work

        if asked is None and not self._folder.is_dir():
            raise at_folder.nothing(self._folder, self._log is not None)
        with at_work(self._folder, ours=self._log is not None), self._broken_off():
            simulation, there = self._settled(request, asked)
            plan.write(self._folder, simulation)
            tally, seconds = self._play(simulation, there, engine, jobs)
            if self._log is not None:
                self._merge(self._log, simulation, tally)
            with self._delivering():
                self._report(simulation, tally, seconds)
            if self._log is not None:
                shards.remove(self._folder)
        return tally

    def _settled(self, request: "PlanRequest", asked: "Simulation | None") -> "tuple[Simulation, bytearray | None]":
        """What to play, and marks for those of its games that are in the log already; None where none can be."""
        from ddz.log.stores import open_log
        from ddz.simulation import folder as at_folder
        from ddz.simulation import numbers

        with closing(open_log(self._log, create=False)) if self._log else nullcontext() as log:
            if asked is None:
                simulation = at_folder.resumed(self._folder, request, log)
            else:
                simulation = at_folder.settle(self._folder, request, asked, log)
            just_drawn = simulation is asked and simulation.drawn  # of whose games nobody can have any
            return simulation, None if log is None or just_drawn else numbers.marked(log, simulation)

    def _play(
        self, simulation: "Simulation", there: bytearray | None, engine: "Engine", jobs: int
    ) -> "tuple[SimulationResult, float]":
        """Play what is missing, and how many seconds it took."""
        from ddz.simulation.simulate import play

        began = time.monotonic()
        with Bar(self._words) as bar:

            def report(done: int, total: int) -> None:
                if self._done is None and done:
                    known = {"done": done, "total": total, "seed": simulation.seed}
                    say(self._words.simulate["known"].format(**known))
                self._done = done, total
                bar(done, total)

            tally = play(self._folder, simulation, engine, jobs, now, os.urandom, report, there)
        return tally, time.monotonic() - began

    def _merge(self, log: str, simulation: "Simulation", tally: "SimulationResult") -> None:
        from ddz.simulation import shards

        if wants_bar():
            say(self._words.simulate["merging"])
        begun = 0
        with table_at(log, create=True) as table, Bar(self._words) as bar:

            def another() -> None:
                nonlocal begun
                bar(begun, simulation.games)
                begun += 1

            for path, _ in shards.shards_of(self._folder):
                shards.take_over(table.log, path, another, tally.heads.get(path))

    @contextmanager
    def _broken_off(self) -> Iterator[None]:
        """Say how to go on when something comes between, if there is anything to go on with."""
        from ddz.errors import DdzError
        from ddz.simulation.shards import shards_of

        try:
            yield
        except (DdzError, OSError, KeyboardInterrupt):
            if self._done is not None and shards_of(self._folder):
                done, total = self._done
                facts = {"done": done, "total": total, "folder": shown(str(self._folder))}
                say(self._words.simulate["stopped"].format(**facts, again=f"`{shown(self._again)}`"))
            raise

    @contextmanager
    def _delivering(self) -> Iterator[None]:
        """Around the report. If its reader has gone (as in `| head`), it counts as heard."""
        try:
            yield
            self._done = None  # from here on there is nothing to go on with
        except BrokenPipeError:
            if self._log is not None:
                from ddz.simulation.shards import remove

                remove(self._folder)
            raise


def _print(
    simulation: "Simulation", tally: "SimulationResult", seconds: float, log: str | None, folder: Path, words: "Words"
) -> None:
    says = words.simulate
    rate = tally.games / seconds
    facts = {"games": tally.games, "events": tally.events, "seed": simulation.seed, "rate": f"{rate:,.0f}"}
    put(says["played"].format(**facts))
    if tally.given_up:
        numbers = ", ".join(map(str, tally.given_up[:10])) + ", ..." * (len(tally.given_up) > 10)
        say(says["given_up"].format(count=len(tally.given_up), numbers=numbers))
    where = says["kept"] if log is None else says["merged"]
    put(where.format(path=shown(str(log or folder)), merge="`ddz log merge`"))
