"""What goes out comes back: records, and events with their chain byte for byte."""

import random
import tomllib

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ddz.commands import Escape
from ddz.errors import BrokenLog, Unreadable
from ddz.frozen.events import Dealt, Event, GameForked, GameOpened, SeedRevealed, tag_of
from ddz.log import chain
from ddz.log.memory import MemoryLog
from ddz.services.archive import export_events, export_record, import_bytes
from ddz.services.audit import audit_game
from ddz.services.lines import fork
from ddz.services.opening import Opening
from ddz.services.table import Table
from ddz.state import Over, Void

from .tables import (
    HUMANS,
    bot_game,
    family,
    imported,
    pass_all,
    play_on,
    points,
    random_game,
    record_without_meta,
    reforged,
    say,
    table_on,
    void_game,
    with_event,
)

SEEDS = st.integers(0, 10**6)
FEW = settings(max_examples=10)

AMBIGUOUS = """
format = "ddz-record/1"
rules = "classic"
seats = ["ann", "bob", "cat"]

[[deals]]
first_bidder = 0
hands = ["33334444555566667", "77788889999TTTTJJ", "JJQQQQKKKKAAAA22B"]
kitty = "22R"
actions = ["0 bid 3", "0 play 333444555666 as airplane+solos 3", "1 pass", "2 pass", "0 play 34567"]
"""


def told(table: Table, game: str) -> list[Event]:
    """The events that a record tells: from the first Dealt to GameScored."""
    apart = (GameOpened, GameForked, SeedRevealed)
    return [event for event in table.log.history(game) if not isinstance(event, apart)]


def sent(table: Table, game: str, to: Table) -> None:
    import_bytes(to, export_events(table, game).encode(), "a file")


# ---- records ----


@FEW
@given(seed=SEEDS, escape=st.sampled_from([0.0, 0.02]))
def test_a_record_brings_back_every_event_from_the_deal_to_the_score(busy_table: Table, seed: int, escape: float):
    game = random_game(busy_table, seed, escape=escape).game
    again = imported(busy_table, export_record(busy_table, game))
    assert told(busy_table, again.game) == told(busy_table, game)
    assert again.phase == "over"
    assert busy_table.load(again.game).state.scored == busy_table.load(game).state.scored
    assert audit_game(busy_table.log, again.game).ok


@FEW
@given(seed=SEEDS, turns=st.integers(0, 40))
def test_a_record_of_an_unfinished_game_brings_it_back(busy_table: Table, seed: int, turns: int):
    game = random_game(busy_table, seed, turns=turns, escape=0.01).game
    text = export_record(busy_table, game)
    again = imported(busy_table, text)
    assert told(busy_table, again.game) == told(busy_table, game)
    over = isinstance(busy_table.load(game).state, Over)
    assert ("payouts" in tomllib.loads(text)) == ("fairness" in tomllib.loads(text)) == over, "no seed before the end"
    assert audit_game(busy_table.log, again.game).ok


@FEW
@given(seed=SEEDS, turns=st.sampled_from([None, 5, 30]))
def test_the_record_of_an_import_is_the_record(busy_table: Table, seed: int, turns: int | None):
    game = random_game(busy_table, seed, turns=turns, escape=0.01).game
    first = export_record(busy_table, game)
    second = export_record(busy_table, imported(busy_table, first).game)
    third = export_record(busy_table, imported(busy_table, second).game)
    assert second.partition("[meta]")[0] == first.partition("[meta]")[0]
    differing = [(a, b) for a, b in zip(second.splitlines(), third.splitlines(), strict=True) if a != b]
    assert len(differing) == 1, "only the id; the day is the same here"
    assert differing[0][1].startswith("id = ")


@pytest.mark.parametrize("bot", ["random", "simple"])
def test_games_of_bots_come_back(table: Table, bot: str):
    for _ in range(3):
        game = bot_game(table, bot).game
        again = imported(table, export_record(table, game))
        assert told(table, again.game) == told(table, game)
        assert audit_game(table.log, again.game).checks["fairness"] == "ok", "the seeds came along"


def test_redeals_come_back_with_every_deal(table: Table):
    game = table.open(Opening(players=HUMANS, seed=3, first_voice=1)).game
    pass_all(table, game)
    pass_all(table, game)
    play_on(table, game, random.Random(1))
    text = export_record(table, game)
    deals = tomllib.loads(text)["deals"]
    assert len(deals) >= 3
    assert [deal["first_bidder"] for deal in deals[:3]] == [1, 2, 0]
    again = imported(table, text).game
    assert told(table, again) == told(table, game)
    assert table.load(again).state.last.opened.origin.deals == len(deals)
    assert audit_game(table.log, again).checks["fairness"] == "chosen"


def test_an_imported_game_that_nobody_bid_for_goes_on_and_comes_back(table: Table):
    game = void_game(table)
    assert isinstance(table.load(game).state, Void)
    play_on(table, game, random.Random(1))
    text = export_record(table, game)
    assert "fairness" not in tomllib.loads(text), "its first deal follows from no seed"
    again = imported(table, text)
    assert told(table, again.game) == told(table, game)
    assert audit_game(table.log, game).checks["fairness"] == "ok", "the second deal was drawn here"
    assert audit_game(table.log, again.game).checks["fairness"] == "not-applicable"


def test_the_record_of_a_fork_is_that_of_its_line(table: Table):
    for line in family(table):
        again = imported(table, export_record(table, line))
        assert told(table, again.game) == told(table, line)


def test_what_a_record_says_of_itself(table: Table):
    game = bot_game(table, "random", "simple", "random").game
    meta = tomllib.loads(export_record(table, game))["meta"]
    assert meta["id"] == game
    assert meta["date"] == "2026-01-02"
    assert meta["players"] == [
        "random 1",
        f"simple {table.load(game).state.last.opened.players[1].version}",
        "random 1",
    ]
    again = imported(table, export_record(table, game))
    opened = table.log.history(again.game)[0]
    assert opened.origin.source == game
    assert opened.origin.claim.payouts == again.payouts
    assert [player.kind for player in opened.players] == ["import"] * 3
    assert (opened.game, opened.match, opened.round, opened.voice_from) == (again.game, again.game, 1, "record")


def test_suits_are_told(table: Table):
    game = random_game(table, 5).game
    deals = tomllib.loads(export_record(table, game))["deals"]
    dealt = [event for event in table.log.history(game) if isinstance(event, Dealt)]
    for deal, event in zip(deals, dealt, strict=True):
        assert (*deal["hands"], deal["kitty"]) == (*(str(hand) for hand in event.hands), str(event.kitty))


def test_a_reading_is_named_only_where_the_cards_alone_mean_another_or_none(table: Table):
    game = imported(table, AMBIGUOUS).game
    actions = tomllib.loads(export_record(table, game))["deals"][0]["actions"]
    assert [action for action in actions if " as " in action] == [
        "0 play 3c3d3h4c4d4h5c5d5h6c6d6h as airplane+solos 3"  # not the airplane, nor the one of 4 5 6
    ]
    assert "0 play 3s4s5s6s7c" in actions
    assert told(table, imported(table, export_record(table, game)).game) == told(table, game)


def test_a_false_claim_is_stored_and_is_a_finding(table: Table):
    text = export_record(table, random_game(table, 5).game)
    claimed = tomllib.loads(text)["payouts"]
    lines = text.splitlines()
    at = lines.index("payouts = [")
    lines[at + 1] = f"    {claimed[0] + 1},"
    game = imported(table, "\n".join(lines)).game
    audit = audit_game(table.log, game)
    assert [finding.code for finding in audit.findings] == ["accounting/claim"]
    assert audit.checks == {"integrity": "ok", "legality": "ok", "accounting": "fault", "fairness": "chosen"}


# ---- events ----


@settings(max_examples=4)
@given(seed=SEEDS)
def test_events_come_into_another_log_byte_for_byte(busy_table: Table, seed: int):
    other = table_on()
    for line in family(busy_table, seed):
        sent(busy_table, line, other)
        ours, theirs = busy_table.log.rows(line), other.log.rows(line)
        assert [chain.moved(row, 0) for row in theirs] == [chain.moved(row, 0) for row in ours]
        assert export_record(other, line) == export_record(busy_table, line)
        assert audit_game(other.log, line) == audit_game(busy_table.log, line)
    positions = [row.position for row in other.log.after(0)]
    assert positions == list(range(1, len(positions) + 1))


def test_events_that_are_here_already_change_nothing(each_table: Table):
    lines = family(each_table)
    before = list(each_table.log.after(0))
    for line in lines:
        sent(each_table, line, each_table)
    assert list(each_table.log.after(0)) == before


@pytest.mark.parametrize("order", [(0, 1, 2, 3, 4), (4, 3, 2, 1, 0), (3, 0, 4, 2, 1), (4,), (3,), (2,)])
def test_lines_come_in_any_order_and_alone(each_table: Table, order: tuple[int, ...]):
    source = table_on(seed="source")
    lines = family(source)
    for number in order:
        sent(source, lines[number], each_table)
        assert each_table.log.history(lines[number]) == source.log.history(lines[number])
    for number in order:
        assert audit_game(each_table.log, lines[number]).ok
    if len(order) == len(lines):
        assert {row.hash for row in each_table.log.after(0)} == {row.hash for row in source.log.after(0)}


def test_a_fork_of_an_inherited_point_brings_along_the_line_that_it_names(table: Table):
    """Its parent owns none of its events, and is still needed to show where it comes from."""
    root, left, *_ = family(table)
    line = fork(table, left, points(table, root)[0]).game
    assert {row.game for row in table.log.rows(line)} == {root, line}
    deeper = fork(table, line, points(table, root)[0]).game
    other = table_on(seed="other")
    sent(table, deeper, other)
    assert {row.game for row in other.log.after(0)} == {root, left, line, deeper}
    assert other.log.history(deeper) == table.log.history(deeper)
    assert export_events(other, deeper) == "".join(_renumbered(export_events(table, deeper)))
    sent(table, left, other)
    assert audit_game(other.log, left).ok


def _renumbered(text: str) -> list[str]:
    head, *lines = text.splitlines(keepends=True)
    return [head, *(_at_position(line, number) for number, line in enumerate(lines, 1))]


def _at_position(line: str, number: int) -> str:
    return f'{{"position":{number},' + line.partition(",")[2]


def test_an_unfinished_game_grows_by_a_later_file(each_table: Table):
    source = table_on(seed="source")
    game = random_game(source, 4, turns=9).game
    sent(source, game, each_table)
    play_on(source, game, random.Random(2))
    sent(source, game, each_table)
    assert each_table.log.history(game) == source.log.history(game)


def test_a_game_that_went_on_differently_is_refused(each_table: Table):
    source = table_on(seed="source")
    game = random_game(source, 4, turns=9).game
    sent(source, game, each_table)
    play_on(source, game, random.Random(2))
    play_on(each_table, game, random.Random(3))
    before = list(each_table.log.after(0))
    with pytest.raises(BrokenLog, match="is another one here"):
        sent(source, game, each_table)
    assert list(each_table.log.after(0)) == before


# ---- forged files ----


def refused_events(text: str) -> str:
    """The sentence with which a file of events is refused; nothing of it is stored."""
    table = table_on(seed="other")
    with pytest.raises((Unreadable, BrokenLog)) as caught:
        import_bytes(table, text.encode(), "a file")
    assert list(table.log.after(0)) == []
    return str(caught.value)


@pytest.fixture(scope="module")
def whole() -> str:
    """A file of a whole game, and a fork of it behind its end."""
    table = table_on()
    return export_events(table, random_game(table, 5, turns=12).game)


def test_every_line_of_a_file_is_needed(whole: str):
    lines = whole.splitlines()
    for number in range(len(lines)):
        assert refused_events("\n".join([*lines[:number], *lines[number + 1 :]]))
    for number in range(1, len(lines)):
        assert refused_events("\n".join(lines[:number]))


def test_every_sign_of_a_file_counts(whole: str):
    """A digit or letter changed anywhere but in a position, which is under no hash, is found."""
    rng = random.Random(1)
    head, *lines = whole.splitlines()
    for number, line in enumerate(lines):
        places = [at for at in range(line.index(",") + 1, len(line)) if line[at].isalnum()]
        for at in rng.sample(places, 12):
            other = "1" if line[at] == "0" else "0"
            changed = line[:at] + other + line[at + 1 :]
            assert refused_events("\n".join([head, *lines[:number], changed, *lines[number + 1 :]]))


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ('"format":"ddz-events/1"', '"format":"ddz-events/2"', "the format is ddz-events/2, not ddz-events/1"),
        ('"head":"', '"head":"0', "the file is cut short: its last event is not the one that its head names"),
        ('"game":"', '"game":"x', "the head names the game x"),
        ('"format"', '"more":1,"format"', "not a file of events, or one that is cut short: Object contains unknown"),
    ],
)
def test_a_head_that_does_not_fit(whole: str, old: str, new: str, complaint: str):
    assert refused_events(whole.replace(old, new, 1)).startswith(complaint)


def test_more_than_the_game(whole: str):
    table = table_on(seed="third")
    stranger = table_on(seed="stranger")
    lines = export_events(stranger, random_game(stranger, 5).game).splitlines()
    head, *own = whole.splitlines()
    assert refused_events("\n".join([head, *lines[1:], *own])).startswith("the file holds more than the game ")
    assert refused_events("\n".join([head, own[0], *own])).startswith("the file holds more than the game ")
    assert import_bytes(table, whole.encode(), "a file").seq == len(own)


def test_rows_that_were_hashed_anew_but_make_no_sense(table: Table):
    """The chain holds, so only the fold can tell."""
    game = random_game(table, 5).game
    rows = list(table.log.rows(game))
    senseless = reforged([rows[0], *rows[2:]])
    assert "no meaning in the phase" in refused_events(_file(game, senseless))


def _file(game: str, rows) -> str:
    head = {"format": "ddz-events/1", "game": game, "head": rows[-1].hash}
    return "\n".join(msgspec.json.encode(part).decode() for part in (head, *rows))


def test_a_lawless_game_with_a_sound_chain_is_refused(table: Table):
    at = random_game(table, 5, turns=20)
    rows = list(table.log.rows(at.game))
    number, event = next((n, e) for n, e in enumerate(table.log.history(at.game)) if isinstance(e, Dealt))
    swapped = msgspec.structs.replace(event, hands=(event.hands[1], event.hands[0], event.hands[2]))
    rows[number] = with_event(rows[number], swapped)
    other = table_on(MemoryLog(), seed="other")
    with pytest.raises(BrokenLog) as refused:
        import_bytes(other, _file(at.game, reforged(rows)).encode(), "a file")
    assert (refused.value.code, refused.value.seq) == ("fairness/dealt", number + 1)
    assert other.log.last_position() == 0


def test_an_escape_ends_a_line_that_comes_back(table: Table):
    game = table.open(Opening(players=HUMANS, seed=1, first_voice=1)).game
    say(table, game, "1 bid 2")
    table.act(game, Escape(2))
    again = imported(table, export_record(table, game))
    assert again.payouts == (0, 0, -6)
    assert record_without_meta(table, again.game) == record_without_meta(table, game)
    assert [tag_of(event) for event in told(table, again.game)][-2:] == ["seat_escaped", "game_scored"]
