"""A match: games of the same seats, one after another, and their score table."""

import msgspec

from ddz.errors import BrokenLog
from ddz.frozen.events import GameOpened
from ddz.frozen.shapes import Score
from ddz.log.base import EventLog
from ddz.log.read import unknown
from ddz.rules import next_seat
from ddz.services.fates import Fates
from ddz.services.opening import Opening
from ddz.state import Auction, Over, Playing, State, Void, fold, opened_in, opening_of


def next_opening(state: State, line: str, seed: int | None = None) -> Opening:
    """How the game after `state` begins: the same seats and rules, the first voice one seat on (rules.md B4)."""
    opened = opened_in(state)
    return Opening(
        players=opened.players,
        rules=opened.rules,
        match=opened.match,
        round=opened.round + 1,
        previous=line,
        first_voice=next_seat(_last_first_voice(state)),
        rotated=True,
        seed=seed,
        seat_seeds=opened.seat_seeds,
    )


def _last_first_voice(state: State) -> int:
    at = state.last if isinstance(state, Over) else state
    if isinstance(at, Auction | Playing | Void):
        return at.dealt.first_voice
    opened = opened_in(state)
    return opened.first_voice


class RoundRow(msgspec.Struct, frozen=True):
    """One game of a match."""

    round: int
    game: str
    """The line that counts."""
    score: Score | None


class MatchTable(msgspec.Struct, frozen=True):
    """The games of a match and what they come to."""

    match: str
    names: tuple[str, str, str]
    rounds: tuple[RoundRow, ...]

    @property
    def totals(self) -> tuple[int, int, int]:
        """The points of each seat over all games that are over."""
        payouts = [row.score.payouts for row in self.rounds if row.score]
        return sum(p[0] for p in payouts), sum(p[1] for p in payouts), sum(p[2] for p in payouts)


def match_table(log: EventLog, game: str) -> MatchTable:
    """The score table of the whole match that the line `game` belongs to, as far as it was played.

    Each round counts one line; `fates` says which.

    Raises:
        UnknownGame: there is no such game.
    """
    wanted = _opening(log, game).match
    lines = {line.game: line for line in log.families([wanted, *log.games_in(wanted)])}
    fates = Fates(lambda each: lines[each].last_position)
    for line in lines.values():
        if line.parent is not None:
            fates.note_fork(line.game, line.parent, line.reason)
            continue
        try:
            opened = _opening(log, line.game)
        except BrokenLog:
            continue  # another game is broken: the audit says so, this match goes on without it
        if opened.match == wanted:
            fates.note_game(line.game, opened.match, opened.round, opened.previous)
    return match_so_far(log, next(fates.rounds(wanted)))


def match_so_far(log: EventLog, line: str) -> MatchTable:
    """The score table of a match up to the line `line`, which counts for its round.

    Raises:
        UnknownGame: there is no such game.
    """
    opened = _opening(log, line)
    rounds: list[RoundRow] = []
    at: str | None = line
    passed: set[str] = set()
    while at is not None and at not in passed:  # games that a forger has closed to a ring end
        passed.add(at)
        state = fold(log.history(at))
        before = opened_in(state)
        rounds.append(RoundRow(before.round, at, state.scored.score if isinstance(state, Over) else None))
        at = before.previous if before.previous and log.own(before.previous) else None
    players = opened.players
    return MatchTable(opened.match, (players[0].name, players[1].name, players[2].name), tuple(reversed(rounds)))


def _opening(log: EventLog, line: str) -> GameOpened:
    opened = opening_of(fold(log.history(line, 1)))
    if opened is None:
        raise unknown(line)
    return opened
