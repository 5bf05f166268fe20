"""Plans: a hand split into melds so that it costs the fewest turns, or the least by some other price.

One compiled unit with `kernel.py` (see there, and `building.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING or __name__ != "cython":
    from ddz import uncompiled as cython
    from ddz.kernel import (
        _CARDS,
        _COPIES,
        _JOKERS,
        _KIND_BITS,
        _LONGEST,
        _MASK,
        _ONE,
        _ONES,
        _RANK_BITS,
        _RANKS,
        _SHORTEST,
        _SIZE,
        _SOLOS,
        _SPREAD,
        _WHOLE_DECK,
        AIRPLANE,
        BLACK_JOKER,
        BOMB,
        CHAIN,
        LANES,
        MOST_EQUAL,
        PAIR,
        PAIR_CHAIN,
        QUAD_SOLOS,
        QUADS,
        ROCKET,
        SOLO,
        TRIO,
        TWO,
        PackedMeld,
        _at_least,
        _covers,
        _list,
        _meld,
        _rank,
        _total,
        check,
        melds_of,
        total,
    )
# --- compiled as one unit with kernel.py from here on
from collections.abc import Callable

TURN: Final = 100
"""The price of a full turn; prices are in hundredths of a turn."""
BOMB_PRICE: Final = -60
"""A bomb costs no turn and brings a lead besides. Set by hand, as the rocket's and the fades below."""
ROCKET_PRICE: Final = -80
FADES: Final = {SOLO: 0.80, PAIR: 0.75, TRIO: 0.85, CHAIN: 0.85, PAIR_CHAIN: 0.9, AIRPLANE: 0.9, BOMB: 0.9, ROCKET: 0.9}
"""About the chance that one higher core that is out does not beat a meld, by the kind of its core."""

Price = Callable[[int, int, int], int]
"""The price of a meld of (kind, length, rank). Within a kind and length it must not rise with the rank."""

MOST_PLANS: Final = 1 << 16
"""How many hands a planner remembers (about 400 bytes each); then it begins anew."""
_BIAS = cython.declare(cython.int, 1 << 20)  # so that a price that is not yet known is 0


@cython.cclass
class Planner:
    """Plans hands under one policy and one price list, and remembers them.

    A plan splits a hand into melds so that the sum of their prices is least: sequences are searched (they compete for
    cards), what they leave is not searched but counted: no pair is broken but for kickers, a trio only to feed two
    others, jokers stay together, the dearest loose cards go as kickers first. In turns (each price the same) it missed
    none of the 2,600 random hands of 14 to 20 cards that were searched exhaustively, at a twentieth of the time.
    """

    _policy: cython.int
    _price: Price
    _plans: dict[int, tuple[int, tuple[PackedMeld, ...]]]
    _prices = cython.declare(cython.int[14 * 13 * 15])
    _words = cython.declare(cython.ulonglong[133])  # the chains, pair-chains and airplanes of a whole deck (rules.md C)
    _costs = cython.declare(cython.int[133])
    _chosen = cython.declare(cython.int[20])
    _taken = cython.declare(cython.int[20])
    _sequences: cython.int
    _depth: cython.int
    _best: cython.int
    _saved: cython.int
    _solos: cython.ulonglong
    _pairs: cython.ulonglong

    def __init__(self, policy: cython.int, price: Price) -> None:
        """A planner for the kicker rules of `policy`; `price` gives prices in hundredths of a turn."""
        self._policy = policy
        self._price = price
        self._plans = {}
        if not cython.compiled:  # as Python these are lists, and each planner needs its own
            self._prices = [0] * (14 * 13 * 15)
            self._words, self._costs = [0] * 133, [0] * 133
            self._chosen, self._taken = [0] * 20, [0] * 20

    def plan(self, hand: cython.ulonglong) -> tuple[int, tuple[PackedMeld, ...]]:
        """The cheapest plan found for `hand`: the sum of the prices in hundredths of a turn, and the melds.

        Raises:
            ValueError: `hand` is no part of a deck.
        """
        known = self._plans.get(hand)
        if known is None:
            check(hand)
            if len(self._plans) >= MOST_PLANS:
                self._plans.clear()
            self._search(hand)
            known = self._plans[hand] = (self._best, self._parts(hand))
        return known

    def cost(self, hand: cython.ulonglong) -> int:
        """The cost of `plan(hand)`, in hundredths of a turn."""
        return self.plan(hand)[0]

    @cython.cfunc
    def _priced(self, kind: cython.int, length: cython.int, rank: cython.int) -> cython.int:
        at: cython.int = (kind * 13 + length) * 15 + rank
        if not self._prices[at]:
            self._prices[at] = self._price(kind, length, rank) + _BIAS
        return self._prices[at] - _BIAS

    @cython.cfunc
    def _search(self, hand: cython.ulonglong) -> cython.int:
        """Find the best set of sequences: _taken[:_depth], and the cost of the whole plan."""
        kind: cython.int
        length: cython.int
        at: cython.int
        n: cython.int = 0
        for kind in (CHAIN, PAIR_CHAIN, AIRPLANE):
            for length in range(_SHORTEST[kind], _LONGEST[kind] + 1):
                n = _list(hand, kind, length, -1, self._policy, self._words, n)
        for at in range(n):
            kind = self._words[at] >> 60
            length = _total(self._words[at] & _CARDS) // _SIZE[kind]
            self._costs[at] = self._priced(kind, length, _rank(self._words[at]))
        self._sequences = n
        self._depth = 0
        self._best = self._close(hand, 0, None)
        return self._descend(hand, 0, 0, 0)

    @cython.cfunc
    def _descend(self, rest: cython.ulonglong, first: cython.int, spent: cython.int, depth: cython.int) -> cython.int:
        """Try every further sequence, from the one numbered `first` on, beside the _chosen[:depth]."""
        at: cython.int
        step: cython.int
        cost: cython.int
        for at in range(first, self._sequences):
            if not _covers(rest, self._words[at] & _CARDS):
                continue
            self._chosen[depth] = at
            cost = spent + self._costs[at] + self._close(rest - (self._words[at] & _CARDS), depth + 1, None)
            if cost < self._best:
                self._best = cost
                self._depth = depth + 1
                for step in range(depth + 1):
                    self._taken[step] = self._chosen[step]
        for at in range(self._sequences - 1, first - 1, -1):
            if _covers(rest, self._words[at] & _CARDS):
                self._chosen[depth] = at
                self._descend(rest - (self._words[at] & _CARDS), at, spent + self._costs[at], depth + 1)
        return 0

    @cython.cfunc
    def _parts(self, hand: cython.ulonglong) -> tuple[PackedMeld, ...]:
        """The melds of the plan that was found."""
        at: cython.int
        parts: list[PackedMeld] = []
        for at in range(self._depth):
            self._chosen[at] = self._taken[at]
            hand -= self._words[self._taken[at]] & _CARDS
            if self._words[self._taken[at]] >> 60 != AIRPLANE:
                parts.append(_meld(self._words[self._taken[at]]))
        self._close(hand, self._depth, parts)
        return tuple(parts)

    @cython.cfunc
    def _close(self, rest: cython.ulonglong, depth: cython.int, parts: list[PackedMeld] | None) -> cython.int:
        """The cost of what the _chosen[:depth] leave, less their kickers; its melds, and airplanes, go to `parts`."""
        odd: cython.ulonglong
        twos: cython.ulonglong
        trios: cython.ulonglong
        fours: cython.ulonglong
        one: cython.ulonglong
        at: cython.int
        rank: cython.int
        extra: cython.int
        loose: cython.int
        cost: cython.int = 0
        if rest & _JOKERS == _JOKERS:
            cost = self._priced(ROCKET, 2, BLACK_JOKER)
            rest -= _JOKERS
            if parts is not None:
                parts.append(_meld(_JOKERS | _KIND_BITS[ROCKET] | _RANK_BITS[BLACK_JOKER]))
        odd = rest & _ONES
        twos = rest >> 1 & _ONES
        trios = odd & twos
        self._solos = odd & ~twos
        self._pairs = twos & ~odd
        for at in range(depth):
            if self._words[self._chosen[at]] >> 60 == AIRPLANE:
                self._carry(self._words[self._chosen[at]], 0, parts)
        fours = rest >> 2 & _ONES
        for rank in range(TWO + 1 if fours else 0):
            if fours >> 4 * rank & 1:
                extra = 0
                if self._policy & QUADS:
                    extra = self._priced(QUAD_SOLOS, 1, rank) - self._priced(BOMB, 1, rank)
                cost += self._priced(BOMB, 1, rank)
                if self._carry(_core(BOMB, rank), extra, parts):
                    cost += extra
        loose = _total(trios) - _total(self._solos) - _total(self._pairs)
        while loose >= 3:  # the lowest goes as two kickers of two others
            one = trios & (~trios + 1)
            trios ^= one
            self._solos |= one
            self._pairs |= one
            loose -= 3
        for rank in range(TWO + 1 if trios else 0):
            if trios >> 4 * rank & 1:
                cost += self._priced(TRIO, 1, rank)
                self._carry(_core(TRIO, rank), 0, parts)
        for rank in range(LANES):
            if self._solos >> 4 * rank & 1:
                cost += self._priced(SOLO, 1, rank)
                if parts is not None:
                    parts.append(_meld(_core(SOLO, rank)))
        for rank in range(TWO + 1):
            if self._pairs >> 4 * rank & 1:
                cost += self._priced(PAIR, 1, rank)
                if parts is not None:
                    parts.append(_meld(_core(PAIR, rank)))
        return cost

    @cython.cfunc
    def _carry(self, word: cython.ulonglong, above: cython.int, parts: list[PackedMeld] | None) -> cython.int:
        """Give a core those loose cards that save most, if that is more than `above`; 1 if it took them."""
        kind: cython.int = word >> 60
        wings: cython.int = QUAD_SOLOS if kind == BOMB else kind + 1  # with solos; with pairs it is the next kind
        core: cython.ulonglong = _at_least(word & _CARDS, 3)
        need: cython.int = _SOLOS[wings] * _total(core)
        kickers: cython.ulonglong = 0
        in_pairs: cython.ulonglong
        broken: cython.ulonglong
        saved: cython.int = -1
        if kind != BOMB or self._policy & QUADS:
            kickers = self._solo_kickers(self._solos & ~core, self._pairs & ~core, need)
            saved = self._saved
            in_pairs = self._pair_kickers(self._pairs & ~core, need)
            if self._saved > saved:
                kickers, saved = in_pairs, self._saved
                wings += 1
        if parts is not None:
            word = word & _CARDS | word & _RANKS
            parts.append(_meld(word | _KIND_BITS[kind] if saved <= above else (word + kickers) | _KIND_BITS[wings]))
        if saved <= above:
            return 0
        broken = self._pairs & kickers & ~self._solos  # of a broken pair, the other card stays
        self._solos = self._solos & ~kickers | broken
        self._pairs &= ~(kickers >> 1 | broken)
        return 1

    @cython.cfunc
    def _solo_kickers(self, solos: cython.ulonglong, pairs: cython.ulonglong, need: cython.int) -> cython.ulonglong:
        """The `need` single kickers that save most, _saved being how much (-1: there are too few).

        Pairs fill in, whole or broken.
        """
        rank: cython.int
        kickers: cython.ulonglong = 0
        self._saved = 0
        for rank in range(LANES):
            if need and solos >> 4 * rank & 1:
                kickers += _ONE << 4 * rank
                self._saved += self._priced(SOLO, 1, rank)
                need -= 1
        for rank in range(TWO + 1):
            if need and pairs >> 4 * rank & 1:
                self._saved += self._priced(PAIR, 1, rank)
                if need > 1 and self._policy & MOST_EQUAL > 1:
                    kickers += _ONE << 4 * rank + 1
                    need -= 2
                else:
                    kickers += _ONE << 4 * rank
                    self._saved -= self._priced(SOLO, 1, rank)
                    need -= 1
        if need:
            self._saved = -1
        return kickers

    @cython.cfunc
    def _pair_kickers(self, pairs: cython.ulonglong, need: cython.int) -> cython.ulonglong:
        """The `need` pairs as kickers that save most, _saved being how much (-1: there are too few)."""
        rank: cython.int
        kickers: cython.ulonglong = 0
        self._saved = 0
        for rank in range(TWO + 1):
            if need and pairs >> 4 * rank & 1:
                kickers += _ONE << 4 * rank + 1
                self._saved += self._priced(PAIR, 1, rank)
                need -= 1
        if need:
            self._saved = -1
        return kickers


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _core(kind: cython.int, rank: cython.int) -> cython.ulonglong:
    """The word of a meld of one core rank without kickers."""
    return _COPIES[kind] * (_ONE << 4 * rank) | _KIND_BITS[kind] | _RANK_BITS[rank]


def _a_turn_each(kind: int, length: int, rank: int) -> int:  # noqa: ARG001
    return TURN


def _unless_it_holds(kind: int, length: int, rank: int) -> int:
    """A turn, less the chance that the meld wins its trick and so brings the lead back; all other cards are out."""
    if kind in (BOMB, ROCKET):
        return BOMB_PRICE if kind == BOMB else ROCKET_PRICE
    bare = {QUAD_SOLOS: BOMB}.get(kind, kind)
    higher = (
        total(_WHOLE_DECK >> 4 * (rank + 1)) if kind == SOLO else len(melds_of(_WHOLE_DECK, bare, length, rank, QUADS))
    )
    return round(TURN * float(1 - FADES[bare] ** higher))


_PLANNERS: dict[tuple[bool, int], Planner] = {}


def _planner(values: bool, policy: int) -> Planner:
    if (values, policy) not in _PLANNERS:
        _PLANNERS[values, policy] = Planner(policy, _unless_it_holds if values else _a_turn_each)
    return _PLANNERS[values, policy]


def turns(hand: int, policy: int) -> int:
    """The fewest melds that `hand` was found to split into (see `Planner`); remembered.

    Raises:
        ValueError: `hand` is no part of a deck.
    """
    return _planner(False, policy).cost(hand) // TURN


def value(hand: int, policy: int) -> int:
    """What a hand is worth, in hundredths of a turn: 0 needs nothing more, -100 one turn that gives the lead away.

    Seen by itself: of the other cards it is only known that they are out. Remembered.

    Raises:
        ValueError: `hand` is no part of a deck.
    """
    return -_planner(True, policy).cost(hand)


def _price_and_count(kind: int, length: int, rank: int) -> int:
    """A price in hundredths of a turn, 64 of them to one meld: so the sum counts the melds in its low bits."""
    return 64 * _unless_it_holds(kind, length, rank) + 1


@cython.cclass
class Worth:
    """The plans of hands under one policy, in a table in which a newer hand drives out an older one."""

    _planner: Planner
    _hands = cython.declare(cython.ulonglong[1 << 16])
    _plans = cython.declare(cython.int[1 << 16])

    def __init__(self, policy: cython.int) -> None:
        """An empty table."""
        self._planner = Planner(policy, _price_and_count)
        if not cython.compiled:
            self._hands, self._plans = [0] * (1 << 16), [0] * (1 << 16)

    @cython.cfunc
    def _plan(self, hand: cython.ulonglong) -> cython.int:
        """The least cost of a hand in hundredths of a turn, times 64, and the number of its melds."""
        slot: cython.int = (hand * _SPREAD & _MASK) >> 48
        if self._hands[slot] != hand:
            self._planner._search(hand)
            self._hands[slot] = hand
            self._plans[slot] = self._planner._best
        return self._plans[slot]

    def cost(self, hand: cython.ulonglong) -> int:
        """The least cost found for `hand`, in hundredths of a turn: `plans.value` with its sign turned.

        Raises:
            ValueError: `hand` is no part of a deck.
        """
        check(hand)
        return self._plan(hand) >> 6

    def melds(self, hand: cython.ulonglong) -> int:
        """How many melds the plan of that cost has.

        Raises:
            ValueError: `hand` is no part of a deck.
        """
        check(hand)
        return self._plan(hand) & 63


COMPILED: Final = ("Planner", "turns", "value", "Worth")
"""The names that the compiled twin takes over."""

if not cython.compiled:
    from ddz import compiled

    compiled.take_over(globals(), COMPILED)
