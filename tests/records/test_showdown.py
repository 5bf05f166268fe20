"""RLCard Showdown's replays: there and back, and what is wrong with a file."""

import copy
import json
from typing import Any

import pytest
from games import arranged

from ddz.errors import Unreadable
from ddz.record import record_of
from ddz.records import showdown
from ddz.rules import PRESETS
from ddz.services.audit import audit_game
from ddz.services.table import Table

from .samples import RULES, again, fixture, refusal, taken, told, writable

NAME = "rlcard-showdown"
GOOD = json.loads(fixture("showdown.json"))


def test_a_game_goes_out_and_comes_back_card_for_card():
    """All but the kitty, of which the format says nothing."""
    for game, text in writable(NAME, RULES[NAME], 40):
        table, done = taken(text)
        ours, theirs = told(game.events), told(table.log.history(done.game))
        del ours["kitty"], theirs["kitty"]
        assert theirs == ours
        back = json.loads(again(table, done.game, NAME))
        want = json.loads(text)
        assert (back["initHands"], back["moveHistory"]) == (want["initHands"], want["moveHistory"])
        assert audit_game(table.log, done.game).ok


def test_the_file(table: Table):
    _, done = taken(fixture("showdown.json"), table=table)
    assert (done.phase, done.payouts) == ("over", (2, -1, -1))
    opened = table.log.history(done.game)[0]
    assert (opened.origin.format, opened.origin.source, opened.origin.claim) == (NAME, "a file", None)
    assert opened.rules == PRESETS["rlcard"]
    assert [player.name for player in opened.players] == ["player 0", "player 1", "player 2"]


def test_an_unfinished_game_and_players_in_any_order():
    made = copy.deepcopy(GOOD)
    del made["moveHistory"][4:]
    made["playerInfo"].reverse()
    table, done = taken(json.dumps(made))
    assert done.phase == "in progress"
    assert json.loads(again(table, done.game, NAME))["moveHistory"] == [
        {key: move[key] for key in ("playerIdx", "move")} for move in made["moveHistory"]
    ]


def test_the_faults_of_the_public_samples():
    """A card twice and another missing, and a pass by the leader: the deal, the cards and the move are named."""
    sentence = refusal(fixture("showdown-malformed.json"))
    assert sentence == (
        "deal 0: the card S3 is in hand 1 and in hand 2, and C3 is in none; besides, move 0 is a pass by the leader"
    )
    made = json.loads(fixture("showdown-malformed.json"))
    made["initHands"] = GOOD["initHands"]
    assert refusal(made) == 'deal 0, action 0 ("0 pass"): the leader may not pass: play anything you like'
    made["initHands"] = [GOOD["initHands"][0].replace("D3", "H3"), *GOOD["initHands"][1:]]
    assert refusal(made).startswith("deal 0: the card H3 is twice in hand 0, and D3 is in none; besides, move 0")


def changed(path: str, value: Any) -> Any:
    """The good replay with one value changed: `moveHistory.0.move`."""
    made = copy.deepcopy(GOOD)
    *steps, last = path.split(".")
    place = made
    for step in steps:
        place = place[int(step)] if step.isdigit() else place[step]
    place[int(last) if last.isdigit() else last] = value
    return made


BAD = [
    (changed("initHands", GOOD["initHands"][:2]), "Expected `array` of length 3 - at `$.initHands`"),
    (changed("initHands.0", "D3"), "deal 0: hand 0 holds 1 cards, not 20"),
    (changed("initHands.1", GOOD["initHands"][1] + " XX"), "deal 0, hand 1: 'XX' is no card: write suit and rank"),
    (changed("initHands.1", GOOD["initHands"][1] + " 3c"), "deal 0, hand 1: '3c' is no card"),
    (changed("initHands.1", ["D4"]), "Expected `str`, got `array` - at `$.initHands[1]`"),
    (changed("playerInfo.1.index", 0), "playerInfo: the indices of the three players must be 0, 1 and 2"),
    (changed("playerInfo.1.role", "landlord"), "playerInfo: there are 2 landlords, not one"),
    (changed("playerInfo.0.role", "peasant"), "playerInfo: there are 0 landlords, not one"),
    (changed("playerInfo.0.role", "king"), "Invalid enum value 'king' - at `$.playerInfo[0].role`"),
    (changed("moveHistory.0.playerIdx", 3), "deal 0, move 0: there is no player 3"),
    (
        changed("moveHistory.0.playerIdx", 1),
        "deal 0, action 0 (\"1 play 3d4c5h6c7h\"): it is seat 0's turn, not seat 1's",
    ),
    (changed("moveHistory.1.move", "S3 ??"), "deal 0, move 1: '??' is no card"),
    (changed("moveHistory.1.move", "D3 D3"), "deal 0, action 1"),
    (changed("moveHistory.1.move", "D3"), 'deal 0, action 1 ("1 play 3d"): the hand does not hold the card 3d'),
    (changed("moveHistory.0.move", "D3 H3 C4"), 'deal 0, action 0 ("0 play 3d3h4c"): 334 is no meld'),
    (changed("moveHistory.0.move", 7), "Expected `str`, got `int` - at `$.moveHistory[0].move`"),
    (changed("moveHistory", None), "Expected `array`, got `null` - at `$.moveHistory`"),
    (
        changed("moveHistory", [*GOOD["moveHistory"], {"playerIdx": 0, "move": "pass"}]),
        'deal 0, action 34 ("0 pass"): the game is over',
    ),
]


@pytest.mark.parametrize(("made", "complaint"), BAD, ids=[complaint[:40] for _, complaint in BAD])
def test_a_malformed_file(made: Any, complaint: str):
    assert complaint in refusal(made)


def test_what_rlcard_cannot_hold():
    game = arranged(["33344455678", "99"], first_voice=0)
    game.say("0 bid 3", "0 play 33344455 as airplane+solos")
    showdown.write(game.events)
    game = arranged(["3333BR"], first_voice=0)
    game.say("0 bid 3", "0 play 3333BR")
    with pytest.raises(Unreadable, match=r"play 0, 3c3d3h3sBR as quad\+solos 3, is not one that RLCard would take"):
        showdown.write(game.events)
    game.say("1 escape")
    with pytest.raises(Unreadable, match="seat 1 escaped, and RLCard knows no escape"):
        showdown.write(game.events)
    game = arranged(first_voice=0)
    with pytest.raises(Unreadable, match="the game has no landlord, and a rlcard-showdown record begins with one"):
        showdown.write(game.events)
    assert record_of(game.events).deals
