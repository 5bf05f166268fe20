"""Bits that flip, and pages that go astray, in a log whose head somebody knows.

Where `log verify` and `audit --all` both pass under the known head, every command answers as before: nothing that
matters was hit. Where one does not pass, the others end with a documented code, say why, and are done at once; and
none shows as true what was never stored, with or without a check.

The short form tries some of each kind; the long form tries 2,000 and says how many came to what:
`pytest -m long -s tests/attacks/test_flips.py`. DDZ_FLIPS=N tries N in all.
"""

import os
import sys
import time
from collections import Counter
from collections.abc import Iterator

import pytest

from ddz.log.driver import wal_is_safe

from .damage import KINDS, SHARES, damages
from .judge import Judge, Verdict
from .standing import build, build_with_wal
from .watched import Watched

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the interpreter under attack is a fork")

SHORT = 1
"""Damages of each kind for each of its shares."""
LONG = int(os.environ.get("DDZ_FLIPS", "2000"))


Judges = dict[str, Judge]


@pytest.fixture(scope="module")
def judges(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Judges]:
    """Of the log in pages of 4 KiB, of the same in small pages, and of one with a WAL beside it."""
    folder = tmp_path_factory.mktemp("standing")
    with Watched(folder / "damaged.db") as watched:
        judges = {
            "whole": Judge(build(folder / "whole.db"), watched),
            "small": Judge(build(folder / "small.db", page_size=1024), watched),
        }
        if wal_is_safe:
            judges["wal"] = Judge(build_with_wal(folder / "open.db"), watched)
        yield judges


def attack(kind: str, judges: Judges, number: int, seed: str) -> list[Verdict]:
    """Do so many damages of a kind, each to the log as it was."""
    if kind == "wal" and "wal" not in judges:
        pytest.skip("this SQLite keeps no WAL that is safe")
    names = ("wal",) if kind == "wal" else ("whole", "small")
    verdicts = []
    for at, name in enumerate(names):
        judge = judges[name]
        share = number // len(names) + (at < number % len(names))
        verdicts += [judge.judge(damage) for damage in damages(kind, judge.files, share, f"{seed}/{name}")]
    return verdicts


@pytest.mark.parametrize("kind", KINDS)
def test_no_damage_is_silent(kind: str, judges: Judges) -> None:
    verdicts = attack(kind, judges, SHORT * SHARES[kind], "short")
    assert [fault for verdict in verdicts for fault in verdict.faults] == []
    assert any(verdict.found for verdict in verdicts), "some of it is found out, or nothing was tried"


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_no_damage_is_silent_long(kind: str, judges: Judges) -> None:
    """As the short form, with other damages: `pytest -m long -s tests/attacks/test_flips.py` takes some 15 minutes."""
    begun = time.monotonic()
    number = LONG * SHARES[kind] // sum(SHARES.values())
    verdicts = attack(kind, judges, number, os.environ.get("DDZ_FLIPS_SEED", "long"))
    count = Counter("found" if verdict.found else "silent" if verdict.silent else "harmless" for verdict in verdicts)
    false, bad = (sum(bool(getattr(verdict, what)) for verdict in verdicts) for what in ("false", "bad"))
    hangs = sum(": hang" in each for verdict in verdicts for each in verdict.bad)
    print(
        f"\n{kind}: {len(verdicts)} damages in {time.monotonic() - begun:.0f} s: {count['found']} found, "
        f"{count['harmless']} harmless, {count['silent']} silent, {false} with a lie, {bad} with a bad end, "
        f"{hangs} hangs; the slowest command {max(verdict.longest for verdict in verdicts):.2f} s"
    )
    assert [fault for verdict in verdicts for fault in verdict.faults] == []
