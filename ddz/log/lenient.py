"""A log that may be broken in any way, for a reader that wants what verifies. The file itself is never written to.

A copy is made first, with what SQLite keeps beside the file, and SQLite merges the two there: what was committed last
may stand in the WAL alone, and a half-finished write in the journal is taken back. From then on only pages are read.
"""

import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from ddz.errors import Unreadable, unreadable
from ddz.log import driver
from ddz.log.pages import Pages

_BESIDE: Final = ("-wal", "-journal")


@contextmanager
def pages_of(path: Path, copy: Path) -> Iterator[tuple[Pages, str | None]]:
    """The pages of the log at `path`, by way of the file `copy`; and why what stands beside it could not be merged.

    Raises:
        Unreadable: there is no file at `path`, or it cannot be read.
    """
    if not path.is_file():
        if path.exists():
            raise Unreadable("log/no-file", "{path} is no file", path=str(path))
        raise Unreadable("log/absent", "there is no log at {place}", place=str(path))
    beside = [(path.with_name(path.name + end), copy.with_name(copy.name + end)) for end in _BESIDE]
    try:
        shutil.copyfile(path, copy)
        for source, target in beside:
            if source.is_file():
                shutil.copyfile(source, target)
    except OSError as error:
        if error.filename is not None and Path(error.filename) == path:
            raise Unreadable.of(unreadable(path, error)) from None
        raise
    why = None
    if any(target.exists() and target.stat().st_size for _, target in beside):
        try:
            driver.merge_beside(copy)
        except driver.sqlite3.DatabaseError as error:
            why = f"what was written last cannot be merged: SQLite says '{error}'"
    with closing(Pages(copy)) as pages:
        yield pages, why
