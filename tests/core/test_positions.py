"""The play as integers: positions move by the law, and a network is told what its seat may know and nothing else."""

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from games import Game, dealt
from twins import compiled_kernel, interpreted

from ddz import features, kernel
from ddz.cards import FULL_DECK, parse_ranks
from ddz.commands import Bid, Pass, Play
from ddz.decide import legal
from ddz.features import CARD_INPUTS, CHOICE_INPUTS, CHOICE_SLOTS, MELD_INPUTS, STATE_INPUTS, STATE_SLOTS
from ddz.frozen.shapes import Rules
from ddz.plans import Worth
from ddz.positions import MOST_LEFT, Position
from ddz.quickplay import gains_of, play_out, quick_move
from ddz.rules import PRESETS
from ddz.state import Auction, Over, Playing

CODES = {name: rules.kickers.code for name, rules in PRESETS.items()}
WORTHS = {code: Worth(code) for code in set(CODES.values())}
CLASSIC = CODES["classic"]
DECK = FULL_DECK.counts


def new_position(code: int = CLASSIC) -> Position:
    return Position(code, WORTHS[code])


def dealt_position(seed: int, code: int = CLASSIC) -> Position:
    position = new_position(code)
    position.deal(seed)
    return position


def a_move(position: Position, rng: random.Random) -> Any:
    """Any legal move; a pass, and the quick player's choice, more often than others."""
    moves = position.moves()
    return rng.choice([moves[-1], quick_move(position), rng.choice(moves)])


@dataclass
class Facts:
    """What is on the table, kept here by hand."""

    hands: list[int]
    kitty: int
    turn: int = 0
    top: Any = None
    owner: int = 0
    last: list[Any] = field(default_factory=lambda: [None] * 3)
    played: list[int] = field(default_factory=lambda: [0] * 3)
    bombs: int = 0

    def play(self, move: Any) -> None:
        seat = self.turn
        self.last[seat] = move
        if move is not None:
            self.hands[seat] -= move[3]
            self.played[seat] += move[3]
            self.top, self.owner = move, seat
            self.bombs += move[0] in (kernel.BOMB, kernel.ROCKET)
        self.turn = (seat + 1) % 3
        if self.turn == self.owner:
            self.top = None

    def put_up(self, code: int = CLASSIC, hands: Any = None, position: Any = None) -> Any:
        """A position with these facts, and perhaps other hands; `position` may be one of the other kernel."""
        position = position or new_position(code)
        position.set(
            tuple(hands or self.hands),
            self.kitty,
            self.turn,
            self.top,
            self.owner,
            tuple(self.last),
            tuple(self.played),
            self.bombs,
        )
        return position


def on_the_way(seed: int, code: int = CLASSIC) -> Iterator[tuple[Position, Facts]]:
    """A game's positions, each before its move."""
    rng = random.Random(seed)
    position = dealt_position(seed, code)
    kitty = packed(rng.sample(unpacked(position.hands[0]), 3))
    facts = Facts(list(position.hands), kitty)
    position = facts.put_up(code)
    while position.winner < 0:
        yield position, facts
        move = a_move(position, rng)
        position.play(move)
        facts.play(move)


def unpacked(cards: int) -> list[int]:
    """The ranks of packed cards, one for each card."""
    return [rank for rank in range(kernel.LANES) for _ in range(kernel.lane(cards, rank))]


def packed(ranks: list[int]) -> int:
    return sum(1 << 4 * rank for rank in ranks)


# --- the same game by the law and as a position


def as_moves(state: Playing) -> list[Any]:
    """What the law allows, as the kernel writes moves."""
    found: list[Any] = []
    for turn in legal(state):
        if isinstance(turn, Pass):
            found.append(None)
            continue
        assert isinstance(turn, Play)
        assert turn.kind is not None
        assert turn.rank is not None
        kind, cards = turn.kind.index, turn.cards.counts
        found.append((kind, kernel.length_of(kind, kernel.total(cards)), turn.rank.index, cards))
    return found


def by_role(state: Playing, values: Any) -> tuple[Any, ...]:
    return tuple(values[(state.landlord + role) % 3] for role in range(3))


def enthroned(seed: int, rules: Rules) -> Game:
    """A game whose landlord is about to lead; where the rules assign him, he is the first voice."""
    game = dealt(seed, rules)
    if isinstance(game.state, Auction):
        game.do(Bid(game.state.turn, 3))
    assert isinstance(game.state, Playing)
    return game


@pytest.mark.parametrize("name", PRESETS)
def test_a_position_follows_the_law(name: str) -> None:
    for seed in range(6):
        rng = random.Random(seed)
        game = enthroned(seed, PRESETS[name])
        state = game.state
        assert isinstance(state, Playing)
        position = new_position(CODES[name])
        position.set(by_role(state, [hand.counts for hand in state.hands]), state.dealt.kitty.counts)
        while isinstance(state, Playing):
            moves = as_moves(state)
            assert position.moves() == moves
            assert position.turn == (state.turn - state.landlord) % 3
            assert position.hands == by_role(state, [hand.counts for hand in state.hands])
            assert position.bombs == sum(cause.name in ("bomb", "rocket") for cause in state.causes)
            assert position.winner == -1
            at = moves.index(a_move(position, rng))
            position.play(moves[at])
            game.do(legal(state)[at])
            state = game.state
        assert isinstance(state, Over)
        last = state.last
        assert isinstance(last, Playing)
        assert position.winner == [not hand for hand in by_role(last, last.hands)].index(True)
        assert (position.winner == 0) == (state.scored.score.winner == "landlord")
        played = [0, 0, 0]
        for turn in last.history:
            if turn.meld is not None:
                played[(turn.seat - last.landlord) % 3] += turn.meld.cards.counts
        assert position.played == tuple(played)
        assert position.bombs == sum(cause.name in ("bomb", "rocket") for cause in last.causes)


def test_a_position_from_the_middle_is_the_one_that_was_played() -> None:
    for seed in range(8):
        for position, facts in on_the_way(seed):
            again = facts.put_up()
            assert again.moves() == position.moves()
            assert features.encode(again) == features.encode(position)
            assert (again.hands, again.played, again.turn, again.bombs) == (
                position.hands, position.played, position.turn, position.bombs
            )  # fmt: skip


def test_a_copy_is_a_position_of_its_own() -> None:
    for position, facts in on_the_way(3):
        other = position.copy()
        assert features.encode(other) == features.encode(position)
        for move in position.moves():
            twin = position.copy()
            twin.play(move)
        assert position.hands == tuple(facts.hands)
        play_out(other, 1)
        untouched = features.encode(facts.put_up())
        assert features.encode(position) == untouched, "what is played on elsewhere is not played here"


@pytest.mark.parametrize("name", PRESETS)
def test_a_playout_ends_by_the_rules(name: str) -> None:
    for seed in range(20):
        start = dealt_position(seed, CODES[name])
        for strays in (0, 150, 1000):
            end = start.copy()
            winner, bombs, turns = play_out(end, seed, strays)
            assert end.winner == end.turn == winner
            assert end.bombs == bombs
            assert turns >= 1
            assert [hand == 0 for hand in end.hands] == [role == winner for role in range(3)]
            assert sum(end.hands) + sum(end.played) == DECK
        by_hand = start.copy()
        turns = 0
        while by_hand.winner < 0:
            move = quick_move(by_hand)
            assert move in by_hand.moves()
            by_hand.play(move)
            turns += 1
        assert play_out(start.copy(), seed) == (by_hand.winner, by_hand.bombs, turns), (
            "without strays it is quick alone"
        )


def test_playouts_stray_by_their_seed_alone() -> None:
    start = dealt_position(5)
    ends = [play_out(start.copy(), seed, 300) for seed in range(40)]
    assert len(set(ends)) > 10
    assert ends == [play_out(start.copy(), seed, 300) for seed in range(40)]
    assert {play_out(start.copy(), seed) for seed in range(5)} == {play_out(start.copy(), 0)}


@pytest.mark.parametrize(
    ("hands", "top", "chance"),
    [
        (("33", "4", "5"), None, 1 / 2),  # 3 or 33
        (("333", "4", "5"), None, 1 / 3),  # 3, 33 or 333
        (("4", "5", "6"), "3", 1 / 2),  # 4 or a pass
        (("4", "5", "6"), "7", 0),
    ],
)
def test_a_stray_is_any_move_as_likely_as_the_others(
    hands: tuple[str, str, str], top: str | None, chance: float
) -> None:
    one, two, three = map(parse_ranks, hands)
    start = new_position()
    start.set(
        (one, two, three), 0, 0, top and (kernel.SOLO, 1, parse_ranks(top).bit_length() // 4, parse_ranks(top)), 2
    )
    at_once = sum(play_out(start.copy(), seed, 1000)[2] == 1 for seed in range(1200))
    assert abs(at_once - 1200 * chance) < 80


# --- dealing and putting up


def test_a_deal_is_a_deck_and_the_kitty_is_the_landlords() -> None:
    kitties = set()
    for seed in (*range(300), 2**63, 2**64 - 1):
        position = dealt_position(seed)
        assert [kernel.total(hand) for hand in position.hands] == [20, 17, 17]
        assert sum(position.hands) == DECK
        assert (position.turn, position.bombs, position.winner, position.played) == (0, 0, -1, (0, 0, 0))
        kitty = decoded_state(features.encode(position)[0])["kept"]
        assert kernel.total(kitty) == 3
        assert kernel.covers(position.hands[0], kitty)
        kitties.add(kitty)
    assert len(kitties) > 200
    seven, again, eight = (features.encode(dealt_position(seed)) for seed in (7, 7, 8))
    assert seven == again != eight


def test_every_card_is_dealt_to_everybody_about_as_often() -> None:
    deals, looked_at = 3000, 400
    in_hand = np.zeros((3, kernel.LANES))
    kitty = np.zeros(kernel.LANES)
    for seed in range(deals):
        position = dealt_position(seed)
        in_hand += [[kernel.lane(hand, rank) for rank in range(kernel.LANES)] for hand in position.hands]
        if seed < looked_at:
            kept = decoded_state(features.encode(position)[0])["kept"]
            kitty += [kernel.lane(kept, rank) for rank in range(kernel.LANES)]
    copies = np.array([4] * 13 + [1, 1])
    for counted, cards, of in (*zip(in_hand, (20, 17, 17), [deals] * 3, strict=True), (kitty, 3, looked_at)):
        expected = of * copies * cards / 54
        assert (abs(counted - expected) < 5 * np.sqrt(expected)).all()


@pytest.mark.parametrize(
    "bad",
    [
        {"hands": (5, 1, 1)},
        {"hands": (1, 2 << 52, 1)},
        {"hands": (1, 1, 1 << 60)},
        {"hands": (1, 1, -1)},
        {"hands": (1, 1, "34")},
        {"hands": (1, 1, 1), "turn": 3},
        {"hands": (1, 1, 1), "turn": -1},
        {"hands": (1, 1, 1), "owner": 3},
        {"hands": (1, 1, 1), "owner": -1},
        {"hands": (4, 1, 1)},  # five 3s in all
        {"hands": (4, 0, 0), "played": (0, 0, 1)},
        {"hands": (1, 1, 1), "played": (0, 0xF0, 0)},
        {"hands": (1, 1, 1), "kitty": 5},
        {"hands": (0x44444, 0, 1), "played": (4 << 20, 0, 0), "top": (kernel.SOLO, 1, 0)},
        {"hands": (0x144444, 0, 0)},  # 21 cards
        {"hands": (1, 1, 1), "top": (14, 1, 0, 1)},
        {"hands": (1, 1, 1), "top": (-1, 1, 0, 1)},
        {"hands": (1, 1, 1), "top": (kernel.SOLO, 1, 15, 1)},
        {"hands": (1, 1, 1), "top": (kernel.CHAIN, 13, 0, 1)},
        {"hands": (1, 1, 1), "top": (kernel.PAIR, 1, 0, 1)},
        {"hands": (1, 1, 1), "top": (kernel.PAIR, 1)},
        {"hands": (1, 1, 1), "last": (None, None, (kernel.BOMB, 1, 0, 9))},
    ],
)
def test_what_is_no_position_is_refused(bad: dict[str, Any]) -> None:
    for module in (compiled_kernel(), interpreted()):
        position = module.Position(CLASSIC, module.Worth(CLASSIC))
        position.set((0x11, 0x100, 0x1000), top=(kernel.SOLO, 1, 0, 1), owner=2)
        before = module.encode(position), position.hands, position.played
        with pytest.raises((ValueError, TypeError, OverflowError)):
            position.set(**bad)
        assert (module.encode(position), position.hands, position.played) == before, "it stays as it was"


@pytest.mark.parametrize("hand", [5, 1 << 60, 2 << 52, -1])
def test_what_is_no_hand_has_no_worth(hand: int) -> None:
    for module in (compiled_kernel(), interpreted()):
        worth = module.Worth(CLASSIC)
        for ask in (worth.cost, worth.melds):
            with pytest.raises((ValueError, OverflowError, TypeError)):
                ask(hand)


def test_a_position_counts_the_melds_that_each_role_plays() -> None:
    for module in (compiled_kernel(), interpreted()):
        position = module.Position(CLASSIC, module.Worth(CLASSIC))
        position.set((parse_ranks("345"), parse_ranks("66"), parse_ranks("78")))
        for rank in (1, 3, 4, None, None, 5):
            copied = position.copy()
            position.play(None if rank is None else (kernel.SOLO, 1, rank, 1 << 4 * rank))
            assert (copied.plays != position.plays) == (rank is not None)
        assert position.plays == (1, 1, 2)
        assert position.winner == 2
        with pytest.raises(ValueError, match="somebody has gone out"):
            module.play_out(position, 1)
        position.deal(3)
        assert position.plays == (0, 0, 0)


def test_what_cannot_be_played_is_refused_and_changes_nothing() -> None:
    for module in (compiled_kernel(), interpreted()):
        position = module.Position(CLASSIC, module.Worth(CLASSIC))
        position.set((parse_ranks("3345"), parse_ranks("66"), parse_ranks("7")))
        before = module.encode(position)
        with pytest.raises(ValueError, match="this cannot be played here: None"):
            position.play(None)
        for cards in ("6", "333", "33445", "R"):  # no solos but one, and that one the landlord has not
            with pytest.raises(ValueError, match=r"this cannot be played here|has not \d cards"):
                position.play((kernel.SOLO, 1, 0, parse_ranks(cards)))
        assert module.encode(position) == before
        position.play((kernel.SOLO, 1, 1, parse_ranks("4")))
        position.play(None)
        assert position.turn == 2


# --- the quick player


@pytest.mark.parametrize("name", PRESETS)
def test_gains_are_of_the_moves_and_the_quick_player_takes_the_most(name: str) -> None:
    for seed in range(6):
        for position, _ in on_the_way(seed, CODES[name]):
            moves, gains = position.moves(), gains_of(position)
            assert len(gains) == len(moves)
            if moves[-1] is None:
                assert gains[-1] == 0
            quick = quick_move(position)
            at = moves.index(quick)
            assert gains[at] == max(gains)
            out = [move for move in moves if move is not None and move[3] == position.hands[position.turn]]
            assert not out or quick in out, "it goes out when it can"


def test_gains_and_moves_hang_on_no_hidden_card() -> None:
    assert sum(1 for _ in exchanges()) > 300
    for one, other in exchanges():
        assert one.moves() == other.moves()
        assert gains_of(one) == gains_of(other)
        assert quick_move(one) == quick_move(other)


def exchanges(games: int = 12) -> Iterator[tuple[Position, Position]]:
    """Positions, and the same with the cards that the seat to act cannot know given out otherwise."""
    for seed in range(games):
        rng = random.Random(seed)
        for position, facts in on_the_way(seed):
            others = [role for role in range(3) if role != facts.turn]
            hidden = unpacked(sum(facts.hands[role] for role in others))
            rng.shuffle(hidden)
            hands = list(facts.hands)
            cut = kernel.total(hands[others[0]])
            hands[others[0]], hands[others[1]] = packed(hidden[:cut]), packed(hidden[cut:])
            if hands != facts.hands:
                yield position, facts.put_up(hands=hands)


# --- what a network is told


def cards_of(inputs: list[int]) -> int:
    """The packed cards of one block of inputs, which must be in their form."""
    cards = 0
    for rank in range(13):
        told = [at - 4 * rank for at in inputs if at // 4 == rank and at < 52]
        assert told == list(range(len(told))), "three of a rank are its first three inputs"
        cards += len(told) << 4 * rank
    return cards + sum(1 << 4 * (at - 39) for at in inputs if at >= 52)


def meld_of(inputs: list[int]) -> tuple[int, int, int] | None:
    """Kind, length and rank."""
    if not inputs:
        return None
    kind, rank, length = inputs
    assert kind < 14 <= rank < 29 <= length
    return kind, length - 29, rank - 14


def blocks(data: bytes, inputs: int, sizes: dict[str, int]) -> dict[str, list[int]]:
    """A row of inputs by block, each counted from its block's first."""
    row = np.frombuffer(data, dtype=np.uint16).tolist()
    told = [at for at in row if at != inputs]
    assert row == told + [inputs] * (len(row) - len(told)), "what pads stands at the end"
    assert len(set(told)) == len(told), "each input is told once"
    assert sum(sizes.values()) == inputs
    found = {}
    first = 0
    for name, size in sizes.items():
        found[name] = sorted(at - first for at in told if first <= at < first + size)
        first += size
    assert all(at < inputs for at in told)
    return found


STATE_BLOCKS = {
    **dict.fromkeys(("own", "unseen", "played 0", "played 1", "played 2", "last 2", "last 1", "kept"), CARD_INPUTS),
    "top": MELD_INPUTS,
    **{"left 1": 21, "left 2": 21, "bombs": 6, "melds": 12, "owner": 3},
}
CHOICE_BLOCKS = {"cards": CARD_INPUTS, "rest": CARD_INPUTS, "meld": MELD_INPUTS}
CHOICE_BLOCKS |= {"left": 21, "melds": 12, "cost": 16, "flags": 3, "held": 5}


def decoded_state(data: bytes) -> dict[str, Any]:
    """What the inputs of a state say; roles count from the one to act: 0 he, 1 the next, 2 the one before."""
    assert len(data) == 2 * STATE_SLOTS
    found: dict[str, Any] = {}
    for name, inputs in blocks(data, STATE_INPUTS, STATE_BLOCKS).items():
        if STATE_BLOCKS[name] == CARD_INPUTS:
            found[name] = cards_of(inputs)
        elif name == "top":
            found[name] = meld_of(inputs)
        else:
            (found[name],) = inputs
    return found


def decoded_choices(data: bytes) -> list[dict[str, Any]]:
    width = 2 * CHOICE_SLOTS
    assert len(data) % width == 0
    found = []
    for at in range(0, len(data), width):
        row: dict[str, Any] = blocks(data[at : at + width], CHOICE_INPUTS, CHOICE_BLOCKS)
        row["cards"], row["rest"], row["meld"] = cards_of(row["cards"]), cards_of(row["rest"]), meld_of(row["meld"])
        for name in ("left", "melds", "cost"):
            (row[name],) = row[name]
        found.append(row)
    return found


def less(cards: int, gone: int) -> int:
    """The cards that are left, rank by rank, of those that are gone no fewer than none."""
    return sum(max(0, kernel.lane(cards, rank) - kernel.lane(gone, rank)) << 4 * rank for rank in range(kernel.LANES))


@pytest.mark.parametrize("name", PRESETS)
def test_the_inputs_of_a_state_say_what_is_on_the_table(name: str) -> None:
    code = CODES[name]
    worth = WORTHS[code]
    seen_owners, seen_bombs = set(), set()
    for seed in range(8):
        for position, facts in on_the_way(seed, code):
            told = decoded_state(features.encode(position)[0])
            own, after, before = ((facts.turn + step) % 3 for step in range(3))
            assert told["own"] == facts.hands[own]
            assert told["unseen"] == facts.hands[after] + facts.hands[before]
            assert [told["played 0"], told["played 1"], told["played 2"]] == [
                facts.played[role] for role in (own, after, before)
            ]
            assert told["own"] + told["unseen"] + sum(told[f"played {step}"] for step in range(3)) == DECK
            for step, role in ((1, after), (2, before)):
                last = facts.last[role]
                assert told[f"last {step}"] == (last[3] if last else 0)
                assert told[f"left {step}"] == kernel.total(facts.hands[role])
            assert told["kept"] == less(facts.kitty, facts.played[0])
            assert told["top"] == (facts.top and facts.top[:3])
            assert told["bombs"] == min(facts.bombs, 5)
            assert told["melds"] == min(worth.melds(facts.hands[own]), 11)
            assert told["owner"] == (0 if facts.top is None else 1 if facts.owner == after else 2)
            seen_owners.add(told["owner"])
            seen_bombs.add(told["bombs"])
    assert seen_owners == {0, 1, 2}
    assert len(seen_bombs) > 1


@pytest.mark.parametrize("name", PRESETS)
def test_the_inputs_of_a_choice_say_what_it_does(name: str) -> None:
    code = CODES[name]
    worth = WORTHS[code]
    flags_seen = set()
    for seed in range(4):
        for position, facts in on_the_way(seed, code):
            hand = facts.hands[facts.turn]
            state, data, count = features.encode(position)
            moves = position.moves()
            told = decoded_choices(data)
            assert len(told) == len(moves) == count
            for move, row in zip(moves, told, strict=True):
                cards = move[3] if move else 0
                assert row["cards"] == cards
                assert row["rest"] == hand - cards
                assert row["meld"] == (move and move[:3])
                assert row["left"] == kernel.total(hand - cards) <= MOST_LEFT
                cost, melds = (worth.cost(hand - cards), worth.melds(hand - cards)) if hand != cards else (0, 0)
                assert row["melds"] == min(melds, 11)
                assert row["cost"] == max(0, min((cost + 150) // 50, 15))
                passes, sure, out = (flag in row["flags"] for flag in range(3))
                assert passes == (move is None)
                assert out == (hand == cards)
                assert len(row["held"]) == (move is not None)
                if sure:
                    assert row["held"] == [4]
                    assert cannot_be_beaten(move, facts, code)
                flags_seen |= {flag for flag in range(3) if flag in row["flags"]}
            assert told_of(state) <= STATE_SLOTS
    assert flags_seen == {0, 1, 2}


def told_of(data: bytes) -> int:
    return int((np.frombuffer(data, dtype=np.uint16) != STATE_INPUTS).sum())


def cannot_be_beaten(move: Any, facts: Facts, code: int) -> bool:
    """Whether none of the cards that are unseen, all in one hand of an opponent's size, beats the meld."""
    unseen = sum(facts.hands) - facts.hands[facts.turn]
    opponents = (0,) if facts.turn else (1, 2)
    most = max(kernel.total(facts.hands[role]) for role in opponents)
    return all(kernel.total(answer[3]) > most for answer in kernel.responses(unseen, *move[:3], code))


def test_no_hidden_card_is_told() -> None:
    for one, other in exchanges():
        assert features.encode(one) == features.encode(other)


def test_the_fullest_table_fits() -> None:
    """Every card is own, unseen or played, the last melds are long, and the kitty lies with the landlord."""
    chain, pairs = parse_ranks("3456789TJQKA"), parse_ranks("33445566778899TTJJQQ"[:20])
    last = (kernel.PAIR_CHAIN, 10, 0, pairs)
    longest = (kernel.CHAIN, 12, 0, chain)
    own = DECK - chain - pairs - parse_ranks("2222BR")
    hands = (packed(unpacked(own)[:20]), parse_ranks("2222BR") - parse_ranks("B"), parse_ranks("B"))
    kitty = packed(unpacked(hands[0])[:3])
    position = new_position()
    position.set(hands, kitty, 0, longest, 2, (None, last, longest), (0, pairs, chain), 9)
    told = decoded_state(features.encode(position)[0])
    assert told["last 1"] == pairs
    assert told["last 2"] == chain
    assert told["bombs"] == 5
    assert told["kept"] == kitty
    assert told_of(features.encode(position)[0]) <= STATE_SLOTS
    assert 54 + 2 * MOST_LEFT + 3 + 3 + 5 <= STATE_SLOTS, "nothing on a table fills more"
    assert MOST_LEFT + 3 + 3 + 3 <= CHOICE_SLOTS


# --- compiled and interpreted


@pytest.mark.parametrize("name", PRESETS)
def test_both_kernels_say_the_same_of_games_on_the_way(name: str) -> None:
    code = CODES[name]
    compiled, plain = compiled_kernel(), interpreted()
    worths = compiled.Worth(code), plain.Worth(code)
    for seed in range(2):
        for number, (_, facts) in enumerate(on_the_way(seed, code)):
            if number % 3:
                continue
            one, other = (
                facts.put_up(position=module.Position(code, worth))
                for module, worth in zip((compiled, plain), worths, strict=True)
            )
            assert one.moves() == other.moves()
            assert compiled.gains_of(one) == plain.gains_of(other)
            assert compiled.quick_move(one) == plain.quick_move(other)
            assert compiled.encode(one) == plain.encode(other)
            for strays in (0, 200):
                ends = one.copy(), other.copy()
                assert compiled.play_out(ends[0], number, strays) == plain.play_out(ends[1], number, strays)
                assert ends[0].played == ends[1].played
