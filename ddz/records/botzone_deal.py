"""The hands of a botzone log, put together from what each player is told."""

from typing import Final

from ddz import places
from ddz.cards import DECK_SIZE
from ddz.errors import Phrase, Unreadable
from ddz.records.botzone_shapes import NAME, Layout, called, cards_of, is_card
from ddz.records.reading import decode_json
from ddz.rules import SEATS

_NOTE: Final = Phrase("at/judges-note", "the judge's note")
_PUBLIC: Final = Phrase("botzone/public-cards", "the public cards")
_INITDATA: Final = f"{NAME} initdata"


class KnownHands:
    """The hands and the public cards as far as the log has shown them."""

    def __init__(self, bids: bool) -> None:
        self.bids = bids
        """The game with an auction: nobody owns the public cards from the start."""
        self._owned: dict[int, list[int]] = {}
        self._public: list[int] | None = None

    def look(self, layout: Layout | str | None) -> None:
        """Take over what the judge notes for itself.

        Raises:
            Unreadable: it is no such note, or differs from what was told before.
        """
        if isinstance(layout, str):
            layout = decode_json(layout.encode(), Layout, _INITDATA) if layout.strip() else None
        if layout is None:
            return
        if layout.publiccard is not None:
            self.public(layout.publiccard, _NOTE)
        for seat, cards in enumerate(layout.allocation or ()):
            self.own(seat, cards, _NOTE)

    def own(self, seat: int, cards: list[int] | None, where: Phrase) -> None:
        """What a player owns from the start.

        Raises:
            Unreadable: it is no hand, or differs from what was told before.
        """
        size = 20 if seat == 0 and not self.bids else 17
        cards = _checked(cards, size, places.of_player(seat, where))
        if self._owned.setdefault(seat, cards) != cards:
            raise Unreadable(
                "botzone/owns-others",
                "{where}: player {player} owns {cards}, but before he owned {owned}",
                where=where,
                player=seat,
                cards=str(cards),
                owned=str(self._owned[seat]),
            )

    def public(self, cards: list[int] | None, where: Phrase) -> None:
        """The three public cards.

        Raises:
            Unreadable: they are not three, or differ from what was told before.
        """
        cards = _checked(cards, 3, places.field("publiccard", where))
        if self._public is None:
            self._public = cards
        elif self._public != cards:
            raise Unreadable(
                "botzone/changed-public",
                "{where}: the public cards are {cards}, but before they were {public}",
                where=where,
                cards=str(cards),
                public=str(self._public),
            )

    def dealt(self) -> tuple[tuple[str, str, str], str]:
        """The hands of 17 and the kitty as a record gives them; the last part that was never told is what is left.

        Raises:
            Unreadable: a card is there twice, or more than one part was never told.
        """
        if not self.bids and 0 in self._owned and self._public is not None:
            for card in self._public:
                if card not in self._owned[0]:
                    raise Unreadable(
                        "botzone/public-not-owned",
                        "{where}: player 0 does not own the public card {card}",
                        where=places.deal(0),
                        card=called(card),
                    )
            self._owned[0] = [card for card in self._owned[0] if card not in self._public]
        parts = [*((_of_player(seat), self._owned.get(seat)) for seat in SEATS), (_PUBLIC, self._public)]
        unknown = [owner for owner, cards in parts if cards is None]
        if len(unknown) > 1:
            raise Unreadable(
                "botzone/unknown-cards",
                "{where}: the log ends before it tells the cards of {owner} and of {other}",
                where=places.deal(0),
                owner=unknown[0],
                other=unknown[1],
            )
        holder: dict[int, Phrase] = {}
        for owner, cards in parts:
            for card in cards or ():
                if card in holder:
                    raise Unreadable(
                        "cards/two-owners",
                        "{where}: the card {card} belongs to {owner} and to {other}",
                        where=places.deal(0),
                        card=called(card),
                        owner=holder[card],
                        other=owner,
                    )
                holder[card] = owner
        left = [card for card in range(DECK_SIZE) if card not in holder]
        one, two, three, kitty = (str(cards_of(left if cards is None else cards)) for _, cards in parts)
        return (one, two, three), kitty


def _of_player(player: int) -> Phrase:
    return Phrase("botzone/player", "player {player}", player=player)


def _checked(cards: list[int] | None, size: int, where: Phrase) -> list[int]:
    """The cards, sorted, if they are `size` different ones."""
    if cards is None:
        raise Unreadable("botzone/no-cards-told", "{where}: the cards are not told", where=where)
    for at, card in enumerate(cards):
        if not is_card(card):
            raise Unreadable(
                "botzone/no-card", "{where}: {card} is no card: the cards are 0 to 53", where=where, card=card
            )
        if card in cards[:at]:
            raise Unreadable("cards/twice", "{where}: the card {card} is named twice", where=where, card=called(card))
    if len(cards) != size:
        raise Unreadable(
            "botzone/wrong-number",
            "{where}: there are {count} cards, not {size}",
            where=where,
            count=len(cards),
            size=size,
        )
    return sorted(cards)
