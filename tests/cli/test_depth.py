"""2,000 forks of forks, as `back` makes them: every command still works. (services/test_depth: how the work grows.)"""

import json
import shutil
import sys
from pathlib import Path

import pytest
from nested import Kind, nested

from .stage import Ddz

LEVELS = 2000


@pytest.fixture(scope="module", params=["chain", "inherited", "wide"])
def made(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str, str]:
    """A log, its game and its last fork."""
    kind: Kind = request.param
    path = tmp_path_factory.mktemp("deep") / "games.db"
    return path, *nested(path, kind, LEVELS)


@pytest.fixture
def ddz(made: tuple[Path, str, str]) -> Ddz:
    return Ddz({"DDZ_DB": str(made[0])})


def test_what_only_reads(ddz: Ddz, made: tuple[Path, str, str]) -> None:
    _, game, last = made
    tree = ddz("tree", last).out.splitlines()
    assert len(tree) == LEVELS + 1
    assert max(map(len, tree)) < 120
    assert [last in line for line in tree if line.endswith(" <")] == [True]
    assert ddz("match", game, "--json").json["rounds"][0]["game"] == last
    assert ddz("show", last, "--json").json["game"] == last
    told = ddz("replay", last, "--json").json
    assert told["events"][-1]["seq"] == ddz("games", "--limit", 1, "--json").json["games"][0]["last_seq"]
    assert ddz("diff", last, game, "--json").code == 0
    assert ddz("audit", last, "--json").json["ok"]
    assert ddz("stats", "--json").code == 0
    assert ddz("export", last, "--reveal").out
    rows = ddz("export", last, "--events", "--reveal").out.splitlines()
    head = json.loads(rows[0])
    assert json.loads(rows[-1])["hash"] == head["head"]


def test_the_tree_in_json(ddz: Ddz, made: tuple[Path, str, str]) -> None:
    """Nested as ever, which parsers may find too deep, and flat."""
    _, game, last = made
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(LEVELS * 10)
    try:
        found = ddz("tree", last, "--json").json
    finally:
        sys.setrecursionlimit(before)
    flat: list[tuple[str, str | None]] = []
    going = [found["tree"]]
    while going:
        branch = going.pop()
        flat.append((branch["game"], branch["parent"]))
        going += reversed(branch["children"])
    assert flat == [(line["game"], line["parent"]) for line in found["lines"]]
    assert (flat[0][0], len(flat)) == (game, LEVELS + 1)


def test_what_writes(made: tuple[Path, str, str], tmp_path: Path) -> None:
    path, _, last = made
    ddz = Ddz({"DDZ_DB": str(shutil.copy(path, tmp_path))})
    seq = ddz("show", last, "--json").json["seq"]
    line = ddz("fork", last, "--at", seq, "--reveal").out.split()[0]
    moves = ddz("show", line, "--json").json
    assert moves["seq"] == seq + 1
    ddz("act", line, "--seat", moves["turn"], "pass")
    back = ddz("play", "--resume", line, input="back\nquit\n")
    assert back.code == 0
