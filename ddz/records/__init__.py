"""The records of other engines: a module a format, imported when it is needed. See `base.Format`."""

from typing import Final

from ddz.errors import Unreadable
from ddz.records.base import Format

FORMATS: Final = ("rlcard-showdown", "douzero", "botzone", "openspiel")
"""Their names."""


def format_named(name: str) -> Format:
    """The translator called `name`.

    Raises:
        Unreadable: if there is none, naming those there are.
    """
    match name:
        case "rlcard-showdown":
            from ddz.records import showdown

            return showdown
        case "douzero":
            from ddz.records import douzero

            return douzero
        case "botzone":
            from ddz.records import botzone

            return botzone
        case "openspiel":
            from ddz.records import openspiel

            return openspiel
        case _:
            raise Unreadable(
                "record/unknown-format",
                "there is no format called '{name}': the formats are {formats}",
                name=name,
                formats=", ".join(FORMATS),
            )


def recognise(raw: bytes) -> str | None:
    """The format that a file's bytes look like; None if they look like none."""
    return next((name for name in FORMATS if format_named(name).looks_like(raw)), None)
