"""What all objects of the contract have in common, and the words for what a field is.

Every field says in its description what it is and in which unit; the JSON Schema of `ddz.contract.schema` tells it.
"""

from typing import Annotated

import msgspec
from msgspec import Meta

from ddz.frozen.shapes import CauseName, Seat
from ddz.signs import in_json


class Answer(msgspec.Struct, frozen=True, tag_field="schema"):
    """A whole object: what a command gives to a program. Its tag, `ddz/NAME@N`, is its first field `schema`."""


GameId = Annotated[str, Meta(description="The id of a game or fork.")]
Seq = Annotated[int, Meta(description="The number of an event in its line, from 1 on.")]
LastSeq = Annotated[int, Meta(description="The number of the last event of the line.")]
LogPosition = Annotated[int, Meta(description="The place of an event in the log as a whole, from 1 on.")]
Time = Annotated[str, Meta(description="A time in UTC, RFC 3339, to the millisecond.")]
SeatNumber = Annotated[Seat, Meta(description="A seat: 0, 1 or 2, in order of play.")]
Points = Annotated[int, Meta(description="Points.")]
Payouts = Annotated[
    tuple[int, int, int], Meta(description="Points that the seats 0, 1 and 2 win; a loss is below zero.")
]
Base = Annotated[int, Meta(description="Points before anything multiplies them: the winning bid; 0 if there is none.")]
Multiplier = Annotated[int, Meta(description="The product of the factors of all causes.")]
CauseJson = Annotated[
    tuple[CauseName, int], Meta(description="One occurrence that multiplies the base: its name, and its factor.")
]
Ranks = Annotated[str, Meta(description="Cards as rank letters, low to high, without suits: `3345TBR`.")]
Suited = Annotated[str, Meta(description="The same cards with their suits: `3c3d4s5hTcBR`.")]
Length = Annotated[int, Meta(description="The number of core ranks: 1 but for sequences, and 2 for the rocket.")]
RoundNumber = Annotated[int, Meta(description="The number of the game in its match, from 1 on.")]
DealNumber = Annotated[int, Meta(description="The number of the deal in its game: 0, 1, ... over the redeals.")]
RulesName = Annotated[str, Meta(description="The name of the rules.")]
Hash = Annotated[str, Meta(description="SHA-256 as 64 hexadecimal digits.")]
Head = Annotated[str, Meta(description="The head of a log, N:DIGEST: how many events, and a hash over all of them.")]
File = Annotated[str, Meta(description="The name of a file or folder.")]
Code = Annotated[str, Meta(description="What it is, for programs: stable, in no language.")]
Detail = Annotated[str, Meta(description="What it is, for people: one English sentence.")]
Games = Annotated[int, Meta(description="A number of games.")]
LineCount = Annotated[int, Meta(description="A number of lines: games and forks.")]
Events = Annotated[int, Meta(description="A number of events.")]


def encode(value: msgspec.Struct) -> str:
    """One line of JSON in which no sign acts on a terminal: each is escaped, and read as what it is."""
    try:
        raw = msgspec.json.encode(value).decode()
    except UnicodeEncodeError:  # the bytes of a file's name that are no text: halves of signs to Python
        import json

        raw = json.dumps(msgspec.to_builtins(value), ensure_ascii=False, separators=(",", ":"))
    return in_json(raw)
