"""Runs a program and ends all that it starts: a process of its own between ddz and a guest, on Linux.

A process that calls setsid or forks twice leaves its group and its parent; here it becomes a child of the warden
(a "subreaper"), which can find it. The warden holds one end of a pipe, the leash; ddz holds the other. When it closes,
however ddz has ended, the warden kills its children until there are none. `process.py` runs this as a script: it
imports nothing of ddz and as little as it can, since a guest may be begun for every turn.

    warden.py LEASH REPORT WORD...

LEASH and REPORT are numbers of pipes. Into REPORT goes the program's id, or `!` and why it cannot be run.
"""

import ctypes
import os
import select
import sys
import time

_SET_CHILD_SUBREAPER = 36
_SIGKILL, _SIGPIPE, _SIGXFSZ = 9, 13, 25  # the signal module takes as long to import as everything else
_PAUSE = 0.005
"""Seconds between checks whether killed processes have ended."""
_GLANCE = 0.05
"""Seconds between checks whether the processes that the program left have ended."""


def main(leash: int, report: int, words: list[str]) -> int:
    """Run the program until nothing of it is left, or the leash is closed; gives the program's status."""
    for number in (leash, report):
        os.set_inheritable(number, False)
    ctypes.CDLL(None).prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    with os.fdopen(report, "w", encoding="ascii") as pipe:
        try:  # a session of its own, so that it can signal its group; and what Python ignores is as it was
            program = os.posix_spawnp(words[0], words, os.environ, setsid=True, setsigdef=[_SIGPIPE, _SIGXFSZ])
        except OSError as error:
            pipe.write(f"!{error.errno}\n")
            return 127 << 8
        pipe.write(f"{program}\n")
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):  # what the program reads and writes is its own: ddz must see it end
        os.dup2(nothing, number)
    return _guard(program, leash)


def _guard(program: int, leash: int) -> int:
    ends = _ends_of(program)
    status = None
    while True:
        ended = _reap()
        status = ended.get(program, status)
        if None not in ended:
            watched = [leash] if ends is None or status is not None else [leash, ends]
            if leash not in select.select(watched, [], [], _GLANCE if len(watched) == 1 else None)[0]:
                continue
            ended = _sweep()
        return ended.get(program, 0) if status is None else status


def _ends_of(program: int) -> int | None:
    """A file descriptor to wait on until the program has ended; None where the system has no such thing."""
    try:
        return os.pidfd_open(program)
    except (AttributeError, OSError):
        return None


def _reap() -> dict[int | None, int]:
    """The children that have ended, with their status; None is among them if no child is left."""
    ended: dict[int | None, int] = {}
    try:
        while (found := os.waitpid(-1, os.WNOHANG))[0]:
            ended[found[0]] = found[1]
    except ChildProcessError:
        ended[None] = 0
    return ended


def _sweep() -> dict[int | None, int]:
    """Kill the children, and those that become children by that, until none is left."""
    ended = _reap()
    while None not in ended:
        for pid in _children():
            try:
                os.kill(pid, _SIGKILL)
            except ProcessLookupError:
                continue
        time.sleep(_PAUSE)
        ended |= _reap()
    return ended


def _children() -> list[int]:
    """The processes whose parent this is."""
    me, found = str(os.getpid()), []
    for name in filter(str.isdigit, os.listdir("/proc")):  # noqa: PTH208  # pathlib takes long to import
        try:
            with open(f"/proc/{name}/stat", encoding="latin-1") as file:  # noqa: PTH123
                parent = file.read().rpartition(")")[2].split()[1]
        except OSError:  # it has ended meanwhile
            continue
        if parent == me:
            found.append(int(name))
    return found


def _end_like(status: int) -> None:
    """End as the program did, so that the warden's exit status says how the program ended."""
    if os.WIFSIGNALED(status):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.kill(os.getpid(), os.WTERMSIG(status))
        os._exit(128 + os.WTERMSIG(status))  # one that does not end Python
    os._exit(os.WEXITSTATUS(status))


if __name__ == "__main__":
    _end_like(main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]))
