"""The plays of the frozen logs as scripts: the kernel follows each to its end, and refuses it where it is spoiled."""

from pathlib import Path

import pytest
from scripts import judge, script_of

from ddz.frozen.events import CardsPlayed
from ddz.services.archive import import_bytes
from ddz.services.table import Table

LOGS = sorted((Path(__file__).parents[2] / "fixtures" / "logs").glob("*.jsonl"))


@pytest.mark.parametrize("file", LOGS, ids=lambda file: file.stem)
def test_the_kernel_follows_the_frozen_games(table: Table, file: Path):
    events = table.log.history(import_bytes(table, file.read_bytes(), file.name).game)
    script = script_of(events)
    if script is None:
        assert not any(isinstance(event, CardsPlayed) for event in events)
        return
    assert script.follow() == (len(script.turns), script.winner)
    illegal, legal = judge(script)
    assert illegal >= 20 * len(script.turns)
    assert legal >= len(script.turns)


def test_there_are_games_among_them_that_somebody_won(table: Table):
    winners = []
    for file in LOGS:
        script = script_of(table.log.history(import_bytes(table, file.read_bytes(), file.name).game))
        winners.append(script.winner if script else None)
    assert len([winner for winner in winners if winner is not None]) > 4
