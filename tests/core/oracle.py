"""Melds again, straight from the words of rules.md A and B1, by brute force; no twin of `ddz.kernel`.

Cards are strings of rank letters. Nothing is imported from ddz, nothing is packed, and nothing is clever: every way
to split cards into a core and its kickers is written down (`Split`), and the knobs are asked afterwards (`allows`).
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations_with_replacement

ORDER = "3456789TJQKA2BR"
"""Low to high."""
IN_SEQUENCES = "3456789TJQKA"
"""2 and the jokers are never part of a chain, a pair chain or the trios of an airplane."""
IN_SETS = IN_SEQUENCES + "2"
"""The ranks of which there are four."""
DECK = Counter(dict.fromkeys(IN_SETS, 4) | {"B": 1, "R": 1})
LARGEST = 20
KINDS = [
    *("solo", "pair", "trio", "trio+solo", "trio+pair", "chain", "pair-chain"),
    *("airplane", "airplane+solos", "airplane+pairs", "quad+solos", "quad+pairs", "bomb", "rocket"),
]
"""As rules.md lists them, the bomb and the rocket last."""


@dataclass(frozen=True)
class Knobs:
    """The rows of the table in rules.md C that decide about kickers, in the words of the table."""

    kicker_of_a_core_rank: bool
    """In airplanes only, where it is allowed at all."""
    most_equal_solo_kickers: int
    two_equal_pairs: bool
    both_jokers: bool
    a_trio_next_to_the_trios: bool
    quad_melds: bool


TABLE = {
    #                  core rank, equal, equal pairs, jokers, trio beside, quad+
    "classic": Knobs(False, 4, True, True, True, True),
    "literal": Knobs(True, 4, True, True, True, True),
    "rlcard": Knobs(False, 3, False, False, False, True),
    "openspiel": Knobs(False, 3, False, False, True, False),
    "douzero": Knobs(False, 4, False, True, True, True),
    "pagat": Knobs(False, 1, False, False, False, True),  # its "-": no three equal kickers anyway
}
"""rules.md C, a preset a line."""


@dataclass(frozen=True)
class Split:
    """One way to see cards: a kind, the ranks of its core, and what is left beside the core."""

    kind: str
    core: str
    """The ranks of the core, low to high, each once."""
    kickers: str
    """Sorted low to high."""

    @property
    def reading(self) -> tuple[str, str, int]:
        """(kind, lowest core rank, number of core ranks)."""
        return self.kind, self.core[0], len(self.core)


def ordered(cards: str) -> str:
    """The same cards, low to high."""
    return "".join(sorted(cards, key=ORDER.index))


def repeated(core: str, each: int) -> str:
    """So many cards of each rank of a core, low to high."""
    return "".join(rank * each for rank in core)


def runs(shortest: int, longest: int = len(IN_SEQUENCES)) -> Iterator[str]:
    """Every run of consecutive ranks that may stand in a sequence."""
    for first in range(len(IN_SEQUENCES)):
        for last in range(first + shortest, min(len(IN_SEQUENCES), first + longest) + 1):
            yield IN_SEQUENCES[first:last]


BARE = [
    *(("solo", rank, 1) for rank in ORDER),
    *(("pair", rank, 2) for rank in IN_SETS),
    *(("trio", rank, 3) for rank in IN_SETS),
    *(("bomb", rank, 4) for rank in IN_SETS),
    *(("chain", run, 1) for run in runs(5)),
    *(("pair-chain", run, 2) for run in runs(3)),
    *(("airplane", run, 3) for run in runs(2)),
]
"""(kind, core ranks, cards of each): the melds without kickers, the rocket apart."""
CARRIERS = [
    *(("trio+solo", rank, 3, 1, 1) for rank in IN_SETS),
    *(("trio+pair", rank, 3, 1, 2) for rank in IN_SETS),
    *(("airplane+solos", run, 3, len(run), 1) for run in runs(2)),
    *(("airplane+pairs", run, 3, len(run), 2) for run in runs(2)),
    *(("quad+solos", rank, 4, 2, 1) for rank in IN_SETS),
    *(("quad+pairs", rank, 4, 2, 2) for rank in IN_SETS),
]
"""(kind, core ranks, cards of each, number of kickers, cards of a kicker)."""
BARE = [meld for meld in BARE if len(meld[1]) * meld[2] <= LARGEST]
CARRIERS = [meld for meld in CARRIERS if len(meld[1]) * meld[2] + meld[3] * meld[4] <= LARGEST]
BARE_BY_CARDS: dict[str, list[tuple[str, str]]] = {}
for _kind, _core, _each in BARE:
    BARE_BY_CARDS.setdefault(repeated(_core, _each), []).append((_kind, _core))
CARRIERS_BY_SIZE: dict[int, list[tuple[str, str, int, int, int]]] = {}
for _carrier in CARRIERS:
    CARRIERS_BY_SIZE.setdefault(len(_carrier[1]) * _carrier[2] + _carrier[3] * _carrier[4], []).append(_carrier)


def splits(cards: str) -> list[Split]:
    """Every way to see `cards` as a meld of some house."""
    held = Counter(cards)
    cards = ordered(cards)
    if cards == "BR":
        return [Split("rocket", "BR", "")]
    found = [Split(kind, core, "") for kind, core in BARE_BY_CARDS.get(cards, [])]
    for kind, core, each, _, width in CARRIERS_BY_SIZE.get(len(cards), []):
        if any(held[rank] < each for rank in core):
            continue
        left = held - Counter(core * each)
        if all(count % width == 0 for count in left.values()):  # pairs are of equal cards; a joker has no equal
            found.append(Split(kind, core, ordered("".join(left.elements()))))
    return found


def allows(knobs: Knobs, split: Split) -> bool:
    """True if a house with these knobs lets this core carry these kickers."""
    kickers = Counter(split.kickers)
    airplane = split.kind.startswith("airplane")
    if split.kind.startswith("quad+") and not knobs.quad_melds:
        return False
    if set(split.core) & set(kickers) and not (airplane and knobs.kicker_of_a_core_rank):
        return False
    if split.kind.endswith("+pairs"):
        return knobs.two_equal_pairs or max(kickers.values()) < 4
    if not split.kind.endswith(("+solo", "+solos")):
        return True
    if max(kickers.values()) > knobs.most_equal_solo_kickers:
        return False
    if {"B", "R"} <= set(kickers) and not knobs.both_jokers:
        return False
    if split.kind == "airplane+solos" and not knobs.a_trio_next_to_the_trios:
        for rank, count in kickers.items():
            for core_rank in split.core:
                if count >= 3 and {rank, core_rank} in NEIGHBOURS:
                    return False
    return True


NEIGHBOURS = [set(run) for run in runs(2, 2)]
"""Ranks that stand beside each other in a sequence; 2 is next to nothing."""


def readings(cards: str, knobs: Knobs) -> set[tuple[str, str, int]]:
    """What a house may read `cards` as: (kind, rank, length)."""
    return {split.reading for split in splits(cards) if allows(knobs, split)}


def every_split() -> Iterator[tuple[str, Split]]:
    """All that any house could form from one deck with at most 20 cards: the cards, and how they are split."""
    yield "BR", Split("rocket", "BR", "")
    for kind, core, each in BARE:
        yield core * each, Split(kind, core, "")
    for kind, core, each, number, width in CARRIERS:
        for kicker_ranks in combinations_with_replacement(ORDER, number):
            kickers = "".join(rank * width for rank in kicker_ranks)
            if Counter(core * each + kickers) <= DECK:
                yield core * each + kickers, Split(kind, core, kickers)


def multisets(ranks: str, largest: int) -> Iterator[str]:
    """Every choice of at most `largest` cards of these ranks that one deck can give, the empty one too."""
    for size in range(largest + 1):
        for chosen in combinations_with_replacement(ranks, size):
            if Counter(chosen) <= DECK:
                yield "".join(chosen)


def subsets(hand: str) -> set[str]:
    """Every choice of cards from a hand, by rank, low to high."""
    found = {""}
    for card in ordered(hand):
        found |= {chosen + card for chosen in found}
    return found


def beats(reading: tuple[str, str, int], top: tuple[str, str, int]) -> bool:
    """Rules.md A, "Beating"."""
    (kind, rank, length), (top_kind, top_rank, top_length) = reading, top
    if "rocket" in (kind, top_kind):
        return kind == "rocket" != top_kind
    if kind == "bomb" and top_kind != "bomb":
        return True
    return kind == top_kind and length == top_length and ORDER.index(rank) > ORDER.index(top_rank)
