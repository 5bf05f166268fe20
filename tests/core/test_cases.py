"""The arguable cases of `cases.toml`, asked of the modules that answer them."""

import tomllib
from pathlib import Path

import pytest

from ddz import moves
from ddz.cards import FULL_DECK, parse_ranks
from ddz.errors import Refused
from ddz.frozen.shapes import Kind
from ddz.melds import readings
from ddz.rules import CLASSIC

CASES = tomllib.loads((Path(__file__).parent / "cases.toml").read_text("utf-8"))


def cards_of(letters):
    return FULL_DECK.take(parse_ranks(letters))


def each(table):
    return pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in CASES[table]])


def test_no_case_is_lost():
    assert {table: len(cases) for table, cases in CASES.items()} == {"meld": 27, "beats": 15, "legal": 3}
    ids = [case["id"] for cases in CASES.values() for case in cases]
    assert len(ids) == len(set(ids))


@each("meld")
def test_what_the_cards_are(case):
    found = readings(cards_of(case["cards"]), CLASSIC.kickers)
    assert [f"{meld.kind} {meld.rank} {meld.length}" for meld in found] == case["readings"]


@each("beats")
def test_what_beats_what(case):
    kind = Kind(case["top_kind"]) if "top_kind" in case else None
    top = moves.read_play(cards_of(case["top"]), None, CLASSIC, kind)
    cards = cards_of(case["play"])
    if case["answer"]:
        assert moves.read_play(cards, top, CLASSIC).cards == cards
    else:
        with pytest.raises(Refused) as refused:
            moves.read_play(cards, top, CLASSIC)
        assert refused.value.code == "play/does-not-beat"


@each("legal")
def test_what_is_legal(case):
    hand = cards_of(case["hand"])
    if case["may_pass"]:
        top = moves.read_play(cards_of(case["top"]), None, CLASSIC)
        listed = moves.responses(hand, top, CLASSIC)
    else:
        listed = moves.leads(hand, CLASSIC)
    found = [meld.cards.ranks for meld in listed]
    assert found == case["listed"]
    assert not set(found) & set(case["not_listed"])
