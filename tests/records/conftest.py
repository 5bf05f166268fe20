"""A table on an empty log."""

import pytest

from ddz.services.table import Table

from .samples import empty_table


@pytest.fixture
def table() -> Table:
    """A table on an empty log."""
    return empty_table()
