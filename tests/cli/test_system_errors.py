"""What the system refuses is said with the documented exit code: 2 where another name would do, 6 for all else."""

import errno
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from ddz.cli.exits import STORAGE, USAGE, guarded

from ddz.files import there

from .stage import SCRIPT, Ddz, import_record, stage

ANOTHER_NAME = {
    *("ENOENT", "ENOTDIR", "EISDIR", "EEXIST", "ENOTEMPTY", "ENAMETOOLONG", "ELOOP", "EINVAL", "EILSEQ", "ENXIO"),
}
HERE = sorted(name for name in errno.errorcode.values() if name not in ("EPIPE", "ESHUTDOWN"))
"""All that this system may say; a broken pipe is no error, see `test_terminal`."""


@pytest.mark.parametrize("name", HERE)
def test_each_error_of_the_system_has_its_code(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    number = getattr(errno, name)

    @guarded
    def command() -> None:
        raise OSError(number, f"said {name}", "the/file")

    with pytest.raises(typer.Exit) as ended:
        command()
    assert ended.value.exit_code == (USAGE if name in ANOTHER_NAME else STORAGE)
    assert capsys.readouterr().err == f"ddz: the/file: said {name}\n"


STAT = "inject=newfstatat,stat,lstat,statx:error=EIO"
RENAME = "inject=rename,renameat,renameat2:error=EIO"
UNLINK = "inject=unlink,unlinkat:error=EIO"


@pytest.mark.skipif(sys.platform != "linux" or shutil.which("strace") is None, reason="it takes strace")
@pytest.mark.parametrize("faults", [(STAT,), (RENAME,), (RENAME, UNLINK)], ids=["stat", "rename", "unlink"])
def test_a_disk_that_fails_is_storage(faults: tuple[str, ...], db: Path, tmp_path: Path, ddz: Ddz) -> None:
    """A real process whose every such call fails, on the log's file or on those that it writes."""
    with stage(db) as table:
        game = import_record(table, "spring")
    out = tmp_path / "out"
    on = ["-P", str(db)] if STAT in faults else []
    inject = [word for fault in faults for word in ("-e", fault)]
    found = subprocess.run(
        ["strace", "-qq", "-f", "-o", "/dev/null", *on, *inject, SCRIPT, "export", game, "--out", out],
        capture_output=True,
        text=True,
        env=ddz.environment(),
        check=False,
        timeout=60,
    )
    assert found.returncode == STORAGE, found.stderr
    assert found.stderr.startswith("ddz: ")
    assert found.stderr.endswith(": Input/output error\n")
    assert "Traceback" not in found.stderr


def test_what_the_system_cannot_say_is_not_taken_for_nothing(tmp_path: Path, ddz: Ddz) -> None:
    """Later versions of Python answer `exists` with no, whatever the system says; ddz asks otherwise."""
    loop = tmp_path / "loop.db"
    loop.symlink_to(loop)
    assert there(tmp_path)
    assert not there(tmp_path / "none")
    assert not there(Path(__file__) / "none")
    with pytest.raises(OSError, match="symbolic links"):
        there(loop)
    assert "Too many levels of symbolic links" in ddz("doctor", "--db", loop).out
