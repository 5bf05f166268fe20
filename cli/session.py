"""One person at the table: shows what he may see, and reads what he types.

What he may see and do is answered by `ddz.services.sitting`; every move is in the log before it is shown, so a closed
terminal loses nothing.
"""

import time

from ddz import bots
from ddz.actions import Action
from ddz.errors import Refused, StaleLog, Unreadable
from ddz.frozen.events import GameScored
from ddz.services.sitting import ADVISER, News, Sitting
from ddz.words.base import Words
from ddz.words.columns import padded, shown
from ddz.words.errors import refusal
from ddz.words.errors import sentence as sentence_of
from ddz.words.match import match_lines
from ddz.words.table import table_lines
from ddz.words.tell import grouped, score_lines, sentence, tell

from .exits import WrongLine
from .terminal import Lines, Screen
from .typed import UnreadableBid, UnreadableLevel, UnreadableReading, Word, as_typed, parse_line

MOST_LINES = 1000
"""Lines that are read for one turn; a pipe without end is left then."""
MOST_LISTED = 12
"""How many legal moves of one kind `?` lists."""


class Suspended(Exception):  # no error: the game waits in the log
    """The player stops here; the game can be resumed."""


class Session:
    """A game in progress on a terminal, seen from one seat or, if bots play every seat, from the table."""

    def __init__(self, sitting: Sitting, screen: Screen, typed: Lines) -> None:
        self.sitting = sitting
        self.screen = screen
        self.typed = typed
        self.words: Words = screen.words

    def enter(self, news: News) -> None:
        """Tell how a game begins that has been opened."""
        self.screen.line(self.words.next_game.format(game=news.game, round=self.sitting.view.round))
        self.report(news)

    def finish(self) -> None:
        """Play until the game is over.

        Raises:
            Suspended: the player stops, or his input ends.
        """
        while True:
            for news in self.sitting.bots_move():
                self.report(news)
            if self.sitting.is_over:
                self.show_score()
                return
            self.take_turn()

    def report(self, news: News) -> None:
        """Say what has happened."""
        for event in news.events:
            if isinstance(event, GameScored):
                continue  # the score is laid out when the game is over
            self.screen.line(sentence(event, self.sitting.players, self.words))
        if self.screen.delay:
            time.sleep(self.screen.delay)

    def show_score(self) -> None:
        """How it ended, the score with its causes, and the match so far."""
        score = self.sitting.view.score
        assert score is not None
        self.screen.line(self.words.over.format(winner=self.words.winner[score.winner]))
        self.screen.line(*score_lines(score, self.sitting.players, self.words))
        table = self.sitting.match()
        if len(table.rounds) > 1:
            self.screen.line(*match_lines(table, self.words))

    def take_turn(self) -> None:
        """Show the table, and read lines until one of them is a move that the law accepts."""
        seat = self.sitting.seat
        assert seat is not None
        self.show_table()
        before, number = (self.sitting.game, self.sitting.seq), 0
        while (self.sitting.game, self.sitting.seq) == before:
            number += 1
            if number > MOST_LINES:
                raise Unreadable(
                    "input/no-move",
                    "{file}: {most} lines for one turn, and none was a move",
                    file=self.typed.name,
                    most=MOST_LINES,
                )
            line = self.typed.read(self._prompt())
            if line is None:
                raise Suspended
            if not line.strip():
                continue
            try:
                self._obey(parse_line(line, seat, self.sitting.view.phase))
            except Refused as refused:
                self._wrong(self._refusal(refused, line))
                if isinstance(refused, StaleLog):
                    self.report(self.sitting.news())
            except Unreadable as error:
                self._wrong(self.words.not_understood.format(line=shown(line.strip()), why=self._unreadable(error)))

    def _refusal(self, refused: Refused, line: str) -> str:
        """A refusal in the player's language."""
        _, named, reading = line.strip().lower().partition(" as ")
        return refusal(refused, self.words, shown(reading) if named else None)

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
                return sentence_of(error, self.words)

    def show_table(self) -> None:
        """The table as the player may see it, and a word if he cannot beat what lies there."""
        self.screen.line("")
        self.screen.line(*table_lines(self.sitting.view, self.words, self.screen.spoken))
        if self.sitting.nothing_beats:
            self.screen.line("  " + self.words.nothing_beats)

    def _prompt(self) -> str:
        if self.sitting.view.phase == "auction":
            return self.words.ask_bid.format(bids=", ".join(map(str, self.sitting.bids)))
        return self.words.ask_play

    def _wrong(self, sentence: str) -> None:
        """Say what was wrong with a line. In a file of moves that is the end.

        Raises:
            WrongLine: the lines come from a file.
        """
        if self.typed.strict:
            raise WrongLine(
                "input/wrong-line",
                "{file} line {line}: {why}",
                file=self.typed.name,
                line=self.typed.number,
                why=sentence,
            )
        self.screen.line(sentence)

    def _obey(self, typed: Word | Action) -> None:
        if isinstance(typed, Action):
            self.report(self.sitting.act(typed))
            return
        match typed.name:
            case "help":
                self._help()
            case "hint":
                self._hint(typed.more or ADVISER)
            case "log":
                self._tell_so_far()
            case "count":
                self.screen.line(self.words.unseen.format(cards=grouped(self.sitting.unseen, self.words)))
            case "quit":
                raise Suspended
            case "escape":
                self._escape()
            case "back":
                self.back()

    def _help(self) -> None:
        """What one may type, and what is legal now."""
        if self.sitting.view.phase == "auction":
            self.screen.paragraph(self.words.help_auction)
            return
        self.screen.paragraph(self.words.help_play)
        self.screen.line(self.words.legal)
        for kind, plays in self.sitting.moves_by_kind.items():
            listed = list(dict.fromkeys(play.cards.ranks for play in plays))
            more = len(listed) - MOST_LISTED
            rest = " " + self.words.and_more.format(count=more, kind=self.words.kinds[kind]) if more > 0 else ""
            self.screen.line(f"  {self.words.kinds[kind]}: {' '.join(listed[:MOST_LISTED])}{rest}")
        if self.sitting.may_pass:
            self.screen.line("  p")

    def _hint(self, level: str) -> None:
        best = self.sitting.hints(level)[0].turn
        self.screen.line(self.words.hint.format(bot=level, move=as_typed(best, self.sitting.legal)))

    def _tell_so_far(self) -> None:
        players = self.sitting.players
        rows = [(str(entry.seq), *tell(entry.event, players, self.words)[:2]) for entry in self.sitting.story()]
        self.screen.line(*padded(rows, right=(0,)))

    def _escape(self) -> None:
        """Leave the game, once the player has said that he means it."""
        answer = self.typed.read(self.words.ask_escape.format(points=self.sitting.escape_price))
        if answer is not None and answer.strip().lower() == "yes":
            self.report(self.sitting.escape())

    def back(self) -> bool:
        """Go on before the player's last turn, in a fork; False if he has not had one yet."""
        if self.sitting.last_own_turn is None:
            self.screen.line(self.words.no_way_back)
            return False
        self.screen.line(self.words.went_back.format(game=self.sitting.back().game))
        return True
