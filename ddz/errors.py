"""What can go wrong, by kind of wrongness. Imports nothing.

`Refused` is an answer (the law or a contract says no, nothing has changed), the others are states of the
world: a log that is broken, stale, foreign or newer, an id that names no game, storage that will not take more.
"""


class DdzError(Exception):
    """The root of every error that ddz raises on purpose."""


class Refused(DdzError):
    """A command that may not be: nothing was changed by asking.

    `code` is stable and for programs (`play/not-held`), `detail` one English sentence for people,
    `facts` the values that the sentence names, so that another language can say it again.
    """

    def __init__(self, code: str, detail: str, **facts: str | int) -> None:
        super().__init__(code, detail)
        self.code = code
        self.detail = detail
        self.facts = facts

    def __str__(self) -> str:
        return self.detail


class Unreadable(DdzError):
    """Text that cannot be read as cards, as a record or as a file of events; says where."""


class OutOfRange(DdzError):
    """A seq, a seat or a number that this game does not have."""


class Hidden(DdzError):
    """Cards that are still hidden were asked for, without saying so on purpose (`--reveal`)."""


class BrokenLog(DdzError):
    """The log contradicts itself: bytes against hash, or an event without meaning in its phase."""

    def __init__(self, detail: str, code: str = "log/broken", seq: int | None = None) -> None:
        super().__init__(detail)
        self.code = code
        self.seq = seq


class UnsupportedVersion(BrokenLog):
    """Written by a newer ddz than this one."""


class StaleLog(Refused):
    """Somebody else has appended since: read again, then decide again."""

    def __init__(self, game: str, expected: int, actual: int) -> None:
        super().__init__(
            "log/stale",
            f"game {game} has moved on: event {expected} was expected to be its last, but it is at {actual}",
            game=game,
            expected=expected,
            actual=actual,
        )


class UnknownGame(DdzError):
    """No game, or more than one, begins with this id."""


class StorageRefused(DdzError):
    """The file system would not take the write: full, read-only, or no permission. Nothing was stored."""


class NotInstalled(DdzError):
    """Something that only an optional extra of the package brings is not here."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(
            f"{what}, which is not installed: pip install 'ddz[{extra}]' (in a checkout: pip install '.[{extra}]')"
        )


class WorkerDied(DdzError):
    """A worker came to its end in the middle of a task: killed by somebody, or by a system that ran out of memory."""
