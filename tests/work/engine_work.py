"""Work for engines to do: functions of a module, as other processes need them."""

import os
import time
from pathlib import Path


def doubled(number: int) -> int:
    return 2 * number


def slow_if_odd(number: int) -> int:
    time.sleep(number % 2 * 0.5)
    return number


def refused(number: int) -> int:
    raise ValueError(f"no {number}")


def die(code: int) -> None:
    os._exit(code)


class Unfindable:
    """Work that other processes look for in a module that there is not."""

    def __call__(self, number: int) -> int:
        return number

    def __reduce__(self) -> tuple[object, ...]:
        return _import_nowhere, ()


def _import_nowhere() -> None:
    import nowhere  # noqa: F401


def linger(path: Path) -> None:
    """Say who works, and work for a minute."""
    path.write_text(str(os.getpid()), "utf-8")
    time.sleep(60)


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return "State:\tZ" not in Path(f"/proc/{pid}/status").read_text("utf-8") if Path("/proc").exists() else True


def gone(pid: int, seconds: float = 10) -> bool:
    """True if a process ends within some seconds."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if not is_alive(pid):
            return True
        time.sleep(0.02)
    return False
