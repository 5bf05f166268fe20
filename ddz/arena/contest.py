"""Bots against bots on the same decks: who is stronger, and how sure that is.

By the field's protocol (DouZero's) every deck is played twice by a pair: A as the landlord against two of B, then B as
the landlord against two of A. Where the rules have an auction nobody is the landlord beforehand: then A sits alone at
each seat in turn against two of B, and B against two of A, six games a deck. A wins a game if its seats together gain
points. The deck is the unit of every interval: its games depend on each other, and the decks are drawn by chance.

Every game is what `loop.whole_game` makes of its opening, so that it follows from seed, deck and seating alone, in
any process.
"""

import random
import time
from collections import Counter
from collections.abc import Callable, Generator, Sequence
from functools import lru_cache
from itertools import combinations

import msgspec

from ddz import dealing, guests
from ddz.bots.base import Bot
from ddz.commands import OpenGame, Turn
from ddz.frozen.events import Event, GameScored
from ddz.frozen.shapes import Rules, Score, Seat
from ddz.rules import SEATS
from ddz.services.loop import Seated, players_of, whole_game
from ddz.services.opening import chosen
from ddz.view import SeatView
from ddz.work.workers import in_order

Ids = Callable[[], str]
Kept = Callable[[Sequence[Event]], object]


class Plan(msgspec.Struct, frozen=True):
    """What is played."""

    bots: tuple[str, ...]
    """At least two names; a name may stand there twice."""
    decks: int
    seed: int
    rules: Rules

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """Who meets whom: everyone meets everyone."""
        return list(combinations(range(len(self.bots)), 2))

    @property
    def auction(self) -> bool:
        """Nobody is the landlord beforehand."""
        return self.rules.auction != "assigned"

    @property
    def games(self) -> int:
        """Of a pair on one deck."""
        return 6 if self.auction else 2


class Totals(msgspec.Struct, array_like=True):
    """The results of a bot in some games."""

    halves: int = 0
    """Half wins: 2 a win, 1 where nobody gained anything."""
    games: int = 0
    points: int = 0

    def add(self, points: int) -> None:
        """Count a game that brought `points`."""
        self.halves += 1 + (points > 0) - (points < 0)
        self.games += 1
        self.points += points


class Meeting(msgspec.Struct, array_like=True):
    """The results of the first of a pair against the second on one deck."""

    all: Totals
    landlord: Totals
    peasants: Totals

    def add(self, score: Score, seats: Sequence[Seat]) -> None:
        """Count a game in which it had these seats."""
        self.all.add(sum(score.payouts[seat] for seat in seats))
        if score.landlord is not None and score.landlord in seats:
            self.landlord.add(score.payouts[score.landlord])
        if peasants := [seat for seat in seats if score.landlord not in (None, seat)]:
            self.peasants.add(sum(score.payouts[seat] for seat in peasants))


class DeckResult(msgspec.Struct, array_like=True):
    """The result of one deck."""

    meetings: list[Meeting]
    """A pair each, in the order of `Plan.pairs`."""
    took: list[Counter[float]]
    """For each bot, how many choices took a number of milliseconds."""
    faults: list[Counter[str]]
    """For each bot, its faults by kind."""
    games: list[tuple[Event, ...]]
    """The games themselves, if they are to be kept."""


class _Task(msgspec.Struct, frozen=True):
    plan: Plan
    deck: int
    ids: tuple[str, ...]
    """The ids of the games if they are to be kept."""


def play(plan: Plan, jobs: int, ids: Ids | None = None, kept: Kept | None = None) -> Generator[DeckResult, None, None]:
    """The decks in order, played by `jobs` processes. With `ids` and `kept` each game is passed to `kept`.

    Raises:
        Unreadable, NotInstalled: a bot cannot be made.
        NobodyBids: nobody bids, after many redeals.
        NoAnswers: a program does not answer at all.
        WorkerDied: a process was killed.
    """
    number = len(plan.pairs) * plan.games
    tasks = (_Task(plan, deck, tuple(ids() for _ in range(number)) if ids else ()) for deck in range(plan.decks))
    for deck in in_order(_play_deck, tasks, jobs):
        if kept is not None:
            for events in deck.games:
                kept(events)
        yield deck


@lru_cache(maxsize=1)
def _timed(names: tuple[str, ...]) -> tuple["_Timed", ...]:
    """The bots, made once a process."""
    return tuple(_Timed(guests.make(name)) for name in names)


def _play_deck(task: _Task) -> DeckResult:
    plan = task.plan
    timed = _timed(plan.bots)
    before = [guests.faults_of(bot.inner) for bot in timed]
    for bot in timed:
        bot.took = Counter()
    deck = DeckResult([], [], [], [])
    games = iter(task.ids)
    try:
        for one, two in plan.pairs:
            meeting = Meeting(Totals(), Totals(), Totals())
            for alone, seat in _seatings(plan, task.deck):
                first, second = (timed[one], timed[two]) if alone == 0 else (timed[two], timed[one])
                seated = {each: first if each == seat else second for each in SEATS}
                events = whole_game(_opening(plan, task.deck, seated, next(games, "arena")), seated)
                mine = [each for each in SEATS if (each == seat) == (alone == 0)]
                meeting.add(next(event.score for event in events if isinstance(event, GameScored)), mine)
                if task.ids:
                    deck.games.append(events)
            deck.meetings.append(meeting)
    finally:
        guests.close(bot.inner for bot in timed)
    deck.took = [bot.took for bot in timed]
    deck.faults = [Counter(guests.faults_of(bot.inner)) - Counter(old) for bot, old in zip(timed, before, strict=True)]
    return deck


def _opening(plan: Plan, deck: int, seated: Seated, game: str) -> OpenGame:
    return OpenGame(
        game=game,
        match=game,
        round=1,
        previous=None,
        players=players_of(seated),
        rules=plan.rules,
        seeds=chosen(plan.seed, deck + 1),
        first_voice=None,
        voice_from="seed",
    )


def _seatings(plan: Plan, deck: int) -> list[tuple[int, Seat]]:
    """Which of a pair (0 or 1) sits alone, and where: where the landlord is assigned, at his seat, else at each."""
    if plan.auction:
        return [(alone, seat) for alone in (0, 1) for seat in SEATS]
    seeds = chosen(plan.seed, deck + 1)
    voice = dealing.deal(bytes.fromhex(seeds.nonce), bytes.fromhex(seeds.server_seed), seeds.seat_seeds, 0).voice
    return [(0, voice), (1, voice)]


class _Timed:
    """A bot whose choices are timed. A turn without a choice is none."""

    def __init__(self, inner: Bot) -> None:
        self.inner = inner
        self.name = inner.name
        self.title = guests.title_of(inner)
        self.version = inner.version
        self.took: Counter[float] = Counter()

    def choose(self, view: SeatView, legal: tuple[Turn, ...], rng: random.Random) -> Turn:
        """What the bot chooses."""
        begin = time.perf_counter()
        turn = self.inner.choose(view, legal, rng)
        if len(legal) > 1:
            self.took[float(f"{1000 * (time.perf_counter() - begin):.3g}")] += 1
        return turn
