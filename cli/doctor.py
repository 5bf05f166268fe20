"""`ddz doctor`: what this machine gives ddz, and what is wrong with it."""

import os
import platform
import sys

from ddz import __version__
from ddz.words.columns import padded

from .door import give, put
from .shell import Db, Json, db_path, table_at

KERNEL_ADVICE = {
    "absent": "the move generator runs as plain Python, some 60 times slower than compiled: with a C compiler (gcc, "
    "clang, MSVC), install ddz again",
    "stale": "the compiled move generator is not of this ddz/kernel.py, so the source runs, some 60 times slower: "
    "install ddz again",
    "broken": "the compiled move generator cannot be loaded, so the source runs, some 60 times slower: install ddz "
    "again with this Python",
}
"""What to do about a kernel that is not compiled; nothing where DDZ_PURE asks for it (`asked`)."""


def doctor(db: Db = None, as_json: Json = False) -> None:
    """What ddz runs on, where its log is and how it is kept. Changes nothing.

    Example: ddz doctor
    """
    from ddz import compiled
    from ddz.log import driver

    path = db_path(db)
    safe = driver.wal_is_safe
    _, why = compiled.find()
    facts: dict[str, str] = {
        "ddz": __version__,
        "python": platform.python_version(),
        "kernel": "compiled" if why == "compiled" else "interpreted",
        "kernel_why": why,
        "platform": platform.platform(),
        "sqlite": driver.sqlite_version,
        "driver": driver.sqlite3.__name__.split(".")[0],
        "journal": "WAL, synchronous=FULL" if safe else "DELETE, synchronous=EXTRA",
        "log": str(path),
        "log_state": _log_state(db),
        "terminal": f"{'yes' if sys.stdout.isatty() else 'no'}, TERM={os.environ.get('TERM', '')}",
        "encoding": sys.stdout.encoding,
    }
    advice = []
    if why in KERNEL_ADVICE:
        advice.append(KERNEL_ADVICE[why])
    if not safe:
        advice.append(
            f"SQLite {driver.sqlite_version} can corrupt a log in WAL mode (fixed in 3.51.3), so the slower DELETE "
            "journal is used: `pip install pysqlite3` brings a fixed one where it has a wheel"
        )
    if as_json:
        give({"schema": "ddz/doctor@1", **facts, "advice": advice})
        return
    reason = facts.pop("kernel_why")
    facts["kernel"] += "" if reason == "compiled" else f" ({reason})"
    put(*padded([(name.replace("_", " "), value) for name, value in facts.items()]))
    for line in advice:
        put(f"advice: {line}")


def _log_state(db: Db) -> str:
    """Whether the log can be read, in words."""
    from ddz.errors import DdzError
    from ddz.files import there
    from ddz.log import read

    try:
        if not there(db_path(db)):
            return "not there yet"
        with table_at(db) as table:
            gone = ", ".join(table.log.missing_guards())
            head = read.head(table.log)
            return f"head {head}" + (f"; its triggers {gone} are missing or changed" if gone else "")
    except DdzError as error:
        return f"cannot be used: {error}"
    except OSError as error:
        return f"cannot be used: {error.strerror}"
