"""Whole games retold: what every replay keeps is asserted first, then the text is held as it is.

The games are records of our own (`records/`), stored with known ids and times.
"""

import json
import re
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from ddz import kernel
from ddz.cards import FULL_DECK
from ddz.frozen.shapes import Player
from ddz.melds import meld_of
from ddz.rules import CLASSIC
from ddz.services.table import Table
from ddz.words.columns import width
from ddz.words.languages import LANGUAGES, language
from ddz.words.tell import meld_words

from .stage import Ddz, forked, import_record, opened, say, stage, turn

IN_COLUMNS = re.compile(r"^( *\d+)  (.{12})  (.{51})(?:  ([3-9TJQKA2cdhsBR]+))?$")


def redeals(table: Table) -> str:
    """Nobody bids twice; the third deal is played."""
    return import_record(table, "redeals")


def spring(table: Table) -> str:
    """The landlord goes out before a peasant has played a card."""
    return import_record(table, "spring")


def anti_spring(table: Table) -> str:
    """The landlord only leads. With a four and two solos, which is no bomb."""
    return import_record(table, "anti-spring")


def bombs_and_rocket(table: Table) -> str:
    """Two bombs and the rocket."""
    return import_record(table, "bombs-rocket")


def escape(table: Table) -> str:
    """A peasant leaves out of turn, after a bomb."""
    game = import_record(table, "bombs-rocket", without="1 pass")
    say(table, game, "2 escape")
    return game


def escape_before_any_bid(table: Table) -> str:
    """Somebody leaves the auction before anybody has bid, which costs the least that it can."""
    game = opened(table, seed=7, first=2)
    say(table, game, "2 pass", "1 escape")
    return game


def airplane(table: Table) -> str:
    """Cards with several readings, one of them named; and one that is meant without being named."""
    return import_record(table, "airplane")


def pairs_on_wings(table: Table) -> str:
    """An airplane with pairs, and a long game after it."""
    return import_record(table, "airplane-pairs")


def fork_of_a_fork(table: Table) -> str:
    """Another end for a game, and another one for that: the second fork leaves the first in its own part."""
    game = import_record(table, "airplane-pairs", claim=False)
    first = forked(table, game, turn(table, game, "0 play KcKd"), "0 pass", "1 pass")
    say(table, first, "2 play Qh2c2d2s", "0 pass", "1 pass", "2 play Ac")
    at = turn(table, first, "2 play Qh2c2d2s")
    return forked(table, first, at, "2 play Ac", "0 pass", "1 play 2h", "2 pass", "0 pass", "1 play 3d3h", "0 escape")


def in_progress(table: Table) -> str:
    """A game of one person against bots that goes on."""
    players = (
        Player("you", "human"),
        Player("simple 1", "bot", "simple", "1"),
        Player("random 2", "bot", "random", "1"),
    )
    game = opened(table, seed=7, first=1, players=players)
    say(table, game, "1 pass", "2 bid 2", "0 pass", "2 play 4", "0 play 7", "1 play J", "2 pass")
    return game


WHOLE = (
    redeals,
    spring,
    anti_spring,
    bombs_and_rocket,
    escape,
    escape_before_any_bid,
    airplane,
    pairs_on_wings,
    fork_of_a_fork,
)
CAUSES = {
    redeals: [],
    spring: ["spring"],
    anti_spring: ["anti-spring"],
    bombs_and_rocket: ["bomb", "rocket", "bomb"],
    escape: ["bomb"],
    escape_before_any_bid: [],
    airplane: ["anti-spring"],
    pairs_on_wings: [],
    fork_of_a_fork: [],
}


def _split(text: str) -> tuple[str, list[str], list[str], list[str]]:
    """A replay as its id, its events, its score and its audit."""
    head, *rest = text.splitlines()
    events = [line for line in rest if re.match(r" *\d+  ", line)]
    score_at = len(events)
    audit_at = next(at for at, line in enumerate(rest) if line.startswith(("audit", "审计")))
    return head, rest[:score_at], rest[score_at:audit_at], rest[audit_at:]


@pytest.mark.parametrize("make", WHOLE, ids=lambda make: make.__name__.replace("_", "-"))
def test_a_whole_game_is_retold(make, db: Path, ddz: Ddz, snapshot: SnapshotAssertion) -> None:
    with stage(db) as table:
        game = make(table)
        events = table.log.history(game)
    told = ddz("replay", game)
    machine = ddz("replay", game, "--json").json
    head, lines, score, audit = _split(told.out)

    assert head == f"{game} (classic, round 1, 2024-05-06 07:00)"
    assert [int(line[:4]) for line in lines] == list(range(1, len(events) + 1)), "every event is one line"
    for line, event in zip(lines, events, strict=True):
        fields = IN_COLUMNS.match(f"{line:<71}")
        kind = str(event.__struct_config__.tag)
        if kind in ("game_opened", "game_forked", "dealt", "deal_voided", "seed_revealed"):
            continue  # these run over the columns
        assert fields, line
        if kind == "cards_played":
            assert fields[4] == str(event.cards)
            assert fields[2].strip() in ("ann", "bob", "cat")

    result = machine["result"]
    assert [name for name, _ in result["causes"]] == CAUSES[make]
    printed = [line.split() for line in score]
    assert printed[0] == ["score"]
    assert printed[1] == ["base", str(result["base"])]
    assert [row[:-2] for row in printed if row[-2:-1] == ["×"]] == [*([name] for name in CAUSES[make]), ["multiplier"]]
    payouts = [int(row[-1]) for row in printed if re.fullmatch(r"[+-]\d+", row[-1])]
    assert payouts == result["payouts"]
    penalty = result["base"] * result["multiplier"] * 3 or 3
    assert sum(payouts) == (-penalty if result["winner"] == "escape" else 0)
    assert len(audit) == 1
    assert re.fullmatch(
        r"audit: integrity ok · legality ok · accounting ok · fairness (ok|chosen seed|not applicable)", audit[0]
    )
    assert told.err == ""

    assert told.out == snapshot


def test_a_game_is_retold_in_chinese(db: Path, ddz: Ddz, snapshot: SnapshotAssertion) -> None:
    with stage(db) as table:
        game = bombs_and_rocket(table)
    english = ddz("replay", game)
    chinese = ddz("replay", game, "--lang", "zh")

    assert len(chinese.out.splitlines()) == len(english.out.splitlines())
    for line, other in zip(_split(chinese.out)[1], _split(english.out)[1], strict=True):
        assert line.split()[0] == other.split()[0], "the same seq"
        cards = re.search(r"  ([3-9TJQKA2cdhsBR]+)$", other)
        if cards:
            assert line.endswith(f"  {cards[1]}"), "cards are written the same"
    untold = rf"{game}|[0-9a-f]{{64}}|classic|ddz-record|[a-z-]+\.toml"  # names, which no language translates
    assert not re.search(r"[a-z]{4,}", re.sub(untold, "", chinese.out)), "no English left"

    assert chinese.out == snapshot


@pytest.mark.parametrize("viewer", [None, "0", "table"])
def test_a_game_in_progress_shows_what_the_viewer_may_see(
    viewer: str | None, db: Path, ddz: Ddz, snapshot: SnapshotAssertion
) -> None:
    with stage(db) as table:
        game = in_progress(table)
        dealt = table.log.history(game)[1]
    args = [] if viewer is None else ["--as", viewer]
    told = ddz("replay", game, *args)
    shown = ddz("show", game, *args)
    everything = (
        told.out + shown.out + ddz("replay", game, *args, "--json").out + ddz("show", game, *args, "--json").out
    )

    hidden = [dealt.hands[1], dealt.hands[2], *([dealt.hands[0]] if viewer == "table" else [])]
    for hand in hidden:
        assert hand.ranks not in everything
        assert str(hand) not in everything
    if viewer != "table":
        assert dealt.hands[0].ranks in told.out
    assert "score" not in told.out.split()

    assert told.out + shown.out == snapshot


def test_revealing_shows_all_and_is_noted(db: Path, ddz: Ddz) -> None:
    with stage(db) as table:
        game = in_progress(table)
        dealt = table.log.history(game)[1]
    refused = ddz("replay", game, "--as", "1", code=2)
    assert "--reveal" in refused.err
    assert refused.out == ""
    assert "seen" not in ddz("games").out

    shown = ddz("replay", game, "--reveal")
    assert all(hand.ranks in shown.out for hand in dealt.hands)
    assert "seen" in ddz("games").out


def test_sitting_down_at_a_bot_is_noted_where_somebody_has_a_seat(ddz: Ddz) -> None:
    game = ddz("new", "--seed", "8", "--players", "you,bot:simple,bot:simple").out.strip()
    assert "your hand" in ddz("play", game, "--seat", "0", input="").out
    assert "--reveal" in ddz("play", game, "--seat", "1", code=2).err
    assert ddz("games", "--json").json["games"][0]["seen"] is False
    assert "your hand" in ddz("play", game, "--seat", "1", "--reveal", input="").out
    assert ddz("games", "--json").json["games"][0]["seen"] is True


@pytest.mark.parametrize("command", ["export", "fork"])
def test_what_would_show_hidden_cards_needs_reveal(command: str, db: Path, ddz: Ddz) -> None:
    with stage(db) as table:
        game = in_progress(table)
    args = (command, game, *(("--at", "2") if command == "fork" else ()))
    assert "--reveal" in ddz(*args, code=2).err
    assert ddz("games", "--json").json["games"][0]["seen"] is False
    assert ddz(*args, "--reveal").out


def test_a_part_of_a_game(db: Path, ddz: Ddz) -> None:
    with stage(db) as table:
        game = spring(table)
    whole = _split(ddz("replay", game).out)[1]
    assert _split(ddz("replay", game, "--from", "4", "--to", "6").out)[1] == whole[3:6]
    one = ddz("replay", game, "--at", "5").out.splitlines()
    assert one[1] == whole[4]
    assert "round 1" in one[2], "the table after it"
    part = ddz("replay", game, "--from", "4", "--to", "6", "--json").json
    assert [event["seq"] for event in part["events"]] == [4, 5, 6]


def test_walking_with_keys(db: Path, ddz: Ddz) -> None:
    with stage(db) as table:
        game = spring(table)
        last = len(table.log.history(game))
    walked = ddz("replay", game, "--step", input=f"\nn\np\n7\nx\n{last}\nn\n")
    places = re.findall(rf"^\[(\d+)/{last}\]", walked.out, re.M)
    assert places == ["1", "2", "3", "2", "7", "7", str(last)], "an unknown key stays where it is"
    assert "'x' is not a key here" in walked.out
    assert ddz("replay", game, "--step", input="q\n").out.count("[1/") == 1
    assert ddz("replay", game, "--step", input="").out.count("[1/") == 1, "the end of input ends it"


def test_every_meld_fits_its_column() -> None:
    every = kernel.leads(FULL_DECK.counts, CLASSIC.kickers.code)
    assert len(every) == 34_152
    for words in map(language, LANGUAGES):
        named = [
            meld_words(meld_of((kind, length, rank), FULL_DECK.take(cards)), words)
            for kind, length, rank, cards in every
        ]
        assert max(map(width, named)) <= 51, words.language


def test_a_fork_is_not_held_against_its_games_claim(db: Path, ddz: Ddz) -> None:
    with stage(db) as table:
        game = import_record(table, "airplane-pairs")
        line = forked(table, game, turn(table, game, "0 play KcKd"), "0 escape")
    assert ddz("audit", game).code == 0
    assert "accounting ok" in ddz("audit", line, code=None).out


def test_a_fork_says_where_it_begins_in_json(db: Path, ddz: Ddz) -> None:
    with stage(db) as table:
        line = fork_of_a_fork(table)
    begins = [event for event in ddz("replay", line, "--json").json["events"] if event["type"] == "game_forked"]
    assert [event["at"] for event in begins] == [event["seq"] - 1 for event in begins]


def test_json_is_the_same_in_every_language(db: Path, ddz: Ddz) -> None:
    with stage(db) as table:
        game = bombs_and_rocket(table)
    english = ddz("replay", game, "--json").out
    assert ddz("replay", game, "--json", "--lang", "zh").out == english
    assert ddz("replay", game, "--json", env={"DDZ_LANG": "zh"}).out == english
    assert json.loads(english)["schema"] == "ddz/replay@1"
