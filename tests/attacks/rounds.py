"""Attack after attack on the same ground, and what must be true after each."""

import re
import shutil
from math import ceil
from pathlib import Path

from ddz.log.base import Row

from .ground import ATTACKS, Attack, audited, rows_of, shape, succeeds, verified
from .stand import Ended, Stand


def share(attack: Attack, total: int) -> int:
    """How many of so many attacks a command gets: fewer where several processes must begin each time."""
    weights = [1 if each.exact else 0.25 for each in ATTACKS]
    return ceil(total * (1 if attack.exact else 0.25) / sum(weights))


class Round:
    """A ground that is laid once and copied for each attack; what an undisturbed run makes of it."""

    def __init__(self, attack: Attack, stand: Stand) -> None:
        self.attack = attack
        self.stand = stand
        self._kept = stand.folder.with_name(f"{stand.folder.name}.{re.sub(r'[^a-z]+', '-', attack.name)}")
        shutil.rmtree(stand.folder, ignore_errors=True)
        stand.folder.mkdir(parents=True)
        self.args = attack.lay(stand)
        shutil.rmtree(self._kept, ignore_errors=True)
        shutil.copytree(stand.folder, self._kept)
        self.before = self.rows()
        self.undisturbed = succeeds(stand, *self.args)
        self.after = shape(self.rows())
        assert self.after != shape(self.before), "it stores something"

    @property
    def db(self) -> Path:
        """The log in which the command stores."""
        return self.stand.folder / self.attack.result

    @property
    def inputs(self) -> list[Path]:
        """What the command reads besides the log in which it stores."""
        own = self.db.name
        there = [path.relative_to(self._kept) for path in self._kept.rglob("*") if not path.name.startswith(own)]
        return [self.stand.folder / path for path in there]

    def rows(self) -> list[Row]:
        """What the log holds."""
        return rows_of(self.db)

    def again(self) -> None:
        """The ground as it was before the command."""
        shutil.rmtree(self.stand.folder)
        shutil.copytree(self._kept, self.stand.folder)

    def judge(self, ended: Ended) -> None:
        """What a command that was broken off has left is sound and holds what was acknowledged, and it can be repeated.

        Raises:
            AssertionError: it is not so.
        """
        # Behind a process that was killed Python may say in its own words that its pipes are closed.
        assert ended.code == -9 or "Traceback" not in ended.err, str(ended)
        kept = self.rows()
        assert kept[: len(self.before)] == self.before, "what was there before is as it was"
        self.attack.acknowledged(ended, kept)
        assert shape(kept) <= self.after, "and nothing is there that nobody asked for"
        if kept:
            verified(self.stand, self.db)
        self.attack.repeat(self.stand, ended)
        whole = self.rows()
        assert whole[: len(kept)] == kept, "what was stored stays"
        assert shape(whole) == self.after, "all of it once, and nothing twice"
        audited(self.stand, self.db)
