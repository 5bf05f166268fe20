"""System calls as strace tells them: which ones a command makes, and which of them touch its folder."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

_CALL = re.compile(r"(?:(?P<pid>\d+) +)?(?P<name>\w+)\((?P<rest>.*)")
_RESULT = re.compile(r"= (?P<result>-?\d+|0x[0-9a-f]+|\?)(?: (?P<error>E[A-Z0-9]+)| ?<|\(|$| )")
_RESUMED = re.compile(r"(?P<pid>\d+) +<\.\.\. (?P<name>\w+) resumed>(?P<rest>.*)")
_UNFINISHED = "<unfinished ...>"


@dataclass(frozen=True)
class Call:
    """One system call of one process."""

    pid: int
    """0 where one process alone was traced."""
    name: str
    number: int
    """Its place among the calls of that name by that process, from 1: what strace calls `when`."""
    rest: str
    """Its arguments and its result, as strace wrote them; file descriptors with their paths (`-y`)."""

    def touches(self, folder: Path) -> bool:
        """True if it is about a file in the folder, or the folder itself."""
        return re.search(re.escape(str(folder)) + r'["/>]', self.rest) is not None

    @property
    def result(self) -> int | None:
        """What it returned; None where strace cannot tell, as for a process that died in it."""
        *_, last = [None, *_RESULT.finditer(self.rest)]
        return None if last is None or last["result"] == "?" else int(last["result"], 0)

    @property
    def says(self) -> bool:
        """True if it writes to standard output: what it says is acknowledged then."""
        return self.name == "write" and re.match(r"1(<|,)", self.rest) is not None


def read_calls(lines: Iterable[str]) -> Iterator[Call]:
    """The calls of a trace (`-f -y`), each where it came to its end."""
    count: Counter[tuple[int, str]] = Counter()
    begun: dict[int, Call] = {}
    for line in lines:
        if resumed := _RESUMED.match(line):
            half = begun.pop(int(resumed["pid"]), None)
            if half is not None:
                yield Call(half.pid, half.name, half.number, half.rest + resumed["rest"])
            continue
        found = _CALL.match(line)
        if found is None:
            continue  # signals and ends
        pid, name = int(found["pid"] or 0), found["name"]
        count[pid, name] += 1
        call = Call(pid, name, count[pid, name], found["rest"].rstrip("\n"))
        if call.rest.endswith(_UNFINISHED):
            begun[pid] = Call(pid, name, call.number, call.rest.removesuffix(_UNFINISHED))
        else:
            yield call
    yield from begun.values()  # cut short by the end of their process
