"""Other people's bots, and ours at other people's tables: every name that may stand where a bot is named.

A guest is used like any other bot: it gets a seat's view and answers with a turn. It is a program (`exec:CMD`),
RLCard's rule agent (`rlcard-rule`) or a checkpoint of DouZero (`douzero:DIR`).
"""

import importlib
from collections.abc import Iterable
from typing import Final, Protocol

import msgspec

from ddz import bots
from ddz.bots.base import Bot
from ddz.errors import Phrase, Unreadable

PROGRAM: Final = "exec"
DOUZERO: Final = "douzero"
_GUESTS: Final = {
    "rlcard-rule": "ddz.guests.rlcard:make",
    PROGRAM: "ddz.guests.program:make",
    DOUZERO: "ddz.guests.douzero:make",
}


class Fault(msgspec.Struct, frozen=True):
    """Why a guest's answer was not accepted."""

    kind: str
    """`missing`, `crash`, `timeout`, `garbage` or `illegal`: stable, for programs."""
    why: Phrase
    """What was wrong with it."""


class Faulty(Protocol):
    """A guest that may fail to answer; then the house moves for it."""

    fault: Fault | None
    """What was wrong with its last answer; None if it was accepted."""
    faults: dict[str, int]
    """How often each kind of fault was found since the guest was made."""

    def close(self) -> None:
        """Release what the guest holds: its processes."""
        ...


def make(name: str) -> Bot:
    """A new bot called `name`: one of ours, `hard:FILE` and `expert:FILE` among them, or a guest.

    Raises:
        Unreadable: there is none; names those there are, or says what is wrong with the guest's name.
        NotInstalled: the guest needs a package that is not installed.
    """
    kind = _kind(name)
    if kind is None:
        if name in bots.names() or bots.by_file(name):
            return bots.make(name)
        raise Unreadable(
            "bot/unknown",
            "there is no bot called '{name}': the bots are {bots}; with the weights of a file {files}; "
            "other people's are {others}",
            name=name,
            bots=", ".join(bots.names()),
            files="hard:FILE, expert:FILE",
            others="exec:CMD, rlcard-rule, douzero:DIR",
        )
    module, _, function = _GUESTS[kind].partition(":")
    made: Bot = getattr(importlib.import_module(module), function)(name)
    return made


def make_again(name: str) -> Bot:
    """The bot that played, as a log says. A log may not start programs or load files.

    Raises:
        Unreadable: it is one that only a user may name; or there is no such bot.
    """
    if _kind(name) in (PROGRAM, DOUZERO) or bots.by_file(name):
        raise Unreadable(
            "bot/not-by-a-log",
            "'{name}' played here, and a log alone starts no program and reads no file: name the bot that goes on",
            name=name,
        )
    return make(name)


def _kind(name: str) -> str | None:
    """Which guest a name means: `exec:CMD` and `exec@5:CMD` are both `exec`."""
    if name in _GUESTS:
        return name
    kind = name.partition(":")[0].partition("@")[0]
    return kind if kind in (PROGRAM, DOUZERO) and ":" in name else None


def fault_of(bot: Bot) -> Fault | None:
    """What was wrong with the bot's last answer; None if nothing was, and for a bot that cannot fail."""
    fault: Fault | None = getattr(bot, "fault", None)
    return fault


def faults_of(bot: Bot) -> dict[str, int]:
    """How often each kind of fault was found in the bot's answers."""
    faults: dict[str, int] = getattr(bot, "faults", {})
    return dict(faults)


def title_of(bot: Bot) -> str:
    """What a bot is called at the table; the name of a guest may be a whole command."""
    title: str = getattr(bot, "title", bot.name)
    return title


def close(seated: Iterable[Bot]) -> None:
    """Release what guests hold. They may play on: what they need is started again."""
    for bot in seated:
        if (end := getattr(bot, "close", None)) is not None:
            end()
