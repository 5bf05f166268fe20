"""DouZero's environment and the preset `douzero`: its generator on the whole deck, whole games, and its faults."""

import itertools
import random
from types import SimpleNamespace

import oracle
import pytest

from ddz import kernel
from ddz.cards import FULL_DECK, LETTERS
from ddz.kernel import AIRPLANE, AIRPLANE_PAIRS, AIRPLANE_SOLOS, LANES
from ddz.moves import census
from ddz.rules import PRESETS

from .engines import DOUZERO_CARDS, DOUZERO_POSITIONS, Douzero, douzero_cards, douzero_packed
from .exceptions import DetectorDiffers, listed
from .installed import peer_modules
from .lockstep import differences, play_games, play_leads, report
from .positions import PASS, Reading, TurnToAct, letters, packed, random_hand

game, detector, generator = peer_modules(
    "douzero", "douzero.env.game", "douzero.env.move_detector", "douzero.env.move_generator"
)
RULES = PRESETS["douzero"]
POLICY = RULES.kickers.code
WRONG = 15
KIND = {
    1: kernel.SOLO,
    2: kernel.PAIR,
    3: kernel.TRIO,
    4: kernel.BOMB,
    5: kernel.ROCKET,
    6: kernel.TRIO_SOLO,
    7: kernel.TRIO_PAIR,
    8: kernel.CHAIN,
    9: kernel.PAIR_CHAIN,
    10: AIRPLANE,
    11: AIRPLANE_SOLOS,
    12: AIRPLANE_PAIRS,
    13: kernel.QUAD_SOLOS,
    14: kernel.QUAD_PAIRS,
}
"""DouZero's types of move."""


def detected(cards: int) -> tuple[int, int, int] | None:
    """(kind, length, rank) as DouZero's detector says; None for no meld."""
    found = detector.get_move_type(douzero_cards(cards))
    if found["type"] == WRONG:
        return None
    rank = DOUZERO_CARDS.index(found["rank"]) if "rank" in found else kernel.BLACK_JOKER
    return KIND[found["type"]], found.get("len", 1), rank


def generated(hand: int) -> set[int]:
    return {douzero_packed(move) for move in generator.MovesGener(douzero_cards(hand)).gen_moves()}


def from_the_whole_deck(longest: int) -> set[int]:
    """Every move of at most 20 cards that its generator makes of the deck, airplane+solos up to `longest` trios.

    For airplane+solos it is handed one of its own airplanes at a time: all at once would be millions of lists.
    """
    cards = douzero_cards(FULL_DECK.counts)
    deck = generator.MovesGener(cards)
    every = [name for name in dir(deck) if name.startswith("gen_type_") and name != "gen_type_11_serial_3_1"]
    assert len(every) == 13
    found = {douzero_packed(move) for name in every for move in getattr(deck, name)() if len(move) <= 20}
    for length in range(2, longest + 1):
        for airplane in deck.gen_type_10_serial_triple(repeat_num=length):
            one = generator.MovesGener(cards)
            one.gen_type_10_serial_triple = lambda repeat_num, airplane=airplane: [airplane]  # noqa: ARG005
            found |= {douzero_packed(move) for move in set(map(tuple, one.gen_type_11_serial_3_1()))}
    return found


def test_the_generator_makes_our_card_sets_of_the_whole_deck():
    every = kernel.leads(FULL_DECK.counts, POLICY)
    ours = {cards for kind, length, _, cards in every if (kind, length) != (AIRPLANE_SOLOS, 5)}
    theirs = from_the_whole_deck(4)
    assert len(theirs) == len(ours) > 9000
    assert theirs == ours


@pytest.mark.long
def test_the_generator_makes_our_card_sets_of_the_whole_deck_long():
    ours = {cards for _, _, _, cards in kernel.leads(FULL_DECK.counts, POLICY)}
    theirs = from_the_whole_deck(5)
    assert len(theirs) == census(RULES).sets == 29984
    assert theirs == ours


def test_the_generator_makes_our_airplanes_of_five_with_solos_one_by_one():
    every = kernel.leads(FULL_DECK.counts, POLICY)
    ours = {cards for kind, length, _, cards in every if (kind, length) == (AIRPLANE_SOLOS, 5)}
    for cards in random.Random(5).sample(sorted(ours), 500):
        assert cards in generated(cards), letters(cards)


def hands_agree(hands: int) -> None:
    for number in range(hands):
        rng = random.Random(f"douzero {number}")
        hand = random_hand(rng, rng.randint(1, 20), clumped=bool(number % 2))
        ours = {cards for _, _, _, cards in kernel.leads(hand, POLICY)}
        assert generated(hand) == ours, f"hand {letters(hand)}"


def test_the_generator_on_random_hands():
    hands_agree(400)


@pytest.mark.long
def test_the_generator_on_random_hands_long():
    hands_agree(10_000)


def test_whole_games_side_by_side():
    tallies = play_games(Douzero(game), 1000, seed=1)
    assert sum(tally.games for tally in tallies.values()) == 1000
    assert sum(tally.positions for tally in tallies.values()) >= 5000
    for tally in tallies.values():
        assert {"landlord", "peasants"} == set(tally.winners)
        assert {"bomb", "rocket"} == set(tally.causes)
        assert "listed-twice" in tally.exceptions


def test_leads_of_every_kind_and_their_answers():
    tally = play_leads(Douzero(game), 200, seed=1)
    assert tally.leads == 200
    assert tally.positions > 500


def test_airplanes_with_three_or_four_equal_kickers_and_their_answers():
    tally = play_leads(Douzero(game), 100, seed=1, least_equal=3)
    assert {"unread-airplanes", "kicker-trio-as-rank", "listed-twice"} <= set(tally.exceptions)


@pytest.mark.long
def test_whole_games_side_by_side_long():
    tallies = play_games(Douzero(game), 5000, seed=2)
    print(report("douzero", tallies))
    assert any(tally.exceptions["kicker-trio-as-rank"] for tally in tallies.values())


@pytest.mark.long
def test_leads_of_every_kind_and_their_answers_long():
    for least_equal in (0, 3):
        tally = play_leads(Douzero(game), 5000, seed=2, least_equal=least_equal)
        print("douzero leads", least_equal, tally)
        assert {"unread-airplanes", "kicker-trio-as-rank", "listed-twice"} <= set(tally.exceptions)


def answers(hand: str, played: str) -> list[int]:
    """What DouZero lets a hand play after these cards."""
    env = game.GameEnv(dict.fromkeys(DOUZERO_POSITIONS, SimpleNamespace()))
    env.acting_player_position = "landlord"
    env.info_sets["landlord"].player_hand_cards = douzero_cards(packed(hand))
    env.card_play_action_seq = [douzero_cards(packed(played))]
    return [douzero_packed(move) for move in env.get_legal_card_play_actions()]


def compare(hand: str, played: str, kind: int, length: int, rank: str) -> tuple[set[str], set[str], list[str]]:
    """What is missing there, what is only there, and the exceptions that explain it."""
    top: Reading = (kind, length, LETTERS.index(rank), packed(played))
    assert top[:3] in kernel.readings(top[3], POLICY)
    here = TurnToAct(packed(hand), top, POLICY, by_cards=True)
    ours = {PASS, *(here.move(reading) for reading in here.answers())}
    theirs = answers(hand, played)
    names = differences("douzero", here, ours, theirs)
    return {letters(move) for move in ours - set(theirs)}, {letters(move) for move in set(theirs) - ours}, names


@pytest.mark.parametrize(
    ("played", "length"),
    [
        ("333444555666" + "8889", 4),
        ("333444555666" + "7778", 4),
        ("333444555666" + "8888", 4),
        ("333444555666777" + "99922", 5),
        ("333444555666777" + "9999T", 5),
    ],
)
def test_shows_unread_airplanes(played, length):
    assert detected(packed(played)) is None
    assert packed(played) in generated(packed(played))
    hand = "444555666777888"[: 3 * length] + "BR"
    kickers = "QKA22"[: 18 - 3 * length]
    missing, only_there, names = compare(hand + kickers, played, AIRPLANE_SOLOS, length, "3")
    assert missing
    assert not only_there
    assert "unread-airplanes" in names
    assert set(answers(hand + kickers, played)) == {packed("BR"), PASS}


def test_shows_airplanes_of_four():
    played = "333444555666"
    assert detected(packed(played)) == (AIRPLANE, 4, 0)
    missing, only_there, names = compare("777888999TTTJQ", played, AIRPLANE_SOLOS, 3, "3")
    assert "777888999TJQ" in missing
    assert not only_there, "777888999TTT is an answer to both"
    assert names == ["airplanes-of-four"]
    missing, only_there, names = compare("444555666777", "444555666" + "777", AIRPLANE_SOLOS, 3, "4")
    assert missing == {"444555666777"}, "as 555666777 with 444"
    assert not only_there
    assert names == ["airplanes-of-four"]


def test_shows_kicker_trio_as_rank():
    low, high = "333444555" + "888", "444555666" + "9TJ"
    missing, only_there, names = compare("444555666" + "9TJ", low, AIRPLANE_SOLOS, 3, "3")
    assert high in missing
    assert only_there == set()
    assert names == ["kicker-trio-as-rank"]
    missing, only_there, names = compare("333444555" + "TTT", "666777888" + "9JQ", AIRPLANE_SOLOS, 3, "6")
    assert missing == set()
    assert only_there == {"333444555TTT"}
    assert names == ["kicker-trio-as-rank"]


def test_shows_listed_twice():
    hand = douzero_cards(packed("3333" + "4456"))
    moves = [letters(douzero_packed(move)) for move in generator.MovesGener(hand).gen_moves()]
    assert moves.count("333345") == 2
    assert moves.count("333344") == 1
    moves = [
        letters(douzero_packed(move))
        for move in generator.MovesGener(douzero_cards(packed("333444555666"))).gen_moves()
    ]
    assert moves.count("333444555666") == 3, "as an airplane of four, and as one of three with 333 and with 666"


def disagreements(every: set[int], made: set[int]) -> dict[str, int]:
    """How many card sets one of the two takes for a meld and the other does not, by exception."""
    rows = listed("douzero", DetectorDiffers)
    counts = dict.fromkeys((row.name for row in rows), 0)
    for cards in every:
        names = [row.name for row in rows if row.recognises(cards)]
        differs = (detected(cards) is not None) != (cards in made)
        assert len(names) == differs, (
            f"{letters(cards)}: detected {detected(cards)}, generated {cards in made}, {names}"
        )
        for name in names:
            counts[name] += 1
    return counts


def test_shows_generated_not_detected():
    """Over the card sets that are a meld under any preset the two disagree on 3,916."""
    every = {cards for _, _, _, cards in kernel.leads(FULL_DECK.counts, PRESETS["literal"].kickers.code)}
    made = {cards for _, _, _, cards in kernel.leads(FULL_DECK.counts, POLICY)}  # what its generator makes: see above
    counts = disagreements(every, made)
    assert counts == {"generated-not-detected": 3838, "two-quads-detected": 78, "not-melds-detected": 0}
    assert sum(counts.values()) == 3916


def test_shows_two_quads_detected():
    assert detected(packed("33334444")) == (kernel.QUAD_PAIRS, 1, 1)
    assert packed("33334444") not in generated(packed("33334444"))


def test_shows_not_melds_detected():
    assert detected(packed("33334")) == (kernel.TRIO_PAIR, 1, 0)
    assert detected(packed("333444555777" + "8")) == (AIRPLANE_SOLOS, 3, 0)
    for cards in ("33334", "3334445557778"):
        assert packed(cards) not in generated(packed(cards))


def detector_agrees(size: int) -> dict[str, int]:
    every = {packed("".join(hand)) for hand in oracle.multisets(oracle.ORDER, size)} - {0}
    made = {cards for _, _, _, cards in kernel.leads(FULL_DECK.counts, POLICY)}
    return disagreements(every, made)


def test_the_detector_on_all_sets_of_up_to_six_cards():
    assert detector_agrees(6) == {"generated-not-detected": 0, "two-quads-detected": 0, "not-melds-detected": 182}


@pytest.mark.long
def test_the_detector_on_all_sets_of_up_to_eight_cards_long():
    assert detector_agrees(8) == {"generated-not-detected": 0, "two-quads-detected": 78, "not-melds-detected": 182}


def test_the_detector_on_four_trios_with_a_few_cards_more():
    """Three trios in a row, a fourth and anything else: no meld, but to the detector it is an airplane+solos."""
    made = {cards for _, _, _, cards in kernel.leads(FULL_DECK.counts, POLICY)}
    every = set()
    for ranks in itertools.combinations(range(kernel.TWO + 1), 4):
        trios = sum(3 << 4 * rank for rank in ranks)
        others = [rank for rank in range(LANES) if rank not in ranks]
        extras = [0, *(1 << 4 * rank for rank in others), *(2 << 4 * rank for rank in others if rank <= kernel.TWO)]
        every |= {trios + extra for extra in extras}
    assert disagreements(every, made)["not-melds-detected"] > 1000
