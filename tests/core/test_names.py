"""One rule for the names that people give: what is one, what is none, and how whatever an old log holds is shown."""

import sys
import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ddz.commands import check_names
from ddz.errors import Unreadable
from ddz.frozen.shapes import Player
from ddz.names import WIDEST, check_name, cleaned, shown_name, typed_name
from ddz.rules import CLASSIC, check_stored_name, parse_rules, typed_rules
from ddz.signs import JOINERS, width

GOOD = [
    "a",
    "O'Brien, Jr.",
    "a  b",
    "x" * 40,
    "张三",
    "张" * 20,
    "Łódź-42",
    "אבג",
    "می\u200cخواهم",
    "രാജന്\u200d",
    "ශ්\u200dරී",
    "क्\u200dष",
    "葛\U000e0100",
    "1\ufe0f\u20e3",
    "\U0001f469\u200d\U0001f4bb",
    "\U0001f468\U0001f3fd\u200d\U0001f9b0",
    "\U0001f3f3\ufe0f\u200d\U0001f308",
    "\u2764\ufe0f\u200d\U0001f525",
    "\U0001f642\u200d\u2194\ufe0f",
    "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466",
    "\U0001f600" * 20,
]


@pytest.mark.parametrize("name", GOOD)
def test_a_name(name):
    assert typed_name(name) == name
    check_name(name)
    assert shown_name(name) == name


WRONG = [
    ("", "a name is empty: a name has 1 to 40 columns"),
    ("x" * 41, "has 1 to 40 columns, and this has 41"),
    ("张" * 21, "has 1 to 40 columns, and this has 42"),
    (" ann", "begins and ends with no blank"),
    ("ann ", "begins and ends with no blank"),
    ("a\nb", r"sign 1 is U\+000A, and a name has no control, direction or invisible signs"),
    ("a\x1b[2J", r"sign 1 is U\+001B"),
    ("a\x9b2J", r"sign 1 is U\+009B"),
    ("a\u202eb", r"sign 1 is U\+202E \(right-to-left override\)"),
    ("a\u2067b", r"U\+2067 \(right-to-left isolate\)"),
    ("a\u061cb", r"U\+061C"),
    ("a\u00adb", r"U\+00AD \(soft hyphen\)"),
    ("a\u200bb", r"U\+200B"),
    ("a\u00a0b", r"U\+00A0"),
    ("\u3164", r"U\+3164 \(hangul filler\)"),
    ("\ud800", r"U\+D800"),
    ("\ue000", r"U\+E000"),
    ("\u0378", r"U\+0378"),
    ("\U0001f3f4\U000e0067\U000e007f", r"U\+E0067"),
    ("a\u200db", "a joiner stands in a cursive script, after a virama or between emoji"),
    ("a\u200cb", "a joiner"),
    ("\u200d", "a joiner"),
    ("\U0001f469\u200d", "a joiner"),
    ("\U0001f469\u200d\u200d\U0001f4bb", "a joiner"),
    ("\U0001f469\u200c\U0001f4bb", "a joiner"),
    ("अ\u200dब", "a joiner"),
    ("\u0301a", "a mark stands on another sign"),
    ("q\u0301\u0301\u0301\u0301\u0301", "at most 4 marks stand in a row"),
    ("क" + "\u094d\u200d" * 3, "at most 4 marks stand in a row"),
    ("葛\U000e0100\U000e0101", "a sign has one variation selector"),
]


@pytest.mark.parametrize(("text", "why"), WRONG)
def test_what_is_no_name_is_said_with_its_place(text, why):
    for check in (typed_name, check_name):
        with pytest.raises(Unreadable, match=why) as caught:
            check(text)
        assert all(char.isprintable() or char in JOINERS for char in str(caught.value))


def test_what_is_typed_is_composed_and_what_is_taken_over_must_be():
    assert typed_name("e\u0301ric") == "éric"
    with pytest.raises(Unreadable, match=r"composed form \(NFC\)"):
        check_name("e\u0301ric")


@pytest.mark.parametrize("text", ["x" * 1_000_000, "a" + "\u0301\u0316" * 300_000, "\u200d" * 1_000_000])
def test_a_long_text_takes_no_time(text):
    began = time.monotonic()
    with pytest.raises(Unreadable, match="1 to 40 columns, and this has"):
        typed_name(text)
    assert width(shown_name(text)) <= WIDEST
    assert time.monotonic() - began < 0.5


def test_no_sign_of_unicode_rules_a_terminal_from_a_name():
    """Signs alone among letters: each is in a name only if a terminal prints it, and then is shown.

    They are all signs of Unicode but of the letters of other scripts, and of what is nobody's, each hundredth.
    """
    dull = ("Lo", "Cn", "Co", "Cs")
    numbers = [
        number
        for number in range(sys.maxunicode + 1)
        if number % 100 == 0 or unicodedata.category(chr(number)) not in dull
    ]
    assert len(numbers) > 20_000
    for number in numbers:
        text = f"a{chr(number)}b"
        shown = shown_name(text)
        assert shown.isprintable(), hex(number)
        try:
            check_name(text)
        except Unreadable:
            continue
        assert shown == text, hex(number)
        assert unicodedata.category(chr(number))[0] in "LMNPS" or number == 0x20, hex(number)


@given(st.text(st.characters(exclude_categories=[]) | st.sampled_from([*JOINERS, "\u0301", "\u094d", "\U0001f469"])))
def test_whatever_is_shown_is_printable_and_fits(text):
    shown = shown_name(text)
    assert 1 <= width(shown) <= WIDEST
    assert all(char.isprintable() or char in JOINERS for char in shown)
    assert cleaned(shown) == shown
    try:
        name = typed_name(text)
    except Unreadable:
        return
    assert typed_name(name) == name == shown_name(name)


def test_a_name_that_is_too_wide_is_cut_with_an_ellipsis():
    assert shown_name("x" * 41) == "x" * 39 + "…"
    assert shown_name("张" * 21) == "张" * 19 + "…"
    assert shown_name("a\x1b[2J\u202e") == "a?[2J?"
    assert shown_name("") == "?"
    assert shown_name("क्\u200dकख", 2) == "क्…"
    assert shown_name("\U0001f469\u200d\U0001f4bb" * 2, 3) == "\U0001f469\u200d\U0001f4bb…"


def test_rules_have_such_a_name_and_old_ones_in_a_log_their_own():
    assert parse_rules("name = 'e\u0301'".encode()).name == "é"
    with pytest.raises(Unreadable, match=r"the name of the rules is .* 1 to 40 columns, and this has 80"):
        parse_rules(f"name = '{'张' * 40}'".encode())
    old = type(CLASSIC)(name="张" * 40)
    with pytest.raises(Unreadable, match="and this has 80"):
        typed_rules(old)
    check_stored_name(old)


def test_what_is_taken_over_names_its_seat():
    good = Player("ann", "human")
    check_names((good, good, good), CLASSIC)
    with pytest.raises(Unreadable, match=r"the name of seat 2 is 'a\?': sign 1 is"):
        check_names((good, good, Player("a\u202e", "human")), CLASSIC)
    with pytest.raises(Unreadable, match="the name of the rules is"):
        check_names((good, good, good), type(CLASSIC)(name="x" * 41))
