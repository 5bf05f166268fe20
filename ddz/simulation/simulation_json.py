"""The result of a simulation, as an object of the contract."""

from pathlib import Path

from ddz.contract.machine import BotJson, ShardJson, SimulateJson
from ddz.simulation.plan import Simulation
from ddz.simulation.simulate import SimulationResult


def simulation_json(
    simulation: Simulation,
    tally: SimulationResult,
    log: str | None,
    folder: Path,
    jobs: int,
    engine: str,
    seconds: float,
) -> SimulateJson:
    """A simulation that was played; without a log, its shards stay in the folder."""
    heads = [ShardJson(str(path), head) for path, head in sorted(tally.heads.items())]
    return SimulateJson(
        seed=simulation.seed,
        games=simulation.games,
        players=tuple([BotJson(player.bot, player.version) for player in simulation.players]),
        rules=simulation.rules.name,
        played=tally.games,
        known=tally.known,
        events=tally.events,
        given_up=tally.given_up,
        log=log,
        folder=str(folder) if log is None else None,
        shards=tuple(heads) if log is None else (),
        jobs=jobs,
        engine=engine,
        seconds=seconds,
        games_per_second=tally.games / seconds,
    )
