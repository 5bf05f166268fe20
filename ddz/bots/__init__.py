"""The bots by name. A new bot is one module and one line here; its module is imported only when it is asked for."""

import importlib
from pathlib import Path
from typing import Any, Final

from ddz.bots.base import Bot
from ddz.errors import Unreadable

_BOTS: Final = {
    "random": "ddz.bots.chance:RandomBot",
    "easy": "ddz.bots.quick:EasyBot",
    "normal": "ddz.bots.quick:NormalBot",
    "simple": "ddz.bots.simple:SimpleBot",
    "hard": "ddz.bots.hard:HardBot",
    "expert": "ddz.bots.expert:ExpertBot",
}
LEVELS: Final = ("easy", "normal", "hard", "expert")
"""Those that a person is offered; the others are to measure by."""
BY_NETWORK: Final = ("hard", "expert")
"""Those that may be named with a file of weights behind them, as `hard:FILE`."""


def names() -> tuple[str, ...]:
    """The names of all bots, the weakest first."""
    return tuple(_BOTS)


def make(name: str) -> Bot:
    """A new bot called `name`, or `hard:FILE` or `expert:FILE` with the weights of a file.

    Raises:
        Unreadable: if there is none, naming those there are; or the file is none of weights.
    """
    base, _, file = name.partition(":")
    if base not in _BOTS or (file and base not in BY_NETWORK):
        raise Unreadable(f"there is no bot called '{name}': the bots are {', '.join(_BOTS)}")
    module, _, cls = _BOTS[base].partition(":")
    kind = getattr(importlib.import_module(module), cls)
    bot: Bot = kind(networks=_networks(file), name=name) if file else kind()
    return bot


def _networks(file: str) -> Any:  # noqa: ANN401  # its type is numpy's, which most bots need not import
    return importlib.import_module("ddz.bots.network").load(Path(file))
