"""PyTorch, or a reason to skip: it is only needed to train."""

import importlib.util
import os
from types import ModuleType

import pytest


def torch_or_skip() -> ModuleType:
    """The module `torch`; where it is missing the test skips, and with DDZ_PEERS=required it fails."""
    if importlib.util.find_spec("torch") is None:
        reason = "torch is not installed: pip install '.[train]'"
        if os.environ.get("DDZ_PEERS") == "required":
            pytest.fail(reason, pytrace=False)
        pytest.skip(reason, allow_module_level=True)
    import torch

    return torch
