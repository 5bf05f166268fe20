"""What can go wrong, by kind of wrongness, and how it is said. Imports nothing of ddz.

`Refused` is an answer (the law or a contract says no, nothing has changed), the others are states of the
world: a log that is broken, stale, foreign or newer, an id that names no game, storage that will not take more.

An error carries a code for programs, a template in English and the facts that fill it. Another language has a template
of its own for the code and fills it with the same facts (`ddz/words/errors.py`). A template says what is wrong and what
would be right in the words of the game: what to type is known to the front doors alone. Text of strangers is a fact,
never a part of a template.
"""

import errno
from collections.abc import Mapping
from typing import Self


class Phrase:
    """A part of a sentence that each language says in its own way: `Phrase("at/deal", "deal {number}", number=0)`."""

    code: str
    """Stable, and for programs: `area/what`. Everywhere it means the same."""
    template: str
    """English, with the facts by name as `str.format` has them."""
    facts: "Mapping[str, Fact]"
    """What the template names, and sometimes more for programs."""
    detail: str
    """The template filled in: one English sentence for people."""
    key: str
    """The name of the template in the catalogue of a language: the code, but for an error that tells of another one."""

    def __init__(self, code: str, template: str, /, **facts: "Fact") -> None:
        self.code = self.key = code
        self.template = template
        self.facts = facts
        self.detail = template.format(**facts)

    def __str__(self) -> str:
        return self.detail

    @property
    def plain_facts(self) -> "dict[str, str | int | float]":
        """The facts for programs, each phrase among them as its English sentence."""
        return {name: str(fact) if isinstance(fact, Phrase) else fact for name, fact in self.facts.items()}


Fact = str | int | float | Phrase
"""What a template may be filled with; an error too, the one that this one comes from."""


def of_system(error: OSError) -> Phrase:
    """What the system says, by the name that its number has everywhere: `system/ENOENT`."""
    return Phrase(
        f"system/{errno.errorcode.get(error.errno or 0, 'unknown')}", "{said}", said=error.strerror or str(error)
    )


class Finding(Phrase):
    """One thing that does not hold in a log or in a game; told, and not raised.

    The fact `seq` is the event; without it the line or the log as a whole is meant.
    """

    @property
    def seq(self) -> int | None:
        """The event that is wrong; None where none is named."""
        seq = self.facts.get("seq")
        return seq if isinstance(seq, int) else None

    def error(self) -> "BrokenLog":
        """The error of whoever cannot go on with it."""
        return BrokenLog.of(self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Finding) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    @property
    def _key(self) -> tuple[str, int | None, str]:
        return self.code, self.seq, self.detail

    def __repr__(self) -> str:
        return f"Finding{self._key}"


class DdzError(Phrase, Exception):
    """The root of every error that ddz raises on purpose."""

    @classmethod
    def of(cls, said: Phrase) -> Self:
        """An error of this kind that says just this."""
        error = cls.__new__(cls)
        Phrase.__init__(error, said.code, said.template, **said.facts)
        error.key = said.key
        return error

    @classmethod
    def at(cls, where: Phrase | str, why: Phrase) -> Self:
        """An error of this kind with the code and the facts of `why`, that says where it was met."""
        own = where.facts if isinstance(where, Phrase) else {}
        return cls.telling(why, "at/placed", "{where}: {why}", **{**own, **why.facts, "where": where})

    @classmethod
    def telling(cls, why: Phrase, key: str, template: str, /, **facts: Fact) -> Self:
        """An error of this kind with the code and the facts of `why`, that says it with a sentence of its own."""
        error = cls.__new__(cls)
        Phrase.__init__(error, why.code, template, **{**why.facts, **facts, "why": why})
        error.key = key
        return error

    def __reduce__(self) -> tuple[object, ...]:
        return _blank, (type(self),), self.__dict__


def _blank(kind: type[DdzError]) -> DdzError:
    """An error that is filled by unpickling."""
    return kind.__new__(kind)


class Refused(DdzError):
    """A command that may not be: nothing was changed by asking."""


class Unreadable(DdzError):
    """Text that cannot be read as cards, as a record or as a file of events; says where."""


class OutOfRange(DdzError):
    """A seq, a seat or a number that this game does not have."""


class NoSuchEvent(OutOfRange):
    """A seq that a line does not have."""

    def __init__(self, game: str, last: int, seq: int) -> None:
        super().__init__(
            "game/no-such-event",
            "game {game} has the events 1 to {last}, not {seq}",
            game=game,
            last=last,
            seq=seq,
        )


class Hidden(DdzError):
    """Cards that are still hidden were asked for, without saying so on purpose."""


class BrokenLog(DdzError):
    """The log contradicts itself: bytes against hash, or an event without meaning in its phase."""

    @property
    def seq(self) -> int | None:
        """The event that is wrong; None where none is named."""
        seq = self.facts.get("seq")
        return seq if isinstance(seq, int) else None


class UnsupportedVersion(BrokenLog):
    """Written by a newer ddz than this one."""


class StaleLog(Refused):
    """Somebody else has appended since: read again, then decide again."""

    def __init__(self, game: str, expected: int, actual: int) -> None:
        super().__init__(
            "log/stale",
            "game {game} has moved on: event {expected} was expected to be its last, but it is at {actual}",
            game=game,
            expected=expected,
            actual=actual,
        )


class UnknownGame(DdzError):
    """No game, or more than one, begins with this id."""


class StorageRefused(DdzError):
    """The file system would not take the write: full, read-only, or no permission. Nothing was stored."""


def unreadable(path: object, error: OSError) -> Phrase:
    """What is wrong with a file or folder that the system does not let us read."""
    return Phrase("file/unreadable", "{path} cannot be read: {why}", path=str(path), why=of_system(error))


def unwritable(path: object, error: OSError) -> StorageRefused:
    """The error for a file or folder that the system does not let us write."""
    return StorageRefused("file/unwritable", "{path} cannot be written: {why}", path=str(path), why=of_system(error))


class NotInstalled(DdzError):
    """Something that only an optional extra of the package brings is not here."""

    def __init__(self, what: Phrase | str, extra: str) -> None:
        super().__init__(
            "extra/not-installed",
            "{what}, which is not installed; the extra '{extra}' of ddz brings it",
            what=what,
            extra=extra,
        )


class WorkerDied(DdzError):
    """A worker came to its end in the middle of a task: killed by somebody, or by a system that ran out of memory."""
