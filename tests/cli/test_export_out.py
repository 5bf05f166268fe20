"""`export --out DIR` writes into DIR and nowhere else, whatever ids a stranger's log has, and whatever lies there."""

import os
from pathlib import Path

import pytest
from ddz.cli.export import file_name

from ddz.commands import Deal
from ddz.decide import decide
from ddz.frozen.events import Event
from ddz.log import write
from ddz.services.opening import Opening, chosen, open_command
from ddz.state import START, fold

from .stage import PEOPLE, Ddz, import_record, opened, stage

ODD = [
    *("../up", "../../up/two", "/tmp/absolute", "a/b", "a\\b", "..", ".", ".hidden", "-x", "con", "NUL", "nul", "com1"),
    *("Case", "case", "CASE", "a b", "a~b", "a:b", "\x1b[2J", "\u202eevil", "\n", "\ud800", "é", "e\u0301", "x" * 300),
    *("", "a.toml", "game", "a-b", "a_b"),
]


def test_every_id_names_a_file_of_its_own_in_the_folder() -> None:
    names = {file_name(game) for game in ODD}
    assert len({name.lower() for name in names}) == len(ODD), "also where case makes no difference"
    for name in names:
        assert name.isascii()
        assert not set(name) & set('/\\:*?"<>|. \x1b\n')
        assert 1 <= len(name) <= 60
        assert name[0].isalnum()
    assert file_name("k7qnrdj2abcd") == "k7qnrdj2abcd", "ours are names as they are"
    for game in ODD:
        again = file_name(file_name(game))
        assert again == file_name(game) if file_name(game) == game else again != file_name(game)


@pytest.mark.parametrize("form", [(), ("--events",)])
def test_an_id_that_is_a_path_stays_in_the_folder(
    form: tuple[str, ...], db: Path, tmp_path: Path, ddz: Ddz, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = ["../../up", "../up", "Case", "case"]
    with monkeypatch.context() as patched, stage(db) as table:
        patched.setattr(write, "check_game_id", lambda _: None)  # as in a log that no ddz wrote
        for seed, game in enumerate(ids):
            table.log.append(game, 0, events_of(game, seed), f"c{seed}", table.clock())
    folder = tmp_path / "deep" / "er" / "out"
    before = {path for path in tmp_path.rglob("*") if path.is_file()}
    ddz("export", *ids, "--out", folder, "--reveal", *form)
    written = {path for path in tmp_path.rglob("*") if path.is_file()} - before
    assert {path.parent for path in written} == {folder}
    assert len(written) == len(ids)


def events_of(game: str, seed: int) -> list[Event]:
    """The events of a new game of this id."""
    command = open_command(game, Opening(players=PEOPLE, seed=seed, first_voice=0), chosen(seed, 1))
    events = decide(START, command)
    return [*events, *decide(fold(events), Deal())]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="a way of POSIX systems")
@pytest.mark.parametrize("kind", ["link", "dangling", "hard link", "fifo"])
def test_what_lies_there_is_not_followed(kind: str, db: Path, tmp_path: Path, ddz: Ddz) -> None:
    with stage(db) as table:
        game = import_record(table, "spring")
    folder, victim = tmp_path / "out", tmp_path / "victim"
    folder.mkdir()
    target = folder / f"{game}.toml"
    if kind != "dangling":
        victim.write_text("mine", encoding="utf-8")
    if kind == "hard link":
        target.hardlink_to(victim)
    elif kind == "fifo":
        os.mkfifo(target)
    else:
        target.symlink_to(victim)
    ddz.apart("export", game, "--out", folder)
    assert target.is_file()
    assert not target.is_symlink()
    assert target.read_text(encoding="utf-8") == ddz("export", game).out
    if kind == "dangling":
        assert not victim.exists()
    else:
        assert victim.read_text(encoding="utf-8") == "mine"
    assert [path.name for path in folder.iterdir()] == [target.name], "nothing is left beside it"


def test_a_folder_in_the_place_of_the_file(db: Path, tmp_path: Path, ddz: Ddz) -> None:
    with stage(db) as table:
        game = opened(table, seed=7)
    folder = tmp_path / "out"
    (folder / f"{game}.toml").mkdir(parents=True)
    done = ddz("export", game, "--reveal", "--out", folder, code=2)
    assert done.err == f"ddz: {folder / f'{game}.toml'}: Is a directory\n"
    assert len(list(folder.iterdir())) == 1
