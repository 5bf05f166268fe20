"""The play in integers: positions, and a quick player that plays them out.

One compiled unit with `kernel.py` (see there, and `building.py`): what stands below the line is compiled behind it, so
what it takes from there is C when compiled. Seats are *roles* here: 0 the landlord, 1 the peasant after him, 2 the
peasant before him. A position knows all hands; whoever must not know them asks only what he may (`features.encode`,
`quick`) or puts in hands that he has guessed (`Position`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING or __name__ != "cython":
    from ddz import uncompiled as cython
    from ddz.kernel import (
        _CARDS,
        _JOKERS,
        _KIND_BITS,
        _LONGEST,
        _MASK,
        _RANK_BITS,
        _SHORTEST,
        _SIZE,
        _SPREAD,
        AIRPLANE,
        AIRPLANE_PAIRS,
        AIRPLANE_SOLOS,
        BOMB,
        LANES,
        QUAD_PAIRS,
        QUAD_SOLOS,
        ROCKET,
        SOLO,
        TRIO,
        TRIO_PAIR,
        TRIO_SOLO,
        Meld,
        _covers,
        _leads,
        _meld,
        _responses,
        _starts,
        _total,
        check,
    )
    from ddz.plans import FADES, Planner, _unless_it_holds
    from ddz.playouts import _deal, _draw, _stir
# --- compiled as one unit with kernel.py from here on

ROLES: Final = 3
MOST_LEFT: Final = 20
"""The most cards that a hand holds."""
_MOVES = cython.declare(cython.ulonglong[95352])
"""Where a position's moves are listed. Another place than the kernel's own, which planning writes over."""
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


@cython.cfunc
def _word(meld: Meld | None) -> cython.ulonglong:
    """The word of a meld; 0 for a pass or for none.

    Raises:
        ValueError: there is no meld of such a kind, length and rank, or of so many cards of it.
    """
    kind: cython.int
    length: cython.int
    rank: cython.int
    cards: cython.ulonglong
    if meld is None:
        return 0
    kind, length, rank, cards = meld
    check(cards)
    if not (0 <= kind < 14 and _SHORTEST[kind] <= length <= _LONGEST[kind] and 0 <= rank < LANES):
        raise ValueError(f"there is no meld of kind {kind} and length {length} at rank {rank}")
    if _total(cards) != length * _SIZE[kind]:
        raise ValueError(f"a meld of kind {kind} and length {length} has not {_total(cards)} cards")
    return cards | _KIND_BITS[kind] | _RANK_BITS[rank]


@cython.cclass
class Position:
    """A position of the play, all hands known."""

    _policy: cython.int
    _worth: Worth
    _hands = cython.declare(cython.ulonglong[3])
    _played = cython.declare(cython.ulonglong[3])
    _last = cython.declare(cython.ulonglong[3])
    _plays = cython.declare(cython.int[3])
    _kitty: cython.ulonglong
    _top: cython.ulonglong
    _turn: cython.int
    _owner: cython.int
    _bombs: cython.int

    def __init__(self, policy: cython.int, worth: Worth) -> None:
        """An empty position; `set` or `deal` puts cards into it. `worth` is that of the same policy."""
        self._policy = policy
        self._worth = worth
        if not cython.compiled:
            self._hands, self._played, self._last, self._plays = [0] * 3, [0] * 3, [0] * 3, [0] * 3
        self._kitty = self._top = self._turn = self._owner = self._bombs = 0

    def set(
        self,
        hands: tuple[int, int, int],
        kitty: cython.ulonglong = 0,
        turn: cython.int = 0,
        top: Meld | None = None,
        owner: cython.int = 0,
        last: tuple[Meld | None, Meld | None, Meld | None] = (None, None, None),
        played: tuple[int, int, int] = (0, 0, 0),
        bombs: cython.int = 0,
    ) -> None:
        """Put up a position: packed hands, played cards and kitty, by role; melds as the kernel lists them.

        Raises:
            ValueError: the cards are no part of a deck, a hand has over 20, a meld is none, or nobody has that role.
        """
        at: cython.int
        cards: cython.ulonglong = 0
        part: cython.ulonglong
        words = cython.declare(cython.ulonglong[4])
        if not (0 <= turn < 3 and 0 <= owner < 3):
            raise ValueError(f"the roles are 0, 1 and 2, not {turn} or {owner}")
        check(kitty)
        for part in (*hands, *played):
            check(part)
            cards += part
            check(cards)  # after each, so that no lane runs over
        for at in range(3):
            words[at] = _word(last[at])
            part = hands[at]
            if _total(part) > MOST_LEFT:
                raise ValueError(f"no hand holds more than {MOST_LEFT} cards: {part:#x}")
        words[3] = _word(top)
        for at in range(3):  # nothing is changed before all is known to be right
            self._hands[at] = hands[at]
            self._played[at] = played[at]
            self._last[at] = words[at]
            self._plays[at] = 0
        self._kitty, self._turn, self._top, self._owner, self._bombs = kitty, turn, words[3], owner, bombs

    def deal(self, seed: cython.ulonglong) -> None:
        """Put up a new game out of a seed: 20, 17 and 17 cards, three of the landlord's 20 being the kitty."""
        state: cython.ulonglong = _deal(_stir((seed + 1) * _SPREAD & _MASK | 1), self._hands)
        rest: cython.ulonglong = self._hands[0]
        one: cython.ulonglong
        at: cython.int
        rank: cython.int
        pick: cython.int
        self._kitty = 0
        for at in range(3):
            self._played[at] = self._last[at] = self._plays[at] = 0
            state = _stir(state)
            pick = _draw(state, 20 - at)
            for rank in range(LANES):
                pick -= rest >> 4 * rank & 15
                if pick < 0:
                    one = 1
                    self._kitty += one << 4 * rank
                    rest -= one << 4 * rank
                    break
        self._top = self._turn = self._owner = self._bombs = 0

    def copy(self) -> Position:
        """Another position like this one."""
        other = Position(self._policy, self._worth)
        other._take(self)
        return other

    @cython.cfunc
    def _take(self, other: Position) -> cython.int:
        at: cython.int
        for at in range(3):
            self._hands[at] = other._hands[at]
            self._played[at] = other._played[at]
            self._last[at] = other._last[at]
            self._plays[at] = other._plays[at]
        self._kitty, self._top, self._turn, self._owner = other._kitty, other._top, other._turn, other._owner
        self._bombs = other._bombs
        return 0

    @property
    def hands(self) -> tuple[int, int, int]:
        """The packed hands, by role."""
        return self._hands[0], self._hands[1], self._hands[2]

    @property
    def played(self) -> tuple[int, int, int]:
        """The packed cards that each role has played."""
        return self._played[0], self._played[1], self._played[2]

    @property
    def plays(self) -> tuple[int, int, int]:
        """How many melds each role has played since the position was put up."""
        return self._plays[0], self._plays[1], self._plays[2]

    @property
    def turn(self) -> int:
        """The role to act."""
        return self._turn

    @property
    def bombs(self) -> int:
        """How many bombs and rockets have been played."""
        return self._bombs

    @property
    def winner(self) -> int:
        """The role that has gone out; -1 while nobody has."""
        at: cython.int
        for at in range(3):
            if not self._hands[at]:
                return at
        return -1

    # --- moves

    @cython.cfunc
    def _list_moves(self) -> cython.int:
        """Put the melds that may be played at _MOVES[0:]; their number. A pass is not among them."""
        kind: cython.int
        if not self._top:
            return _leads(self._hands[self._turn], self._policy, _MOVES)
        kind = self._top >> 60
        return _responses(
            self._hands[self._turn],
            kind,
            _total(self._top & _CARDS) // _SIZE[kind],
            (self._top >> 53 & 7) | (self._top >> 54 & 8),
            self._policy,
            _MOVES,
        )

    def moves(self) -> list[Meld | None]:
        """What may be played, in the kernel's order, and None last where one may pass."""
        found: list[Meld | None] = [_meld(_MOVES[at]) for at in range(self._list_moves())]
        if self._top:
            found.append(None)
        return found

    @cython.cfunc
    def _play(self, word: cython.ulonglong) -> cython.int:
        """Play a legal move; 1 if it ends the game."""
        turn: cython.int = self._turn
        self._last[turn] = word
        if word:
            self._hands[turn] -= word & _CARDS
            self._played[turn] += word & _CARDS
            self._plays[turn] += 1
            self._top, self._owner = word, turn
            if word >> 60 >= BOMB:
                self._bombs += 1
            if not self._hands[turn]:
                return 1
        self._turn = turn = (turn + 1) % 3
        if turn == self._owner:
            self._top = 0
        return 0

    def play(self, meld: Meld | None) -> None:
        """Play a meld, or pass; it must be among `moves`.

        Raises:
            ValueError: the hand does not hold it, or nobody may pass here.
        """
        word: cython.ulonglong = _word(meld)
        if not (_covers(self._hands[self._turn], word & _CARDS) if word else self._top):
            raise ValueError(f"this cannot be played here: {meld}")
        self._play(word)

    # --- a quick player

    @cython.cfunc
    @cython.exceptval(check=False)
    def _held(self, word: cython.ulonglong, unseen: cython.ulonglong, most: cython.int) -> cython.int:
        """About the chance in hundredths that a meld holds its trick, bombs left aside; 101 if nothing can beat it."""
        kind: cython.int = word >> 60
        cards: cython.int = _total(word & _CARDS)
        rank: cython.int = (word >> 53 & 7) | (word >> 54 & 8)
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
                (most < 2 or unseen & _JOKERS != _JOKERS)
                and (most < 4 or kind == BOMB or not _starts(unseen, BOMB, 1, -1))
            )
        ):
            return 101
        return _HOLDS[64 * kind + higher]

    @cython.cfunc
    def _weigh(self) -> cython.int:
        """List the moves at _MOVES[0:] and what each gains, in hundredths of a turn, at _GAINS; their number.

        A pass gains 0.
        """
        hand: cython.ulonglong = self._hands[self._turn]
        unseen: cython.ulonglong = self._hands[0] + self._hands[1] + self._hands[2] - hand
        most: cython.int = self._most()
        least: cython.int = self._least()
        now: cython.int = self._worth._plan(hand) >> 6
        partners: cython.int = self._top and self._turn and self._owner
        leave: cython.int = 0
        held: cython.int
        plan: cython.int
        at: cython.int
        n: cython.int = self._list_moves()
        if partners:
            leave = self._turn != 2 or self._held(self._top, unseen, most) > _PARTNER_HOLDS
        for at in range(n):
            if _MOVES[at] & _CARDS == hand:
                _GAINS[at] = 2 * _NEVER  # it goes out
                continue
            held = self._held(_MOVES[at], unseen, most)
            plan = self._worth._plan(hand - (_MOVES[at] & _CARDS))
            _GAINS[at] = now - (plan >> 6)
            if held > 100 and plan & 63 == 1:
                _GAINS[at] += _NEVER  # nobody can stop it, and the last meld goes out
            elif not self._top:
                _GAINS[at] += self._lead_gain(_MOVES[at], held, least)
            elif not partners:
                _GAINS[at] += (_LEAD + _DANGER[least]) * held // 100
            elif leave or _MOVES[at] >> 60 >= BOMB:
                _GAINS[at] = -_NEVER
            else:
                _GAINS[at] -= _PARTNER
            if self._turn == 2 and _MOVES[at] >> 60 <= 1:  # before the landlord, solos and pairs are played high
                _GAINS[at] += _BLOCK * ((_MOVES[at] >> 53 & 7) | (_MOVES[at] >> 54 & 8))
        return n

    @cython.cfunc
    def _lead_gain(self, word: cython.ulonglong, held: cython.int, least: cython.int) -> cython.int:
        """What a lead gains besides bringing the plan on."""
        cards: cython.int = _total(word & _CARDS)
        rank: cython.int = (word >> 53 & 7) | (word >> 54 & 8)
        gain: cython.int = _LEAD * held // 100 + _LARGER * cards - _LOWER * rank
        if word >> 60 >= BOMB:
            return gain - 60
        if cards == least and cards <= 2 and held <= 100:
            return gain - 200 + 8 * rank  # an opponent would go out
        if self._turn and cards <= 2 and cards == _total(self._hands[3 - self._turn]):
            return gain + _FEED - 3 * rank  # the partner goes out
        return gain

    @cython.cfunc
    def _quick(self) -> cython.ulonglong:
        """A sensible move, at once: the one that gains most. 0 is a pass."""
        at: cython.int
        n: cython.int = self._weigh()
        best: cython.int = 0
        choice: cython.ulonglong = 0
        for at in range(n):
            if _GAINS[at] > best or not (choice or self._top):
                best, choice = _GAINS[at], _MOVES[at]
        return choice

    @cython.cfunc
    @cython.exceptval(check=False)
    def _least(self) -> cython.int:
        """The cards of the opponent with the fewest."""
        if self._turn:
            return _total(self._hands[0])
        return min(_total(self._hands[1]), _total(self._hands[2]))

    @cython.cfunc
    @cython.exceptval(check=False)
    def _most(self) -> cython.int:
        """The cards of the opponent with the most."""
        if self._turn:
            return _total(self._hands[0])
        return max(_total(self._hands[1]), _total(self._hands[2]))

    def gains(self) -> list[int]:
        """What the quick player sees in each of `moves`, in hundredths of a turn; thousands where it ends the game."""
        found = [_GAINS[at] for at in range(self._weigh())]
        if self._top:
            found.append(0)
        return found

    def quick(self) -> Meld | None:
        """The quick player's move, from what the role to act knows; None for a pass."""
        word: cython.ulonglong = self._quick()
        return _meld(word) if word else None

    def playout(self, seed: cython.ulonglong, strays: cython.int = 0) -> tuple[int, int, int]:
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
        if not (self._hands[0] and self._hands[1] and self._hands[2]):
            raise ValueError("somebody has gone out: there is nothing left to play")
        while True:
            if strays:
                state = _stir(state)
            if strays and _draw(state, 1000) < strays:
                n = self._list_moves()
                state = _stir(state)
                pick = _draw(state, n + 1 if self._top else n)
                word = _MOVES[pick] if pick < n else 0
            else:
                word = self._quick()
            turns += 1
            if self._play(word):
                return self._turn, self._bombs, turns


COMPILED: Final = ("Position", "Worth")
"""The names that the compiled twin takes over."""

if not cython.compiled:
    from ddz import compiled

    compiled.take_over(globals(), COMPILED)
