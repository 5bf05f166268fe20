"""The hash chain: what one row says of itself, of its predecessor, and of the whole log. Pure.

Tamper-evident, not tamper-proof: whoever rewrites a file can hash it anew, all of it. A head that somebody else
has written down (of a line or of the log) is what a rewritten file cannot match.
"""

from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Final

import msgspec

from ddz.errors import BrokenLog, Unreadable
from ddz.events import GameForked
from ddz.log import codec
from ddz.log.base import GENESIS, Row

_EVENT_TAG: Final = "ddz-log-event-v1"
_HEAD_TAG: Final = "ddz-log-head-v1"
_BEGINNINGS: Final = ("game_opened", "game_forked")
"""The types that begin a line."""


class Problem(msgspec.Struct, frozen=True):
    """One thing that does not hold."""

    code: str
    """integrity/ hash, prev, gap, position, fork, body or head."""
    seq: int | None
    """The seq of the event; None where the log as a whole is meant."""
    detail: str

    def error(self) -> BrokenLog:
        """The error of whoever cannot go on with it."""
        return BrokenLog(self.detail, self.code, self.seq)


def lp(*parts: object) -> bytes:
    """Each part's text behind its length in bytes, as 4 bytes, big-endian: no two lists of parts give the same."""
    encoded = [str(part).encode() for part in parts]
    return b"".join(len(part).to_bytes(4, "big") + part for part in encoded)


_SIZES: Final = tuple(size.to_bytes(4, "big") for size in range(256))
"""What `lp` writes before short parts."""
_EVENT_BEGINNING: Final = lp(_EVENT_TAG)


def hash_of(row: Row) -> str:
    """What the row's hash must be: SHA-256 over every field but the position; 64 hexadecimal digits."""
    game, seq, event_id, type = row.game.encode(), b"%d" % row.seq, row.event_id.encode(), row.type.encode()
    version, at, body, prev = b"%d" % row.version, row.at.encode(), row.body.encode(), row.prev.encode()
    size = _SIZES
    try:  # `lp` written out, in half its time: every row that is read or written comes through here
        parts: tuple[bytes, ...] = (
            _EVENT_BEGINNING, size[len(game)], game, size[len(seq)], seq, size[len(event_id)], event_id,
            size[len(type)], type, size[len(version)], version, size[len(at)], at,
            len(body).to_bytes(4, "big"), body, size[len(prev)], prev,
        )  # fmt: skip
    except IndexError:  # a field longer than any that ddz writes
        parts = (lp(_EVENT_TAG, row.game, row.seq, row.event_id, row.type, row.version, row.at, row.body, row.prev),)
    return sha256(b"".join(parts)).hexdigest()


def sealed(row: Row) -> Row:
    """The row with its hash."""
    return msgspec.structs.replace(row, hash=hash_of(row))


def moved(row: Row, position: int) -> Row:
    """The row at another position, which is under no hash."""
    return msgspec.structs.replace(row, position=position)


def hash_problems(row: Row) -> list[Problem]:
    """Whether a row's bytes are those that were hashed."""
    if row.hash == hash_of(row):
        return []
    return [Problem("integrity/hash", row.seq, f"event {row.seq} of {row.game} is not what its hash was made of")]


def link_problems(before: Row | None, row: Row) -> list[Problem]:
    """Whether `row` may follow `before`, its predecessor in its line (None for the first event of a game)."""
    problems: list[Problem] = []
    seq = row.seq
    expected, prev = (before.seq + 1, before.hash) if before else (1, GENESIS)
    if seq != expected:
        problems.append(Problem("integrity/gap", seq, f"event {seq} of {row.game} stands where {expected} must stand"))
    if row.prev != prev:
        detail = f"event {seq} of {row.game} does not name the event before it"
        problems.append(Problem("integrity/prev", seq, detail))
    if before and row.position <= before.position:
        detail = f"event {seq} of {row.game} stands at position {row.position} of the log, before its predecessor"
        problems.append(Problem("integrity/position", seq, detail))
    fork = _fork_fault(before, row)
    if fork:
        problems.append(Problem("integrity/fork", seq, f"event {seq} of {row.game} {fork}"))
    return problems


def _fork_fault(before: Row | None, row: Row) -> str | None:
    """A line begins with `game_opened`, or behind another line's event with `game_forked`; neither comes later."""
    if before is None:
        return None if row.type == "game_opened" else "is the first there is, but opens no game"
    if before.game == row.game:
        return f"is a {row.type} in the middle of a line" if row.type in _BEGINNINGS else None
    if row.type != "game_forked":
        return f"leaves the line {before.game} without a fork"
    try:
        event = codec.event_of(row)
    except BrokenLog as error:
        return f"is a fork that cannot be decoded ({error})"
    assert isinstance(event, GameForked)
    if (event.at, event.parent_head) != (before.seq, before.hash):
        return f"is a fork of another event than {before.seq} of {before.game}"
    return None


def verify_rows(rows: Sequence[Row]) -> list[Problem]:
    """Every problem of a line's rows, inherited ones first: hashes, links, gaps, positions and forks."""
    problems: list[Problem] = []
    before: Row | None = None
    for row in rows:
        if row.hash != hash_of(row):
            problems += hash_problems(row)
        if not _plainly_follows(before, row):
            problems += link_problems(before, row)
        before = row
    return problems


def _plainly_follows(before: Row | None, row: Row) -> bool:
    """True for the usual row, of which `link_problems` has nothing to say; False where it must be asked."""
    return (
        before is not None
        and row.prev == before.hash
        and row.seq == before.seq + 1
        and row.game == before.game
        and row.position > before.position
        and row.type not in _BEGINNINGS
    )


def verify_log(rows: Iterable[Row]) -> list[Problem]:
    """Every place where the whole log's positions are not 1, 2, 3, ..."""
    problems: list[Problem] = []
    expected = 1
    for row in rows:
        if row.position != expected:
            detail = f"position {expected} of the log is missing: {row.position} follows {expected - 1}"
            problems.append(Problem("integrity/position", None, detail))
        expected = row.position + 1
    return problems


class _Running:
    """The running digest over (position, hash)."""

    def __init__(self) -> None:
        self.position = 0
        self._sha = sha256(lp(_HEAD_TAG))

    def add(self, row: Row) -> None:
        self.position = row.position
        self._sha.update(lp(row.position, row.hash))

    def __str__(self) -> str:
        return f"{self.position}:{self._sha.hexdigest()}"


def log_head(rows: Iterable[Row]) -> str:
    """The head of the whole log, `N:DIGEST`: N is the last position, 0 for an empty log."""
    running = _Running()
    for row in rows:
        running.add(row)
    return str(running)


def verify_head(rows: Iterable[Row], known: str) -> list[Problem]:
    """Whether a log still begins with what had the head `known`. It may have grown; `rows` are all of its rows.

    Raises:
        Unreadable: `known` is no head.
    """
    number, _, digest = known.strip().partition(":")
    if not (number.isascii() and number.isdigit() and len(number) < 19 and len(digest) == 64):
        raise Unreadable(f"'{known}' is no head of a log: it looks like 120:3f2a..., with 64 digits behind the colon")
    wanted = int(number)
    running = _Running()
    for row in rows:
        if row.position > wanted:
            break
        running.add(row)
    if running.position < wanted:
        detail = f"the log ends at position {running.position}, but {wanted} were known: its tail is cut"
    elif str(running) != f"{wanted}:{digest.lower()}":
        detail = f"the first {wanted} events of the log are not those that had the known head"
    else:
        return []
    return [Problem("integrity/head", None, detail)]


def verify_line_head(rows: Sequence[Row], known: str) -> list[Problem]:
    """Whether a line still goes through the event with the hash `known`; it may have grown since."""
    if any(row.hash == known.strip().lower() for row in rows):
        return []
    return [Problem("integrity/head", None, "no event of this line has the known head: it was cut or rewritten")]
