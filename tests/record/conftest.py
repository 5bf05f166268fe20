"""A table on an empty log, with a clock and entropy that repeat themselves."""

import random

import pytest

from ddz.log.memory import MemoryLog
from ddz.services.table import Table


@pytest.fixture
def table() -> Table:
    """A table on an empty log."""
    return Table(MemoryLog(), lambda: "2026-01-02T03:04:05Z", random.Random(1).randbytes)
