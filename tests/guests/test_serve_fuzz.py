"""`ddz botzone` is sent spoilt requests: whatever comes, it is answered by a move or refused with a sentence.

The long form takes 200,000 requests (`-m long`); the short one a few thousand.
"""

import copy
import json
import random
from collections import Counter
from functools import cache
from typing import Any

import msgspec
import pytest

from ddz import bots
from ddz.errors import Unreadable
from ddz.frozen.shapes import Rules
from ddz.guests.botzone import conversation
from ddz.guests.serve import serve
from ddz.records.botzone_shapes import ONE, TWO
from ddz.rules import PRESETS
from ddz.view import seat_view

from .games import positions

RULES = (TWO, ONE, *(PRESETS[name] for name in ("classic", "literal", "douzero", "pagat", "openspiel")))
JUNK: tuple[Any, ...] = (
    *(None, True, -1, 0, 1, 2, 3, 4, 17, 53, 54, 255, 2**31, 2**63 - 1, 2**63, 2**64, 10**40, -(10**40), 0.5, 1e300),
    *("", "0", "3", "\x00", "\ud800", "中\u202e", "x" * 300, [], {}, [[]], [0], [3, 3], [[], []], {"0": 1}, [0, 1, 2]),
)
CHARS = ("[", "]", "{", "}", ",", '"', "0", "9", "-", ".", "e", "\\", " ", "\x00", "\udcff", "null", "[" * 2000)


@cache
def corpus() -> tuple[str, ...]:
    """Requests as a judge puts them, at every stage of games."""
    found = []
    for rules in (TWO, ONE):
        for state, _ in positions(rules, 6, voice=None):
            found.append(msgspec.json.encode(conversation(seat_view(state, state.turn))).decode())
    return tuple(found)


def spoilt(rng: random.Random) -> str:
    """A request with some changes of its values, or of its signs."""
    line = rng.choice(corpus())
    if rng.random() < 0.85:
        whole = json.loads(line)
        for _ in range(rng.choice((1, 1, 1, 2, 3, 6))):
            _change(rng, whole)
        return json.dumps(whole)
    for _ in range(rng.choice((1, 2, 5))):
        at = rng.randrange(len(line) + 1)
        line = line[:at] + rng.choice(CHARS) + line[at + rng.choice((0, 1, 20)) :]
    return line


def _change(rng: random.Random, place: Any) -> None:
    """Change one value somewhere below: to junk, to a neighbour's value, by one; double it, or leave it out."""
    while True:
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        if not keys:
            return
        key = rng.choice(keys)
        below = place[key]
        if not isinstance(below, dict | list) or not below or rng.random() < 0.15:
            break
        place = below
    match rng.randrange(7):
        case 0:
            del place[key]
        case 1 if isinstance(place, list):
            place.insert(key, copy.deepcopy(below))
        case 2:
            place[key] = copy.deepcopy(place[rng.choice(keys)])
        case 3 if isinstance(place, list):
            rng.shuffle(place)
        case 4 | 5 if type(below) is int:
            place[key] = rng.randrange(54) if rng.random() < 0.5 else below + rng.choice((-1, 1, 4))
        case _:
            place[key] = copy.deepcopy(rng.choice(JUNK))


def asked(lines: list[str], bot: str, rules: Rules) -> str:
    """Put some lines: `answered` or `refused`; whatever else is a fault of ours, with the lines in its message."""
    said: list[str] = []
    sentence = None
    try:
        serve(bots.make(bot), rules, lines, said.append, stay=len(lines) > 1)
    except Unreadable as refused:
        sentence = str(refused)
    except BaseException as fault:
        fault.add_note(f"{bot} by {rules.name}: {[line[:5000] for line in lines]!a}")
        raise
    if sentence is not None:
        assert 0 < len(sentence) < 1000
        return "refused"
    assert len(said) == (1 if len(lines) == 1 else 2 * len(lines))
    return "answered"


def fuzzed(seed: int, count: int, bot: str) -> Counter[str]:
    """Put so many requests, one in ten as the next one of a program that stays."""
    rng = random.Random(seed)
    found: Counter[str] = Counter()
    for _ in range(count):
        lines = [spoilt(rng)]
        if rng.random() < 0.1:
            lines.insert(0, rng.choice(corpus()))
            lines[1] = rng.choice([lines[1], json.dumps(_last(lines[1]))])
        found[asked(lines, bot, rng.choice(RULES))] += 1
    return found


def _last(line: str) -> Any:
    """The last request alone, as a program is told that stays."""
    try:
        return json.loads(line)["requests"][-1]
    except (ValueError, LookupError, TypeError, RecursionError):
        return line


def test_what_a_judge_says_is_answered() -> None:
    for line in corpus():
        assert asked([line], "simple", TWO) == "answered"


OWN = list(range(17))
PLAYS = {"history": [[], []], "own": OWN, "publiccard": [50, 51, 52], "landlord": 0, "pos": 0, "finalbid": 1}


@pytest.mark.parametrize(
    ("requests", "responses", "why"),
    [
        ([{"own": OWN, "bid": [3]}], [], "nobody is asked after a bid of 3"),
        ([PLAYS | {"publiccard": [16, 50, 51]}], [], "publiccard: .* is among the player's own cards"),
        ([PLAYS | {"finalbid": 10**30}], [], "finalbid, 1 to 3"),
        ([PLAYS | {"history": [[20], []]}], [], "nobody plays before the landlord leads"),
        ([PLAYS | {"pos": 1}], [], "a pass, but player 0 leads"),
        ([PLAYS | {"pos": 1, "history": [[], [3]]}], [], "do not fit the hands"),
        ([PLAYS | {"pos": 2, "history": [[20], [20]]}], [], "was played before"),
        ([PLAYS | {"pos": 2, "history": [[20], [52]]}], [], "do not fit the hands"),
        ([PLAYS, {"history": [[], []], "own": list(range(1, 18))}], [[0]], "other cards than in request 0"),
        ([PLAYS, {"history": [[], []], "landlord": 2}], [[0]], "landlord is another one than in request 0"),
        ([{"own": OWN, "bid": [0]}, PLAYS], [0], "pos is 0, but player 1 was asked to bid"),
        ([PLAYS] * 61, [[]] * 60, "in one deal nobody is asked so often"),
    ],
)
def test_what_contradicts_itself_is_named(requests: list, responses: list, why: str) -> None:
    with pytest.raises(Unreadable, match=why):
        serve(bots.make("simple"), TWO, [json.dumps({"requests": requests, "responses": responses})], print, False)


@pytest.mark.parametrize("line", ["[" * 100_000, '{"requests":' * 50_000, '{"requests": [' + "9" * 100_000, "\ud800"])
def test_what_is_no_json_is_named(line: str) -> None:
    with pytest.raises(Unreadable, match="not a request of botzone's"):
        serve(bots.make("simple"), TWO, [line], print, False)


SHUTTLE = [16, 17, 18, 19, 20, 21, 22, 23]


@pytest.mark.parametrize("bot", bots.names())
def test_every_bot_answers_a_meld_that_only_botzone_knows(bot: str) -> None:
    own = [*range(24, 28), 53, *range(38, 50)]
    heard = PLAYS | {"own": own, "publiccard": [50, 51, 52], "pos": 1, "history": [[], SHUTTLE]}
    assert asked([json.dumps({"requests": [heard], "responses": []})], bot, TWO) == "answered"


@pytest.mark.parametrize(("bot", "count"), [("simple", 1500), ("normal", 300), ("hard", 300), ("random", 1000)])
def test_a_spoilt_request_is_answered_or_refused(bot: str, count: int) -> None:
    found = fuzzed(1, count, bot)
    assert found["answered"] > count / 50, "else nothing but the reading is tried"
    assert found["refused"] > count / 4


@pytest.mark.long
@pytest.mark.parametrize(("bot", "count"), [("simple", 150_000), ("hard", 40_000), ("expert", 2000), ("easy", 8000)])
def test_many_spoilt_requests(bot: str, count: int) -> None:
    found = fuzzed(2, count, bot)
    assert found["answered"] > count / 50
    assert found["refused"] > count / 4
