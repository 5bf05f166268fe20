"""How many turns a hand needs: a hand split into melds so that the sum of their prices is least.

With every price one turn, that is the fewest turns; a bot that counts cards asks a lower price for a meld that is
likely to win its trick. Melds come from the kernel alone: sequences are searched (they compete for cards), what is
left is taken by rank, and kickers are hung on last, the dearest loose cards first. See `Planner` for what that misses.
"""

from bisect import insort
from collections.abc import Callable
from functools import lru_cache
from typing import Final, NamedTuple

from ddz import kernel

TURN: Final = 100
"""The price of a full turn; prices are in hundredths of a turn."""

Part = tuple[int, int, int, int]
"""A meld as the kernel lists it: kind, length, rank, packed cards."""
Price = Callable[[int, int, int], int]
"""The price of a meld of (kind, length, rank). Within a kind and length it must not rise with the rank."""

_EACH_RANK: Final = kernel.block(1, 0, kernel.LANES)
_ROCKET: Final = kernel.block(1, kernel.BLACK_JOKER, 2)
_BARE_SEQUENCES: Final = (kernel.CHAIN, kernel.PAIR_CHAIN, kernel.AIRPLANE)
_WINGS: Final = {
    kernel.TRIO: (kernel.TRIO_SOLO, kernel.TRIO_PAIR),
    kernel.AIRPLANE: (kernel.AIRPLANE_SOLOS, kernel.AIRPLANE_PAIRS),
    kernel.BOMB: (kernel.QUAD_SOLOS, kernel.QUAD_PAIRS),
}


class Plan(NamedTuple):
    """A hand split into melds."""

    cost: int
    """The sum of the prices, in hundredths of a turn."""
    parts: tuple[Part, ...]


def a_turn_each(kind: int, length: int, rank: int) -> int:  # noqa: ARG001
    """The price list under which a plan's cost is its number of turns."""
    return TURN


def fewest_turns(hand: int, policy: int) -> Plan:
    """A plan for `hand` (packed) in the fewest turns that the planner finds; `policy` packs the kicker rules."""
    return Planner(policy, a_turn_each).plan(hand)


class _Loose(NamedTuple):
    """Ranks still to be placed, rising: singles, pairs."""

    solos: list[int]
    pairs: list[int]


class Planner:
    """Plans hands under one policy and one price list, and remembers them.

    Every set of sequences is tried; what it leaves is not searched but counted: no pair is broken
    but for kickers, a trio only to feed two others, jokers stay together. In turns it missed none of the 2,600 random
    hands of 14 to 20 cards that were searched exhaustively, at a twentieth of the time.
    """

    def __init__(self, policy: int, price: Price) -> None:
        self._policy = policy
        self._price = price
        self._single = [
            [price(kind, 1, rank) for rank in range(kernel.LANES)]
            for kind in (kernel.SOLO, kernel.PAIR, kernel.TRIO, kernel.BOMB, kernel.QUAD_SOLOS)
        ]
        self._rocket = price(kernel.ROCKET, 2, kernel.BLACK_JOKER)
        self._plans: dict[int, Plan] = {}

    def plan(self, hand: int) -> Plan:
        """The cheapest plan found for `hand`."""
        known = self._plans.get(hand)
        if known is None:
            known = self._plans[hand] = self._search(hand)
        return known

    def cost(self, hand: int) -> int:
        """The cost of `plan(hand)`."""
        return self.plan(hand).cost

    def _sequences(self, hand: int) -> list[tuple[int, Part]]:
        """Every sequence in `hand` without kickers, with its price."""
        found = []
        for kind, length, _ in kernel.SHAPES:
            if kind in _BARE_SEQUENCES:
                for rank, cards in kernel.melds_of(hand, kind, length, -1, self._policy):
                    found.append((self._price(kind, length, rank), (kind, length, rank, cards)))
        return found

    def _search(self, hand: int) -> Plan:
        sequences = self._sequences(hand)
        best_cost, best_loose = self._close(hand, ())
        best_chosen: tuple[Part, ...] = ()
        stack: list[tuple[int, int, int, tuple[Part, ...]]] = [(hand, 0, 0, ())]
        guard = kernel.GUARD
        while stack:
            rest, first, spent, chosen = stack.pop()
            for at in range(first, len(sequences)):
                price, part = sequences[at]
                left = (rest | guard) - part[3]
                if left & guard != guard:
                    continue
                left = rest - part[3]
                longer = (*chosen, part)
                closing, loose = self._close(left, longer)
                if spent + price + closing < best_cost:
                    best_cost, best_loose, best_chosen = spent + price + closing, loose, longer
                stack.append((left, at, spent + price, longer))
        kept = tuple(part for part in best_chosen if part[0] != kernel.AIRPLANE)
        return Plan(best_cost, (*kept, *best_loose))

    def _close(self, rest: int, chosen: tuple[Part, ...]) -> tuple[int, list[Part]]:
        """The cost of what the `chosen` sequences leave, less their kickers; and its parts, airplanes too."""
        solo_price, pair_price, trio_price, bomb_price, quad_price = self._single
        parts: list[Part] = []
        cost = 0
        if rest & _ROCKET == _ROCKET:
            cost += self._rocket
            rest -= _ROCKET
            parts.append((kernel.ROCKET, 2, kernel.BLACK_JOKER, _ROCKET))
        odd, twos = rest & _EACH_RANK, rest >> 1 & _EACH_RANK
        loose = _Loose(list(_lanes(odd & ~twos)), list(_lanes(twos & ~odd)))
        for part in chosen:
            if part[0] == kernel.AIRPLANE:
                parts.append(self._with_kickers(part, part[1], loose))
        for rank in _lanes(rest >> 2 & _EACH_RANK):
            bomb = (kernel.BOMB, 1, rank, 4 << 4 * rank)
            extra = quad_price[rank] - bomb_price[rank]
            full = self._with_kickers(bomb, 2, loose, extra) if self._policy & kernel.QUADS else bomb
            cost += bomb_price[rank] if full is bomb else quad_price[rank]
            parts.append(full)
        trios = list(_lanes(odd & twos))
        while len(trios) - len(loose.solos) - len(loose.pairs) >= 3:  # two go as kickers of two others
            insort(loose.solos, trios[0])
            insort(loose.pairs, trios.pop(0))
        for rank in trios:
            cost += trio_price[rank]
            parts.append(self._with_kickers((kernel.TRIO, 1, rank, 3 << 4 * rank), 1, loose))
        for rank in loose.solos:
            cost += solo_price[rank]
            parts.append((kernel.SOLO, 1, rank, 1 << 4 * rank))
        for rank in loose.pairs:
            cost += pair_price[rank]
            parts.append((kernel.PAIR, 1, rank, 2 << 4 * rank))
        return cost, parts

    def _with_kickers(self, core: Part, need: int, loose: _Loose, above: int = 0) -> Part:
        """`core` with `need` solos or pairs out of `loose`: those that save most, if that is more than `above`."""
        kind, length, rank, cards = core
        solos = [other for other in loose.solos if not rank <= other < rank + length]
        pairs = [other for other in loose.pairs if not rank <= other < rank + length]
        saved, kickers = self._solo_kickers(solos, pairs, need)
        wings = _WINGS[kind][0]
        by_pairs = sum(self._single[1][other] for other in pairs[:need]) if len(pairs) >= need else -1
        if by_pairs > saved:
            saved, kickers = by_pairs, sum(2 << 4 * other for other in pairs[:need])
            wings = _WINGS[kind][1]
        if saved <= above:
            return core
        for other in _lanes((kickers | kickers >> 1) & _EACH_RANK):
            if other in loose.solos:
                loose.solos.remove(other)
            else:
                loose.pairs.remove(other)
                if kickers >> 4 * other & 15 == 1:
                    insort(loose.solos, other)
        return wings, length, rank, cards + kickers

    def _solo_kickers(self, solos: list[int], pairs: list[int], need: int) -> tuple[int, int]:
        """What `need` single kickers save (-1: there are too few), and the kickers; pairs fill in, whole or broken."""
        solo_price, pair_price = self._single[0], self._single[1]
        kickers = saved = 0
        for other in solos[:need]:
            kickers += 1 << 4 * other
            saved += solo_price[other]
        need -= len(solos[:need])
        for other in pairs:
            if not need:
                break
            if need > 1 and self._policy & kernel.MOST_EQUAL > 1:
                kickers += 2 << 4 * other
                saved += pair_price[other]
                need -= 2
            else:
                kickers += 1 << 4 * other
                saved += pair_price[other] - solo_price[other]
                need -= 1
        return (-1, 0) if need else (saved, kickers)


@lru_cache(maxsize=4096)
def _lanes(mask: int) -> tuple[int, ...]:
    """The lanes whose lowest bit stands in `mask`, rising."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1 >> 2)
        mask ^= low
    return tuple(found)
