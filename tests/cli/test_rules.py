"""House rules at the command line: the presets, a house's own, and a game judged by others."""

from pathlib import Path

import pytest

from ddz.rules import PRESETS

from .stage import Ddz, import_record, stage

HOUSE = 'name = "ours"\nlike = "pagat"\nbomb = 3\n[kickers]\nmost_equal = 2\n'


@pytest.fixture
def house(tmp_path: Path) -> Path:
    file = tmp_path / "ours.toml"
    file.write_text(HOUSE, encoding="utf-8")
    return file


def test_the_table_of_presets_is_generated_into_the_help(ddz: Ddz) -> None:
    table = ddz("rules").out.splitlines()
    assert table[0].split() == list(PRESETS)
    for row in table[1:]:
        assert len(row.split("  ")) >= len(PRESETS), "a value for each preset"
    told = [line.strip() for line in ddz("rules", "--help").out.splitlines()]
    assert [line for line in table if line.strip() not in told] == []


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_in_words_has_the_counts_that_are_enumerated(name: str, ddz: Ddz) -> None:
    counted = ddz("counts", "--rules", name, "--json").json
    words = ddz("rules", name).out
    assert f" {counted['readings']:,}\n" in words
    assert f" {counted['sets']:,}\n" in words


def test_a_game_keeps_its_houses_rules(house: Path, ddz: Ddz) -> None:
    assert "ours" in ddz("rules", house).out
    ddz("play", "--auto", "--seed", 4, "--rules", house)
    house.unlink()
    told = ddz("replay", "@last", "--json").json
    assert (told["rules"], told["knobs"]["bomb"], told["knobs"]["kickers"]["most_equal"]) == ("ours", 3, 2)
    assert ddz("audit", "@last").code == 0


def test_a_house_that_cannot_be_read(tmp_path: Path, ddz: Ddz) -> None:
    assert "cannot be read" in ddz("rules", tmp_path / "nowhere.toml", code=2).err
    broken = tmp_path / "broken.toml"
    broken.write_text("bomb = 3", encoding="utf-8")
    for command in (("rules", broken), ("play", "--auto", "--rules", broken), ("counts", "--rules", broken)):
        assert f"{broken}: the rules are called classic but differ" in ddz(*command, code=2).err
    assert not (tmp_path / "games.db").exists(), "nothing is stored"


def test_a_game_judged_by_other_rules(db: Path, house: Path, ddz: Ddz) -> None:
    with stage(db) as table:
        game = import_record(table, "bombs-rocket")
    own = ddz("replay", game, "--json").json["result"]
    assert [name for name, _ in own["causes"]].count("bomb"), "else there is nothing to pay for"

    same = ddz("audit", game, "--as-rules", "classic", "--json").json
    assert (same["legal"], same["first_illegal"], same["result"], same["own_result"]) == (True, None, own, own)

    ours = ddz("audit", game, "--as-rules", house, "--json").json
    assert ours["legal"]
    bombs = [name for name, _ in own["causes"]].count("bomb")
    assert ours["result"]["multiplier"] * 2**bombs == own["multiplier"] * 3**bombs
    assert "points" in ddz("audit", game, "--as-rules", house).out


def test_where_other_rules_would_have_refused(tmp_path: Path, ddz: Ddz) -> None:
    strict = tmp_path / "strict.toml"
    strict.write_text('name = "no airplane carries equal cards"\n[kickers]\nmost_equal = 1\n', encoding="utf-8")
    record = Path(__file__).parents[2] / "fixtures" / "records" / "ambiguous-airplane.toml"
    game = ddz("import", record).out.split()[0]
    events = ddz("replay", game, "--json").json["events"]
    with_equals = [
        event["seq"]
        for event in events
        if event["type"] == "cards_played"
        and event["kind"].endswith("+solos")
        and len(set(event["kickers"])) < len(event["kickers"])
    ]
    assert with_equals, "else there is nothing to refuse"
    judged = ddz("audit", game, "--as-rules", strict, "--json").json
    assert (judged["legal"], judged["result"]) == (False, None)
    assert judged["first_illegal"]["seq"] == with_equals[0]
    assert judged["first_illegal"]["code"] in ("play/not-a-meld", "play/ambiguous")
    assert f"illegal at event {with_equals[0]}" in ddz("audit", game, "--as-rules", strict).out
    assert "--as-rules judges one game" in ddz("audit", "--all", "--as-rules", "pagat", code=2).err
