"""One place opens a log, whatever keeps it: addresses, the registry, and what a store answers besides its events."""

from contextlib import closing
from pathlib import Path

import pytest

from ddz.errors import StorageRefused, Unreadable
from ddz.log import read
from ddz.log.base import EventLog
from ddz.log.memory import MemoryLog
from ddz.log.sqlite import SqliteLog
from ddz.log.stores import STORES, existing_log, file_of, find_log, open_log
from ddz.services.audit_log import audit_log
from ddz.services.merge import merge

from .conftest import PLACES
from .games import family, fill, findings, raw


def test_every_registered_store_is_tested():
    assert set(PLACES) == {*STORES, "named"}, "a line in `conftest.PLACES` runs all of tests/log over a new store"


@pytest.mark.parametrize("form", ["{}", "sqlite:{}", "SQLite:{}"])
def test_a_path_and_its_address_are_the_same_log(path: Path, form: str):
    with open_log(form.format(path), create=True) as log:
        fill(log, "ann", turns=1)
    with open_log(path, create=False) as again, open_log(again.address or "", create=False) as third:
        assert raw(third) == raw(again) != []
        assert again.same_as(third)
    assert file_of(form.format(path)) == path


@pytest.mark.parametrize("name", ["C:games.db", "c:/games.db", "./sqlite:games.db", "a b:c.db", "5:c.db", "memory"])
def test_what_has_no_scheme_is_a_path(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    assert file_of(name) == Path(name)
    assert find_log(name) is None


def test_a_path_object_is_a_file_whatever_its_name_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    with open_log(Path("memory:"), create=True) as log:
        assert isinstance(log, SqliteLog)
        fill(log, "ann", turns=1)
    assert Path("memory:").is_file()
    with existing_log("sqlite:memory:") as log:
        assert [line.game for line in log.lines()] == ["ann"]


@pytest.mark.parametrize("address", ["postgres://ann@host/games", "games:1.db", "memory:named", "sqlite:", ""])
@pytest.mark.parametrize("create", [True, False])
def test_an_address_that_leads_nowhere_is_said_to(address: str, create: bool, tmp_path: Path):
    with pytest.raises(Unreadable) as caught:
        open_log(address, create)
    if address[0:1] in ("p", "g"):
        assert all(f"{scheme}:" in str(caught.value) for scheme in STORES)
    assert list(tmp_path.iterdir()) == []


def test_where_there_is_no_log_nothing_is_made(tmp_path: Path):
    at = f"sqlite:{tmp_path / 'none.db'}"
    with open_log(at, create=False) as log:
        assert list(log.lines()) == []
        with pytest.raises(StorageRefused, match="there is no log at sqlite:"):
            fill(log, "ann", turns=1)
    with pytest.raises(Unreadable, match="there is no log at sqlite:"):
        existing_log(at)
    assert list(tmp_path.iterdir()) == []


def test_each_memory_log_is_its_own():
    with open_log("memory:", create=True) as one, open_log("memory:", create=True) as other:
        fill(one, "ann", turns=1)
        assert list(other.lines()) == []
        assert one.same_as(one)
        assert not one.same_as(other)


class TestAnyLog:
    def test_it_is_copied_into_a_file(self, log: EventLog, tmp_path: Path):
        family(log)
        log.mark_seen("left")
        log.copy_into(tmp_path / "copy.db")
        with existing_log(tmp_path / "copy.db") as copied:
            assert raw(copied) == raw(log)
            assert list(copied.lines()) == list(log.lines())
            assert read.head(copied) == read.head(log)
            assert findings(copied) == []
        assert [file.name for file in tmp_path.iterdir() if "copy" in file.name] == ["copy.db"]

    def test_it_is_merged_into_another_and_not_into_itself(self, log: EventLog, tmp_path: Path):
        family(log)
        log.copy_into(tmp_path / "copy.db")
        with closing(MemoryLog()) as other:
            assert merge(other, tmp_path / "copy.db").lines == 5
            assert raw(other) == raw(log)
        if log.address is not None:
            with pytest.raises(Unreadable, match="the very log"):
                merge(log, log.address)

    def test_rows_are_taken_one_by_one_for_whoever_goes_on_behind_a_bad_one(self, log: EventLog):
        source = MemoryLog()
        fill(source, "ann", turns=2)
        rows = raw(source)
        with log.taking() as adoption:
            for row in rows:
                adoption.take(row)
        assert raw(log) == rows
        fill(source, "bob", turns=2)
        more = raw(source)[len(rows) : len(rows) + 1]

        def break_off() -> None:
            with log.taking() as adoption:
                for row in more:
                    adoption.take(row)
                adoption.flush()
                assert raw(log) == [*rows, *more]
                raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            break_off()
        assert raw(log) == rows, "all or nothing"

    def test_it_is_audited_by_as_many_as_can_open_it(self, log: EventLog):
        family(log)
        alone, together = audit_log(log), audit_log(log, jobs=2)
        assert together == alone
        assert alone.lines == 5
