"""The audits of imported games and forks that a forger has changed."""

import pytest

from ddz.cards import CardSet
from ddz.commands import Fork
from ddz.decide import decide
from ddz.frozen.events import (
    Dealt,
    GameForked,
)
from ddz.services.archive import export_record
from ddz.services.audit import audit_game
from ddz.services.table import Table

from .forgeries import Forgery, forgery_of, replaced
from .tables import (
    bot_game,
    enthroned,
    imported,
    say,
    table_on,
    void_game,
    with_event,
)


@pytest.fixture
def import_forgery(table: Table) -> Forgery:
    """An imported game whose record brought its seeds and a claim."""
    return forgery_of(table, imported(table, export_record(table, bot_game(table).game)).game)


def origin_changed(forged: Forgery, **fields: object) -> None:
    forged.change(0, origin=replaced(forged.event(0).origin, **fields))


def test_a_claim_of_other_payouts(import_forgery: Forgery):
    claim = import_forgery.event(0).origin.claim
    origin_changed(import_forgery, claim=replaced(claim, payouts=(1, 1, -2)))
    audit = import_forgery.audit()
    (finding,) = audit.findings
    assert (finding.code, finding.seq) == ("accounting/claim", None)
    assert finding.detail.startswith("the source claims payouts of [1, 1, -2], but they are [")
    assert audit.checks["accounting"] == "fault"


def test_a_claim_of_another_winner(import_forgery: Forgery):
    claim = import_forgery.event(0).origin.claim
    origin_changed(import_forgery, claim=replaced(claim, winner="nobody"))
    assert import_forgery.codes() == ["accounting/claim"]


@pytest.mark.parametrize("deals", [0, -5])
def test_a_record_that_brought_no_deal(table: Table, deals: int):
    """Then its deal would have to follow from the seed that was drawn here."""
    forged = forgery_of(table, void_game(table))
    origin_changed(forged, deals=deals)
    assert forged.codes()[0] == "fairness/dealt"


@pytest.mark.parametrize("deals", [2, 10**30])
def test_a_record_that_brought_more_deals(table: Table, deals: int):
    game = void_game(table)
    say(table, game, "0 bid 1")
    forged = forgery_of(table, game)
    origin_changed(forged, deals=deals)
    assert forged.audit() is not None, "then the second deal was the record's, and nothing can be held against it"
    origin_changed(forged, seeds_given=True)
    assert set(forged.codes()) == {"fairness/dealt"}


def test_the_deal_of_a_record_against_its_own_seeds(import_forgery: Forgery):
    at = import_forgery.where(Dealt)
    hands = import_forgery.event(at).hands
    import_forgery.change(at, hands=(hands[1], hands[0], hands[2]))
    assert "fairness/dealt" in import_forgery.codes()


def test_a_record_deals_a_whole_deck(table: Table):
    forged = forgery_of(table, void_game(table))
    event = forged.event(1)
    card = CardSet(event.hands[0].bits & -event.hands[0].bits)
    forged.change(1, kitty=event.kitty | card)
    assert forged.codes()[0] == "legality/deal/wrong-size"


# ---- forged forks ----


def test_a_fork_where_nobody_is_to_act(table: Table):
    """GameForked behind the end of its parent: the chain holds, the law does not."""
    at = bot_game(table)
    rows = list(table.log.rows(at.game))
    event = GameForked(at.game, at.seq, rows[-1].hash, "explore")
    row = with_event(replaced(rows[-1], game="fork", seq=at.seq + 1, event_id="fork/0", prev=rows[-1].hash), event)
    from ddz.log import chain

    table.log.insert([replaced(chain.sealed(row), position=table.log.last_position() + 1)])
    codes = [finding.code for finding in audit_game(table.log, "fork").findings]
    assert codes == ["legality/fork/no-turn-here", "legality/meaningless"]


def test_a_lawful_fork_is_decided_as_it_stands():
    table = table_on()
    at = enthroned(table)
    head = table.log.rows(at.game)[-1].hash
    assert decide(at.state, Fork(at.game, at.seq, head, "back")) == (GameForked(at.game, at.seq, head, "back"),)
