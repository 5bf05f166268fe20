"""What a hand may lead, what it may answer, and which reading a play means. All of it by the kernel."""

import msgspec

from ddz import kernel
from ddz.cards import FULL_DECK, CardSet, Rank
from ddz.errors import Refused
from ddz.frozen.shapes import Kind, Rules
from ddz.melds import KINDS, Meld, beats, meld_of, readings


def leads(hand: CardSet, rules: Rules) -> tuple[Meld, ...]:
    """Every meld in `hand`: each reading by rank once, of the lowest suits held, by kind, length, rank, kickers."""
    found = kernel.leads(hand.counts, rules.kickers.code)
    return tuple([meld_of((kind, length, rank), hand.take(cards)) for kind, length, rank, cards in found])


def responses(hand: CardSet, top: Meld, rules: Rules) -> tuple[Meld, ...]:
    """Every meld in `hand` that beats `top`, in the form and the order of `leads`."""
    found = kernel.responses(hand.counts, *top.shape, rules.kickers.code)
    return tuple([meld_of((kind, length, rank), hand.take(cards)) for kind, length, rank, cards in found])


def read_play(
    cards: CardSet, top: Meld | None, rules: Rules, kind: Kind | None = None, rank: Rank | None = None
) -> Meld:
    """The reading that a play of `cards` means (rules.md B2); `kind` and `rank` name one where several remain.

    Raises:
        Refused: `play/not-a-meld`, `play/does-not-beat`, or `play/ambiguous` naming the choices.
    """
    every = readings(cards, rules.kickers)
    if not every:
        if not cards:
            raise Refused("play/not-a-meld", "a play has at least one card", cards="")
        raise Refused("play/not-a-meld", "{cards} is no meld", cards=cards.ranks)
    named = every
    if kind is not None or rank is not None:
        named = tuple(
            [each for each in every if (kind is None or each.kind is kind) and (rank is None or each.rank is rank)]
        )
    if not named:
        wanted = " ".join(str(part) for part in (kind, rank) if part)
        raise Refused(
            "play/not-a-meld",
            "{cards} cannot be read as {wanted}, only as {choices}",
            cards=cards.ranks,
            wanted=wanted,
            choices=_names(every),
        )
    fitting = named if top is None else tuple([meld for meld in named if beats(meld, top)])
    if not fitting:
        assert top is not None
        raise Refused(
            "play/does-not-beat",
            "{cards} ({read}) does not beat {top} ({top_read})",
            cards=cards.ranks,
            read=_names(named),
            top=top.cards.ranks,
            top_read=top.name,
        )
    if len(fitting) > 1 and len({(meld.kind, meld.length) for meld in fitting}) > 1:
        raise Refused(
            "play/ambiguous",
            "{cards} can be read as {choices}: name the one that is meant",
            cards=cards.ranks,
            choices=_names(fitting),
        )
    return fitting[-1]  # in rising order of rank: the highest is meant


def _names(melds: tuple[Meld, ...]) -> str:
    return " or ".join(meld.name for meld in melds)


class Census(msgspec.Struct, frozen=True):
    """All melds of one deck with at most 20 cards (rules.md C), jokers distinct, suits not."""

    sets: int
    """Distinct sets of cards by rank."""
    readings: int
    by_kind: dict[Kind, int]
    """Readings by kind, every kind listed."""


def census(rules: Rules) -> Census:
    """Enumerate every meld that the rules allow: what the whole deck may lead."""
    every = kernel.leads(FULL_DECK.counts, rules.kickers.code)
    by_kind = dict.fromkeys(KINDS, 0)
    for kind, _, _, _ in every:
        by_kind[KINDS[kind]] += 1
    return Census(len({cards for _, _, _, cards in every}), len(every), by_kind)
