"""What a stranger's text may cost: every honest one is read, every other refused at once and with a sentence."""

import time
import tomllib

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ddz import limits
from ddz.dealing import chosen_seeds
from ddz.errors import Unreadable
from ddz.record import parse_record
from ddz.records import FORMATS, format_named
from ddz.rules import parse_rules

N = 120_000
DEEP_TOML = {
    "dotted key": "a" + ".a" * (N // 2) + " = 1",
    "dotted keys": "".join(f"a.b{number}.c = 1\n" for number in range(N // 16)),
    "quoted key": '"a"' + '."a"' * (N // 4) + " = 1",
    "blanks about dots": "a" + " . a" * (N // 4) + " = 1",
    "header": "[" + "a." * (N // 2) + "a]",
    "headers": "".join(f"[a.b{number}]\n" for number in range(N // 10)),
    "tables of lists": "".join(f"[[a]]\n[a.b{number}]\n" for number in range(N // 16)),
    "in a list": "a = [" + "{b.c = 1}," * (N // 10) + "]",
    "lists": "a = " + "[" * (N // 2) + "]" * (N // 2),
    "inline tables": "a = " + "{a = " * (N // 6) + "1" + "}" * (N // 6),
    "behind a text of four quotes": 'a = """x""""\nb' + ".b" * (N // 2) + " = 1",
    "behind a text of five quotes": "a = '''x'''''\nb" + ".b" * (N // 2) + " = 1",
    "behind an escape": 'a = "\\""\nb' + ".b" * (N // 2) + " = 1",
    "behind a remark": "# it's\nb" + ".b" * (N // 2) + " = 1",
    "behind a text without end": 'b = "\nb' + ".b" * (N // 2) + " = 1",
    "many quotes": '"""\\' * (N // 4),
    "long number": "a = " + "9" * N,
    "long hexadecimal number": "a = 0x" + "f" * N,
    "long fraction": "a = 1." + "3" * N,
    "keys": "".join(f"a{number} = 1\n" for number in range(N // 12)),
    "list of tables": "[[a]]\n" * (N // 6),
    "escapes": 'a = "' + "\\u0041" * (N // 6) + '"',
    "remarks": "#\n" * (N // 2),
    "blanks": " " * N,
    "nothing but brackets": "[" * N,
    "too long": "#" * 20_000_000,
}
BEGINS = 'format = "ddz-record/1"\n'


@pytest.mark.parametrize("text", DEEP_TOML.values(), ids=DEEP_TOML)
@pytest.mark.parametrize("read", [parse_record, parse_rules], ids=["record", "rules"])
def test_a_hostile_toml_file_is_refused_at_once(read, text) -> None:
    began = time.monotonic()
    with pytest.raises(Unreadable) as caught:
        read((BEGINS + text).encode())
    assert 0 < len(str(caught.value)) < 400
    assert time.monotonic() - began < 2


HOSTILE_JSON = {
    "lists": b"[" * 1_000_000,
    "tables": b'{"log":' * 150_000,
    "number": b'{"log": ' + b"9" * 1_000_000 + b"}",
    "empty entries": b"[" + b"{}," * 340_000 + b"{}]",
    "long text": b'{"_id": "' + b"\\u0041" * 170_000 + b'", "log": []}',
    "too long": b" " * 20_000_000,
    "deep name": b'{"log": [], "_id": ' + b"[" * 500_000,
    "numbers": b"[" + b"1," * 500_000 + b"1]",
    "lines": b"1\n" * 500_000,
    "sections": b"[Meta]\n[Game]\n[State]\n" * 40_000,
}


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("raw", HOSTILE_JSON.values(), ids=HOSTILE_JSON)
def test_a_hostile_foreign_record_is_refused_at_once(form: str, raw: bytes) -> None:
    began = time.monotonic()
    format_named(form).looks_like(raw)
    with pytest.raises(Unreadable) as caught:
        format_named(form).read(raw)
    assert 0 < len(str(caught.value)) < 400
    assert time.monotonic() - began < 2


def test_a_record_of_a_hundred_redeals_is_far_below_the_limit() -> None:
    from ddz.commands import Deal, PassBid, Seeds
    from ddz.decide import decide
    from ddz.frozen.shapes import Player
    from ddz.record import record_of, record_text
    from ddz.rules import CLASSIC
    from ddz.services.table import Opening, open_command
    from ddz.state import START, Void, fold, turn_of

    nonce, seed = chosen_seeds(1, 1)
    players = Player("x" * 40, "human"), Player("y" * 40, "human"), Player("z" * 40, "human")
    command = open_command("g", Opening(players=players, rules=CLASSIC), Seeds(nonce.hex(), seed.hex()))
    events = list(decide(START, command))
    for _ in range(100):
        events += decide(fold(events), Deal())
        while not isinstance(state := fold(events), Void):
            events += decide(state, PassBid(turn_of(state) or 0))
    raw = record_text(record_of(events)).encode()
    assert len(parse_record(raw).deals) == 100
    assert 2 * len(raw) < limits.RECORD


def test_honest_dots_and_brackets_are_counted_only_outside_of_texts() -> None:
    text = 'name = "ours"  # ' + "." * 500 + "[" * 500 + "\n[kickers]\nmost_equal = 2\n"
    assert parse_rules(text.encode()).kickers.most_equal == 2
    with pytest.raises(Unreadable, match="1 to 40 columns, and this has 200"):
        parse_rules(f'name = "{"." * 100}{"[" * 100}"'.encode())
    assert limits.toml_table('a = """..""\\"...' + "." * 200 + '"""', limits.RULES, "text")


_INSIDE = st.lists(st.sampled_from([*"a.#\\\"' ={[]}", "..", '\\"', "''"]), max_size=8).map("".join)
_FORMS = ('"{}"', "'{}'", '"""{}"""', "'''{}'''", '"""\n{}\n"""', "['{}', \"\"] # ..[\"'", "'' # {}")
"""Texts of TOML as somebody might write them, with dots, quotes and brackets inside."""


@given(st.lists(st.tuples(st.integers(0, 3), st.sampled_from(_FORMS), _INSIDE), max_size=6))
@example([(0, '"""{}"""""', "x"), (3, "'{}'", "")])
@example([(0, "'''{}'''''", "x"), (3, "'{}'", "")])
def test_the_dots_of_the_keys_are_counted_and_no_others(lines: list[tuple[int, str, str]]) -> None:
    text = "".join(
        f"k{number}{'.b' * dots} = {form.replace('{}', inside)}\n" for number, (dots, form, inside) in enumerate(lines)
    )
    try:
        table = tomllib.loads(text)
    except ValueError:
        return
    keys = [dots for number, (dots, *_) in enumerate(lines) if f"k{number}" in table]  # a text may hold other lines
    assert sum(part.count(".") for part in limits._outside(text)) == sum(keys)
