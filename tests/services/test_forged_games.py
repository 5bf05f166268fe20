"""The audits hear of every change that a forger makes, though all hashes fit."""

import random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ddz import dealing
from ddz.cards import CardSet, Rank
from ddz.commands import Seeds
from ddz.errors import DdzError, UnsupportedVersion
from ddz.frozen.events import (
    BidMade,
    CardsPlayed,
    Dealt,
    GameOpened,
    GameScored,
    LandlordChosen,
    PlayPassed,
    SeatEscaped,
    SeedRevealed,
)
from ddz.frozen.shapes import Cause, Kind
from ddz.log import codec
from ddz.rules import CLASSIC
from ddz.services.archive import export_record
from ddz.services.audit import audit_game
from ddz.services.opening import Opening
from ddz.services.replay import replay
from ddz.services.table import Table
from ddz.state import START, Over, fold

from .forgeries import CLEAN, Forgery, forgery_of, replaced
from .tables import (
    HUMANS,
    SPRING_RECORD,
    bot_game,
    forged_log,
    imported,
    pass_all,
    play_on,
    random_game,
    say,
    table_on,
    void_game,
    with_event,
)


@pytest.fixture(scope="module")
def honest() -> Forgery:
    """A whole game of bots from drawn seeds, as it was played."""
    table = table_on()
    whole = forgery_of(table, bot_game(table, "simple").game)
    assert whole.audit().ok
    return whole


@pytest.fixture
def forgery(honest: Forgery) -> Forgery:
    """The same game, to be changed."""
    return Forgery(honest.game, list(honest.rows))


@pytest.mark.parametrize("payouts", [(6, -3, -3), (0, 0, 0), (10**30, 0, -(10**30))])
def test_changed_payouts(forgery: Forgery, payouts: tuple[int, int, int]):
    at = forgery.where(GameScored)
    seq = forgery.change(at, score=replaced(forgery.event(at).score, payouts=payouts))
    audit = forgery.audit()
    (finding,) = audit.findings
    assert (finding.code, finding.seq) == ("accounting/game-scored", seq)
    assert finding.detail.startswith("game_scored is wrong in score: score must be {")
    assert audit.checks == {**CLEAN, "accounting": "fault"}


@pytest.mark.parametrize(
    "fields",
    [
        {"winner": "nobody"},
        {"landlord": None},
        {"base": 7},
        {"multiplier": 64},
        {"causes": (Cause("bomb", 2), Cause("rocket", 2), Cause("spring", 2))},
        {"escaped": 1},
    ],
)
def test_a_changed_score(forgery: Forgery, fields: dict):
    at = forgery.where(GameScored)
    forgery.change(at, score=replaced(forgery.event(at).score, **fields))
    assert forgery.codes() == ["accounting/game-scored"]


def test_a_play_that_does_not_beat(table: Table):
    """The solo on seat 0's lead of 7 is changed to a lower one."""
    game = table.open(Opening(players=HUMANS, seed=7, first_voice=0)).game
    say(table, game, "0 bid 3", "0 play 7", "1 play 8")
    forged = forgery_of(table, game)
    at = forged.where(CardsPlayed, 1)
    card = fold(forged.events[:at]).hands[1].take(1 << 4 * Rank.THREE.index)
    seq = forged.change(at, rank=Rank.THREE, cards=card)
    (finding,) = forged.audit().findings
    assert (finding.code, finding.seq) == ("legality/play/does-not-beat", seq)
    assert finding.detail == "3 (solo 3) does not beat 7 (solo 7)"


def test_cards_that_are_not_held(forgery: Forgery):
    at = forgery.where(CardsPlayed)
    state = fold(forgery.events[:at])
    stranger = state.hands[(state.turn + 1) % 3]
    card = CardSet(1 << next(iter(stranger)))
    rank = next(rank for rank in Rank if rank.value == str(card)[0])
    seq = forgery.change(at, kind=Kind.SOLO, rank=rank, length=1, cards=card, cause=None)
    first = forgery.audit().findings[0]
    assert (first.code, first.seq) == ("legality/play/not-held", seq)


def test_a_pass_of_the_leader(forgery: Forgery):
    at = forgery.where(CardsPlayed)
    event = forgery.event(at)
    forgery.rows[at] = with_event(forgery.rows[at], PlayPassed(event.seat, (event.seat + 1) % 3, False))
    assert "legality/pass/must-lead" in forgery.codes()


def test_a_turn_out_of_order(forgery: Forgery):
    at = forgery.where(PlayPassed)
    forgery.change(at, seat=(forgery.event(at).seat + 1) % 3)
    assert "legality/turn/not-yours" in forgery.codes()


def test_a_bid_that_never_was(forgery: Forgery):
    at = forgery.where(BidMade, -1)
    forgery.change(at, points=4)
    assert "legality/bid/no-such-bid" in forgery.codes()


@pytest.mark.parametrize("fields", [{"base": 9}, {"landlord": None}, {"kitty": CardSet(7)}])
def test_another_landlord(forgery: Forgery, fields: dict):
    at = forgery.where(LandlordChosen)
    if "landlord" in fields:
        fields = {"landlord": (forgery.event(at).landlord + 1) % 3}
    forgery.change(at, **fields)
    assert forgery.codes()[0] == "legality/landlord-chosen"


@pytest.mark.parametrize("field", ["cause", "next"])
def test_what_follows_from_a_play(forgery: Forgery, field: str):
    at = forgery.where(CardsPlayed)
    event = forgery.event(at)
    value = {"cause": Cause("bomb", 2), "next": event.seat}[field]
    forgery.change(at, **{field: None if event.cause == value else value})
    assert forgery.codes()[0] == "legality/cards-played"


def test_a_changed_deal(forgery: Forgery):
    """Two cards are exchanged that both seats play later, and with them the plays: nothing but the deal is wrong."""
    at = forgery.where(Dealt)
    hands = forgery.event(at).hands
    seq = forgery.change(at, hands=(hands[1], hands[0], hands[2]))
    first = forgery.audit().findings[0]
    assert (first.code, first.seq) == ("fairness/dealt", seq)


def test_a_better_deal_in_an_unfinished_game(table: Table):
    """Even before a card is played, and before the seed is revealed."""
    forged = forgery_of(table, table.open(Opening(players=HUMANS)).game)
    one, two, three = forged.event(1).hands
    low, high = CardSet(one.bits & -one.bits), CardSet(1 << two.bits.bit_length() - 1)
    forged.change(1, hands=(one - low | high, two - high | low, three))
    audit = forged.audit()
    assert [finding.code for finding in audit.findings] == ["fairness/dealt"]
    assert audit.checks["fairness"] == "fault"


@pytest.mark.parametrize("number", [1, -1, 2**32, 10**30])
def test_a_deal_of_another_number(table: Table, number: int):
    game = table.open(Opening(players=HUMANS)).game
    pass_all(table, game)
    forged = forgery_of(table, game)
    forged.change(forged.where(Dealt), number=number)
    codes = forged.codes()
    assert codes[0] == "fairness/dealt"
    assert ("legality/undecidable" in codes) == (number in (2**32, 10**30)), "no deal has such a number"


@pytest.mark.parametrize("field", ["nonce", "commitment", "server_seed"])
@pytest.mark.parametrize("value", ["0" * 64, "zz", "", "é" * 64, "A" * 64])
def test_changed_seeds(forgery: Forgery, field: str, value: str):
    forgery.change(0, **{field: value})
    audit = forgery.audit()
    assert not audit.ok
    assert audit.checks["fairness"] == "fault" or audit.checks["legality"] == "fault"
    if value == "0" * 64:
        assert audit.findings[0].code == "fairness/game-opened"


def test_a_whole_new_set_of_seeds_does_not_deal_these_cards(forgery: Forgery):
    """The forger commits to seeds of his own, consistently, but the cards stay those that were dealt."""
    seeds = Seeds("11" * 32, "22" * 32)
    bound = dealing.commitment(bytes.fromhex(seeds.nonce), bytes.fromhex(seeds.server_seed)).hex()
    voice = forgery.event(0).first_voice
    forgery.change(
        0, nonce=seeds.nonce, server_seed=seeds.server_seed, commitment=bound, first_voice=voice, voice_from="chosen"
    )
    forgery.change(forgery.where(SeedRevealed), server_seed=seeds.server_seed)
    assert forgery.codes() == ["fairness/dealt"]


def test_a_revealed_seed_that_is_another(forgery: Forgery):
    seq = forgery.change(forgery.where(SeedRevealed), server_seed="33" * 32)
    (finding,) = forgery.audit().findings
    assert (finding.code, finding.seq) == ("fairness/seed-revealed", seq)


def test_seat_seeds_that_are_others(forgery: Forgery):
    forgery.change(0, seat_seeds=("mine", "", ""))
    assert "fairness/dealt" in forgery.codes()


def test_another_first_voice_than_the_seed_says(forgery: Forgery):
    voice = (forgery.event(0).first_voice + 1) % 3
    forgery.change(0, first_voice=voice)
    first = forgery.audit().findings[0]
    assert (first.code, first.seq) == ("fairness/game-opened", 1)
    assert "first_voice must be" in first.detail


def test_another_first_voice_in_the_deal(forgery: Forgery):
    at = forgery.where(Dealt)
    forgery.change(at, first_voice=(forgery.event(at).first_voice + 1) % 3)
    assert forgery.codes()[0] == "fairness/dealt"


def test_the_score_left_out(forgery: Forgery):
    del forgery.rows[forgery.where(GameScored)]
    codes = forgery.codes()
    assert codes[0] == "legality/other-event"


def test_the_whole_end_left_out(forgery: Forgery):
    del forgery.rows[forgery.where(GameScored) :]
    audit = forgery.audit()
    assert [finding.code for finding in audit.findings] == ["legality/cut-short"]
    assert "a game_scored event must follow, but is missing" in audit.findings[0].detail
    assert audit.checks["accounting"] == "not-applicable"


def test_every_event_left_out_but_the_last_command(forgery: Forgery):
    """Whatever row a forger removes, hashing the rest anew; the last of all goes unnoticed only with its command."""
    for at in range(len(forgery.rows)):
        without = Forgery(forgery.game, forgery.rows[:at] + forgery.rows[at + 1 :])
        log = forged_log(without.rows)
        audit = audit_game(log, forgery.game)
        assert not audit.ok, f"event {at + 1} of {len(forgery.rows)}: {forgery.rows[at].type}"
        replay(log, forgery.game)


def test_every_event_told_twice(forgery: Forgery):
    for at in range(len(forgery.rows)):
        twice = replaced(forgery.rows[at], event_id=f"again{at}/0")
        log = forged_log([*forgery.rows[: at + 1], twice, *forgery.rows[at + 1 :]])
        assert not audit_game(log, forgery.game).ok


def test_rules_under_the_name_of_a_preset(forgery: Forgery):
    """A knob that played no part in this game: its name alone gives it away."""
    forgery.change(0, rules=replaced(CLASSIC, escape_factor=5))
    (finding,) = forgery.audit().findings
    assert (finding.code, finding.seq) == ("legality/rules-name", 1)
    assert "the rules are called classic but differ from that preset" in finding.detail


def test_a_game_is_judged_by_the_rules_in_its_first_event(table: Table):
    """A spring that does not count, in rules under a name of their own, makes the stored score a wrong one."""
    forged = forgery_of(table, imported(table, SPRING_RECORD).game)
    forged.change(0, rules=replaced(CLASSIC, name="mine", spring=1))
    assert forged.codes() == ["accounting/game-scored"]


def test_an_opening_of_another_game(forgery: Forgery):
    forgery.change(0, game="other")
    audit = audit_game(forged_log(forgery.rows), forgery.game)
    assert [finding.code for finding in audit.findings] == ["integrity/game"]


# ---- newer than this ddz ----


def test_a_newer_event_is_said_to_be_newer_and_a_forged_one_to_be_unreadable(forgery: Forgery):
    forgery.rows[3] = replaced(forgery.rows[3], version=2)
    with pytest.raises(UnsupportedVersion, match="install a newer one"):
        audit_game(forged_log(forgery.rows), forgery.game)
    with pytest.raises(UnsupportedVersion):
        replay(forged_log(forgery.rows), forgery.game)
    spoilt = forged_log([replaced(row, version=1) for row in forgery.rows])
    spoilt._own[forgery.game][3] = replaced(spoilt._own[forgery.game][3], version=2)
    codes = [finding.code for finding in audit_game(spoilt, forgery.game).findings]
    assert codes[:2] == ["integrity/hash", "integrity/unreadable"]
    assert replay(spoilt, forgery.game).broken is not None


# ---- any forgery at all ----


def anything(value: object, rng: random.Random, field: str = "") -> object:
    """Another value of about the same kind."""
    match value:
        case bool():
            return not value
        case int():
            return rng.choice([value + 1, (value + 1) % 3, -1, 0, 10**30, 2**63, 2**32, None])
        case None:
            return rng.choice([0, 1, 2, "x"])
        case Kind():
            return rng.choice(list(Kind))
        case Rank():
            return rng.choice(list(Rank))
        case str():
            return rng.choice([value + "x", value[:-1], "", value[:-1] + "0", "é", value.upper()])
        case CardSet():
            one = 1 << rng.randrange(54)
            return CardSet(rng.choice([value.bits ^ one, 0, (1 << 54) - 1, rng.getrandbits(54)]))
        case ():
            return (Cause("bomb", 2),) if field == "causes" else ()
        case tuple():
            at = rng.randrange(len(value))
            return (*value[:at], anything(value[at], rng, field), *value[at + 1 :])
        case msgspec.Struct():
            name = rng.choice(value.__struct_fields__)
            return replaced(value, **{name: anything(getattr(value, name), rng, name)})
    raise AssertionError(f"no other value for {value!r}")


FREE = {(GameOpened, name) for name in ("match", "round", "previous", "players", "rules", "seed_chosen", "origin")} | {
    (BidMade, "points"),
    (GameOpened, "voice_from"),
}
"""What a forger may rewrite into another lawful game; match, round and previous are for the audit of the whole log."""


@pytest.fixture(scope="module")
def forged_games() -> list[Forgery]:
    table = table_on()
    games = [random_game(table, seed, escape=0.01 * (seed % 2)).game for seed in range(6)]
    games += [bot_game(table, "simple").game, imported(table, export_record(table, games[0])).game]
    void = void_game(table)
    play_on(table, void, random.Random(3))
    return [forgery_of(table, game) for game in (*games, void)]


@settings(max_examples=300)
@given(seed=st.integers(0, 2**32))
def test_no_forgery_of_any_field_is_a_traceback_and_none_goes_unnoticed(forged_games: list[Forgery], seed: int):
    rng = random.Random(seed)
    whole = rng.choice(forged_games)
    forged = Forgery(whole.game, list(whole.rows))
    at = rng.choice([0, 1, len(whole.rows) - 1, len(whole.rows) - 2, *range(len(whole.rows))])
    event = forged.event(at)
    field = rng.choice(event.__struct_fields__)
    try:
        other = replaced(event, **{field: anything(getattr(event, field), rng, field)})
        forged.rows[at] = with_event(forged.rows[at], other)
        codec.event_of(forged.rows[at])
    except (ValueError, TypeError, DdzError):
        return  # a value that no event can have
    log = forged_log(forged.rows)
    audit = audit_game(log, whole.game)
    replay(log, whole.game)
    assert other == event or not audit.ok or (type(event), field) in FREE, (event, other)


def test_an_escape_put_in_where_nobody_left(forgery: Forgery):
    """It ends the game: all that follows makes no sense."""
    at = forgery.where(CardsPlayed, 1)
    escape = with_event(replaced(forgery.rows[at], event_id="evil/0"), SeatEscaped(0))
    audit = audit_game(forged_log([*forgery.rows[:at], escape, *forgery.rows[at:]]), forgery.game)
    assert not audit.ok
    assert audit.findings[0].code.startswith("legality/")
    assert isinstance(fold(forgery.events, START), Over)
