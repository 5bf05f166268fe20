"""Injected errors: whatever a system call answers, a command ends with a documented code, and the next one works.

strace lets a call that touches the log's folder, or standard output, fail in the Nth place: once, or from there on
(a disk that is full stays full). The command must end as documented: with 0 if it has done its work all the same, else
with 6 and a sentence (2 if it was an input that could not be read; 5 if a page of the log could not). Then the disk is
well again: the log is sound, holds what was acknowledged, and the same command comes to its end, without storing
anything twice.

The long form is `-m long`: 1,500 errors, or DDZ_ERRORS of them.
"""

import os
import random
from collections import Counter, defaultdict
from dataclasses import replace
from typing import Final

import pytest

from ddz.log.files import SIDECARS

from .calls import Call
from .ground import ATTACKS, Attack, audited, shape, simulate_alone, succeeds, verified
from .rounds import Round, share
from .stand import Ended, Stand, inject, need_strace

need_strace()

SEED = 20261203
IN_CI = 5
"""Errors a command."""
LONG = int(os.environ.get("DDZ_ERRORS", "1500"))

FAILING = tuple(replace(each, lay=simulate_alone) if each.name == "simulate" else each for each in ATTACKS)

KINDS: Final[dict[str, tuple[tuple[str, ...], tuple[str, ...]]]] = {
    "open": (("openat", "open"), ("EIO", "EACCES", "ENOSPC", "EROFS", "EMFILE")),
    "write": (("pwrite64", "write"), ("EIO", "ENOSPC", "EDQUOT", "EINTR")),
    "read": (("pread64", "read"), ("EIO", "EINTR")),
    "sync": (("fsync", "fdatasync"), ("EIO", "ENOSPC")),
    "truncate": (("ftruncate",), ("EIO", "ENOSPC", "EINTR")),
    "unlink": (("unlink", "unlinkat"), ("EIO", "EACCES", "EROFS")),
    "rename": (("rename", "renameat", "renameat2", "link", "linkat"), ("EIO", "ENOSPC", "EACCES", "EROFS")),
    "mkdir": (("mkdir", "mkdirat", "rmdir"), ("EIO", "ENOSPC", "EACCES", "EROFS")),
    "lock": (("fcntl",), ("EIO", "ENOLCK", "EINTR")),
    "flock": (("flock",), ("EIO", "ENOLCK")),
    "stat": (("stat", "newfstatat", "lstat", "statx"), ("EIO", "EACCES", "ELOOP")),
    "fstat": (("fstat",), ("EIO",)),
    "list": (("getdents64",), ("EIO",)),
    "map": (("mmap",), ("ENOMEM", "EACCES")),
    "close": (("close",), ("EIO", "EINTR")),
    "seek": (("lseek",), ("EIO",)),
    "mode": (("fchmod", "chmod", "fchmodat", "fchown"), ("EIO", "EPERM")),
    "say": (("write",), ("EIO", "ENOSPC")),
}
"""The kinds of calls, and what each may answer."""
FOR_LONG: Final = {"open", "write", "sync", "truncate", "unlink", "rename", "mkdir", "read"}
"""Kinds that may go on failing to the end of the command."""


def places(attack: Round) -> dict[str, list[Call]]:
    """The calls that a command makes in its folder, by kind."""
    attack.again()
    done = attack.stand.traced(*attack.args, follow=False)
    assert done.code == 0, str(done)
    found: dict[str, list[Call]] = defaultdict(list)
    for call in done.calls:
        within = call.touches(attack.stand.folder)
        for kind, (names, _) in KINDS.items():
            if call.name in names and (call.says if kind == "say" else within):
                found[kind].append(call)
    return found


def struck(attack: Attack, stand: Stand, errors: int) -> Counter[str]:
    """Let so many calls of a command fail; how often each kind did."""
    laid = Round(attack, stand)
    chance = random.Random(f"{SEED} {attack.name}")
    found = places(laid)
    kinds: Counter[str] = Counter()
    for number in range(errors):
        kind = list(found)[number % len(found)]
        call = chance.choice(found[kind])
        error = chance.choice(KINDS[kind][1])
        onwards = kind in FOR_LONG and error != "EINTR" and chance.random() < 0.3  # EINTR asks to try again, for ever
        laid.again()
        try:
            ended = laid.stand.traced(*laid.args, options=inject(call, f"error={error}", onwards), follow=False)
            came = any("(INJECTED)" in each.rest for each in ended.calls)  # ids drawn by chance lie in other pages
            assert ended.code in codes(laid, ended), str(ended)
            judge(laid, ended)
        except AssertionError as fault:
            fault.add_note(f"{attack.name}: {error} for {call.name} number {call.number}{' and on' * onwards}")
            fault.add_note(f"{call.rest[:300]}\nleft in {laid.stand.folder}")
            raise
        kinds[kind] += came
    return kinds


def codes(laid: Round, ended: Ended) -> set[int]:
    """How a command may end whose calls have failed so."""
    failed = [call for call in ended.calls if "(INJECTED)" in call.rest]
    inputs = [path.with_name(path.name + end) for path in laid.inputs for end in ("", *SIDECARS)]
    found = {0, 6}
    if any(call.touches(path) for call in failed for path in inputs):
        found |= {2}  # unreadable input
    if any(call.name in KINDS["read"][0] and "EIO" in call.rest for call in failed):
        found |= {5}  # SQLite says of a page that the disk does not give back that the database is damaged
    return found


def judge(laid: Round, ended: Ended) -> None:
    """It has ended as documented, and the next command works."""
    assert "Traceback" not in ended.err, str(ended)
    if ended.code == 0:
        assert shape(laid.rows()) == laid.after, "it is done"
        verified(laid.stand, laid.db)
        succeeds(laid.stand, "new", "--seed", 3, "--db", laid.db)
        audited(laid.stand, laid.db)
        return
    assert "ddz: " in ended.err, f"it says what was wrong: {ended}"
    laid.judge(ended)


@pytest.mark.parametrize("attack", FAILING, ids=lambda attack: attack.name)
def test_a_call_that_fails_ends_a_command_as_documented(attack: Attack, stand: Stand) -> None:
    errors = IN_CI if attack.exact else 3  # several processes take longer to begin than all the others do
    assert struck(attack, stand, errors).total() >= errors // 2


@pytest.mark.long
@pytest.mark.parametrize("attack", FAILING, ids=lambda attack: attack.name)
def test_many_calls_that_fail(attack: Attack, stand: Stand) -> None:
    errors = share(attack, LONG)
    kinds = struck(attack, stand, errors)
    print(f"{attack.name}: {kinds.total()} of {errors} came: {dict(kinds)}")
    assert kinds.total() >= 0.75 * errors
