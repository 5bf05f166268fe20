"""Games to be written as other engines' records, the fixtures, and how a file is refused."""

import json
import random
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest
from games import Game, imported, opening, play_randomly, side_of

from ddz.cards import FULL_DECK, CardSet
from ddz.commands import Deal, GivenDeal, Pass
from ddz.decide import legal
from ddz.errors import DdzError
from ddz.frozen.events import BidMade, BidPassed, CardsPlayed, Dealt, Event, GameScored, LandlordChosen, PlayPassed
from ddz.frozen.shapes import Rules
from ddz.log.memory import MemoryLog
from ddz.records import format_named
from ddz.records.botzone_shapes import ONE, TWO, UNBID
from ddz.rules import PRESETS
from ddz.services.archive import Imported, export_foreign, import_bytes
from ddz.services.table import Table
from ddz.state import Over

FOREIGN = Path(__file__).resolve().parents[2] / "fixtures" / "foreign"
RULES = {
    "rlcard-showdown": PRESETS["rlcard"],
    "douzero": PRESETS["douzero"],
    "botzone": TWO,
    "openspiel": PRESETS["openspiel"],
}
"""The rules that each format is read by; botzone has two games more, `ONE` and `UNBID`."""
EVERY = [*RULES.items(), ("botzone", ONE), ("botzone", UNBID)]


def empty_table() -> Table:
    """A table on an empty log."""
    return Table(MemoryLog(), lambda: "2026-01-02T03:04:05Z", random.Random(1).randbytes)


def stored(table: Table) -> int:
    """How many events the log holds."""
    return len(list(table.log.after(0)))


def whole_game(seed: int, rules: Rules) -> Game:
    """A random game, the landlord assigned where the rules want it; sometimes one side passes wherever it may."""
    rng = random.Random(f"game {seed}")
    silent = rng.choice([None, None, "landlord", "peasants"])
    if rules.auction != "assigned":
        return play_randomly(seed, rules, silent=silent)
    cards = list(FULL_DECK)
    rng.shuffle(cards)
    parts = [CardSet(sum(1 << card for card in part)) for part in (cards[:17], cards[17:34], cards[34:51], cards[51:])]
    landlord = 0 if rules == UNBID else rng.randrange(3)
    given = GivenDeal((parts[0], parts[1], parts[2]), parts[3], landlord, landlord=landlord, base=1)
    game = Game()
    game.do(opening(rules, first_voice=landlord, origin=imported()))
    game.do(Deal(given))
    while not isinstance(game.state, Over):
        turns = legal(game.state)
        keeps_silent = isinstance(turns[-1], Pass) and side_of(game.state) == silent
        game.do(turns[-1] if keeps_silent else rng.choice(turns))
    return game


def writable(form: str, rules: Rules, games: int, start: int = 0) -> Iterable[tuple[Game, str]]:
    """Games that the format can hold, as it writes them; most it can."""
    found = 0
    for seed in range(start, start + 3 * games):
        game = whole_game(seed, rules)
        try:
            text = format_named(form).write(game.events)
        except DdzError:
            continue
        yield game, text
        found += 1
        if found == games:
            return
    raise AssertionError(f"{form} holds only {found} of {3 * games} games")


def told(events: Sequence[Event], first: int = 0) -> dict[str, Any]:
    """What happened in the last deal, by card, with seat `first` as seat 0."""
    dealt = [event for event in events if isinstance(event, Dealt)][-1]
    score = next((event.score for event in events if isinstance(event, GameScored)), None)
    chosen = next(event for event in events if isinstance(event, LandlordChosen))

    def by_seat(values: Sequence[Any]) -> list[Any]:
        return [values[(first + seat) % 3] for seat in range(3)]

    hands = [hand | dealt.kitty if seat == chosen.landlord else hand for seat, hand in enumerate(dealt.hands)]
    turns = [event for event in events if isinstance(event, CardsPlayed | PlayPassed)]
    return {
        "hands": [str(hand) for hand in by_seat(hands)],
        "kitty": str(dealt.kitty),
        "landlord": (chosen.landlord - first) % 3,
        "base": chosen.base,
        "bids": [
            ((event.seat - first) % 3, getattr(event, "points", 0))
            for event in events
            if isinstance(event, BidMade | BidPassed)
        ],
        "plays": [((turn.seat - first) % 3, str(getattr(turn, "cards", "-"))) for turn in turns],
        "winner": score.winner if score else None,
        "payouts": tuple(by_seat(score.payouts)) if score else None,
    }


def ranks_told(events: Sequence[Event], first: int = 0) -> dict[str, Any]:
    """As `told`, for formats without suits and kitty."""
    found = told(events, first)
    found["hands"] = [CardSet.parse(hand).ranks for hand in found["hands"]]
    found["kitty"] = CardSet.parse(found["kitty"]).ranks
    found["plays"] = [(seat, cards if cards == "-" else CardSet.parse(cards).ranks) for seat, cards in found["plays"]]
    return found


def refusal(raw: bytes | str | object, form: str | None = None) -> str:
    """The sentence with which a file is refused, of which nothing is stored."""
    table = empty_table()
    data = raw if isinstance(raw, bytes) else (raw if isinstance(raw, str) else json.dumps(raw)).encode()
    with pytest.raises(DdzError) as caught:
        import_bytes(table, data, "a file", form)
    assert stored(table) == 0
    sentence = str(caught.value)
    assert sentence
    assert "\n" not in sentence
    assert "Traceback" not in sentence
    return sentence


def taken(raw: bytes | str, form: str | None = None, table: Table | None = None) -> tuple[Table, Imported]:
    """A file that is imported."""
    table = table or empty_table()
    return table, import_bytes(table, raw.encode() if isinstance(raw, str) else raw, "a file", form)


def fixture(name: str) -> bytes:
    """A file of fixtures/foreign."""
    return (FOREIGN / name).read_bytes()


def again(table: Table, game: str, form: str) -> str:
    """A stored game in a format."""
    return export_foreign(table, game, form)
