"""The compiled kernel answers as its source does, in one process: every function, every kicker rule, and bad input."""

import random

import pytest
from twins import compiled_kernel, interpreted

from ddz.cards import DECK, FULL_DECK, parse_ranks, rank_letters
from ddz.kernel import LANES, SHAPES
from ddz.rules import PRESETS

C = compiled_kernel()
P = interpreted()

CODES = {name: rules.kickers.code for name, rules in PRESETS.items()}
LETTERS = [name[0] for name in DECK]
HAND_MADE = (
    "",
    "3",
    "BR",
    "22BR",
    "3334",
    "33344455",
    "34567",
    "3456789TJQKA",
    "3456789TJQKA2BR",
    "333444555666777888",
    "33334444555566667777",
    "3333444455556666777A",
    "44433355522266AA",
    "KKKKAAAA2222BR",
    "KKKAAA222BR3456",
    "333444555BR",
    "QQQKKKAAA222",
    "33344455566677788899",
    "3344556677889900JJQQ".replace("0", "T"),
    "AAA222BR33334444",
)


def some_hands(number: int) -> list[int]:
    """Random hands of every size; two of three out of few neighbouring ranks, so that there is much to list."""
    rng = random.Random(4)
    hands = []
    for each in range(number):
        start, width = ((0, 54), (rng.randrange(8) * 4, 24), (rng.randrange(5) * 4, 40))[each % 3]
        deck = LETTERS[start : start + width]
        hands.append(parse_ranks("".join(rng.sample(deck, 1 + each % 20))))
    return hands


HANDS = [*map(parse_ranks, HAND_MADE), *some_hands(160)]


def both(name: str, *args: object) -> object:
    """What both kernels answer, which must be the same."""
    ours, theirs = getattr(C, name)(*args), getattr(P, name)(*args)
    assert ours == theirs, f"{name}{args}: compiled {str(ours)[:300]}, interpreted {str(theirs)[:300]}"
    return ours


def test_these_are_two_kernels():
    assert str(C.__file__) != str(P.__file__)
    assert C.leads is not P.leads
    assert C.STAMP
    assert not P.STAMP
    assert {type(C.leads).__name__, type(P.leads).__name__} == {"cython_function_or_method", "function"}


@pytest.mark.parametrize("name", CODES)
def test_leads_and_the_readings_of_each(name: str):
    for hand in HANDS:
        listed = both("leads", hand, CODES[name])
        assert len(set(listed)) == len(listed)
        for *_, cards in listed[:: 1 + len(listed) // 20]:
            assert both("readings", cards, CODES[name])


@pytest.mark.parametrize("name", CODES)
def test_responses_to_what_another_hand_leads(name: str):
    rng = random.Random(5)
    answers = 0
    for hand in HANDS:
        tops = C.leads(rng.choice(HANDS), CODES[name])
        for kind, length, rank, _ in rng.sample(tops, min(8, len(tops))):
            answers += len(both("responses", hand, kind, length, rank, CODES[name]))
    assert answers > 1000


@pytest.mark.parametrize("name", CODES)
def test_melds_of_every_shape(name: str):
    rng = random.Random(6)
    for hand in HANDS[::3]:
        for kind, length, _ in SHAPES:
            both("melds_of", hand, kind, length, -1, CODES[name])
            both("melds_of", hand, kind, length, rng.randrange(LANES), CODES[name])


def test_what_beats_what():
    for kind, length, _ in SHAPES:
        for rank in range(LANES):
            both("beaters", kind, length, rank)


def test_readings_of_any_cards():
    for hand in HANDS:
        for code in CODES.values():
            both("readings", hand, code)


def test_counts():
    for hand in HANDS:
        both("total", hand)
        both("check", hand)
        for rank in range(LANES):
            both("lane", hand, rank)
        for other in HANDS[::7]:
            both("covers", hand, other)


@pytest.mark.parametrize(
    "hand", ["3344455566677788BR", "33334444555566667777", "KKKAAA2222BR33456", "333444888999TT2BR"]
)
def test_every_kicker_rule_there_can_be(hand: str):
    """All 256 codes: also those whose lowest bits say 0, or more than four equal kickers."""
    packed = parse_ranks(hand)
    found = set()
    for code in range(256):
        found.add(tuple(both("leads", packed, code)))
        both("responses", packed, 0, 1, 3, code)
        both("responses", packed, P.AIRPLANE_SOLOS, 2, 0, code)
        both("turns", packed, code)
    assert len(found) > 3, len(found)


@pytest.mark.parametrize("code", [*CODES.values(), 1, 7, 8 | 1, 16 | 2, 32 | 3, 64 | 3, 128 | 2])
def test_the_whole_deck(code: int):
    listed = both("leads", FULL_DECK.counts, code)
    assert len(set(listed)) == len(listed) <= P.MOST_MELDS
    assert all(type(number) is int for number in listed[-1])


@pytest.mark.parametrize("code", [*CODES.values(), 1 | 8 | 16, 4 | 128])
def test_random_games(code: int):
    for seed in (0, 1, 7, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**63 - 1, 2**63, 2**64 - 4):
        assert both("random_games", 4, seed, code)[1] > 4
    both("random_games", 0, 1, code)


@pytest.mark.parametrize("name", CODES)
def test_following_a_script(name: str):
    """Random turns, mostly legal."""
    code = CODES[name]
    for seed in range(60):
        rng = random.Random(seed)
        deck = rng.sample(LETTERS, 54)
        hands = tuple(parse_ranks("".join(deck[start : start + 5 + seed % 13])) for start in (0, 18, 36))
        script: list[object] = []
        for _ in range(30):
            seat = len(script) % 3
            leads = C.leads(hands[seat], code)
            others = C.leads(hands[seat - 1], code)
            script.append(rng.choice([None, *(leads if rng.random() < 0.7 else others)]))
            done, _ = both("follow", hands, 0, script, code)
            if done < len(script):
                script.pop()


def price(kind: int, length: int, rank: int) -> int:
    """Any prices that do not rise with the rank; some below nothing."""
    return 130 - 7 * rank - 11 * length - 9 * kind


@pytest.mark.parametrize("code", [*CODES.values(), 1, 2 | 16, 3 | 8 | 32 | 64, 4 | 128])
def test_plans_costs_turns_and_values(code: int):
    planners = C.Planner(code, price), P.Planner(code, price)
    for hand in HANDS:
        plan, other = (planner.plan(hand) for planner in planners)
        assert plan == other, rank_letters(hand)
        assert planners[0].cost(hand) == planners[1].cost(hand) == plan[0]
        both("turns", hand, code)
        both("value", hand, code)


@pytest.mark.parametrize("name", CODES)
def test_positions(name: str):
    """What is compiled as one unit with the kernel: moves, quick moves, what a network is told, playouts."""
    code, mine = CODES[name], interpreted()
    worths = C.Worth(code), mine.Worth(code)
    for hand in HANDS[::5]:
        assert worths[0].cost(hand) == worths[1].cost(hand)
        assert worths[0].melds(hand) == worths[1].melds(hand)
    for seed in range(4):
        games = C.Position(code, worths[0]), mine.Position(code, worths[1])
        rng = random.Random(seed)
        for game in games:
            game.deal(seed)
        while games[0].winner < 0:
            one, two = (
                (
                    game.hands,
                    game.turn,
                    game.bombs,
                    game.winner,
                    game.moves(),
                    kernel.quick_move(game),
                    kernel.encode(game),
                )
                for kernel, game in zip((C, mine), games, strict=True)
            )
            assert one == two
            move = rng.choice([one[4][-1], one[5], rng.choice(one[4])])
            for game in games:
                game.play(move)
        assert games[1].winner == games[0].winner
        for strays in (0, 100):
            for game in games:
                game.deal(seed)
            assert C.play_out(games[0], seed, strays) == mine.play_out(games[1], seed, strays)


# --- bad input: both refuse, and neither crashes

NO_HANDS = {
    "negative": -1,
    "five of a rank": 0x5,
    "five of a high rank": 0x5 << 48,
    "fifteen of a rank": 0xF0,
    "eight of a rank": 0x8,
    "two black jokers": 2 << 52,
    "two red jokers": 2 << 56,
    "a sixteenth lane": 1 << 60,
    "all bits": 2**64 - 1,
    "65 bits": 1 << 64,
    "200 bits": 1 << 200,
    "letters": "34",
    "nothing": None,
    "bytes": b"34",
    "a list": [1],
}
REFUSALS = (ValueError, TypeError, OverflowError)
"""An integer that no C integer holds is an OverflowError when compiled."""


def refuse(name: str, *args: object) -> None:
    """Both kernels refuse."""
    for kernel in (C, P):
        try:
            answer = getattr(kernel, name)(*args)
        except REFUSALS:
            continue
        raise AssertionError(f"{kernel.__name__}.{name}{args} is not refused: {str(answer)[:200]}")


@pytest.mark.parametrize("hand", NO_HANDS.values(), ids=NO_HANDS)
def test_what_is_no_hand_is_refused(hand: object):
    refuse("check", hand)
    refuse("leads", hand, 1)
    refuse("responses", hand, 0, 1, 0, 1)
    refuse("melds_of", hand, 0, 1, -1, 1)
    refuse("readings", hand, 1)
    refuse("turns", hand, 1)
    refuse("value", hand, 1)
    for seat in range(3):
        refuse("follow", tuple(hand if each == seat else 1 for each in range(3)), 0, [], 1)
    for kernel in (C, P):
        planner = kernel.Planner(1, price)
        for ask in (planner.plan, planner.cost):
            with pytest.raises(REFUSALS):
                ask(hand)
        assert planner.plan(0x1111) == kernel.Planner(1, price).plan(0x1111), "the planner is none the worse for it"


NO_SHAPES = (
    *((-1, 1), (14, 1), (2**31, 1), (2**40, 1), (0, 0), (0, -1), (0, 2), (5, 4), (5, 13), (6, 2), (6, 11), (7, 7)),
    *((8, 6), (9, 5), (13, 1), (12, 2), ("solo", 1), (0, None), (0, 2**33)),
)


@pytest.mark.parametrize(("kind", "length"), NO_SHAPES)
def test_what_is_no_shape_is_refused(kind: object, length: object):
    refuse("melds_of", 0x1111, kind, length, -1, 1)
    refuse("responses", 0x1111, kind, length, 0, 1)


@pytest.mark.parametrize("rank", [-2, 15, 16, 64, 2**31, 2**40, -(2**40), "3", None])
def test_what_is_no_rank_is_refused(rank: object):
    refuse("melds_of", 0x1111, 0, 1, rank, 1)
    refuse("responses", 0x1111, 0, 1, rank, 1)


@pytest.mark.parametrize("policy", ["classic", None, [1]])
def test_what_is_no_policy_is_refused(policy: object):
    hand = parse_ranks("333444555666")
    refuse("leads", hand, policy)
    refuse("random_games", 100, 1, policy)


@pytest.mark.parametrize("games", ["1", None, [1]])
def test_what_is_no_number_of_games_is_refused(games: object):
    refuse("random_games", games, 1, 1)
    refuse("random_games", 1, games, 1)


BROKEN_TURNS = {
    "no meld": (0, None),
    "three numbers": [(0, 1, 0)],
    "five numbers": [(0, 1, 0, 1, 1)],
    "a number": [5],
    "letters": ["3333"],
    "words": [("solo", 1, 0, 1)],
    "parts of it missing": [(0, None, 0, 1)],
}


@pytest.mark.parametrize("script", BROKEN_TURNS.values(), ids=BROKEN_TURNS)
def test_what_is_no_script_is_refused(script: object):
    refuse("follow", (1, 1, 1), 0, script, 1)


@pytest.mark.parametrize("turn", [-1, 3, 4, 1000, 2**31 - 1, -(2**31), 2**40, None, "0"])
def test_what_is_no_seat_is_refused(turn: object):
    refuse("follow", (1, 1, 1), turn, [(0, 1, 0, 1)], 1)


@pytest.mark.parametrize("hands", [(), (1,), (1, 1), (1, 1, 1, 1), None, 3], ids=str)
def test_what_are_not_three_hands_is_refused(hands: object):
    refuse("follow", hands, 0, [(0, 1, 0, 1)], 1)


NO_MELDS = (
    *((14, 1, 0, 1), (-1, 1, 0, 1), (0, 0, 0, 1), (0, 2, 0, 1), (0, 1, 15, 1), (0, 1, -1, 1), (0, 1, 1, 1)),
    *((5, 4, 0, 0x1111), (5, 5, 0, 0x1111), (1, 1, 0, 1), (0, 1, 0, 2), (0, 1, 0, 0), (0, 1, 0, 1 << 60)),
    *((0, 1, 0, 2**64 - 1), (2, 1, 0, 15), (12, 1, 0, 15), (3, 1, 0, 15), (13, 2, 13, 0x110000000000000)),
    *((13, 2, 0, 1), (9, 4, 0, 0xFFFF), (8, 2, 0, 0x8F), (8, 2, 0, 0x44000)),
)


@pytest.mark.parametrize("meld", NO_MELDS)
def test_a_meld_that_is_none_is_not_legal(meld: tuple[int, int, int, int]):
    hand = parse_ranks("33445566")
    assert both("follow", (hand, 1, 1), 0, [meld], 4) == (0, None)
    assert both("follow", (hand, 1, 1), 0, [(0, 1, 0, 1), None, None, meld], 4) == (3, None)
