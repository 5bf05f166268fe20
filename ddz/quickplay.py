"""The quick player: a sensible move at once, from a plan of the hand; and whole games played out by it.

One compiled unit with `kernel.py` (see there, and `building.py`). Of a position it asks what the role to act may know.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING or __name__ != "cython":
    from ddz import uncompiled as cython
    from ddz.kernel import (
        _CARDS,
        _JOKERS,
        _MASK,
        _SIZE,
        _SPREAD,
        AIRPLANE,
        AIRPLANE_PAIRS,
        AIRPLANE_SOLOS,
        BOMB,
        QUAD_PAIRS,
        QUAD_SOLOS,
        ROCKET,
        SOLO,
        TRIO,
        TRIO_PAIR,
        TRIO_SOLO,
        PackedMeld,
        _meld,
        _rank,
        _starts,
        _total,
    )
    from ddz.plans import FADES
    from ddz.playouts import _draw, _stir
    from ddz.positions import _MOVES, Position
# --- compiled as one unit with kernel.py from here on

_GAINS = cython.declare(cython.int[95352])
_HOLDS = cython.declare(cython.int[14 * 64])
"""By kind of a bare core, and how many higher ones are out: about the chance in hundredths that none beats it."""
_BARE = cython.declare(cython.int[14])

# What the quick player weighs, in hundredths of a turn: as the bot `simple`, which see. Set by hand.
_LEAD = cython.declare(cython.int, 55)
_LARGER = cython.declare(cython.int, 4)
_LOWER = cython.declare(cython.int, 3)
_PARTNER = cython.declare(cython.int, 60)
_PARTNER_HOLDS = cython.declare(cython.int, 30)
_BLOCK = cython.declare(cython.int, 4)
_FEED = cython.declare(cython.int, 60)
_NEVER = cython.declare(cython.int, 100000)
_DANGER = cython.declare(cython.int[21])


def _fill_holds() -> None:
    for kind in range(14):
        bare = BOMB if kind in (QUAD_SOLOS, QUAD_PAIRS) else TRIO if kind in (TRIO_SOLO, TRIO_PAIR) else kind
        bare = AIRPLANE if kind in (AIRPLANE_SOLOS, AIRPLANE_PAIRS) else bare
        _BARE[kind] = bare
        for higher in range(64):
            _HOLDS[64 * kind + higher] = int(100 * FADES[bare] ** higher + 0.5)
    for left, danger in enumerate((0, 200, 150, 80, 60, 30)):
        _DANGER[left] = danger


_fill_holds()


@cython.cfunc
@cython.exceptval(check=False)
def _held(word: cython.ulonglong, unseen: cython.ulonglong, most: cython.int) -> cython.int:
    """About the chance in hundredths that a meld holds its trick, bombs left aside; 101 if nothing can beat it."""
    kind: cython.int = word >> 60
    cards: cython.int = _total(word & _CARDS)
    rank: cython.int = _rank(word)
    higher: cython.int
    if cards > most:
        higher = 0
    elif kind == SOLO:
        higher = _total(unseen >> 4 * rank >> 4)
    else:
        higher = _total(_starts(unseen, _BARE[kind], cards // _SIZE[kind], rank))
    if not higher and (
        kind == ROCKET
        or (
            (most < 2 or unseen & _JOKERS != _JOKERS) and (most < 4 or kind == BOMB or not _starts(unseen, BOMB, 1, -1))
        )
    ):
        return 101
    return _HOLDS[64 * kind + higher]


@cython.cfunc
def _weigh(position: Position) -> cython.int:
    """List the moves at _MOVES[0:] and what each gains, in hundredths of a turn, at _GAINS; their number.

    A pass gains 0.
    """
    hand: cython.ulonglong = position._hands[position._turn]
    unseen: cython.ulonglong = position._hands[0] + position._hands[1] + position._hands[2] - hand
    most: cython.int = position._most()
    least: cython.int = position._least()
    now: cython.int = position._worth._plan(hand) >> 6
    partners: cython.int = position._top and position._turn and position._owner
    leave: cython.int = 0
    held: cython.int
    plan: cython.int
    at: cython.int
    n: cython.int = position._list_moves()
    if partners:
        leave = position._turn != 2 or _held(position._top, unseen, most) > _PARTNER_HOLDS
    for at in range(n):
        if _MOVES[at] & _CARDS == hand:
            _GAINS[at] = 2 * _NEVER  # it goes out
            continue
        held = _held(_MOVES[at], unseen, most)
        plan = position._worth._plan(hand - (_MOVES[at] & _CARDS))
        _GAINS[at] = now - (plan >> 6)
        if held > 100 and plan & 63 == 1:
            _GAINS[at] += _NEVER  # nobody can stop it, and the last meld goes out
        elif not position._top:
            _GAINS[at] += _lead_gain(position, _MOVES[at], held, least)
        elif not partners:
            _GAINS[at] += (_LEAD + _DANGER[least]) * held // 100
        elif leave or _MOVES[at] >> 60 >= BOMB:
            _GAINS[at] = -_NEVER
        else:
            _GAINS[at] -= _PARTNER
        if position._turn == 2 and _MOVES[at] >> 60 <= 1:  # before the landlord, solos and pairs are played high
            _GAINS[at] += _BLOCK * _rank(_MOVES[at])
    return n


@cython.cfunc
def _lead_gain(position: Position, word: cython.ulonglong, held: cython.int, least: cython.int) -> cython.int:
    """What a lead gains besides bringing the plan on."""
    cards: cython.int = _total(word & _CARDS)
    rank: cython.int = _rank(word)
    gain: cython.int = _LEAD * held // 100 + _LARGER * cards - _LOWER * rank
    if word >> 60 >= BOMB:
        return gain - 60
    if cards == least and cards <= 2 and held <= 100:
        return gain - 200 + 8 * rank  # an opponent would go out
    if position._turn and cards <= 2 and cards == _total(position._hands[3 - position._turn]):
        return gain + _FEED - 3 * rank  # the partner goes out
    return gain


@cython.cfunc
def _quick(position: Position) -> cython.ulonglong:
    """A sensible move, at once: the one that gains most. 0 is a pass."""
    at: cython.int
    n: cython.int = _weigh(position)
    best: cython.int = 0
    choice: cython.ulonglong = 0
    for at in range(n):
        if _GAINS[at] > best or not (choice or position._top):
            best, choice = _GAINS[at], _MOVES[at]
    return choice


def gains_of(position: Position) -> list[int]:
    """What the quick player sees in each of `moves`, in hundredths of a turn; thousands where it ends the game."""
    found = [_GAINS[at] for at in range(_weigh(position))]
    if position._top:
        found.append(0)
    return found


def quick_move(position: Position) -> PackedMeld | None:
    """The quick player's move, from what the role to act knows; None for a pass."""
    word: cython.ulonglong = _quick(position)
    return _meld(word) if word else None


def play_out(position: Position, seed: cython.ulonglong, strays: cython.int = 0) -> tuple[int, int, int]:
    """Play to the end by the quick player: (the role that goes out, bombs played in all, turns taken).

    `strays` of 1,000 moves are drawn evenly among the legal ones instead. The position is at its end then.

    Raises:
        ValueError: it is at its end already.
    """
    state: cython.ulonglong = _stir((seed + 1) * _SPREAD & _MASK | 1)
    word: cython.ulonglong
    n: cython.int
    pick: cython.int
    turns: cython.int = 0
    if not (position._hands[0] and position._hands[1] and position._hands[2]):
        raise ValueError("somebody has gone out: there is nothing left to play")
    while True:
        if strays:
            state = _stir(state)
        if strays and _draw(state, 1000) < strays:
            n = position._list_moves()
            state = _stir(state)
            pick = _draw(state, n + 1 if position._top else n)
            word = _MOVES[pick] if pick < n else 0
        else:
            word = _quick(position)
        turns += 1
        if position._play(word):
            return position._turn, position._bombs, turns


COMPILED: Final = ("gains_of", "quick_move", "play_out")
"""The names that the compiled twin takes over."""

if not cython.compiled:
    from ddz import compiled

    compiled.take_over(globals(), COMPILED)
