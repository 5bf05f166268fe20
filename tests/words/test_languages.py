"""A language is one module and one line: a toy one retells a whole game, and says in English what it lacks."""

import random
import re
import sys
from pathlib import Path

import pytest
from ddz.cli.app import COMMANDS, LOG_COMMANDS

from ddz.actions import Action
from ddz.cards import parse_ranks
from ddz.errors import Refused, Unreadable
from ddz.log.memory import MemoryLog
from ddz.services import loop
from ddz.services.audit import audit_game
from ddz.services.opening import Opening
from ddz.services.replay import replay
from ddz.services.sight import TABLE
from ddz.services.table import Table
from ddz.words.base import Words, like
from ddz.words.english import WORDS as ENGLISH
from ddz.words.errors import refusal, sentence
from ddz.words.languages import LANGUAGES, first_of, known, language
from ddz.words.retelling import ending_lines, replay_lines

from .catalogue import sentences

TOY = '''
"""Toki: a language that says little."""

from ddz.melds import Kind
from ddz.words.base import like
from ddz.words.english import WORDS as ENGLISH

WORDS = like(
    ENGLISH,
    language="toki",
    passes="weka",
    bids="nanpa {points}",
    becomes_landlord="lawa {base}",
    melds={Kind.SOLO: "wan {rank}", Kind.PAIR: "tu {rank}"},
    winner={"landlord": "lawa li anpa ala"},
    refusals={"pass/must-lead": "o pana"},
    errors={"cards/no-rank": "{sign} li lipu ala"},
)
'''


@pytest.fixture
def toki(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Words:
    """The toy language, made and registered as a stranger would."""
    (tmp_path / "toki.py").write_text(TOY, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(LANGUAGES, "toki", "toki")
    yield language("toki")
    sys.modules.pop("toki")


def retold(words: Words) -> list[str]:
    """A whole game of bots by a fixed seed, in these words."""
    draws = random.Random(1)
    table = Table(MemoryLog(), lambda: "2024-05-06T07:08:09.000Z", draws.randbytes)
    _, seated = loop.seat_bots(("random",), ())
    game = table.open(Opening(players=loop.players_of(seated), seed=4)).game
    loop.finish(table, game, seated)
    told = replay(table.log, game)
    return [*replay_lines(told, told.steps, TABLE, words), *ending_lines(told, audit_game(table.log, game), words)]


def test_a_toy_language_retells_a_whole_game(toki: Words) -> None:
    english, toy = retold(ENGLISH), retold(toki)
    said = {
        r"pass$": "weka",
        r"solo (\w+)(?= )": r"wan \1",
        r"pair of (\w+)(?= )": r"tu \1",
        r"bid (\d)": r"nanpa \1",
        r"landlord at base (\d), takes the kitty": r"lawa \1",
        r"the landlord wins": "lawa li anpa ala",
    }
    changed = set()
    for line, other in zip(english, toy, strict=True):
        expected = line
        for pattern, toki_word in said.items():
            expected, times = re.subn(pattern, toki_word, expected)
            changed |= {pattern} if times else set()
        assert re.sub(" +", " ", other) == re.sub(" +", " ", expected)
    assert changed >= set(said), "the game has all of this in it"


def test_a_toy_language_refuses(toki: Words) -> None:
    """By the law of a real table, whose error knows no language; what toki does not say is English."""
    table = Table(MemoryLog(), lambda: "2024-05-06T07:08:09.000Z", random.Random(1).randbytes)
    _, seated = loop.seat_bots(("random",), ())
    game = table.open(Opening(players=loop.players_of(seated), seed=4, first_voice=0)).game

    def refused(action: Action) -> str:
        with pytest.raises(Refused) as found:
            table.act(game, action)
        return refusal(found.value, toki)

    assert refused(Action(1, "pass")) == "it is seat 0's turn, not seat 1's"
    table.act(game, Action(0, "bid", points=3))
    assert refused(Action(0, "pass")) == "o pana"
    with pytest.raises(Unreadable) as unreadable:
        parse_ranks("X")
    assert sentence(Unreadable.at("here", unreadable.value), toki) == "here: X li lipu ala"


def test_what_a_language_lacks_is_said_in_english(toki: Words) -> None:
    own, english = sentences(toki), sentences(ENGLISH)
    assert own.keys() == english.keys()
    differing = {path for path in own if own[path] != english[path]}
    assert differing == {
        *("language", "passes", "bids", "becomes_landlord", "melds/solo", "melds/pair"),
        *("winner/landlord", "refusals/pass/must-lead"),
    }


def test_a_sentence_that_there_is_not_is_noticed() -> None:
    with pytest.raises(TypeError):
        like(ENGLISH, pases="weka")


def test_the_name_of_a_language(toki: Words) -> None:
    assert {known(name) for name in ("toki", "toki_XX.UTF-8", "TOKI-x")} == {toki.language}
    assert known("tok") is None
    assert first_of((None, "", "toki", "zh")) == "toki"
    assert first_of((None, "xx", "toki")) == "en", "the first that is said counts, even if there is no such language"


@pytest.mark.parametrize("name", LANGUAGES)
def test_no_sentence_knows_the_command_line(name: str) -> None:
    """A page or a program says the same sentences, so none names an option or a command: that is a front door's."""
    commands = "|".join([*COMMANDS, *LOG_COMMANDS])
    for path, said in sentences(language(name)).items():
        assert not re.search(rf"(?<!\w)--?[a-z]|ddz ({commands})\b", said), path
