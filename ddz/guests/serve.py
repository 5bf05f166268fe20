"""A bot of ours as a program of Botzone's: reads requests, writes answers, a line each."""

import random
from collections.abc import Callable, Iterable
from typing import Any, Final

import msgspec

from ddz.bots.base import Bot
from ddz.errors import Unreadable
from ddz.frozen.shapes import Rules
from ddz.guests.botzone import Response, answer_of
from ddz.guests.botzone_view import decision
from ddz.records.botzone_shapes import Request

KEEP_RUNNING: Final = ">>>BOTZONE_REQUEST_KEEP_RUNNING<<<"
"""What a program says after its answer if it will stay, and from now on wants only the new request."""

MOST_BLANK: Final = 1000
"""Blank lines in a row."""


class _Whole(msgspec.Struct):
    """All that was asked and answered; other fields belong to other games."""

    requests: list[Request]
    responses: list[Any] = []


_REQUEST: Final = msgspec.json.Decoder(Request)
_WHOLE: Final = msgspec.json.Decoder(_Whole)


def serve(bot: Bot, rules: Rules, lines: Iterable[str], write: Callable[[str], None], stay: bool) -> None:
    """Answer the first of `lines`; if the bot is to `stay`, say so, and answer all that follow.

    The bot's chance follows from what it was told: the same conversation, the same answers.

    Raises:
        Unreadable: a line is no request.
    """
    heard = _Whole([])
    blank = 0
    for line in lines:
        if not line.strip():
            blank += 1
            if blank > MOST_BLANK:
                raise Unreadable("botzone/blank-lines", "{most} blank lines, and no request", most=MOST_BLANK)
            continue
        blank = 0
        heard = _heard(line, heard)
        at = decision(heard.requests, heard.responses, rules)
        rng = random.Random(f"botzone/{len(heard.requests)}/{at.view.seat}/{at.view.hand.bits}")
        answer: Response = answer_of(bot.choose(at.view, at.legal, rng))
        write(msgspec.json.encode({"response": answer}).decode())
        if not stay:
            return
        write(KEEP_RUNNING)
        heard.responses.append(answer)


def _heard(line: str, before: _Whole) -> _Whole:
    """What is known after this line, which is the whole conversation or only the next request."""
    try:
        try:
            return _WHOLE.decode(line)
        except msgspec.ValidationError:
            if not before.requests:
                raise
        return _Whole([*before.requests, _REQUEST.decode(line)], before.responses)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise Unreadable(
            "botzone/no-request", "not a request of botzone's FightTheLandlord2: {why}", why=str(error)
        ) from None
