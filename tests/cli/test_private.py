"""What holds seeds or hidden cards is its owner's alone: every file that a command makes, whatever the umask."""

import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ddz.log.sqlite import SqliteLog
from ddz.log.stores import open_log

from .stage import RECORDS, Ddz, opened, stage

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX has these permissions")

_FOLDER, _FILE = 0o700, 0o600


@pytest.fixture
def mask() -> int:
    """What others are kept from without our doing."""
    return 0


@pytest.fixture(autouse=True)
def _umask(mask: int) -> Iterator[None]:
    before = os.umask(mask)
    yield
    os.umask(before)


def wider(folder: Path) -> dict[str, str]:
    """All that lies below a folder, and is not its owner's alone, with its permissions."""
    below = {path: stat.S_IMODE(path.stat().st_mode) for path in folder.rglob("*")}
    assert below, "something was made"
    return {
        str(path.relative_to(folder)): oct(mode)
        for path, mode in below.items()
        if mode != (_FOLDER if path.is_dir() else _FILE)
    }


@pytest.fixture
def db(tmp_path: Path) -> Path:
    """A log in folders that are not there yet."""
    return tmp_path / "made" / "data" / "games.db"


@pytest.fixture
def made(tmp_path: Path) -> Path:
    """The folder that all is made in."""
    return tmp_path / "made"


@pytest.mark.parametrize("mask", [0o000, 0o022])
def test_every_command_that_makes_a_log(ddz: Ddz, db: Path, made: Path) -> None:
    record = next(iter(sorted(RECORDS.glob("*.toml"))))
    other = made / "other.db"
    for number, command in enumerate(
        (
            ("new", "--seed", 7),
            ("play", "--auto", "--seed", 5),
            ("import", record),
            ("simulate", "--games", 1, "--bots", "random"),
            ("log", "merge", other),
        )
    ):
        if command[0] == "log":
            ddz("simulate", "--games", 1, "--bots", "random", "--db", other)
        new = db.with_name(f"{number}.db")
        ddz(*command, "--db", new)
        assert new.exists(), command
    ddz("log", "backup", made / "copy.db", "--db", new)
    assert wider(made) == {}


def test_the_files_that_sqlite_has_beside_it(db: Path, made: Path) -> None:
    with stage(db) as table:
        assert isinstance(table.log, SqliteLog)
        opened(table, seed=7)
        table.log.connection.execute("BEGIN IMMEDIATE")
        table.log.connection.execute("INSERT INTO seen VALUES ('ann', 1)")
        beside = {path.name for path in db.parent.iterdir()} - {db.name}
        assert beside, "a journal, or the WAL and its index"
        assert wider(made) == {}
        table.log.connection.execute("ROLLBACK")


def test_shards_while_they_are_made_and_afterwards(ddz: Ddz, made: Path) -> None:
    ddz.apart("simulate", "--games", 3, "--bots", "random", "-j", 2, "--out", made / "shards")
    assert wider(made) == {}


def test_a_training(made: Path) -> None:
    torch = pytest.importorskip("torch")
    assert torch
    from ddz.training import auctions, networks, teaching

    trainer = teaching.begin(made / "trained", 1)
    trainer.save(made / "trained" / teaching.CHECKPOINT)
    teaching.play_on(networks.load(made / "trained" / teaching.CHECKPOINT), made / "trained", 0, lambda _: None)
    teaching.finish(trainer, made / "trained", auctions.AuctionSettings(rounds=1, games_a_round=2))
    assert {path.name for path in (made / "trained").iterdir()} == {teaching.CHECKPOINT, teaching.WEIGHTS}
    assert wider(made) == {}


def test_the_mode_of_a_log_that_is_there_stays(ddz: Ddz, db: Path) -> None:
    ddz("play", "--auto", "--seed", 5)
    db.chmod(0o640)
    ddz("play", "--auto", "--seed", 6)
    assert stat.S_IMODE(db.stat().st_mode) == 0o640


def test_a_link_that_leads_nowhere_yet(made: Path) -> None:
    made.mkdir(mode=_FOLDER)
    (made / "link.db").symlink_to(made / "real.db")
    open_log(made / "link.db", create=True).close()
    assert wider(made) == {}
    assert (made / "real.db").is_file()
