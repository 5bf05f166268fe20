"""Every error is a code, a template and facts, and Chinese tells all of them; no template knows the command line."""

import copy
import errno
import pickle
import re
from collections import defaultdict

import pytest
from ddz.cli.errors_zh import ERRORS as COMMAND_LINE

from ddz import places
from ddz.errors import (
    BrokenLog,
    DdzError,
    NotInstalled,
    Phrase,
    Refused,
    StaleLog,
    Unreadable,
    UnsupportedVersion,
    of_system,
)
from ddz.words.chinese import WORDS as CHINESE
from ddz.words.english import WORDS as ENGLISH
from ddz.words.errors import blanks, refusal, sentence

from .errors_raised import made

ALL = list(made())
MADE = [each for each in ALL if not re.fullmatch("({[a-z]+}(: )?)+", each.template or "-")]
"""All but those that only hand on what others say: what the system says, and a finding or an error by another code."""
SAID = {**CHINESE.errors, **COMMAND_LINE}
"""What Chinese says; of the command line, that front door itself."""
CODE = re.compile("[a-z]+(-[a-z]+)*/[a-z0-9]+(-[a-z0-9]+)*")
FOR_PROGRAMS = {
    "play/not-held": {"wanted", "held"},
    "play/not-a-meld": {"cards"},
    "log/command-reused": {"command", "id"},
    "fork/no-turn-here": {"nearest"},
}
"""Facts that no sentence names; the `seq` of a broken log is one, too."""


def test_there_are_errors_to_look_at() -> None:
    assert len(MADE) > 150
    assert {each.file.split("/")[1] for each in MADE} >= {"cards.py", "refusals.py", "records", "guests", "bots"}
    assert [each.file for each in ALL if each.template == "{said}"] == ["ddz/errors.py"]


def test_code_and_template_are_literals_and_the_facts_fill_the_template() -> None:
    faults = [
        each
        for each in MADE
        if each.key is None
        or each.template is None
        or not CODE.fullmatch(each.key)
        or not (blanks(each.template) <= each.facts or each.more)
        or each.facts - blanks(each.template) - {"seq"} - FOR_PROGRAMS.get(each.key, set())
        or not all(name.isidentifier() for name in blanks(each.template))  # facts stand in a template by name only
        or re.search("{[^}]*[:!.[]", each.template)  # and as they are
    ]
    assert faults == []


def test_no_template_below_the_front_doors_knows_the_command_line() -> None:
    below = [each for each in MADE if not each.file.startswith("cli/")]
    assert [each for each in below if re.search("(^|[^-])--[a-z]|`ddz|leave .* away", each.template or "")] == []


def test_one_key_says_one_thing() -> None:
    """With the same blanks it says the same sentence, so that a language can tell by the blanks which one it is."""
    said = defaultdict(set)
    for each in MADE:
        said[each.key, blanks(each.template or "")].add(each.template)
    assert {key: templates for key, templates in said.items() if len(templates) > 1} == {}


def test_chinese_says_everything_with_the_same_facts() -> None:
    faults = []
    for each in MADE:
        said = SAID.get(str(each.key), "")
        if isinstance(said, tuple):
            fits = [blanks(template) for template in said].count(blanks(each.template or "")) == 1
        else:
            fits = bool(said) and (blanks(said) <= each.facts or each.more)
        if not fits:
            faults.append((each.place, each.key, each.template, said))
    assert faults == []


def test_chinese_says_nothing_that_is_never_raised() -> None:
    raised = defaultdict(set)
    for each in ALL:
        raised[each.key].add(blanks(each.template or ""))
    system = {f"system/{name}" for name in errno.errorcode.values()}
    assert SAID.keys() - raised.keys() <= system
    for key, said in SAID.items():
        for template in said if isinstance(said, tuple) else ():
            assert blanks(template) in raised[key], key


def test_chinese_errors_are_chinese() -> None:
    for key, said in SAID.items():
        for template in said if isinstance(said, tuple) else (said,):
            text = re.sub("{.*?}|：", "", template)
            assert not text or re.search("[\u4e00-\u9fff]", text), key
            assert not re.search("[\u4e00-\u9fff][,:;!]", template), f"{key}: a half-width sign behind a word"


HOSTILE = ("{0}", "{name!r:>{width}}", "%s", "\\", "\x1b[31m", "\u202e", "\ud800", "'\"", "}{", "斗地主")


@pytest.mark.parametrize("text", HOSTILE)
def test_a_strangers_text_comes_out_as_it_is(text: str) -> None:
    error = Unreadable("cards/unknown", "'{sign}' is no card", sign=text)
    assert str(error) == error.detail == f"'{text}' is no card"
    assert text in sentence(error, CHINESE)
    assert str(Unreadable.at(text, error)) == f"{text}: '{text}' is no card"


def inside(error: Phrase) -> list[object]:
    """All that an error says, and the errors within it."""
    facts = {name: inside(fact) if isinstance(fact, Phrase) else fact for name, fact in error.facts.items()}
    return [type(error), error.code, error.key, error.template, facts, error.detail]


INNER = Refused("play/not-held", "the hand does not hold the card {rank}", rank="R", wanted=1, held=0)
ERRORS = [
    INNER,
    DdzError("test/plain", "it is {number} or {fraction}", number=3, fraction=0.5),
    StaleLog("game", 3, 4),
    NotInstalled(Phrase("extra/rlcard", "the bot {name} is RLCard's", name="{x}"), "rlcard"),
    UnsupportedVersion("log/newer", "{path} was made by a newer ddz", path="\ud800", seq=4),
    Unreadable.at(places.deal(2), Unreadable.at("{file}", INNER)),
]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: error.code)
def test_errors_cross_processes_whole(error: DdzError) -> None:
    for again in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
        assert inside(again) == inside(error)
        assert str(again) == str(error)


def test_the_event_of_a_broken_log() -> None:
    assert BrokenLog("log/broken", "event {seq} is wrong", seq=3).seq == 3
    assert BrokenLog("log/broken", "all is wrong").seq is None
    assert BrokenLog.at(places.event("game", 7), BrokenLog("integrity/body", "it is wrong")).seq == 7


def test_an_error_that_tells_of_another_keeps_its_code_and_facts() -> None:
    error = Unreadable.telling(INNER, "test/told", "{path}: {why}. Nothing is lost", path="x")
    assert (error.code, error.key) == ("play/not-held", "test/told")
    assert str(error) == "x: the hand does not hold the card R. Nothing is lost"
    assert error.plain_facts == {"rank": "R", "wanted": 1, "held": 0, "path": "x", "why": str(INNER)}


def test_an_error_is_told_in_one_language_to_its_end() -> None:
    error = Unreadable.at(places.deal(2), INNER)
    assert sentence(error, ENGLISH) == str(error) == "deal 2: the hand does not hold the card R"
    assert sentence(error, CHINESE) == "第 2 副牌（从 0 数起）：手里没有 大王"
    lacking = Unreadable("test/unheard", "{what} is new", what=INNER)
    assert sentence(lacking, CHINESE) == "手里没有 大王 is new"


def test_what_the_system_says() -> None:
    try:
        open("/nosuch/file").close()  # noqa: PTH123
    except OSError as missing:
        said = of_system(missing)
    assert (said.code, str(said)) == ("system/ENOENT", "No such file or directory")
    assert sentence(said, CHINESE) == "没有这个文件或文件夹"
    assert str(of_system(OSError("odd"))) == "odd"


def test_at_the_table_a_refusal_speaks_to_the_player() -> None:
    held = Refused("play/not-held", "the hand holds {held} of rank {rank}, not {wanted}", rank="T", wanted=2, held=1)
    assert refusal(held, ENGLISH) == "you hold 1 of 10, not 2"
    assert refusal(held, CHINESE) == "你只有 1 张 10，没有 2 张"
    none = Refused("play/not-held", "the hand does not hold the card {rank}", rank="R", wanted=1, held=0)
    assert refusal(none, ENGLISH) == "you hold no red joker"
    assert refusal(none, CHINESE) == "你没有 大王"
    no_meld = Refused("play/not-a-meld", "{cards} is no meld", cards="34")
    assert refusal(no_meld, ENGLISH, "pair") == "34 cannot be read as pair"
