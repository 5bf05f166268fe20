"""Ids of games."""

import os

from ddz.log.ids import ALPHABET, LETTERS, new_id


def test_an_id_is_12_signs_and_begins_with_a_letter():
    for _ in range(2000):
        made = new_id(os.urandom)
        assert len(made) == 12
        assert made[0] in LETTERS
        assert set(made) <= set(ALPHABET)


def test_every_sign_comes_up_everywhere():
    made = [new_id(os.urandom) for _ in range(3000)]
    assert {name[0] for name in made} == set(LETTERS)
    for place in range(1, 12):
        assert {name[place] for name in made} == set(ALPHABET)


def test_it_follows_from_the_entropy_alone():
    assert new_id(lambda count: b"\x00" * count) == "a" * 12
    assert new_id(lambda count: bytes(range(count))) == new_id(lambda count: bytes(range(count)))


def test_ids_do_not_repeat():
    assert len({new_id(os.urandom) for _ in range(5000)}) == 5000
