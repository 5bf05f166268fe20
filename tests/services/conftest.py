"""Tables for tests. Those of a module keep their games from test to test, so that a log also holds other games."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from ddz.log.sqlite import SqliteLog
from ddz.services.table import Table

from .tables import hasty, table_on


@pytest.fixture
def table() -> Table:
    """A table on an empty log in memory."""
    return table_on()


@pytest.fixture
def file_log(tmp_path: Path) -> Iterator[SqliteLog]:
    """An empty log in a file."""
    log = hasty(tmp_path / "games.db")
    yield log
    log.close()


@pytest.fixture(params=["memory", "sqlite"])
def each_table(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Table]:
    """A table on an empty log of each kind."""
    made = table_on(hasty(tmp_path / "games.db") if request.param == "sqlite" else None)
    yield made
    made.log.close()


@pytest.fixture(scope="module", params=["memory", "sqlite"])
def busy_table(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    """A table on a log of each kind that all examples of a module's properties share."""
    made = table_on(hasty(tmp_path_factory.mktemp("busy") / "games.db") if request.param == "sqlite" else None)
    yield made
    made.log.close()
