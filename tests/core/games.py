"""Games for tests: told in the words of the game record ("1 bid 3"), or played at random from a seed."""

import random
from collections.abc import Iterable
from dataclasses import dataclass, field

from ddz import dealing, kernel
from ddz.cards import FULL_DECK, CardSet, Rank, parse_ranks
from ddz.commands import Bid, Command, Deal, Escape, GivenDeal, OpenGame, Pass, PassBid, Play, Seeds
from ddz.decide import decide, legal
from ddz.errors import Refused
from ddz.frozen.events import Event
from ddz.frozen.shapes import Kind, Origin, Player, Rules
from ddz.rules import CLASSIC
from ddz.state import START, Opened, Over, Playing, State, Unopened, Void, evolve

PLAYERS = (Player("ann", "human"), Player("bob", "bot", "random", "1"), Player("cat", "import"))


def seeds(number: int, match_round: int = 1) -> Seeds:
    """The seeds of `--seed NUMBER`."""
    nonce, server_seed = dealing.chosen_seeds(number, match_round)
    return Seeds(nonce.hex(), server_seed.hex(), chosen=True)


def opening(
    rules: Rules = CLASSIC, seed: int = 7, first_voice: int | None = None, origin: Origin | None = None
) -> OpenGame:
    """The command that opens a game."""
    voice_from = "record" if origin else "seed" if first_voice is None else "chosen"
    return OpenGame("game", "game", 1, None, PLAYERS, rules, seeds(seed), first_voice, voice_from, origin)


@dataclass
class Game:
    """A game under way: commands go in, events come out, the state is folded along."""

    state: State = START
    events: list[Event] = field(default_factory=list)
    states: list[State] = field(default_factory=lambda: [START])
    """The state before the first event and after each one."""

    def do(self, command: Command) -> tuple[Event, ...]:
        """Give a command and fold what it brings about."""
        batch = decide(self.state, command)
        for event in batch:
            self.state = evolve(self.state, event)
            self.events.append(event)
            self.states.append(self.state)
        return batch

    def say(self, *actions: str) -> tuple[Event, ...]:
        """Give commands in the words of the game record; the events of the last one."""
        batch: tuple[Event, ...] = ()
        for action in actions:
            batch = self.do(self.command(action))
        return batch

    def refusal(self, action: str) -> str:
        """The code with which an action is refused."""
        try:
            batch = decide(self.state, self.command(action))
        except Refused as refused:
            return refused.code
        raise AssertionError(f"'{action}' was not refused but brought {batch}")

    def command(self, action: str) -> Command:
        """`1 bid 3`, `0 pass`, `1 play 3334 as trio+solo 3`, `2 escape`, `deal`. Ranks take the lowest suits held."""
        words = action.split()
        if words == ["deal"]:
            return Deal()
        seat = int(words[0])
        match words[1:]:
            case ["bid", points]:
                return Bid(seat, int(points))
            case ["pass"]:
                return Pass(seat) if hasattr(self.state, "top") else PassBid(seat)
            case ["escape"]:
                return Escape(seat)
            case ["play", cards]:
                return Play(seat, self._held(seat, cards))
            case ["play", cards, "as", kind]:
                return Play(seat, self._held(seat, cards), Kind(kind))
            case ["play", cards, "as", kind, rank]:
                return Play(seat, self._held(seat, cards), Kind(kind), Rank(rank))
            case _:
                raise ValueError(f"no action: {action}")

    def _held(self, seat: int, letters: str) -> CardSet:
        packed = parse_ranks(letters)
        hands = getattr(self.state, "hands", None)
        own = hands[seat] if hands else FULL_DECK
        return (own if kernel.covers(own.counts, packed) else FULL_DECK).take(packed)  # what is not held, decide says

    def turns(self, *calls: str) -> tuple[Event, ...]:
        """Play cards, or `-` for a pass, each by the seat whose turn it is."""
        batch: tuple[Event, ...] = ()
        for call in calls:
            seat = self.state.turn
            batch = self.say(f"{seat} pass" if call == "-" else f"{seat} play {call}")
        return batch

    def legal_texts(self) -> list[str]:
        """What the seat to act may do, as text: `bid 1`, `pass`, `solo 3`."""
        texts = []
        for turn in legal(self.state):
            match turn:
                case Bid():
                    texts.append(f"bid {turn.points}")
                case Play():
                    texts.append(f"{turn.kind} {turn.cards.ranks}")
                case _:
                    texts.append("pass")
        return texts


def arrange(hands: Iterable[str], kitty: str = "", first_voice: int = 0) -> GivenDeal:
    """A deal in which each seat holds at least these ranks; the rest of the deck fills up, low cards first."""
    left = FULL_DECK
    wanted = []
    one, two, three, *_ = (*hands, "", "", "")
    for letters in (one, two, three, kitty):
        cards = left.take(parse_ranks(letters))
        left -= cards
        wanted.append(cards)
    full = []
    for cards, size in zip(wanted, (17, 17, 17, 3), strict=True):
        filling = CardSet(sum(1 << card for card in sorted(left)[: size - len(cards)]))
        left -= filling
        full.append(cards | filling)
    return GivenDeal((full[0], full[1], full[2]), full[3], first_voice)


def imported(deals: int = 1) -> Origin:
    """Where a game comes from whose first deals a record brings along."""
    return Origin("ddz-record/1", "a test", deals=deals)


def arranged(
    hands: Iterable[str] = (), kitty: str = "", first_voice: int = 0, rules: Rules = CLASSIC, deals: int = 1
) -> Game:
    """A game that is dealt as a record says, before the first voice."""
    game = Game()
    game.do(opening(rules, first_voice=first_voice, origin=imported(deals)))
    game.do(Deal(arrange(hands, kitty, first_voice)))
    return game


def dealt(seed: int = 7, rules: Rules = CLASSIC, first_voice: int | None = None) -> Game:
    """A game that is dealt from a seed, before the first voice."""
    game = Game()
    game.do(opening(rules, seed, first_voice))
    game.do(Deal())
    return game


def play_randomly(seed: int, rules: Rules = CLASSIC, escape_chance: float = 0.0, silent: str | None = None) -> Game:
    """A whole game of random legal turns; before each one a random seat may escape.

    `silent` names a side, `landlord` or `peasants`, that passes wherever it may, so that springs are met.
    """
    rng = random.Random(seed)
    game = Game()
    while not isinstance(game.state, Over):
        assert len(game.events) < 5000, "the game does not end"
        if isinstance(game.state, Unopened):
            game.do(opening(rules, seed, rng.choice([None, 0, 1, 2])))
        elif rng.random() < escape_chance:
            game.do(Escape(rng.randrange(3)))
        elif isinstance(game.state, Opened | Void):
            game.do(Deal())
        else:
            turns = legal(game.state)
            keeps_silent = isinstance(turns[-1], Pass) and side_of(game.state) == silent
            game.do(turns[-1] if keeps_silent else rng.choice(turns))
    return game


def side_of(state: Playing) -> str:
    """Whose turn it is, by side."""
    return "landlord" if state.turn == state.landlord else "peasants"
