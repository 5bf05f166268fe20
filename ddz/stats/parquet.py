"""The games of a log as tables in Parquet files, for programs that analyse. Written by DuckDB, the extra `analytics`.

They hold only games that are over and count, each once, so nothing that is still hidden. The rows of a table
are collected as JSON lines beside the target; DuckDB turns those into the files, which get their names at the end.
"""

import tempfile
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path
from types import ModuleType
from typing import IO, Final, get_args

import msgspec

from ddz.contract.statistics import PARQUET
from ddz.errors import NotInstalled, Phrase, StorageRefused, Unreadable
from ddz.stats.counting import CountedLine
from ddz.stats.rows import CallRow, GameRow, PlayRow, SeatRow, TableRow, rows_of
from ddz.stats.statistics import EVERY, Filter

TABLES: Final[Mapping[str, type[TableRow]]] = {"games": GameRow, "seats": SeatRow, "calls": CallRow, "plays": PlayRow}
_TYPES: Final = {str: "VARCHAR", int: "BIGINT", bool: "BOOLEAN", datetime: "TIMESTAMP"}


def columns(table: str) -> dict[str, str]:
    """DuckDB's types of a table's columns by name, in order."""
    fields = msgspec.structs.fields(TABLES[table])
    return {
        field.name: next(_TYPES[each] for each in (field.type, *get_args(field.type)) if each in _TYPES)
        for field in fields
    }


def export(lines: Iterable[CountedLine], folder: Path, wanted: Filter = EVERY) -> dict[str, int]:
    """Write a file a table into `folder`, over older ones of the same names; the number of rows of each.

    All four are written before the first gets its name: a failure leaves the folder as it was.

    Raises:
        NotInstalled: there is no DuckDB.
        Unreadable: the folder's name is no text, and DuckDB takes no other.
        StorageRefused: DuckDB could not write.
        BrokenLog, UnsupportedVersion: as `counted_lines` does.
        OSError: the folder cannot be written.
    """
    duckdb = _duckdb()
    try:
        str(folder).encode()
    except UnicodeEncodeError:
        raise Unreadable(
            "parquet/name",
            "{folder} is not UTF-8 text, which the names of Parquet files must be",
            folder=ascii(str(folder)),
        ) from None
    new = not folder.exists()
    folder.mkdir(parents=True, exist_ok=True)
    try:
        with tempfile.TemporaryDirectory(dir=folder, prefix=".ddz-") as name:
            staging = Path(name)
            numbers = _collect(lines, staging, wanted)
            try:
                _convert(duckdb, staging)
            except duckdb.Error as error:
                raise StorageRefused(
                    "parquet/unwritable",
                    "the tables cannot be written into {folder}: DuckDB says '{reason}'",
                    folder=str(folder),
                    reason=str(error),
                ) from None
            except RuntimeError as error:
                if "interrupted" in str(error):  # so DuckDB hands on Ctrl-C
                    raise KeyboardInterrupt from None
                raise
            for table in TABLES:
                (staging / f"{table}.parquet").replace(folder / f"{table}.parquet")
    except BaseException:
        if new:
            folder.rmdir()
        raise
    return numbers


def _duckdb() -> ModuleType:
    try:
        import duckdb  # noqa: PLC0415  # an optional extra
    except ImportError:
        raise NotInstalled(Phrase("extra/duckdb", "Parquet files are written by DuckDB"), "analytics") from None
    return duckdb


def _collect(lines: Iterable[CountedLine], staging: Path, wanted: Filter) -> dict[str, int]:
    """The rows of all tables as JSON lines; how many there are of each."""
    encoder = msgspec.json.Encoder()
    numbers = dict.fromkeys(TABLES, 0)
    with ExitStack() as stack:
        names = {cls: name for name, cls in TABLES.items()}
        files: dict[str, IO[bytes]] = {
            name: stack.enter_context((staging / f"{name}.json").open("wb")) for name in TABLES
        }
        for line in lines:
            if line.status != "over" or not wanted.takes(line.opening):
                continue
            for row in rows_of(line):
                name = names[type(row)]
                files[name].write(encoder.encode(row) + b"\n")
                numbers[name] += 1
    return numbers


def _convert(duckdb: ModuleType, staging: Path) -> None:
    """The JSON lines of each table as a Parquet file. No extension is fetched: what is needed is in DuckDB's wheel."""
    config = {
        "autoinstall_known_extensions": "false",
        "autoload_known_extensions": "false",
        "temp_directory": str(staging / "spill"),
        "threads": "1",  # two need three times the memory, and this is a small part of the time
    }
    with duckdb.connect(config=config) as connection:
        for table in TABLES:
            source, target = staging / f"{table}.json", staging / f"{table}.parquet"
            listed = ", ".join(f"{name}: {quoted(kind)}" for name, kind in columns(table).items())
            connection.execute(
                f"COPY (SELECT * FROM read_json({quoted(unglobbed(source))}, format = 'newline_delimited', "
                f"columns = {{{listed}}})) TO {quoted(str(target))} "
                f"(FORMAT parquet, COMPRESSION zstd, KV_METADATA {{ddz: {quoted(PARQUET)}}})"
            )
            source.unlink()


def quoted(text: str) -> str:
    """The text as SQL writes it."""
    return "'" + text.replace("'", "''") + "'"


def unglobbed(path: Path) -> str:
    """The path as a pattern that means this file alone."""
    return "".join(f"[{sign}]" if sign in "*?[" else sign for sign in str(path))
