"""The surroundings of every test of the command line: a log of its own, English, no settings of the person's own."""

from pathlib import Path

import pytest

from .stage import Ddz

_LEAKING = (
    *("NO_COLOR", "FORCE_COLOR", "DDZ_PURE", "COLUMNS", "LINES", "PYTHONIOENCODING"),
    *("LC_ALL", "LC_MESSAGES", "LANGUAGE"),
)


@pytest.fixture
def db(tmp_path: Path) -> Path:
    """Where the log is; there is none yet."""
    return tmp_path / "games.db"


@pytest.fixture(autouse=True)
def _surroundings(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in _LEAKING:
        monkeypatch.delenv(name, raising=False)
    for name, value in {"DDZ_DB": str(db), "DDZ_LANG": "en", "TERM": "xterm", "LANG": "C.UTF-8"}.items():
        monkeypatch.setenv(name, value)


@pytest.fixture
def ddz() -> Ddz:
    """The command: `ddz("games")` here, `ddz.apart("games")` in a process of its own."""
    return Ddz()
