"""The peers as `lockstep.Peer`s. Each takes the modules that it drives, so that this module imports without any."""

from collections.abc import Iterable
from types import ModuleType, SimpleNamespace

from games import Game

from ddz import kernel
from ddz.cards import DECK
from ddz.commands import GivenDeal
from ddz.frozen.shapes import Score
from ddz.kernel import LANES

from .exceptions import Printed, PrintsDiffer, listed
from .positions import PASS, Move, Reading, packed

OPENSPIEL_JOKERS = {"(BWJ)": "B", "(CJ)": "R"}
FIRST_PLAY = 4
"""OpenSpiel's actions 0 to 3 are the pass and the bids; the melds follow."""
DEALT = 51
"""The cards that OpenSpiel deals; its first action places the face-up card among them."""
DOUZERO_CARDS = (*range(3, 15), 17, 20, 30)
"""DouZero's number of each lane."""
_DOUZERO_LANES = {card: 1 << 4 * lane for lane, card in enumerate(DOUZERO_CARDS)}
DOUZERO_POSITIONS = ("landlord", "landlord_down", "landlord_up")
"""In order of play."""


class Rlcard:
    """RLCard's game. Its player 0 is always the landlord; it knows suits, but plays by rank."""

    name = "rlcard"
    by_cards = True

    def __init__(self, doudizhu: ModuleType) -> None:
        self._engine = doudizhu

    def deal(self, given: GivenDeal) -> None:
        """Put the deck in order behind its shuffle."""
        assert given.landlord is not None
        self._landlord = given.landlord
        hands = [given.hands[(given.landlord + player) % 3] for player in range(3)]
        order = [_rlcard_name(card) for cards in (*hands, given.kitty) for card in cards]
        self._game = self._engine.Game()
        self._game.np_random = SimpleNamespace(
            shuffle=lambda deck: deck.sort(key=lambda card: order.index(card.suit + card.rank))
        )
        self._game.init_game()

    def turn(self) -> int | None:
        """The seat to act."""
        if self._game.is_over():
            return None
        return (self._landlord + self._game.get_player_id()) % 3

    def moves(self) -> list[Move]:
        """Packed cards."""
        return [rlcard_move(action) for action in self._game.state["actions"]]

    def play(self, move: Move) -> None:
        """Play in its own spelling, which is that of its list."""
        spelled = {rlcard_move(action): action for action in self._game.state["actions"]}
        self._game.step(spelled[move])

    def check_end(self, score: Score, game: Game) -> Iterable[str]:  # noqa: ARG002
        """It pays 1 to each winner and 0 to each loser; no points."""
        paid = list(self._game.judger.judge_payoffs(self._game.round.landlord_id, self._game.winner_id))
        assert paid == ([1, 0, 0] if score.winner == "landlord" else [0, 1, 1]), f"rlcard pays {paid}, ours is {score}"
        return ()


def _rlcard_name(card: int) -> str:
    name = DECK[card]
    return name + "J" if len(name) == 1 else name[1].upper() + name[0]


def rlcard_move(action: str) -> int:
    """RLCard spells a move with our rank letters."""
    return PASS if action == "pass" else packed(action)


class Douzero:
    """DouZero's game, without its training. It knows ranks alone, and its landlord has the kitty from the start."""

    name = "douzero"
    by_cards = True

    def __init__(self, game: ModuleType) -> None:
        self._engine = game

    def deal(self, given: GivenDeal) -> None:
        """Give the hands by position; each position has a player that does what it is told."""
        assert given.landlord is not None
        self._landlord = given.landlord
        agent = SimpleNamespace(act=lambda infoset: self._next)  # noqa: ARG005
        self._env = self._engine.GameEnv(dict.fromkeys(DOUZERO_POSITIONS, agent))
        hands = {
            position: douzero_cards(given.hands[(given.landlord + offset) % 3].counts)
            for offset, position in enumerate(DOUZERO_POSITIONS)
        }
        kitty = douzero_cards(given.kitty.counts)
        hands["landlord"] = sorted(hands["landlord"] + kitty)
        self._env.card_play_init({**hands, "three_landlord_cards": kitty})

    def turn(self) -> int | None:
        """The seat to act."""
        if self._env.game_over:
            return None
        return (self._landlord + DOUZERO_POSITIONS.index(self._env.acting_player_position)) % 3

    def moves(self) -> list[Move]:
        """Packed cards, as often as it lists them."""
        return [douzero_packed(action) for action in self._env.game_infoset.legal_actions]

    def play(self, move: Move) -> None:
        """Play by ranks."""
        assert isinstance(move, int)
        self._next = douzero_cards(move)
        self._env.step()

    def check_end(self, score: Score, game: Game) -> Iterable[str]:  # noqa: ARG002
        """Points for base 1: 2 and 1, doubled for each bomb and rocket."""
        side = "landlord" if score.winner == "landlord" else "farmer"
        assert self._env.get_winner() == side, f"douzero: {self._env.get_winner()} won, ours is {score}"
        assert score.base == 1
        for offset, position in enumerate(("landlord", "farmer", "farmer")):
            points = score.payouts[(self._landlord + offset) % 3]
            assert self._env.num_scores[position] == points, f"douzero pays {self._env.num_scores}, ours is {score}"
        return ()


def douzero_cards(cards: int) -> list[int]:
    """Packed counts as DouZero's sorted list."""
    numbers: list[int] = []
    for rank, number in enumerate(DOUZERO_CARDS):
        numbers += [number] * (cards >> 4 * rank & 15)
    return numbers


def douzero_packed(cards: Iterable[int]) -> int:
    """DouZero's cards as packed counts."""
    return sum(_DOUZERO_LANES[card] for card in cards)


class Openspiel:
    """OpenSpiel's dou_dizhu: the auction, readings and points are its own."""

    name = "openspiel"
    by_cards = False

    def __init__(self, pyspiel: ModuleType) -> None:
        self._engine = pyspiel
        self._rules = pyspiel.load_game("dou_dizhu")
        blank = self._rules.new_initial_state()
        self.readings = {
            action: openspiel_reading(blank.action_to_string(0, action))
            for action in range(FIRST_PLAY, self._rules.num_distinct_actions())
        }
        """What each of its actions is."""
        self._actions = {reading: action for action, reading in self.readings.items()}

    def deal(self, given: GivenDeal) -> None:
        """It deals a card at a time from seat 0; who gets the face-up card has the first voice."""
        self.state = self._rules.new_initial_state()
        self.state.apply_action(given.first_voice)
        hands = [list(hand) for hand in given.hands]
        for number in range(DEALT):
            self.state.apply_action(DEALT + openspiel_card(hands[number % 3][number // 3]))

    def turn(self) -> int | None:
        """The seat to act."""
        return None if self.state.is_terminal() else self.state.current_player()

    def moves(self) -> list[Move]:
        """Points in the auction, readings in the play."""
        return [self.readings.get(action, action) for action in self.state.legal_actions()]

    def play(self, move: Move) -> None:
        """A bid, a pass or a reading."""
        self.state.apply_action(move if isinstance(move, int) else self._actions[move])

    def check_end(self, score: Score, game: Game) -> Iterable[str]:
        """Its returns are our payouts; its print is what was dealt, or listed."""
        assert tuple(self.state.returns()) == score.payouts, f"openspiel pays {self.state.returns()}, ours is {score}"
        if score.landlord is None:
            return []  # it writes outside of its array when it prints a game without a landlord: never ask it to
        shown = self.printed(score.landlord, game)
        names = [row.name for row in listed(self.name, PrintsDiffer) if row.recognises(shown)]
        assert len(names) == (shown.printed != shown.hands), f"openspiel prints {shown}: unlisted"
        return names

    def printed(self, landlord: int, game: Game) -> Printed:
        """The finished game and what it prints of it."""
        dealt = next(event for event in game.events if hasattr(event, "hands"))
        hands = [hand.counts for hand in dealt.hands]
        hands[landlord] += dealt.kitty.counts
        try:
            shown = openspiel_hands(str(self.state))
        except self._engine.SpielError:
            shown = None
        turns = len(self.state.full_history()) - DEALT - 1
        return Printed(dealt.first_voice, (hands[0], hands[1], hands[2]), dealt.kitty.counts, landlord, turns, shown)


def openspiel_card(card: int) -> int:
    """OpenSpiel's number of a card: clubs 3 to 2, diamonds, hearts, spades, then the jokers."""
    return card if card >= 52 else card % 4 * 13 + card // 4


def openspiel_ranks(text: str) -> str:
    """Our rank letters for OpenSpiel's."""
    for theirs, ours in OPENSPIEL_JOKERS.items():
        text = text.replace(theirs, ours)
    return text


def openspiel_reading(text: str) -> Reading:
    """What an action string says, read without asking our kernel what is a meld."""
    core, _, kickers = openspiel_ranks(text).partition("-")
    cards = packed(core + kickers)
    if kickers:
        length = len(core) // 3
        kind = kernel.AIRPLANE_SOLOS if len(kickers) == length else kernel.AIRPLANE_PAIRS
        assert len(kickers) in (length, 2 * length), text
        return kind, length, _lanes(packed(core))[0], cards
    if core == "BR":
        return kernel.ROCKET, 2, kernel.BLACK_JOKER, cards
    ranks = _lanes(cards)
    copies = {kernel.lane(cards, rank) for rank in ranks}
    if len(copies) == 1:
        count = copies.pop()
        kinds = (kernel.SOLO, kernel.PAIR, kernel.TRIO, kernel.BOMB)
        if len(ranks) > 1:
            kinds = (kernel.CHAIN, kernel.PAIR_CHAIN, kernel.AIRPLANE)
        return kinds[count - 1], len(ranks), ranks[0], cards
    trio = next(rank for rank in ranks if kernel.lane(cards, rank) == 3)
    return (kernel.TRIO_SOLO if len(core) == 4 else kernel.TRIO_PAIR), 1, trio, cards


def _lanes(cards: int) -> list[int]:
    return [rank for rank in range(LANES) if kernel.lane(cards, rank)]


def openspiel_hands(text: str) -> tuple[int, int, int]:
    """The hands by seat as a state prints them: a line a rank, seat 1 on the left, 2 on the right, 0 below."""
    lines = text.split("\n")
    left = [line[:8] for line in lines[:LANES]]
    right = [line[16:] for line in lines[:LANES]]
    below = [line[8:] for line in lines[LANES : 2 * LANES]]
    one, two, zero = (packed(openspiel_ranks("".join(part.strip() for part in seat))) for seat in (left, right, below))
    return zero, one, two
