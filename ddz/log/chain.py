"""The hash chain: what one row says of itself, of its predecessor, and of the whole log. Pure.

Tamper-evident, not tamper-proof: all of a rewritten file can be hashed again. But a rewritten file cannot match a
head (of a line or of the log) that is kept elsewhere.
"""

from bisect import bisect_right
from collections.abc import Sequence
from hashlib import sha256
from operator import itemgetter
from typing import Final

import msgspec

from ddz.errors import BrokenLog, Finding, Phrase, Unreadable
from ddz.frozen.events import GameForked
from ddz.log import codec
from ddz.log.base import GENESIS, Row
from ddz.log.plain_hashes import HASH_SIZE, PlainHashes

_EVENT_TAG: Final = "ddz-log-event-v1"
_HEAD_TAG: Final = "ddz-log-head-v1"
BEGINNINGS: Final = ("game_opened", "game_forked")
"""The types that begin a line."""


def lp(*parts: object) -> bytes:
    """Each part's text after its length in bytes (4 bytes, big-endian): no two lists of parts give the same bytes."""
    encoded = [str(part).encode() for part in parts]
    return b"".join(len(part).to_bytes(4, "big") + part for part in encoded)


SIZES: Final = tuple(size.to_bytes(4, "big") for size in range(256))
"""What `lp` writes before short parts."""
EVENT_BEGINNING: Final = lp(_EVENT_TAG)


def hash_of(row: Row) -> str:
    """What the row's hash must be: SHA-256 over every field but the position; 64 hexadecimal digits."""
    size = SIZES
    try:  # `lp` written out, in half its time: every row that is read or written comes through here
        game, seq, event_id, type = row.game.encode(), b"%d" % row.seq, row.event_id.encode(), row.type.encode()
        version, at, body, prev = b"%d" % row.version, row.at.encode(), row.body.encode(), row.prev.encode()
        parts: tuple[bytes, ...] = (
            EVENT_BEGINNING, size[len(game)], game, size[len(seq)], seq, size[len(event_id)], event_id,
            size[len(type)], type, size[len(version)], version, size[len(at)], at,
            len(body).to_bytes(4, "big"), body, size[len(prev)], prev,
        )  # fmt: skip
    except (IndexError, AttributeError, TypeError):  # a field longer than any that ddz writes, or of another kind
        parts = (lp(_EVENT_TAG, row.game, row.seq, row.event_id, row.type, row.version, row.at, row.body, row.prev),)
    return sha256(b"".join(parts)).hexdigest()


def sealed(row: Row) -> Row:
    """The row with its hash."""
    return msgspec.structs.replace(row, hash=hash_of(row))


def moved(row: Row, position: int) -> Row:
    """The row at another position, which is under no hash."""
    return msgspec.structs.replace(row, position=position)


def hash_problems(row: Row) -> list[Finding]:
    """Whether a row's bytes are those that were hashed."""
    if row.hash == hash_of(row):
        return []
    return [
        Finding("integrity/hash", "event {seq} of {game} is not what its hash was made of", seq=row.seq, game=row.game)
    ]


def sound(row: Row) -> Row:
    """The row itself, after its bytes were checked against its hash: for code that shows it.

    Raises:
        BrokenLog: `integrity/hash`.
    """
    if row.hash != hash_of(row):
        raise hash_problems(row)[0].error()
    return row


def link_problems(before: Row | None, row: Row) -> list[Finding]:
    """Whether `row` may follow `before`, its predecessor in its line (None for the first event of a game)."""
    problems: list[Finding] = []
    seq = row.seq
    expected, prev = (before.seq + 1, before.hash) if before else (1, GENESIS)
    if seq != expected:
        problems.append(
            Finding(
                "integrity/gap",
                "event {seq} of {game} stands where {expected} must stand",
                seq=seq,
                game=row.game,
                expected=expected,
            )
        )
    if row.prev != prev:
        problems.append(
            Finding("integrity/prev", "event {seq} of {game} does not name the event before it", seq=seq, game=row.game)
        )
    if before and row.position <= before.position:
        problems.append(
            Finding(
                "integrity/position",
                "event {seq} of {game} stands at position {position} of the log, before its predecessor",
                seq=seq,
                game=row.game,
                position=row.position,
            )
        )
    fork = _fork_fault(before, row)
    if fork:
        problems.append(Finding("integrity/fork", "event {seq} of {game} {fault}", seq=seq, game=row.game, fault=fork))
    return problems


def _fork_fault(before: Row | None, row: Row) -> Phrase | None:
    """A line begins with `game_opened`, or after another line's event with `game_forked`; neither comes later."""
    if before is None:
        return (
            None if row.type == "game_opened" else Phrase("fork/no-opening", "is the first there is, but opens no game")
        )
    if before.game == row.game:
        if row.type in BEGINNINGS:
            return Phrase("fork/in-the-middle", "is a {type} in the middle of a line", type=row.type)
        return None
    if row.type != "game_forked":
        return Phrase("fork/none", "leaves the line {parent} without a fork", parent=before.game)
    try:
        event = codec.event_of(row)
    except BrokenLog as error:
        return Phrase("fork/unreadable", "is a fork that cannot be decoded ({why})", why=error)
    assert isinstance(event, GameForked)
    if (event.at, event.parent_head) != (before.seq, before.hash):
        return Phrase(
            "fork/elsewhere", "is a fork of another event than {at} of {parent}", at=before.seq, parent=before.game
        )
    return None


def verify_rows(rows: Sequence[Row], before: Row | None = None) -> list[Finding]:
    """Every problem of a line's rows, inherited ones first: hashes, links, gaps, positions and forks.

    With `before`, only of the rows that follow it; `before` itself is not checked.
    """
    problems: list[Finding] = []
    for row in rows:
        if row.hash != hash_of(row):
            problems += hash_problems(row)
        plainly_follows = (  # the usual row, of which `link_problems` has nothing to say
            before is not None
            and row.prev == before.hash
            and row.seq == before.seq + 1
            and row.game == before.game
            and row.position > before.position
            and row.type not in BEGINNINGS
        )
        if not plainly_follows:
            problems += link_problems(before, row)
        before = row
    return problems


class LogCheck:
    """One pass over the (position, hash) of a whole log, some at a time: its head, and what is wrong with it.

    The head is N:DIGEST, with N the last position and a digest that runs over all (position, hash) up to there.
    """

    def __init__(self, known: str | None = None) -> None:
        """Check also, with the head `known`, that nothing up to there has changed; the log may have grown.

        Raises:
            Unreadable: `known` is no head.
        """
        self.position = 0
        self.gaps: list[Finding] = []
        """Every place where the positions are not 1, 2, 3, ..."""
        self._sha = sha256(lp(_HEAD_TAG))
        self._known = None if known is None else _parsed_head(known)
        self._then: str | None = None
        """The digest at the known position."""

    def add(self, hashes: Sequence[tuple[int, str]]) -> None:
        """Go on with the next (position, hash) of the log."""
        if self._known is not None and self._then is None:
            upto = bisect_right(hashes, self._known[0], key=itemgetter(0))
            self._run(hashes[:upto])
            if upto == len(hashes):
                return
            self._then = self._sha.hexdigest()
            hashes = hashes[upto:]
        self._run(hashes)

    def _run(self, hashes: Sequence[tuple[int, str]]) -> None:
        first = self.position + 1
        if isinstance(hashes, PlainHashes) and hashes.first == first:
            self._sha.update(hashes.text.encode())
            self.position += len(hashes)
            return
        gapless = [position for position, _ in hashes] == list(range(first, first + len(hashes)))
        if not gapless:
            self._note_gaps(hashes)
        self._sha.update(_running(hashes, gapless))
        if hashes:
            self.position = hashes[-1][0]

    def _note_gaps(self, hashes: Sequence[tuple[int, str]]) -> None:
        expected = self.position + 1
        for position, _ in hashes:
            if position != expected:
                self.gaps.append(
                    Finding(
                        "integrity/position",
                        "position {missing} of the log is missing: {position} follows {before}",
                        missing=expected,
                        position=position,
                        before=expected - 1,
                    )
                )
            expected = position + 1

    @property
    def head(self) -> str:
        """The head of what was added so far; 0:DIGEST before anything was."""
        return f"{self.position}:{self._sha.hexdigest()}"

    def head_problems(self) -> list[Finding]:
        """Whether the log, now that all of it was added, begins with what had the known head."""
        if self._known is None:
            return []
        wanted, digest = self._known
        if self.position < wanted:
            return [
                Finding(
                    "integrity/head",
                    "the log ends at position {position}, but {known} were known: its tail is cut",
                    position=self.position,
                    known=wanted,
                )
            ]
        if (self._then or self._sha.hexdigest()) != digest:
            return [
                Finding(
                    "integrity/head",
                    "the first {known} events of the log are not those that had the known head",
                    known=wanted,
                )
            ]
        return []


def _parsed_head(known: str) -> tuple[int, str]:
    number, _, digest = known.strip().partition(":")
    if not (number.isascii() and number.isdigit() and len(number) < 19 and len(digest) == 64):
        raise Unreadable(
            "log/no-head",
            "'{head}' is no head of a log: it looks like 120:3f2a..., with 64 digits behind the colon",
            head=known,
        )
    return int(number), digest.lower()


def _running(hashes: Sequence[tuple[int, str]], gapless: bool) -> bytes:
    """`lp(position, hash)` of each, all in one; `gapless`: their positions are 1, 2, 3 or such."""
    if gapless and hashes and len(str(hashes[0][0])) == len(str(hashes[-1][0])):  # so all are as long
        size = f"\0\0\0{chr(len(str(hashes[0][0])))}"
        text = "".join([f"{size}{position}\0\0\0@{hash}" for position, hash in hashes])
    else:
        text = "".join([f"\0\0\0{chr(len(str(position)))}{position}\0\0\0@{hash}" for position, hash in hashes])
    if text.isascii() and {len(hash) for _, hash in hashes} <= {HASH_SIZE}:
        return text.encode()
    return b"".join(lp(position, hash) for position, hash in hashes)  # there is something else than a hash


def verify_line_head(rows: Sequence[Row], known: str) -> list[Finding]:
    """Whether a line still holds the event with the hash `known`; it may have grown since."""
    if any(row.hash == known.strip().lower() for row in rows):
        return []
    return [Finding("integrity/head", "no event of this line has the known head: it was cut or rewritten")]
