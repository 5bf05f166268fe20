"""tests/conftest.py: the copy under test is the installed one, and only if it is the checkout's."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.fixture
def guard(pytestconfig):
    """The root conftest as a module."""
    return pytestconfig.pluginmanager.get_plugin(str(ROOT / "tests" / "conftest.py"))


def test_the_checkout_is_on_no_import_path():
    assert ROOT not in {Path(entry or ".").resolve() for entry in sys.path}


def test_every_spelling_of_the_checkout_leaves_the_path(guard, monkeypatch):
    monkeypatch.chdir(ROOT)
    path = ["", ".", str(ROOT), f"{ROOT}/", f"{ROOT}/tests/..", "/elsewhere", f"{ROOT}/tests/core"]
    guard.leave_checkout(path)
    assert path == ["/elsewhere", f"{ROOT}/tests/core"]


def test_this_run_found_no_fault(guard):
    assert guard.installation_fault() is None


def test_a_missing_ddz_is_told_with_its_remedy(guard, monkeypatch):
    monkeypatch.setattr(guard.importlib.util, "find_spec", lambda _: None)
    assert guard.installation_fault().startswith("ddz is not installed")
    assert "pip install '.[test]'" in guard.installation_fault()


def test_a_copy_without_its_command_line_is_told(guard, monkeypatch):
    whole = guard.importlib.util.find_spec
    monkeypatch.setattr(guard.importlib.util, "find_spec", lambda name: None if name == "ddz.cli" else whole(name))
    assert "without its command line" in guard.installation_fault()


def test_differing_files_are_named(guard, tmp_path):
    ours, theirs = tmp_path / "ddz", tmp_path / "installed"
    for folder in (ours, theirs):
        (folder / "log").mkdir(parents=True)
        (folder / "same.py").write_text("1\n", "utf-8")
    (ours / "log" / "edited.py").write_text("1\n", "utf-8")
    (theirs / "log" / "edited.py").write_text("2\n", "utf-8")
    (ours / "new.py").write_text("", "utf-8")
    (theirs / "old.py").write_text("", "utf-8")
    (theirs / "cli").mkdir()
    (theirs / "cli" / "app.py").write_text("", "utf-8")  # installed from ./cli and compared with it
    assert guard.differences(ours, theirs) == [
        "ddz/log/edited.py differs",
        "ddz/new.py is not installed",
        "ddz/old.py is gone",
    ]


def test_an_old_copy_is_told_with_its_first_files(guard, tmp_path, monkeypatch):
    (tmp_path / "ddz").mkdir()
    (tmp_path / "cli").mkdir()
    for name in "abcdefg":
        (tmp_path / "ddz" / f"{name}.py").write_text("", "utf-8")
    monkeypatch.setattr(guard, "CHECKOUT", tmp_path)
    told = guard.installation_fault()
    assert "ddz/a.py is not installed" in told
    assert "more" in told
    assert told.count(".py") == 5
    assert "pip install '.[test]'" in told
