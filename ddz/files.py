"""Files that strangers wrote are read here: up to a limit, and without waiting for what never comes.

A name may name a pipe that nobody writes to, a device without end, or a folder. Whatever it is, reading it takes no
longer than PATIENCE and brings no more than was asked for.
"""

import os
import select
import stat
import time
from pathlib import Path
from typing import Final

from ddz.errors import Phrase, Unreadable, of_system
from ddz.limits import check_size

PATIENCE: Final = 1.5
"""Seconds in which what is no plain file must come to its end."""
_MANNER: Final = os.O_RDONLY | sum(getattr(os, name, 0) for name in ("O_NONBLOCK", "O_NOCTTY", "O_CLOEXEC", "O_BINARY"))
_PAUSE: Final = 0.02
_CHUNK: Final = 1 << 20


def read_file(path: Path, most: int, thing: Phrase) -> bytes:
    """The bytes of a file that holds a `thing`, such as `limits.A_RECORD`.

    Raises:
        Unreadable: it cannot be read, has more than `most` bytes, or is a pipe that says nothing; the name is left
            for the caller to say.
    """
    try:
        with open(path, "rb", opener=_open) as file:  # pathlib would wait for a pipe
            kind = os.fstat(file.fileno()).st_mode
            raw = file.read(most + 1) if stat.S_ISREG(kind) else _patiently(file.fileno(), most, stat.S_ISFIFO(kind))
    except OSError as error:
        raise Unreadable("file/unreadable", "cannot be read: {why}", why=of_system(error)) from None
    check_size(len(raw), most, thing)
    return raw


def _open(path: str, _: int) -> int:
    return os.open(path, _MANNER)


def _patiently(number: int, most: int, is_pipe: bool) -> bytes:
    """What a pipe or a device brings up to its end."""
    deadline = time.monotonic() + PATIENCE
    found = bytearray()
    while len(found) <= most:
        left = deadline - time.monotonic()
        if left <= 0:
            raise Unreadable(
                "file/without-end", "it is no file, and it did not end within {seconds} s", seconds=PATIENCE
            )
        try:
            chunk = os.read(number, min(_CHUNK, most + 1 - len(found)))
        except BlockingIOError:
            select.select([number], [], [], left)
            continue
        if not chunk and not (is_pipe and not found):
            break
        if not chunk:  # nobody has begun to write
            time.sleep(_PAUSE)
        found += chunk
    return bytes(found)


def there(path: Path) -> bool:
    """True if something has this name. What else the system says is an error, and is not taken for "nothing".

    Raises:
        OSError: the system cannot say.
    """
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    return True
