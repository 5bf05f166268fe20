"""Whole games as released versions wrote them must always decode, fold, audit clean and be the same bytes."""

import hashlib
from pathlib import Path

import msgspec
import pytest

from ddz.frozen.versions import VERSIONS
from ddz.log import codec
from ddz.log.base import Row
from ddz.services.archive import export_events, import_bytes
from ddz.services.audit import audit_game
from ddz.services.audit_log import audit_log
from ddz.services.replay import replay
from ddz.services.table import Table
from ddz.state import fold

FOLDER = Path(__file__).parents[2] / "fixtures" / "logs"

FROZEN = {
    "v1-bomb-and-rocket.jsonl": "3a03b8d04f70f3dabea3a68a33af4d4dedc60ef58aa7faa1462c7b1e0ec51137",
    "v1-chosen-seed-unfinished.jsonl": "e2cb77d707fee1b5184f1519f7c55dbaa1695f8bbcd4155b66b756f4787b3c5f",
    "v1-fork-of-a-fork.jsonl": "86a779bbf8fbc8dd1aad4588e09f84bb2d852b18212d80361cbbbcfca6731429",
    "v1-fork-of-an-inherited-turn.jsonl": "254daf6de63973523a872dfbe94e9cffa2bd70444701d45a57c1c6eb97ee5afc",
    "v1-fork.jsonl": "72ea7da69446d0bf922c90b4f915f70681272755d3d3c549187cb419df5fcce0",
    "v1-import-dealt-on.jsonl": "3a67da41544b77ca0feeeec523e4870e718cfb57a54da3fd9e79e7b0e674f366",
    "v1-import-spring.jsonl": "a013dc026b6377e352eb782f42bbaa749433ba3a946f1550458c3ce25f462ba1",
    "v1-import-with-seeds.jsonl": "f28cde421e49055f562aecf1359a3f817122db0f4c8344d03fdaa82bb1aea9ff",
    "v1-redeal.jsonl": "22d759cdf62830e5171f47806ea7c9d7cda78d039b6d3fe9ffb32dafd2c2d962",
    "v1-second-round-escape.jsonl": "2fb7c8ca8b0bc46989d09fff6f4ec91820d89c1b3e899d4b889cd11b5ec2ff54",
}
"""The SHA-256 of each file. A line here is never changed, only added to."""


def rows_of(name: str) -> list[Row]:
    lines = (FOLDER / name).read_bytes().splitlines()
    return [msgspec.json.decode(line, type=Row) for line in lines[1:]]


@pytest.mark.parametrize("name", FROZEN)
def test_the_file_is_what_it_was(name: str):
    assert hashlib.sha256((FOLDER / name).read_bytes()).hexdigest() == FROZEN[name], "never edit a frozen log"


def test_no_file_is_without_its_digest_and_every_event_is_there():
    assert {path.name for path in FOLDER.glob("*.jsonl")} == set(FROZEN)
    first_version = {(row.type, row.version) for name in FROZEN if name.startswith("v1-") for row in rows_of(name)}
    assert first_version >= {
        *(("game_opened", 1), ("dealt", 1), ("bid_made", 1), ("bid_passed", 1), ("deal_voided", 1)),
        *(("landlord_chosen", 1), ("cards_played", 1), ("play_passed", 1), ("seat_escaped", 1)),
        *(("game_scored", 1), ("seed_revealed", 1), ("game_forked", 1)),
    }
    every = {(row.type, row.version) for name in FROZEN for row in rows_of(name)}
    assert every >= set(VERSIONS.items()), "an event of a new version needs a frozen game"


@pytest.mark.parametrize("name", FROZEN)
def test_it_decodes_folds_and_audits_clean(each_table: Table, name: str):
    found = import_bytes(each_table, (FOLDER / name).read_bytes(), name)
    history = each_table.log.history(found.game)
    assert each_table.load(found.game).state == fold(history)
    assert len(history) == found.seq
    audit = audit_game(each_table.log, found.game)
    assert audit.ok, audit.findings
    assert audit_log(each_table.log).ok
    assert replay(each_table.log, found.game).broken is None


@pytest.mark.parametrize("name", FROZEN)
def test_its_events_are_written_as_they_were(name: str):
    """The canonical form is frozen with the version of an event."""
    for row in rows_of(name):
        event = codec.event_of(row)
        if row.version == VERSIONS[row.type]:
            assert codec.encode(event) == (row.type, row.version, row.body)


@pytest.mark.parametrize("name", FROZEN)
def test_it_goes_out_as_it_came_in(each_table: Table, name: str):
    raw = (FOLDER / name).read_bytes()
    exported = export_events(each_table, import_bytes(each_table, raw, name).game).encode()
    assert _without_positions(exported) == _without_positions(raw)


def _without_positions(raw: bytes) -> list[bytes]:
    """A game stands at other positions in another log; they are under no hash."""
    head, *lines = raw.splitlines()
    return [head, *(line.partition(b",")[2] for line in lines)]


def test_all_of_them_stand_in_one_log(each_table: Table):
    for name in FROZEN:
        import_bytes(each_table, (FOLDER / name).read_bytes(), name)
    audit = audit_log(each_table.log)
    assert audit.ok
    assert audit.lines >= len(FROZEN)
