"""`ddz doctor` says which kernel runs and what to do about it; the files are real copies of the package."""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from twins import compiled_file

from ddz import cli, compiled

from .stage import Ddz

Facts = tuple[dict[str, object], str]


def doctor(root: Path, **environment: str) -> Facts:
    """What the copy of ddz in `root` says: to programs, and to people."""
    left = {name: value for name, value in os.environ.items() if name != compiled.PURE}
    path = os.pathsep.join([str(root), sysconfig.get_path("purelib"), sysconfig.get_path("platlib")])
    told = []
    for more in (["--json"], []):
        found = subprocess.run(  # -S: no editable installation hooks in before the copy
            [sys.executable, "-S", "-c", "import ddz.cli; ddz.cli.main()", "doctor", *more],
            env={**left, "PYTHONPATH": path, "PYTHONSAFEPATH": "1", **environment},
            cwd=root,
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
        )
        assert "Traceback" not in found.stderr
        told.append(found.stdout)
    return json.loads(told[0]), told[1]


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """A folder with the package as it is installed, without a compiled kernel."""
    package, command_line = Path(compiled.__file__).parent, Path(cli.__file__).parent
    ignored = shutil.ignore_patterns("_kernel.*", "__pycache__", "cli")
    shutil.copytree(package, tmp_path / "ddz", ignore=ignored)
    shutil.copytree(command_line, tmp_path / "ddz" / "cli", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def holds(facts: Facts, why: str, advice: str | None) -> None:
    """Both forms name the kernel and the reason; the advice begins so, or there is none about the kernel."""
    of_json, text = facts
    kernel = "compiled" if why == "compiled" else "interpreted"
    assert (of_json["kernel"], of_json["kernel_why"]) == (kernel, why)
    named = next(line.split(maxsplit=1)[1] for line in text.splitlines() if line.startswith("kernel "))
    assert named == (kernel if why == "compiled" else f"{kernel} ({why})")
    about = [line for line in of_json["advice"] if "move generator" in line]
    assert [line for line in text.splitlines() if "move generator" in line] == [f"advice: {line}" for line in about]
    assert len(about) == (advice is not None)
    assert advice is None or (advice in about[0] and "install ddz again" in about[0])


def test_nothing_was_compiled(copied: Path):
    holds(doctor(copied), "absent", "with a C compiler")


def test_the_compiled_kernel_is_of_this_source(copied: Path):
    shutil.copy(compiled_file(), copied / "ddz")
    holds(doctor(copied), "compiled", None)


def test_the_compiled_kernel_is_of_another_source(copied: Path):
    shutil.copy(compiled_file(), copied / "ddz")
    with (copied / "ddz" / "kernel.py").open("a") as source:
        source.write("# edited\n")
    holds(doctor(copied), "stale", "does not belong to this ddz/kernel.py")


def test_the_compiled_kernel_cannot_be_loaded(copied: Path):
    (copied / "ddz" / compiled_file().name).write_bytes(b"no library")
    holds(doctor(copied), "broken", "cannot be loaded")


def test_somebody_asked_for_the_source(copied: Path):
    holds(doctor(copied, DDZ_PURE="1"), "asked", None)


def test_the_installed_one_says_what_it_finds(ddz: Ddz, monkeypatch: pytest.MonkeyPatch):
    _, why = compiled.find()
    assert ddz("doctor", "--json").json["kernel_why"] == why
    monkeypatch.setenv("DDZ_PURE", "1")
    assert ddz("doctor", "--json").json["kernel_why"] == "asked"
