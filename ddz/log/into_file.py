"""A copy of a log of any kind in a new file of SQLite, event by event, that was read again before it got its name."""

from contextlib import closing
from pathlib import Path

from ddz.log import chain, files, read
from ddz.log.backup import differs
from ddz.log.base import EventLog
from ddz.log.sqlite import opened


def copy_events(log: EventLog, target: Path) -> None:
    """Copy a log that is open, as it stands; raises as `EventLog.copy_into`."""
    with files.placed(target) as place:
        files.create(place)
        new = opened(str(place), create=True)
        assert new is not None, "it was created"
        with closing(new):
            new.relax_sync()
            new.adopt(log.after(0), log.seen())
            check = chain.LogCheck()
            for piece in log.hashes(new.last_position()):
                check.add(piece)
            if read.head(new) != check.head:
                raise differs(target)
