"""A folder of another engine's games, named by DDZ_RECORDS: `game-*`, `allpass-*` and `illegal-*` records.

`DDZ_RECORDS=FOLDER python -m pytest -m long tests/services/test_many_records.py`
"""

import os
import re
import tomllib
from pathlib import Path

import pytest

from ddz.errors import Unreadable
from ddz.services.archive import export_record, import_bytes
from ddz.services.audit import audit_game
from ddz.services.table import Table

from .tables import record_without_meta

pytestmark = pytest.mark.long


def files(kind: str) -> list[Path]:
    """The records of one kind; skips the test where there is no folder of records."""
    folder = os.environ.get("DDZ_RECORDS")
    if not folder:
        pytest.skip("DDZ_RECORDS names no folder of records")
    found = sorted(Path(folder).glob(f"{kind}-*.toml"))
    assert found, f"there is no {kind}-*.toml in the folder that DDZ_RECORDS names"
    return found


def test_games_audit_clean_and_pay_what_their_records_claim(table: Table):
    for path in files("game"):
        raw = path.read_bytes()
        found = import_bytes(table, raw, path.name)
        audit = audit_game(table.log, found.game)
        assert audit.ok, (path.name, audit.findings)
        assert found.phase == "over", path.name
        assert list(found.payouts) == tomllib.loads(raw.decode())["payouts"], path.name


def test_games_come_back_from_their_own_export(table: Table):
    for path in files("game"):
        game = import_bytes(table, path.read_bytes(), path.name).game
        again = import_bytes(table, export_record(table, game).encode(), path.name).game
        assert table.log.history(again)[1:-1] == table.log.history(game)[1:-1], path.name  # the seed is another
        assert record_without_meta(table, again) == record_without_meta(table, game), path.name


def test_deals_that_all_passed_are_void(table: Table):
    for path in files("allpass"):
        found = import_bytes(table, path.read_bytes(), path.name)
        assert (found.phase, found.payouts) == ("void", None), path.name
        assert audit_game(table.log, found.game).ok, path.name


def test_illegal_games_are_refused_at_the_action_that_they_name(table: Table):
    for path in files("illegal"):
        raw = path.read_bytes()
        named = re.search(r"^#.*action (\d+) \(counted from 0\)", raw.decode(), re.MULTILINE)
        assert named, f"{path.name} does not say where it is illegal"
        with pytest.raises(Unreadable) as caught:
            import_bytes(table, raw, path.name)
        assert str(caught.value).startswith(f"deal 0, action {named[1]} ("), path.name
    assert list(table.log.after(0)) == []
