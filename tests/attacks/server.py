"""A process that has imported all of ddz, and runs commands of it in children of its own: `python server.py`.

A child is a process as any: it has its own locks, files and end, it runs `ddz.cli.main` as the installed script does,
and can be killed and traced. Only the import (0.2 s of a command's 0.3 s) is not done a thousand times.

It reads an order a line from standard input, JSON, and answers each with a line:

* `{"run": [ARG...], "env": {...}, "cwd": DIR, "out": FILE, "err": FILE, "hold": BOOL, "wal": BOOL}` answers the pid.
  With `hold` the child stops itself (SIGSTOP) before it begins, so that a tracer can take hold of it.
* `{"wait": PID}` waits for the end and answers how it ended: the exit code, or minus the signal.
"""

import ctypes
import importlib
import json
import os
import pkgutil
import signal
import sys
from typing import Any, NoReturn

PR_SET_PTRACER, PR_SET_PTRACER_ANY = 0x59616D61, -1


def import_all() -> None:
    """Import what a command may import while it runs, so that no fault that is injected hits an import."""
    import ddz.cli

    import ddz

    importlib.import_module("sqlite_utils")
    for package in (ddz, ddz.cli):
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if found.name == "ddz._kernel" or found.name.startswith(("ddz.guests", "ddz.stats")):
                continue
            importlib.import_module(found.name)


def begin(order: dict[str, Any]) -> NoReturn:
    """What the child does: become the command."""
    code = 70
    try:
        os.chdir(order["cwd"])
        os.environ.clear()
        os.environ.update(order["env"])
        for number, name in ((0, os.devnull), (1, order["out"]), (2, order["err"])):
            file = os.open(name, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
            os.dup2(file, number)
            os.close(file)
        sys.stdin, sys.stdout, sys.stderr = open(0), open(1, "w"), open(2, "w", buffering=1)  # noqa: SIM115
        sys.argv = ["ddz", *order["run"]]
        if not order["wal"]:
            from ddz.log import driver

            driver.wal_is_safe = False  # type: ignore[misc]
        if order["hold"]:
            # Where a process may only be traced by those above it (Yama), it says itself that anybody may.
            ctypes.CDLL(None).prctl(PR_SET_PTRACER, ctypes.c_ulong(PR_SET_PTRACER_ANY), 0, 0, 0)
            os.kill(os.getpid(), signal.SIGSTOP)
        from ddz.cli import main

        main()
        code = 0
    except SystemExit as done:
        code = done.code if isinstance(done.code, int) else int(done.code is not None)
    except BaseException:
        import traceback

        traceback.print_exc()
        code = 1
    finally:
        try:
            sys.stdout.flush()
        except OSError:
            code = code or 120  # as the interpreter does
        os._exit(code)


def main() -> None:
    import_all()
    orders, answers = os.fdopen(os.dup(0)), os.fdopen(os.dup(1), "w")  # a child has 0 and 1 for itself
    print("ready", file=answers, flush=True)
    for line in orders:
        order = json.loads(line)
        if "wait" in order:
            answer = os.waitstatus_to_exitcode(os.waitpid(order["wait"], 0)[1])
        else:
            answer = os.fork()
            if answer == 0:
                begin(order)
            if order["hold"]:
                os.waitpid(answer, os.WUNTRACED)
        print(answer, file=answers, flush=True)


if __name__ == "__main__":
    main()
