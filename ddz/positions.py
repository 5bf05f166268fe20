"""The play as integers: positions, a quick player for playouts, and what a network is told of a position.

One compiled unit with `kernel.py` (see there, and `building.py`): what stands below the line is compiled behind it, so
what it takes from there is C when compiled. Seats are *roles* here: 0 the landlord, 1 the peasant after him, 2 the
peasant before him. A position knows all hands; whoever must not know them asks only what he may (`encode`, `quick`)
or puts in hands that he has guessed (`Position`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING or __name__ != "cython":
    from array import array

    from ddz import uncompiled as cython
    from ddz.kernel import (
        _CARDS,
        _JOKERS,
        _KIND_BITS,
        _MASK,
        _RANK_BITS,
        _SIZE,
        _SPREAD,
        AIRPLANE,
        AIRPLANE_PAIRS,
        AIRPLANE_SOLOS,
        BLACK_JOKER,
        BOMB,
        FADES,
        LANES,
        QUAD_PAIRS,
        QUAD_SOLOS,
        ROCKET,
        SOLO,
        TRIO,
        TRIO_PAIR,
        TRIO_SOLO,
        Meld,
        Planner,
        _covers,
        _deal,
        _draw,
        _leads,
        _meld,
        _responses,
        _starts,
        _stir,
        _total,
        _unless_it_holds,
        check,
    )
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
        """The least cost found for `hand`, in hundredths of a turn: `kernel.value` with its sign turned."""
        return self._plan(hand) >> 6

    def melds(self, hand: cython.ulonglong) -> int:
        """How many melds the plan of that cost has."""
        return self._plan(hand) & 63


# --- what a network is told, as the indices of the inputs that are 1

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
@cython.exceptval(check=False)
def _card_inputs(cards: cython.ulonglong, first: cython.int, inputs: cython.p_ushort, n: cython.int) -> cython.int:
    """Put the inputs of packed cards, a block that begins at `first`, at inputs[n:]; how many there are then."""
    rank: cython.int
    count: cython.int
    at: cython.int
    for rank in range(LANES):
        count = cards >> 4 * rank & 15
        for at in range(count):
            inputs[n] = first + (4 * rank + at if rank < BLACK_JOKER else 39 + rank)
            n += 1
    return n


@cython.cfunc
@cython.exceptval(check=False)
def _meld_inputs(word: cython.ulonglong, first: cython.int, inputs: cython.p_ushort, n: cython.int) -> cython.int:
    """Put the inputs of a meld's kind, rank and length at inputs[n:]; how many there are then."""
    kind: cython.int = word >> 60
    inputs[n] = first + kind
    inputs[n + 1] = first + 14 + ((word >> 53 & 7) | (word >> 54 & 8))
    inputs[n + 2] = first + 29 + _total(word & _CARDS) // _SIZE[kind]
    return n + 3


@cython.cfunc
def _word(meld: Meld | None) -> cython.ulonglong:
    """The word of a meld; 0 for a pass or for none."""
    kind: cython.int
    rank: cython.int
    cards: cython.ulonglong
    if meld is None:
        return 0
    kind, rank, cards = meld[0], meld[2], meld[3]
    return cards | _KIND_BITS[kind] | _RANK_BITS[rank]


@cython.cclass
class Position:
    """A position of the play, all hands known."""

    _policy: cython.int
    _worth: Worth
    _hands = cython.declare(cython.ulonglong[3])
    _played = cython.declare(cython.ulonglong[3])
    _last = cython.declare(cython.ulonglong[3])
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
            self._hands, self._played, self._last = [0] * 3, [0] * 3, [0] * 3
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
            ValueError: a hand is no part of a deck, or nobody has that role.
        """
        at: cython.int
        if not (0 <= turn < 3 and 0 <= owner < 3):
            raise ValueError(f"the roles are 0, 1 and 2, not {turn} or {owner}")
        for at in range(3):
            check(hands[at])
            self._hands[at] = hands[at]
            self._played[at] = played[at]
            self._last[at] = _word(last[at])
        self._kitty, self._turn, self._top, self._owner, self._bombs = kitty, turn, _word(top), owner, bombs

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
            self._played[at] = self._last[at] = 0
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
        """
        state: cython.ulonglong = _stir((seed + 1) * _SPREAD & _MASK | 1)
        word: cython.ulonglong
        n: cython.int
        pick: cython.int
        turns: cython.int = 0
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

    # --- what a network is told

    def encode(self) -> tuple[bytes, bytes, int]:
        """What a network is told: the state's inputs, the choices' inputs in the order of `moves`, and their number.

        Inputs are 16-bit numbers in the machine's order, padded with the number of inputs: STATE_SLOTS of the state,
        CHOICE_SLOTS of each choice. Of the hidden cards only their sum enters.
        """
        turn: cython.int = self._turn
        after: cython.int = (turn + 1) % 3
        before: cython.int = (turn + 2) % 3
        hand: cython.ulonglong = self._hands[turn]
        unseen: cython.ulonglong = self._hands[after] + self._hands[before]
        at: cython.int
        n: cython.int = self._state_inputs(turn, after, before)
        word: cython.ulonglong
        most: cython.int = self._most()
        choices: cython.int = self._list_moves()
        for at in range(n, _STATE_SLOTS):
            _INPUTS[at] = _STATE_INPUTS
        if choices > 4000:
            raise ValueError(f"{choices} moves are more than any hand has")
        for at in range(choices + 1 if self._top else choices):
            word = _MOVES[at] if at < choices else 0
            self._choice_inputs(word, hand, unseen, most, _STATE_SLOTS + at * _CHOICE_SLOTS)
        if self._top:
            choices += 1
        n = _STATE_SLOTS + choices * _CHOICE_SLOTS
        if cython.compiled:
            told: bytes = cython.cast(cython.p_char, _INPUTS)[: 2 * n]
        else:
            told = array("H", _INPUTS[:n]).tobytes()
        return told[: 2 * STATE_SLOTS], told[2 * STATE_SLOTS :], choices

    @cython.cfunc
    def _state_inputs(self, turn: cython.int, after: cython.int, before: cython.int) -> cython.int:
        first: cython.int = 0
        rank: cython.int
        kept: cython.ulonglong = 0
        had: cython.int
        gone: cython.int
        n: cython.int = 0
        for rank in range(LANES):
            had = self._kitty >> 4 * rank & 15
            gone = self._played[0] >> 4 * rank & 15
            if had > gone:
                kept += cython.cast(cython.ulonglong, had - gone) << 4 * rank
        n = _card_inputs(self._hands[turn], 0, _INPUTS, n)
        n = _card_inputs(self._hands[after] + self._hands[before], _CARD_INPUTS, _INPUTS, n)
        n = _card_inputs(self._played[turn], 2 * _CARD_INPUTS, _INPUTS, n)
        n = _card_inputs(self._played[after], 3 * _CARD_INPUTS, _INPUTS, n)
        n = _card_inputs(self._played[before], 4 * _CARD_INPUTS, _INPUTS, n)
        n = _card_inputs(self._last[before] & _CARDS, 5 * _CARD_INPUTS, _INPUTS, n)
        n = _card_inputs(self._last[after] & _CARDS, 6 * _CARD_INPUTS, _INPUTS, n)
        n = _card_inputs(kept, 7 * _CARD_INPUTS, _INPUTS, n)
        first = 8 * _CARD_INPUTS
        if self._top:
            n = _meld_inputs(self._top, first, _INPUTS, n)
        first += _MELD_INPUTS
        _INPUTS[n] = first + _total(self._hands[after])
        _INPUTS[n + 1] = first + 21 + _total(self._hands[before])
        first += 42
        _INPUTS[n + 2] = first + min(self._bombs, 5)
        first += 6
        _INPUTS[n + 3] = first + min(self._worth._plan(self._hands[turn]) & 63, 11)
        first += 12
        _INPUTS[n + 4] = first + (0 if not self._top else 1 if self._owner == after else 2)
        return n + 5

    @cython.cfunc
    def _choice_inputs(
        self, word: cython.ulonglong, hand: cython.ulonglong, unseen: cython.ulonglong, most: cython.int, n: cython.int
    ) -> cython.int:
        """Put the inputs of one choice, a move of `hand`, at _INPUTS[n:], and pad them."""
        end: cython.int = n + _CHOICE_SLOTS
        rest: cython.ulonglong = hand - (word & _CARDS)
        plan: cython.int = self._worth._plan(rest) if rest else 0
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
            held = self._held(word, unseen, most)
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


COMPILED: Final = ("Position", "Worth")
"""The names that the compiled twin takes over."""

if not cython.compiled:
    from ddz import compiled

    twin = compiled.twin()
    if twin is not None:
        globals().update({name: getattr(twin, name) for name in COMPILED})
