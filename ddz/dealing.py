"""`ddz-deal-v1`: from seeds to dealt cards, and the commitment that proves that the deal was not picked.

Frozen with its first release (design of the log): a changed byte here breaks the fairness audit of every
log ever written. A new way of dealing is a new version beside this one.
"""

import functools
import hashlib
import hmac
import itertools
import struct
from collections.abc import Iterator
from typing import Final

import msgspec

from ddz.cards import CardSet

VERSION: Final = "ddz-deal-v1"
WORD: Final = 1 << 32
_BLOCK: Final = struct.Struct(">8I")


class Deck(msgspec.Struct, frozen=True):
    """One distribution of the cards."""

    hands: tuple[CardSet, CardSet, CardSet]
    """17 cards for each seat."""
    kitty: CardSet
    """The 3 cards left over."""
    voice: int
    """The seat (0 to 2) that speaks first where the system chooses it."""


def _lp(*parts: str | bytes | int) -> bytes:
    """Each part after its length as 4 bytes, big-endian; numbers in decimal."""
    joined = b""
    for part in parts:
        raw = part if isinstance(part, bytes) else str(part).encode()
        joined += len(raw).to_bytes(4, "big") + raw
    return joined


def chosen_seeds(number: int, match_round: int) -> tuple[bytes, bytes]:
    """The nonce and the server seed of a chosen number, for one round of a match."""
    return tuple(  # type: ignore[return-value]  # two parts, two values
        hashlib.sha256(_lp(VERSION, part, number, match_round)).digest() for part in ("nonce", "seed")
    )


def commitment(nonce: bytes, server_seed: bytes) -> bytes:
    """What is shown before the seats give their own seeds, and binds the server to its seed."""
    return hashlib.sha256(_lp(VERSION, "commit", nonce, server_seed)).digest()


def _words(key: bytes) -> Iterator[int]:
    """Uniform numbers of 32 bits from a key, without end."""
    for block in itertools.count():
        yield from _BLOCK.unpack(hmac.digest(key, block.to_bytes(8, "big"), "sha256"))


def _uniform(words: Iterator[int], n: int) -> int:
    """A number from 0 to n - 1, each as likely as the others: words that would favour some are skipped."""
    fair = WORD - WORD % n
    word = next(words)
    while word >= fair:
        word = next(words)
    return word % n


@functools.lru_cache(maxsize=4)  # the first voice is asked for before the deal that it comes from; an audit deals again
def deal(nonce: bytes, server_seed: bytes, seat_seeds: tuple[str, str, str], number: int) -> Deck:
    """Deal `number` (0, 1, ... over the redeals of a game)."""
    bound = commitment(nonce, server_seed)
    message = _lp(VERSION, "deal", nonce, bound, *seat_seeds, number.to_bytes(4, "big"))
    words = _words(hmac.digest(server_seed, message, "sha256"))
    deck = list(range(54))
    for i in range(53, 0, -1):
        j = _uniform(words, i + 1)
        deck[i], deck[j] = deck[j], deck[i]
    one, two, three, kitty = (_set_of(deck[a:b]) for a, b in ((0, 17), (17, 34), (34, 51), (51, 54)))
    return Deck((one, two, three), kitty, _uniform(words, 3))


def _set_of(cards: list[int]) -> CardSet:
    return CardSet(sum([1 << card for card in cards]))
