"""Where attacked commands run."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from cli.stage import Ddz

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


@pytest.fixture
def db(tmp_path: Path) -> Path:
    """Where the log is that is attacked in this process; there is none yet."""
    return tmp_path / "games.db"


@pytest.fixture
def ddz(db: Path) -> Ddz:
    """The command, here, over that log."""
    return Ddz({"DDZ_DB": str(db), "DDZ_LANG": "en", "TERM": "xterm", "LANG": "C.UTF-8"})
