"""What a power cut may leave of a folder: rebuilt from the system calls that were made in it.

The model is that of POSIX, and harder than any file system at hand: what no fsync has covered may be there or not, each
write for itself and in any order, torn at sectors of 512 bytes; so may a file's length, and in a hole may stand zeros
or rubbish. A name that was made, moved or removed is sure only once its folder has been synced. What was synced is
there. SQLite asks no more of a disk (https://www.sqlite.org/atomiccommit.html, "Hardware Assumptions").
"""

import os
import random
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, TypeVar

from .calls import Call

SECTOR: Final = 512
T = TypeVar("T")

HEXED: Final = ("-xx", "-s", "10000000")
"""What strace is told, so that a trace holds every byte that was written."""

_ARGUMENT = re.compile(r'"(?P<text>(?:\\x[0-9a-f]{2})*)"|(?P<fd>\d+|AT_FDCWD)<(?P<path>(?:\\x[0-9a-f]{2})*)>')
_NUMBER = re.compile(r"(?:^|, )(-?\d+)(?=,|\)|$)")

_HARMLESS: Final = {
    *("read", "pread64", "readv", "preadv", "lseek", "close", "fcntl", "flock", "fstat", "newfstatat", "stat", "lstat"),
    *("statx", "access", "faccessat", "faccessat2", "readlink", "readlinkat", "getcwd", "getdents64", "ioctl", "mmap"),
    *(
        "fstatfs",
        "statfs",
        "poll",
        "dup",
        "dup2",
        "dup3",
        "fadvise64",
        "chdir",
        "fchdir",
        "epoll_ctl",
        "inotify_add_watch",
    ),
    *("chmod", "fchmod", "fchmodat", "chown", "fchown", "fchownat", "utimensat", "execve", "getxattr", "lgetxattr"),
}
"""Calls that leave content and names as they are. Every other one must be known below, or the trace is refused."""


@dataclass
class Content:
    """A file: what is on the disk for sure, and what has been done to it since."""

    synced: bytes = b""
    since: list[tuple[int, bytes] | int] = field(default_factory=list)
    """Writes (offset, bytes) and lengths that it was cut to, in their order."""

    def size(self) -> int:
        """How long it is to those who read it."""
        length = len(self.synced)
        for each in self.since:
            length = each if isinstance(each, int) else max(length, each[0] + len(each[1]))
        return length

    def sync(self) -> None:
        """All that has been done is on the disk now."""
        self.synced = applied(self.synced, self.since)
        self.since = []


def applied(content: bytes, done: Iterable[tuple[int, bytes] | int], hole: bytes = b"") -> bytes:
    """The content after writes and cuts; what was never written is zeros, or as `hole` has it."""
    found = bytearray(content)
    for each in done:
        length = each if isinstance(each, int) else each[0]
        if length > len(found):
            found += (hole[len(found) : length]).ljust(length - len(found), b"\0")
        if isinstance(each, int):
            del found[each:]
        else:
            found[each[0] : each[0] + len(each[1])] = each[1]
    return bytes(found)


@dataclass(frozen=True)
class Renaming:
    """One change of names that the folders will show wholly or not at all."""

    folders: tuple[str, ...]
    names: tuple[tuple[str, "Content | None"], ...]
    """What stands under each name afterwards."""


FOLDER: Final = Content()
"""Stands for a folder."""


class Disk:
    """The files under a folder, as a trace goes on."""

    def __init__(self, root: Path) -> None:
        self.root = str(root)
        self.names: dict[str, Content] = {}
        """As those see it who run."""
        self._sure: dict[str, Content] = {}
        self._unsure: list[Renaming] = []
        self._at: dict[tuple[int, str], int] = {}
        """Where an open file is read and written, by process and descriptor."""
        self._appending: set[tuple[int, str]] = set()
        for path in (root, *root.rglob("*")):
            self.names[str(path)] = FOLDER if path.is_dir() else Content(path.read_bytes())
        self._sure.update(self.names)

    def does(self, call: Call) -> None:
        """Do what a process has done.

        Raises:
            NotImplementedError: it is something that this does not know.
        """
        result = call.result
        if result is None or result < 0:
            return
        texts, files = _arguments(call)
        paths = [path for path in [*texts, *(path for _, path in files)] if self._within(path)]
        if not paths:
            return
        match call.name:
            case "openat" | "open" | "creat":
                self._open(call, texts[0], result)
            case "pwrite64":
                self._write(files[0][1], _numbers(call)[-1], _data(call)[:result])
            case "write":
                file = (call.pid, files[0][0])
                at = self._content(files[0][1]).size() if file in self._appending else self._at[file]
                self._write(files[0][1], at, _data(call)[:result])
                self._at[file] = at + result
            case "read" if self._content(files[0][1]) is not FOLDER:
                self._at[call.pid, files[0][0]] += result
            case "lseek":
                self._at[call.pid, files[0][0]] = result
            case "mmap" if "PROT_WRITE" in call.rest and "MAP_SHARED" in call.rest and not paths[0].endswith("-shm"):
                raise NotImplementedError(f"who writes through memory leaves no trace: {call.rest[:200]}")
            case "ftruncate":
                self._content(files[0][1]).since.append(_numbers(call)[-1])
            case "fsync" | "fdatasync":
                self._sync(files[0][1])
            case "rename" | "renameat" | "renameat2":
                old, new = texts
                self._rename([(new, self.names[old]), (old, None)])
            case "link" | "linkat":
                self._rename([(texts[1], self.names[texts[0]])])
            case "unlink" | "unlinkat" | "rmdir":
                self._rename([(texts[0], None)])
            case "mkdir" | "mkdirat":
                self._rename([(texts[0], FOLDER)])
            case name if name not in _HARMLESS:
                raise NotImplementedError(f"a power cut in a folder where {name}({call.rest[:200]}) was called")

    def _within(self, path: str) -> bool:
        return path == self.root or path.startswith(self.root + "/")

    def _content(self, path: str) -> Content:
        """The file that stands under a name; one that was removed while it was open is nobody's any more."""
        return self.names.get(path.removesuffix(" (deleted)")) or Content()

    def _open(self, call: Call, path: str, descriptor: int) -> None:
        made = "O_CREAT" in call.rest or call.name == "creat"
        if made and path not in self.names:
            self._rename([(path, Content())])
        if "O_TRUNC" in call.rest and self.names[path].size():
            self.names[path].since.append(0)
        file = (call.pid, str(descriptor))
        self._at[file] = 0
        self._appending.discard(file)
        if "O_APPEND" in call.rest:
            self._appending.add(file)

    def _write(self, path: str, at: int, data: bytes) -> None:
        self._content(path).since.append((at, data))

    def _sync(self, path: str) -> None:
        content = self._content(path)
        if content is not FOLDER:
            content.sync()
            return
        for change in [change for change in self._unsure if path in change.folders]:
            _enter(self._sure, change)
            self._unsure.remove(change)

    def _rename(self, names: list[tuple[str, Content | None]]) -> None:
        change = Renaming(tuple({os.path.dirname(name) for name, _ in names}), tuple(names))  # noqa: PTH120
        _enter(self.names, change)
        self._unsure.append(change)

    def after_a_cut(self, chance: random.Random) -> dict[str, bytes | None]:
        """What may be on the disk when the power comes back, by paths relative to the root; None is a folder."""
        names = dict(self._sure)
        for change in _some(self._unsure, chance):
            _enter(names, change)
        found: dict[str, bytes | None] = {}
        contents: dict[int, bytes] = {}
        for path in sorted(names):
            content = names[path]
            above = os.path.relpath(os.path.dirname(path), self.root)  # noqa: PTH120
            if path == self.root or (above != "." and above not in found):
                continue  # a folder that is lost takes with it what was in it
            name = os.path.relpath(path, self.root)
            if content is FOLDER:
                found[name] = None
            elif path.endswith("-shm"):
                found.update(_shared_memory(name, chance))
            else:
                if id(content) not in contents:
                    contents[id(content)] = survived(content, chance)
                found[name] = contents[id(content)]
        return found


def _enter(names: dict[str, Content], change: Renaming) -> None:
    for name, content in change.names:
        if content is None:
            names.pop(name, None)
        else:
            names[name] = content


def _some(done: list[T], chance: random.Random) -> list[T]:
    """What a disk has kept of things that were done in this order: the first of them, or any of them."""
    if chance.random() < 0.5:
        return done[: chance.randint(0, len(done))]
    likely = chance.choice((0.1, 0.5, 0.9))
    return [each for each in done if chance.random() < likely]


def survived(content: Content, chance: random.Random) -> bytes:
    """What may be left of a file."""
    kept: list[tuple[int, bytes] | int] = []
    torn = chance.random() < 0.5
    for each in _some(content.since, chance):
        if torn and not isinstance(each, int):
            kept += [piece for piece in _sectors(*each) if chance.random() < 0.7]
        else:
            kept.append(each)
    rubbish = chance.randbytes(content.size()) if chance.random() < 0.25 else b""
    if chance.random() < 0.25:  # it was made longer, but what was to stand there is not there
        kept.insert(0, content.size())
        if content.size() < len(content.synced):
            kept.pop(0)
    return applied(content.synced, kept, rubbish)


def _sectors(at: int, data: bytes) -> Iterator[tuple[int, bytes]]:
    end = at + len(data)
    while at < end:
        behind = min(end, (at // SECTOR + 1) * SECTOR)
        yield at, data[len(data) - (end - at) : len(data) - (end - behind)]
        at = behind


def _shared_memory(name: str, chance: random.Random) -> dict[str, bytes | None]:
    """The index of a WAL is written through memory and never synced: it may hold anything, or be gone."""
    return chance.choice(({}, {name: bytes(32768)}, {name: chance.randbytes(32768)}))


def laid(disk: dict[str, bytes | None], folder: Path) -> None:
    """Write down in a new folder what was left."""
    folder.mkdir()
    for name, content in sorted(disk.items()):
        if content is None:
            (folder / name).mkdir()
        else:
            (folder / name).write_bytes(content)


def _text(hexed: str) -> str:
    return os.fsdecode(bytes.fromhex(hexed.replace("\\x", "")))


def _arguments(call: Call) -> tuple[list[str], list[tuple[str, str]]]:
    """The paths among a call's arguments, made absolute, and its open files with their paths."""
    texts: list[str] = []
    files: list[tuple[str, str]] = []
    writes = call.name in ("write", "pwrite64", "read", "pread64", "readlink")
    for found in _ARGUMENT.finditer(call.rest):
        if found["fd"] is not None:
            files.append((found["fd"], _text(found["path"])))
        elif not writes:
            within = files.pop()[1] if files and call.name.endswith(("at", "at2")) else ""
            path = os.path.normpath(os.path.join(within, _text(found["text"])))  # noqa: PTH118
            assert path.startswith("/") or call.name in ("execve", "symlink", "getxattr"), f"from where? {call.rest}"
            texts.append(path)
    return texts, files


def _data(call: Call) -> bytes:
    found = next(found for found in _ARGUMENT.finditer(call.rest) if found["text"] is not None)
    return bytes.fromhex(found["text"].replace("\\x", ""))


def _numbers(call: Call) -> list[int]:
    return [int(found) for found in _NUMBER.findall(call.rest.rpartition(") ")[0] or call.rest)]
