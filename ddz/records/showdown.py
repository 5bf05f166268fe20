"""RLCard Showdown's replays: JSON with `initHands`, `playerInfo` and `moveHistory`.

`initHands` are three strings of cards, suit before rank (`S3 HT BJ RJ`), the landlord's with his 20 cards; which
three were the kitty stands nowhere, so the three highest of them are taken. `playerInfo` says who is the landlord,
`moveHistory` who plays what, `pass` for a pass. Seats are the indices, and play goes round by them.
"""

from collections.abc import Sequence
from typing import Any, Final, Literal

import msgspec

from ddz import places
from ddz.cards import DECK, CardSet
from ddz.errors import Phrase, Unreadable
from ddz.frozen.events import CardsPlayed, Event
from ddz.record import FORMAT, Record, RecordDeal
from ddz.records.base import Foreign
from ddz.records.reading import decode_json, has_keys, only_deal, turns_under
from ddz.rules import PRESETS, SEATS

NAME: Final = "rlcard-showdown"
RULES: Final = "rlcard"
_JOKERS: Final = {"BJ": "B", "RJ": "R"}
_PASSES: Final = ("pass", "P", "")


class PlayerInfo(msgspec.Struct):
    """One player; what else stands there (who or what it is) is not needed."""

    id: Any
    index: int
    role: Literal["landlord", "peasant"]


class Move(msgspec.Struct):
    """One move; probabilities and the like beside it are not needed."""

    playerIdx: int  # the format's own name
    move: str


class ShowdownReplay(msgspec.Struct):
    """A replay as it stands in the file."""

    initHands: tuple[str, str, str]
    playerInfo: tuple[PlayerInfo, PlayerInfo, PlayerInfo]
    moveHistory: list[Move]


def looks_like(raw: bytes) -> bool:
    """True if the bytes are likely a Showdown replay."""
    return has_keys(raw, ("initHands", "playerInfo", "moveHistory"))


def read(raw: bytes) -> Foreign:
    """The game in a file's bytes.

    Raises:
        Unreadable: naming the deal, the move number and the card.
    """
    shape = decode_json(raw, ShowdownReplay, NAME)
    landlord = _landlord(shape)
    hands = _hands(shape, landlord)
    kitty = CardSet(sum(1 << card for card in list(hands[landlord])[-3:]))
    hands[landlord] -= kitty
    actions = tuple(_action(number, move) for number, move in enumerate(shape.moveHistory))
    deal = RecordDeal(
        first_bidder=landlord,
        hands=(str(hands[0]), str(hands[1]), str(hands[2])),
        kitty=str(kitty),
        landlord=landlord,
        base=1,
        actions=actions,
    )
    by_seat = sorted(shape.playerInfo, key=lambda player: player.index)
    names = tuple(f"player {player.id}" for player in by_seat)
    return Foreign(Record(FORMAT, RULES, (names[0], names[1], names[2]), (deal,)))


def _landlord(shape: ShowdownReplay) -> int:
    if sorted(player.index for player in shape.playerInfo) != list(SEATS):
        raise Unreadable("showdown/indices", "playerInfo: the indices of the three players must be 0, 1 and 2")
    landlords = [player.index for player in shape.playerInfo if player.role == "landlord"]
    if len(landlords) != 1:
        raise Unreadable("showdown/landlords", "playerInfo: there are {count} landlords, not one", count=len(landlords))
    return landlords[0]


def _card(token: str, where: Phrase) -> int:
    name = _JOKERS.get(token, token[1:] + token[:1].lower() if len(token) == 2 else token)
    if name not in DECK:
        raise Unreadable(
            "showdown/no-card",
            "{where}: '{sign}' is no card: write suit and rank, such as S3 or HT, or BJ or RJ",
            where=where,
            sign=token[:20],
        )
    return DECK.index(name)


def _hands(shape: ShowdownReplay, landlord: int) -> list[CardSet]:
    """The hands, with his 20 cards the landlord's. A deal that is faulty may have a move beside it that is, too."""
    dealt = [[_card(token, places.hand(seat)) for token in shape.initHands[seat].split()] for seat in SEATS]
    fault = _twice(dealt) or _misdealt(dealt, landlord)
    if fault is not None:
        move = _leader_passes(shape)
        if move is None:
            raise fault
        raise Unreadable(
            "showdown/two-faults", "{why}; besides, move {move} is a pass by the leader", why=fault, move=move
        )
    return [CardSet(sum(1 << card for card in hand)) for hand in dealt]


def _twice(dealt: list[list[int]]) -> Unreadable | None:
    """What is wrong where a card is dealt twice; it names one that is dealt to nobody."""
    holder: dict[int, int] = {}
    for seat in SEATS:
        for card in dealt[seat]:
            if card not in holder:
                holder[card] = seat
                continue
            if holder[card] == seat:
                hands = Phrase("showdown/one-hand", "twice in hand {hand}", hand=seat)
            else:
                hands = Phrase(
                    "showdown/two-hands", "in hand {hand} and in hand {other}", hand=holder[card], other=seat
                )
            missing = [other for other in range(len(DECK)) if not any(other in hand for hand in dealt)]
            if not missing:
                return Unreadable(
                    "showdown/twice",
                    "{where}: the card {card} is {hands}",
                    where=places.deal(0),
                    card=_token(card),
                    hands=hands,
                )
            return Unreadable(
                "showdown/twice",
                "{where}: the card {card} is {hands}, and {missing} is in none",
                where=places.deal(0),
                card=_token(card),
                hands=hands,
                missing=_token(missing[0]),
            )
    return None


def _misdealt(dealt: list[list[int]], landlord: int) -> Unreadable | None:
    """What is wrong where a hand has too few cards or too many."""
    for seat in SEATS:
        wanted = 20 if seat == landlord else 17
        if len(dealt[seat]) != wanted:
            return Unreadable(
                "showdown/hand-size",
                "{where}: hand {hand} holds {count} cards, not {wanted}",
                where=places.deal(0),
                hand=seat,
                count=len(dealt[seat]),
                wanted=wanted,
            )
    return None


def _leader_passes(shape: ShowdownReplay) -> int | None:
    """The first move that is a pass where nothing is to be beaten."""
    passes = 2
    for number, move in enumerate(shape.moveHistory):
        passed = move.move.strip() in _PASSES
        if passed and passes == 2:
            return number
        passes = passes + 1 if passed else 0
    return None


def _action(number: int, move: Move) -> str:
    where = places.move(number)
    if move.playerIdx not in SEATS:
        raise Unreadable(
            "showdown/no-player", "{where}: there is no player {player}", where=where, player=move.playerIdx
        )
    if move.move.strip() in _PASSES:
        return f"{move.playerIdx} pass"
    cards = "".join(DECK[_card(token, where)] for token in move.move.split())
    return f"{move.playerIdx} play {cards}"


def write(events: Sequence[Event]) -> str:
    """A game as a Showdown replay.

    Raises:
        Unreadable: there is no landlord, somebody escaped, or RLCard has no such meld.
    """
    opened, dealt, chosen = only_deal(events, NAME)
    moves = [
        {"playerIdx": turn.seat, "move": _tokens(turn.cards) if isinstance(turn, CardsPlayed) else "pass"}
        for turn in turns_under(events, PRESETS[RULES], "RLCard")
    ]
    hands = [dealt.hands[seat] | dealt.kitty if seat == chosen.landlord else dealt.hands[seat] for seat in SEATS]
    replay = {
        "initHands": [_tokens(hand) for hand in hands],
        "playerInfo": [
            {
                "id": seat,
                "index": seat,
                "role": "landlord" if seat == chosen.landlord else "peasant",
                "agentInfo": {"name": opened.players[seat].name},
            }
            for seat in SEATS
        ],
        "moveHistory": moves,
    }
    return msgspec.json.format(msgspec.json.encode(replay)).decode() + "\n"


def _tokens(cards: CardSet) -> str:
    return " ".join(_token(card) for card in cards)


def _token(card: int) -> str:
    name = DECK[card]
    return name[1:].upper() + name[0] if len(name) == 2 else name + "J"
