"""Every difference between our presets and the peers that is known, each with its reason and how to recognise it.

A row says exactly what it expects: `differing` gives the moves on which the two lists differ at a position, no more and
no fewer. So an unlisted difference fails a test, and so does a listed one that does not show where it should.
"""

from collections.abc import Callable
from dataclasses import dataclass

from ddz import kernel
from ddz.kernel import (
    AIRPLANE,
    AIRPLANE_SOLOS,
    BOMB,
    CHAIN,
    LANES,
    PAIR_CHAIN,
    QUAD_SOLOS,
    ROCKET,
)
from ddz.rules import PRESETS

from .positions import Move, Reading, TurnToAct, most_equal_kickers


@dataclass(frozen=True)
class Listed:
    """A named difference."""

    name: str
    peer: str
    reason: str


@dataclass(frozen=True)
class MovesDiffer(Listed):
    """The legal moves differ."""

    differing: Callable[[TurnToAct], frozenset[Move]]
    """The moves that one side lists and the other does not; empty where this exception has no part."""


@dataclass(frozen=True)
class MovesRepeat(Listed):
    """The peer lists the same move more than once."""

    repeats: Callable[[TurnToAct, Move], bool]


@dataclass(frozen=True)
class Printed:
    """A finished game of OpenSpiel's and the hands that it prints of it."""

    first_voice: int
    hands: tuple[int, int, int]
    """The hands as dealt, the landlord's with the kitty."""
    kitty: int
    landlord: int
    turns: int
    """Bids, plays and passes."""
    printed: tuple[int, int, int] | None
    """By seat; None where it refused to print."""


@dataclass(frozen=True)
class PrintsDiffer(Listed):
    """A finished game is printed with hands that nobody held, or not at all."""

    recognises: Callable[[Printed], bool]


@dataclass(frozen=True)
class DetectorDiffers(Listed):
    """The peer's detector of melds and its generator of moves disagree about a card set."""

    recognises: Callable[[int], bool]


# OpenSpiel


def _chains_from_four(position: TurnToAct) -> frozenset[Move]:
    """Chains, pair chains and airplanes without kickers whose lowest rank is in hand four times: never listed."""
    return frozenset(
        reading
        for reading in position.answers()
        if reading[0] in (CHAIN, PAIR_CHAIN, AIRPLANE) and kernel.lane(position.hand, reading[2]) == 4
    )


def _bombs_on_the_rocket(position: TurnToAct) -> frozenset[Move]:
    """Every bomb in hand, where the rocket is to be beaten: listed."""
    if position.top is None or position.top[0] != ROCKET:
        return frozenset()
    return frozenset(position.melds(BOMB, 1))


def _under_wrong_seats(game: Printed) -> bool:
    """The hands of 17 stand `first_voice` seats too far on; the kitty stands with the landlord."""
    dealt = [hand - (game.kitty if seat == game.landlord else 0) for seat, hand in enumerate(game.hands)]
    shown = [dealt[(seat - game.first_voice) % 3] for seat in range(3)]
    shown[game.landlord] += game.kitty
    return game.first_voice != 0 and game.printed == tuple(shown)


def _too_short_to_print(game: Printed) -> bool:
    return game.printed is None and game.turns < 3


# DouZero


def trios(cards: int) -> list[int]:
    """The lanes that hold exactly three cards."""
    return [rank for rank in range(LANES) if kernel.lane(cards, rank) == 3]


def _unread(top: Reading | None) -> bool:
    """An airplane+solos that the detector calls no meld: four equal kickers, or three beside four trios or more."""
    if top is None or top[0] != AIRPLANE_SOLOS:
        return False
    most = most_equal_kickers(top)
    return most == 4 or (most == 3 and top[1] >= 4)


def _read_as_airplane(top: Reading | None) -> bool:
    """An airplane+solos whose kickers are a trio that makes its trios one airplane more."""
    if top is None or top[0] != AIRPLANE_SOLOS or top[1] != 3 or len(trios(top[3])) != 4:
        return False
    first = trios(top[3])[0]
    return top[3] == kernel.block(3, first, 4) and first + 3 < kernel.TWO


def _cards(readings: frozenset[Reading]) -> frozenset[Move]:
    return frozenset(cards for _, _, _, cards in readings)


def _nothing_answers_an_unread_airplane(position: TurnToAct) -> frozenset[Move]:
    """All our airplane+solos are missing; bombs and the rocket are not."""
    if not _unread(position.top):
        return frozenset()
    return _cards(frozenset(reading for reading in position.answers() if reading[0] == AIRPLANE_SOLOS))


def _airplane_of_four(position: TurnToAct) -> frozenset[Move]:
    """Answers to an airplane of four, where an airplane+solos was played."""
    if not _read_as_airplane(position.top):
        return frozenset()
    assert position.top is not None
    ours = frozenset(reading for reading in position.answers() if reading[0] == AIRPLANE_SOLOS)
    first = trios(position.top[3])[0]
    theirs = frozenset(reading for reading in position.melds(AIRPLANE, 4) if reading[2] > first)
    return _cards(ours) ^ _cards(theirs)


def _kicker_trio_as_rank(position: TurnToAct) -> frozenset[Move]:
    """Airplane+solos are compared by their highest trio, be it a kicker."""
    top = position.top
    if top is None or top[0] != AIRPLANE_SOLOS or _unread(top) or _read_as_airplane(top):
        return frozenset()
    ours = frozenset(reading for reading in position.answers() if reading[0] == AIRPLANE_SOLOS)
    every = position.melds(AIRPLANE_SOLOS, top[1])
    theirs = frozenset(reading for reading in every if max(trios(reading[3])) > max(trios(top[3])))
    return _cards(ours) ^ _cards(theirs)


def _listed_twice(position: TurnToAct, move: Move) -> bool:
    """Cards that are an airplane+solos or a quad+solos to our kernel: the generator chooses kickers card by card."""
    assert isinstance(move, int)
    return any(kind in (AIRPLANE_SOLOS, QUAD_SOLOS) for kind, _, _ in kernel.readings(move, position.policy))


def _generated_and_not_detected(cards: int) -> bool:
    if len(trios(cards)) < 4:
        return False
    every = kernel.readings(cards, PRESETS["douzero"].kickers.code)
    return bool(every) and all(_unread((*shape, cards)) for shape in every)


def _two_quads(cards: int) -> bool:
    """`33334444`: quad+pairs to the detector, nothing to the generator."""
    counts = [kernel.lane(cards, rank) for rank in range(LANES)]
    return sorted(counts)[-3:] == [0, 4, 4]


def _not_melds(cards: int) -> bool:
    """Four and one of another rank (`33334`), or four trios, three of them in a row, with other cards that fit nothing.

    A bomb among the other cards is the one thing that the detector refuses.
    """
    counts = [kernel.lane(cards, rank) for rank in range(LANES)]
    if sorted(counts)[-2:] == [1, 4] and sum(counts) == 5:
        return True
    ranks = trios(cards)
    in_a_row = any(third - first == 2 and third < kernel.TWO for first, third in zip(ranks, ranks[2:], strict=False))
    if len(ranks) != 4 or not in_a_row or max(counts) != 3:
        return False
    return not kernel.readings(cards, PRESETS["literal"].kickers.code)


CHAINS_FROM_FOUR = MovesDiffer(
    "chains-from-four",
    "openspiel",
    "its search for chains skips a first rank that is held four times, so 34567 is not found in 33334567",
    _chains_from_four,
)
BOMBS_ON_THE_ROCKET = MovesDiffer(
    "bombs-on-the-rocket",
    "openspiel",
    "it adds the bombs in hand before it asks whether the top is the rocket, which beats everything",
    _bombs_on_the_rocket,
)
UNDER_WRONG_SEATS = PrintsDiffer(
    "hands-under-wrong-seats",
    "openspiel",
    "it prints a finished game's hands as many seats on as the first voice is from seat 0, though it dealt from seat 0",
    _under_wrong_seats,
)
TOO_SHORT_TO_PRINT = PrintsDiffer(
    "too-short-to-print",
    "openspiel",
    "it refuses to print a finished game of fewer than three bids and plays: it takes the deal for unfinished",
    _too_short_to_print,
)
UNREAD_AIRPLANES = MovesDiffer(
    "unread-airplanes",
    "douzero",
    "its detector calls an airplane of four or more trios with three equal kickers, and any with four equal kickers, "
    "no meld, though its generator plays them; then only a bomb or the rocket answers",
    _nothing_answers_an_unread_airplane,
)
AIRPLANES_OF_FOUR = MovesDiffer(
    "airplanes-of-four",
    "douzero",
    "it keeps no reading: 333444555666 played as three trios with 666 or 333 is answered as an airplane of four",
    _airplane_of_four,
)
KICKER_TRIO_AS_RANK = MovesDiffer(
    "kicker-trio-as-rank",
    "douzero",
    "it compares airplane+solos by the highest rank that is there three times, though that may be a trio of kickers",
    _kicker_trio_as_rank,
)
LISTED_TWICE = MovesRepeat(
    "listed-twice",
    "douzero",
    "it chooses single kickers card by card and drops only repeats that stand side by side, and an airplane that is "
    "an airplane+solos too is listed as both",
    _listed_twice,
)
GENERATED_NOT_DETECTED = DetectorDiffers(
    "generated-not-detected",
    "douzero",
    "its detector calls airplane+solos with such kickers no meld (see unread-airplanes), its generator plays them",
    _generated_and_not_detected,
)
TWO_QUADS_DETECTED = DetectorDiffers(
    "two-quads-detected",
    "douzero",
    "its detector takes two bombs for a quad with two pairs, its generator never plays them so",
    _two_quads,
)
NOT_MELDS_DETECTED = DetectorDiffers(
    "not-melds-detected",
    "douzero",
    "its detector takes 33334 for a trio with a pair, and four trios with three in a row for an airplane+solos "
    "whatever else is there; its generator makes neither",
    _not_melds,
)

TABLE: tuple[Listed, ...] = (
    CHAINS_FROM_FOUR,
    BOMBS_ON_THE_ROCKET,
    UNDER_WRONG_SEATS,
    TOO_SHORT_TO_PRINT,
    UNREAD_AIRPLANES,
    AIRPLANES_OF_FOUR,
    KICKER_TRIO_AS_RANK,
    LISTED_TWICE,
    GENERATED_NOT_DETECTED,
    TWO_QUADS_DETECTED,
    NOT_MELDS_DETECTED,
)


def listed(peer: str, kind: type[Listed]) -> list:
    """The exceptions of one peer and one kind."""
    return [row for row in TABLE if row.peer == peer and isinstance(row, kind)]
