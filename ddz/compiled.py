"""Which kernel runs: `ddz._kernel`, that is `kernel.py` compiled at the installation, or `kernel.py` itself.

`DDZ_PURE=1` asks for the second. A compiled file that is not of the source beside it (somebody edited the source and
did not install again) is left alone, with a warning: it would answer by old rules.
"""

import importlib
import os
import warnings
from _imp import source_hash
from pathlib import Path
from types import ModuleType
from typing import Final

PURE: Final = "DDZ_PURE"
"""The environment variable that asks for the interpreted kernel."""
SOURCE: Final = Path(__file__).with_name("kernel.py")


def stamp_of(source: bytes) -> str:
    """The stamp of a kernel's source, which the build writes into the compiled file.

    Python's own fast hash for the very question whether a compiled file is of this source; no guard against malice.
    """
    return source_hash(0x64647A, source).hex()


def twin() -> ModuleType | None:
    """The compiled kernel; None if there is none, if it is of another source, or if `DDZ_PURE` asks for none."""
    module, why = find()
    if module is None and why == "stale":
        warnings.warn(
            "the compiled kernel is not of this ddz/kernel.py, which runs uncompiled instead: install ddz again",
            RuntimeWarning,
            stacklevel=3,
        )
    return module


def find() -> tuple[ModuleType | None, str]:
    """The compiled kernel, or None, and why: `compiled`, or `asked`, `absent` or `stale`."""
    if os.environ.get(PURE, "0") not in ("", "0"):
        return None, "asked"
    try:
        module = importlib.import_module("ddz._kernel")
    except ImportError:
        return None, "absent"
    if stamp_of(SOURCE.read_bytes()) != module.STAMP:
        return None, "stale"
    return module, "compiled"
