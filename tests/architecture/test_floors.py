"""The house stands on its floors, and the test that says so can fail."""

import importlib.util
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent


def load_floors():
    """floors.py lies beside this file, on no import path."""
    import sys

    spec = importlib.util.spec_from_file_location("floors", HERE / "floors.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["floors"] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


floors = load_floors()
MODULES = floors.modules(ROOT)


@pytest.mark.parametrize("module", MODULES)
def test_every_module_imports_from_lower_floors(module):
    file = MODULES[module]
    found = floors.faults(module, file.read_text("utf-8"), file.name == "__init__.py", set(MODULES))
    assert not found, "\n" + "\n".join(found)


def test_the_rooms_that_must_exist_are_walked():
    rooms = {floors.room_of(module) for module in MODULES}
    assert rooms >= {"errors", "kernel", "cards", "melds", "rules", "moves", "auction", "scoring", "dealing"}
    assert rooms >= {"commands", "frozen", "state", "decide", "cli"}
    assert "ddz" in MODULES
    assert "ddz.cli" in MODULES


def test_the_root_of_ddz_holds_pure_rooms_alone():
    at_the_root = {file.stem for file in (ROOT / "ddz").glob("*.py")} - {"__init__"}
    assert at_the_root <= set(floors.FLOORS)
    assert all(floors.FLOORS[room] <= floors.CORE_FLOOR for room in at_the_root)


def test_every_package_is_installed():
    import tomllib

    listed = set(tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]["packages"])
    there = {module for module, file in MODULES.items() if file.name == "__init__.py"}
    assert there == listed, "pyproject.toml must list every package under tool.setuptools.packages"


def test_every_import_from_outside_is_declared():
    """What another package brings along may be gone with its next release."""
    import re
    import sys
    import tomllib

    told = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    extras = [each for extra in told["project"]["optional-dependencies"].values() for each in extra]
    declared = {
        re.match(r"[\w-]+", each)[0].lower().replace("-", "_")
        for each in [*told["build-system"]["requires"], *told["project"]["dependencies"], *extras]
    }
    wanted = {}
    for module, file in MODULES.items():
        for each in floors.imports(module, file.read_text("utf-8"), file.name == "__init__.py", set(MODULES)):
            wanted.setdefault(each.target.split(".")[0].lower(), module)
    outside = {top: module for top, module in wanted.items() if top not in sys.stdlib_module_names | {"ddz"}}
    assert {"typer", "rich", "msgspec", "numpy"} <= set(outside), "else none was looked at"
    assert {top: module for top, module in outside.items() if top not in declared} == {}


BAD = [
    # module, source, words of the fault
    ("ddz.cards", "from ddz.melds import Kind", "`cards` may import errors, kernel"),
    ("ddz.record", "from ddz.files import read_file", "the core is pure, and reads no file"),
    ("ddz.kernel", "from ddz.cards import Rank", "`kernel` is on floor 0 and `cards` on floor 0"),
    ("ddz.errors", "from ddz import kernel", "`errors` is on floor -1 and `kernel` on floor 0"),
    ("ddz.melds", "import ddz.rules", "`melds` is on floor 1 and `rules` on floor 2"),
    ("ddz.scoring", "from ddz.auction import highest", "`scoring` is on floor 3 and `auction` on floor 3"),
    ("ddz.frozen.events", "from ddz.melds import Meld", "`frozen` is on floor 1 and `melds` on floor 1"),
    ("ddz.state", "from ddz.moves import leads", "`state` never imports `moves`"),
    ("ddz.state", "from ddz import dealing", "`state` never imports `dealing`"),
    ("ddz.state", "from ddz.auction import Call, verdict", "ddz.auction.verdict: `state` takes only the types Call"),
    ("ddz.state", "from ddz import scoring", "`state` never imports `scoring`"),
    ("ddz.state", "from ddz.decide import decide", "`state` is on floor 5 and `decide` on floor 6"),
    ("ddz.view", "from ddz.record import Record", "`view` is on floor 7 and `record` on floor 7"),
    ("ddz.bots.clever", "from ddz.state import Playing", "`bots` may import errors, compiled, kernel"),
    (
        "ddz.bots.clever",
        "from ddz.frozen.events import Dealt",
        "`bots` takes only the types AuctionKind, KickerPolicy, Kind",
    ),
    ("ddz.bots.clever", "from ddz.frozen import events", "`bots` takes only the types AuctionKind, KickerPolicy, Kind"),
    ("ddz.bots.clever", "from ddz.log.base import Row", "`bots` may import errors, compiled, kernel"),
    ("ddz.bots.clever", "from ..state import Playing", "`bots` may import errors, compiled, kernel"),
    ("ddz.log.base", "from ddz.decide import decide", "`log` never imports `decide`"),
    ("ddz.log.base", "from ddz.bots import BOTS", "`log` is on floor 8 and `bots` on floor 8"),
    ("ddz.log.base", "from ddz.services import table", "`log` is on floor 8 and `services` on floor 9"),
    ("ddz.services.table", "from ddz.cli import app", "nobody outside cli imports ddz.cli"),
    ("ddz.services.table", "import cli.app", "there is no module `cli`"),
    ("ddz.services.table", "from ddz.arena import contest", "`services` is on floor 9 and `arena` on floor 10"),
    ("ddz.words.tell", "from ddz.cli.door import put", "nobody outside cli imports ddz.cli"),
    ("ddz.stats.summary", "from ddz.words.base import Words", "`stats` is on floor 10 and `words` on floor 11"),
    ("ddz.cli.play", "from ddz.cli.app import app", "inside cli, its own modules are imported with dots"),
    ("ddz.cli.play", "import sqlite3", "only ddz.log.driver chooses and imports a SQLite driver"),
    ("ddz.log.read", "from pysqlite3 import dbapi2", "only ddz.log.driver chooses"),
    ("ddz.decide", "import random", "the core is pure"),
    ("ddz.decide", "import time", "the core is pure"),
    ("ddz.view", "from datetime import datetime", "the core is pure"),
    ("ddz.record", "from pathlib import Path", "the core is pure"),
    ("ddz.record", "import os", "the core is pure"),
    ("ddz.cards", "import typer", "the core is pure"),
    ("ddz.dealing", "import secrets", "the core is pure"),
    ("ddz.dealing", "def f():\n    import uuid", "ddz.dealing, line 2, imports uuid: the core is pure"),
    ("ddz.moves", "if TYPE_CHECKING:\n    from ddz.state import State", "ddz.moves, line 2, imports ddz.state.State"),
    ("ddz.record", "text = open('x').read()", "calls open(): the core reads and writes nothing"),
    ("ddz.decide", "print('hello')", "calls print()"),
    ("ddz.bots.hard", "import numpy as np", "only ddz.bots.network, ddz.training.selfplay"),
    ("ddz.bots.network", "import torch", "only ddz.training.networks"),
    ("ddz.cli.train", "def f():\n    from torch import nn", "imports torch.nn: only ddz.training.networks"),
    ("ddz.attic", "", "ddz.attic stands on no floor"),
    ("ddz.decide", "from ddz.attic import dust", "`attic` stands on no floor"),
    ("ddz", "from ddz.cards import DECK", "ddz itself imports nothing of its own"),
]


@pytest.mark.parametrize(("module", "source", "words"), BAD, ids=[f"{bad[0]}: {bad[1]}" for bad in BAD])
def test_a_bad_module_is_found(module, source, words):
    found = floors.faults(module, source)
    assert len(found) == 1
    assert words in found[0]
    assert found[0].startswith(module)


GOOD = [
    ("ddz.cards", "from ddz import kernel\nfrom ddz.errors import Refused"),
    ("ddz.state", "from ddz.auction import Call\nfrom ddz.frozen.shapes import Cause\nfrom ddz.melds import Meld"),
    ("ddz.commands", "from ddz.frozen.shapes import Players"),
    (
        "ddz.bots.clever",
        "import random\nfrom ddz.view import SeatView\nfrom ddz.bots.base import Bot\nfrom . import base",
    ),
    ("ddz.log.driver", "import sqlite3\nimport pysqlite3"),
    ("ddz.bots.network", "import numpy as np\nfrom numpy.typing import NDArray"),
    ("ddz.training.networks", "import torch"),
    ("ddz.log.sqlite", "import os\nfrom ddz.log import driver\nfrom ddz.frozen.events import Event"),
    ("ddz.services.table", "from ddz import __version__\nfrom ddz.services.lines import line\nimport time"),
    ("ddz.cli.play", "import typer\nfrom . import app\nfrom .app import shell\nfrom ddz.services import table"),
]


@pytest.mark.parametrize(("module", "source"), GOOD, ids=[good[0] for good in GOOD])
def test_a_good_module_is_let_be(module, source):
    assert floors.faults(module, source) == []


def test_a_bad_house_is_walked_from_its_files(tmp_path):
    """From the files on, as the test above walks the real ones; cli/ counts as ddz.cli."""
    (tmp_path / "ddz" / "log").mkdir(parents=True)
    (tmp_path / "cli").mkdir()
    (tmp_path / "ddz" / "cards.py").write_text("from .log.base import Row\n", "utf-8")
    (tmp_path / "ddz" / "log" / "__init__.py").write_text("from ddz.cli import main\n", "utf-8")
    (tmp_path / "cli" / "__init__.py").write_text("from ddz.cli.app import main\n", "utf-8")
    found = {
        module: floors.faults(module, file.read_text("utf-8"), file.name == "__init__.py")
        for module, file in floors.modules(tmp_path).items()
    }
    assert set(found) == {"ddz.cards", "ddz.log", "ddz.cli"}
    assert all(len(faults) == 1 for faults in found.values())
