"""Statistics over the games of a log. All that is known of a game comes from its events as they say it.

Who won, the points and their causes are those of `GameScored`: nothing is scored a second time, and nothing is
audited. Only whole numbers are kept, so that neither the order of the games nor their ids can show.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

import msgspec

from ddz.frozen.shapes import CauseName, Kind, Player, Players, Score, Seat, Winner
from ddz.log.base import Row
from ddz.rules import SEATS
from ddz.stats.counting import CountedLine, OpeningFacts, Status, read_body
from ddz.stats.sides import ROLES, decided, role, won

SHARE: Final = 6
"""What a game weighs: divisible by the 1, 2 or 3 seats that a player may have in it."""


class Game(msgspec.Struct, frozen=True):
    """What the statistics know of a finished game."""

    rules: str
    """The name of its rules."""
    players: Players
    deals: int
    turns: int
    """Plays and passes, without the auction."""
    kinds: tuple[Kind, ...]
    """The kinds of the melds, in the order of play."""
    score: Score


class _Played(msgspec.Struct, frozen=True):
    kind: Kind


class _Scored(msgspec.Struct, frozen=True):
    score: Score


_PLAYED: Final = msgspec.json.Decoder(_Played)
_SCORED: Final = msgspec.json.Decoder(_Scored)


def game_of(opening: OpeningFacts, rows: Sequence[Row]) -> Game:
    """The game with these rows, from its opening to its score.

    Raises:
        BrokenLog: an event cannot be decoded.
    """
    types = Counter([row.type for row in rows])
    return Game(
        rules=opening.rules.name,
        players=opening.players,
        deals=types["dealt"],
        turns=types["cards_played"] + types["play_passed"],
        kinds=tuple([read_body(row, _PLAYED).kind for row in rows if row.type == "cards_played"]),
        score=read_body(rows[-1], _SCORED).score,
    )


class Who(NamedTuple):
    """Who is one player to the statistics: a version of a bot. All humans are one, and all imported seats."""

    kind: str
    bot: str | None
    version: str | None


class Sum:
    """The numbers for a rate of wins and a mean of points. A game is one observation.

    Seats of one game share its result, so they are not separate observations: a player with several of them counts
    with their average.
    """

    def __init__(self) -> None:
        self.games = 0
        self.seats = 0
        self.points = 0
        """Points a game and seat, times `SHARE`."""
        self.squares = 0
        """The sum of their squares."""
        self.decided = 0
        """Games in which one side won."""
        self.won = 0
        """Games won, `SHARE` for each."""

    def add(self, game: Game, seats: Sequence[Seat]) -> None:
        """Count what some seats of one game did."""
        share = SHARE // len(seats)
        points = share * sum([game.score.payouts[seat] for seat in seats])
        self.games += 1
        self.seats += len(seats)
        self.points += points
        self.squares += points * points
        if decided(game.score):
            self.decided += 1
            self.won += share * sum([won(game.score, seat) for seat in seats])


class Roles:
    """The sums of a seat or a player: in all, as the landlord and as a peasant."""

    def __init__(self) -> None:
        self.all = Sum()
        self.by_role = {each: Sum() for each in ROLES}

    def add(self, game: Game, seats: Sequence[Seat]) -> None:
        """Count what some seats of one game did."""
        self.all.add(game, seats)
        for each, found in self.by_role.items():
            if own := [seat for seat in seats if role(game.score, seat) == each]:
                found.add(game, own)


class Tally:
    """Counts games, one after another, in any order."""

    def __init__(self) -> None:
        self.statuses: Counter[Status] = Counter()
        self.rules: Counter[str] = Counter()
        self.winners: Counter[Winner] = Counter()
        self.redeals: Counter[int] = Counter()
        self.escapes: Counter[str] = Counter()
        """By the role of the seat that escaped; `auction` where there was no landlord yet."""
        self.sides = {each: Sum() for each in ROLES}
        self.seats = tuple(Roles() for _ in SEATS)
        self.players: dict[Who, Roles] = {}
        # Of games that one side won:
        self.base: Counter[int] = Counter()
        self.multiplier: Counter[int] = Counter()
        self.turns: Counter[int] = Counter()
        self.plays: Counter[int] = Counter()
        self.cause_times: Counter[CauseName] = Counter()
        self.cause_games: Counter[CauseName] = Counter()
        self.kinds: Counter[Kind] = Counter()

    def add_line(self, line: CountedLine) -> None:
        """Count a line of a log: as a game if it is over, else apart."""
        if line.status == "over":
            self.add(game_of(line.opening, line.rows))
        else:
            self.statuses[line.status] += 1

    def add(self, game: Game) -> None:
        """Count a game that is over."""
        score = game.score
        self.statuses["over"] += 1
        self.rules[game.rules] += 1
        self.winners[score.winner] += 1
        self.redeals[max(0, game.deals - 1)] += 1
        if score.escaped is not None:
            self.escapes[role(score, score.escaped) or "auction"] += 1
        self._add_seats(game)
        if decided(score):
            self._add_play(game)

    def _add_play(self, game: Game) -> None:
        """Count how a decided game was played."""
        score = game.score
        self.base[score.base] += 1
        self.multiplier[score.multiplier] += 1
        self.turns[game.turns] += 1
        self.plays[len(game.kinds)] += 1
        names = [cause.name for cause in score.causes]
        self.cause_times.update(names)
        self.cause_games.update(set(names))
        self.kinds.update(game.kinds)

    def _add_seats(self, game: Game) -> None:
        for each, side in self.sides.items():
            if seats := [seat for seat in SEATS if role(game.score, seat) == each]:
                side.add(game, seats)
        by_player: dict[Who, list[Seat]] = {}
        for seat, player in enumerate(game.players):
            self.seats[seat].add(game, (seat,))
            by_player.setdefault(_who(player), []).append(seat)
        for who, seats in by_player.items():
            self.players.setdefault(who, Roles()).add(game, seats)


def _who(player: Player) -> Who:
    return Who(player.kind, player.bot, player.version)


class Filter(msgspec.Struct, frozen=True):
    """Which games to count; None means all."""

    rules: str | None = None
    """The name of the rules."""
    bot: str | None = None
    """A bot that has at least one seat."""
    match: str | None = None

    def takes(self, opening: OpeningFacts) -> bool:
        """True if a game that opens so is asked for."""
        return (
            (self.rules is None or opening.rules.name == self.rules)
            and (self.bot is None or any(player.bot == self.bot for player in opening.players))
            and (self.match is None or opening.match == self.match)
        )


EVERY: Final = Filter()


def tally(lines: Iterable[CountedLine], wanted: Filter = EVERY) -> Tally:
    """Count the lines of a log; raises as `counted_lines`."""
    found = Tally()
    for line in lines:
        if wanted.takes(line.opening):
            found.add_line(line)
    return found
