"""The kernel twice in one process: compiled (`ddz._kernel`), and its source as it is written."""

import importlib.util
import os
import sys
from functools import cache
from pathlib import Path
from types import FunctionType, ModuleType

import pytest

from ddz import compiled

SOURCE = Path(compiled.__file__).with_name("kernel.py")
REMEDY = "install ddz again where there is a C compiler"


@cache
def interpreted() -> ModuleType:
    """kernel.py as plain Python, under a name of its own."""
    name = "ddz_kernel_as_python"
    spec = importlib.util.spec_from_file_location(name, SOURCE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(compiled.PURE, "1")
        sys.modules[name] = module
        spec.loader.exec_module(module)
    assert isinstance(module.leads, FunctionType), "this is no Python"
    return module


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
