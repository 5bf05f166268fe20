"""The kernel twice in one process: compiled (`ddz._kernel`), and its sources as they are written."""

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
    """The kernel's sources as plain Python, all in one module, as the compiled ones are."""
    unit = ModuleType("as_python")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compiled, "twin", lambda: None)
        for source in compiled.SOURCES:
            name = source.removesuffix(".py")
            loaded = _loaded(f"{name}_as_python", FOLDER / source)
            patch.setitem(sys.modules, f"ddz.{name}", loaded)  # where the next ones find it
            unit.__dict__.update({**loaded.__dict__, **unit.__dict__})
    assert inspect.isfunction(unit.check), "this is no Python"
    assert inspect.isfunction(unit.Solver.solve), "this is no Python"
    return unit


def _loaded(name: str, file: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None
    assert spec.loader is not None
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
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
