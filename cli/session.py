"""One person at the table: shows what he may see, reads what he types, lets the bots move, and never cheats him.

Every move is in the log before it is shown, so a closed terminal loses nothing.
"""

import random
import time
from typing import TYPE_CHECKING

from ddz import bots
from ddz.actions import Action
from ddz.bots.base import Bot, Thinker
from ddz.cards import FULL_DECK, union
from ddz.commands import Escape, Play, Turn
from ddz.decide import decide, legal
from ddz.errors import Refused, StaleLog, Unreadable
from ddz.frozen.events import GameScored
from ddz.frozen.shapes import Kind, Seat
from ddz.services import lines, loop
from ddz.services.match import match_so_far
from ddz.services.replay import replay
from ddz.services.sight import TABLE, of_seat
from ddz.services.table import Moment, Outcome, Table
from ddz.state import Auction, Over, Playing, opened_in, turn_of
from ddz.view import SeatView
from ddz.words.base import Words
from ddz.words.columns import padded, shown
from ddz.words.match import match_lines
from ddz.words.table import table_lines
from ddz.words.tell import grouped, score_lines, sentence, tell

from .exits import WrongLine
from .shell import let_think
from .terminal import Lines, Screen
from .typed import UnreadableBid, UnreadableLevel, UnreadableReading, Word, parse_line

if TYPE_CHECKING:
    from ddz.services.sight import Sight

ADVISER = "expert"
"""The level that hints if the player names none."""
MOST_LINES = 1000
"""Lines that are read for one turn; a pipe without end is left then."""
MOST_LISTED = 12
"""How many legal moves of one kind `?` lists."""


class Suspended(Exception):  # no error: the game waits in the log
    """The player stops here; the game can be resumed."""


class Session:
    """A game in progress, seen from one seat or, if bots play every seat, from the table."""

    def __init__(
        self, table: Table, at: Moment, seat: Seat | None, seated: loop.Seated, screen: Screen, typed: Lines
    ) -> None:
        self.table = table
        self.at = at
        self.seat = seat
        self.seated = seated
        self.screen = screen
        self.typed = typed
        self.words: Words = screen.words
        self.think: int | None = None
        """Milliseconds that a hint may take by the clock; None lets it count."""
        self._advisers: dict[str, Bot] = {}

    @property
    def sight(self) -> "Sight":
        """What is shown here."""
        return TABLE if self.seat is None else of_seat(self.seat)

    def enter(self, outcome: Outcome, match_round: int) -> None:
        """Begin a game that has been opened."""
        self.at = outcome.moment
        self.screen.line(self.words.next_game.format(game=outcome.game, round=match_round))
        self.told(outcome)

    def finish(self) -> Over:
        """Play until the game is over.

        Raises:
            Suspended: the player stops, or his input ends.
        """
        while True:
            self.at = loop.run(self.table, self.at, self.seated, self.told)
            if isinstance(self.at.state, Over):
                self.show_score(self.at.state)
                return self.at.state
            self.take_turn()

    def told(self, outcome: Outcome) -> None:
        """Say what an append has brought."""
        opened = opened_in(outcome.state)
        for event in outcome.events:
            if isinstance(event, GameScored):
                continue  # the score is laid out when the game is over
            self.screen.line(sentence(self.sight.event(event), opened.players, self.words))
        if self.screen.delay:
            time.sleep(self.screen.delay)

    def show_score(self, over: Over) -> None:
        """How it ended, the score with its causes, and the match so far."""
        self.screen.line(self.words.over.format(winner=self.words.winner[over.scored.score.winner]))
        self.screen.line(*score_lines(over.scored.score, over.last.opened.players, self.words))
        table = match_so_far(self.table.log, self.at.game)
        if len(table.rounds) > 1:
            self.screen.line(*match_lines(table, self.words))

    def take_turn(self) -> None:
        """Show the table, and read lines until one of them is a move that the law accepts."""
        assert self.seat is not None
        view = of_seat(self.seat).view(self.at.state)
        self.show_table(view)
        before, number = self.at, 0
        while self.at is before:
            number += 1
            if number > MOST_LINES:
                raise Unreadable(f"{self.typed.name}: {MOST_LINES} lines for one turn, and none was a move")
            line = self.typed.read(self._prompt())
            if line is None:
                raise Suspended
            if not line.strip():
                continue
            try:
                self._obey(parse_line(line, self.seat, view.phase))
            except Refused as refused:
                self._wrong(self._refusal(refused, line))
                if isinstance(refused, StaleLog):
                    self.at = self.table.load(self.at.game)
            except Unreadable as error:
                self._wrong(self.words.not_understood.format(line=shown(line.strip()), why=self._unreadable(error)))

    def _refusal(self, refused: Refused, line: str) -> str:
        """A refusal in the player's language."""
        code, facts = refused.code, dict(refused.facts)
        if rank := self.words.ranks.get(str(facts.get("rank"))):
            facts["rank"] = rank
        _, named, reading = line.strip().lower().partition(" as ")
        if code == "play/not-a-meld" and named:
            code, facts["reading"] = "play/no-such-reading", shown(reading)
        sentence = self.words.refusals.get(code)
        return refused.detail if sentence is None else sentence.format(**facts)

    def _unreadable(self, error: Unreadable) -> str:
        """What would be right instead of a line that cannot be read."""
        match error:
            case UnreadableBid():
                return self.words.say_bid
            case UnreadableReading():
                return self.words.say_reading
            case UnreadableLevel():
                return self.words.say_level.format(levels=", ".join(bots.LEVELS))
            case _:
                return self.words.say_cards.format(why=error)

    def show_table(self, view: SeatView) -> None:
        """The table as the player may see it, and a word if he cannot beat what lies there."""
        self.screen.line("")
        self.screen.line(*table_lines(view, self.words, self.screen.spoken))
        turns = legal(self.at.state)
        if view.top is not None and not any(isinstance(turn, Play) for turn in turns):
            self.screen.line("  " + self.words.nothing_beats)

    def _prompt(self) -> str:
        if isinstance(self.at.state, Auction):
            bids = ", ".join(str(turn.points) for turn in legal(self.at.state) if hasattr(turn, "points"))
            return self.words.ask_bid.format(bids=bids)
        return self.words.ask_play

    def _wrong(self, sentence: str) -> None:
        """Say what was wrong with a line. In a file of moves that is the end.

        Raises:
            WrongLine: the lines come from a file.
        """
        if self.typed.strict:
            raise WrongLine(f"{self.typed.name} line {self.typed.number}: {sentence}")
        self.screen.line(sentence)

    def _obey(self, typed: Word | Action) -> None:
        if isinstance(typed, Action):
            self._act(typed)
            return
        match typed.name:
            case "help":
                self._help()
            case "hint":
                self.screen.line(
                    self.words.hint.format(bot=typed.more or ADVISER, move=self._hint(typed.more or ADVISER))
                )
            case "log":
                self._tell_so_far()
            case "count":
                self.screen.line(self.words.unseen.format(cards=self._unseen()))
            case "quit":
                raise Suspended
            case "escape":
                self._escape()
            case "back":
                self.back()

    def _act(self, move: Action | Escape) -> None:
        outcome = self.table.act(self.at.game, move, expect=self.at.seq)
        self.at = outcome.moment
        self.told(outcome)

    def _help(self) -> None:
        """What one may type, and what is legal now."""
        if isinstance(self.at.state, Auction):
            self.screen.paragraph(self.words.help_auction)
            return
        self.screen.paragraph(self.words.help_play)
        self.screen.line(self.words.legal)
        by_kind: dict[Kind, list[str]] = {}
        for turn in legal(self.at.state):
            if isinstance(turn, Play) and turn.kind is not None:
                by_kind.setdefault(turn.kind, []).append(turn.cards.ranks)
        for kind, cards in by_kind.items():
            listed = list(dict.fromkeys(cards))
            more = len(listed) - MOST_LISTED
            rest = " " + self.words.and_more.format(count=more, kind=self.words.kinds[kind]) if more > 0 else ""
            self.screen.line(f"  {self.words.kinds[kind]}: {' '.join(listed[:MOST_LISTED])}{rest}")
        if isinstance(self.at.state, Playing) and self.at.state.top is not None:
            self.screen.line("  p")

    def _hint(self, level: str) -> str:
        """What a level would do here, as one would type it."""
        assert self.seat is not None
        turns = legal(self.at.state)
        chosen = self._adviser(level).choose(of_seat(self.seat).view(self.at.state), turns, random.Random(self.at.seq))
        return self._as_typed(chosen, turns)

    def _adviser(self, level: str) -> Bot:
        if level not in self._advisers:
            adviser = self._advisers[level] = bots.make(level)
            if isinstance(adviser, Thinker):
                let_think([adviser], self.think)
        return self._advisers[level]

    def _as_typed(self, turn: Turn, turns: tuple[Turn, ...]) -> str:
        if not isinstance(turn, Play):
            return str(getattr(turn, "points", "p"))
        same = [other for other in turns if isinstance(other, Play) and other.cards.counts == turn.cards.counts]
        naming = f" as {turn.kind} {turn.rank}" if len(same) > 1 else ""
        return turn.cards.ranks + naming

    def _unseen(self) -> str:
        """The cards that the player has not seen, by rank: whoever has them, kitty or hand."""
        assert self.seat is not None
        view = of_seat(self.seat).view(self.at.state)
        played = union(turn.meld.cards for turn in view.history if turn.meld)
        return grouped(FULL_DECK - view.hand - played, self.words)

    def _tell_so_far(self) -> None:
        told = replay(self.table.log, self.at.game)
        opened = opened_in(self.at.state)
        rows = [
            (str(step.seq), *tell(step.shown_to(self.sight), opened.players, self.words)[:2]) for step in told.steps
        ]
        self.screen.line(*padded(rows, right=(0,)))

    def _escape(self) -> None:
        """Leave the game, once the player has said that he means it."""
        assert self.seat is not None
        events = decide(self.at.state, Escape(self.seat))
        cost = next(-event.score.payouts[self.seat] for event in events if isinstance(event, GameScored))
        answer = self.typed.read(self.words.ask_escape.format(points=cost))
        if answer is not None and answer.strip().lower() == "yes":
            self._act(Escape(self.seat))

    def back(self) -> bool:
        """Go on before the player's last move, in a fork; False if he has not moved yet."""
        told = replay(self.table.log, self.at.game)
        own = [
            step.seq
            for step in told.steps
            if self.seat is not None and turn_of(step.before) == self.seat == getattr(step.event, "seat", None)
        ]
        if not own:
            self.screen.line(self.words.no_way_back)
            return False
        outcome = lines.fork(self.table, self.at.game, own[-1] - 1, "back")
        self.at = outcome.moment
        self.screen.line(self.words.went_back.format(game=outcome.game))
        return True
