"""Which lines of a log count: each game of a match once, by the line that the match was played on from.

This is the one rule for the table of a match and for statistics. The last game of a match is the newest one of the
highest round; if its moves were taken back, the newest line in which `back` went on counts. Each game names the line
before it, and that line counts for its round, an exploration too: it is what the players went on from. All other
lines are explorations, or were superseded.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Literal

from ddz.log.read import roots

Fate = Literal["counts", "explored", "superseded"]
"""`superseded`: its moves were taken back, or its match went on without it."""


class Fates:
    """What becomes of each line. First every line is noted, in any order; then they are asked about.

    Memory grows with forks and with matches of several games: of a game alone nothing is kept.
    """

    def __init__(self, last_position: Callable[[str], int]) -> None:
        """`last_position` says where in the log the last own event of a line is. Only lines that compete are asked."""
        self.forks: dict[str, str] = {}
        """The line that each fork names as its parent."""
        self._last_position = last_position
        self._backs: dict[str, list[str]] = {}
        self._explorations: list[str] = []
        self._matches: dict[str, list[str]] = {}
        """The games of each match but its first, which is most often alone."""
        self._later: dict[str, tuple[int, str | None]] = {}
        """The round of each of these, and the line that it names as the one before."""

    def note_game(self, game: str, match: str, round_number: int, previous: str | None) -> None:
        """Note a line that is a game."""
        if (match, round_number, previous) != (game, 1, None):
            self._later[game] = round_number, previous
            self._matches.setdefault(match, []).append(game)

    def note_fork(self, game: str, parent: str, reason: str | None) -> None:
        """Note a line that is a fork."""
        self.forks[game] = parent
        if reason == "back":
            self._backs.setdefault(parent, []).append(game)
        else:
            self._explorations.append(game)

    def fate(self, game: str) -> Fate:
        """What becomes of a line."""
        if not any(game in each for each in (self._later, self._matches, self._backs, self.forks)):
            return "counts"
        if game in self._counted:
            return "counts"
        return "explored" if game in self._explored else "superseded"

    def rounds(self, match: str) -> Iterator[str]:
        """The lines that count in a match, from its last game back to its first; the earliest may be in no log here."""
        games = self._matches.get(match)
        if games is None:
            return self._path(self._newest_back(match))
        highest = max(self._later[game][0] for game in games)
        last = self._newest([game for game in games if self._later[game][0] == highest])
        return self._path(self._newest_back(last))

    def root(self, game: str) -> str:
        """The game that a line descends from."""
        return self._root_of.get(game, game)

    @cached_property
    def _root_of(self) -> dict[str, str]:
        return roots(self.forks)

    @cached_property
    def _counted(self) -> set[str]:
        """The lines that count, of all that have a match or a fork to decide about."""
        alone = {game for game in self._backs if game not in self.forks} - self._later.keys() - self._matches.keys()
        counted = {self._newest_back(game) for game in alone}
        return counted.union(*map(self.rounds, self._matches))

    @cached_property
    def _explored(self) -> set[str]:
        """Explorations, and what was forked from them."""
        children: dict[str, list[str]] = {}
        for game, parent in self.forks.items():
            children.setdefault(parent, []).append(game)
        found: set[str] = set()
        going = list(self._explorations)
        while going:
            game = going.pop()
            if game not in found:
                found.add(game)
                going += children.get(game, ())
        return found

    def _path(self, line: str) -> Iterator[str]:
        """The lines that count in a match whose last one is `line`, backwards."""
        passed: set[str] = set()
        at: str | None = line
        while at is not None and at not in passed:  # a forger can close games to a ring
            passed.add(at)
            yield at
            _, at = self._later.get(self.root(at), (1, None))

    def _newest_back(self, game: str) -> str:
        """The line in which `back` went on with `game`, however often; `game` itself if it never did."""
        passed: set[str] = set()
        while (children := self._backs.get(game)) and game not in passed:
            passed.add(game)
            game = self._newest(children)
        return game

    def _newest(self, games: Sequence[str]) -> str:
        """The one of some lines that has the newest event."""
        return games[0] if len(games) == 1 else max(games, key=self._last_position)
