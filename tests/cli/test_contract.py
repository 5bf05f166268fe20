"""The machine contract: what programs rely on, field by field (README, "From another program")."""

import json
from pathlib import Path
from typing import Any

import pytest

from ddz.melds import KINDS

from .stage import Ddz, forked, import_record, opened, record, say, stage, turn

KIND_NAMES = (
    *("solo", "pair", "trio", "trio+solo", "trio+pair", "chain", "pair-chain", "airplane", "airplane+solos"),
    *("airplane+pairs", "quad+solos", "quad+pairs", "bomb", "rocket"),
)
READING = {"kind": str, "rank": str, "length": int, "core": str, "kickers": str}
MOVE = {**READING, "cards": str}
MAYBE = type(None)
VIEW = {
    "schema": str,
    "game": str,
    "seq": int,
    "phase": str,
    "turn": (int, MAYBE),
    "seat": (int, MAYBE),
    "hand": (str, MAYBE),
    "counts": list,
    "landlord": (int, MAYBE),
    "base": int,
    "multiplier": int,
    "kitty": (str, MAYBE),
    "bids": list,
    "top": (dict, MAYBE),
    "last_plays": list,
    "legal": list,
}
RESULT = {
    "winner": str,
    "landlord": (int, MAYBE),
    "base": int,
    "multiplier": int,
    "causes": list,
    "payouts": list,
}
LETTERS = "3456789TJQKA2BR"


def holds(found: Any, fields: dict[str, Any]) -> None:
    """Every field is there, with its type; more fields are welcome."""
    assert isinstance(found, dict)
    for name, types in fields.items():
        assert name in found, f"{name} is missing"
        assert isinstance(found[name], types), f"{name} is {found[name]!r}"
        assert not isinstance(found[name], bool) or types is bool, f"{name} is {found[name]!r}"


def is_sorted(cards: str) -> bool:
    return cards == "".join(sorted(cards, key=LETTERS.index))


# What needs no log.


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        ("333444555666", [("airplane", "3", 4), ("airplane+solos", "3", 3), ("airplane+solos", "4", 3)]),
        ("10jqka", [("chain", "T", 5)]),
        ("RB", [("rocket", "B", 2)]),
        ("rocket", [("rocket", "B", 2)]),
        ("王炸", [("rocket", "B", 2)]),
        ("2222", [("bomb", "2", 1)]),
        ("0 0", [("pair", "T", 1)]),
        ("3c 3d 3h, 4s", [("trio+solo", "3", 1)]),
        ("444455", [("quad+solos", "4", 1)]),
        ("34", []),
        ("", []),
    ],
)
def test_melds(cards: str, expected: list[tuple[str, str, int]], ddz: Ddz) -> None:
    found = ddz("melds", cards, "--json").json
    assert found["schema"] == "ddz/melds@1"
    for reading in found["readings"]:
        holds(reading, READING)
        assert is_sorted(reading["core"])
        assert is_sorted(reading["kickers"])
    assert [(each["kind"], each["rank"], each["length"]) for each in found["readings"]] == expected


@pytest.mark.parametrize("cards", ["3X", "33333", "BB", "3-4", "♠3"])
@pytest.mark.parametrize("command", ["melds", "moves"])
def test_cards_that_are_none_are_refused(command: str, cards: str, ddz: Ddz) -> None:
    done = ddz(command, cards, "--json", code=2)
    assert done.json["schema"] == "ddz/error@1"
    assert done.err.startswith(f"ddz: {done.json['detail']}")


def test_moves(ddz: Ddz) -> None:
    leads = ddz("moves", "3344455566627BR", "--json").json
    assert leads["schema"] == "ddz/moves@1"
    assert leads["can_pass"] is False
    for move in leads["moves"]:
        holds(move, MOVE)
        assert is_sorted(move["cards"])
        assert sorted(move["core"] + move["kickers"]) == sorted(move["cards"])
        assert move["core"][0] == move["rank"]
    keys = [
        (KIND_NAMES.index(move["kind"]), move["length"], LETTERS.index(move["rank"]), move["kickers"])
        for move in leads["moves"]
    ]
    assert [key[:3] for key in keys] == sorted(key[:3] for key in keys), "by kind, length and rank"
    assert len(set(keys)) == len(keys), "each once"

    answers = ddz("moves", "3344455566627BR", "--top", "99", "--json").json
    assert answers["can_pass"] is True
    assert [move["cards"] for move in answers["moves"]] == ["BR"]
    assert ddz("moves", "3", "--top", "R", "--json").json["moves"] == []


def test_an_ambiguous_top_is_named(ddz: Ddz) -> None:
    done = ddz("moves", "777888999TTT", "--top", "333444555666", "--json", code=2)
    assert done.json["exit"] == 2
    assert all(choice in done.err for choice in ("airplane 3", "airplane+solos 3", "airplane+solos 4"))
    found = ddz("moves", "777888999TTT", "--top", "333444555666", "--as", "airplane+solos 4", "--json").json
    assert {move["kind"] for move in found["moves"]} == {"airplane+solos"}
    for wrong in ("glider", "airplane+solos 9", "airplane Z", "solo 3"):
        assert ddz("moves", "33", "--top", "333444555666", "--as", wrong, code=2).err


def test_counts(ddz: Ddz) -> None:
    found = ddz("counts", "--rules", "classic", "--json").json
    assert found["schema"] == "ddz/counts@1"
    assert (found["sets"], found["readings"]) == (33_675, 34_152)
    assert tuple(found["by_kind"]) == KIND_NAMES == tuple(kind.value for kind in KINDS)
    assert sum(found["by_kind"].values()) == found["readings"]


# A game driven from outside.


def check_view(view: Any) -> None:
    holds(view, VIEW)
    assert view["schema"] == "ddz/view@1"
    assert view["phase"] in ("dealing", "auction", "void", "playing", "over")
    assert [isinstance(count, int) for count in view["counts"]] == [True] * 3
    assert len(view["last_plays"]) == 3
    for call in view["bids"]:
        holds(call, {"seat": int, "bid": int})
    if view["top"]:
        holds(view["top"], {"seat": int, **MOVE})
    for last in view["last_plays"]:
        if last is not None and last["type"] == "play":
            holds(last, MOVE)
        else:
            assert last in (None, {"type": "pass"})
    for legal in view["legal"]:
        assert legal["type"] in ("bid", "pass", "play")
        if legal["type"] == "play":
            holds(legal, MOVE)
        if legal["type"] == "bid":
            assert legal["bid"] in (1, 2, 3)
    if view["seat"] is not None:
        assert len(view["hand"]) == view["counts"][view["seat"]]
        assert is_sorted(view["hand"])


def words_of(legal: dict[str, Any]) -> list[str]:
    """A legal turn as `ddz act` takes it."""
    if legal["type"] == "bid":
        return ["bid", str(legal["bid"])]
    if legal["type"] == "pass":
        return ["pass"]
    return ["play", legal["cards"], "--as", f"{legal['kind']} {legal['rank']}"]


def test_a_program_plays_a_whole_game(ddz: Ddz) -> None:
    """As the README shows it: new, show, act; the first commands are processes of their own."""
    begun = ddz.apart("new", "--seed", "7", "--first", "0", "--json").json
    holds(begun, {"game": str, "seq": int, "events": list})
    assert [event["type"] for event in begun["events"]] == ["game_opened", "dealt"]
    assert "server_seed" not in json.dumps(begun)
    game, seq, turns = begun["game"], begun["seq"], 0
    run = ddz.apart
    while True:
        if turns == 2:
            run = ddz  # the same, faster
        table = run("show", game, "--json").json
        check_view(table)
        if table["phase"] == "over":
            break
        seat = table["turn"]
        view = run("show", game, "--as", seat, "--json").json
        check_view(view)
        assert view["seq"] == seq
        assert view["legal"], "the seat to act sees what it may do"
        move = words_of(max(view["legal"], key=lambda legal: len(legal.get("cards", ""))))
        command = ("act", game, "--seat", seat, *move, "--expect", seq, "--id", f"turn-{turns}", "--json")
        done = run(*command)
        holds(done.json, {"game": str, "seq": int, "events": list, "view": dict})
        check_view(done.json["view"])
        assert [event["seq"] for event in done.json["events"]] == list(range(seq + 1, done.json["seq"] + 1))
        if turns < 8:
            assert run(*command).out == done.out, "a retry answers the same and plays nothing twice"
            stale = run("act", game, "--seat", seat, *move, "--expect", seq, "--json", code=4).json
            assert stale["code"] == "log/stale"
        seq = done.json["seq"]
        turns += 1
    assert turns > 4
    assert table["seq"] == seq
    assert table["result"]["winner"] in ("landlord", "peasants")
    assert sum(table["result"]["payouts"]) == 0
    reused = ddz("act", game, "--seat", "0", "pass", "--id", "turn-1", "--json", code=4).json
    assert reused["code"] == "log/command-reused"
    audited = ddz("audit", game, "--json").json
    assert audited["ok"]


def test_a_third_pass_deals_again_in_the_same_append(ddz: Ddz) -> None:
    game = ddz("new", "--seed", "7", "--first", "1", "--json").json["game"]
    for seat in (1, 2):
        ddz("act", game, "--seat", seat, "pass")
    done = ddz("act", game, "--seat", "0", "pass", "--json", "--id", "third").json
    assert [event["type"] for event in done["events"]] == ["bid_passed", "deal_voided", "dealt"]
    assert done["view"]["turn"] == 2, "the first voice moves on by one seat"
    assert done["view"]["phase"] == "auction"
    positions = [json.loads(line) for line in ddz("log", "events", "--json").out.splitlines()][-3:]
    assert {event["schema"] for event in positions} == {"ddz/log-event@1"}
    assert [event["event_id"] for event in positions] == ["third/0", "third/1", "third/2"]


@pytest.mark.parametrize(
    ("actions", "command", "code"),
    [
        ((), "0 pass", "turn/not-yours"),
        ((), "1 play 3", "phase/wrong"),
        (("1 bid 2",), "2 bid 2", "bid/too-low"),
        ((), "1 bid 4", "bid/no-such-bid"),
        (("1 bid 3",), "1 bid 3", "phase/wrong"),
        (("1 bid 3",), "1 pass", "pass/must-lead"),
        (("1 bid 3",), "1 play BR", "play/not-held"),
        (("1 bid 3",), "1 play 34", "play/not-a-meld"),
        (("1 bid 3", "1 play 7"), "2 play 3", "play/does-not-beat"),
        (("1 escape",), "2 pass", "game/over"),
        (("1 escape",), "2 escape", "game/over"),
    ],
)
def test_a_refusal_is_an_object_with_a_stable_code(
    actions: tuple[str, ...], command: str, code: str, db: Path, ddz: Ddz
) -> None:
    with stage(db) as table:
        game = opened(table, seed=7, first=1)
        if actions:
            say(table, game, *actions)
        before = len(table.log.history(game))
    seat, *words = command.split()
    done = ddz("act", game, "--seat", seat, *words, "--json", code=4)
    holds(done.json, {"schema": str, "code": str, "detail": str, "facts": dict})
    assert done.json["schema"] == "ddz/error@1"
    assert done.json["exit"] == 4
    assert done.json["code"] == code
    assert done.err == f"ddz: {done.json['detail']} [{code}]\n", "for people too"
    assert ddz("show", game, "--json").json["seq"] == before, "nothing is stored"


def test_an_ambiguous_play_lists_its_choices(db: Path, ddz: Ddz) -> None:
    with stage(db) as table:
        game = import_record(table, "airplane", claim=False)
        at = turn(table, game, "0 play 3c3d3h4c4d4h5c5d5h6c6d6h")
        line = forked(table, game, at)
    done = ddz("act", line, "--seat", "0", "play", "333444555666", "--json", code=4)
    assert done.json["code"] == "play/ambiguous"
    for choice in ("airplane 3", "airplane+solos"):
        assert choice in done.json["facts"]["choices"]
    assert ddz("act", line, "--seat", "0", "play", "333444555666", "--as", "airplane").out


def test_replay_fork_and_audit(db: Path, ddz: Ddz) -> None:
    with stage(db) as table:
        game = import_record(table, "bombs-rocket", claim=False)
        count = len(table.log.history(game))
    told = ddz("replay", game, "--json").json
    holds(told, {"schema": str, "game": str, "rules": str, "head": str, "events": list, "result": dict})
    assert told["schema"] == "ddz/replay@1"
    assert told["rules"] == "classic"
    assert [event["seq"] for event in told["events"]] == list(range(1, count + 1))
    assert {"game_opened", "dealt", "bid_made", "landlord_chosen", "cards_played", "play_passed", "game_scored"} <= {
        event["type"] for event in told["events"]
    }
    for event in told["events"]:
        holds(event, {"seq": int, "type": str})
        if event["type"] in ("cards_played", "play_passed", "bid_made", "bid_passed", "seat_escaped"):
            assert event["seat"] in (0, 1, 2)
        if event["type"] == "cards_played":
            holds(event, MOVE)
    result = told["result"]
    holds(result, RESULT)
    assert result["causes"] == [["bomb", 2], ["rocket", 2], ["bomb", 2]]
    assert result["multiplier"] == 8
    assert result["payouts"] == [-8, 16, -8]
    assert result["winner"] == "landlord"

    audited = ddz("audit", game, "--json").json
    holds(audited, {"schema": str, "ok": bool, "checks": dict, "findings": list})
    assert audited["schema"] == "ddz/audit@1"
    assert audited["checks"] == {"integrity": "ok", "legality": "ok", "accounting": "ok", "fairness": "chosen"}
    assert ddz("audit", game, "--head", told["head"]).code == 0

    line = ddz("fork", game, "--at", "6", "--json").json
    assert line == {"schema": "ddz/fork@1", "game": line["game"], "parent": game, "at": 6}
    going_on = ddz("replay", line["game"], "--json").json
    assert going_on["result"] is None
    assert ddz("fork", line["game"], "--at", "4", "--auto", "--json").json["parent"] == line["game"]
    assert ddz("replay", "@last", "--json").json["result"]


def test_an_audit_that_finds_something(ddz: Ddz, tmp_path: Path) -> None:
    false = tmp_path / "false.toml"
    false.write_text(record("airplane").replace("[-12, 6, 6]", "[12, -6, -6]"), encoding="utf-8")
    game = ddz("import", false).out.split()[0]
    audited = ddz("audit", game, "--json", code=1).json
    assert audited["ok"] is False
    assert audited["checks"]["accounting"] == "fault"
    for finding in audited["findings"]:
        holds(finding, {"code": str, "seq": (int, MAYBE), "detail": str})
    assert [finding["code"] for finding in audited["findings"]] == ["accounting/claim"]
    assert "accounting/claim" in ddz("audit", game, code=1).out
    assert "accounting/claim" in ddz("replay", game, code=1).out, "it prints what it can"
    assert ddz("replay", game, "--json", code=1).json["result"]["payouts"] == [-12, 6, 6]
    everything = ddz("audit", "--all", "--json", code=1).json
    assert everything["ok"] is False


@pytest.fixture
def games(db: Path) -> dict[str, str]:
    """A log with a game that is over, a fork of it, and one that goes on; the names of them."""
    with stage(db) as table:
        over = import_record(table, "bombs-rocket", claim=False)
        line = forked(table, over, turn(table, over, "0 play 8c"), "0 play 3")
        say(table, line, "2 escape")
        on = opened(table, seed=7)
        return {"OVER": over, "LINE": line, "ON": on}


READING_COMMANDS = (
    "melds 334455",
    "moves 334455 --top 3",
    "counts",
    "rules",
    "rules pagat",
    "games",
    "games --unfinished --limit 1",
    "show OVER",
    "show ON --as 0",
    "replay OVER",
    "replay LINE",
    "replay ON",
    "audit LINE",
    "audit --all",
    "tree OVER",
    "diff OVER LINE",
    "match OVER",
    "stats",
    "stats --rules classic --bot simple",
    "log head",
    "log verify",
    "log events --after 30",
    "doctor",
)


@pytest.mark.parametrize("command", READING_COMMANDS)
def test_every_command_that_reads_gives_one_object_in_no_language(
    command: str, games: dict[str, str], ddz: Ddz
) -> None:
    args = [games.get(word, word) for word in command.split()]
    done = ddz(*args, "--json")
    if args[:2] == ["log", "events"]:  # a stream: one object an event
        for line in done.out.splitlines():
            holds(json.loads(line), {"position": int, "game": str, "seq": int, "type": str, "hash": str})
    else:
        two = "-".join(args[:2]).replace("---", "-")
        name = two if two in ("log-head", "log-verify", "audit-all") else {"show": "view"}.get(args[0], args[0])
        assert done.json["schema"] == f"ddz/{name}@1"
    assert done.err == ""
    assert done.out.endswith("}\n")
    assert ddz(*args, "--json", env={"DDZ_LANG": "zh"}).out == done.out
    if args[0] in ("games", "show", "replay", "audit", "tree", "diff", "match", "stats"):
        assert ddz(*args, "--json", "--lang", "zh").out == done.out
        assert ddz(*args, "--lang", "zh").out, "and people are answered in theirs"


def test_the_newest_comes_first(games: dict[str, str], ddz: Ddz) -> None:
    listed = ddz("games", "--json").json["games"]
    assert [each["game"] for each in listed] == [games["ON"], games["LINE"], games["OVER"]]
    assert [each["game"] for each in ddz("games", "--unfinished", "--json").json["games"]] == [games["ON"]]
    assert [each["game"] for each in ddz("games", "--limit", "1", "--json").json["games"]] == [games["ON"]]
    assert ddz("show", "@last", "--json").json["game"] == games["ON"]
    assert ddz("show", games["LINE"][:4], "--json").json["game"] == games["LINE"]


def test_import_and_export_hand_a_game_on(games: dict[str, str], ddz: Ddz, tmp_path: Path) -> None:
    text = ddz("export", games["OVER"]).out
    elsewhere = tmp_path / "elsewhere.db"
    again = ddz("import", "-", "--db", elsewhere, input=text).out.split()
    assert again[1:] == ["-", "over", "-8", "+16", "-8"]
    assert ddz("export", again[0], "--db", elsewhere).out.split("\n[meta]")[0] == text.split("\n[meta]")[0]

    ddz("export", games["OVER"], games["LINE"], "--events", "--out", tmp_path / "out")
    files = sorted((tmp_path / "out").iterdir())
    assert [file.stem for file in files] == sorted([games["OVER"], games["LINE"]])
    third = tmp_path / "third.db"
    listed = ddz("import", *files, "--db", third, "--json").out.splitlines()
    assert {json.loads(line)["game"] for line in listed} == {games["OVER"], games["LINE"]}
    for game in (games["OVER"], games["LINE"]):
        here, there = ddz("replay", game, "--json").json, ddz("replay", game, "--db", third, "--json").json
        assert here["head"] == there["head"], "the same hashes"


def test_nothing_is_written_by_reading(ddz: Ddz, db: Path) -> None:
    for command in ("games", "stats", "log events", "doctor", "path"):
        ddz(*command.split())
    for command in ("log head", "log verify", "audit --all"):  # nothing is vouched for that is not there
        ddz(*command.split(), code=2)
    assert not db.exists(), "a log that is not there is not made"
    ddz("show", "@last", code=3)
    assert not db.exists()
