"""What is in the folder of a simulation, and what a command does with it: begin, continue, or say what to do first.

An interrupted simulation is continued by `--resume`, and by the command that began it. One that has nothing
left to give (no game yet, or all of its games are in the log) is replaced.
"""

from contextlib import closing
from pathlib import Path

from ddz.errors import BrokenLog, Unreadable
from ddz.log.base import EventLog
from ddz.log.stores import open_log
from ddz.simulation import plan, shards
from ddz.simulation.plan import PlanRequest, Simulation


def settle(folder: Path, request: PlanRequest, asked: Simulation, log: EventLog | None) -> Simulation:
    """The simulation to play for somebody who asks for a new one, `asked`; `log` is the one that takes the games.

    Raises:
        Unreadable: games of another one are there; says what to do.
        BrokenLog, StorageRefused: as the log, or the folder.
    """
    spoilt = None
    try:
        found = plan.read(folder)
    except Unreadable as error:
        found, spoilt = None, error
    if found is not None and plan.same(found, asked):
        return plan.old(folder, found, PlanRequest(games=request.games))
    if not _worth(folder, log):
        shards.clear(folder)
        return asked
    if found is not None:
        plan.old(folder, found, PlanRequest())  # or says why it cannot be continued
        raise Unreadable(
            "simulation/in-the-way",
            "{folder} holds another simulation, {games} games of seed {seed}: continue it, or remove the folder, or"
            " name another one",
            folder=str(folder),
            games=found.games,
            seed=found.seed,
        )
    if request.seed is not None and _belong(folder, asked):
        return asked
    raise _orphans(folder) from spoilt


def resumed(folder: Path, request: PlanRequest, log: EventLog | None) -> Simulation:
    """The simulation of a folder, to be continued; more games may be requested than it had.

    Raises:
        Unreadable: there is none, or not the one that is requested; says what to do.
        BrokenLog, StorageRefused: as the log, or the folder.
    """
    found = plan.read(folder)
    if found is not None:
        return plan.old(folder, found, request)
    if _worth(folder, log):
        raise _orphans(folder)
    raise nothing(folder, log is not None)


def nothing(folder: Path, into_log: bool) -> Unreadable:
    """What to say where there is nothing to go on with."""
    if into_log:
        return Unreadable(
            "simulation/absent",
            "there is no unfinished simulation in {folder}: finished games are in the log, and a new one may begin",
            folder=str(folder),
        )
    return Unreadable("simulation/none", "there is no simulation in {folder} to continue", folder=str(folder))


def _orphans(folder: Path) -> Unreadable:
    return Unreadable(
        "simulation/lost",
        "{folder} holds games of a simulation, but {plan}, which says of which one, is absent or damaged: {way_out}",
        folder=str(folder),
        plan=plan.PLAN,
        way_out=plan.way_out(folder),
    )


def _worth(folder: Path, log: EventLog | None) -> bool:
    """True if the shards hold a game that is not in the log, or if that cannot be known."""
    try:
        return any(_lacks(log, path) for path, _ in shards.shards_of(folder))
    except BrokenLog:
        return True


def _lacks(log: EventLog | None, path: Path) -> bool:
    """True if a shard has a game that the log has not. A shard is merged whole: the openings say enough."""
    with closing(open_log(path, create=False)) as shard:
        for row in shard.after(0, ("game_opened",)):
            if log is None or [here.hash for here in log.rows(row.game, row.seq)] != [row.hash]:
                return True
    return False


def _belong(folder: Path, asked: Simulation) -> bool:
    """True if all games in the shards are games of this simulation."""
    try:
        return all(shards.held(path, of, asked) is not None for path, of in shards.shards_of(folder))
    except BrokenLog:
        return False
