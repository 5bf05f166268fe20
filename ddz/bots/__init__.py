"""The bots by name. A new bot is one module and one line here; its module is imported only when it is asked for."""

import importlib
from typing import Final

from ddz.bots.base import Bot
from ddz.errors import Unreadable

_BOTS: Final = {
    "random": "ddz.bots.chance:RandomBot",
    "simple": "ddz.bots.simple:SimpleBot",
}


def names() -> tuple[str, ...]:
    """The names of all bots, the weakest first."""
    return tuple(_BOTS)


def make(name: str) -> Bot:
    """A new bot called `name`.

    Raises:
        Unreadable: if there is none, naming those there are.
    """
    if name not in _BOTS:
        raise Unreadable(f"there is no bot called '{name}': the bots are {', '.join(_BOTS)}")
    module, _, cls = _BOTS[name].partition(":")
    bot: Bot = getattr(importlib.import_module(module), cls)()
    return bot
