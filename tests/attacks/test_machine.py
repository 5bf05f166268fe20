"""A state machine: commands, repeats, stale and illegal ones, forks, reopenings and mergings, against a model of lists.

The model knows no rule and no hash: it remembers which events each line was told to have, and what each id did.
The long form: `HYPOTHESIS_PROFILE=long python -m pytest -m long tests/attacks/test_machine.py`.
"""

import random
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, initialize, invariant, multiple, rule

from ddz.commands import Escape, Turn
from ddz.decide import decide, legal, refusal
from ddz.errors import Refused, StaleLog, UnknownGame
from ddz.frozen.events import Event, GameForked
from ddz.frozen.shapes import Player
from ddz.log.sqlite import SqliteLog
from ddz.log.stores import open_log
from ddz.rules import PRESETS
from ddz.services import lines
from ddz.services.audit import CLAIM, audit_game
from ddz.services.audit_log import audit_log, verify_log
from ddz.services.merge import merge
from ddz.services.table import Opening, Outcome, Table
from ddz.state import Over, State, Void, fold, turn_of

PEOPLE = (Player("ann", "human"), Player("bob", "human"), Player("cat", "human"))


class Machine(RuleBasedStateMachine):
    """One log in a file, and what it must hold."""

    games = Bundle("games")
    ids = Bundle("ids")

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name) / "log.db"
        self.chance = random.Random(7)
        self.lines: dict[str, tuple[Event, ...]] = {}
        self.done: dict[str, tuple[str, Any, Outcome]] = {}
        """What each id of a command did: in which line, which move, and what came of it."""
        self.opened: list[SqliteLog] = []
        self.copies = 0

    @initialize()
    def begin(self) -> None:
        self.table = self._open()

    def _open(self) -> Table:
        log = open_log(self.path, create=True)
        assert isinstance(log, SqliteLog)
        log.relax_sync()
        self.opened.append(log)
        return Table(log, lambda: "2024-05-06T07:08:09Z", self.chance.randbytes)

    def _state(self, game: str) -> State:
        return fold(self.lines[game])

    def _did(self, outcome: Outcome, before: tuple[Event, ...]) -> None:
        self.lines[outcome.game] = before + outcome.events
        assert outcome.seq == len(self.lines[outcome.game])
        assert outcome.state == fold(self.lines[outcome.game])

    @rule(target=games, seed=st.integers(0, 9), rules=st.sampled_from(sorted(PRESETS)))
    def open(self, seed: int, rules: str) -> str:
        outcome = self.table.open(Opening(players=PEOPLE, rules=PRESETS[rules], seed=seed))
        self._did(outcome, ())
        return outcome.game

    @rule(
        target=ids,
        game=games,
        choice=st.randoms(use_true_random=False),
        late=st.sampled_from((None, 0, 0, -1, 1)),
        steps=st.integers(1, 12),
    )
    def act(self, game: str, choice: random.Random, late: int | None, steps: int) -> Any:
        """Some moves; `late` is by how much the expected event is off, None expects nothing."""
        made = []
        for _ in range(steps):
            state, seq = self._state(game), len(self.lines[game])
            turns = legal(state)
            if not turns:
                break
            command_id = f"command-{len(self.done)}-{choice.randrange(10**6)}"
            move = choice.choice(turns)
            expect = None if late is None else seq + late
            if late:
                with pytest.raises(StaleLog) as caught:
                    self.table.act(game, move, expect, command_id)
                assert caught.value.facts["actual"] == seq
                break
            outcome = self.table.act(game, move, expect, command_id)
            assert outcome.events[: len(decide(state, move))] == decide(state, move)
            self._did(outcome, self.lines[game])
            self.done[command_id] = (game, move, outcome)
            made.append(command_id)
        return multiple(*made)

    @rule(game=games, other=games, choice=st.randoms(use_true_random=False))
    def act_against_the_law(self, game: str, other: str, choice: random.Random) -> None:
        """A move of another game, or out of turn: refused as the law says, and nothing is stored."""
        state = self._state(game)
        turns: tuple[Turn, ...] = legal(self._state(other)) or legal(state)
        if not turns:
            return
        move = choice.choice(turns)
        refused = None if isinstance(state, Void) else refusal(state, move)
        if refused is None:
            return
        with pytest.raises(Refused) as caught:
            self.table.act(game, move, None, f"refused-{choice.randrange(10**9)}")
        assert caught.value.code == refused.code

    @rule(command_id=ids)
    def repeat(self, command_id: str) -> None:
        """It answers what it did, wherever the game stands by now."""
        game, move, outcome = self.done[command_id]
        for expect in (None, 0, outcome.seq - len(outcome.events)):
            assert self.table.act(game, move, expect, command_id) == outcome

    @rule(command_id=ids, game=games)
    def take_an_id_for_something_else(self, command_id: str, game: str) -> None:
        named, move, _ = self.done[command_id]
        other = Escape(0) if game == named else move
        if isinstance(move, Escape) and isinstance(other, Escape):
            return
        with pytest.raises(Refused) as caught:
            self.table.act(game, other, None, command_id)
        assert caught.value.code == "log/command-reused"

    @rule(target=games, game=games, choice=st.randoms(use_true_random=False), back=st.booleans())
    def fork(self, game: str, choice: random.Random, back: bool) -> Any:
        events = self.lines[game]
        points = [at for at in range(1, len(events) + 1) if turn_of(fold(events[:at])) is not None]
        at = choice.randint(1, len(events))
        if at not in points:
            with pytest.raises(Refused) as caught:
                lines.fork(self.table, game, at)
            assert caught.value.code == "fork/no-turn-here"
            return multiple()
        outcome = lines.fork(self.table, game, at, "back" if back else "explore")
        self._did(outcome, events[:at])
        assert [type(event) for event in outcome.events] == [GameForked]
        return outcome.game

    @rule(game=consumes(games), seat=st.integers(0, 2))
    def escape(self, game: str, seat: int) -> None:
        state = self._state(game)
        if isinstance(state, Over):
            return
        outcome = self.table.act(game, Escape(seat))
        self._did(outcome, self.lines[game])
        assert isinstance(outcome.state, Over)

    @rule(game=st.text(max_size=5))
    def ask_for_nothing(self, game: str) -> None:
        if not any(name.startswith(game) for name in self.lines):
            with pytest.raises(UnknownGame):
                self.table.log.resolve(game)

    @rule()
    def reopen(self) -> None:
        self.table.log.close()
        self.table = self._open()

    @rule()
    def open_once_more(self) -> None:
        """Another process goes on; the first one stays open."""
        self.table = self._open()

    @rule()
    def merge_into_a_new_log(self) -> None:
        if not self.lines:
            return
        self.copies += 1
        with closing(open_log(Path(self.folder.name) / f"copy-{self.copies}.db", create=True)) as other:
            taken = merge(other, self.path)
            assert (taken.lines, taken.known) == (len(self.lines), 0)
            for game, events in self.lines.items():
                assert other.history(game) == events
            again = merge(other, self.path)
            assert (again.events, again.known) == (0, taken.events)

    @invariant()
    def the_log_is_the_model(self) -> None:
        if not self.opened:
            return
        log = self.table.log
        assert {line.game for line in log.lines()} == set(self.lines)
        for game, events in self.lines.items():
            assert log.history(game) == events

    def teardown(self) -> None:
        if self.opened:
            assert verify_log(self.table.log).findings == ()
            assert audit_log(self.table.log).ok
            for game in self.lines:
                assert [each for each in audit_game(self.table.log, game).findings if each.code != CLAIM] == []
        for log in self.opened:
            log.close()
        self.folder.cleanup()


class TestShort(Machine.TestCase):
    settings = settings(max_examples=12, stateful_step_count=20)


@pytest.mark.long
class TestLong(Machine.TestCase):
    settings = settings(max_examples=1500, stateful_step_count=40)
