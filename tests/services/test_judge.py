"""What is taken over is judged first: whatever ddz makes itself passes, and whatever a forger makes leaves no trace."""

import random
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from ddz.errors import BrokenLog, DdzError, Unreadable
from ddz.frozen.events import GameOpened
from ddz.frozen.shapes import MOST_POINTS, Claim, Origin, Player
from ddz.log import chain, codec
from ddz.log.base import EventLog, Row
from ddz.log.memory import MemoryLog
from ddz.log.sqlite import SqliteLog
from ddz.rules import CLASSIC, PRESETS
from ddz.services import archive, bounds
from ddz.services.audit_log import audit_log
from ddz.services.judge import Lawless, judge_for
from ddz.services.match import next_opening
from ddz.services.merge import merge
from ddz.services.opening import Opening
from ddz.services.table import Table
from ddz.simulation import plan
from ddz.simulation.shards import shards_of
from ddz.simulation.simulate import play
from ddz.work.engines import engine_named

from .tables import (
    AT,
    HUMANS,
    SPRING_RECORD,
    bot_game,
    family,
    hasty,
    imported,
    play_on,
    random_game,
    reforged,
    table_on,
    void_game,
    with_event,
)

FIXTURES = Path(__file__).parents[2] / "fixtures"
replaced = msgspec.structs.replace
ESC = "\x1b[31mred"


def adopted(source: EventLog) -> MemoryLog:
    """A fresh log that has taken over another one, judged."""
    log = MemoryLog()
    log.adopt(source.after(0), source.seen(), judge_for(log))
    return log


# ---- what ddz makes ----


@pytest.mark.parametrize("path", sorted((FIXTURES / "logs").glob("*.jsonl")), ids=lambda path: path.stem)
def test_the_frozen_games_pass(path: Path):
    table = table_on()
    archive.import_bytes(table, path.read_bytes(), path.name)
    assert list(adopted(table.log).after(0)) == list(table.log.after(0))


RECORDS = [*(FIXTURES / "records").glob("*.toml"), *(FIXTURES / "foreign").glob("*.json")]


@pytest.mark.parametrize("path", sorted(RECORDS), ids=lambda path: path.stem)
def test_every_record_passes_once_it_is_stored(path: Path):
    table = table_on()
    try:
        archive.import_bytes(table, path.read_bytes(), path.name)
    except Unreadable:
        assert "malformed" in path.name
        return
    assert list(adopted(table.log).after(0)) == list(table.log.after(0))


@pytest.mark.parametrize("preset", [name for name, rules in PRESETS.items() if rules.auction != "assigned"])
def test_games_matches_forks_and_chosen_words_pass(preset: str):
    table = table_on()
    words = ("穷则变，变则通 👍", "", "x" * bounds.LONGEST_WORDS)
    first = bot_game(table, "random", "simple", "random", rules=PRESETS[preset], seat_seeds=words)
    again = table.open(next_opening(first.state, first.game))
    play_on(table, again.game, random.Random(1), turns=9, escape=0.1)
    family(table)
    random_game(table, seed=3, turns=6)
    imported(table, SPRING_RECORD.replace("[12, -6, -6]", "[99, -6, -6]"))
    void_game(table)
    table.log.mark_seen(again.game)
    log = adopted(table.log)
    assert list(log.after(0)) == list(table.log.after(0))
    assert log.seen() == table.log.seen()
    found = [code for code in codes_of(log) if code != "accounting/claim"]
    assert found == []


def codes_of(log: EventLog) -> list[str]:
    found: list[str] = []
    whole = audit_log(log, each=lambda audit: found.extend(finding.code for finding in audit.findings))
    return [*found, *(finding.code for finding in whole.findings)]


def test_a_simulation_passes_with_and_without_the_law(tmp_path: Path):
    folder = tmp_path / "sim"
    folder.mkdir()
    simulation = plan.new(plan.PlanRequest(games=6, seed=1, bots=("random",)), 0)
    plan.write(folder, simulation)
    tally = play(folder, simulation, engine_named("process", 1), 1, lambda: AT, random.randbytes, lambda *_: None)
    for heads in (tally.heads, {}):
        with closing(hasty(tmp_path / f"{len(heads)}.db")) as log:
            events = sum(merge(log, path, head=heads.get(path)).events for path, _ in shards_of(folder))
            assert events == tally.events
            assert audit_log(log).ok


# ---- what a forger makes ----

Change = Callable[[list[Row]], list[Row]]


def opening(**fields: object) -> Change:
    """Other fields of the opening."""

    def change(rows: list[Row]) -> list[Row]:
        event = codec.event_of(rows[0])
        return [with_event(rows[0], replaced(event, **fields)), *rows[1:]]

    return change


def player(**fields: object) -> Change:
    """Another player at seat 1."""
    one, two, three = HUMANS
    return opening(players=(one, replaced(two, **fields), three))


def origin(**fields: Any) -> Change:
    return opening(origin=replaced(Origin("ddz-record/1", "x", deals=1), **fields))


def row(number: int, **fields: object) -> Change:
    """Another field of a row."""
    return lambda rows: [*rows[:number], replaced(rows[number], **fields), *rows[number + 1 :]]


def scored(digits: int) -> Change:
    def change(rows: list[Row]) -> list[Row]:
        at = next(at for at, each in enumerate(rows) if each.type == "game_scored")
        body = rows[at].body.replace('"payouts":[', f'"payouts":[{"9" * digits},')
        whole, _, rest = body.partition('"payouts":[')
        numbers, _, end = rest.partition("]")
        return row(at, body=f'{whole}"payouts":[{",".join(numbers.split(",")[:3])}]{end}')(rows)

    return change


FORGED: dict[str, Change] = {
    "payouts of 10^4000": scored(4000),
    "payouts of 10^40": scored(40),
    "a time with an escape": row(3, at=ESC),
    "no time": row(3, at="yesterday"),
    "a day that there is not": row(3, at="2026-02-30T00:00:00Z"),
    "a time elsewhere": row(3, at="2026-02-03T00:00:00+02:00"),
    "an event id with an escape": row(3, event_id=f"{ESC}/0"),
    "an event id of no command": row(3, event_id="alone"),
    "an event id without a number": row(3, event_id="a/b"),
    "an event id of a later event": row(3, event_id="a/1"),
    "an event id with another zero": row(3, event_id="a/00"),
    "a command id that is too long": row(3, event_id=f"{'a' * 65}/0"),
    "a name with an escape": player(name=ESC),
    "an empty name": player(name=""),
    "a name without end": player(name="a" * 10**6),
    "a name turned round": player(name="a\u202eb"),
    "a name that is not composed": player(name="e\u0301"),
    "a bot with an escape": player(kind="bot", bot=ESC, version="1"),
    "a bot without end": player(kind="bot", bot="a" * 10**5, version="1"),
    "a version with an escape": player(kind="bot", bot="a", version=ESC),
    "rules with an escape": opening(rules=replaced(CLASSIC, name=ESC)),
    "a preset in vain": opening(rules=replaced(CLASSIC, name="literal")),
    "a match with an escape": opening(match=ESC),
    "a match that is none": opening(match="another"),
    "a game before with an escape": opening(match="m", round=2, previous=ESC, voice_from="rotation"),
    "a round that there is not": opening(match="m", round=10**4000, previous="p", voice_from="rotation"),
    "round 0": opening(match="m", round=0, previous="p", voice_from="rotation"),
    "words with an escape": opening(seat_seeds=(ESC, "", "")),
    "words without end": opening(seat_seeds=("a" * 10**5, "", "")),
    "a nonce that is none": opening(nonce=ESC),
    "a short nonce": opening(nonce="00"),
    "a commitment that is none": opening(commitment=ESC),
    "a server seed that is none": opening(server_seed="Z" * 64),
    "a format with an escape": origin(format=ESC),
    "a source with an escape": origin(source=ESC),
    "a source without end": origin(source="a" * 10**5),
    "a claim without end": origin(claim=Claim(payouts=(10**4000, 0, 0))),
    "a claim that is more than can be": origin(claim=Claim(payouts=(MOST_POINTS + 1, 0, 0))),
    "a winner with an escape": origin(claim=Claim(winner=ESC)),
    "deals that there are not": origin(deals=10**30),
    "no deal": origin(deals=0),
    "a cut batch": lambda rows: rows[:-1],
    "a play too few": lambda rows: [*rows[:9], *rows[10:]],
}


@pytest.fixture(scope="module")
def game() -> list[Row]:
    """A whole game of people under a drawn seed."""
    table = table_on(seed="forger")
    opened = table.open(Opening(players=HUMANS, first_voice=0))
    play_on(table, opened.game, random.Random(2))
    return list(table.log.rows(opened.game))


def forged(game: Sequence[Row], what: str) -> list[Row]:
    return reforged(FORGED[what](list(game)))


def events_file(rows: Sequence[Row]) -> bytes:
    head = archive.EventsHead(archive.EVENTS_FORMAT, rows[-1].game, rows[-1].hash)
    return b"\n".join(msgspec.json.encode(each) for each in (head, *rows))


def log_file(path: Path, rows: Sequence[Row]) -> Path:
    with closing(hasty(path)) as log:
        assert isinstance(log, SqliteLog)
        log.insert(rows)
    return path


def nothing_new(log: EventLog, before: list[Row]) -> None:
    assert list(log.after(0)) == before
    assert audit_log(log).ok


@pytest.mark.parametrize("what", FORGED)
def test_a_forged_game_is_not_imported(each_table: Table, game: list[Row], what: str):
    random_game(each_table, seed=1, turns=5)
    before = list(each_table.log.after(0))
    with pytest.raises(DdzError) as refused:
        archive.import_bytes(each_table, events_file(forged(game, what)), "a file")
    assert isinstance(refused.value, BrokenLog | Unreadable)
    nothing_new(each_table.log, before)


@pytest.mark.parametrize("what", FORGED)
def test_a_log_with_a_forged_game_is_not_merged(table: Table, game: list[Row], tmp_path: Path, what: str):
    """Nor the sound games that stand before it in the same log: all or nothing."""
    source = table_on(seed="source")
    random_game(source, seed=4, turns=5)
    rows = [*source.log.after(0)]
    bad = [chain.moved(each, at) for at, each in enumerate(forged(game, what), len(rows) + 1)]
    path = log_file(tmp_path / "other.db", [*rows, *bad])
    random_game(table, seed=1, turns=5)
    before = list(table.log.after(0))
    with pytest.raises(BrokenLog, match=str(path)):
        merge(table.log, path)
    nothing_new(table.log, before)


def test_a_refusal_names_the_game_the_fault_and_the_way_out(table: Table, game: list[Row], tmp_path: Path):
    path = log_file(tmp_path / "other.db", forged(game, "a time with an escape"))
    with pytest.raises(Lawless) as refused:
        merge(table.log, path)
    said = str(refused.value)
    assert said.startswith(f"{path}: event 4 of {game[0].game}: '?[31mred' is no time")
    assert "its sound games can be salvaged" in said
    assert refused.value.code == "legality/shape"


def test_a_line_that_has_grown_is_judged_with_what_was_here(table: Table, game: list[Row]):
    """A fork of a sound game, and the end of a sound beginning, may be what is lawless."""
    table.log.adopt(game[:9], judge=judge_for(table.log))
    bad = forged(game, "payouts of 10^40")
    assert bad[:9] == game[:9]
    with pytest.raises(Lawless) as refused:
        table.log.adopt(bad, judge=judge_for(table.log))
    assert (refused.value.code, refused.value.seq) == ("accounting/game-scored", len(game) - 1)
    nothing_new(table.log, game[:9])
    table.log.adopt(game, judge=judge_for(table.log))
    nothing_new(table.log, game)


@pytest.mark.parametrize("fields", [{"round": 7}, {"first_voice": 2}, {"match": "another"}])
def test_a_game_out_of_its_match_is_refused(fields: dict[str, object]):
    source = table_on()
    first = bot_game(source, "random", first_voice=0)
    later = source.open(next_opening(first.state, first.game))
    rows = list(source.log.rows(later.game))
    opened = codec.event_of(rows[0])
    assert isinstance(opened, GameOpened)
    wrong = {name: value for name, value in fields.items() if getattr(opened, name) != value}
    if not wrong:
        wrong = {"first_voice": (opened.first_voice + 1) % 3}
    changed = replaced(opened, **wrong)
    bad = reforged([with_event(rows[0], changed)])
    log = MemoryLog()
    log.adopt(source.log.rows(first.game), judge=judge_for(log))
    before = list(log.after(0))
    with pytest.raises(Lawless) as refused:
        log.adopt(bad, judge=judge_for(log))
    assert refused.value.code in ("match/round", "match/rotation")
    nothing_new(log, before)


# ---- what ddz itself refuses to begin, because no log would take it over ----


BOT = Player("bot", "bot", "exec:a", "botzone")
UNFIT: dict[str, dict[str, Any]] = {
    "words": {"seat_seeds": ("", ESC, "")},
    "many words": {"seat_seeds": ("", "x" * (bounds.LONGEST_WORDS + 1), "")},
    "a bot's command": {"players": (BOT, replaced(BOT, bot="exec:a\nb"), BOT)},
    "a bot's long command": {"players": (BOT, replaced(BOT, bot="exec:" + "a" * bounds.LONGEST_BOT), BOT)},
}


@pytest.mark.parametrize("what", UNFIT)
def test_no_game_begins_that_could_not_be_taken_over(each_table: Table, what: str):
    with pytest.raises(Unreadable):
        each_table.open(Opening(**{"players": HUMANS, **UNFIT[what]}))
    assert list(each_table.log.after(0)) == []


def test_a_record_is_stored_only_in_plain_words(table: Table):
    with pytest.raises(Unreadable, match="the name of the source"):
        imported(table, SPRING_RECORD + f'\n[meta]\nid = "{"a" * 300}"\n')
    with pytest.raises(Unreadable, match="more than any rules pay"):
        imported(table, SPRING_RECORD.replace("[12, -6, -6]", f"[{'9' * 80}, 0, 0]"))
    done = imported(table, SPRING_RECORD, f"{ESC}.toml")
    opened = table.log.history(done.game)[0]
    assert isinstance(opened, GameOpened)
    assert opened.origin is not None
    assert opened.origin.source == "?[31mred.toml", "a file may be called anything"
