"""`ddz doctor`: what this machine gives ddz, and what is wrong with it."""

import os
import platform
import sys
from typing import TYPE_CHECKING

from ddz import __version__

from .door import give, put
from .languages import words_for
from .shell import Db, Json, Lang, db_address

if TYPE_CHECKING:
    from ddz.words.base import Words


def doctor(lang: Lang = None, db: Db = None, as_json: Json = False) -> None:
    """Show what ddz runs on, where its log is, and how it is kept. Changes nothing.

    Example: ddz doctor
    """
    from ddz import compiled
    from ddz.log import driver
    from ddz.words.languages import DEFAULT, language
    from ddz.words.machine import machine_lines

    address = db_address(db)
    safe = driver.wal_is_safe
    _, why = compiled.find()
    words = language(DEFAULT) if as_json else words_for(lang)  # what programs read is in one language
    says = words.doctor_says
    interpreted = "interpreted" if as_json else says["interpreted"].format(why=why)
    terminal = says["terminal" if sys.stdout.isatty() else "no-terminal"]
    facts: dict[str, str] = {
        "ddz": __version__,
        "python": platform.python_version(),
        "kernel": says["compiled"] if why == "compiled" else interpreted,
        "platform": platform.platform(),
        "sqlite": driver.sqlite_version,
        "driver": driver.sqlite3.__name__.split(".")[0],
        "journal": "WAL, synchronous=FULL" if safe else "DELETE, synchronous=EXTRA",
        "log": address,
        "log_state": _log_state(address, words),
        "terminal": terminal.format(term=os.environ.get("TERM", "")),
        "encoding": sys.stdout.encoding,
    }
    advice = [words.advice[why]] if why in words.advice else []
    if not safe:
        advice.append(words.advice["sqlite"].format(version=driver.sqlite_version))
    if as_json:
        from ddz.contract.machine import DoctorJson

        give(DoctorJson(**facts, kernel_why=why, advice=tuple(advice)))
        return
    put(*machine_lines(facts, advice, words))


def _log_state(address: str, words: "Words") -> str:
    """Whether the log can be read."""
    from ddz.errors import DdzError
    from ddz.log.stores import find_log
    from ddz.words.errors import sentence

    says = words.doctor_says
    try:
        log = find_log(address)
        if log is None:
            return says["absent"]
        with log:
            guards = ", ".join(log.missing_guards())
            return says["guards" if guards else "events"].format(events=log.last_position(), guards=guards)
    except DdzError as error:
        return says["unusable"].format(why=sentence(error, words))
