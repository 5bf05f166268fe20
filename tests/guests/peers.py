"""The peers' modules as `tests/peers` finds them: pinned, or a reason to skip."""

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import cast


def peer_modules(distribution: str, *names: str) -> tuple[ModuleType, ...]:
    """The named modules of a pinned peer; skips where it is not installed as pinned."""
    path = Path(__file__).resolve().parents[1] / "peers" / "installed.py"
    spec = importlib.util.spec_from_file_location("peers_installed", path)
    assert spec is not None
    assert spec.loader is not None
    installed = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(installed)
    return cast("tuple[ModuleType, ...]", installed.peer_modules(distribution, *names))
