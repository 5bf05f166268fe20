"""The bots by name. A new bot is one module and one line here; its module is imported only when it is asked for."""

import hashlib
import importlib
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from ddz.bots.base import Bot, Thinker, Thinking
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
"""Those that a person is offered; the others serve for measuring."""
BY_NETWORK: Final = ("hard", "expert")
"""Those that may be named with a file of weights, as `hard:FILE`."""


def names() -> tuple[str, ...]:
    """The names of all bots, the weakest first."""
    return tuple(_BOTS)


def by_file(name: str) -> bool:
    """True for `hard:FILE` and `expert:FILE`."""
    base, _, file = name.partition(":")
    return base in BY_NETWORK and bool(file)


def make(name: str) -> Bot:
    """A new bot called `name`, or `hard:FILE` or `expert:FILE` with the weights of a file.

    Raises:
        Unreadable: if there is none, naming those there are; or the file is no file of weights.
    """
    base, _, file = name.partition(":") if by_file(name) else (name, "", "")
    if base not in _BOTS:
        raise Unreadable(
            "bot/unknown", "there is no bot called '{name}': the bots are {bots}", name=name, bots=", ".join(_BOTS)
        )
    module, _, cls = _BOTS[base].partition(":")
    kind = getattr(importlib.import_module(module), cls)
    if not file:
        bot: Bot = kind()
        return bot
    network = importlib.import_module("ddz.bots.network")
    raw = network.bytes_of(Path(file))
    bot = kind(networks=network.read(raw, file), name=name)
    bot.version += "+" + hashlib.sha256(raw).hexdigest()[:8]
    return bot


def think(bots: Iterable[Bot], thinking: Thinking) -> None:
    """Let those that search think about each move for so long.

    Raises:
        Unreadable: none of them does.
    """
    thinkers = [bot for bot in bots if isinstance(bot, Thinker)]
    if not thinkers:
        raise Unreadable(
            "bot/does-not-search",
            "only a bot that searches can be given time to think, and none of these does: expert is one",
        )
    for bot in thinkers:
        bot.think(*thinking)
