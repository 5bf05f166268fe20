"""A session of commands, recorded call by call, and what had been acknowledged at each of them."""

import json
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from ddz.log.base import Row

from .calls import Call
from .disks import HEXED, Disk
from .ground import RECORDS, SHOWN, rows_of, succeeds
from .stand import Ended, Stand

WRITTEN = re.compile(r'"((?:\\x[0-9a-f]{2})*)"')


@dataclass
class Session:
    """What was done in a folder, call by call."""

    disk: Disk
    """The folder as it was at the beginning."""
    db: str
    """The log, relative to the folder."""
    calls: list[Call] = field(default_factory=list)
    steps: list[tuple[int, tuple[str, ...]]] = field(default_factory=list)
    """The commands, each with the number of its first call."""
    stored: list[tuple[int, int]] = field(default_factory=list)
    """From this call on so many rows of the log have been acknowledged."""
    copies: list[tuple[int, str, int]] = field(default_factory=list)
    """From this call on there is a backup of this name, with so many rows."""
    rows: list[Row] = field(default_factory=list)
    """The log at the end."""

    def acknowledged(self, cut: int) -> int:
        """How many rows must be there if the power fails before this call."""
        return max((rows for call, rows in self.stored if call <= cut), default=0)

    def step(self, cut: int) -> tuple[str, ...]:
        """The command that is at work then."""
        return [args for call, args in self.steps if call <= cut][-1]


class Recorder:
    """Runs the commands of a session one after the other, each traced."""

    def __init__(self, stand: Stand) -> None:
        self.stand = stand
        self.db = Path(stand.env["DDZ_DB"])
        self.session = Session(Disk(stand.folder), str(self.db.relative_to(stand.folder)))

    def __call__(self, *args: object) -> str:
        """Run a command, which must succeed; what it says."""
        session = self.session
        first = len(session.calls)
        session.steps.append((first, tuple(map(str, args))))
        done = self.stand.traced(*args, options=HEXED)
        assert done.code == 0, f"{done.args}: {done.out}{done.err}"
        session.calls += done.calls
        with self.copied() as copy:
            session.rows = rows_of(copy)
        spoken = [first + number + 1 for number, call in enumerate(done.calls) if call.says]
        session.stored.append((max(spoken, default=len(session.calls)), len(session.rows)))
        if args[0] == "play":
            session.stored += self._turns(done, first)
        if args[:2] == ("log", "backup"):
            session.copies.append((len(session.calls), Path(str(args[2])).name, len(session.rows)))
        return done.out

    def _turns(self, done: Ended, first: int) -> Iterator[tuple[int, int]]:
        """What `play` has acknowledged with each turn that it shows."""
        (game,) = re.findall(r"^game (\w+), round", done.out, re.MULTILINE)
        places = [row.position for row in self.session.rows if row.game == game and row.type in SHOWN]
        shown = 0
        for number, call in enumerate(done.calls):
            if call.says and (found := WRITTEN.search(call.rest)):
                text = bytes.fromhex(found[1].replace("\\x", "")).decode()
                shown += len(re.findall(r"^random \d: (?!landlord)", text, re.MULTILINE))
                if shown:
                    yield first + number + 1, places[shown - 1]
        assert shown == len(places), "every turn was seen as it was shown"

    @contextmanager
    def copied(self) -> Iterator[Path]:
        """The log in a copy of the folder: to read it leaves traces there that no trace tells of."""
        aside = self.stand.folder.with_name("aside")
        shutil.copytree(self.stand.folder, aside)
        try:
            yield aside / self.session.db
        finally:
            shutil.rmtree(aside)

    def legal(self, game: str) -> tuple[str, ...]:
        """Words for `act` with which the seat whose turn it is may go on."""
        with self.copied() as copy:
            turn = json.loads(succeeds(self.stand, "show", game, "--json", "--db", copy).out)["turn"]
            seen = succeeds(self.stand, "show", game, "--as", turn, "--json", "--db", copy)
        view = json.loads(seen.out)
        move = next((each for each in view["legal"] if each["type"] == "pass"), view["legal"][0])
        words = ("pass",) if move["type"] == "pass" else ("play", move["cards"])
        return ("--seat", str(turn), *words, "--expect", str(view["seq"]))


def recorded(stand: Stand) -> Session:
    """A session that begins with no log, in a folder that is not there, and uses every command that stores."""
    shutil.rmtree(stand.folder, ignore_errors=True)
    stand.folder.mkdir(parents=True)
    for number in (2, 3):
        other = stand.folder / f"{number}.db"
        succeeds(stand, "play", "--auto", "--seed", number, "--bot", "random", "--db", other)
    stand.env["DDZ_DB"] = str(stand.folder / "deep" / "down" / "games.db")
    run = Recorder(stand)
    game = run("new", "--seed", 7, "--first", 0).strip()
    run("act", game, "--seat", 0, "bid", 3, "--id", "bid")
    for number in range(6):
        run("act", game, *run.legal(game), "--id", f"move-{number}")
    run("fork", game, "--at", 6, "--reveal")
    run("import", RECORDS / "spring.toml", RECORDS / "airplane.toml")
    run("log", "backup", stand.folder / "first.db")
    run("play", "--auto", "--seed", 8, "--bot", "random")
    run("log", "merge", stand.folder / "2.db", stand.folder / "3.db")
    run("log", "backup", stand.folder / "second.db")
    run("new", "--seed", 9)
    return run.session
