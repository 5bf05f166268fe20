"""Which kernel runs: `ddz._kernel`, that is `kernel.py` compiled at the installation, or `kernel.py` itself.

`DDZ_PURE=1` asks for the second. A compiled file that is not of the source beside it (somebody edited the source and
did not install again) is left alone, with a warning: it would answer by old rules.
"""

import importlib
import os
import warnings
from _imp import source_hash
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, Final, Literal

PURE: Final = "DDZ_PURE"
"""The environment variable that asks for the interpreted kernel."""

Why = Literal["compiled", "asked", "absent", "stale", "broken"]
"""Which kernel it is: the compiled one, or the source since `DDZ_PURE` asks for it, since nothing was compiled, or
since what was compiled is of another source, or cannot be loaded."""
FAULTS: Final = {"stale": "is not of this", "broken": "cannot be loaded in place of"}

SOURCES: Final = ("kernel.py", "playouts.py", "plans.py", "positions.py", "quickplay.py", "features.py", "endgame.py")
"""The files beside this one that are compiled, as one unit in this order."""


def stamp_of(folder: Path) -> str:
    """The stamp of the kernel's sources in `folder`, which the build writes into the compiled file.

    Python's own fast hash for the very question whether a compiled file is of this source; no guard against malice.
    """
    return source_hash(0x64647A, b"".join((folder / name).read_bytes() for name in SOURCES)).hex()


def take_over(names: dict[str, Any], taken: Iterable[str]) -> None:
    """Put the compiled kernel's functions of the names `taken` in the place of a source's own, if there is one."""
    module = twin()
    if module is not None:
        names.update({name: getattr(module, name) for name in taken})


@cache
def twin() -> ModuleType | None:
    """The compiled kernel; None if there is none that fits these sources, or if `DDZ_PURE` asks for none.

    One answer for the whole process: two sources of which one is compiled would not understand each other.
    """
    module, why = find()
    if why in FAULTS:
        said = f"the compiled kernel {FAULTS[why]} ddz/kernel.py, which runs uncompiled instead: install ddz again"
        warnings.warn(said, RuntimeWarning, stacklevel=4)
    return module


def find() -> tuple[ModuleType | None, Why]:
    """The compiled kernel, or None, and why."""
    if os.environ.get(PURE, "0") not in ("", "0"):
        return None, "asked"
    try:
        module = importlib.import_module("ddz._kernel")
    except ModuleNotFoundError:
        return None, "absent"
    except ImportError:
        return None, "broken"
    if stamp_of(Path(__file__).parent) != module.STAMP:
        return None, "stale"
    return module, "compiled"
