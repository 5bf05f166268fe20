"""What is wrong with a command line has its Chinese: every error that the command line itself raises, and no other."""

import re

import pytest
from ddz.cli.errors_zh import ERRORS
from words.errors_raised import made

from ddz.words.chinese import WORDS as CHINESE
from ddz.words.errors import blanks

RAISED = [each for each in made() if each.file.startswith("cli/") and each.key is not None]
OWN = [each for each in RAISED if each.key not in CHINESE.errors]


def test_there_are_errors_to_look_at() -> None:
    assert {"cli/replay.py", "cli/play.py", "cli/simulate.py", "cli/walk.py"} <= {each.file for each in RAISED}
    assert len(OWN) > 30


@pytest.mark.parametrize("each", OWN, ids=lambda each: f"{each.key} at {each.place}")
def test_every_error_of_the_command_line_has_its_chinese(each) -> None:
    assert each.key in ERRORS, f"cli/errors_zh.py lacks {each.key}: {each.template}"
    said = ERRORS[each.key]
    assert blanks(said) == blanks(each.template)
    assert [option for option in re.findall(r"--[a-z-]+", each.template) if option not in said] == []


def test_every_chinese_error_is_raised() -> None:
    assert ERRORS.keys() - {each.key for each in OWN} == set()


def test_chinese_errors_are_chinese() -> None:
    for code, said in ERRORS.items():
        assert re.search("[\u4e00-\u9fff]", said) or code == "input/reading", code
        assert not re.search("[\u4e00-\u9fff][,:;!]", said), f"{code}: a half-width sign behind a word"


def test_no_error_is_raised_without_a_code() -> None:
    """A sentence alone can be told in no other language."""
    raw = [each for each in made() if each.file.startswith("cli/") and each.template is None and not each.more]
    assert raw == []
