"""Botzone's two games: there and back by card id, what a log says of its end, and what is wrong with a log."""

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest
from games import arranged

from ddz import kernel
from ddz.cards import DECK, FULL_DECK
from ddz.errors import Unreadable
from ddz.frozen.events import CardsPlayed
from ddz.frozen.shapes import Claim, Rules
from ddz.moves import census
from ddz.records import botzone, botzone_out
from ddz.records.botzone_shapes import ONE, TWO, UNBID, card_of, cards_of, numbers_of
from ddz.rules import PRESETS, preset
from ddz.services.audit import audit_game
from ddz.services.table import Table

from .samples import again, fixture, refusal, taken, told, writable

NAME = "botzone"
FILES = ("FightTheLandlord", "FightTheLandlord2", "FightTheLandlord2-unbid")


def parsed(name: str) -> list[Any]:
    """The log of a fixture."""
    found = json.loads(fixture(f"botzone-{name}.json"))
    return found["logs"] if isinstance(found, dict) else found


ONE_LOG, TWO_LOG, UNBID_LOG = (parsed(name) for name in FILES)


# ---- cards ----


def test_every_id_is_one_card_and_back():
    assert [DECK[card_of(number)] for number in (0, 1, 2, 3, 4, 51, 52, 53)] == [
        *("3h", "3d", "3s", "3c", "4h", "2c", "B", "R"),
    ]
    assert sorted(map(card_of, range(54))) == list(range(54))
    for number in range(54):
        assert numbers_of(cards_of([number])) == [number]


# ---- there and back ----


@pytest.mark.parametrize("rules", [TWO, ONE, UNBID], ids=lambda rules: f"{rules.name} {rules.auction}")
def test_a_game_goes_out_and_comes_back_card_for_card(rules: Rules):
    """The seats turn, so that the first voice (or the landlord of the one) is player 0."""
    for game, text in writable(NAME, rules, 30):
        first = next(event.first_voice for event in game.events if hasattr(event, "hands"))
        table, done = taken(text)
        events = table.log.history(done.game)
        assert told(events) == told(game.events, first)
        assert events[0].rules == rules
        assert again(table, done.game, NAME) == text
        audit = audit_game(table.log, done.game)
        assert audit.ok, audit.findings
        winner = told(events)["winner"]
        assert events[0].origin.claim == Claim(None if rules is ONE else told(events)["payouts"], winner)


def test_a_classic_game_comes_back_where_its_melds_are_botzones():
    game = arranged(["33334567"], first_voice=1)
    game.say("1 bid 1", "2 pass", "0 bid 2", "0 play 34567", "1 pass", "2 pass", "0 play 333")
    table, done = taken(botzone.write(game.events))
    assert told(table.log.history(done.game)) == told(game.events, 1)
    assert done.phase == "in progress"


@pytest.mark.parametrize("name", FILES)
def test_a_file(table: Table, name: str):
    _, done = taken(fixture(f"botzone-{name}.json"), table=table)
    assert done.phase == "over"
    assert audit_game(table.log, done.game).ok
    opened = table.log.history(done.game)[0]
    assert opened.rules == {"FightTheLandlord": ONE, "FightTheLandlord2": TWO}.get(name, UNBID)
    assert (opened.origin.format, opened.origin.source) == (NAME, "a file" if name == FILES[0] else name)
    log = json.loads(again(table, done.game, NAME))
    plays = [sorted(play) for play in responses(log) if isinstance(play, list)]
    assert plays == [sorted(play) for play in responses(parsed(name)) if isinstance(play, list)]
    assert log[-1]["output"]["content"] == parsed(name)[-1]["output"]["content"]


def responses(log: list[Any]) -> list[Any]:
    return [answer["response"] for entry in log[1::2] for answer in entry.values()]


@pytest.mark.parametrize("name", FILES)
def test_a_log_that_is_cut_behind_any_entry_is_an_unfinished_game(name: str):
    """The judge's note tells all hands, so that nothing is missing; without it, two hands must have been told."""
    log = parsed(name)
    for end in range(1, len(log)):
        _, done = taken(json.dumps(log[:end]))
        assert done.phase == ("over" if end == len(log) - 1 else "in progress")
    bare = without_notes(log)
    assert taken(json.dumps(bare))[1].phase == "over"
    assert refusal(bare[:1]).startswith("deal 0: the log ends before it tells the cards of player 1 and of player 2")
    shown = next(at for at in range(1, len(bare)) if told_hands(bare[:at]) == 3)
    table, done = taken(json.dumps(bare[:shown]))
    whole, entire = taken(json.dumps(log))
    assert dealt(table, done.game) == dealt(whole, entire.game), "the last part is what is left"


def told_hands(log: list[Any]) -> int:
    """How many of the three hands and the public cards were told."""
    asked = [player for entry in log[::2] for player in entry["output"]["content"]]
    return len(set(asked)) + ("publiccard" in json.dumps(log))


def dealt(table: Table, game: str) -> tuple[Any, Any]:
    return next((event.hands, event.kitty) for event in table.log.history(game) if hasattr(event, "hands"))


def without_notes(log: list[Any]) -> list[Any]:
    made = copy.deepcopy(log)
    for entry in made[::2]:
        entry["output"].pop("display", None)
    return made


def test_the_log_may_stand_in_an_object_under_either_name():
    for key in ("log", "logs"):
        for initdata in ("", None, json.dumps(TWO_LOG[0]["output"]["display"]), TWO_LOG[0]["output"]["display"]):
            made = {key: TWO_LOG, "initdata": initdata, "_id": {"$oid": "1"}, "players": []}
            table, done = taken(json.dumps(made))
            assert table.log.history(done.game)[0].origin.source == "a file"


# ---- what it pays ----


def test_the_worth_of_melds_in_the_first_game():
    """2 for the winners, hundredths for each meld, and the peasants share theirs."""
    for game, text in writable(NAME, ONE, 30):
        landlord = told(game.events)["landlord"]
        worth = [0, 0, 0]
        for event in game.events:
            if isinstance(event, CardsPlayed):
                worth[(event.seat - landlord) % 3] += botzone_out.HUNDREDTHS[event.kind]
        won = told(game.events)["winner"] == "landlord"
        want = [worth[0] / 100 + 2 * won, (worth[1] + worth[2]) / 200 + 2 * (not won)]
        paid = json.loads(text)[-1]["output"]["content"]
        assert [paid["0"], paid["1"], paid["2"]] == pytest.approx([want[0], want[1], want[1]])


def test_a_false_claim_is_stored_and_found():
    log = copy.deepcopy(TWO_LOG)
    scores = log[-1]["output"]["content"]
    log[-1]["output"]["content"] = {seat: -points for seat, points in scores.items()}
    table, done = taken(json.dumps(log))
    audit = audit_game(table.log, done.game)
    assert [finding.code for finding in audit.findings] == ["accounting/claim"] * 2
    assert "the source claims that" in audit.findings[1].detail
    log = copy.deepcopy(ONE_LOG)
    scores = log[-1]["output"]["content"]
    log[-1]["output"]["content"] = {"0": scores["1"], "1": scores["0"], "2": scores["0"]}
    table, done = taken(json.dumps(log))
    assert [finding.code for finding in audit_game(table.log, done.game).findings] == ["accounting/claim"]


# ---- what it cannot hold ----


def test_what_botzone_cannot_hold():
    game = arranged(["333344"], first_voice=0)
    game.say("0 bid 3", "0 play 333344")
    with pytest.raises(Unreadable, match=r"play 0, .* as quad\+solos 3, is not one that botzone would take"):
        botzone.write(game.events)
    game.say("1 escape")
    with pytest.raises(Unreadable, match="seat 1 escaped, and botzone knows no escape"):
        botzone.write(game.events)
    game = arranged(first_voice=0, deals=1)
    game.say("0 pass", "1 pass", "2 pass", "deal", "1 bid 3")
    with pytest.raises(Unreadable, match="the cards were dealt again, and botzone deals once"):
        botzone.write(game.events)
    game = arranged(first_voice=0, rules=preset("openspiel"))
    game.say("0 pass", "1 bid 1", "2 pass", "0 bid 2", "1 bid 3")
    with pytest.raises(Unreadable, match="the seats called 5 times; in botzone each speaks once, and a 3 ends it"):
        botzone.write(game.events)
    with pytest.raises(Unreadable, match="the game has no landlord"):
        botzone.write(arranged(first_voice=0).events)


def test_both_jokers_are_two_kickers_there_and_a_rocket_no_pair():
    game = arranged(["3333BR"], first_voice=0)
    game.say("0 bid 3", "0 play 3333BR")
    table, done = taken(botzone.write(game.events))
    assert told(table.log.history(done.game))["plays"] == [(0, "3c3d3h3sBR")]


# ---- malformed logs ----

Change = Callable[[list[Any]], object]


def request(log: list[Any], entry: int) -> dict[str, Any]:
    return next(iter(log[entry]["output"]["content"].values()))


def answer(log: list[Any], entry: int) -> dict[str, Any]:
    return next(iter(log[entry].values()))


def first_play(log: list[Any]) -> int:
    """The entry of the first request to play."""
    return next(at for at in range(0, len(log), 2) if "history" in request(log, at))


def set_play(log: list[Any], cards: Any) -> None:
    answer(log, first_play(log) + 1)["response"] = cards


def of(log: list[Any], change: Change) -> list[Any]:
    made = without_notes(log)
    change(made)
    return made


def lead(log: list[Any]) -> list[int]:
    return answer(log, first_play(log) + 1)["response"]


def shift(log: list[Any]) -> None:
    log.insert(1, log[0])


def swap_content(log: list[Any]) -> None:
    content = log[first_play(log)]["output"]["content"]
    name, told_of = content.popitem()
    content[str((int(name) + 1) % 3)] = told_of


PLAY = first_play(TWO_LOG) // 2
BAD: list[tuple[list[Any], Change, str]] = [
    (TWO_LOG, lambda log: log.clear(), "not a botzone record: there is no entry in its log"),
    (TWO_LOG, lambda log: log.pop(0), "entry 0: there is no output of the judge"),
    (TWO_LOG, shift, "entry 1: player 0 is asked, but the answer is by nobody"),
    (
        TWO_LOG,
        lambda log: log[1].update({"1": log[1]["0"]}),
        "entry 1: player 0 is asked, but the answer is by player 0 and 1",
    ),
    (TWO_LOG, lambda log: log[2]["output"]["content"].clear(), "entry 2: 0 players are asked instead of one"),
    (TWO_LOG, lambda log: request(log, 0)["own"].pop(), "deal 0, move 0: player 0: there are 16 cards, not 17"),
    (TWO_LOG, lambda log: request(log, 0).pop("own"), "deal 0, move 0: player 0: the cards are not told"),
    (TWO_LOG, lambda log: request(log, 0)["own"].__setitem__(0, 54), "deal 0, move 0: player 0: 54 is no card"),
    (
        TWO_LOG,
        lambda log: request(log, 0)["own"].__setitem__(0, request(log, 0)["own"][1]),
        f"deal 0, move 0: player 0: the card {TWO_LOG[0]['output']['content']['0']['own'][1]} (",
    ),
    (
        TWO_LOG,
        lambda log: request(log, 2).update(own=request(log, 0)["own"]),
        "player 1 owns",
    ),
    (
        TWO_LOG,
        lambda log: request(log, 2).update(bid=[0]),
        "deal 0, move 1: the request says that the bids are [0], but",
    ),
    (TWO_LOG, lambda log: answer(log, 1).update(response=4), "deal 0, move 0: player 0 must bid 0, 1, 2 or 3, not '4'"),
    (TWO_LOG, lambda log: answer(log, 1).update(response=True), "deal 0, move 0: player 0 must bid 0, 1, 2 or 3"),
    (TWO_LOG, lambda log: answer(log, 1).update(verdict="TLE"), "deal 0, move 0: the verdict on player 0 is 'TLE'"),
    (TWO_LOG, lambda log: request(log, first_play(log)).update(landlord=9), "the request says landlord 9, but by the"),
    (TWO_LOG, lambda log: request(log, first_play(log)).update(finalbid=9), f"deal 0, move {PLAY}: the request says"),
    (TWO_LOG, lambda log: request(log, first_play(log)).update(pos=9), "the request says pos 9, but by the bids"),
    (TWO_LOG, lambda log: request(log, first_play(log)).pop("publiccard"), "publiccard: the cards are not told"),
    (TWO_LOG, swap_content, f"deal 0, move {PLAY}: player "),
    (TWO_LOG, lambda log: set_play(log, []), f"deal 0, move {PLAY + 1}: the history is "),
    (TWO_LOG, lambda log: set_play(log, 3), f"deal 0, move {PLAY}: player "),
    (TWO_LOG, lambda log: set_play(log, [*lead(log), "x"]), f"deal 0, move {PLAY}: 'x' is no card: the cards are 0 to"),
    (
        TWO_LOG,
        lambda log: set_play(log, [*lead(log), lead(log)[0]]),
        f"deal 0, move {PLAY}: the card {lead(TWO_LOG)[0]}",
    ),
    (TWO_LOG, lambda log: set_play(log, list(range(8))), "holds 2 fours; botzone calls it a space shuttle"),
    (TWO_LOG, lambda log: log.append(log[-1]), f"entry {len(TWO_LOG)}: nobody is asked, but the answer is by nobody"),
    (TWO_LOG, lambda log: log.__delitem__(slice(-3, -1)), "the game is finished, but before deal 0, move"),
    (TWO_LOG, lambda log: log[-1]["output"]["content"].pop("2"), "a finish gives each of the three players his points"),
    (
        TWO_LOG,
        lambda log: log[-1]["output"]["content"].update({"2": 1e300}),
        "a finish gives each of the three players",
    ),
    (TWO_LOG, lambda log: log[-1]["output"].update(command="end"), "Invalid enum value 'end' - at `$["),
    (TWO_LOG, lambda log: log.__setitem__(-1, log[-3]), f"entry {len(TWO_LOG) - 1}: player "),
    (ONE_LOG, lambda log: request(log, 0)["own"].pop(), "deal 0, move 0: player 0: there are 19 cards, not 20"),
    (
        ONE_LOG,
        lambda log: request(log, 0)["publiccard"].append(1),
        "deal 0, move 0: publiccard: there are 4 cards, not",
    ),
    (ONE_LOG, lambda log: request(log, 2)["publiccard"].__setitem__(0, unseen(log)), "but before they were"),
    (ONE_LOG, lambda log: set_public(log, request(log, 2)["own"][0]), "deal 0: player 0 does not own the public card"),
    (ONE_LOG, lambda log: set_play(log, []), "deal 0, move 1: the history is"),
    (
        UNBID_LOG,
        lambda log: request(log, first_play(log)).update(landlord=1),
        "deal 0, move 0: the request says landlord",
    ),
]


def unseen(log: list[Any]) -> int:
    return next(card for card in range(54) if card not in request(log, 0)["publiccard"])


def set_public(log: list[Any], card: int) -> None:
    for entry in (0, 2, 4):
        request(log, entry)["publiccard"] = [*request(log, 0)["publiccard"][:2], card]


@pytest.mark.parametrize(("log", "change", "complaint"), BAD, ids=[f"{n} {bad[2][:30]}" for n, bad in enumerate(BAD)])
def test_a_malformed_log(log: list[Any], change: Change, complaint: str):
    assert complaint in refusal(of(log, change), NAME)


def test_a_note_that_differs_from_what_the_players_are_told():
    log = copy.deepcopy(TWO_LOG)
    note = log[0]["output"]["display"]
    note["allocation"][0], note["allocation"][1] = note["allocation"][1], note["allocation"][0]
    assert refusal(log).startswith("deal 0, move 0: player 0 owns ")
    assert "initdata" in refusal({"log": TWO_LOG, "initdata": "{", "x": "publiccard"})


def test_moves_that_the_law_refuses_are_named_by_their_number():
    """Bids are moves too."""
    log = without_notes(TWO_LOG)
    at = first_play(log)
    held = set(request(log, at)["own"]) | set(request(log, at)["publiccard"])
    stranger = next(card for card in range(54) if card not in held)
    answer(log, at + 1)["response"] = [stranger]
    del log[at + 2 :]
    log[0]["output"]["display"] = TWO_LOG[0]["output"]["display"]
    sentence = refusal(log)
    assert sentence.startswith(f"deal 0, action {PLAY} (")
    assert sentence.endswith(f"the hand does not hold the card {DECK[card_of(stranger)]}")


# ---- its rules ----


def judge_takes(counts: list[int]) -> bool:
    """What botzone's two judges take for a meld that is no space shuttle, told from how many there are of each rank.

    Trios must all be consecutive and below 2, and what they carry must be as many different ranks, all once or all
    twice; a four carries two different ranks, both once or both twice.
    """
    of = {copies: [rank for rank, count in enumerate(counts) if count == copies] for copies in (1, 2, 3, 4)}
    shape = tuple(len(of[copies]) for copies in (1, 2, 3, 4))
    ranks = sorted(rank for group in of.values() for rank in group)
    row = ranks[-1] <= 11 and ranks == list(range(ranks[0], ranks[0] + len(ranks)))
    if shape in ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1), (1, 0, 1, 0), (0, 1, 1, 0)):
        return True
    if shape in ((2, 0, 0, 1), (0, 2, 0, 1)):
        return True
    if ranks == [13, 14]:
        return True
    if shape[1:] == (0, 0, 0):
        return shape[0] >= 5 and row
    if (shape[0], *shape[2:]) == (0, 0, 0):
        return shape[1] >= 3 and row
    trios = of[3]
    wings = (shape[0], shape[1])
    together = len(trios) > 1 and trios[-1] <= 11 and trios == list(range(trios[0], trios[0] + len(trios)))
    return together and not of[4] and wings in ((0, 0), (len(trios), 0), (0, len(trios)))


def test_our_knobs_are_what_its_judges_take_card_set_for_card_set():
    """Held against all sets that the widest preset takes, which has every meld that any house plays."""
    wide = {cards for _, _, _, cards in kernel.leads(FULL_DECK.counts, PRESETS["literal"].kickers.code)}
    ours = {cards for _, _, _, cards in kernel.leads(FULL_DECK.counts, TWO.kickers.code)}
    theirs = {cards for cards in wide if judge_takes([kernel.lane(cards, rank) for rank in range(kernel.LANES)])}
    assert ours == theirs
    found = census(TWO)
    assert (found.sets, found.readings) == (len(ours), len(ours)), "no set is two melds"
