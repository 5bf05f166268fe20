"""The catalogue: two languages that say the same things with the same blanks, and nothing that is left unsaid."""

import re
import string
from pathlib import Path
from typing import get_args

import pytest
from ddz.cli import languages as front_door
from ddz.cli.languages import words_for

import ddz
from ddz.errors import Unreadable
from ddz.frozen.shapes import CauseName, ForkReason, Winner
from ddz.melds import KINDS
from ddz.services.audit import CHECKS, Verdict
from ddz.view import Phase
from ddz.words.base import Words
from ddz.words.chinese import WORDS as CHINESE
from ddz.words.english import WORDS as ENGLISH
from ddz.words.languages import LANGUAGES, language

from .catalogue import blanks, sentences


def test_both_languages_say_the_same_things() -> None:
    english, chinese = sentences(ENGLISH), sentences(CHINESE)
    assert english.keys() == chinese.keys()
    for path, sentence in english.items():
        assert sentence.strip(), path
        assert chinese[path].strip(), path
        assert blanks(chinese[path]) == blanks(sentence), path


def test_chinese_is_chinese() -> None:
    plain = {"language", "hand_hidden", "move", "does", "line", "part", "finding", "imported"}
    for path, sentence in sentences(CHINESE).items():
        if path in plain or path.startswith("ranks/"):
            continue
        assert re.search("[\u4e00-\u9fff]", sentence), path
        assert not re.search("[\u4e00-\u9fff][,:;!]", sentence), f"{path}: a half-width sign behind a word"


def test_english_is_ascii_but_for_a_few_signs() -> None:
    for path, sentence in sentences(ENGLISH).items():
        assert set(sentence) - set("×") <= set(string.printable), path


@pytest.mark.parametrize("words", [language(name) for name in LANGUAGES], ids=LANGUAGES)
def test_everything_that_can_be_said_has_a_word(words: Words) -> None:
    assert set(words.melds) == set(words.kinds) == set(KINDS)
    assert set(words.ranks) == set("3456789TJQKA2BR")
    assert set(words.winner) == set(get_args(Winner))
    assert set(words.score_cause) == set(get_args(CauseName))
    assert tuple(words.checks) == CHECKS
    assert set(words.verdicts) == set(get_args(Verdict))
    assert set(words.phases) == {*get_args(Phase), "broken"}
    assert set(words.reasons) == set(get_args(ForkReason))
    for kind in KINDS:
        assert kind.value in words.kinds[kind], "what `as` takes"


MEETABLE = {
    "turn/not-yours": {"turn", "seat"},
    "phase/wrong": {"what", "now"},
    "bid/too-low": {"points", "best", "seat"},
    "bid/no-such-bid": {"points"},
    "play/not-held": {"rank", "wanted", "held"},
    "play/none-held": {"rank"},
    "play/not-a-meld": {"cards"},
    "play/no-such-reading": {"cards", "reading"},
    "play/ambiguous": {"cards", "choices"},
    "play/does-not-beat": {"cards", "top"},
    "pass/must-lead": set(),
    "game/over": set(),
    "log/stale": {"game", "expected", "actual"},
}
"""The refusals that a player can meet in play, and the facts that each comes with."""


@pytest.mark.parametrize("words", [language(name) for name in LANGUAGES], ids=LANGUAGES)
def test_every_refusal_of_play_is_said(words: Words) -> None:
    assert set(words.refusals) == set(MEETABLE)
    for code, facts in MEETABLE.items():
        assert blanks(words.refusals[code]) <= facts, code


@pytest.mark.parametrize(
    ("asked", "surroundings", "language"),
    [
        (None, {}, "en"),
        ("zh", {}, "zh"),
        ("zh_CN", {"DDZ_LANG": "en"}, "zh"),
        ("EN", {"DDZ_LANG": "zh"}, "en"),
        (None, {"DDZ_LANG": "zh"}, "zh"),
        (None, {"DDZ_LANG": "", "LANG": "zh_CN.UTF-8"}, "zh"),
        (None, {"LANG": "zh_CN.UTF-8", "LC_ALL": "C"}, "en"),
        (None, {"LC_MESSAGES": "zh_TW.UTF-8", "LANG": "en_US.UTF-8"}, "zh"),
        (None, {"DDZ_LANG": "fr", "LANG": "zh_CN.UTF-8"}, "en"),
    ],
)
def test_the_language_that_is_meant(
    asked: str | None, surroundings: dict[str, str], language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("DDZ_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in surroundings.items():
        monkeypatch.setenv(name, value)
    assert words_for(asked).language == language


@pytest.mark.parametrize("asked", ["xx", "", "chinese"])
def test_a_language_that_there_is_not(asked: str) -> None:
    with pytest.raises(Unreadable, match="--lang takes one of en, zh"):
        words_for(asked)


def test_every_field_of_a_language_is_read() -> None:
    """A sentence that nothing says is translated for nothing. Whatever is no catalogue may read it."""
    tops = {Path(ddz.__path__[0]), Path(front_door.__file__).parent}
    readers = [path for top in tops for path in top.rglob("*.py")]
    read = {name for path in readers for name in re.findall(r"\.(\w+)\b", path.read_text(encoding="utf-8"))}
    assert {*Words.__struct_fields__} - read == {"language"}, "the name of a language is for those who ask"
