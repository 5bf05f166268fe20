"""The statistics once more, from folded states and by other means: what the quick ones are held against."""

import math
import statistics
from collections import Counter
from fractions import Fraction
from typing import Any

from ddz.frozen.events import Dealt
from ddz.log.base import EventLog
from ddz.melds import KINDS
from ddz.state import Over, Playing, State, fold, opening_of

Z = 1.959963984540054  # the 97.5 % point of the normal distribution, from a table


def fates(log: EventLog) -> dict[str, str]:
    """What becomes of every line, from the openings in its history and the list of lines."""
    lines = {line.game: line for line in log.lines()}
    openings = {game: log.history(game, 1)[0] for game in lines}

    def explored(game: str) -> bool:
        line = lines[game]
        return line.parent is not None and (line.reason == "explore" or explored(line.parent))

    def newest_back(game: str) -> str:
        backs = [line for line in lines.values() if line.parent == game and line.reason == "back"]
        return newest_back(max(backs, key=lambda line: line.last_position).game) if backs else game

    def path(game: str | None) -> list[str]:
        return [game, *path(openings[game].previous)] if game in lines else []

    counted = set()
    for match in {opened.match for opened in openings.values()}:
        games = [line for line in lines.values() if line.parent is None and openings[line.game].match == match]
        last = max(games, key=lambda line: (openings[line.game].round, line.last_position))
        counted.update(path(newest_back(last.game)))
    found = {}
    for game in lines:
        over = isinstance(fold(log.history(game)), Over)
        alone = "explored" if explored(game) else "superseded"
        found[game] = alone if game not in counted else "over" if over else "unfinished"
    return found


def interval(values: list[Fraction]) -> dict[str, float | None] | None:
    if not values:
        return None
    if len(values) == 1:
        return {"value": float(values[0]), "low": None, "high": None}
    middle = statistics.fmean(map(float, values))
    half = Z * statistics.stdev(map(float, values)) / math.sqrt(len(values))
    return {"value": middle, "low": middle - half, "high": middle + half}


def wilson(wins: Fraction, games: int) -> dict[str, float] | None:
    """The rates p from which the one found is no more than z standard deviations away: by bisection."""
    if not games:
        return None
    found = float(wins / games)

    def end(inside: float, outside: float) -> float:
        for _ in range(100):
            middle = (inside + outside) / 2
            if abs(found - middle) <= Z * math.sqrt(middle * (1 - middle) / games):
                inside = middle
            else:
                outside = middle
        return inside

    return {"value": found, "low": end(found, 0.0), "high": end(found, 1.0)}


class One:
    """A game that is over."""

    def __init__(self, log: EventLog, game: str, state: State) -> None:
        assert isinstance(state, Over)
        self.opened = opening_of(state)
        self.score = state.scored.score
        self.landlord = self.score.landlord
        self.deals = sum(isinstance(event, Dealt) for event in log.history(game))
        self.history = state.last.history if isinstance(state.last, Playing) else ()
        self.winners = {
            "landlord": {self.landlord},
            "peasants": {0, 1, 2} - {self.landlord},
            "escape": set(),
            "nobody": set(),
        }[self.score.winner]
        self.decided = bool(self.winners)

    def seats(self, role: str) -> set[int]:
        if role == "all":
            return {0, 1, 2}
        if self.landlord is None:
            return set()
        return {self.landlord} if role == "landlord" else {0, 1, 2} - {self.landlord}

    def who(self, seat: int) -> tuple[str, str | None, str | None]:
        player = self.opened.players[seat]
        return player.kind, player.bot, player.version


def standing(games: list[One], seats: Any) -> dict[str, Any]:
    """Of the seats that `seats(game)` names."""
    own = [(game, seats(game)) for game in games if seats(game)]
    shares = [Fraction(len(here & game.winners), len(here)) for game, here in own if game.decided]
    points = [Fraction(sum(game.score.payouts[seat] for seat in here), len(here)) for game, here in own]
    return {
        "games": len(shares),
        "wins": float(sum(shares)),
        "rate": wilson(sum(shares, Fraction(0)), len(shares)),
        "points": {"games": len(points), "mean": interval(points)},
    }


def spread(values: list[int]) -> dict[str, Any]:
    return {
        "mean": interval([Fraction(value) for value in values]),
        "min": min(values, default=None),
        "median": statistics.median(values) if values else None,
        "max": max(values, default=None),
        "games": {str(value): number for value, number in sorted(Counter(values).items())},
    }


def stats(log: EventLog, keep: Any = bool) -> dict[str, Any]:
    """`ddz/stats@1` but for its head, over the games whose opening `keep` keeps."""
    fate = {game: what for game, what in fates(log).items() if keep(log.history(game, 1)[0])}
    games = [One(log, game, fold(log.history(game))) for game, what in fate.items() if what == "over"]
    decided = [game for game in games if game.decided]
    roles = ("all", "landlord", "peasant")
    plays = [[turn.meld.kind.value for turn in game.history if turn.meld] for game in decided]
    every = [kind for kinds in plays for kind in kinds]
    causes = [[cause.name for cause in game.score.causes] for game in decided]
    escaped = [game for game in games if game.score.escaped is not None]
    by = Counter(
        "auction" if game.landlord is None else "landlord" if game.score.escaped == game.landlord else "peasant"
        for game in escaped
    )
    everyone = sorted(
        {game.who(seat) for game in games for seat in range(3)}, key=lambda who: [str(x or "") for x in who]
    )

    def roled(own: Any) -> dict[str, Any]:
        return {role: standing(games, lambda game: own(game) & game.seats(role)) for role in roles}  # noqa: B023

    return {
        "rules": dict(sorted(Counter(game.opened.rules.name for game in games).items())),
        "games": len(games),
        "decided": len(decided),
        **{what: list(fate.values()).count(what) for what in ("unfinished", "explored", "superseded")},
        "winners": {
            winner: sum(game.score.winner == winner for game in games)
            for winner in ("landlord", "peasants", "escape", "nobody")
        },
        "sides": {
            "landlord": standing(games, lambda game: game.seats("landlord")),
            "peasants": standing(games, lambda game: game.seats("peasant")),
        },
        "seats": [{"seat": seat, "roles": roled(lambda _, seat=seat: {seat})} for seat in range(3)],
        "players": [
            {
                "kind": who[0],
                "bot": who[1],
                "version": who[2],
                "seats": sum(game.who(seat) == who for game in games for seat in range(3)),
                "roles": roled(lambda game, who=who: {seat for seat in range(3) if game.who(seat) == who}),
            }
            for who in everyone
        ],
        "redeals": spread([max(game.deals - 1, 0) for game in games]),
        "escapes": {
            "games": len(escaped),
            "rate": wilson(Fraction(len(escaped)), len(games)),
            "by": {where: by[where] for where in ("auction", "landlord", "peasant")},
        },
        "base": spread([game.score.base for game in decided]),
        "multiplier": spread([game.score.multiplier for game in decided]),
        "turns": spread([len(game.history) for game in decided]),
        "plays": spread(list(map(len, plays))),
        "causes": {
            name: {
                "times": sum(names.count(name) for names in causes),
                "games": sum(name in names for names in causes),
                "rate": wilson(Fraction(sum(name in names for names in causes)), len(decided)),
            }
            for name in ("bomb", "rocket", "spring", "anti-spring")
        },
        "melds": {
            kind.value: {
                "plays": every.count(kind.value),
                "share": every.count(kind.value) / len(every) if every else None,
            }
            for kind in KINDS
        },
    }


def same(found: Any, expected: Any, path: str = "") -> list[str]:
    """Where two figures differ by more than the last digit that is printed."""
    if isinstance(expected, dict):
        if not isinstance(found, dict) or list(found) != list(expected):
            return [f"{path}: {found} is not {expected}"]
        return [each for key in expected for each in same(found[key], expected[key], f"{path}/{key}")]
    if isinstance(expected, list):
        if len(found) != len(expected):
            return [f"{path}: {found} is not {expected}"]
        return [each for at, key in enumerate(expected) for each in same(found[at], key, f"{path}/{at}")]
    if isinstance(expected, float):
        close = isinstance(found, int | float) and math.isclose(found, expected, abs_tol=1e-6)
        return [] if close else [f"{path}: {found} is not {expected}"]
    return [] if found == expected else [f"{path}: {found} is not {expected}"]
