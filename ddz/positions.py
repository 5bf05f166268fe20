"""The play in integers: a position, what may be played in it, and what comes of it.

One compiled unit with `kernel.py` (see there, and `building.py`): what stands below the line is compiled behind it, so
what it takes from there is C when compiled. Seats are *roles* here: 0 the landlord, 1 the peasant after him, 2 the
peasant before him. A position knows all hands; whoever must not know them asks only what he may (`features.encode`,
`quickplay.quick_move`) or puts in hands that he has guessed (`Position`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING or __name__ != "cython":
    from ddz import uncompiled as cython
    from ddz.kernel import (
        _CARDS,
        _KIND_BITS,
        _LONGEST,
        _MASK,
        _RANK_BITS,
        _SHORTEST,
        _SIZE,
        _SPREAD,
        BOMB,
        LANES,
        PackedMeld,
        _covers,
        _leads,
        _meld,
        _rank,
        _responses,
        _total,
        check,
    )
    from ddz.plans import Worth
    from ddz.playouts import _deal, _draw, _stir
# --- compiled as one unit with kernel.py from here on

ROLES: Final = 3
MOST_LEFT: Final = 20
"""The most cards that a hand holds."""
_MOVES = cython.declare(cython.ulonglong[95352])
"""Where a position's moves are listed. Another place than the kernel's own, which planning writes over."""


@cython.cfunc
def _word(meld: PackedMeld | None) -> cython.ulonglong:
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
        top: PackedMeld | None = None,
        owner: cython.int = 0,
        last: tuple[PackedMeld | None, PackedMeld | None, PackedMeld | None] = (None, None, None),
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
            _rank(self._top),
            self._policy,
            _MOVES,
        )

    def moves(self) -> list[PackedMeld | None]:
        """What may be played, in the kernel's order, and None last where one may pass."""
        found: list[PackedMeld | None] = [_meld(_MOVES[at]) for at in range(self._list_moves())]
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

    def play(self, meld: PackedMeld | None) -> None:
        """Play a meld, or pass; it must be among `moves`.

        Raises:
            ValueError: the hand does not hold it, or nobody may pass here.
        """
        word: cython.ulonglong = _word(meld)
        if not (_covers(self._hands[self._turn], word & _CARDS) if word else self._top):
            raise ValueError(f"this cannot be played here: {meld}")
        self._play(word)


COMPILED: Final = ("Position",)
"""The names that the compiled twin takes over."""

if not cython.compiled:
    from ddz import compiled

    compiled.take_over(globals(), COMPILED)
