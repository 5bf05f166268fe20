"""What a network is told of a position, as the numbers of the inputs that are 1.

One compiled unit with `kernel.py` (see there, and `building.py`). Of the hidden cards only their sum enters.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING or __name__ != "cython":
    from array import array

    from ddz import uncompiled as cython
    from ddz.kernel import (
        _CARDS,
        _SIZE,
        BLACK_JOKER,
        LANES,
        _rank,
        _total,
    )
    from ddz.positions import _MOVES, Position
    from ddz.quickplay import _held
# --- compiled as one unit with kernel.py from here on

CARD_INPUTS: Final = 54  # 1, 2, 3, 4 or more of each of 13 ranks, and the two jokers
MELD_INPUTS: Final = 14 + 15 + 13  # kind, rank and length
STATE_INPUTS: Final = 8 * CARD_INPUTS + MELD_INPUTS + 2 * 21 + 6 + 12 + 3
"""Own hand; unseen; played by oneself, by the next, by the one before; last melds of the one before and of the next;
the kitty's cards that the landlord has not played; the top; cards left of the next and of the one before; bombs;
melds of the own plan; who owns the top (nobody, the next, the one before)."""
CHOICE_INPUTS: Final = 2 * CARD_INPUTS + MELD_INPUTS + 21 + 12 + 16 + 8
"""The meld's cards; what stays in hand; the meld; cards that stay; melds of their plan; its cost in half turns;
pass, cannot be beaten, goes out, and the chance in fifths that it is not beaten."""
STATE_SLOTS: Final = 112  # each card is own, unseen or played: 54; last melds 40, kitty 3, meld 3, and 5 more
CHOICE_SLOTS: Final = 32  # own cards stay or go: 20; meld 3, 3 of the plan, and 4 more
_STATE_INPUTS = cython.declare(cython.int, STATE_INPUTS)
_CHOICE_INPUTS = cython.declare(cython.int, CHOICE_INPUTS)
_CARD_INPUTS = cython.declare(cython.int, CARD_INPUTS)
_MELD_INPUTS = cython.declare(cython.int, MELD_INPUTS)
_STATE_SLOTS = cython.declare(cython.int, STATE_SLOTS)
_CHOICE_SLOTS = cython.declare(cython.int, CHOICE_SLOTS)
MOST_CHOICES: Final = 4096
"""Far more choices than a hand of 20 cards has (measured: 700 in a million hands)."""
_INPUTS = cython.declare(cython.ushort[112 + 32 * 4096])


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _first_input(rank: cython.int) -> cython.int:
    return 4 * rank if rank < BLACK_JOKER else 39 + rank


def first_input(rank: cython.int) -> int:
    """The first of a rank's inputs among those of a set of cards, one for each card of it."""
    return _first_input(rank)


@cython.cfunc
@cython.exceptval(check=False)
def _card_inputs(cards: cython.ulonglong, first: cython.int, inputs: cython.p_ushort, n: cython.int) -> cython.int:
    """Put the inputs of packed cards, a block that begins at `first`, at inputs[n:]; how many there are then."""
    rank: cython.int
    count: cython.int
    at: cython.int
    for rank in range(LANES):
        count = cards >> 4 * rank & 15
        for at in range(count):
            inputs[n] = first + _first_input(rank) + at
            n += 1
    return n


@cython.cfunc
@cython.exceptval(check=False)
def _meld_inputs(word: cython.ulonglong, first: cython.int, inputs: cython.p_ushort, n: cython.int) -> cython.int:
    """Put the inputs of a meld's kind, rank and length at inputs[n:]; how many there are then."""
    kind: cython.int = word >> 60
    inputs[n] = first + kind
    inputs[n + 1] = first + 14 + _rank(word)
    inputs[n + 2] = first + 29 + _total(word & _CARDS) // _SIZE[kind]
    return n + 3


def encode(position: Position) -> tuple[bytes, bytes, int]:
    """What a network is told: the state's inputs, the choices' inputs in the order of `moves`, and their number.

    Inputs are 16-bit numbers in the machine's order, padded with the number of inputs: STATE_SLOTS of the state,
    CHOICE_SLOTS of each choice. Of the hidden cards only their sum enters.
    """
    turn: cython.int = position._turn
    after: cython.int = (turn + 1) % 3
    before: cython.int = (turn + 2) % 3
    hand: cython.ulonglong = position._hands[turn]
    unseen: cython.ulonglong = position._hands[after] + position._hands[before]
    at: cython.int
    n: cython.int = _state_inputs(position, turn, after, before)
    word: cython.ulonglong
    most: cython.int = position._most()
    choices: cython.int = position._list_moves()
    for at in range(n, _STATE_SLOTS):
        _INPUTS[at] = _STATE_INPUTS
    if choices > 4000:
        raise ValueError(f"{choices} moves are more than any hand has")
    for at in range(choices + 1 if position._top else choices):
        word = _MOVES[at] if at < choices else 0
        _choice_inputs(position, word, hand, unseen, most, _STATE_SLOTS + at * _CHOICE_SLOTS)
    if position._top:
        choices += 1
    n = _STATE_SLOTS + choices * _CHOICE_SLOTS
    if cython.compiled:
        told: bytes = cython.cast(cython.p_char, _INPUTS)[: 2 * n]
    else:
        told = array("H", _INPUTS[:n]).tobytes()
    return told[: 2 * STATE_SLOTS], told[2 * STATE_SLOTS :], choices


@cython.cfunc
def _state_inputs(position: Position, turn: cython.int, after: cython.int, before: cython.int) -> cython.int:
    first: cython.int = 0
    rank: cython.int
    kept: cython.ulonglong = 0
    had: cython.int
    gone: cython.int
    n: cython.int = 0
    for rank in range(LANES):
        had = position._kitty >> 4 * rank & 15
        gone = position._played[0] >> 4 * rank & 15
        if had > gone:
            kept += cython.cast(cython.ulonglong, had - gone) << 4 * rank
    n = _card_inputs(position._hands[turn], 0, _INPUTS, n)
    n = _card_inputs(position._hands[after] + position._hands[before], _CARD_INPUTS, _INPUTS, n)
    n = _card_inputs(position._played[turn], 2 * _CARD_INPUTS, _INPUTS, n)
    n = _card_inputs(position._played[after], 3 * _CARD_INPUTS, _INPUTS, n)
    n = _card_inputs(position._played[before], 4 * _CARD_INPUTS, _INPUTS, n)
    n = _card_inputs(position._last[before] & _CARDS, 5 * _CARD_INPUTS, _INPUTS, n)
    n = _card_inputs(position._last[after] & _CARDS, 6 * _CARD_INPUTS, _INPUTS, n)
    n = _card_inputs(kept, 7 * _CARD_INPUTS, _INPUTS, n)
    first = 8 * _CARD_INPUTS
    if position._top:
        n = _meld_inputs(position._top, first, _INPUTS, n)
    first += _MELD_INPUTS
    _INPUTS[n] = first + _total(position._hands[after])
    _INPUTS[n + 1] = first + 21 + _total(position._hands[before])
    first += 42
    _INPUTS[n + 2] = first + min(position._bombs, 5)
    first += 6
    _INPUTS[n + 3] = first + min(position._worth._plan(position._hands[turn]) & 63, 11)
    first += 12
    _INPUTS[n + 4] = first + (0 if not position._top else 1 if position._owner == after else 2)
    return n + 5


@cython.cfunc
def _choice_inputs(
    position: Position,
    word: cython.ulonglong,
    hand: cython.ulonglong,
    unseen: cython.ulonglong,
    most: cython.int,
    n: cython.int,
) -> cython.int:
    """Put the inputs of one choice, a move of `hand`, at _INPUTS[n:], and pad them."""
    end: cython.int = n + _CHOICE_SLOTS
    rest: cython.ulonglong = hand - (word & _CARDS)
    plan: cython.int = position._worth._plan(rest) if rest else 0
    first: cython.int = 2 * _CARD_INPUTS
    held: cython.int
    n = _card_inputs(word & _CARDS, 0, _INPUTS, n)
    n = _card_inputs(rest, _CARD_INPUTS, _INPUTS, n)
    if word:
        n = _meld_inputs(word, first, _INPUTS, n)
    first += _MELD_INPUTS
    _INPUTS[n] = first + _total(rest)
    first += 21
    _INPUTS[n + 1] = first + min(plan & 63, 11)
    first += 12
    _INPUTS[n + 2] = first + max(0, min(((plan >> 6) + 150) // 50, 15))
    first += 16
    n += 3
    if not word:
        _INPUTS[n] = first
        n += 1
    else:
        held = _held(word, unseen, most)
        _INPUTS[n] = first + 3 + min(held // 20, 4)
        n += 1
        if held > 100:
            _INPUTS[n] = first + 1
            n += 1
        if not rest:
            _INPUTS[n] = first + 2
            n += 1
    while n < end:
        _INPUTS[n] = _CHOICE_INPUTS
        n += 1
    return n


COMPILED: Final = ("encode", "first_input")
"""The names that the compiled twin takes over."""

if not cython.compiled:
    from ddz import compiled

    compiled.take_over(globals(), COMPILED)
