"""The rows that a finished game adds to the tables: what `parquet` writes. README says what the columns mean.

Ranks are letters under the contract's names, low to high; with suits they stand under `..._suited` or `suited`.
"""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Final

import msgspec

from ddz.errors import Phrase, Unreadable
from ddz.frozen.events import BidMade, BidPassed, CardsPlayed, Dealt, Event, GameOpened, GameScored, PlayPassed
from ddz.frozen.shapes import Score, Seat
from ddz.log import codec
from ddz.log.base import Row
from ddz.melds import played_meld
from ddz.rules import SEATS
from ddz.stats.counting import CountedLine, broken
from ddz.stats.sides import decided, role, won

_MOST: Final = 2**63 - 1
"""The greatest integer of a Parquet file."""


class GameRow(msgspec.Struct, frozen=True):
    """One game."""

    game: str
    """The id of the line that counts."""
    match: str
    round: int
    rules: str
    source: str | None
    """The format of the record that it was imported from."""
    opened_at: datetime
    """UTC; Parquet's plain timestamps do not say so."""
    over_at: datetime
    deals: int
    first_voice: int | None
    """In the last deal, as the kitty and the hands."""
    kitty: str | None
    kitty_suited: str | None
    winner: str
    landlord: int | None
    base: int
    multiplier: int
    bombs: int
    """As causes, so 0 where the rules do not count them; the same holds for the other three."""
    rockets: int
    spring: bool
    anti_spring: bool
    escaped: int | None
    turns: int
    plays: int


class SeatRow(msgspec.Struct, frozen=True):
    """One seat of a game."""

    game: str
    seat: int
    name: str
    kind: str
    bot: str | None
    version: str | None
    role: str | None
    won: bool | None
    """None where no side won."""
    points: int
    hand: str | None
    hand_suited: str | None


class CallRow(msgspec.Struct, frozen=True):
    """One voice in an auction."""

    game: str
    deal: int
    number: int
    """1, 2, ... in this auction."""
    seat: int
    bid: int
    """0 for a pass."""


class PlayRow(msgspec.Struct, frozen=True):
    """One turn of the play; of a pass, all from `kind` on is None."""

    game: str
    turn: int
    """1, 2, ... in the play."""
    seq: int
    seat: int
    role: str
    leads: bool
    """There was nothing to beat."""
    kind: str | None = None
    rank: str | None = None
    length: int | None = None
    cards: str | None = None
    suited: str | None = None


TableRow = GameRow | SeatRow | CallRow | PlayRow


def rows_of(line: CountedLine) -> Iterator[TableRow]:
    """The rows of a finished line.

    Raises:
        BrokenLog: an event cannot be decoded, or stands where it cannot.
        Unreadable: its points are no integers of a Parquet file.
    """
    events = [codec.event_of(row) for row in line.rows]
    opened, scored = events[0], events[-1]
    assert isinstance(opened, GameOpened)
    assert isinstance(scored, GameScored)
    score = scored.score
    if max(map(abs, (score.base, score.multiplier, *score.payouts))) > _MOST:
        raise Unreadable("parquet/points", "game {game} pays more points than a Parquet file can hold", game=line.game)
    dealt = next((event for event in reversed(events) if isinstance(event, Dealt)), None)
    if max(abs(opened.round), abs(dealt.number) + 1 if dealt else 0) > _MOST:
        raise Unreadable(
            "parquet/number",
            "game {game} has a round or a deal with a number that no Parquet file can hold",
            game=line.game,
        )
    plays = list(_plays(line, events, score))
    yield _game(line, opened, dealt, score, plays)
    for seat in SEATS:
        yield _seat(line.game, seat, opened, dealt, score)
    yield from _calls(line.game, events)
    yield from plays


def _game(
    line: CountedLine, opened: GameOpened, dealt: Dealt | None, score: Score, plays: Sequence[PlayRow]
) -> GameRow:
    causes = [cause.name for cause in score.causes]
    return GameRow(
        game=line.game,
        match=opened.match,
        round=opened.round,
        rules=opened.rules.name,
        source=opened.origin.format if opened.origin else None,
        opened_at=_time(line.rows[0]),
        over_at=_time(line.rows[-1]),
        deals=dealt.number + 1 if dealt else 0,
        first_voice=dealt.first_voice if dealt else None,
        kitty=dealt.kitty.ranks if dealt else None,
        kitty_suited=str(dealt.kitty) if dealt else None,
        winner=score.winner,
        landlord=score.landlord,
        base=score.base,
        multiplier=score.multiplier,
        bombs=causes.count("bomb"),
        rockets=causes.count("rocket"),
        spring="spring" in causes,
        anti_spring="anti-spring" in causes,
        escaped=score.escaped,
        turns=len(plays),
        plays=sum(play.kind is not None for play in plays),
    )


def _seat(game: str, seat: Seat, opened: GameOpened, dealt: Dealt | None, score: Score) -> SeatRow:
    player = opened.players[seat]
    return SeatRow(
        game=game,
        seat=seat,
        name=player.name,
        kind=player.kind,
        bot=player.bot,
        version=player.version,
        role=role(score, seat),
        won=won(score, seat) if decided(score) else None,
        points=score.payouts[seat],
        hand=dealt.hands[seat].ranks if dealt else None,
        hand_suited=str(dealt.hands[seat]) if dealt else None,
    )


def _calls(game: str, events: Sequence[Event]) -> Iterator[CallRow]:
    deal, number = -1, 0
    for event in events:
        match event:
            case Dealt():
                deal, number = event.number, 0
            case BidMade() | BidPassed():
                number += 1
                yield CallRow(game, deal, number, event.seat, event.points if isinstance(event, BidMade) else 0)


def _plays(line: CountedLine, events: Sequence[Event], score: Score) -> Iterator[PlayRow]:
    turn, leads = 0, True
    for row, event in zip(line.rows, events, strict=True):
        if not isinstance(event, CardsPlayed | PlayPassed):
            continue
        own = role(score, event.seat)
        if own is None:
            raise broken(row, Phrase("row/no-landlord", "is a turn of a play without a landlord"))
        turn += 1
        shape = (line.game, turn, row.seq, event.seat, own, leads)
        if isinstance(event, PlayPassed):
            yield PlayRow(*shape)
            leads = event.cleared
        else:
            meld = played_meld(event)
            yield PlayRow(*shape, meld.kind.value, meld.rank.value, meld.length, meld.cards.ranks, str(meld.cards))
            leads = False


def _time(row: Row) -> datetime:
    try:
        return datetime.fromisoformat(row.at).astimezone(UTC).replace(tzinfo=None)
    except (ValueError, OverflowError):
        raise broken(row, Phrase("row/no-time", "has no time that can be read")) from None
