"""Where Chinese is meant, tables and messages are Chinese from end to end, of every command that says something."""

import re
from pathlib import Path

import pytest
from words.catalogue import sentences

from ddz.words.english import WORDS as ENGLISH
from ddz.words.languages import language

from .stage import Ddz

CHINESE = language("zh")
COMMANDS = [
    *("games --limit 3", "games --unfinished", "match {game}", "tree {game}", "diff {game} {fork}", "stats"),
    *("replay {game}", "replay {game} --at 7", "audit {game}", "audit {game} --as-rules pagat", "audit --all"),
    *("show {game}", "doctor", "rules", "rules pagat", "counts", "melds 333444555666", "melds 34"),
    *("moves 3344 --top 33", "log verify", "log backup {folder}/copy.db", "log merge {folder}/other.db"),
    *("log salvage {folder}/other.db {folder}/sound.db", "import {folder}/{game}.toml"),
    *("arena simple random --decks 1", "simulate --games 2 --bots random --seed 3 -j 1"),
    "simulate --games 2 --bots random --seed 3 -j 1 --out {folder}/shards",
]
FRAGMENTS = {
    path: [each for each in re.split(r"\{.*?\}", sentence) if len(each.strip()) > 5 and " " in each.strip()]
    for path, sentence in sentences(ENGLISH).items()
}
"""What an English sentence says around its blanks; single words may be names as well."""


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """A log with a match of two games and a fork; another log; a record."""
    folder = tmp_path_factory.mktemp("chinese")
    ddz = Ddz({"DDZ_DB": str(folder / "games.db"), "DDZ_LANG": "en", "TERM": "xterm"})
    ddz("play", "--auto", "--seed", "4", "--rounds", "2", "--bot", "random")
    game = ddz("games", "--json").json["games"][0]["game"]
    fork = ddz("fork", game, "--at", "6", "--auto", "--bot", "simple").out.strip()
    ddz("new", "--seed", "3")
    ddz("export", game, "--out", folder)
    ddz("play", "--auto", "--seed", "5", "--bot", "random", "--db", folder / "other.db")
    return {"folder": str(folder), "game": game, "fork": fork}


@pytest.mark.parametrize("command", COMMANDS)
def test_what_a_command_says_is_chinese(command: str, log: dict[str, str], ddz: Ddz) -> None:
    words = [word.format(**log) for word in command.split()]
    done = ddz(*words, env={"DDZ_LANG": "zh", "DDZ_DB": str(Path(log["folder"]) / "games.db")})
    said = done.out + done.err
    assert re.search("[\u4e00-\u9fff]", said)
    english = [path for path, parts in FRAGMENTS.items() if any(part.strip() in said for part in parts)]
    assert english == []


def test_the_fragments_would_be_noticed(log: dict[str, str], ddz: Ddz) -> None:
    said = ddz("audit", "--all", env={"DDZ_DB": str(Path(log["folder"]) / "games.db")}).out
    assert any(part.strip() in said for part in FRAGMENTS["audited"])
    assert "审计" in CHINESE.audited
