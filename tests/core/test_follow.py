"""`playouts.follow`: legal scripts are followed to the end, and every spoiled turn is refused at that turn."""

from itertools import product

import games
import oracle
import pytest
from scripts import Script, judge, script_of

from ddz import kernel, playouts
from ddz.cards import parse_ranks, rank_letters
from ddz.rules import PRESETS

CODES = {name: rules.kickers.code for name, rules in PRESETS.items()}


def played(seed: int, name: str = "classic") -> Script:
    script = script_of(games.play_randomly(seed, PRESETS[name]).events)
    return script or played(seed + 1000, name)  # nobody bid, and the house does not deal again


@pytest.mark.parametrize("name", PRESETS)
def test_whole_games_are_followed_to_their_end(name: str):
    for seed in range(12):
        script = played(seed, name)
        assert script.winner is not None
        assert script.follow() == (len(script.turns), script.winner)


def test_the_beginning_of_a_game_has_no_winner():
    script = played(3)
    for number in range(len(script.turns)):
        assert script.follow(script.turns[:number]) == (number, None)


def test_nothing_is_legal_behind_the_end():
    script = played(4)
    for more in (None, (kernel.SOLO, 1, 0, 1)):
        assert script.follow([*script.turns, more]) == (len(script.turns), script.winner)


@pytest.mark.parametrize("name", PRESETS)
def test_every_spoiled_turn_is_refused_at_that_turn(name: str):
    illegal, legal = judge(played(5, name))
    assert illegal > 2000
    assert legal > 100


def test_what_follows_an_illegal_turn_is_not_read():
    script = played(6)
    for number in range(0, len(script.turns), 5):
        turns = [*script.turns[:number], (kernel.SOLO, 1, 0, 0), *script.turns[number + 1 :]]
        assert script.follow(turns) == (number, None)


@pytest.mark.parametrize("first", [0, 1, 2])
def test_a_leader_must_play_and_two_passes_give_the_lead_back(first: int):
    solo = [(kernel.SOLO, 1, rank, 1 << 4 * rank) for rank in range(3)]
    hands = (0x111, 0x111, 0x111)
    assert playouts.follow(hands, first, [None], 1) == (0, None)
    assert playouts.follow(hands, first, [solo[2], None, None, None], 1) == (3, None)
    assert playouts.follow(hands, first, [solo[2], None, None, solo[0], solo[1], None, None], 1) == (7, None)
    assert playouts.follow(hands, first, [solo[1], solo[1]], 1) == (1, None), "an equal rank does not beat"
    over = [solo[2], None, None, solo[1], None, None, solo[0]]
    assert playouts.follow(hands, first, over, 1) == (7, first)


def test_bombs_and_the_rocket():
    hands = parse_ranks("3333R"), parse_ranks("44445"), parse_ranks("BR5")
    three, four = ((kernel.BOMB, 1, rank, 4 << 4 * rank) for rank in (0, 1))
    rocket = (kernel.ROCKET, 2, kernel.BLACK_JOKER, parse_ranks("BR"))
    assert playouts.follow(hands, 0, [three, four, rocket, None, None], 1) == (5, None)
    assert playouts.follow(hands, 1, [four, rocket, three], 1) == (2, None), "nothing beats the rocket"
    assert playouts.follow(hands, 1, [four, None, three], 1) == (2, None)


# --- a world so small that every game of it can be told

WORLDS = (
    ("334", "45", "3R"),
    ("3334", "4445", "555"),
    ("33B", "44R", "BR"),
    ("3333", "44", "4444"),
    ("34567", "45678", "B"),
    ("334455", "445566", "33"),
    ("3334445", "444555", "6"),
)
LONGEST = 7
"""Turns of a game that are gone through."""


def reading(meld: kernel.PackedMeld) -> tuple[str, str, int]:
    kind, length, rank, _ = meld
    return oracle.KINDS[kind], oracle.ORDER[rank], length


def told(hands: tuple[str, str, str], name: str) -> int:
    """Go through every game of a small world by the oracle's law, and ask `follow` at each turn about every meld.

    The oracle knows cards as text, finds melds by itertools, and shares nothing with the kernel. How many it asked.
    """
    policy, knobs = CODES[name], oracle.TABLE[name]
    packed = tuple(map(parse_ranks, hands))
    every = {
        (oracle.KINDS.index(kind), length, oracle.ORDER.index(rank), parse_ranks(cards)): cards
        for hand in hands
        for cards in oracle.subsets(hand)
        for kind, rank, length in oracle.readings(cards, knobs)
    }
    asked = 0

    def go(held: list[str], turn: int, owner: int, top: kernel.PackedMeld | None, turns: list) -> None:
        nonlocal asked
        within = oracle.subsets(held[turn])
        for meld in (None, *every):
            cards = every.get(meld)
            if meld is None:
                fine = top is not None
            else:
                fine = cards in within and (top is None or oracle.beats(reading(meld), reading(top)))
            asked += 1
            left = rank_letters(parse_ranks(held[turn]) - parse_ranks(cards)) if fine and meld else held[turn]
            over = bool(fine and meld and not left)
            expected = (len(turns) + fine, turn if over else None)
            assert playouts.follow(packed, 0, [*turns, meld], policy) == expected, (hands, turns, meld)
            if not fine or over or len(turns) > LONGEST:
                continue
            after = (turn + 1) % 3
            now, whose = (top, owner) if meld is None else (meld, turn)
            go(
                [left if seat == turn else held[seat] for seat in range(3)],
                after,
                whose,
                None if after == whose else now,
                [*turns, meld],
            )

    go(list(hands), 0, 0, None, [])
    return asked


@pytest.mark.parametrize(("hands", "name"), list(product(WORLDS, ("classic", "openspiel", "literal"))))
def test_every_game_of_a_small_world(hands: tuple[str, str, str], name: str):
    assert told(hands, name) > 100
