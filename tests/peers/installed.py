"""The peer engines as modules, or a reason to skip.

They are pinned in `tests/peers.txt` and installed for the tests alone: `pip install --no-deps -r tests/peers.txt`.
Where one is missing its tests skip; with DDZ_PEERS=required in the environment they fail instead, so that a run which
means to hold the peers cannot pass by having none.
"""

import importlib
import importlib.metadata
import importlib.util
import os
import sys
import warnings
from pathlib import Path
from types import ModuleType
from typing import NoReturn

import pytest

PINS = Path(__file__).resolve().parent.parent / "peers.txt"


def pins() -> dict[str, str]:
    """The pinned version of each distribution in peers.txt."""
    lines = (line.split("#")[0].strip() for line in PINS.read_text().splitlines())
    return dict(line.split("==") for line in lines if "==" in line)


def peer_modules(distribution: str, *names: str) -> tuple[ModuleType, ...]:
    """The named modules of a pinned peer; skips the calling test module where it is not installed as pinned."""
    wanted = pins()[distribution]
    try:
        found = importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        _missing(f"{distribution} is not installed")
    if found != wanted:
        _missing(f"{distribution} {found} is installed, not {wanted}")
    if distribution == "douzero":
        _skip_douzero_inits()
    try:
        with warnings.catch_warnings():  # what a peer does while it is imported is its own affair
            warnings.simplefilter("ignore")
            return tuple(importlib.import_module(name) for name in names)
    except ImportError as error:
        _missing(f"{distribution} cannot be imported ({error})")


def _missing(what: str) -> NoReturn:
    reason = f"{what}: pip install --no-deps -r tests/peers.txt"
    if os.environ.get("DDZ_PEERS") == "required":
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason, allow_module_level=True)


def _skip_douzero_inits() -> None:
    """Put empty packages in place of `douzero` and `douzero.env`: the real ones import the training, and so torch."""
    if "douzero" in sys.modules:
        return
    spec = importlib.util.find_spec("douzero")
    assert spec is not None
    assert spec.origin is not None
    root = Path(spec.origin).parent
    for name, folder in (("douzero", root), ("douzero.env", root / "env")):
        package = ModuleType(name)
        package.__path__ = [str(folder)]
        sys.modules[name] = package
