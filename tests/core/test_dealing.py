"""`ddz-deal-v1`, frozen: the test vectors of design.md 5, and a second reading of its text."""

import hashlib
import hmac
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ddz import dealing
from ddz.cards import DECK, FULL_DECK, CardSet, union

NONCE = bytes(range(32))
SEED = bytes(range(32, 64))
SEAT_SEEDS = ("", "ann's words", "")


def test_the_commitment_of_the_vector():
    expected = "96540e0ea985be9a98e47d41279894d02add81c478f0a4e4e681b25cd9e10c12"
    assert dealing.commitment(NONCE, SEED).hex() == expected


def test_deal_0_of_the_vector():
    deck = dealing.deal(NONCE, SEED, SEAT_SEEDS, 0)
    assert deck.hands[0] == CardSet.parse("B9d5s2sKsAd4h3d9c6hJhJdKh5h3hQdTs")
    assert deck.kitty == CardSet.parse("AsTcR")
    assert deck.voice == 1


def test_deal_1_of_the_vector():
    deck = dealing.deal(NONCE, SEED, SEAT_SEEDS, 1)
    assert deck.hands[0] == CardSet.parse("6d5c3d9hAcTdB4c9dTsJsJhQh8c9cAs3c")
    assert deck.kitty == CardSet.parse("JdJc5h")


def test_seed_7_of_round_1():
    nonce, seed = dealing.chosen_seeds(7, 1)
    assert nonce.hex() == "ebd9618ccc57171261e88e14682908b74132357831f9a629aeab893da0836187"
    deck = dealing.deal(nonce, seed, ("", "", ""), 0)
    assert deck.hands[0] == CardSet.parse("B9dQd5dJh4d4sAh7d6hKcRQh5h8s7hTs")
    assert deck.kitty == CardSet.parse("8d8c6c")
    assert deck.voice == 1


def by_the_text(nonce, seed, seat_seeds, number):
    """Design.md 5 once more, read word by word: the deck's names in order, and the first voice."""

    def lp(*parts):
        return b"".join(struct.pack(">I", len(part)) + part for part in parts)

    version = b"ddz-deal-v1"
    commit = hashlib.sha256(lp(version, b"commit", nonce, seed)).digest()
    seats = [text.encode() for text in seat_seeds]
    message = lp(version, b"deal", nonce, commit, *seats, struct.pack(">I", number))
    key = hmac.new(seed, message, hashlib.sha256).digest()

    def words():
        block = 0
        while True:
            yield from struct.unpack(">8I", hmac.new(key, struct.pack(">Q", block), hashlib.sha256).digest())
            block += 1

    stream = words()

    def uniform(n):
        word = next(stream)
        while word >= 2**32 - 2**32 % n:
            word = next(stream)
        return word % n

    deck = [rank + suit for rank in "3456789TJQKA2" for suit in "cdhs"] + ["B", "R"]
    for i in range(53, 0, -1):
        j = uniform(i + 1)
        deck[i], deck[j] = deck[j], deck[i]
    return deck, uniform(3)


seeds = st.binary(min_size=32, max_size=32)


@given(seeds, seeds, st.tuples(st.text(), st.text(), st.text()), st.integers(0, 2**32 - 1))
def test_every_deal_is_what_the_text_says(nonce, seed, seat_seeds, number):
    deck = dealing.deal(nonce, seed, seat_seeds, number)
    names, voice = by_the_text(nonce, seed, seat_seeds, number)
    dealt = [{DECK[card] for card in cards} for cards in (*deck.hands, deck.kitty)]
    assert dealt == [set(names[:17]), set(names[17:34]), set(names[34:51]), set(names[51:])]
    assert deck.voice == voice


@given(seeds, seeds, st.integers(0, 100))
def test_every_card_is_dealt_exactly_once(nonce, seed, number):
    deck = dealing.deal(nonce, seed, ("", "", ""), number)
    assert [len(hand) for hand in deck.hands] == [17, 17, 17]
    assert len(deck.kitty) == 3
    assert union((*deck.hands, deck.kitty)) == FULL_DECK


def test_words_that_would_favour_some_cards_are_refused(monkeypatch):
    # 2^32 mod 54 = 22: the words from 2^32 - 22 on are refused.
    raw = [2**32 - 1, 2**32 - 22, 2**32 - 23, 5, 0, 0, 0, 0]
    monkeypatch.setattr(dealing.hmac, "digest", lambda *_: struct.pack(">8I", *raw))
    words = dealing._words(b"")
    assert [dealing._uniform(words, 54), dealing._uniform(words, 54)] == [53, 5]


@pytest.mark.parametrize(
    "change",
    [
        {"nonce": bytes(32)},
        {"server_seed": bytes(32)},
        {"seat_seeds": ("", "ann's word", "s")},  # the lengths stand before the parts, so these are other parts
        {"seat_seeds": ("ann's words", "", "")},
        {"number": 1},
    ],
)
def test_everything_that_goes_in_matters(change):
    given_seeds = {"nonce": NONCE, "server_seed": SEED, "seat_seeds": SEAT_SEEDS, "number": 0}
    assert dealing.deal(**(given_seeds | change)) != dealing.deal(**given_seeds)


def test_chosen_seeds_differ_by_number_and_round():
    found = {dealing.chosen_seeds(number, match_round) for number in (1, 11, 111) for match_round in (1, 11, 111)}
    assert len(found) == 9
    assert all(len(nonce) == len(seed) == 32 and nonce != seed for nonce, seed in found)
