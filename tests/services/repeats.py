"""Commands that are given under an id, each with the log that it is given to; and a log in which a twin is quicker."""

from collections.abc import Callable
from typing import Any

import pytest

from ddz.commands import Bid, Escape, PassBid
from ddz.log.base import EventLog
from ddz.rules import PRESETS
from ddz.services.archive import import_bytes
from ddz.services.audit import audit_game
from ddz.services.lines import fork
from ddz.services.opening import Opening
from ddz.services.table import Table

from .tables import (
    HUMANS,
    SPRING_RECORD,
    VOID_RECORD,
    action,
    enthroned,
    first_lead,
    points,
    random_game,
    say,
    void_game,
)

Command = Callable[[Table], Any]
ID = "mine"


def count(log: EventLog) -> int:
    return len(list(log.after(0)))


def all_clean(table: Table) -> None:
    for line in table.log.lines():
        assert audit_game(table.log, line.game).ok


def new(table: Table) -> Command:  # noqa: ARG001
    return lambda at: at.open(Opening(players=HUMANS), command_id=ID)


def new_from_a_chosen_seed(table: Table) -> Command:
    table.open(Opening(players=HUMANS, seed=7))
    rules = PRESETS["rlcard"]
    return lambda at: at.open(Opening(players=HUMANS, seed=7, first_voice=2, rules=rules), command_id=ID)


def bid(table: Table) -> Command:
    game = table.open(Opening(players=HUMANS, seed=7)).game
    return lambda at: at.act(game, Bid(1, 2), 2, ID)


def bid_without_expectation(table: Table) -> Command:
    game = table.open(Opening(players=HUMANS, seed=7)).game
    return lambda at: at.act(game, action("1 bid 2"), None, ID)


def third_pass(table: Table) -> Command:
    game = table.open(Opening(players=HUMANS, seed=7)).game
    say(table, game, "1 pass", "2 pass")
    return lambda at: at.act(game, PassBid(0), 4, ID)


def lead(table: Table) -> Command:
    at = enthroned(table)
    return lambda on: on.act(at.game, first_lead(at.state), at.seq, ID)


def escape(table: Table) -> Command:
    at = enthroned(table)
    return lambda on: on.act(at.game, Escape(2), None, ID)


def bid_in_a_void_game(table: Table) -> Command:
    game = void_game(table)
    seq = table.load(game).seq
    return lambda at: at.act(game, action("0 bid 2"), seq, ID)


def bid_in_a_void_game_without_expectation(table: Table) -> Command:
    game = void_game(table)
    return lambda at: at.act(game, action("0 pass"), None, ID)


def escape_from_a_void_game(table: Table) -> Command:
    game = void_game(table)
    return lambda at: at.act(game, action("0 escape"), table.load(game).seq, ID)


def a_fork(table: Table) -> Command:
    game = random_game(table, 3).game
    at = points(table, game)[5]
    return lambda on: fork(on, game, at, command_id=ID)


def a_fork_of_a_fork(table: Table) -> Command:
    game = random_game(table, 3).game
    line = fork(table, game, points(table, game)[6], "back").game
    return lambda on: fork(on, line, points(on, line)[2], "back", ID)


def a_record(table: Table) -> Command:
    import_bytes(table, SPRING_RECORD.encode(), "a test")
    return lambda at: import_bytes(at, SPRING_RECORD.encode(), "a test", command_id=ID)


def a_record_by_its_content(table: Table) -> Command:  # noqa: ARG001
    return lambda at: import_bytes(at, VOID_RECORD.encode(), "a test", by_content=True)


COMMANDS = (
    *(new, new_from_a_chosen_seed, bid, bid_without_expectation, third_pass, lead, escape, bid_in_a_void_game),
    *(bid_in_a_void_game_without_expectation, escape_from_a_void_game, a_fork, a_fork_of_a_fork),
    *(a_record, a_record_by_its_content),
)
EACH_COMMAND = pytest.mark.parametrize("prepare", COMMANDS, ids=lambda each: each.__name__)


class Overtaken:
    """A log in which something happens just before the look number `at` into it; looks are counted."""

    def __init__(self, log: EventLog, at: int, happens: Callable[[], object]) -> None:
        self.log = log
        self.at = at
        self.happens = happens
        self.looks = 0

    def __getattr__(self, name: str) -> Any:
        found = getattr(self.log, name)
        if not callable(found):
            return found

        def look(*args: Any, **more: Any) -> Any:
            self.looks += 1
            if self.looks == self.at:
                self.happens()
            return found(*args, **more)

        return look


def all_easy() -> dict[int, Any]:
    from ddz import bots

    return dict.fromkeys((0, 1, 2), bots.make("easy"))
