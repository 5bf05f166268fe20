"""The four audits: silent over every sound game. What a forger makes of one: `test_forged_games`."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ddz.commands import Escape
from ddz.errors import UnknownGame
from ddz.services.archive import export_record
from ddz.services.audit import audit_game
from ddz.services.opening import Opening
from ddz.services.replay import replay
from ddz.services.table import Table

from .forgeries import CLEAN, verdicts
from .tables import (
    HUMANS,
    bot_game,
    enthroned,
    family,
    imported,
    pass_all,
    play_on,
    random_game,
    say,
    void_game,
)


@pytest.mark.parametrize("bot", ["random", "simple"])
def test_games_of_bots_from_drawn_seeds_are_clean(each_table: Table, bot: str):
    for _ in range(3):
        assert verdicts(each_table, bot_game(each_table, bot).game) == CLEAN


def test_a_chosen_seed_is_said_to_be_chosen(table: Table):
    assert verdicts(table, bot_game(table, seed=7).game) == {**CLEAN, "fairness": "chosen"}
    assert verdicts(table, enthroned(table).game)["fairness"] == "chosen", "before the end too"


def test_an_unfinished_game_has_not_revealed_its_seed_and_has_no_score(table: Table):
    game = table.open(Opening(players=HUMANS, first_voice=0)).game
    expected = {**CLEAN, "accounting": "not-applicable", "fairness": "unrevealed"}
    assert verdicts(table, game) == expected
    say(table, game, "0 bid 3")
    assert verdicts(table, game) == expected


def test_escapes_and_redeals_are_clean(table: Table):
    for words in (["0 escape"], ["0 bid 2", "2 escape"], ["0 bid 3", "1 escape"]):
        game = table.open(Opening(players=HUMANS, first_voice=0)).game
        say(table, game, *words)
        assert verdicts(table, game) == CLEAN
    game = table.open(Opening(players=HUMANS, first_voice=0)).game
    pass_all(table, game)
    pass_all(table, game)
    play_on(table, game, random.Random(1))
    assert verdicts(table, game) == CLEAN


def test_imports_prove_of_their_deals_what_their_records_prove(table: Table):
    with_seeds = imported(table, export_record(table, bot_game(table).game)).game
    assert verdicts(table, with_seeds) == CLEAN
    chosen = imported(table, export_record(table, bot_game(table, seed=1).game)).game
    assert verdicts(table, chosen) == {**CLEAN, "fairness": "chosen"}
    without_seeds = imported(table, export_record(table, random_game(table, 5, turns=9).game)).game
    assert verdicts(table, without_seeds)["fairness"] == "not-applicable"
    game = void_game(table)
    assert verdicts(table, game)["fairness"] == "not-applicable"
    say(table, game, "0 bid 1")
    assert verdicts(table, game)["fairness"] == "unrevealed", "a deal was drawn here"
    table.act(game, Escape(0))
    assert verdicts(table, game) == CLEAN


@settings(max_examples=6)
@given(seed=st.integers(0, 10**6))
def test_every_line_of_a_family_is_clean(busy_table: Table, seed: int):
    for line in family(busy_table, seed):
        assert verdicts(busy_table, line) == {**CLEAN, "fairness": "chosen"}


def test_a_known_head_is_one_of_the_lines_events(each_table: Table):
    game = bot_game(each_table).game
    other = bot_game(each_table).game
    for row in each_table.log.rows(game):
        assert audit_game(each_table.log, game, row.hash).ok
    audit = audit_game(each_table.log, game, each_table.log.rows(other)[-1].hash)
    assert [finding.code for finding in audit.findings] == ["integrity/head"]
    assert audit.checks["integrity"] == "fault"


def test_there_is_no_audit_of_a_game_that_is_not_there(table: Table):
    for ask in (audit_game, replay):
        with pytest.raises(UnknownGame, match="there is no game 'nowhere'"):
            ask(table.log, "nowhere")
