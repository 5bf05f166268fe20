"""The table of exceptions: what it lists is recognised and nothing else. Needs no peer."""

from pathlib import Path

import pytest

from ddz import kernel
from ddz.rules import PRESETS

from .exceptions import TABLE, MovesDiffer
from .installed import pins
from .lockstep import differences
from .positions import PASS, TurnToAct, packed

CHAIN_OF_FIVE = (kernel.CHAIN, 5, 0, packed("34567"))
ROCKET = (kernel.ROCKET, 2, kernel.BLACK_JOKER, packed("BR"))
FOUR_FOURS = (kernel.BOMB, 1, 1, packed("4444"))


def position(hand: str, top=None, preset: str = "openspiel") -> TurnToAct:
    return TurnToAct(packed(hand), top, PRESETS[preset].kickers.code, by_cards=preset != "openspiel")


def test_every_exception_has_its_own_name_and_a_reason():
    assert len({row.name for row in TABLE}) == len(TABLE)
    assert all(row.peer in PRESETS and len(row.reason) > 20 for row in TABLE)


def test_every_exception_is_shown_on_its_peer():
    sources = {row.peer: (Path(__file__).parent / f"test_{row.peer}.py").read_text() for row in TABLE}
    shown = {row.name for row in TABLE if f"def test_shows_{row.name.replace('-', '_')}(" in sources[row.peer]}
    assert shown == {row.name for row in TABLE}


def test_peers_are_pinned_exactly():
    assert pins().keys() == {"rlcard", "termcolor", "open_spiel", "numpy", "douzero"}
    assert {name: pins()[name] for name in ("rlcard", "open_spiel", "douzero")} == {
        "rlcard": "1.2.0",
        "open_spiel": "2.0.2",
        "douzero": "1.1.0",
    }


def test_equal_lists_need_no_exception():
    here = position("34567")
    assert differences("openspiel", here, here.answers(), list(here.answers())) == []


def test_a_listed_difference_is_named():
    here = position("33334567")
    theirs = [reading for reading in here.answers() if reading != CHAIN_OF_FIVE]
    assert differences("openspiel", here, here.answers(), theirs) == ["chains-from-four"]


@pytest.mark.parametrize("peer", ["rlcard", "douzero"])
def test_an_exception_of_one_peer_excuses_no_other(peer):
    here = position("33334567", preset=peer)
    ours = {here.move(reading) for reading in here.answers()}
    with pytest.raises(AssertionError, match=r"hand 33334567 on nothing: a lead: unlisted: missing there 34567"):
        differences(peer, here, ours, list(ours - {packed("34567")}))


def test_an_unlisted_difference_fails_and_says_where():
    here = position("3456788", FOUR_FOURS)
    with pytest.raises(AssertionError, match=r"hand 3456788 on 4444 \(bomb 4, 1 long\): unlisted: .* there 88 \(pair"):
        differences("openspiel", here, [PASS], [PASS, (kernel.PAIR, 1, 5, packed("88"))])


def test_a_listed_difference_that_does_not_show_fails():
    here = position("4444", ROCKET)
    assert differences("openspiel", here, [PASS], [PASS, FOUR_FOURS]) == ["bombs-on-the-rocket"]
    with pytest.raises(AssertionError, match="listed but not shown: 4444"):
        differences("openspiel", here, [PASS], [PASS])


def test_more_than_is_listed_fails():
    here = position("33334567")
    theirs = [reading for reading in here.answers() if reading[0] not in (kernel.CHAIN, kernel.BOMB)]
    with pytest.raises(AssertionError, match=r"unlisted: missing there 3333 \(bomb 3, 1 long\), only there none;"):
        differences("openspiel", here, here.answers(), theirs)


def test_a_repeat_is_excused_only_where_it_is_listed():
    here = position("3333445", preset="douzero")
    ours = [here.move(reading) for reading in here.answers()]
    unique = list(set(ours))
    assert differences("douzero", here, unique, [*unique, packed("333345")]) == ["listed-twice"]
    with pytest.raises(AssertionError, match="listed more than once: 44"):
        differences("douzero", here, unique, [*unique, packed("44")])
    with pytest.raises(AssertionError, match="listed more than once: 333345"):
        differences("rlcard", position("3333445", preset="rlcard"), unique, [*unique, packed("333345")])


@pytest.mark.parametrize("preset", ["openspiel", "douzero"])
def test_exceptions_say_nothing_of_ordinary_positions(preset):
    """No exception has a part where no rank is held four times and the top carries no three equal kickers."""
    hand = packed("334455667789TJQKA")
    tops = {
        reading[:2]: reading for reading in kernel.leads(packed("333444556789TJQKA2"), PRESETS[preset].kickers.code)
    }
    for top in (None, *tops.values()):
        here = TurnToAct(hand, top, PRESETS[preset].kickers.code, by_cards=preset != "openspiel")
        assert [row.name for row in TABLE if isinstance(row, MovesDiffer) and row.differing(here)] == []
