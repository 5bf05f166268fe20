"""A game judged by other rules than its own: the first event they refuse, and what they would have paid."""

from collections.abc import Sequence

import msgspec
import pytest
from games import Game, arrange, imported, opening

from ddz.commands import Deal
from ddz.frozen.shapes import Rules
from ddz.record import record_of, record_text
from ddz.rules import CLASSIC, PRESETS
from ddz.services.archive import import_bytes
from ddz.services.as_rules import Judgement, judge
from ddz.services.lines import fork
from ddz.services.table import Table
from ddz.state import Over

from .tables import VOID_RECORD, bot_game, points, random_game
from .tables import imported as stored


def told(
    table: Table, *actions: str, hands: Sequence[str] = (), kitty: str = "", rules: Rules = CLASSIC, base: int = 1
) -> str:
    """A stored game in which the seats hold at least these cards; seat 0 is landlord where the rules assign one."""
    game = Game()
    given = arrange(hands, kitty)
    if rules.auction == "assigned":
        given = msgspec.structs.replace(given, landlord=0, base=base)
    game.do(opening(rules, first_voice=0, origin=imported()))
    game.do(Deal(given))
    game.say(*actions)
    return import_bytes(table, record_text(record_of(game.events)).encode(), "a test").game


def judged(table: Table, game: str, name: str) -> Judgement:
    found = judge(table.log, game, PRESETS[name])
    assert found.game == game
    return found


SPRING = {"hands": ["33334444555566667", "77788889999TTTTJJ", "JJQQQQKKKKAAAA22B"], "kitty": "22R"}
SPRING_PLAY = (
    *("0 play 333444555666 as airplane", "1 pass", "2 pass", "0 play 34567", "1 pass", "2 pass"),
    *("0 play 22", "1 pass", "2 pass", "0 play R"),
)
"""A whole game that is a spring: seat 0 goes out and nobody else plays."""


# ---- legality ----


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("classic", None),
        ("literal", None),
        ("douzero", None),
        ("rlcard", "play/not-a-meld"),
        ("openspiel", "play/not-a-meld"),
        ("pagat", "play/not-a-meld"),
    ],
)
def test_both_jokers_on_a_quad(table: Table, name: str, code: str | None):
    """Seq 1 opens, 2 deals, 3 bids and 4 makes the landlord: the play is event 5."""
    found = judged(table, told(table, "0 bid 3", "0 play 3333BR", hands=["3333BR"]), name)
    assert (found.illegal and (found.illegal.seq, found.illegal.code)) == (code and (5, code))
    assert found.score is found.own_score is None, "the game goes on"
    if found.illegal is not None:
        assert found.illegal.detail == "3333BR is no meld"


@pytest.mark.parametrize(
    ("name", "legal"),
    [("classic", True), ("literal", True), ("rlcard", True), ("openspiel", True), ("douzero", True), ("pagat", False)],
)
def test_two_equal_kickers_on_an_airplane(table: Table, name: str, legal: bool):
    game = told(table, "0 bid 1", "1 bid 3", "1 play 33344455", hands=["", "33344455"])
    found = judged(table, game, name)
    assert (found.illegal is None) == legal
    if found.illegal is not None:
        assert (found.illegal.seq, found.illegal.code) == (6, "play/not-a-meld")


def test_rules_without_quads_refuse_them_and_the_rest_is_not_asked(table: Table):
    """The first illegal event is named, though a later one would be illegal too."""
    game = told(
        table,
        *("0 bid 3", "0 play 55", "1 pass", "2 pass", "0 play 333366", "1 pass", "2 pass", "0 play 444477"),
        hands=["33334444557766"],
    )
    found = judged(table, game, "openspiel")
    assert found.illegal is not None
    assert (found.illegal.seq, found.illegal.detail) == (8, "333366 is no meld")


def test_a_reading_that_the_game_named_is_kept(table: Table):
    """Twelve cards that are three melds in classic are one where an airplane takes no trio beside it for kickers."""
    game = told(table, "0 bid 3", *SPRING_PLAY, **SPRING)
    for name in PRESETS:
        assert judged(table, game, name).illegal is None
    game = told(table, "0 bid 3", "0 play 333444555666 as airplane+solos 3", hands=["333444555666"])
    assert judged(table, game, "douzero").illegal is None
    found = judged(table, game, "rlcard").illegal
    assert found is not None
    assert found.detail == "333444555666 cannot be read as airplane+solos 3, only as airplane 3"


def test_another_auction(table: Table):
    """Two passes must follow a bid of 1 in OpenSpiel, so the first play comes too early there."""
    game = told(table, "0 pass", "1 pass", "2 bid 1", "2 play 3", hands=["", "", "3"])
    found = judged(table, game, "openspiel").illegal
    assert found is not None
    assert (found.seq, found.code) == (7, "phase/wrong")
    game = told(table, "0 bid 1", "1 pass", "2 pass", "0 play 3", hands=["3"])
    assert judged(table, game, "openspiel").illegal is None
    game = told(
        table,
        "0 pass",
        "1 bid 1",
        "2 pass",
        "0 bid 2",
        "1 bid 3",
        "1 play 3",
        hands=["", "3"],
        rules=PRESETS["openspiel"],
    )
    found = judged(table, game, "classic").illegal
    assert found is not None
    assert found.seq == 6, "a second bid of seat 0: in classic the auction is over, and seat 1 leads"


def test_a_deal_that_nobody_bid_for(table: Table):
    """It is dealt again in classic, and is over for nothing in OpenSpiel."""
    game = stored(table, VOID_RECORD).game
    found = judged(table, game, "openspiel")
    assert found.illegal is None
    assert found.score is not None
    assert (found.score.winner, found.score.payouts) == ("nobody", (0, 0, 0))
    assert found.own_score is None
    found = judged(table, game, "pagat")
    assert (found.illegal, found.score) == (None, None)


# ---- points ----


@pytest.mark.parametrize(
    ("name", "payouts"),
    [
        ("classic", (12, -6, -6)),
        ("literal", (12, -6, -6)),
        ("pagat", (12, -6, -6)),
        ("openspiel", (12, -6, -6)),
        ("rlcard", (6, -3, -3)),
        ("douzero", (6, -3, -3)),
    ],
)
def test_a_spring_pays_twice_where_there_are_springs(table: Table, name: str, payouts: tuple[int, int, int]):
    game = told(table, "0 bid 3", *SPRING_PLAY, **SPRING)
    found = judged(table, game, name)
    assert found.illegal is None
    assert found.score is not None
    assert found.own_score is not None
    assert found.score.payouts == payouts
    assert found.own_score.payouts == (12, -6, -6)
    assert (found.score.base, found.score.winner) == (3, "landlord")


def test_a_house_that_does_not_count_bombs(table: Table):
    """All of a game's points follow from the rules that it is judged by."""
    game = told(table, "0 bid 3", *SPRING_PLAY, **SPRING)
    dear = msgspec.structs.replace(CLASSIC, name="dear", spring=5)
    assert judge(table.log, game, dear).score.payouts == (30, -15, -15)
    for seed in range(6):
        line = random_game(table, seed).game
        plain = msgspec.structs.replace(CLASSIC, name="plain", bomb=1, rocket=1, spring=1, anti_spring=1)
        found = judge(table.log, line, plain)
        assert found.illegal is None
        assert max(map(abs, found.score.payouts)) == 2 * found.score.base
        assert found.score.multiplier == 1
        assert found.own_score.winner == found.score.winner


# ---- who is the landlord ----


def test_bids_are_not_heard_where_the_landlord_is_assigned(table: Table):
    """Landlord and base are taken over from the auction."""
    game = told(table, "0 bid 1", "1 bid 2", "2 pass", "1 play 3", hands=["", "3"])
    found = judged(table, game, "rlcard")
    assert (found.illegal, found.rules) == (None, PRESETS["rlcard"])


def test_a_game_without_an_auction_is_judged_without_one(table: Table):
    game = told(table, *SPRING_PLAY, rules=PRESETS["rlcard"], base=2, **SPRING)
    found = judged(table, game, "classic")
    assert found.illegal is None
    assert found.rules == msgspec.structs.replace(CLASSIC, auction="assigned")
    assert (found.score.payouts, found.own_score.payouts) == ((8, -4, -4), (4, -2, -2))


# ---- its own rules ----


@pytest.mark.parametrize("seed", range(8))
def test_by_its_own_rules_a_game_is_legal_and_pays_what_it_paid(table: Table, seed: int):
    """Redeals, escapes, and games that are not over among them."""
    at = random_game(table, seed, turns=None if seed % 3 else 20, escape=0.02)
    found = judge(table.log, at.game, CLASSIC)
    assert found.illegal is None
    assert found.score == found.own_score == (at.state.scored.score if isinstance(at.state, Over) else None)


def test_a_game_of_bots_with_redeals_and_forks(table: Table):
    game = bot_game(table, "random", seed=3).game
    line = fork(table, game, points(table, game)[3]).game
    for each in (game, line):
        found = judge(table.log, each, CLASSIC)
        assert (found.illegal, found.score) == (None, found.own_score)


def test_nothing_is_stored(table: Table):
    game = random_game(table, 1).game
    before = list(table.log.after(0))
    for name in PRESETS:
        judged(table, game, name)
    assert list(table.log.after(0)) == before
