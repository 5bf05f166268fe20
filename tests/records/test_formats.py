"""All formats together: none is taken for another, and the command line takes and gives each."""

import json
from pathlib import Path
from typing import Any

import pytest
from games import arranged
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from ddz.errors import Unreadable
from ddz.frozen.shapes import Rules
from ddz.log.stores import open_log
from ddz.record import record_of, record_text
from ddz.records import FORMATS, format_named, recognise
from ddz.services.archive import export_events, import_bytes

from .samples import EVERY, FOREIGN, RULES, empty_table, taken, told, whole_game, writable

FORMAT_OF = {"showdown": "rlcard-showdown", "douzero": "douzero", "botzone": "botzone", "openspiel": "openspiel"}
"""By how the names of fixtures begin."""
FILES = sorted(path for path in FOREIGN.iterdir() if path.suffix != ".md")


def form_of(path: Path) -> str:
    return FORMAT_OF[path.stem.split("-")[0]]


# ---- recognition ----


def test_every_format_has_a_file():
    assert {form_of(path) for path in FILES} == set(FORMATS) == set(RULES)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_file_is_recognised_and_by_its_own_format_alone(path: Path):
    raw = path.read_bytes()
    assert recognise(raw) == form_of(path)
    assert [name for name in FORMATS if format_named(name).looks_like(raw)] == [form_of(path)]


@pytest.mark.parametrize(("form", "rules"), EVERY, ids=lambda value: value if isinstance(value, str) else value.auction)
def test_what_is_written_is_recognised_by_its_own_format_alone(form: str, rules: Rules):
    for _, text in writable(form, rules, 5):
        assert text.endswith("\n")
        for raw in (text.encode(), b" \n" + text.encode()):
            assert [name for name in FORMATS if format_named(name).looks_like(raw)] == [form]
        assert taken(text)[1] is not None


def test_our_own_files_are_nobody_elses():
    game = whole_game(1, RULES["openspiel"])
    text = record_text(record_of(game.events))
    assert recognise(text.encode()) is None
    table, done = taken(text)
    events = export_events(table, done.game)
    assert recognise(events.encode()) is None
    assert taken(events)[1].phase == done.phase


def test_an_imported_game_whose_events_name_other_formats_is_still_a_file_of_events():
    """Its first event tells of its origin; that must not be taken for the origin's format."""
    for form, rules in EVERY:
        _, text = next(iter(writable(form, rules, 1)))
        table, done = taken(text)
        assert taken(export_events(table, done.game))[1].game == done.game


@given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_any_bytes_are_looked_at_without_a_fault(raw: bytes):
    for name in FORMATS:
        assert format_named(name).looks_like(raw) in (True, False)
    recognise(raw)


WORDS = (
    *("initHands", "playerInfo", "moveHistory", "landlord", "landlord_down", "landlord_up", "actions", "output"),
    *("request", "own", "log", "logs", "dou_dizhu", "Deal", "[Game]", "[State]", "\ufeff", "\x00"),
)


@given(st.lists(st.sampled_from([*(f'"{word}"' for word in WORDS), *WORDS, "[", "{", "}", "]", ":", ",", "\n", "5"])))
def test_words_of_the_formats_in_any_order_are_looked_at_without_a_fault(words: list[str]):
    raw = "".join(words).encode()
    for name in FORMATS:
        assert format_named(name).looks_like(raw) in (True, False)


def test_a_format_that_does_not_exist():
    with pytest.raises(Unreadable, match="there is no format called 'chess': the formats are rlcard-showdown, "):
        format_named("chess")
    with pytest.raises(Unreadable, match="there is no format called 'chess'"):
        import_bytes(empty_table(), b"{}", "a file", "chess")


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_file_that_is_said_to_be_another_format_is_refused(path: Path, form: str):
    if form != form_of(path):
        with pytest.raises(Unreadable):
            import_bytes(empty_table(), path.read_bytes(), "a file", form)


# ---- the command line ----


@pytest.fixture
def ddz(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The command on a log of its own; `code` is the exit code that must come of it."""
    for name, value in {"DDZ_DB": str(tmp_path / "games.db"), "DDZ_LANG": "en", "TERM": "xterm"}.items():
        monkeypatch.setenv(name, value)
    from ddz.cli.app import app

    def run(*args: object, code: int = 0, **more: Any) -> tuple[str, str]:
        found = CliRunner().invoke(app, [str(arg) for arg in args], **more)
        assert found.exit_code == code, (args, found.output, found.exception)
        assert "Traceback" not in found.output
        return found.stdout, found.stderr

    return run


@pytest.mark.parametrize(("form", "rules"), EVERY, ids=lambda value: value if isinstance(value, str) else value.auction)
def test_in_and_out_on_the_command_line(ddz: Any, tmp_path: Path, form: str, rules: Rules):
    game, text = next(iter(writable(form, rules, 1, start=11)))
    file = tmp_path / "game.txt"
    file.write_text(text, "utf-8")
    for options in ((), ("--format", form)):
        out, _ = ddz("import", *options, file)
        assert " over" in out
    out, _ = ddz("import", "--format", form, "-", input=text)
    ident = out.split()[0]
    assert ddz("export", ident, "--format", form)[0].strip()
    ddz("export", ident, "--format", form, "--out", tmp_path / "out")
    (written,) = (tmp_path / "out").iterdir()
    assert " over" in ddz("import", written)[0]
    shown = json.loads(ddz("import", "--json", file)[0])
    assert shown["payouts"] is not None
    assert tuple(sorted(shown["payouts"])) == tuple(sorted(told(game.events)["payouts"]))
    assert "ok" in ddz("audit", ident)[0]


def test_a_format_that_does_not_exist_is_said_and_ends_in_2(ddz: Any, tmp_path: Path):
    file = tmp_path / "game.json"
    file.write_bytes((FOREIGN / "showdown.json").read_bytes())
    _, err = ddz("import", "--format", "chess", file, code=2)
    assert "there is no format called 'chess': the formats are rlcard-showdown, " in err
    ident = ddz("import", file)[0].split()[0]
    _, err = ddz("export", ident, "--format", "chess", code=2)
    assert "there is no format called 'chess'" in err
    _, err = ddz("export", ident, "--format", "douzero", "--events", code=2)
    assert "--events is a format of its own" in err


def test_a_game_that_the_format_cannot_hold_is_said_and_ends_in_2(ddz: Any, tmp_path: Path):
    game = arranged(["3333BR"], first_voice=0)
    game.say("0 bid 3", "0 play 3333BR", "1 escape")
    file = tmp_path / "game.toml"
    file.write_text(record_text(record_of(game.events)), "utf-8")
    ident = ddz("import", file)[0].split()[0]
    for form in FORMATS:
        out, err = ddz("export", ident, "--format", form, code=2)
        assert not out
        assert "escape" in err or "has no action for 3333BR (quad+solos 3)" in err


def test_a_file_with_a_fault_stores_nothing_and_the_next_is_taken(ddz: Any, tmp_path: Path):
    _, err = ddz("import", FOREIGN / "showdown-malformed.json", FOREIGN / "douzero-26.json", code=2)
    assert "showdown-malformed.json: deal 0: the card S3 is in hand 1 and in hand 2, and C3 is in none" in err
    log = open_log(tmp_path / "games.db", create=False)
    try:
        assert len({row.game for row in log.after(0)}) == 1
    finally:
        log.close()


def test_the_audit_says_what_the_source_claimed_and_what_is_true(ddz: Any, tmp_path: Path):
    made = json.loads((FOREIGN / "botzone-FightTheLandlord2.json").read_bytes())
    ident = ddz("import", FOREIGN / "botzone-FightTheLandlord2.json")[0].split()[0]
    found = json.loads(ddz("audit", ident, "--json")[0])
    assert found["origin"]["format"] == "botzone"
    assert found["origin"]["source"] == "FightTheLandlord2"
    assert found["origin"]["claim"] == {"payouts": [-6, 12, -6], "winner": "landlord"}
    assert found["claim_holds"] is True
    made["logs"][-1]["output"]["content"] = {"0": 3, "1": -6, "2": 3}
    file = tmp_path / "false.json"
    file.write_text(json.dumps(made), "utf-8")
    ident = ddz("import", file)[0].split()[0]
    found = json.loads(ddz("audit", ident, "--json", code=1)[0])
    assert found["claim_holds"] is False
    assert [finding["code"] for finding in found["findings"]] == ["accounting/claim"] * 2
    text, _ = ddz("audit", ident, code=1)
    assert "the source claims payouts of [3, -6, 3], but they are [-6, 12, -6]" in text
    assert "the source claims that peasants won, but it is landlord" in text
