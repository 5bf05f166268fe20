"""Spoilt files for the fuzzing of importers: valid ones whose bytes, or whose values, are changed at random."""

import copy
import json
import random
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from typing import Any

import msgspec
import tomli_w
from games import play_randomly

from ddz.log import chain
from ddz.log.base import Row
from ddz.record import FORMAT, record_of, record_text
from ddz.records import FORMATS, format_named
from ddz.services.archive import EVENTS_FORMAT, export_events
from ddz.services.lines import fork

from .samples import EVERY, FOREIGN, taken, whole_game, writable

IMPORTERS = (FORMAT, EVENTS_FORMAT, *FORMATS)
NUMBERS = (
    *(b"-1", b"0", b"1", b"2", b"3", b"17", b"54", b"255", b"65536", b"9007199254740993", b"9223372036854775808"),
    *(b"18446744073709551616", b"-9223372036854775809", b"1" + b"0" * 40, b"9" * 5000, b"1.5", b"-0.0", b"1e400"),
    *(b"1e-400", b"0x10", b"1_000", b"NaN", b"inf", b"true"),
)
TOKENS = (
    *(
        b"null",
        b"[]",
        b"{}",
        b'""',
        b"[[[[",
        b"}}",
        b'"\\u0000"',
        b'"\\ud800"',
        b"\xff",
        b"\xef\xbb\xbf",
        b"\x00",
        b"\r",
    ),
    *(b"\n", b"pass", b"0 pass", b"1 escape", b"3c", b"BR", b"R", b"S3", b"as", b'"OK"', b"[" * 3000, b'{"a":' * 2000),
    *(b"\xe4\xb8\xad", b"\xe2\x80\xae", b"#", b"=", b'"', b"'''"),
)
JUNK: tuple[Any, ...] = (
    *(
        None,
        True,
        False,
        -1,
        0,
        1,
        2,
        3,
        4,
        17,
        20,
        30,
        53,
        54,
        255,
        2**31,
        2**53,
        2**63 - 1,
        2**63,
        -(2**63) - 1,
        2**64,
    ),
    *(
        10**40,
        0.5,
        1e300,
        -0.0,
        "",
        "0",
        "3",
        "pass",
        "S3",
        "3c",
        "BR",
        "\x00",
        "\ud800",
        "中",
        "x" * 300,
        [],
        {},
        [[]],
    ),
    *([0], [3, 3], ["S3"], {"0": 1}, {"a": {}}, "landlord", "OK", "0 play 3", "0 pass", [[[[[[]]]]]], 1e17, "-", " "),
)


@cache
def corpus(importer: str) -> tuple[bytes, ...]:
    """Valid files for an importer: fixtures, whole games and unfinished ones."""
    if importer == FORMAT:
        games = [play_randomly(seed, escape_chance=0.01) for seed in range(5)]
        games += [whole_game(seed, rules) for seed, (_, rules) in enumerate(EVERY)]
        return tuple(record_text(record_of(game.events)).encode() for game in games)
    if importer == EVENTS_FORMAT:
        return tuple(_events_files())
    files = [path.read_bytes() for path in sorted(FOREIGN.iterdir()) if path.suffix != ".md"]
    files = [raw for raw in files if format_named(importer).looks_like(raw)]
    for form, rules in EVERY:
        if form == importer:
            files += [text.encode() for _, text in writable(form, rules, 3)]
    return tuple(files)


def _events_files() -> Iterator[bytes]:
    for _, rules in EVERY:
        game = whole_game(2, rules)
        table, done = taken(record_text(record_of(game.events)))
        yield export_events(table, done.game).encode()
        line = fork(table, done.game, 4 if rules.auction == "assigned" else 3).game
        yield export_events(table, line).encode()


def everything() -> tuple[bytes, ...]:
    """The files of all importers, to be spliced."""
    return tuple(raw for importer in IMPORTERS for raw in corpus(importer))


def spoilt(rng: random.Random, importer: str) -> bytes:
    """A valid file with one to some changes; seldom none."""
    raw = rng.choice(corpus(importer))
    if rng.random() < 0.5 and (made := with_values(rng, raw)) is not None:
        raw = made
        if rng.random() < 0.7:
            return raw
    for _ in range(rng.choice((1, 1, 1, 2, 3, 8))):
        raw = with_bytes(rng, raw)
    return raw[:200_000]


def with_bytes(rng: random.Random, raw: bytes) -> bytes:
    """One change of bytes: flip, set, delete, double, swap, cut, splice, another number, a strange token."""
    at, to = sorted(rng.randrange(len(raw) + 1) for _ in range(2))
    near = min(len(raw), at + rng.choice((1, 2, 5, 30)))
    match rng.randrange(10):
        case 0 if raw:
            spot = rng.randrange(len(raw))
            return raw[:spot] + bytes([raw[spot] ^ 1 << rng.randrange(8)]) + raw[spot + 1 :]
        case 1:
            return raw[:at] + rng.randbytes(near - at) + raw[near:]
        case 2:
            return raw[:at] + raw[near:]
        case 3:
            return raw[:near] + raw[at:near] * rng.choice((1, 1, 2, 50)) + raw[near:]
        case 4:
            return raw[:at] + raw[to:]
        case 5:
            return raw[:at] if rng.random() < 0.5 else raw[at:]
        case 6:
            other = rng.choice(everything())
            spot = rng.randrange(len(other) + 1)
            return raw[:at] + other[spot : spot + rng.choice((10, 200, 10_000))] + raw[to:]
        case 7 if numbers := list(re.finditer(rb"\d+", raw)):
            number = rng.choice(numbers)
            return raw[: number.start()] + rng.choice(NUMBERS) + raw[number.end() :]
        case 8:
            lines = raw.splitlines(keepends=True)
            rng.shuffle(lines) if rng.random() < 0.2 else lines.insert(
                rng.randrange(len(lines) + 1), rng.choice(lines or [b"x"])
            )
            return b"".join(lines)
        case _:
            return raw[:at] + rng.choice(TOKENS) + raw[near:]


def with_values(rng: random.Random, raw: bytes) -> bytes | None:
    """A JSON or TOML file with some values changed; None if it is neither."""
    if raw[:1] == b"{" and EVENTS_FORMAT.encode() in raw[:100]:
        return _with_rows(rng, raw.splitlines())
    if raw.startswith(b'format = "ddz-record/1"'):
        table = tomllib.loads(raw.decode())
        _change(rng, table)
        try:
            return tomli_w.dumps(table).encode("utf-8", "surrogatepass")
        except TypeError:  # None is nothing in TOML
            return None
    return _with_json(rng, raw)


def _with_json(rng: random.Random, raw: bytes) -> bytes | None:
    """JSON with some values changed."""
    try:
        found = json.loads(raw)
    except ValueError:
        return None
    holder = {"": found}
    for _ in range(rng.choice((1, 1, 2, 4))):
        _change(rng, holder)
    return json.dumps(next(iter(holder.values()), None), ensure_ascii=rng.random() < 0.5).encode(
        "utf-8", "surrogatepass"
    )


def _with_rows(rng: random.Random, lines: list[bytes]) -> bytes:
    """A file of events with a value changed in a row, or in an event behind which all is sealed anew."""
    number = rng.randrange(len(lines))
    if number == 0 or rng.random() < 0.3:
        lines[number] = _with_json(rng, lines[number]) or b""
        return b"\n".join(lines)
    row = msgspec.json.decode(lines[number], type=Row)
    body = _with_json(rng, row.body.encode()) or b""
    lines[number] = msgspec.json.encode(msgspec.structs.replace(row, body=body.decode("utf-8", "replace")))
    if rng.random() < 0.2:
        del lines[rng.randrange(1, len(lines))]
    return sealed_anew(lines)


def sealed_anew(lines: list[bytes]) -> bytes:
    """A file of events whose rows and head are made to fit, as a forger does who knows the hash."""
    sealed: dict[str, Row] = {}
    for line in lines[1:]:  # a row's hash is the next one's `prev`
        row = msgspec.json.decode(line, type=Row)
        before = sealed.get(row.prev)
        anew = msgspec.structs.replace(row, prev=before.hash if before else row.prev, hash="")
        sealed[row.hash] = chain.sealed(anew)
    head = json.loads(lines[0]) | {"head": list(sealed.values())[-1].hash if sealed else ""}
    return b"\n".join([json.dumps(head).encode(), *map(msgspec.json.encode, sealed.values())])


def _change(rng: random.Random, place: Any) -> None:
    """Change one value somewhere below `place`, a list or a table."""
    while True:
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        if not keys:
            return
        key = rng.choice(keys)
        below = place[key]
        if not isinstance(below, dict | list) or not below or rng.random() < 0.1:
            break
        place = below
    match rng.randrange(7):
        case 0:
            del place[key]
        case 1 if isinstance(place, list):
            place.insert(key, below)
        case 2:
            place[key] = copy.deepcopy(place[rng.choice(keys)])
        case 3 if isinstance(place, dict):
            place[rng.choice(("x", "_id", "own", "bid", "landlord", "payouts", "0", "rules"))] = place.pop(key)
        case 4 if isinstance(below, int) and not isinstance(below, bool):
            place[key] = below + rng.choice((-1, 1, 4))
        case _:
            place[key] = copy.deepcopy(rng.choice(JUNK))
