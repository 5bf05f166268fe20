"""The end of a game with all hands open: who wins if nobody errs. Exact, or no answer within the budget.

One compiled unit with `kernel.py` and `positions.py` (see there).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING or __name__ != "cython":
    from ddz import uncompiled as cython
    from ddz.kernel import _CARDS, _MASK, _SIZE, _SPREAD, _leads, _rank, _responses, _total
    from ddz.positions import _MOVES, Position
# --- compiled as one unit with kernel.py from here on

UNKNOWN: Final = -1
WIDEST: Final = 256
"""The most moves of one hand that are looked at; of a position with more, nothing is said."""
_WIDEST = cython.declare(cython.int, WIDEST)
_UNKNOWN = cython.declare(cython.int, UNKNOWN)


@cython.cclass
class Solver:
    """Solves endgames, and remembers positions in a table in which a newer one drives out an older one."""

    _firsts = cython.declare(cython.ulonglong[1 << 15])
    _seconds = cython.declare(cython.ulonglong[1 << 15])
    _thirds = cython.declare(cython.ulonglong[1 << 15])
    _results = cython.declare(cython.int[1 << 15])
    _hands = cython.declare(cython.ulonglong[3])
    _policy: cython.int
    _left: cython.int

    def __init__(self, policy: cython.int) -> None:
        """A solver for the kicker rules of `policy`."""
        self._policy = policy
        if not cython.compiled:
            self._firsts, self._seconds, self._thirds = [0] * (1 << 15), [0] * (1 << 15), [0] * (1 << 15)
            self._results = [0] * (1 << 15)
            self._hands = [0] * 3

    def solve(self, position: Position, budget: cython.int) -> int:
        """1 if the landlord wins against the best defence, 0 if the peasants do, -1 if `budget` nodes do not tell."""
        at: cython.int
        for at in range(3):
            if not position._hands[at]:
                return 1 if at == 0 else 0
            self._hands[at] = position._hands[at]
        self._left = budget
        return self._wins(position._turn, position._top, position._owner)

    @property
    def left(self) -> int:
        """The nodes that are left over from the last budget."""
        return self._left

    @cython.cfunc
    def _wins(self, turn: cython.int, top: cython.ulonglong, owner: cython.int) -> cython.int:
        """Whether the landlord wins, `turn` being to act."""
        words = cython.declare(cython.ulonglong[256])
        first: cython.ulonglong
        second: cython.ulonglong
        third: cython.ulonglong
        bits: cython.ulonglong = 0
        slot: cython.int
        n: cython.int
        result: cython.int
        if self._left <= 0:
            return _UNKNOWN
        self._left -= 1
        # A position is its three hands and 16 bits more, for which the hands have room above the jokers: the kind, rank
        # and size of the top (kickers do not matter), whose it is, and the turn. So no two positions are ever the same.
        if top:
            bits = top >> 60 | _rank(top) << 4 | _total(top & _CARDS) << 8 | owner << 13
        first = self._hands[0] | (bits & 127) << 57
        second = self._hands[1] | (bits >> 7 & 127) << 57
        third = self._hands[2] | (bits >> 14 | turn << 2) << 57
        slot = (((first * _SPREAD & _MASK ^ second) * _SPREAD & _MASK ^ third) * _SPREAD & _MASK) >> 49
        if self._firsts[slot] == first and self._seconds[slot] == second and self._thirds[slot] == third:
            return self._results[slot]
        n = self._list(turn, top, words)
        result = _UNKNOWN if n < 0 else self._best(turn, top, owner, words, n)
        if result != _UNKNOWN:
            self._firsts[slot], self._seconds[slot], self._thirds[slot] = first, second, third
            self._results[slot] = result
        return result

    @cython.cfunc
    def _list(self, turn: cython.int, top: cython.ulonglong, words: cython.p_ulonglong) -> cython.int:
        """Put the moves but a pass at words[0:]; their number, or -1 if they are too many."""
        kind: cython.int
        at: cython.int
        n: cython.int
        if top:
            kind = top >> 60
            n = _responses(
                self._hands[turn],
                kind,
                _total(top & _CARDS) // _SIZE[kind],
                _rank(top),
                self._policy,
                _MOVES,
            )
        else:
            n = _leads(self._hands[turn], self._policy, _MOVES)
        if n > _WIDEST:
            return -1
        for at in range(n):
            words[at] = _MOVES[at]
        return n

    @cython.cfunc
    def _best(
        self, turn: cython.int, top: cython.ulonglong, owner: cython.int, words: cython.p_ulonglong, n: cython.int
    ) -> cython.int:
        """The best for the side of `turn` among its moves."""
        wanted: cython.int = turn == 0
        after: cython.int = (turn + 1) % 3
        result: cython.int
        doubt: cython.int = 0
        at: cython.int
        for at in range(n):
            if words[at] & _CARDS == self._hands[turn]:
                return wanted
        for at in range(n - 1, -1, -1):  # the larger melds and the higher ranks first
            self._hands[turn] -= words[at] & _CARDS
            result = self._wins(after, words[at], turn)
            self._hands[turn] += words[at] & _CARDS
            if result == wanted:
                return wanted
            doubt |= result == _UNKNOWN
        if top:
            result = self._wins(after, 0 if after == owner else top, owner)
            if result == wanted:
                return wanted
            doubt |= result == _UNKNOWN
        return _UNKNOWN if doubt else 1 - wanted


COMPILED: Final = ("Solver",)
"""The names that the compiled twin takes over."""

if not cython.compiled:
    from ddz import compiled

    compiled.take_over(globals(), COMPILED)
