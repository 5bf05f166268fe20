"""Signs that act on a terminal: which they are, how they are shown, and how files for programs write them."""

import json
import sys
import tomllib
import unicodedata

import msgspec
import pytest
import tomli_w
from hypothesis import given
from hypothesis import strategies as st

from ddz import signs

ACTING = {
    "escape": "\x1b",
    "CSI in one sign": "\x9b",
    "bell": "\a",
    "delete": "\x7f",
    "carriage return": "\r",
    "newline": "\n",
    "tab": "\t",
    "backspace": "\b",
    "NUL": "\0",
    "from right to left": "\u202e",
    "isolate": "\u2066",
    "end of isolate": "\u2069",
    "mark of direction": "\u200f",
    "line separator": "\u2028",
    "paragraph separator": "\u2029",
    "byte order mark": "\ufeff",
    "blank without width": "\u200b",
    "soft hyphen": "\xad",
    "tag": "\U000e0041",
    "private": "\ue000",
    "half a sign": "\udcff",
    "unassigned": "\U000effff",
}
STAYING = (
    "ann",
    "雷电三",
    "Zoë é",
    "على",
    "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
    "👩\u200d🚀",
    "❤\ufe0f",
    "👍🏽",
    "🇨🇳",
    "क\u094d\u200dष",
    "　",
)


@pytest.mark.parametrize("sign", ACTING.values(), ids=ACTING)
def test_a_sign_that_acts_is_replaced(sign: str) -> None:
    assert signs.acts(sign)
    assert not signs.harmless(f"a{sign}b")
    assert signs.shown(f"a{sign}b") == "a?b"


@pytest.mark.parametrize("text", STAYING)
def test_what_people_write_stays(text: str) -> None:
    assert signs.shown(text) == signs.in_json(text) == signs.in_toml(text) == text
    assert signs.harmless(text)


def test_every_sign_there_is_acts_by_its_category() -> None:
    acting = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
    every = "".join(map(chr, range(sys.maxunicode + 1)))
    shown = signs.shown(every)
    assert len(shown) == len(every)
    for char, instead in zip(every, shown, strict=True):
        acts = unicodedata.category(char) in acting and char not in "\u200c\u200d"
        if instead != ("?" if acts else char):
            pytest.fail(f"{char!a} is shown as {instead!a}")


texts = st.text(st.one_of(st.sampled_from("".join(ACTING.values()) + "".join(STAYING)), st.characters()), max_size=30)


@given(texts)
def test_json_is_read_as_the_same_value(text: str) -> None:
    raw = json.dumps({"text": text, text: [1.5, None]}, ensure_ascii=False)
    safe = signs.in_json(raw)
    assert json.loads(safe) == json.loads(raw)
    assert signs.harmless(safe)
    if not any(unicodedata.category(char) == "Cs" for char in text):
        assert msgspec.json.decode(safe) == json.loads(raw)


@given(texts.filter(lambda text: not any(unicodedata.category(char) == "Cs" for char in text)))
def test_toml_is_read_as_the_same_value(text: str) -> None:
    value = {"text": text, "more": {text or "key": [text, "b"]}}
    safe = signs.in_toml(tomli_w.dumps(value))
    assert tomllib.loads(safe) == value
    assert all(map(signs.harmless, safe.split("\n")))


@given(texts)
def test_a_width_is_that_of_what_is_shown(text: str) -> None:
    assert signs.width(text) == signs.width(signs.shown(text))


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("", 0),
        ("ann", 3),
        ("a\x1b[31m", 6),
        ("a\nb", 3),
        ("雷电", 4),
        ("e\u0301", 1),
        ("👩\u200d🚀", 2),
        ("👩\u200d👩\u200d👧x", 3),
        ("❤\ufe0f", 2),
        ("👍🏽", 2),
        ("🇨🇳", 2),
        ("क\u094d\u200dष", 2),
        ("\u202e雷", 3),
    ],
)
def test_columns_of_a_text(text: str, columns: int) -> None:
    assert signs.width(text) == columns
