"""The guest `exec:CMD`: a program that speaks Botzone's JSON on its standard input and output.

`exec@SECONDS:CMD` says how long it may take for an answer; the default is PATIENCE. CMD is split into words as a shell
does, and no shell runs. The program gets one line with all requests and responses of the deal, and answers with one,
`{"response": ...}`; then it ends, or says that it stays and gets the next requests alone (Botzone's "keep running").
An answer that is not accepted is a fault: the program is ended, and the house moves as Botzone's judge does: it passes,
or leads the lowest card. At the next turn the program is asked again; after STRIKES faults in a deal it is not.
"""

import logging
import shlex
import shutil
import time
from collections import Counter
from pathlib import Path
from typing import Any, Final

import msgspec

from ddz.commands import Pass, PassBid, Turn
from ddz.errors import DdzError, Phrase, Unreadable, of_system
from ddz.frozen.shapes import Seat
from ddz.guests import PROGRAM, Fault
from ddz.guests.botzone import Conversation, Response, WrongAnswer, answer_of, conversation, quoted, turn_of_answer
from ddz.guests.process import NoLineInTime, OutputEnded, Process, TooMuchOutput
from ddz.guests.serve import KEEP_RUNNING
from ddz.signs import shown
from ddz.view import SeatView

PATIENCE: Final = 5.0
"""Seconds for an answer, the start of the program included."""
MOST_SECONDS: Final = 3600.0
GRACE: Final = 1.0
"""Seconds after which a silent program is told that its input ends: some read to the end before they answer."""
LINGER: Final = 0.5
"""Seconds in which a program that has answered ends or says that it stays."""
STRIKES: Final = 3
HOPELESS: Final = 10
"""Deals after which a program without one accepted answer is given up."""
MOST_TOLD: Final = 5
"""Faults of a program that are reported one by one; the others are only counted."""
MOST_DATA: Final = 100_000
"""Letters that a program may save for its next turn."""


class NoAnswers(DdzError):
    """A program that cannot play: it never gave an accepted answer."""


def make(name: str) -> "Program":
    """The program that a name names.

    Raises:
        Unreadable: there is no such program, or the name cannot be read.
    """
    head, _, command = name.partition(":")
    _, at, seconds = head.partition("@")
    try:
        limit = float(seconds) if at else PATIENCE
    except ValueError:
        limit = 0.0
    if not 0 < limit <= MOST_SECONDS:
        raise Unreadable(
            "program/seconds",
            "{head}: the seconds of a program are a number up to {most}, as in exec@2.5:CMD",
            head=head,
            most=int(MOST_SECONDS),
        )
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise Unreadable(
            "program/command", "{name}: the command cannot be read: {why}", name=name, why=str(error)
        ) from None
    if not words:
        raise Unreadable(
            "program/no-command",
            "{head}: needs a command, as in exec:./mybot or 'exec:python3 bot.py'",
            head=PROGRAM,
        )
    if shutil.which(words[0]) is None:
        raise Unreadable("program/unknown", "there is no program '{program}' that can be run", program=words[0])
    return Program(name, words, limit)


class Program:
    """A bot that asks a program; it knows no more than the view that it is asked with."""

    version = "botzone"

    def __init__(self, name: str, words: list[str], limit: float) -> None:
        self.name = name
        self.title = _title(words)
        self.fault: Fault | None = None
        self.faults: dict[str, int] = Counter()
        self._words = words
        self._limit = limit
        self._talks: dict[Seat, _Talk] = {}
        self._habits = _Habits()
        self._deals = 0
        self._stood = False

    def choose(self, view: SeatView, legal: tuple[Turn, ...], rng: object) -> Turn:  # noqa: ARG002
        """What the program answers, or what the house plays for it.

        Raises:
            NoAnswers: in HOPELESS deals no answer was accepted.
            Unreadable: Botzone has no such auction.
        """
        asked = conversation(view)
        talk = self._talk(view.seat, asked)
        talk.asked = asked
        if talk.strikes >= STRIKES:
            why = Phrase("guest/silenced", "no longer asked in this deal, after {faults} faults", faults=STRIKES)
            return self._house(Fault("silenced", why), view, legal)
        try:
            turn = turn_of_answer(talk.ask(asked), view, legal)
        except WrongAnswer as wrong:
            talk.strikes += 1
            talk.end()  # it does not know what the house played for it: it must be told everything again
            return self._house(wrong.fault, view, legal)
        self._stood, self.fault = True, None
        talk.answered = answer_of(turn)
        return turn

    def close(self) -> None:
        """End its processes."""
        for talk in self._talks.values():
            talk.end()

    def _talk(self, seat: Seat, asked: Conversation) -> "_Talk":
        """The talk at this seat that continues with this question; if there is none, a new one."""
        talk = self._talks.get(seat)
        if talk is not None and talk.asked is not None and asked.continues(talk.asked):
            return talk
        if talk is not None:
            talk.end()
        self._deals += 1
        if self._deals > HOPELESS and not self._stood:
            found = ", ".join(f"{kind} {number}" for kind, number in self.faults.items())
            raise NoAnswers(
                "program/no-answers",
                "{name} has given no valid answer in {deals} deals ({faults})",
                name=self.name,
                deals=HOPELESS,
                faults=found,
            )
        self._talks[seat] = _Talk(self._words, self._limit, self._habits)
        return self._talks[seat]

    def _house(self, fault: Fault, view: SeatView, legal: tuple[Turn, ...]) -> Turn:
        """Note the fault, and move as botzone's judge does."""
        turn = legal[-1] if isinstance(legal[-1], Pass | PassBid) else legal[0]
        self.fault = fault
        self.faults[fault.kind] += 1
        if fault.kind != "silenced" and sum(self.faults.values()) <= MOST_TOLD:
            guest, seat, why = shown(self.title), view.seat, fault.why
            if isinstance(turn, Pass | PassBid):
                said = Phrase(
                    "guest/passed-for",
                    "ddz: {guest} at seat {seat}: {why}; the house passes",
                    guest=guest,
                    seat=seat,
                    why=why,
                )
            else:
                said = Phrase(
                    "guest/played-for",
                    "ddz: {guest} at seat {seat}: {why}; the house plays the lowest card",
                    guest=guest,
                    seat=seat,
                    why=why,
                )
            logging.getLogger("ddz").warning(said)  # a front door may listen, and say it in another language
        return turn


def _title(words: list[str]) -> str:
    """The program's short name: the last of its words that is a file, as in `python3 -u bot.py`; else its first."""
    files = [Path(word).name for word in words if Path(word).is_file()]
    return (files or [Path(words[0]).name])[-1]


class _Habits:
    """What is known of a program, at any seat."""

    reads_to_end = False
    """It answers only when its input has ended, so that it cannot stay."""
    stays = False


class _Answer(msgspec.Struct):
    response: Any
    data: Any = None
    globaldata: Any = None


_ANSWER: Final = msgspec.json.Decoder(_Answer)


class _Talk:
    """One deal's conversation with a program at one seat, and the process while there is one."""

    def __init__(self, words: list[str], limit: float, habits: _Habits) -> None:
        self.asked: Conversation | None = None
        self.answered: Response | None = None
        self.strikes = 0
        self._words = words
        self._limit = limit
        self._habits = habits
        self._process: Process | None = None
        self._saved = {"data": "", "globaldata": ""}

    def ask(self, asked: Conversation) -> object:
        """What the program answers to the last request.

        Raises:
            WrongAnswer: there is no answer in time and in Botzone's form.
        """
        deadline = time.monotonic() + self._limit
        if self._process is not None and asked.responses[-1] != self.answered:
            self.end()  # somebody else has moved for it
        process = self._process
        if process is None:
            process = self._process = self._start()
            process.write(
                msgspec.json.encode({"requests": asked.requests, "responses": asked.responses, **self._saved})
            )
            if self._habits.reads_to_end:
                process.end_input()
        else:
            process.write(msgspec.json.encode(asked.requests[-1]))
        answer = self._read(self._line(process, deadline))
        self._part(process)
        return answer

    def end(self) -> None:
        """End the process, if there is one."""
        if self._process is not None:
            self._process.end()
            self._process = None

    def _start(self) -> Process:
        try:
            return Process(self._words)
        except OSError as error:
            raise WrongAnswer(
                "missing", Phrase("guest/missing", "it cannot be run: {why}", why=of_system(error))
            ) from None

    def _line(self, process: Process, deadline: float) -> bytes:
        """The first line that is not empty."""
        patient = self._habits.stays or process.input_ended
        try:
            try:
                return process.line(deadline if patient else min(deadline, time.monotonic() + GRACE))
            except NoLineInTime:
                if patient:
                    raise
                process.end_input()
                return process.line(deadline)
        except NoLineInTime:
            raise WrongAnswer(
                "timeout", Phrase("guest/timeout", "it gave no answer within {seconds} s", seconds=f"{self._limit:g}")
            ) from None
        except TooMuchOutput:
            raise WrongAnswer("garbage", Phrase("guest/too-much", "it wrote more than an answer can be")) from None
        except OutputEnded:
            raise WrongAnswer(
                "crash",
                Phrase("guest/crash", "it ended without an answer ({words})", words=shown(process.last_words())),
            ) from None

    def _read(self, line: bytes) -> object:
        try:
            answer = _ANSWER.decode(line)
        except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
            said = quoted(line.decode("utf-8", "replace"))
            raise WrongAnswer(
                "garbage",
                Phrase(
                    "guest/no-json",
                    "it answered {answer}, not {wanted} in JSON",
                    answer=shown(said),
                    wanted='{"response": ...}',
                ),
            ) from None
        for name in self._saved:
            saved = getattr(answer, name)
            self._saved[name] = saved if isinstance(saved, str) and len(saved) <= MOST_DATA else ""
        return answer.response

    def _part(self, process: Process) -> None:
        """Keep the process if it says that it stays; else wait for its end."""
        try:
            if process.line(time.monotonic() + LINGER) == KEEP_RUNNING.encode():
                self._habits.stays, self._habits.reads_to_end = True, False
                if not process.input_ended:
                    return
        except OutputEnded:
            self._habits.reads_to_end = process.input_ended and not self._habits.stays
        except (NoLineInTime, TooMuchOutput):
            pass  # it has answered; what it does now does not matter, and it is ended
        self.end()
