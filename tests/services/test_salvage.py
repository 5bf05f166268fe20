"""A way out of a broken log: what verifies and is lawful comes into a new one, all the rest is named."""

import os
import random
import shutil
import sqlite3
import struct
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from ddz.errors import BrokenLog, Refused, Unreadable
from ddz.log import chain
from ddz.log.base import Row
from ddz.log.pages import Pages
from ddz.log.sqlite import SqliteLog
from ddz.log.stores import open_log
from ddz.services.audit_log import audit_log
from ddz.services.salvage import Salvaged, salvage
from ddz.services.table import Opening

from .tables import HUMANS, bot_game, family, hasty, points, random_game, table_on

PAGE = 4096
Spoil = Callable[[Path, random.Random], None]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A log of several lines: games, forks of forks, an unfinished game, and a note that one was seen."""
    path = tmp_path_factory.mktemp("salvage") / "whole.db"
    with closing(hasty(path)) as log:
        table = table_on(log)
        family(table)
        for seed in range(6):
            random_game(table, seed, turns=None if seed % 2 else 9)
        bot_game(table, "random", seat_seeds=("w" * 1000, "", "x" * 1000))  # an opening longer than a page leaves room
        log.mark_seen(table.open(Opening(players=HUMANS, seed=3)).game)
    return path


def copy_of(whole: Path, path: Path) -> Path:
    shutil.copyfile(whole, path)
    return path


def rows_in(path: Path) -> dict[str, list[Row]]:
    """The own rows of each line, without their positions."""
    found: dict[str, list[Row]] = {}
    with closing(open_log(path, create=False)) as log:
        for row in log.after(0):
            found.setdefault(row.game, []).append(chain.moved(row, 0))
    return found


def salvaged(source: Path, target: Path) -> Salvaged:
    """What a salvage comes to; the new log is sound, private, and alone in its folder but for what was there."""
    before = source.read_bytes()
    names = {path.name for path in target.parent.iterdir()}
    found = salvage(source, target)
    assert source.read_bytes() == before, "the broken log is never written to"
    assert {path.name for path in target.parent.iterdir()} == names | {target.name}
    assert target.stat().st_mode & 0o777 == 0o600
    with closing(open_log(target, create=False)) as log:
        assert audit_log(log).ok
        assert not log.storage_faults()
        assert found.events == log.last_position()
    return found


def held_against(whole: Path, target: Path, found: Salvaged) -> None:
    """Nothing is in the new log that was not in the whole one, and each line that is not all there is named."""
    old, new = rows_in(whole), rows_in(target)
    named = {left.game for left in found.left}
    for game, rows in new.items():
        assert rows == old[game][: len(rows)]
    short = {game for game, rows in old.items() if len(new.get(game, ())) < len(rows)}
    assert bool(short) <= bool(found.left)
    if not any(left.what == "positions" for left in found.left):
        assert short <= named


def test_a_whole_log_comes_out_whole(whole: Path, tmp_path: Path):
    found = salvaged(whole, tmp_path / "new.db")
    assert found.whole
    assert rows_in(tmp_path / "new.db") == rows_in(whole)
    with closing(open_log(whole, create=False)) as old, closing(open_log(tmp_path / "new.db", create=False)) as new:
        assert new.seen() == old.seen() != {}


def test_pages_alone_tell_what_the_log_tells(whole: Path):
    with closing(open_log(whole, create=False)) as log, closing(Pages(whole)) as pages:
        assert list(pages.rows()) == list(log.after(0))
        assert dict(pages.seen()) == log.seen()
        assert pages.reached() == log.last_position()
        assert pages.missing() == 0


# ---- damage that takes no event away ----


def statements(*sql: str) -> Spoil:
    def spoil(path: Path, _: random.Random) -> None:
        with closing(sqlite3.connect(path)) as connection:
            for each in sql:
                connection.execute(each)
            connection.commit()

    return spoil


def rewritten(*changes: str) -> Spoil:
    return statements("PRAGMA writable_schema=ON", *changes)


def overwritten(number: int, what: bytes | None = None) -> Spoil:
    """A page of noise, or of something else."""

    def spoil(path: Path, chance: random.Random) -> None:
        raw = bytearray(path.read_bytes())
        raw[(number - 1) * PAGE : number * PAGE] = (what or chance.randbytes(PAGE)).ljust(PAGE, b"\0")[:PAGE]
        path.write_bytes(raw)

    return spoil


LOSSLESS: dict[str, Spoil] = {
    "no guards": statements("DROP TRIGGER events_follow", "DROP TRIGGER events_stay", "DROP TRIGGER events_remain"),
    "a trigger that swallows": statements(
        "CREATE TRIGGER mute BEFORE INSERT ON events BEGIN SELECT RAISE(IGNORE); END"
    ),
    "another index": statements("CREATE INDEX lies ON events (position, hash)"),
    "another table": statements("CREATE TABLE more (a, b)", "INSERT INTO more VALUES (1, 2)"),
    "no index": statements("DROP INDEX idx_events_game_seq"),
    "the events as an endless view": rewritten(
        "UPDATE sqlite_schema SET type = 'view', rootpage = 0, sql = 'CREATE VIEW events AS WITH RECURSIVE "
        "n(position) AS (SELECT 1 UNION ALL SELECT 1 FROM n) SELECT * FROM n' WHERE name = 'events'"
    ),
    "other types": rewritten("UPDATE sqlite_schema SET sql = replace(sql, 'TEXT', 'BLOB') WHERE name = 'events'"),
    "an empty schema": rewritten("DELETE FROM sqlite_schema"),
    "another program's mark": statements("PRAGMA application_id=7"),
    "a newer version": statements("PRAGMA user_version=99"),
    "the first page gone": overwritten(1),
    "the root of the table gone": overwritten(2),
}


@pytest.mark.parametrize("what", LOSSLESS)
def test_nothing_is_lost_where_the_events_are_all_there(whole: Path, tmp_path: Path, what: str):
    broken = copy_of(whole, tmp_path / "broken.db")
    LOSSLESS[what](broken, random.Random(1))
    found = salvaged(broken, tmp_path / "new.db")
    assert found.left == ()
    assert rows_in(tmp_path / "new.db") == rows_in(whole)


def test_what_stands_in_the_wal_or_the_journal_alone_is_taken(whole: Path, tmp_path: Path):
    for mode in ("wal", "delete"):
        broken = copy_of(whole, tmp_path / f"{mode}.db")
        writer = sqlite3.connect(broken, isolation_level=None)
        writer.execute(f"PRAGMA journal_mode={mode}")
        writer.execute("PRAGMA wal_autocheckpoint=0")
        writer.execute("PRAGMA cache_spill=1")
        with closing(hasty(broken)) if mode == "wal" else closing(writer) as _:
            if mode == "wal":
                with closing(open_log(broken, create=False)) as log:
                    assert isinstance(log, SqliteLog)
                    log.connection.execute("PRAGMA wal_autocheckpoint=0")
                    random_game(table_on(log, seed="more"), 77)
            taken = tmp_path / f"taken-{mode}"
            taken.mkdir()
            for file in tmp_path.glob(f"{mode}.db*"):
                if not file.name.endswith("-shm"):
                    shutil.copyfile(file, taken / file.name)
        if mode == "wal":
            writer.close()
            assert (taken / "wal.db-wal").stat().st_size > 0
        found = salvaged(taken / f"{mode}.db", taken / "new.db")
        assert found.whole
        assert rows_in(taken / "new.db") == rows_in(broken)


# ---- damage that takes events away ----


def flipped(bits: int) -> Spoil:
    def spoil(path: Path, chance: random.Random) -> None:
        raw = bytearray(path.read_bytes())
        for _ in range(bits):
            raw[chance.randrange(len(raw))] ^= 1 << chance.randrange(8)
        path.write_bytes(raw)

    return spoil


def cut(path: Path, chance: random.Random) -> None:
    os.truncate(path, chance.randrange(PAGE, path.stat().st_size))


def some_page(noise: bool) -> Spoil:
    def spoil(path: Path, chance: random.Random) -> None:
        pages = path.stat().st_size // PAGE
        other = chance.randrange(pages) * PAGE
        what = None if noise else path.read_bytes()[other : other + PAGE]
        overwritten(chance.randrange(1, pages + 1), what)(path, chance)

    return spoil


LOSSY: dict[str, Spoil] = {
    "a bit": flipped(1),
    "twenty bits": flipped(20),
    "a cut file": cut,
    "a page of noise": some_page(noise=True),
    "a page over another": some_page(noise=False),
    "a page of zeros": lambda path, chance: overwritten(chance.randrange(1, path.stat().st_size // PAGE), b"\0")(
        path, chance
    ),
}


@pytest.mark.parametrize("what", LOSSY)
@pytest.mark.parametrize("seed", range(3))
def test_what_verifies_is_taken_and_the_rest_is_named(whole: Path, tmp_path: Path, what: str, seed: int):
    spoilt(whole, tmp_path, what, seed)


@pytest.mark.long
@pytest.mark.parametrize("what", LOSSY)
def test_what_verifies_is_taken_and_the_rest_is_named_often(whole: Path, tmp_path: Path, what: str):
    """60 of each; some two minutes."""
    for seed in range(100, 160):
        folder = tmp_path / str(seed)
        folder.mkdir()
        spoilt(whole, folder, what, seed)


def any_row(path: Path) -> bool:
    with closing(Pages(path)) as pages:
        return any(row.type == "game_opened" for row in pages.rows())


def spoilt(whole: Path, folder: Path, what: str, seed: int) -> None:
    broken = copy_of(whole, folder / "broken.db")
    LOSSY[what](broken, random.Random(f"{what} {seed}"))
    if what == "a cut file" and not any_row(broken):
        with pytest.raises(BrokenLog, match="there is nothing in"):
            salvage(broken, folder / "new.db")
        return
    found = salvaged(broken, folder / "new.db")
    held_against(whole, folder / "new.db", found)


# ---- faulty lines ----


def with_rows(path: Path, change: Callable[[list[Row]], list[Row]], source: Path) -> Path:
    """A log with other rows than another one."""
    with closing(open_log(source, create=False)) as log:
        rows = change(list(log.after(0)))
    with closing(hasty(path)) as log:
        for trigger in ("events_follow", "events_stay", "events_remain"):
            log.connection.execute(f"DROP TRIGGER {trigger}")
        log.insert([chain.moved(row, place) for place, row in enumerate(rows, 1)])
    return path


def resealed(rows: list[Row], game: str, place: int, **fields: object) -> list[Row]:
    """Change the own row `place` of a line, and seal the line anew; forks of it are left hanging."""
    done: list[Row] = []
    prev = None
    number = 0
    for row in rows:
        if row.game == game:
            changed = fields if number == place else {}
            anew = chain.sealed(msgspec.structs.replace(row, **changed, prev=row.prev if prev is None else prev))
            prev, number = anew.hash, number + 1
            done.append(anew)
        else:
            done.append(row)
    return done


def test_a_lawless_tail_is_cut_and_named_with_the_forks_that_hang_on_it(whole: Path, tmp_path: Path):
    old = rows_in(whole)
    with closing(open_log(whole, create=False)) as log:
        fork = next(line.game for line in log.lines() if line.parent)
        root = next(line.game for line in log.families([fork]) if not line.parent)
        forks = {line.game: line.forked_at for line in log.families([fork]) if line.parent}
        turn = points(table_on(log), root)[5]

    broken = with_rows(
        tmp_path / "broken.db", lambda rows: resealed(rows, root, turn, body='{"seat":0,"type":"seat_escaped"}'), whole
    )
    found = salvaged(broken, tmp_path / "new.db")
    new = rows_in(tmp_path / "new.db")
    assert new[root] == old[root][: len(new[root])]
    assert 0 < len(new[root]) <= turn
    kept = next(left for left in found.left if left.game == root)
    assert (kept.what, kept.seq) == ("tail", len(new[root]))
    for game, at in forks.items():
        assert at is not None
        assert (game in new) == (at <= turn or None) or game in {left.game for left in found.left}
    assert {left.game for left in found.left} == {game for game, rows in old.items() if new.get(game) != rows}


@pytest.mark.parametrize(
    ("fields", "what"),
    [({"at": "\x1b[2J"}, "tail"), ({"event_id": "\x1b/0"}, "tail"), ({"hash": "0" * 64}, "tail")],
)
def test_a_row_that_may_not_stand_ends_its_line(whole: Path, tmp_path: Path, fields: dict[str, str], what: str):
    game, rows = next((game, rows) for game, rows in rows_in(whole).items() if len(rows) > 30)
    broken = with_rows(
        tmp_path / "broken.db",
        lambda every: (
            resealed(every, game, 20, **fields)
            if "hash" not in fields
            else [msgspec.structs.replace(r, **fields) if (r.game, r.seq) == (game, 21) else r for r in every]
        ),
        whole,
    )
    found = salvaged(broken, tmp_path / "new.db")
    left = next(left for left in found.left if left.game == game)
    assert left.what == what
    assert rows_in(tmp_path / "new.db")[game] == rows[: left.seq]
    assert left.seq is not None
    assert 0 < left.seq <= 20


def test_a_line_whose_opening_may_not_stand_is_left_whole(whole: Path, tmp_path: Path):
    game = next(iter(rows_in(whole)))
    broken = with_rows(tmp_path / "broken.db", lambda rows: resealed(rows, game, 0, at="yesterday"), whole)
    found = salvaged(broken, tmp_path / "new.db")
    assert next(left for left in found.left if left.game == game).what == "line"
    assert game not in rows_in(tmp_path / "new.db")


# ---- what is refused ----


def test_what_holds_nothing(tmp_path: Path):
    nothing = {"text": b"no log", "empty": b"", "noise": random.Random(1).randbytes(9 * PAGE)}
    for name, raw in nothing.items():
        (tmp_path / name).write_bytes(raw)
        with pytest.raises(BrokenLog) as refused:
            salvage(tmp_path / name, tmp_path / "new.db")
        assert refused.value.code == "log/nothing"
    for path in (tmp_path / "nowhere", tmp_path, Path(os.devnull)):
        with pytest.raises(Unreadable):
            salvage(path, tmp_path / "new.db")
    assert {path.name for path in tmp_path.iterdir()} == set(nothing)


def test_no_file_is_overwritten(whole: Path, tmp_path: Path):
    (tmp_path / "there").write_bytes(b"mine")
    with pytest.raises(Refused) as refused:
        salvage(whole, tmp_path / "there")
    assert refused.value.code == "log/file-exists"
    assert (tmp_path / "there").read_bytes() == b"mine"


def test_a_page_whose_records_have_no_end_is_soon_done_with(whole: Path, tmp_path: Path):
    """A forger's cells may all be one, and lead round in circles."""
    broken = copy_of(whole, tmp_path / "broken.db")
    raw = bytearray(broken.read_bytes())
    cells = 2000
    cell = bytes([0x83, 0xFF, 0xFF, 0x7F, 0x05]).ljust(5, b"\0")
    page = bytearray(PAGE)
    page[0] = 0x0D
    struct.pack_into(">H", page, 3, cells)
    for number in range((PAGE - 8 - 100) // 2):
        struct.pack_into(">H", page, 8 + 2 * number, PAGE - 90)
    page[PAGE - 90 : PAGE - 85] = cell
    for number in range(3, len(raw) // PAGE, 2):
        raw[number * PAGE : (number + 1) * PAGE] = page
    broken.write_bytes(raw)
    with closing(Pages(broken)) as pages:
        list(pages.rows())
        list(pages.seen())
        pages.reached()
