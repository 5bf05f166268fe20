"""The kernel twice in one process: compiled (`ddz._kernel`), and its source as it is written."""

import importlib.util
import inspect
import os
import sys
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

from ddz import compiled

FOLDER = Path(compiled.__file__).parent
REMEDY = "install ddz again where there is a C compiler"


@cache
def interpreted() -> ModuleType:
    """kernel.py as plain Python, under a name of its own."""
    return _as_python("kernel")


@cache
def interpreted_positions() -> ModuleType:
    """positions.py as plain Python, on `interpreted`."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "ddz.kernel", interpreted())
        return _as_python("positions")


@cache
def interpreted_endgame() -> ModuleType:
    """endgame.py as plain Python, on the other two."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "ddz.kernel", interpreted())
        patch.setitem(sys.modules, "ddz.positions", interpreted_positions())
        return _as_python("endgame")


def _as_python(module: str) -> ModuleType:
    name = f"{module}_as_python"
    spec = importlib.util.spec_from_file_location(name, FOLDER / f"{module}.py")
    assert spec is not None
    assert spec.loader is not None
    loaded = importlib.util.module_from_spec(spec)
    sys.modules[name] = loaded
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(compiled.PURE, "1")
        spec.loader.exec_module(loaded)
    assert inspect.isfunction(loaded.Solver.solve if module == "endgame" else loaded.check), "this is no Python"
    return loaded


@cache
def compiled_kernel() -> ModuleType:
    """The compiled kernel of this source, whatever DDZ_PURE says.

    Where there is none the test skips; with DDZ_COMPILED=required in the environment it fails, so that a run which
    means to hold both kernels cannot pass by having one.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv(compiled.PURE, raising=False)
        module, why = compiled.find()
    if module is not None:
        return module
    reason = f"the compiled kernel is {why}: {REMEDY}"
    if os.environ.get("DDZ_COMPILED") == "required":
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason, allow_module_level=True)


def compiled_file() -> Path:
    """The file of the compiled kernel."""
    file = compiled_kernel().__file__
    assert file is not None
    return Path(file)
