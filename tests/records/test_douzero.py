"""DouZero's records: there and back, and what is wrong with a file."""

import copy
import json
from typing import Any

import pytest
from games import arranged

from ddz.errors import Unreadable
from ddz.records import douzero
from ddz.rules import PRESETS
from ddz.services.audit import audit_game
from ddz.services.table import Table

from .samples import RULES, again, fixture, ranks_told, refusal, taken, writable

NAME = "douzero"
GOOD = json.loads(fixture("douzero-26.json"))


def test_a_game_goes_out_and_comes_back_rank_for_rank():
    """The landlord is seat 0 there."""
    for game, text in writable(NAME, RULES[NAME], 40):
        table, done = taken(text)
        landlord = next(event.landlord for event in game.events if hasattr(event, "landlord"))
        assert ranks_told(table.log.history(done.game)) == ranks_told(game.events, landlord)
        assert again(table, done.game, NAME) == text
        assert audit_game(table.log, done.game).ok


def test_the_file(table: Table):
    _, done = taken(fixture("douzero-26.json"), table=table)
    assert (done.phase, done.payouts) == ("over", (4, -2, -2))
    opened = table.log.history(done.game)[0]
    assert (opened.origin.format, opened.rules) == (NAME, PRESETS["douzero"])
    assert [player.name for player in opened.players] == ["landlord", "landlord_down", "landlord_up"]
    assert json.loads(again(table, done.game, NAME)) == GOOD


def changed(**fields: Any) -> Any:
    return {**copy.deepcopy(GOOD), **fields}


def with_action(number: int, cards: Any) -> Any:
    made = copy.deepcopy(GOOD)
    made["actions"][number] = cards
    return made


def without(key: str) -> Any:
    made = copy.deepcopy(GOOD)
    del made[key]
    return made


DOWN = GOOD["landlord_down"]
BAD = [
    (changed(landlord=GOOD["landlord"][1:]), "landlord holds 19 cards, not 20 with the three landlord cards"),
    (changed(landlord_down=DOWN[1:]), "deal 0: the hands hold 17, 16, 17 and the kitty 3 cards"),
    (changed(three_landlord_cards=[3, 20]), "deal 0: the hands hold 18, 17, 17 and the kitty 2 cards"),
    (changed(three_landlord_cards=[4, 20, 30]), "three_landlord_cards: the landlord does not hold 4"),
    (changed(landlord_down=[15, *DOWN[1:]]), "landlord_down: 15 is no card: the cards are 3, 4, 5"),
    (changed(landlord_down=[5, *DOWN[1:]]), "deal 0: the card 5 is there more often than in one deck"),
    (changed(landlord_down=[20, *DOWN[1:]]), "deal 0: the card B is there more often than in one deck"),
    (changed(landlord_down="33"), "Expected `array`, got `str` - at `$.landlord_down`"),
    (changed(landlord_down=[3.5, *DOWN[1:]]), "Expected `int`, got `float` - at `$.landlord_down[0]`"),
    (changed(actions=[3]), "Expected `array`, got `int` - at `$.actions[0]`"),
    (changed(more=1), "Object contains unknown field `more`"),
    (with_action(0, []), 'deal 0, action 0 ("0 pass"): the leader may not pass: play anything you like'),
    (with_action(0, [4]), 'deal 0, action 0 ("0 play 4"): the hand holds 0 of rank 4, not 1'),
    (with_action(1, [1]), "deal 0, move 1: 1 is no card"),
    (with_action(1, [3, 3]), 'deal 0, action 1 ("1 play 33"): 33 (pair 3) does not beat 3 (solo 3)'),
    (with_action(0, [8, 9]), 'deal 0, action 0 ("0 play 89"): 89 is no meld'),
    (with_action(3, None), "Expected `array`, got `null` - at `$.actions[3]`"),
    (with_action(3, [3] * 5), "deal 0, action 3"),
    (changed(actions=[*GOOD["actions"], []]), f"deal 0, action {len(GOOD['actions'])}"),
    (without("actions"), "Object missing required field `actions`"),
]


@pytest.mark.parametrize(("made", "complaint"), BAD, ids=[complaint[:40] for _, complaint in BAD])
def test_a_malformed_file(made: Any, complaint: str):
    assert complaint in refusal(made, NAME)


def test_what_douzero_cannot_hold():
    game = arranged(["333444555666"], first_voice=0)
    game.say("0 bid 3", "0 play 333444555666 as airplane")
    with pytest.raises(Unreadable, match="is not one that DouZero would take: 333444555666 can be read as "):
        douzero.write(game.events)
    game = arranged(["3334445555"], first_voice=0)
    game.say("0 bid 3", "0 play 3334445555 as airplane+pairs")
    with pytest.raises(Unreadable, match=r"play 0, .* as airplane\+pairs 3, is not one that DouZero would take"):
        douzero.write(game.events)
    game = arranged(first_voice=1)
    game.say("1 bid 3", "0 escape")
    with pytest.raises(Unreadable, match="seat 0 escaped, and DouZero knows no escape"):
        douzero.write(game.events)
