"""Every parser of ours is fed spoilt text: it answers, or refuses in one of our own words; nothing else comes out.

The importers of records have a fuzz of their own, with whole files (`tests/records/test_fuzz.py`); the programs of
Botzone another (`tests/guests`). Here are the small ones that stand behind an option, a line or a stored column.

The long form feeds 10 million: `python -m pytest -m long tests/attacks/test_parsers.py` (some 10 minutes);
DDZ_FUZZ_SEED plays a run again.
"""

import os
import random
import time
from collections.abc import Callable

import pytest
from ddz.cli.languages import words_for
from ddz.cli.new import _players
from ddz.cli.shell import viewer_named
from ddz.cli.typed import parse_line

from ddz.actions import command_of
from ddz.bots import make
from ddz.cards import CardSet, parse_ranks, resolve, split_cards
from ddz.commands import Bid
from ddz.decide import decide, legal, refusal
from ddz.errors import BrokenLog, DdzError, Refused, Unreadable
from ddz.frozen.shapes import Player
from ddz.log import codec, schema_check
from ddz.log.chain import LogCheck
from ddz.log.memory import MemoryLog
from ddz.log.write import check_command_id, check_game_id
from ddz.names import check_name, cleaned, shown_name, typed_name
from ddz.record import parse_action, parse_record
from ddz.records import FORMATS, format_named, recognise
from ddz.rules import parse_rules, preset
from ddz.services.table import Opening, Table
from ddz.state import Playing, State, evolve, fold
from ddz.words.said import letters_of, parse_reading

LONG = 10_000_000
SHORT = 60_000
PEOPLE_TEXT = "ann,bob,cat"

WORDS = [
    *("0 bid 1", "1 play 334455", "2 pass", "0 escape", "1 play 333444555666 as airplane 3", "play 3c3d", "rocket"),
    *("王炸", "10JQKA", "bid 3", "hint easy", "?", "p", "不出", "过", "TT JJ as pair_chain", "BR", "3c4dTsB", "0"),
    *(PEOPLE_TEXT, "bot:random,bot:simple,ann", "@last", "all", "table", "2", "120:" + "3f" * 32, "0:" + "0" * 64),
    *("abcdefghij23", "command/0", "安 Ann", "👩‍👩‍👧", "clas\u200dsic", "classic", "exec:true", "hard", "expert@0.5"),
    *('name = "x"\nlike = "pagat"\nbomb = 3\n[kickers]\nmost_equal = 2\n', 'format = "ddz-record/1"', "CREATE TABLE x"),
    *("CREATE TRIGGER t BEFORE INSERT ON events BEGIN SELECT RAISE(IGNORE); END -- 'x'", "en", "zh_CN.UTF-8"),
]
SIGNS = [
    *("", " ", "\n", "\r", "\t", "\0", "\x1b[31m", "\x9b", "\u202e", "\u2028", "\ufeff", "\ud800", "\U0010ffff", "é"),
    *("e\u0301", "中", "🂡", "\u200d", "\u200c", "/", "..", "-", "--", "'", '"', "[", "`", "{", "}", ":", ",", "=", "@"),
    *(
        "٣",
        "²",
        "Ⅷ",
        "1e9",
        "-1",
        "9" * 30,
        "0x10",
        "NaN",
        "null",
        "true",
        "[" * 50,
        "%s",
        "{0}",
        "\\u0000",
        "as",
        "bid",
    ),
]


def text(chance: random.Random) -> str:
    """A word that is spoilt, or several put together, or signs alone."""
    made = chance.choice(WORDS)
    for _ in range(chance.choice((0, 1, 1, 2, 3))):
        at, to = sorted((chance.randint(0, len(made)), chance.randint(0, len(made))))
        to = min(to, at + 3)
        put = chance.choice(SIGNS) if chance.random() < 0.7 else chance.choice(WORDS)[: chance.randint(0, 12)]
        made = made[:at] + put + made[to:]
    return made


def raw(chance: random.Random) -> bytes:
    """The same as bytes, which need be no UTF-8."""
    made = bytearray(text(chance).encode("utf-8", "surrogatepass"))
    if made and chance.random() < 0.3:
        made[chance.randrange(len(made))] = chance.randrange(256)
    return bytes(made)


def at_the_table() -> list[State]:
    """A game in its auction, before its first play and behind it."""
    people = (Player("ann", "human"), Player("bob", "human"), Player("cat", "human"))
    table = Table(MemoryLog(), lambda: "2024-05-06T07:08:09Z", random.Random(1).randbytes)
    game = table.open(Opening(players=people, seed=7, first_voice=0)).game
    states: list[State] = [table.load(game).state]
    for turn in (Bid(0, 3), None):
        states.append(table.act(game, turn or legal(states[-1])[0]).state)
    return states


STATES = at_the_table()
HAND = CardSet.parse("3c3d4h5sTcTdKhAsBR")


def stored_bodies() -> list[tuple[str, int, str]]:
    """What a log has stored, of several types."""
    _, before, _ = STATES
    assert isinstance(before, Playing)
    events = [before.opened, before.dealt, *decide(STATES[0], Bid(0, 3)), *decide(before, legal(before)[0])]
    return [codec.encode(event) for event in events]


BODIES = stored_bodies()


def body(chance: random.Random) -> tuple[str, int, str]:
    type, version, told = chance.choice(BODIES)
    at = chance.randrange(len(told))
    put = chance.choice(SIGNS) if chance.random() < 0.5 else chance.choice((*"0123456789", "null", '"', ",", "}"))
    return (
        chance.choice((type, type, "dealt")),
        chance.choice((version, version, 2, -1)),
        told[:at] + put + told[at + 1 :],
    )


def act(chance: random.Random) -> None:
    """An action in words, as far as it can be read, put to the law at some moment of a game."""
    action = parse_action(text(chance), 0, 0)
    state = chance.choice(STATES)
    refusal(state, command_of(action, state))


def decoded(chance: random.Random) -> None:
    """A spoilt body, and what becomes of a game that goes on with it."""
    event = codec.decode(*body(chance))
    evolve(chance.choice(STATES), event)
    fold((event,))


Parser = Callable[[random.Random], object]
PARSERS: dict[str, tuple[Parser, tuple[type[DdzError], ...]]] = {
    "cards": (lambda chance: CardSet.parse(text(chance)), (Unreadable,)),
    "cards of a hand": (lambda chance: resolve(text(chance), HAND), (Unreadable, Refused)),
    "names of cards": (lambda chance: split_cards(text(chance)), ()),
    "ranks": (lambda chance: parse_ranks(text(chance)), (Unreadable,)),
    "letters": (lambda chance: letters_of(text(chance)), ()),
    "a reading": (lambda chance: parse_reading(text(chance)), (Unreadable,)),
    "an action": (act, (Unreadable, Refused)),
    "a typed line": (lambda chance: parse_line(text(chance), 1, chance.choice(("auction", "play"))), (Unreadable,)),
    "a viewer": (lambda chance: viewer_named(text(chance)), (Unreadable,)),
    "a language": (lambda chance: words_for(text(chance)), (Unreadable,)),
    "players": (lambda chance: _players(text(chance)), (DdzError,)),
    "a bot": (lambda chance: make(text(chance).replace(":", ";")), (DdzError,)),  # a file is another parser's
    "a name": (lambda chance: check_name(text(chance)), (Unreadable,)),
    "a typed name": (lambda chance: typed_name(text(chance)), (Unreadable,)),
    "a name that is shown": (lambda chance: (cleaned(text(chance)), shown_name(text(chance))), ()),
    "the id of a command": (lambda chance: check_command_id(text(chance)), (Refused,)),
    "the id of a game": (lambda chance: check_game_id(text(chance)), (Refused,)),
    "the beginning of an id": (lambda chance: MemoryLog().resolve(text(chance)), (DdzError,)),
    "a head": (lambda chance: LogCheck(text(chance)), (Unreadable,)),
    "a preset": (lambda chance: preset(text(chance)), (Unreadable,)),
    "rules": (lambda chance: parse_rules(raw(chance)), (Unreadable,)),
    "a record": (lambda chance: parse_record(raw(chance)), (Unreadable,)),
    "a schema": (lambda chance: schema_check._tokens(text(chance)), ()),
    "a stored body": (decoded, (BrokenLog,)),
    "a format": (lambda chance: recognise(raw(chance)), ()),
    **{
        f"a record of {name}": (lambda chance, name=name: format_named(name).read(raw(chance)), (Unreadable,))
        for name in FORMATS
    },
}


CHUNK = 1000


def feed(name: str, seed: str, count: int) -> int:
    """Feed a parser; how often it refused."""
    parser, refusals = PARSERS[name]
    refused = 0
    for first in range(0, count, CHUNK):
        chance = random.Random(f"{seed} {name} {first}")  # so that what is found is near a beginning
        for _ in range(min(CHUNK, count - first)):
            try:
                parser(chance)
            except refusals as error:
                refused += bool(str(error))  # a refusal has a sentence
            except Exception as fault:
                fault.add_note(f'of Random("{seed} {name} {first}")')
                raise
    return refused


@pytest.mark.parametrize("name", PARSERS)
def test_a_parser(name: str) -> None:
    refused = feed(name, "short", SHORT // len(PARSERS))
    if PARSERS[name][1]:
        assert refused > 100, "much of it is no such thing"


@pytest.mark.long
def test_ten_million(capsys: pytest.CaptureFixture[str]) -> None:
    seed = os.environ.get("DDZ_FUZZ_SEED") or str(time.time_ns())
    each = LONG // len(PARSERS) + 1
    began = time.monotonic()
    refused = {name: feed(name, seed, each) for name in PARSERS}
    with capsys.disabled():
        total = each * len(PARSERS)
        print(f"\nseed {seed}: {total:,} inputs in {time.monotonic() - began:.0f} s, refused: {refused}")
