"""Our core and a peer play the same game side by side: the same deal, the same turns, every list of moves compared."""

import random
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Protocol

from games import Game, imported, opening, side_of

from ddz.commands import Bid, Deal, GivenDeal, Pass, Turn
from ddz.decide import legal
from ddz.frozen.events import GameScored
from ddz.frozen.shapes import Rules, Score
from ddz.rules import PRESETS
from ddz.state import Auction, Over, Playing

from .exceptions import MovesDiffer, MovesRepeat, listed
from .positions import PASS, Move, Reading, TurnToAct, answered_lead, our_move, random_deal, reading_of, told


class Peer(Protocol):
    """Another engine in the seat beside ours. Seats are ours; the peer turns them into its own."""

    name: str
    """The name of the preset and in the table of exceptions."""
    by_cards: bool
    """It knows cards, not readings."""

    def deal(self, given: GivenDeal) -> None:
        """Begin a game."""

    def turn(self) -> int | None:
        """The seat to act; None when the game is over."""

    def moves(self) -> list[Move]:
        """What that seat may do, as the peer lists it."""

    def play(self, move: Move) -> None:
        """Do it."""

    def check_end(self, score: Score, game: Game) -> Iterable[str]:
        """Compare the end with ours; the names of the exceptions that showed."""


@dataclass
class Comparison:
    """What was compared, and which exceptions showed how often."""

    games: int = 0
    positions: int = 0
    """Turns of the play at which the legal moves were compared."""
    leads: int = 0
    bids: int = 0
    """Turns of the auction, compared as well but counted apart."""
    moves: int = 0
    """Legal moves that both listed."""
    exceptions: Counter[str] = field(default_factory=Counter)
    """Positions (or games, for what is printed) by exception."""
    winners: Counter[str] = field(default_factory=Counter)
    causes: Counter[str] = field(default_factory=Counter)

    def __str__(self) -> str:
        counted = {"exceptions": self.exceptions, "winners": self.winners, "causes": self.causes}
        tail = "; ".join(f"{name} {dict(sorted(counter.items()))}" for name, counter in counted.items())
        return (
            f"{self.games} games, {self.positions} positions of play ({self.leads} leads), {self.bids} of bidding, "
            f"{self.moves} moves; {tail}"
        )


def differences(peer: str, position: TurnToAct, ours: Iterable[Move], theirs: list[Move]) -> list[str]:
    """The names of the listed exceptions that explain every difference between two lists of moves at a position.

    Raises:
        AssertionError: naming the position, if anything else differs, or less than was listed.
    """
    found = frozenset(ours) ^ frozenset(theirs)
    names = []
    expected: set[Move] = set()
    for row in listed(peer, MovesDiffer):
        moves = row.differing(position)
        if moves:
            names.append(row.name)
            expected |= moves
    unlisted = found - expected
    assert found == expected, (
        f"{peer}: {position}: unlisted: missing there {_tell(unlisted - set(theirs))}, "
        f"only there {_tell(unlisted & set(theirs))}; listed but not shown: {_tell(expected - found)}"
    )
    repeated = [move for move, count in Counter(theirs).items() if count > 1]
    for row in listed(peer, MovesRepeat):
        explained = [move for move in repeated if row.repeats(position, move)]
        if explained:
            names.append(row.name)
            repeated = [move for move in repeated if move not in explained]
    assert not repeated, f"{peer}: {position}: listed more than once: {_tell(repeated)}"
    return names


def _tell(moves: Iterable[Move]) -> str:
    return ", ".join(sorted(told(move) for move in moves)) or "none"


def position_of(state: Playing, by_cards: bool) -> TurnToAct:
    """A turn of our game as both see it."""
    top = None
    if state.top:
        top = (*state.top.meld.shape, state.top.meld.cards.counts)
    return TurnToAct(state.hands[state.turn].counts, top, state.opened.rules.kickers.code, by_cards)


def play_game(peer: Peer, rng: random.Random, clumped: bool, tally: Comparison) -> Game:
    """Play one random game on both engines; every turn, and the end, must agree or be listed."""
    rules = PRESETS[peer.name]
    given = random_deal(rng, clumped, assigned=rules.auction == "assigned")
    game = start(peer, rules, given)
    silent = rng.choice([*[None] * 6, "landlord", "peasants"])  # one that passes wherever it may: springs are met
    while not isinstance(game.state, Over):
        chosen = _choose(_compare(peer, game, tally), game, rng, silent)
        _do(peer, game, chosen)
    assert peer.turn() is None, f"{peer.name}: our game is over, theirs goes on"
    score = next(event.score for event in game.events if isinstance(event, GameScored))
    tally.exceptions.update(peer.check_end(score, game))
    tally.games += 1
    tally.winners[score.winner] += 1
    tally.causes.update(cause.name for cause in score.causes)
    return game


def start(peer: Peer, rules: Rules, given: GivenDeal) -> Game:
    """Deal the same cards on both engines."""
    game = Game()
    game.do(opening(rules, first_voice=given.first_voice, origin=imported()))
    game.do(Deal(given))
    peer.deal(given)
    return game


def _compare(peer: Peer, game: Game, tally: Comparison) -> dict[Move, list[Turn]]:
    """Compare one turn; the turns of ours by move, for those moves that both allow."""
    state = game.state
    assert isinstance(state, Auction | Playing)
    assert peer.turn() == state.turn, f"{peer.name}: seat {state.turn} is to act, but theirs says {peer.turn()}"
    ours: dict[Move, list[Turn]] = {}
    for turn in legal(state):
        ours.setdefault(our_move(turn, peer.by_cards), []).append(turn)
    theirs = peer.moves()
    if isinstance(state, Auction):
        assert sorted(ours) == sorted(theirs), f"{peer.name}: after {state.calls} they may bid {theirs}"
        tally.bids += 1
    else:
        tally.exceptions.update(differences(peer.name, position_of(state, peer.by_cards), ours, theirs))
        tally.positions += 1
        tally.leads += state.top is None
    there = set(theirs)
    common = {move: turns for move, turns in ours.items() if move in there}
    tally.moves += len(common)
    return common


def _choose(common: dict[Move, list[Turn]], game: Game, rng: random.Random, silent: str | None) -> Turn:
    """A random turn that both engines allow; where cards have several readings, a random one."""
    state = game.state
    if PASS in common:
        quiet = isinstance(state, Playing) and side_of(state) == silent
        if quiet or (isinstance(state, Auction) and rng.random() < 0.4):
            return common[PASS][0]
    move = rng.choice(list(common))
    return rng.choice(common[move])


def play_games(peer: Peer, games: int, seed: int) -> dict[str, Comparison]:
    """Random games, one in two of a badly shuffled deck; a tally for each way of shuffling."""
    tallies = {"shuffled": Comparison(), "clumped": Comparison()}
    for number in range(games):
        way = "clumped" if number % 2 else "shuffled"
        rng = random.Random(f"{seed}/{number}")
        try:
            play_game(peer, rng, way == "clumped", tallies[way])
        except AssertionError as fault:
            raise AssertionError(f"game {number} of seed {seed} ({way}): {fault}") from fault
    return tallies


def play_leads(peer: Peer, leads: int, seed: int, least_equal: int = 0) -> Comparison:
    """Leads of every kind and length, each answered by the two seats after it; no game is played to its end.

    With `least_equal` only melds that carry so many equal kickers are led.
    """
    rules = PRESETS[peer.name]
    policy, assigned = rules.kickers.code, rules.auction == "assigned"
    tally = Comparison()
    for number in range(leads):
        given, lead = answered_lead(random.Random(f"{seed}/{number}"), policy, assigned, least_equal)
        try:
            _answer(peer, rules, given, lead, tally)
        except AssertionError as fault:
            raise AssertionError(f"lead {number} of seed {seed}: {fault}") from fault
    return tally


def _answer(peer: Peer, rules: Rules, given: GivenDeal, lead: Reading, tally: Comparison) -> None:
    game = start(peer, rules, given)
    if rules.auction != "assigned":
        _do(peer, game, Bid(given.first_voice, 3))
    common = _compare(peer, game, tally)
    turns = [turn for turns in common.values() for turn in turns if reading_of(turn) == lead]
    if not turns:
        return  # a listed difference: the peer would not lead it
    _do(peer, game, turns[0])
    for _ in range(2):
        if isinstance(game.state, Playing):
            _compare(peer, game, tally)
            _do(peer, game, Pass(game.state.turn))


def _do(peer: Peer, game: Game, turn: Turn) -> None:
    game.do(turn)
    peer.play(our_move(turn, peer.by_cards))


def report(name: str, tallies: dict[str, Comparison]) -> str:
    """The tallies as text, for the note."""
    return "\n".join(f"{name}, {way}: {tally}" for way, tally in tallies.items())
