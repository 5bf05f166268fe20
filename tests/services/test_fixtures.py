"""The records under fixtures/: each imports, audits clean, pays what it claims, and shows what it is there for."""

import tomllib
from pathlib import Path

import pytest

from ddz.cards import CardSet
from ddz.commands import Pass
from ddz.decide import legal
from ddz.frozen.events import BidMade, BidPassed, CardsPlayed, Dealt, DealVoided, Event, SeatEscaped, SeedRevealed
from ddz.frozen.shapes import Kind
from ddz.melds import readings
from ddz.rules import CLASSIC
from ddz.services.archive import Imported, export_record, import_bytes
from ddz.services.audit import audit_game
from ddz.services.table import Table
from ddz.state import Auction, Over, Playing, Void, fold, turn_of

from .tables import record_without_meta

FOLDER = Path(__file__).parents[2] / "fixtures" / "records"

COVERS = {
    "ambiguous-airplane": {"ambiguous airplane", "named reading", "three bids", "bomb", "peasants win"},
    "ambiguous-airplane-of-four": {"ambiguous airplane", "named reading", "airplane", "two bombs"},
    "anti-spring": {"anti-spring", "peasants win"},
    "bomb-and-rocket": {"bomb", "rocket"},
    "bombs": {"two bombs"},
    "chains-and-airplanes": {"pair-chain", "airplane of any kind"},
    "douzero-26": {"rocket", "landlord wins", "ranks alone", "only a pass"},
    "escape-in-the-auction": {"escape in the auction", "escape out of turn"},
    "escape-in-the-play": {"escape in the play", "escape out of turn", "bomb"},
    "quad": {"quad with kickers"},
    "redeal": {"redeal"},
    "rocket": {"rocket"},
    "spring": {"spring", "landlord wins"},
    "unfinished": {"in play"},
    "unfinished-auction": {"in the auction", "a pass in the auction"},
    "void": {"void", "a pass in the auction"},
}
"""What each record has to show; `features` says what it does show."""

WANTED = {
    *("redeal", "spring", "anti-spring", "bomb", "two bombs", "rocket", "escape in the auction", "escape in the play"),
    *("ambiguous airplane", "named reading", "void", "in play", "in the auction", "landlord wins", "peasants win"),
}


def load(table: Table, name: str) -> Imported:
    return import_bytes(table, (FOLDER / f"{name}.toml").read_bytes(), f"{name}.toml")


def features(events: tuple[Event, ...], text: str) -> set[str]:
    """What really occurs in a game, whatever its record is called."""
    state = fold(events)
    plays = [event for event in events if isinstance(event, CardsPlayed)]
    record = tomllib.loads(text)
    voided = sum(isinstance(event, DealVoided) for event in events)
    occurs = {
        "airplane of any kind": any(event.kind.value.startswith("airplane") for event in plays),
        "quad with kickers": any(event.kind in (Kind.QUAD_SOLOS, Kind.QUAD_PAIRS) for event in plays),
        "ambiguous airplane": any(_is_ambiguous_airplane(event.cards) for event in plays),
        "named reading": any(" as " in action for action in record["deals"][-1]["actions"]),
        "ranks alone": set("".join(record["deals"][0]["hands"])) <= set("3456789TJQKA2BR"),
        "a pass in the auction": any(isinstance(event, BidPassed) for event in events),
        "three bids": sum(isinstance(event, BidMade) for event in events) == 3,
        "redeal": voided > 0 and sum(isinstance(event, Dealt) for event in events) == voided + 1,
    }
    found = {name for name, does in occurs.items() if does} | {str(event.kind) for event in plays} | _phase(state)
    for at, event in enumerate(events):
        before = fold(events[:at])
        if isinstance(event, SeatEscaped):
            found.add("escape in the auction" if isinstance(before, Auction) else "escape in the play")
            found |= {"escape out of turn"} if turn_of(before) != event.seat else set()
        if isinstance(before, Playing) and legal(before) == (Pass(before.turn),):
            found.add("only a pass")
    return found


def _is_ambiguous_airplane(cards: CardSet) -> bool:
    every = readings(cards, CLASSIC.kickers)
    return len({(meld.kind, meld.length) for meld in every}) > 1 and any(meld.kind is Kind.AIRPLANE for meld in every)


def _phase(state: object) -> set[str]:
    match state:
        case Over():
            score = state.scored.score
            causes = [cause.name for cause in score.causes]
            return {*causes, f"{score.winner} win" + "s" * (score.winner == "landlord")} | (
                {"two bombs"} if causes.count("bomb") > 1 else set()
            )
        case Void():
            return {"void"}
        case Auction():
            return {"in the auction"}
        case _:
            return {"in play"}


def test_every_record_is_told_what_it_covers_and_all_that_is_wanted_is_covered():
    assert {path.stem for path in FOLDER.glob("*.toml")} == set(COVERS)
    assert set().union(*COVERS.values()) >= WANTED
    assert len(COVERS) >= 12


@pytest.mark.parametrize("name", COVERS)
def test_a_record_shows_what_it_is_there_for(table: Table, name: str):
    game = load(table, name).game
    text = (FOLDER / f"{name}.toml").read_text("utf-8")
    assert text.startswith("# ")
    missing = COVERS[name] - features(table.log.history(game), text)
    assert not missing


@pytest.mark.parametrize("name", COVERS)
def test_a_record_audits_clean_and_pays_what_it_claims(each_table: Table, name: str):
    claimed = tomllib.loads((FOLDER / f"{name}.toml").read_text("utf-8")).get("payouts")
    found = load(each_table, name)
    audit = audit_game(each_table.log, found.game)
    assert audit.ok, audit.findings
    assert found.payouts == (None if claimed is None else tuple(claimed))
    assert (found.phase == "over") == (claimed is not None)


@pytest.mark.parametrize("name", COVERS)
def test_a_record_goes_out_as_it_came_in(table: Table, name: str):
    """Its comment, its meta and, where it names ranks alone, its suits apart."""
    text = (FOLDER / f"{name}.toml").read_text("utf-8")
    game = load(table, name).game
    exported = export_record(table, game)
    if name != "douzero-26":
        assert exported.partition("[meta]")[0] == text.partition("\n")[2].partition("[meta]")[0]
    again = import_bytes(table, exported.encode(), "again").game
    first, second = (
        [event for event in table.log.history(line)[1:] if not isinstance(event, SeedRevealed)]
        for line in (game, again)
    )
    assert first == second
    assert record_without_meta(table, again) == record_without_meta(table, game)


def test_in_the_game_of_douzero_issue_26_seat_1_can_only_pass_the_rocket(table: Table):
    game = load(table, "douzero-26").game
    events = table.log.history(game)
    rocket = next(
        at for at, event in enumerate(events, 1) if isinstance(event, CardsPlayed) and event.kind is Kind.ROCKET
    )
    before = table.load(game, rocket - 1).state
    assert before.hands[0].ranks == "2BR"
    state = table.load(game, rocket).state
    assert (state.turn, legal(state)) == (1, (Pass(1),))
