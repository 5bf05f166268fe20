"""Power cuts: whatever a disk has kept of what no fsync covers, all acknowledged is there, and the log is whole.

A session of commands is recorded with every byte that it writes (strace). Then it is cut off before any of its system
calls, and a folder is rebuilt as a disk may have kept it (`disks.py`: unsynced writes lost, reordered, torn; lengths
and names, too). On each such disk the log must hold every event that had been acknowledged by then, in its place and
no other, and verify; the command that was cut off, or another, must work, and the log audit clean. Once with a WAL,
once with a DELETE journal, as where SQLite has the WAL-reset fault.

The long form is `-m long`: 2,000 disks, or DDZ_DISKS of them.
"""

import os
import random
import shutil
from pathlib import Path

import pytest

from .disks import laid
from .ground import audited, rows_of, succeeds, verified
from .sessions import Session, recorded
from .stand import Server, Stand, need_strace

need_strace()

SEED = 20261202
IN_CI = 24
"""Disks for each kind of journal."""
LONG = int(os.environ.get("DDZ_DISKS", "2000"))


def cut(session: Session, stand: Stand, disks: int) -> None:
    """Cut the power so often."""
    chance = random.Random(f"{SEED} {stand.wal}")
    touching = [number for number, call in enumerate(session.calls) if call.result not in (None, -1)]
    cuts = sorted(chance.choice(touching) for _ in range(disks))
    done = 0
    for number, at in enumerate(cuts):
        while done < at:
            session.disk.does(session.calls[done])
            done += 1
        shutil.rmtree(stand.folder, ignore_errors=True)
        laid(session.disk.after_a_cut(chance), stand.folder)
        kept = stand.folder.with_name("kept")
        shutil.rmtree(kept, ignore_errors=True)
        shutil.copytree(stand.folder, kept)
        try:
            judge(session, at, stand)
        except AssertionError as error:
            call = session.calls[at]
            error.add_note(f"disk {number}, cut before call {at} ({call.name} {call.number}), kept in {kept}")
            error.add_note(f"at work: {session.step(at)}")
            raise


def judge(session: Session, at: int, stand: Stand) -> None:
    """One disk."""
    db = stand.folder / session.db
    rows = rows_of(db)
    acknowledged = session.acknowledged(at)
    assert len(rows) >= acknowledged, f"{acknowledged} events were acknowledged, {len(rows)} are there"
    assert rows == session.rows[: len(rows)], "each is there once, and in its place"
    if rows:
        verified(stand, db)
    for since, name, copied in session.copies:
        if since <= at:
            assert rows_of(stand.folder / name) == session.rows[:copied], f"{name} was acknowledged"
    args = session.step(at)
    repeatable = args[0] in ("act", "log") and args[1] in (*{row.game for row in rows}, "backup", "merge")
    if args[:2] == ("log", "backup") and (stand.folder / Path(args[2]).name).exists():
        repeatable = False  # it was there already, or had just been put there
    succeeds(stand, *(args if repeatable else ("new", "--seed", "10")), "--db", db)
    audited(stand, db)


@pytest.fixture(params=["wal", "delete"])
def session(request: pytest.FixtureRequest, server: Server, tmp_path: Path) -> tuple[Session, Stand]:
    """A recorded session, and where its disks are laid."""
    stand = Stand(server, tmp_path / "ground", wal=request.param == "wal")
    return recorded(stand), stand


def test_a_power_cut_loses_nothing_acknowledged(session: tuple[Session, Stand]) -> None:
    cut(*session, IN_CI)


@pytest.mark.long
def test_many_power_cuts(session: tuple[Session, Stand]) -> None:
    cut(*session, LONG // 2)
