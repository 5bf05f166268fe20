"""Where attacked commands run."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from .stand import Server, Stand


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """The process whose children the attacked commands are."""
    with Server() as made:
        yield made


@pytest.fixture
def stand(server: Server, tmp_path: Path) -> Stand:
    """Where a command stands that keeps its logs as the driver at hand does."""
    return Stand(server, tmp_path / "ground")
