"""Which kernel runs, with real files: a copy of the package whose source or compiled file is not as it should be."""

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from twins import compiled_file

from ddz import compiled

PACKAGE = Path(compiled.__file__).parent
ASK = """
import json, warnings
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    from ddz import endgame, features, kernel, plans, playouts, positions
from ddz import compiled
print(json.dumps({
    "file": kernel.__file__,
    "why": compiled.find()[1],
    "as_python": type(kernel.leads).__name__ == "function",
    "all_alike": len({thing.__module__ == "ddz._kernel" for thing in (
        kernel.leads, playouts.follow, plans.Planner, positions.Position, features.encode, endgame.Solver)}) == 1,
    "warnings": [f"{each.category.__name__}: {each.message}" for each in caught],
    "readings_of_3456": kernel.readings(0x1111, 1),
    "chains": len([lead for lead in kernel.leads(0x11111, 1) if lead[0] == kernel.CHAIN]),
    "games": playouts.random_games(3, 1, 1),
}))
"""
"""Asks a process which kernel it has, and some answers of it."""
SHORTEST = "SHORTEST: Final = (1, 1, 1, 1, 1, 5, "
CHAIN = 5


@dataclass
class Copy:
    """A copy of the package in a folder of its own, which a process imports in place of the installed one."""

    root: Path

    @property
    def source(self) -> Path:
        return self.root / "ddz" / "kernel.py"

    def ask(self, **environment: str) -> dict:
        left = {name: value for name, value in os.environ.items() if name != compiled.PURE}
        found = subprocess.run(
            [sys.executable, "-S", "-c", ASK],  # without site-packages, where an editable installation hooks in
            env={**left, "PYTHONPATH": str(self.root), "PYTHONSAFEPATH": "1", **environment},
            cwd=self.root,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert found.returncode == 0, found.stderr
        answer = json.loads(found.stdout)
        assert answer.pop("file") == str(self.source), "another copy was imported"
        return answer

    def shorten_chains(self) -> None:
        """Edit the source: four cards in a row are a chain."""
        text = self.source.read_text(encoding="utf-8")
        assert text.count(SHORTEST) == 1
        self.source.write_text(text.replace(SHORTEST, SHORTEST.replace("5", "4")), encoding="utf-8")


@pytest.fixture
def copy(tmp_path: Path) -> Copy:
    """The package as it is installed, without a compiled kernel."""
    ignored = shutil.ignore_patterns("_kernel.*", "__pycache__", "cli")
    shutil.copytree(PACKAGE, tmp_path / "ddz", ignore=ignored)
    return Copy(tmp_path)


@pytest.fixture
def whole(copy: Copy) -> Copy:
    """The package as it is installed, with its compiled kernel."""
    shutil.copy(compiled_file(), copy.root / "ddz")
    return copy


def test_without_a_compiled_kernel_the_source_runs_and_nobody_is_warned(copy: Copy):
    answer = copy.ask()
    assert (answer["why"], answer["as_python"], answer["warnings"]) == ("absent", True, [])
    assert (answer["readings_of_3456"], answer["chains"]) == ([], 1)


def test_the_compiled_kernel_runs_and_answers_the_same(whole: Copy):
    answer = whole.ask()
    assert (answer["why"], answer["as_python"], answer["warnings"]) == ("compiled", False, [])
    pure = whole.ask(DDZ_PURE="1")
    assert (pure["why"], pure["as_python"], pure["warnings"]) == ("asked", True, [])
    assert answer["all_alike"]
    assert pure["all_alike"]
    same = ("readings_of_3456", "chains", "games")
    assert [answer[name] for name in same] == [pure[name] for name in same]


@pytest.mark.parametrize("value", ["", "0"])
def test_a_variable_that_asks_for_nothing_asks_for_nothing(whole: Copy, value: str):
    assert whole.ask(DDZ_PURE=value)["why"] == "compiled"


def test_a_stale_kernel_is_noticed_and_the_source_answers(whole: Copy):
    whole.shorten_chains()
    answer = whole.ask()
    assert (answer["why"], answer["as_python"], answer["all_alike"]) == ("stale", True, True)
    (warning,) = answer["warnings"]
    assert warning.startswith("RuntimeWarning: the compiled kernel is not of this ddz/kernel.py")
    assert warning.endswith("install ddz again")
    assert (answer["readings_of_3456"], answer["chains"]) == ([[CHAIN, 4, 0]], 3), "by the rules of the edited source"


def test_whoever_asks_for_the_source_is_not_warned_of_a_stale_kernel(whole: Copy):
    whole.shorten_chains()
    answer = whole.ask(DDZ_PURE="1")
    assert (answer["why"], answer["warnings"], answer["chains"]) == ("asked", [], 3)


@pytest.mark.parametrize("name", compiled.SOURCES)
def test_one_more_space_makes_it_stale_and_the_old_text_makes_it_fit_again(whole: Copy, name: str):
    source = whole.root / "ddz" / name
    text = source.read_bytes()
    source.write_bytes(text + b" ")
    assert whole.ask()["why"] == "stale"
    source.write_bytes(text)
    assert whole.ask()["why"] == "compiled"


def test_a_kernel_that_cannot_be_loaded_is_noticed_and_the_source_answers(whole: Copy):
    (file,) = (whole.root / "ddz").glob("_kernel.*")
    file.write_bytes(b"no library")
    answer = whole.ask()
    assert (answer["why"], answer["as_python"], answer["chains"]) == ("broken", True, 1)
    (warning,) = answer["warnings"]
    assert warning.startswith("RuntimeWarning: the compiled kernel cannot be loaded")


def test_a_build_without_cython_is_refused_for_what_it_lacks(monkeypatch: pytest.MonkeyPatch):
    """setuptools takes the refusal for a compiler's, says it, and installs the rest."""
    building = pytest.importorskip("ddz.building", reason="setuptools is not here")
    from setuptools import Distribution, Extension
    from setuptools.errors import CompileError

    monkeypatch.setitem(sys.modules, "Cython.Build", None)
    command = building.Build(Distribution())
    with pytest.raises(CompileError, match="Cython is not here"):
        command.build_extension(Extension("ddz._kernel", ["ddz/kernel.py"]))
