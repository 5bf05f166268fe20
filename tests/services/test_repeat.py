"""A command that is given again under its id answers what it did, and stores nothing twice: whoever comes in between.

The races are played here one by one: a command's twin is done whole between any two looks of the command into the
log. `tests/cli/test_repeat.py` runs real processes at once.
"""

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ddz.commands import Bid, Pass, Play
from ddz.decide import legal
from ddz.errors import Refused, StaleLog, UnknownGame, Unreadable
from ddz.frozen.events import GameOpened
from ddz.frozen.shapes import Kind, Player
from ddz.log.base import EventLog
from ddz.log.memory import MemoryLog
from ddz.rules import PRESETS
from ddz.services import loop
from ddz.services.archive import export_events, import_bytes
from ddz.services.audit import audit_game
from ddz.services.lines import fork
from ddz.services.opening import Opening
from ddz.services.repeat import line_meant
from ddz.services.table import Table
from ddz.state import Over, Void, opening_of

from .repeats import (
    EACH_COMMAND,
    ID,
    Command,
    Overtaken,
    a_record_by_its_content,
    all_clean,
    all_easy,
    bid_in_a_void_game,
    bid_in_a_void_game_without_expectation,
    count,
)
from .tables import (
    HUMANS,
    SPRING_RECORD,
    VOID_RECORD,
    action,
    enthroned,
    hasty,
    play_on,
    points,
    random_game,
    say,
    table_on,
    void_game,
)


def logs(kind: str, folder: Path) -> Iterator[EventLog]:
    for number in range(100):
        yield MemoryLog() if kind == "memory" else hasty(folder / f"{number}.db")


@pytest.mark.parametrize("kind", ["memory", "sqlite"])
@EACH_COMMAND
def test_a_twin_may_come_in_between_any_two_looks(prepare: Callable[[Table], Command], kind: str, tmp_path: Path):
    """At each look there may be: the whole twin is done before it, and both answer the same."""
    looks = 0
    for at, log in enumerate(logs(kind, tmp_path), 1):
        before = table_on(log)
        command = prepare(before)
        stored = count(log)
        answers = []
        overtaken = Overtaken(log, at, lambda: answers.append(command(table_on(log, "twin"))))  # noqa: B023
        answers.append(command(table_on(overtaken, "first")))
        grown = count(log)
        if not overtaken.looks >= at:  # nothing has happened in between: there are no more looks
            assert len(answers) == 1
            break
        looks += 1
        assert answers[0] == answers[1]
        answers.append(command(table_on(log, "once more")))
        assert answers[2] == answers[0]
        assert count(log) == grown
        dealt = prepare in (bid_in_a_void_game, bid_in_a_void_game_without_expectation)
        own = log.find(ID) or log.rows(answers[0].game)
        assert grown - stored == len(own) + dealt, "stored once, and dealt once where a deal was due"
        all_clean(before)
        log.close()
    assert looks >= (1 if prepare is a_record_by_its_content else 2)


@EACH_COMMAND
def test_and_the_game_may_have_moved_on_behind_the_twin(prepare: Callable[[Table], Command]):
    """Others have acted after the twin, until the same might be legal again, or the game is over."""
    for at, log in enumerate(logs("memory", Path()), 1):
        command = prepare(table_on(log))
        answers = []

        def happens(log: EventLog = log, command: Command = command, answers: list[Any] = answers) -> None:
            twin = table_on(log, "twin")
            answers.append(command(twin))
            play_on(twin, answers[0].game, random.Random(1), turns=random.Random(f"{log}").choice([1, 2, 3, 6, None]))

        overtaken = Overtaken(log, at, happens)
        answers.append(command(table_on(overtaken, "first")))
        if overtaken.looks < at:
            break
        assert answers[0] == answers[1]
        all_clean(table_on(log))


def test_the_same_would_be_legal_once_more():
    """The sharpest race: the twin has passed, and by now it is the same seat's turn, which might well pass again."""
    for at in range(1, 12):
        log = MemoryLog()
        before = table_on(log)
        game = enthroned(before, 7).game
        before.act(game, lowest(before, game))

        def happens(log: EventLog = log, game: str = game) -> None:
            twin = table_on(log, "twin")
            twin.act(game, action("2 pass"), None, ID)
            say(twin, game, "0 pass")
            twin.act(game, lowest(twin, game))

        overtaken = Overtaken(log, at, happens)
        first = table_on(overtaken, "first").act(game, action("2 pass"), None, ID)
        if overtaken.looks < at:
            assert at > 3
            break
        assert first.seq == log.find(ID)[0].seq
        assert len(log.find(ID)) == 1
        assert legal(before.load(game).state)[-1] == Pass(2), "it would be legal once more"
        assert audit_game(log, game).ok


def lowest(table: Table, game: str) -> Play:
    """The lowest single card of the seat to act."""
    return next(turn for turn in legal(table.load(game).state) if isinstance(turn, Play) and turn.kind is Kind.SOLO)


# ---- what is another command ----


def test_new_is_known_by_all_that_was_asked_for(each_table: Table):
    first = each_table.open(Opening(players=HUMANS), command_id=ID)
    chosen = each_table.open(Opening(players=HUMANS, seed=3, first_voice=1), command_id="chosen")
    stored = count(each_table.log)
    for command_id, same in ((ID, Opening(players=HUMANS)), ("chosen", Opening(players=HUMANS, seed=3, first_voice=1))):
        assert each_table.open(same, command_id=command_id) == (first if command_id == ID else chosen)
    others = (Player("ann", "human"), Player("bob", "human"), Player("dan", "human"))
    voice = opening_of(first.state).first_voice
    for command_id, other in (
        (ID, Opening(players=others)),
        (ID, Opening(players=HUMANS, seed=3)),
        (ID, Opening(players=HUMANS, first_voice=voice)),
        (ID, Opening(players=HUMANS, rules=PRESETS["pagat"])),
        (ID, Opening(players=HUMANS, seat_seeds=("a", "", ""))),
        (ID, Opening(players=HUMANS, match="other", round=2, previous="other")),
        ("chosen", Opening(players=HUMANS, first_voice=1)),
        ("chosen", Opening(players=HUMANS, seed=3)),
        ("chosen", Opening(players=HUMANS, seed=4, first_voice=1)),
        ("chosen", Opening(players=HUMANS, seed=3, first_voice=1, rotated=True)),
        ("chosen", Opening(players=others, seed=3, first_voice=1)),
    ):
        with pytest.raises(Refused) as caught:
            each_table.open(other, command_id=command_id)
        assert caught.value.code == "log/command-reused"
    assert count(each_table.log) == stored


def test_an_id_serves_one_kind_of_command_only(table: Table):
    """Every kind's id, given to every kind."""
    game = table.open(Opening(players=HUMANS, seed=7), command_id="a game").game
    table.act(game, Bid(1, 1), command_id="a bid")
    fork(table, game, 2, command_id="a fork")
    import_bytes(table, SPRING_RECORD.encode(), "a test", command_id="a record")
    events = export_events(table, game).encode()
    stored = count(table.log)
    asked: dict[str, Callable[[str], object]] = {
        "a game": lambda name: table.open(Opening(players=HUMANS, seed=7), command_id=name),
        "a bid": lambda name: table.act(game, Bid(1, 1), command_id=name),
        "a fork": lambda name: fork(table, game, 2, command_id=name),
        "a record": lambda name: import_bytes(table, SPRING_RECORD.encode(), "a test", command_id=name),
        "events": lambda name: import_bytes(table, events, "a test", command_id=name),
    }
    for kind, ask in asked.items():
        for name in asked:
            if name == kind:
                ask(name)
            if name in (kind, "events"):
                continue
            with pytest.raises(Refused) as caught:
                ask(name)
            assert caught.value.code == "log/command-reused", f"{kind} by the id of {name}"
    with pytest.raises(Refused) as caught:
        import_bytes(table, VOID_RECORD.encode(), "a test", command_id="a record")
    assert caught.value.code == "log/command-reused"
    for at, reason in ((3, "explore"), (2, "back"), (99, "explore")):
        with pytest.raises(Refused) as caught:
            fork(table, game, at, reason, "a fork")
        assert caught.value.code == "log/command-reused"
    assert count(table.log) == stored


@pytest.mark.parametrize("name", ["", "a/b", "x" * 65, "a\nb"])
def test_what_is_no_id_stores_nothing(table: Table, name: str):
    game = void_game(table)
    over = random_game(table, 3).game
    stored = count(table.log)
    for ask in (
        lambda: table.open(Opening(players=HUMANS), command_id=name),
        lambda: table.act(game, action("0 bid 1"), command_id=name),
        lambda: fork(table, over, points(table, over)[1], command_id=name),
        lambda: import_bytes(table, SPRING_RECORD.encode(), "a test", command_id=name),
    ):
        with pytest.raises(Refused) as caught:
            ask()
        assert caught.value.code == "log/bad-command-id"
    assert count(table.log) == stored, "not even the deal that was due"


def test_a_refused_command_leaves_its_id_free(table: Table):
    game = table.open(Opening(players=HUMANS, seed=7)).game
    with pytest.raises(Refused):
        fork(table, game, 1, command_id=ID)
    with pytest.raises(Unreadable):
        import_bytes(table, SPRING_RECORD.replace("0 play R", "0 play B").encode(), "a test", command_id=ID)
    assert table.open(Opening(players=HUMANS), command_id=ID).seq == 2


# ---- a deal that is due ----


def test_somebody_else_may_deal_in_between_any_two_looks():
    """One whose command is refused then, or is killed: the deal was due all the same, and comes once."""
    for at in range(1, 14):
        log = MemoryLog()
        before = table_on(log)
        game = void_game(before)
        seq = before.load(game).seq

        def happens(log: EventLog = log, game: str = game) -> None:
            twin = table_on(log, "twin")
            if isinstance(twin.load(game).state, Void):
                twin.redeal(twin.load(game))

        overtaken = Overtaken(log, at, happens)
        done = table_on(overtaken, "first").act(game, action("0 bid 2"), None, ID)
        assert done.seq == seq + 2
        assert before.load(game).seq == seq + 2
        assert audit_game(log, game).ok
        if overtaken.looks < at:
            assert at > 4
            break


def test_who_expects_the_void_game_is_told_that_somebody_else_has_dealt():
    for at in range(1, 4):
        log = MemoryLog()
        before = table_on(log)
        game = void_game(before)
        seen = before.load(game)
        overtaken = Overtaken(log, at, lambda: before.redeal(seen))  # noqa: B023
        with pytest.raises(StaleLog):
            table_on(overtaken, "first").act(game, action("0 bid 2"), seen.seq, ID)
        assert before.load(game).seq == seen.seq + 1
        assert before.act(game, action("0 bid 2"), seen.seq + 1, ID).seq == seen.seq + 2


# ---- the line that was meant ----


def test_last_is_what_it_was_when_the_command_came_through(each_table: Table):
    log = each_table.log
    game = random_game(each_table, 3).game
    assert line_meant(log, "@last", None) == line_meant(log, "@last", ID) == game
    line = fork(each_table, game, points(each_table, game)[3], command_id=ID).game
    other = each_table.open(Opening(players=HUMANS), command_id="new").game
    assert line_meant(log, "@last", None) == line_meant(log, "@last", "unknown") == other
    assert line_meant(log, "@last", ID) == game, "what was forked, and not the fork"
    each_table.act(line, legal(each_table.load(line).state)[0], command_id="act")
    assert line_meant(log, "@last", "new") == other
    assert line_meant(log, "@last", "act") == line
    assert line_meant(log, other, ID) == other, "whoever names a line means it"


def test_a_beginning_that_two_lines_share_by_now(table: Table):
    game = random_game(table, 3).game
    at = points(table, game)[3]
    fork(table, line_meant(table.log, game[0], ID), at, command_id=ID)
    while sum(line.game[0] == game[0] for line in table.log.lines()) < 2:
        table.open(Opening(players=HUMANS))
    with pytest.raises(UnknownGame, match="several games"):
        line_meant(table.log, game[0], "unknown")
    assert line_meant(table.log, game[0], ID) == game
    with pytest.raises(UnknownGame, match="there is no game"):
        line_meant(table.log, "no such line", ID)


def test_a_twin_that_forks_the_last_line_makes_itself_the_last():
    for at in range(1, 9):
        log = MemoryLog()
        game = random_game(table_on(log), 3).game
        turn = points(table_on(log), game)[3]

        def command(table: Table, turn: int = turn) -> object:
            return fork(table, line_meant(table.log, "@last", ID), turn, command_id=ID)

        answers = []
        overtaken = Overtaken(log, at, lambda: answers.append(command(table_on(log, "twin"))))  # noqa: B023
        answers.append(command(table_on(overtaken, "first")))
        assert answers[0] == answers[-1]
        assert len(log.find(ID)) == 1


# ---- a fork that is played out ----


def test_two_who_play_one_line_out_do_it_together(table: Table):
    game = random_game(table, 3).game
    for at in range(2, 40, 3):
        line = fork(table, game, points(table, game)[1 + at % 3]).game
        overtaken = Overtaken(table.log, at, lambda: loop.finish(table, line, all_easy()))  # noqa: B023
        done = loop.finish(table_on(overtaken, f"first {at}"), line, all_easy())
        assert isinstance(done.state, Over)
        assert audit_game(table.log, line).ok


def test_what_was_drawn_is_drawn_once(table: Table):
    first = table.open(Opening(players=HUMANS), command_id=ID)
    asked: list[int] = []
    silent = Table(table.log, table.clock, lambda size: asked.append(size) or bytes(size))
    assert silent.open(Opening(players=HUMANS), command_id=ID) == first
    assert not asked, "a known command is answered before anything is drawn"
    assert isinstance(table.log.history(first.game)[0], GameOpened)
