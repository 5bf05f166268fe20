"""A house's own rules: the preset they are like, the knobs that differ, and nothing repaired."""

import msgspec
import pytest

from ddz.errors import Unreadable
from ddz.rules import CLASSIC, PRESETS, parse_rules


def test_what_is_not_said_is_as_in_the_preset_that_it_is_like():
    rules = parse_rules(b'name = "ours"\nlike = "pagat"\nbomb = 3\n[kickers]\nmost_equal = 2\n')
    pagat = PRESETS["pagat"]
    assert rules == msgspec.structs.replace(
        pagat, name="ours", bomb=3, kickers=msgspec.structs.replace(pagat.kickers, most_equal=2)
    )


def test_a_house_is_like_classic_if_it_does_not_say():
    assert parse_rules(b'name = "ours"') == msgspec.structs.replace(CLASSIC, name="ours")


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_may_be_called_by_its_own_name_only_unchanged(name):
    assert parse_rules(f'name = "{name}"\nlike = "{name}"'.encode()) == PRESETS[name]
    with pytest.raises(Unreadable, match=f"called {name} but differ"):
        parse_rules(f'name = "{name}"\nlike = "{name}"\nbomb = 7'.encode())


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("name = ", "not a TOML file"),
        ("like = 3", "like must name a preset"),
        ('like = "nosuch"', "no rules called 'nosuch'"),
        ("bomb = 3", "called classic but differ"),
        ('name = ""', "the name of the rules is empty: a name has 1 to 40 columns"),
        ('name = "\\u001b[2J"', r"sign 0 is U\+001B, and a name has no control"),
        (f'name = "{"x" * 41}"', "1 to 40 columns, and this has 41"),
        ('name = "x"\nbombs = 3', "unknown field `bombs`"),
        ('name = "x"\nbomb = 0', "bomb is 0, but must be 1 to 1000"),
        ('name = "x"\nbomb = "two"', r"Expected `int`, got `str` - at `\$.bomb`"),
        ('name = "x"\nkickers = 3', "kickers must be a table"),
        ('name = "x"\n[kickers]\nmost_equal = 5', "most_equal is 5, but a rank has 1 to 4"),
        ('name = "x"\nauction = "dutch"', "Invalid enum value 'dutch'"),
    ],
)
def test_what_is_no_house(text, sentence):
    with pytest.raises(Unreadable, match=sentence):
        parse_rules(text.encode())


def test_bytes_that_are_no_text():
    with pytest.raises(Unreadable, match="not UTF-8 text: byte 0"):
        parse_rules(b"\xff\xfe")
