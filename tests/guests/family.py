"""A program for tests that leaves processes behind: a child, one in a session of its own, one forked twice.

Each is deaf to polite signals and writes its id into a file. It imports nothing of ddz.
"""

import os
import signal
import sys
import time
from pathlib import Path

FILE, MODE = Path(sys.argv[1]), sys.argv[2]


def stay() -> None:
    """Be there, deaf, for longer than any test waits."""
    for name in ("SIGTERM", "SIGHUP", "SIGINT"):
        signal.signal(getattr(signal, name), signal.SIG_IGN)
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nothing, number)
    note()
    time.sleep(120)
    os._exit(0)


def note() -> None:
    with FILE.open("a") as file:
        file.write(f"{os.getpid()}\n")


def main() -> None:
    if os.fork() == 0:
        stay()
    if os.fork() == 0:
        os.setsid()
        stay()
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.setpgid(0, 0)
            stay()
        os._exit(0)
    while not FILE.exists() or FILE.read_text().count("\n") < 3:
        time.sleep(0.01)
    if MODE == "stays":
        note()
        time.sleep(120)
    print("no answer", flush=True)


main()
