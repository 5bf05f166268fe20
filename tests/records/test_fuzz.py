"""Every importer is fed spoilt files: whatever comes, it is taken whole or refused with a sentence."""

import base64
import json
import os
import random
import re
import time
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ddz.errors import BrokenLog, Unreadable
from ddz.records import FORMATS, format_named, recognise
from ddz.services.archive import EVENTS_FORMAT, export_events, export_record, import_bytes
from ddz.services.audit import audit_game

from .mutate import IMPORTERS, corpus, sealed_anew, spoilt, with_bytes, with_values
from .samples import empty_table, stored

CHANGES = 500
"""How many spoilt files each importer is fed in the short form."""


def fed(raw: bytes, importer: str | None) -> str:
    """Import a file: `taken`, `refused` (and by what), or a fault of ours with the file in its message.

    What is taken can be read, audited and exported; of what is refused nothing is stored.
    """
    table = empty_table()
    try:
        recognise(raw)
        try:
            done = import_bytes(table, raw, "a file", importer)
        except (Unreadable, BrokenLog) as refused:
            kind, sentence = type(refused).__name__, str(refused)
            done = None
        if done is None:
            assert stored(table) == 0, "something was stored"
            assert sentence, "no sentence"
            sentence.encode()  # can be said on a terminal
            return f"refused: {kind}"
        assert stored(table) >= done.seq
        audit_game(table.log, done.game)
        export_record(table, done.game)
        return "taken"
    except BaseException as fault:
        text = base64.b85encode(raw).decode() if len(raw) < 50_000 else f"{len(raw)} bytes"
        fault.add_note(f"importer {importer}, file (base 85): {text}")
        raise


def fed_spoilt(importer: str, rng: random.Random, count: int) -> Counter[str]:
    """Feed spoilt files to an importer, named or left to be recognised."""
    found: Counter[str] = Counter()
    for _ in range(count):
        named = importer if importer in FORMATS and rng.random() < 0.5 else None
        found[fed(spoilt(rng, importer), named)] += 1
    return found


@pytest.mark.parametrize("importer", IMPORTERS)
def test_the_valid_files_are_taken(importer: str):
    assert len(corpus(importer)) >= 4
    taken = [fed(raw, importer if importer in FORMATS else None) for raw in corpus(importer)]
    assert taken.count("taken") >= len(taken) - 1, "but the one that is there for its faults"


@pytest.mark.parametrize("importer", IMPORTERS)
def test_spoilt_files(importer: str):
    found = fed_spoilt(importer, random.Random(f"spoilt {importer}"), CHANGES)
    assert sum(found.values()) == CHANGES
    assert found["refused: Unreadable"] > CHANGES / 4


@pytest.mark.long
@pytest.mark.parametrize("importer", IMPORTERS)
def test_spoilt_files_long(importer: str, capsys: pytest.CaptureFixture[str]):
    """As above for DDZ_FUZZ_SECONDS (600 unless it says else) an importer, from a seed that is drawn and told.

    `DDZ_FUZZ_SECONDS=600 pytest -m long tests/records/test_fuzz.py`; DDZ_FUZZ_SEED plays a run again.
    """
    seed = os.environ.get("DDZ_FUZZ_SEED") or str(time.time_ns())
    rng = random.Random(f"{seed} {importer}")
    end = time.monotonic() + float(os.environ.get("DDZ_FUZZ_SECONDS", "600"))
    found: Counter[str] = Counter()
    try:
        while time.monotonic() < end:
            found += fed_spoilt(importer, rng, 50)
    finally:
        with capsys.disabled():
            print(f"\n{importer}: seed {seed}, {sum(found.values())} files, {dict(sorted(found.items()))}")


# ---- hypothesis ----

FEW = settings(max_examples=40)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.integers(0, 54),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=5), inner, max_size=5),
    max_leaves=20,
)


@pytest.mark.parametrize("importer", IMPORTERS)
@FEW
@given(raw=st.binary(max_size=500) | st.text(max_size=500).map(str.encode))
def test_any_bytes(importer: str, raw: bytes):
    fed(raw, importer)


@pytest.mark.parametrize("importer", IMPORTERS)
@FEW
@given(data=st.data())
def test_a_valid_file_with_bytes_of_any_kind_in_it(importer: str, data: st.DataObject):
    raw = data.draw(st.sampled_from(corpus(importer)), "file")
    at = data.draw(st.integers(0, len(raw)), "from")
    to = data.draw(st.integers(at, min(len(raw), at + 20)), "to")
    fed(raw[:at] + data.draw(st.binary(max_size=20), "put in") + raw[to:], None)


@pytest.mark.parametrize("importer", IMPORTERS)
@FEW
@given(rng=st.randoms(use_true_random=False))
def test_a_valid_file_with_other_values(importer: str, rng: random.Random):
    raw = rng.choice(corpus(importer))
    fed(with_values(rng, raw) or with_bytes(rng, raw), None)


KEYS = {
    "rlcard-showdown": ("initHands", "playerInfo", "moveHistory"),
    "douzero": ("landlord", "landlord_down", "landlord_up", "three_landlord_cards", "actions"),
    "botzone": ("log", "logs", "initdata", "_id"),
}


@pytest.mark.parametrize("form", KEYS)
@FEW
@given(data=st.data())
def test_the_keys_of_a_format_with_anything_behind_them(form: str, data: st.DataObject):
    made = data.draw(st.fixed_dictionaries({}, optional=dict.fromkeys(KEYS[form], VALUES)))
    raw = json.dumps(made).encode()
    format_named(form).looks_like(raw)
    fed(raw, form)


def test_the_importers_are_all_of_them():
    assert set(IMPORTERS) == {"ddz-record/1", EVENTS_FORMAT, *FORMATS}


# ---- what was found ----


def test_an_empty_file_that_is_said_to_be_one_of_events():
    assert fed(b"", EVENTS_FORMAT) == "refused: Unreadable"


def test_a_base_whose_points_nobody_could_write_out():
    """The record's own number can be read, but twice as much has more digits than Python writes."""
    text = corpus_with_base()
    for base in (10**9 + 1, 9 * 10**4299):
        raw = re.sub(rb"base = \d+", b"base = " + digits(base), text)
        assert fed(re.sub(rb"payouts = \[[^\]]*\]", b"", raw), None) == "refused: Unreadable"
    raw = re.sub(rb"base = \d+", b"base = 1000000000", text)
    assert fed(re.sub(rb"payouts = \[[^\]]*\]", b"", raw), None) == "taken"


def corpus_with_base() -> bytes:
    return next(raw for raw in corpus("ddz-record/1") if b"base = " in raw)


def digits(number: int) -> bytes:
    return b"9" + b"0" * 4299 if number > 10**4000 else str(number).encode()


def test_a_forged_base_that_nobody_could_write_out_is_refused():
    """The chain holds, but no event of ours can hold such a number."""
    table = empty_table()
    done = import_bytes(table, corpus_with_base(), "a file")
    head, *lines = export_events(table, done.game).encode().splitlines()
    at = next(number for number, line in enumerate(lines) if b'"type":"landlord_chosen"' in line)
    lines[at] = re.sub(rb'\\"base\\":\d+', b'\\\\"base\\\\":' + b"9" * 4300, lines[at])
    forged = sealed_anew([head, *lines])
    other = empty_table()
    with pytest.raises(BrokenLog, match="the body cannot be decoded"):
        import_bytes(other, forged, "a file")
    assert other.log.last_position() == 0
