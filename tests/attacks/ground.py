"""What is attacked: commands that store, each with the ground it stands on and what must be true of it afterwards."""

import json
import re
import shutil
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest
from msgspec.structs import astuple

from ddz.log import schema, sql
from ddz.log.base import Row
from ddz.log.stores import open_log

from .stand import Ended, Stand

RECORDS = Path(__file__).parent.parent / "cli" / "records"
LOGS = Path(__file__).parent.parent.parent / "fixtures" / "logs"
SHOWN = ("bid_made", "bid_passed", "cards_played", "play_passed")
"""The events of which `play` shows a line each, `random 1: ...`."""


def rows_of(db: Path) -> list[Row]:
    """Every row of a log, none where there is no log."""
    with closing(open_log(db, create=False)) as log:
        return list(log.after(0))


def succeeds(stand: Stand, *args: object) -> Ended:
    """Run a command that must succeed."""
    done = stand.run(*args)
    assert done.code == 0, str(done)
    assert "Traceback" not in done.err, str(done)
    return done


def again(stand: Stand, killed: Ended) -> None:
    """The same words again."""
    succeeds(stand, *killed.args)


@dataclass(frozen=True)
class Attack:
    """A command, what it stands on, and what is asked of it."""

    name: str
    lay: Callable[[Stand], tuple[str, ...]]
    """Make the ground (the folder is there and empty); the command's words."""
    acknowledged: Callable[[Ended, Sequence[Row]], None]
    """Assert that what a killed command has said is in the log."""
    repeat: Callable[[Stand, Ended], None] = again
    """Bring the command to its end after a kill."""
    result: str = "games.db"
    """The log in which it stores."""
    exact: bool = True
    """It makes the same calls each time, and alone: False where several processes share the work."""


def verified(stand: Stand, db: Path) -> None:
    """The log verifies."""
    said = succeeds(stand, "log", "verify", "--db", db)
    assert re.search(r"^\d+ events, 0 findings", said.out, re.MULTILINE), str(said)


def audited(stand: Stand, db: Path) -> None:
    """The log audits clean."""
    said = succeeds(stand, "audit", "--all", "--db", db)
    assert re.search(r"with a fault: 0; findings besides: 0", said.out), str(said)


def shape(rows: Sequence[Row]) -> Counter[tuple[int, str]]:
    """What is in a log but for what is drawn by chance: ids, seeds and times."""
    return Counter((row.seq, row.type) for row in rows)


# ---- the grounds ----


def empty(stand: Stand) -> None:
    """No log yet."""
    del stand


def played(stand: Stand) -> None:
    """A log with a finished game."""
    succeeds(stand, "play", "--auto", "--seed", 1, "--bot", "random")


def in_play(stand: Stand) -> str:
    """A game in which the landlord is to lead; its id."""
    played(stand)
    game = succeeds(stand, "new", "--seed", 7, "--first", 0).out.strip()
    succeeds(stand, "act", game, "--seat", 0, "bid", 3)
    return game


def void(stand: Stand) -> str:
    """A game in which all have passed, and which waits for a new deal; its id."""
    record = stand.folder / "void.toml"
    text = (RECORDS / "redeals.toml").read_text(encoding="utf-8")
    first = "[[deals]]".join(text.split("[[deals]]")[:2])
    record.write_text(re.sub(r"payouts = \[.*?\]\n", "", first, flags=re.DOTALL), encoding="utf-8")
    return succeeds(stand, "import", record).out.split()[0]


# ---- what is acknowledged ----


def nothing(said: Ended, rows: Sequence[Row]) -> None:
    """The command acknowledges nothing until its end, where all is asked."""
    del said, rows


def event_named(said: Ended, rows: Sequence[Row]) -> None:
    """`GAME SEQ`, as `act` says."""
    for line in said.lines:
        game, seq = line.split()
        assert any((row.game, row.seq) == (game, int(seq)) for row in rows), f"{line} was acknowledged and is lost"


def game_named(said: Ended, rows: Sequence[Row]) -> None:
    """`GAME ...`, as `new`, `fork` and `import` say."""
    for line in said.lines:
        assert any(row.game == line.split()[0] for row in rows), f"{line} was acknowledged and is lost"


def turns_shown(said: Ended, rows: Sequence[Row]) -> None:
    """The turns of a game that `random` plays, a line each."""
    for game in (found[1] for line in said.lines if (found := re.match(r"game (\w+), round", line))):
        shown = sum(bool(re.match(r"random \d: (?!landlord)", line)) for line in said.lines)
        kept = sum(row.game == game and row.type in SHOWN for row in rows)
        assert kept >= shown, f"{shown} turns were shown, {kept} are kept"


# ---- the commands ----


def _act(stand: Stand) -> tuple[str, ...]:
    game = in_play(stand)
    view = json.loads(succeeds(stand, "show", game, "--as", 0, "--json").out)
    cards = view["legal"][0]["cards"]
    return ("act", game, "--seat", "0", "play", cards, "--expect", str(view["seq"]), "--id", "command-1")


def _act_void(stand: Stand) -> tuple[str, ...]:
    game = void(stand)
    seq = rows_of(stand.folder / "games.db")[-1].seq
    return ("act", game, "--seat", "0", "bid", "1", "--expect", str(seq), "--id", "command-1")


def _play(stand: Stand) -> tuple[str, ...]:
    played(stand)
    return ("play", "--auto", "--seed", "8", "--bot", "random")


def _play_on(stand: Stand, killed: Ended) -> None:
    """`play` goes on where it was, or begins if nothing was begun."""
    rows = rows_of(stand.folder / "games.db")
    begun = {row.game for row in rows if row.type == "game_opened"}
    over = {row.game for row in rows if row.type == "game_scored"}
    if begun - over:
        succeeds(stand, "play", "--resume", "--auto")
    elif len(begun) == 1:
        succeeds(stand, *killed.args)


def _merge(stand: Stand) -> tuple[str, ...]:
    played(stand)
    for number in (2, 3):
        succeeds(stand, "play", "--auto", "--seed", number, "--bot", "random", "--db", stand.folder / f"{number}.db")
    return ("log", "merge", str(stand.folder / "2.db"), str(stand.folder / "3.db"))


def files_named(said: Ended, rows: Sequence[Row]) -> None:
    """A line a file, as `log merge` says."""
    for line in said.lines:
        (name,) = re.findall(r"\S+\.db", line)
        assert {row.hash for row in rows_of(Path(name.rstrip(":")))} <= {row.hash for row in rows}, line


def _new(stand: Stand) -> tuple[str, ...]:
    played(stand)
    return ("new", "--seed", "7", "--first", "0", "--id", "command-1")


def _first(stand: Stand) -> tuple[str, ...]:
    """The log is made, and its folder."""
    return ("new", "--seed", "7", "--first", "0", "--id", "command-1", "--db", str(stand.folder / "deep" / "games.db"))


def _fork(stand: Stand) -> tuple[str, ...]:
    played(stand)
    game = rows_of(stand.folder / "games.db")[-1].game
    return ("fork", game, "--at", "2", "--id", "command-1")


def _import(stand: Stand) -> tuple[str, ...]:
    played(stand)
    names = ("spring.toml", "airplane.toml", "bombs-rocket.toml")
    return ("import", *(shutil.copy(RECORDS / name, stand.folder / name) for name in names))


def _import_once(stand: Stand) -> tuple[str, ...]:
    return (*map(str, _import(stand)), "--once")


def _import_by_id(stand: Stand) -> tuple[str, ...]:
    return (*map(str, _import(stand)), "--id", "command-1")


SIMULATED = 6


def _simulate(stand: Stand) -> tuple[str, ...]:
    played(stand)
    return ("simulate", "--games", str(SIMULATED), "--bots", "random", "--seed", "3", "-j", "2")


def simulate_alone(stand: Stand) -> tuple[str, ...]:
    """Without workers: Python itself says something where a call fails by which it would clear up behind them."""
    return (*_simulate(stand)[:-1], "1")


def all_simulated(said: Ended, rows: Sequence[Row]) -> None:
    """What is played is told when all of it is in the log."""
    if said.lines:
        assert sum(row.type == "game_opened" for row in rows) == 1 + SIMULATED


def _act_older(stand: Stand) -> tuple[str, ...]:
    """As `act`, in a log as the first release made it: it gets the last migrations on the way."""
    words = _act(stand)
    rows = rows_of(stand.folder / "games.db")
    shutil.rmtree(stand.folder)
    stand.folder.mkdir()
    with pytest.MonkeyPatch.context() as older:
        older.setattr(schema, "MIGRATIONS", schema.MIGRATIONS[:2])
        older.setattr(schema, "VERSION", 2)
        with closing(open_log(stand.folder / "games.db", create=True)) as log:
            log.connection.executemany(sql.INSERT, map(astuple, rows))
    return words


def _backup(stand: Stand) -> tuple[str, ...]:
    in_play(stand)
    return ("log", "backup", str(stand.folder / "copy.db"))


def _salvage(stand: Stand) -> tuple[str, ...]:
    in_play(stand)
    return ("log", "salvage", str(stand.folder / "games.db"), str(stand.folder / "copy.db"))


def _copied(stand: Stand, killed: Ended) -> None:
    """Whole or not there; then it is made, and nothing is left of what was begun."""
    copy = stand.folder / "copy.db"
    if copy.exists():
        assert rows_of(copy) == rows_of(stand.folder / "games.db")
        refused = stand.run(*killed.args)
        assert (refused.code, "[log/file-exists]" in refused.err) == (4, True), str(refused)
        return
    succeeds(stand, *killed.args)
    assert {path.name for path in stand.folder.iterdir()} == {"games.db", "copy.db"}


ATTACKS = (
    Attack("act", _act, event_named),
    Attack("act, dealt first", _act_void, event_named),
    Attack("act in an older log", _act_older, event_named),
    Attack("new", _new, game_named),
    Attack("new, with its log", _first, game_named, result="deep/games.db"),
    Attack("fork", _fork, game_named),
    Attack("import --once", _import_once, game_named),
    Attack("import --id", _import_by_id, game_named),
    Attack("simulate", _simulate, all_simulated, exact=False),
    Attack("backup", _backup, nothing, _copied, "copy.db"),
    Attack("salvage", _salvage, nothing, _copied, "copy.db"),
    Attack("play", _play, turns_shown, _play_on),
    Attack("merge", _merge, files_named),
)
