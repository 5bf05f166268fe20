"""The ids of games. Pure: the entropy is handed in."""

from collections.abc import Callable
from typing import Final

LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
ALPHABET: Final = LETTERS + "234567"
"""32 signs that are told apart when spoken and typed; no `-`, which would look like an option."""
LENGTH: Final = 12
"""12 signs, the first a letter, are 59.7 bits; there is no time in them, so that a short prefix is unique."""


def new_id(entropy: Callable[[int], bytes]) -> str:
    """A new id from `entropy`, which gives as many random bytes as it is asked for (`os.urandom`)."""
    # 8 bytes for one of 26 letters: what is left over favours none by more than 2^-59.
    first = int.from_bytes(entropy(8), "big") % len(LETTERS)
    return LETTERS[first] + "".join(ALPHABET[byte % len(ALPHABET)] for byte in entropy(LENGTH - 1))
