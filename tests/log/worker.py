"""Another process with the log: `worker.py append|create|read|full PATH`. Told what to do on stdin, a line a batch.

It answers a line for each batch, and only once the append has returned: `ok FIRST LAST`, or the error's name.
"""

import json
import os
import sys
from pathlib import Path

from ddz.errors import DdzError
from ddz.log import codec
from ddz.log.base import EventLog
from ddz.log.sqlite import opened

NOBODY = 65534


def say(text: str) -> None:
    print(text, flush=True)


def append(log: EventLog, line: str) -> bool:
    """Append what the line says and answer; False if it was not taken."""
    order = json.loads(line)
    events = [codec.decode(*event) for event in order["events"]]
    try:
        rows = log.append(order["game"], order["seq"], events, order["command"], order["at"])
    except DdzError as error:
        say(f"{type(error).__name__} {error}")
        return False
    say(f"ok {rows[0].seq} {rows[-1].seq}")
    return True


def fill_disk(log: EventLog) -> None:
    """Append while no file may grow beyond 200 kB; say which line was the first that did not fit; then go on."""
    import resource

    say("ready")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, limits[1]))
    for line in sys.stdin:
        if not append(log, line):
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
            say(f"rows {sum(1 for _ in log.after(0))}")
            append(log, line)


def read(path: Path) -> None:
    """Read, without the rights of root and without writing."""
    if os.geteuid() == 0:
        os.seteuid(NOBODY)
    try:
        log = opened(str(path), create=False)
        assert log is not None
        say(f"rows {sum(1 for _ in log.after(0))}")
        log.mark_seen(log.resolve("@last"))
    except DdzError as error:
        say(f"{type(error).__name__} {error}")


def main(mode: str, path: Path) -> None:
    if mode == "read":
        read(path)
        return
    if mode == "create":
        say("ready")
        sys.stdin.readline()
    log = opened(str(path), create=True)
    assert log is not None
    if mode == "full":
        fill_disk(log)
        return
    if mode == "append":
        say("ready")
    for line in sys.stdin:
        append(log, line)
    log.close()


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
