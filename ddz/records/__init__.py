"""The records of other engines: a module a format, imported when it is needed. See `base.Format`."""

import importlib
from typing import Final, cast

from ddz.errors import Unreadable
from ddz.records.base import Format

FORMATS: Final = {
    "rlcard-showdown": "showdown",
    "douzero": "douzero",
}
"""Names, as `--format` takes them, and the modules behind them."""


def format_named(name: str) -> Format:
    """The translator called `name`.

    Raises:
        Unreadable: if there is none, naming those there are.
    """
    if name not in FORMATS:
        raise Unreadable(f"there is no format called '{name}': the formats are {', '.join(FORMATS)}")
    return cast("Format", importlib.import_module(f"ddz.records.{FORMATS[name]}"))


def recognise(raw: bytes) -> str | None:
    """The format that a file's bytes look like; None if they look like none."""
    return next((name for name in FORMATS if format_named(name).looks_like(raw)), None)
