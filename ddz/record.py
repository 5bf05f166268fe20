"""The game record, `ddz-record/1`: a game as TOML that a person can write and anybody can check.

Reading is strict and repairs nothing: every fault is an `Unreadable` that names the deal, the action and the card,
all counted from 0. A record is turned into commands and judged by `decide` like any other game.
"""

import re
from collections.abc import Sequence
from typing import Annotated, Final, Literal, NoReturn

import msgspec
import tomli_w

from ddz import cards as deck
from ddz import places
from ddz.actions import Action
from ddz.cards import CardSet, Rank
from ddz.commands import GivenDeal
from ddz.errors import Phrase, Refused, Unreadable
from ddz.frozen.events import (
    BidMade,
    BidPassed,
    CardsPlayed,
    Dealt,
    Event,
    GameScored,
    LandlordChosen,
    PlayPassed,
    SeatEscaped,
)
from ddz.frozen.shapes import MOST_BASE, Kind, Rules, Seat
from ddz.limits import A_RECORD, RECORD, check_size, toml_table
from ddz.melds import played_meld
from ddz.moves import read_play
from ddz.rules import PRESETS, preset, typed_rules
from ddz.signs import in_toml
from ddz.state import Playing, State, evolve, fold, opened_in

FORMAT: Final = "ddz-record/1"
_ACTION: Final = re.compile(
    r"(?P<seat>[012]) (?:bid (?P<bid>\d{1,9})|(?P<word>pass|escape)"
    r"|play (?P<cards>[^ ]+)(?: as (?P<kind>[a-z+-]+)(?: (?P<rank>\w+))?)?)",
    re.ASCII,
)


class Fairness(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The seeds that the deals follow from, in hexadecimal digits."""

    nonce: str
    commitment: str
    server_seed: str
    seat_seeds: tuple[str, str, str]
    chosen: bool = False


class Meta(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a source says of itself."""

    id: str | None = None
    date: str | None = None
    players: tuple[str, str, str] | None = None
    """Who played: `human`, or a bot's name and version."""


class RecordDeal(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One deal as it stands in a record."""

    first_bidder: Seat
    hands: tuple[str, str, str]
    kitty: str
    landlord: Seat | None = None
    base: Annotated[int, msgspec.Meta(le=MOST_BASE)] | None = None
    actions: tuple[str, ...] = ()


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A game as it stands in a record; every text in it is still unjudged but for its form."""

    format: Literal["ddz-record/1"]
    rules: str | Rules
    seats: tuple[str, str, str]
    deals: tuple[RecordDeal, ...]
    payouts: tuple[int, int, int] | None = None
    fairness: Fairness | None = None
    meta: Meta | None = None


def parse_record(raw: bytes) -> Record:
    """The record in a file's bytes.

    Raises:
        Unreadable: saying where and why.
    """
    check_size(len(raw), RECORD, A_RECORD)
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Unreadable("file/not-utf-8", "not UTF-8 text: byte {byte} cannot be read", byte=error.start) from None
    if text.startswith("\ufeff"):
        raise Unreadable("file/byte-order-mark", "it begins with a byte order mark: save it as UTF-8 without one")
    table = toml_table(text, RECORD, A_RECORD)
    if table.get("format") != FORMAT:
        raise Unreadable("record/not-ours", 'not a game record: it must say format = "{format}"', format=FORMAT)
    try:
        record = msgspec.convert(table, Record)
    except msgspec.ValidationError as error:
        raise Unreadable("record/misshapen", "not a {format}: {why}", format=FORMAT, why=_placed(str(error))) from None
    if not record.deals:
        raise Unreadable("record/no-deal", "there is no deal in it")
    return record


def _placed(complaint: str) -> str:
    """The complaint of msgspec with its path in our words: "Expected ... - at `$.deals[0].actions[3]`"."""
    what, _, path = complaint.partition(" - at `$.")
    if not path:
        return what
    place = re.sub(r"deals\[(\d+)\]", r"deal \1", path.removesuffix("`"))
    place = re.sub(r"\.actions\[(\d+)\]", r", action \1", place)
    place = re.sub(r"(deal \d+)\.", r"\1, ", place)
    return f"{place}: {what[:1].lower()}{what[1:]}"


def rules_of(record: Record) -> Rules:
    """The rules of a record: a preset by name, or a table of knobs.

    Raises:
        Unreadable: for a preset that does not exist, or knobs that carry the name of a preset and differ from it.
    """
    if isinstance(record.rules, str):
        return preset(record.rules)
    return typed_rules(record.rules)


def given_deal(record: Record, number: int) -> GivenDeal:
    """The cards of deal `number`, with canonical suits where the record gives ranks alone.

    Raises:
        Unreadable: naming the deal and the card.
    """
    deal = record.deals[number]
    left = deck.FULL_DECK
    for name in deck.split_cards(" ".join((*deal.hands, deal.kitty))):  # a suited card is nobody else's
        if len(name) == 2:
            left -= _deal_cards(name, left, number)
    parts: list[CardSet] = []
    for text in (*deal.hands, deal.kitty):
        suited = CardSet.parse("".join(name for name in deck.split_cards(text) if len(name) == 2))
        bare = _deal_cards("".join(name for name in deck.split_cards(text) if len(name) == 1), left, number)
        left -= bare
        parts.append(suited | bare)
    hands = parts[0], parts[1], parts[2]
    return GivenDeal(hands, parts[3], deal.first_bidder, deal.landlord, deal.base)


def _deal_cards(text: str, left: CardSet, number: int) -> CardSet:
    try:
        return deck.resolve(text, left)
    except Unreadable as error:
        raise Unreadable.at(places.deal(number), error) from None
    except Refused as error:
        card = error.facts.get("rank", text)
        raise Unreadable(
            "cards/more-than-a-deck",
            "{where}: the card {rank} is there more often than in one deck",
            where=places.deal(number),
            rank=card,
        ) from None


def parse_action(text: str, deal: int, number: int) -> Action:
    """The action that `text` says, such as `1 play 3344 as chain`.

    Raises:
        Unreadable: naming the deal and the action.
    """
    match = _ACTION.fullmatch(text)
    if match is None:
        why = Phrase(
            "action/unreadable",
            'write "0 bid 1", "0 pass", "0 play 33" (then perhaps "as KIND RANK") or "0 escape"',
        )
        fault(deal, number, text, why)
    seat = int(match["seat"])
    if match["bid"]:
        return Action(seat, "bid", points=int(match["bid"]))
    if match["word"]:
        return Action(seat, "pass" if match["word"] == "pass" else "escape")
    try:
        kind = Kind(match["kind"]) if match["kind"] else None
    except ValueError:
        fault(deal, number, text, Phrase("action/no-kind", "'{sign}' is no kind of meld", sign=match["kind"]))
    try:
        rank = Rank(match["rank"]) if match["rank"] else None
    except ValueError:
        fault(deal, number, text, Phrase("action/no-rank", "'{sign}' is no rank", sign=match["rank"]))
    return Action(seat, "play", cards=match["cards"], kind=kind, rank=rank)


def fault(deal: int, action: int, text: str, why: Phrase) -> NoReturn:
    """Raise the fault of one action.

    Raises:
        Unreadable: always.
    """
    clean = text if text.isprintable() else text.encode("unicode_escape").decode()
    raise Unreadable.at(places.action(deal, action, clean), why)


def record_of(events: Sequence[Event], meta: Meta | None = None) -> Record:
    """The record of a game's events; `record_text` writes it. Forks and seeds drawn for later leave no trace."""
    opened = opened_in(fold(events[:1]))
    deals: list[RecordDeal] = []
    actions: list[str] = []
    state = fold(events[:1])
    for event in events[1:]:
        if isinstance(event, Dealt):
            _close_deal(deals, actions)
            deals.append(RecordDeal(event.first_voice, _texts(event.hands), str(event.kitty)))
            actions = []
        elif isinstance(event, LandlordChosen) and opened.rules.auction == "assigned":
            deals[-1] = msgspec.structs.replace(deals[-1], landlord=event.landlord, base=event.base)
        elif text := _action_text(event, state):
            actions.append(text)
        state = evolve(state, event)
    _close_deal(deals, actions)
    scored = next((event for event in events if isinstance(event, GameScored)), None)
    rules = opened.rules
    return Record(
        format=FORMAT,
        rules=rules.name if PRESETS.get(rules.name) == rules else rules,
        seats=(opened.players[0].name, opened.players[1].name, opened.players[2].name),
        payouts=scored.score.payouts if scored else None,
        deals=tuple(deals),
        fairness=_fairness(events, len(deals)),
        meta=meta,
    )


def record_text(record: Record) -> str:
    """The record as TOML, in which no sign acts on a terminal: each is escaped, and read as what it is."""
    return in_toml(tomli_w.dumps(msgspec.to_builtins(record)))


def _texts(hands: tuple[CardSet, CardSet, CardSet]) -> tuple[str, str, str]:
    return str(hands[0]), str(hands[1]), str(hands[2])


def _close_deal(deals: list[RecordDeal], actions: list[str]) -> None:
    if deals:
        deals[-1] = msgspec.structs.replace(deals[-1], actions=tuple(actions))


def _action_text(event: Event, state: State) -> str | None:
    match event:
        case BidMade():
            return f"{event.seat} bid {event.points}"
        case BidPassed() | PlayPassed():
            return f"{event.seat} pass"
        case SeatEscaped():
            return f"{event.seat} escape"
        case CardsPlayed():
            return f"{event.seat} play {event.cards}{_naming(event, state)}"
        case _:
            return None


def _naming(event: CardsPlayed, state: State) -> str:
    """` as KIND RANK` where the cards alone would be read as something else, or as nothing."""
    assert isinstance(state, Playing)
    try:
        read = read_play(event.cards, state.top.meld if state.top else None, state.opened.rules)
    except Refused:
        return f" as {played_meld(event).name}"
    return "" if read == played_meld(event) else f" as {played_meld(event).name}"


def _fairness(events: Sequence[Event], deals: int) -> Fairness | None:
    """The seeds, once they are revealed, and only if every deal of the record follows from them."""
    opened = opened_in(fold(events[:1]))
    origin = opened.origin
    brought = 0 if origin is None or origin.seeds_given else min(origin.deals, deals)
    revealed = any(event.__struct_config__.tag == "seed_revealed" for event in events)
    if brought or not revealed:
        return None
    return Fairness(opened.nonce, opened.commitment, opened.server_seed, opened.seat_seeds, opened.seed_chosen)
