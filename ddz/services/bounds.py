"""Which texts and numbers an event may hold where no rule of the game says so: ids, times, seeds, origins, rounds.

One place for what ddz itself creates and for what it takes over from elsewhere, so that the one can always become the
other. Names are `commands.check_names`, ids those of `log.write`; what a game may pay is bounded by `rules` itself.
"""

from collections.abc import Iterable
from typing import Final

from ddz import signs
from ddz.errors import Phrase, Refused, Unreadable
from ddz.frozen.events import GameOpened
from ddz.frozen.shapes import MOST_POINTS, Origin, Player
from ddz.log.write import check_command_id, check_game_id, is_time

LONGEST_BOT: Final = 4096
"""Signs of a bot's name, which may be a whole command (`exec:CMD`) or a path: as long as a path may be."""
LONGEST_WORDS: Final = 1000
"""Signs of the words that a seat gives for the deal."""
LONGEST_SOURCE: Final = 255
"""Signs of a record's own name: as long as the name of a file may be."""
LONGEST_WORD: Final = 40
"""Signs of a format's name, of a bot's version, and of who is said to have won."""
MOST_ROUNDS: Final = 2**63 - 1
"""Rounds of a match, and deals of a record: no log can number more events than that."""


class Misshapen(Unreadable):
    """An event whose id or time is none that a log gives."""

    @property
    def seq(self) -> int:
        """The event."""
        seq = self.facts["seq"]
        assert isinstance(seq, int)
        return seq


def check_opening(opened: GameOpened) -> None:
    """Make sure that an opening holds nothing but plain texts of bounded length, and numbers that there can be.

    Raises:
        Unreadable: naming the field.
    """
    for what, game in (("game", opened.game), ("match", opened.match), ("previous", opened.previous)):
        if game is not None:
            check_id(what, game)
    _check_number("round", opened.round)
    for seat, player in enumerate(opened.players):
        _check_bot(seat, player)
    for seat, words in enumerate(opened.seat_seeds):
        _check_text(Phrase("opening/words", "the words of seat {seat} for the deal", seat=seat), words, LONGEST_WORDS)
    if opened.origin is not None:
        check_origin(opened.origin)


def check_origin(origin: Origin) -> None:
    """Make sure that where a game comes from is told in plain and bounded texts; raises as `check_opening`."""
    _check_text(Phrase("origin/format", "the format of the source"), origin.format, LONGEST_WORD)
    _check_text(Phrase("origin/source", "the name of the source"), origin.source, LONGEST_SOURCE)
    _check_number(Phrase("origin/deals", "the number of the record's deals"), origin.deals)
    claim = origin.claim
    if claim is None:
        return
    if claim.payouts is not None and max(map(abs, claim.payouts)) > MOST_POINTS:
        raise Unreadable("origin/payouts", "the payouts that the source claims are more than any rules pay")
    if claim.winner is not None:
        _check_text(Phrase("origin/winner", "the winner that the source claims"), claim.winner, LONGEST_WORD)


def plain_source(text: str) -> str:
    """The name of a file, which may be anything, as it can stand as a game's source."""
    return signs.shown(text)[:LONGEST_SOURCE]


def check_marks(marks: Iterable[tuple[int, str, str]]) -> None:
    """Make sure that rows, told as (seq, event id, time), bear the ids and times that a log gives.

    Raises:
        Misshapen: naming the event.
    """
    command, number, known = "", 0, ""
    for seq, event_id, at in marks:
        if at != known and not is_time(at):
            raise Misshapen(
                "event/time", "{time} is no time in UTC as RFC 3339 writes it", seq=seq, time=repr(signs.shown(at[:80]))
            )
        known = at
        if event_id == f"{command}/{number + 1}":
            number += 1
            continue
        command, number = event_id.removesuffix("/0"), 0
        if command == event_id:
            shown = signs.shown(event_id[:80])
            raise Misshapen(
                "event/id",
                "{id} is not the id of the next event of its command, COMMAND/NUMBER",
                seq=seq,
                id=repr(shown),
            )
        try:
            check_command_id(command)
        except Refused as refused:
            raise Misshapen("event/command-id", "{why}", seq=seq, why=refused) from None


def check_id(what: str, game: str) -> None:
    """Make sure that a text may be the id of a game; raises as `check_opening`."""
    try:
        check_game_id(game)
    except Refused as refused:
        raise Unreadable("opening/name", "{what}: {why}", what=what, why=refused) from None


def _check_bot(seat: int, player: Player) -> None:
    if player.bot is not None:
        _check_text(Phrase("opening/bot", "the name of the bot at seat {seat}", seat=seat), player.bot, LONGEST_BOT)
    if player.version is not None:
        _check_text(
            Phrase("opening/version", "the version of the bot at seat {seat}", seat=seat), player.version, LONGEST_WORD
        )


def _check_text(what: Phrase, text: str, longest: int) -> None:
    if len(text) > longest:
        raise Unreadable(
            "opening/too-long",
            "{what}: it has {signs} signs, and at most {longest} are allowed",
            what=what,
            signs=len(text),
            longest=longest,
        )
    if not signs.harmless(text):
        raise Unreadable(
            "opening/signs",
            "{what}: {text} holds control, direction or invisible signs",
            what=what,
            text=repr(signs.shown(text)),
        )


def _check_number(what: Phrase | str, number: int) -> None:
    if not 1 <= number <= MOST_ROUNDS:
        raise Unreadable("opening/round", "{what}: it must be 1 to {most}", what=what, most=MOST_ROUNDS)
