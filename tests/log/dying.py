"""Back a log up, killed at one line of our own code after another; after each death, once more.

Called as `dying.py SOURCE TARGET STEP`, in a process without threads, because it forks; it dies at every STEPth line
of the code. It prints a line a death: `there` or `absent`, and how many other entries the folder of the target had.
"""

import os
import signal
import sys
from pathlib import Path
from types import FrameType
from typing import Any

from ddz.errors import Refused
from ddz.log import read
from ddz.log.stores import backup, open_log

SOURCE, TARGET, STEP = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])


def head(path: Path) -> str:
    """The head of the log in a file."""
    log = open_log(path, create=False)
    try:
        return read.head(log)
    finally:
        log.close()


def dying(lines: int) -> bool:
    """Back up in a child that is killed before its line number `lines`; False if it lived to the end."""
    left = lines

    def trace(frame: FrameType, event: str, _: object) -> Any:
        nonlocal left
        if Path(frame.f_code.co_filename).name not in ("backup.py", "files.py"):
            return None
        if event == "line":
            left -= 1
            if not left:
                os.kill(os.getpid(), signal.SIGKILL)
        return trace

    child = os.fork()
    if child == 0:
        try:
            sys.settrace(trace)
            backup(SOURCE, TARGET)
        finally:
            os._exit(0)
    return os.WIFSIGNALED(os.waitpid(child, 0)[1])


def repeated() -> str:
    """What comes of another try."""
    try:
        backup(SOURCE, TARGET)
    except Refused as refused:
        return refused.code
    return "done"


def main() -> None:
    """Until no line is left to die at."""
    known, lines = head(SOURCE), 1 - STEP
    while dying(lines := lines + STEP):
        there = TARGET.exists()
        beside = len([path for path in TARGET.parent.iterdir() if path != TARGET])
        if there:
            assert head(TARGET) == known
        assert repeated() == ("log/file-exists" if there else "done")
        assert [path.name for path in TARGET.parent.iterdir()] == [TARGET.name]
        assert head(TARGET) == known
        TARGET.unlink()
        print("there" if there else "absent", beside)
    TARGET.unlink()


main()
