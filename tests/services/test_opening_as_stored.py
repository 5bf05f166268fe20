"""No fold changes the opening: at every event of every line it is the stored one, whatever was forked and redealt."""

import gzip
import random
from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path

import msgspec
from games import Game, arrange, imported, opening
from hypothesis import given
from hypothesis import strategies as st

from ddz.commands import Deal, Fork
from ddz.decide import legal
from ddz.frozen.events import Dealt, Event, GameForked, GameOpened
from ddz.log.base import Row
from ddz.log.memory import MemoryLog
from ddz.log.stores import open_log
from ddz.state import START, Auction, Over, Void, evolve, from_record, opened_in, turn_of

FOLDER = Path(__file__).parents[2] / "fixtures" / "logs"


def brought(events: Iterable[Event]) -> int:
    """How many deals a record brings to the line of these events, told by the events alone."""
    deals, dealt = 0, 0
    for event in events:
        if isinstance(event, GameOpened):
            deals = event.origin.deals if event.origin else 0
        elif isinstance(event, Dealt):
            dealt = event.number + 1
        elif isinstance(event, GameForked):
            deals = min(deals, dealt)
    return deals


def hold(events: Sequence[Event]) -> None:
    """The state behind each event has the very event that opened the game."""
    state = START
    for at, event in enumerate(events, 1):
        state = evolve(state, event)
        assert opened_in(state) is events[0], f"another opening after event {at}: {event}"
        assert from_record(state) == brought(events[:at])


def test_in_every_frozen_game():
    files = sorted(FOLDER.glob("*.jsonl"))
    assert files
    for file in files:
        log = MemoryLog()
        log.adopt([msgspec.json.decode(line, type=Row) for line in file.read_bytes().splitlines()[1:]])
        for line in log.lines():
            hold(log.history(line.game))


def test_in_every_line_of_the_log_of_everything(tmp_path: Path):
    path = tmp_path / "games.db"
    path.write_bytes(gzip.decompress((FOLDER / "v1-everything.db.gz").read_bytes()))
    with closing(open_log(path, create=False)) as log:
        histories = [log.history(line.game) for line in log.lines()]
    shortened = [events for events in histories if brought(events) < brought(events[:1])]
    assert len(shortened) > 3, "forks that leave deals of their record to another line"
    for events in histories:
        hold(events)


@given(st.randoms(use_true_random=False), st.integers(1, 4))
def test_in_imports_of_several_deals_with_forks_before_and_after_redeals(rng: random.Random, deals: int):
    game = Game()
    game.do(opening(first_voice=0, origin=imported(deals)))
    _deal(game)
    for _ in range(60):
        if isinstance(game.state, Over):
            break
        if isinstance(game.state, Void):
            _deal(game)
        elif turn_of(game.state) is not None and rng.random() < 0.15:
            game.do(Fork("game", len(game.events), "00" * 32, "explore"))
        else:
            moves = legal(game.state)
            passes = isinstance(game.state, Auction) and rng.random() < 0.9
            game.do(moves[-1] if passes else rng.choice(moves))
    hold(game.events)


def _deal(game: Game) -> None:
    """Deal as the record does, or from the seeds behind its last deal of this line."""
    void = isinstance(game.state, Void)
    number = game.state.dealt.number + 1 if void else 0
    if number >= brought(game.events):
        game.do(Deal())
        return
    game.do(Deal(arrange((), "", game.state.next_voice if void else 0)))
