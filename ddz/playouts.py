"""Whole games in integers: dealt and played by chance, or played by a script and held to the law.

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
        _LANE_OF,
        _LONGEST,
        _MASK,
        _ONES,
        _RANK_BITS,
        _SHORTEST,
        _SIZE,
        _SPREAD,
        _STIR,
        _WHOLE_DECK,
        _WORDS,
        AIRPLANE,
        AIRPLANE_PAIRS,
        AIRPLANE_SOLOS,
        BLACK_JOKER,
        BOMB,
        CHAIN,
        LANES,
        PAIR,
        PAIR_CHAIN,
        QUAD_PAIRS,
        QUAD_SOLOS,
        RED_JOKER,
        ROCKET,
        SOLO,
        TRIO,
        TRIO_PAIR,
        TRIO_SOLO,
        TWO,
        PackedMeld,
        _above,
        _at_least,
        _covers,
        _list,
        _rank,
        _starts,
        _total,
        check,
    )
# --- compiled as one unit with kernel.py from here on


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _stir(state: cython.ulonglong) -> cython.ulonglong:
    """The next state of the generator xorshift64* (Marsaglia 2003, Vigna 2016)."""
    state ^= state >> 12
    state ^= state << 25 & _MASK
    return state ^ state >> 27


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _draw(state: cython.ulonglong, n: cython.ulonglong) -> cython.int:
    """A number from 0 to n - 1 out of a state; uneven by less than n in 2^32."""
    return ((state * _STIR & _MASK) >> 32) * n >> 32


@cython.cfunc
@cython.exceptval(check=False)
def _deal(state: cython.ulonglong, hands: cython.p_ulonglong) -> cython.ulonglong:
    """Deal 20, 17 and 17 cards to hands[0:3]; the generator's next state."""
    deck = cython.declare(cython.ulonglong[54])
    one: cython.ulonglong = 1
    at: cython.int
    other: cython.int
    for at in range(52):
        deck[at] = one << 4 * (at >> 2)
    deck[52] = one << 4 * BLACK_JOKER
    deck[53] = one << 4 * RED_JOKER
    hands[1] = hands[2] = 0
    for at in range(34):
        state = _stir(state)
        other = at + _draw(state, 54 - at)
        one = deck[other]
        deck[other] = deck[at]
        hands[1 + at % 2] += one
    hands[0] = _WHOLE_DECK - hands[1] - hands[2]
    return state


# A move of a random game is drawn without a list where counting is enough: the melds that `_leads` and `_responses`
# would list, in their order. What carries two kickers or more is listed.


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _count(lanes: cython.ulonglong) -> cython.int:
    """How many lanes have their lowest bit set."""
    return (lanes - 1) % 15 + 1 if lanes else 0


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _nth(lanes: cython.ulonglong, n: cython.int) -> cython.ulonglong:
    """The lowest bit of the n-th lane, from 0 on, that has it set."""
    while n:
        lanes &= lanes - 1
        n -= 1
    return lanes & (~lanes + 1)


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _built(kind: cython.int, length: cython.int, low: cython.ulonglong, kickers: cython.ulonglong) -> cython.ulonglong:
    """The word of a meld whose lowest core rank is the lane of the bit `low`."""
    core: cython.ulonglong = _COPIES[kind] * low * (_ONES >> 4 * (LANES - length))
    return (core + kickers) | _KIND_BITS[kind] | _RANK_BITS[_LANE_OF[low % 61]]


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _runs(ranks: cython.ulonglong, length: cython.int) -> cython.ulonglong:
    """Where runs of `length` (2, 3 or 5) of `ranks`, up to the ace, begin."""
    run: cython.ulonglong
    ranks &= _ONES >> 4 * (LANES - TWO)
    run = ranks & ranks >> 4
    if length > 2:
        run &= ranks >> 8
    return run & run >> 8 if length > 3 else run


@cython.cfunc
@cython.exceptval(check=False)
def _count_runs(ranks: cython.ulonglong, length: cython.int) -> cython.int:
    """How many runs of `length` (2, 3 or 5) and more there are."""
    run: cython.ulonglong = _runs(ranks, length)
    n: cython.int = 0
    while run:
        n += _count(run)
        run &= ranks >> 4 * length & _ONES >> 4 * (LANES - TWO + length)
        length += 1
    return n


@cython.cfunc
@cython.exceptval(check=False)
def _nth_run(kind: cython.int, ranks: cython.ulonglong, length: cython.int, n: cython.int) -> cython.ulonglong:
    """The n-th of them, by length and rank, as the word of a meld."""
    run: cython.ulonglong = _runs(ranks, length)
    while n >= _count(run):
        n -= _count(run)
        run &= ranks >> 4 * length & _ONES >> 4 * (LANES - TWO + length)
        length += 1
    return _built(kind, length, _nth(run, n), 0)


@cython.cfunc
@cython.exceptval(check=False)
def _list_wide(
    hand: cython.ulonglong, policy: cython.int, trios: cython.ulonglong, fours: cython.ulonglong
) -> cython.int:
    """Put the leads that carry two kickers or more at _WORDS[0:]; their number."""
    length: cython.int
    n: cython.int = 0
    if _runs(trios, 2):
        for length in range(2, _LONGEST[AIRPLANE_SOLOS] + 1):
            n = _list(hand, AIRPLANE_SOLOS, length, -1, policy, _WORDS, n)
        for length in range(2, _LONGEST[AIRPLANE_PAIRS] + 1):
            n = _list(hand, AIRPLANE_PAIRS, length, -1, policy, _WORDS, n)
    if fours:
        n = _list(hand, QUAD_SOLOS, 1, -1, policy, _WORDS, n)
        n = _list(hand, QUAD_PAIRS, 1, -1, policy, _WORDS, n)
    return n


@cython.cfunc
@cython.exceptval(check=False)
def _draw_lead(hand: cython.ulonglong, policy: cython.int, state: cython.ulonglong) -> cython.ulonglong:
    """One of the melds that `_leads` lists."""
    ones: cython.ulonglong = _at_least(hand, 1)
    twos: cython.ulonglong = _at_least(hand, 2)
    trios: cython.ulonglong = _at_least(hand, 3) if twos else twos
    fours: cython.ulonglong = _at_least(hand, 4) if trios else trios
    solo: cython.int = _count(ones)
    pair: cython.int = _count(twos)
    trio: cython.int = _count(trios)
    four: cython.int = _count(fours)
    chains: cython.int = _count_runs(ones, 5)
    double: cython.int = _count_runs(twos, 3)
    planes: cython.int = _count_runs(trios, 2) if trio else 0
    wide: cython.int = _list_wide(hand, policy, trios, fours) if trio else 0
    # a trio goes alone, with each other solo, or with each other pair
    n: cython.int = solo + pair + trio * (solo + pair - 1) + chains + double + planes + wide + four
    low: cython.ulonglong
    n = _draw(state, n + 1 if hand & _JOKERS == _JOKERS else n)
    if n < solo:
        return _built(SOLO, 1, _nth(ones, n), 0)
    n -= solo
    if n < pair:
        return _built(PAIR, 1, _nth(twos, n), 0)
    n -= pair
    if n < trio:
        return _built(TRIO, 1, _nth(trios, n), 0)
    n -= trio
    if n < trio * (solo - 1):
        low = _nth(trios, n // (solo - 1))
        return _built(TRIO_SOLO, 1, low, _nth(ones ^ low, n % (solo - 1)))
    n -= trio * (solo - 1)
    if n < trio * (pair - 1):
        low = _nth(trios, n // (pair - 1))
        return _built(TRIO_PAIR, 1, low, 2 * _nth(twos ^ low, n % (pair - 1)))
    n -= trio * (pair - 1)
    if n < chains:
        return _nth_run(CHAIN, ones, 5, n)
    n -= chains
    if n < double:
        return _nth_run(PAIR_CHAIN, twos, 3, n)
    n -= double
    if n < planes:
        return _nth_run(AIRPLANE, trios, 2, n)
    n -= planes
    if n < wide:
        return _WORDS[n]
    n -= wide
    return _built(BOMB, 1, _nth(fours, n), 0) if n < four else _JOKERS | _KIND_BITS[ROCKET] | _RANK_BITS[BLACK_JOKER]


@cython.cfunc
@cython.exceptval(check=False)
def _draw_response(
    hand: cython.ulonglong, top: cython.ulonglong, policy: cython.int, state: cython.ulonglong
) -> cython.ulonglong:
    """One of the melds that `_responses` lists, or 0 for a pass."""
    kind: cython.int = top >> 60
    rank: cython.int = _rank(top)
    length: cython.int = 1
    starts: cython.ulonglong = 0
    kickers: cython.ulonglong = 0
    fours: cython.ulonglong = _at_least(hand, 4)
    each: cython.int = 1  # melds with the same core
    melds: cython.int
    four: cython.int = _count(fours) if kind != BOMB else 0
    n: cython.int
    if kind == ROCKET:
        return 0
    if kind <= TRIO_PAIR or kind == BOMB:
        starts = _at_least(hand, _COPIES[kind]) >> 4 * rank >> 4 << 4 * rank << 4
        if kind in (TRIO_SOLO, TRIO_PAIR):
            kickers = _at_least(hand, 1 if kind == TRIO_SOLO else 2)
            each = _count(kickers) - 1
        melds = _count(starts) * each
    else:
        length = _total(top & _CARDS) // _SIZE[kind]
        if kind <= AIRPLANE:
            starts = _starts(hand, kind, length, rank)
            melds = _count(starts)
        else:
            melds = _list(hand, kind, length, rank, policy, _WORDS, 0)
    n = _draw(state, melds + four + (2 if hand & _JOKERS == _JOKERS else 1))
    if n < melds:
        if not starts:
            return _WORDS[n]
        starts = _nth(starts, n // each)
        if kickers:
            kickers = _nth(kickers ^ starts, n % each) * (1 if kind == TRIO_SOLO else 2)
        return _built(kind, length, starts, kickers)
    n -= melds
    if n < four:
        return _built(BOMB, 1, _nth(fours, n), 0)
    return _JOKERS | _KIND_BITS[ROCKET] | _RANK_BITS[BLACK_JOKER] if n == four and hand & _JOKERS == _JOKERS else 0


def random_games(games: cython.int, seed: cython.ulonglong, policy: cython.int) -> tuple[int, int]:
    """Deal and play `games` games in which every choice is even among the legal ones: (won by the landlord, turns).

    Seat 0 is the landlord, with 20 cards. Game i of a seed is game 0 of the seed + i.
    """
    hands = cython.declare(cython.ulonglong[3])
    state: cython.ulonglong
    top: cython.ulonglong
    word: cython.ulonglong
    game: cython.int
    seat: cython.int
    owner: cython.int
    won: cython.longlong = 0
    turns: cython.longlong = 0
    for game in range(games):
        state = _stir((seed + game + 1) * _SPREAD & _MASK | 1)
        state = _deal(state, hands)
        seat = owner = top = 0
        while True:
            state = _stir(state)
            turns += 1
            word = _draw_response(hands[seat], top, policy, state) if top else _draw_lead(hands[seat], policy, state)
            if word:
                top = word
                owner = seat
                hands[seat] -= word & _CARDS
                if not hands[seat]:
                    break
            seat = (seat + 1) % 3
            if seat == owner:
                top = 0
        won += seat == 0
    return won, turns


def follow(
    hands: tuple[int, int, int], turn: cython.int, melds: list[PackedMeld | None], policy: cython.int
) -> tuple[int, int | None]:
    """Play a script by the law: (how many of its turns are legal in order, the seat that has gone out or None).

    `hands` are packed, `turn` is the seat that leads, each of `melds` is a meld or None for a pass; whatever stands
    behind the turn that ends the game is not legal.

    Raises:
        ValueError: a hand is no part of a deck, there are not three, or `turn` is no seat.
    """
    held = cython.declare(cython.ulonglong[3])
    cards: cython.ulonglong
    kind: cython.int
    length: cython.int
    rank: cython.int
    at: cython.int
    n: cython.int
    done: cython.int = 0
    owner: cython.int = turn
    top_kind: cython.int = -1
    top_length: cython.int = 0
    top_rank: cython.int = 0
    if len(hands) != 3 or not 0 <= turn < 3:
        raise ValueError(f"there are three seats, 0 to 2: {len(hands)} hands, and {turn} leads")
    for at in range(3):
        check(hands[at])
        held[at] = hands[at]
    for meld in melds:
        if meld is None:
            if top_kind < 0:
                return done, None
        else:
            kind, length, rank, cards = meld
            if not (0 <= kind < 14 and _SHORTEST[kind] <= length <= _LONGEST[kind] and 0 <= rank < LANES):
                return done, None
            if not _covers(held[turn], cards) or length * _SIZE[kind] != _total(cards):
                return done, None
            if top_kind >= 0 and (
                rank <= _above(top_kind, top_rank, kind) or (kind == top_kind and length != top_length)
            ):
                return done, None
            n = _list(cards, kind, length, rank - 1, policy, _WORDS, 0)
            if not n or _WORDS[0] != (cards | _KIND_BITS[kind] | _RANK_BITS[rank]):
                return done, None
            held[turn] -= cards
            owner, top_kind, top_length, top_rank = turn, kind, length, rank
        done += 1
        if not held[turn]:
            return done, turn
        turn = (turn + 1) % 3
        if turn == owner:
            top_kind = -1
    return done, None


COMPILED: Final = ("random_games", "follow")
"""The names that the compiled twin takes over."""

if not cython.compiled:
    from ddz import compiled

    compiled.take_over(globals(), COMPILED)
