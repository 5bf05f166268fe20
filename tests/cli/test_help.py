"""Every command explains itself, and the README knows it."""

import re
import shlex
import subprocess
from pathlib import Path

import pytest
import typer.main
from ddz.cli.app import app
from ddz.cli.exits import MEANING

from .stage import SCRIPT, Ddz

ROOT = Path(__file__).parents[2]


def commands() -> list[str]:
    """Every command by its words: `play`, `log head`."""
    found = []
    group = typer.main.get_command(app)
    context = group.make_context("ddz", [], resilient_parsing=True)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        inner = getattr(command, "list_commands", None)
        if inner is None:
            found.append(name)
        else:
            found += [f"{name} {verb}" for verb in inner(context)]
    return found


COMMANDS = commands()


def test_the_commands_are_those_of_the_design() -> None:
    assert sorted(COMMANDS) == sorted(
        [
            *("play", "new", "act", "games", "show", "replay", "audit", "fork", "tree", "diff", "import", "export"),
            *("melds", "moves", "counts", "rules", "match", "stats", "doctor", "path", "schema"),
            *("arena", "botzone", "simulate", "train"),
            *("log head", "log verify", "log events", "log backup", "log merge", "log salvage"),
        ]
    )


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_a_command_has_an_example_that_runs(command: str, ddz: Ddz) -> None:
    for option in ("--help", "-h"):
        done = ddz(*command.split(), option)
        assert done.err == ""
    text = re.sub(r"\n *", " ", done.out)
    example = re.search(r"Example: (ddz .*?)  ", text)
    assert example, "there is an example"
    words = shlex.split(example[1])
    assert words[: len(command.split()) + 1] == ["ddz", *command.split()]
    ddz(*words[1 : len(command.split()) + 1], "--help")
    for named in re.findall(r"--[a-z-]+", example[1]):
        assert named in done.out.split("Options:")[1], "the example's options are there"
    if command not in ("melds", "moves", "counts", "rules", "botzone", "train", "schema", "log salvage"):
        assert "--db" in done.out


def test_the_list_of_commands_is_not_cut_off(ddz: Ddz) -> None:
    for parent in ([], ["log"]):
        listed = ddz(*parent, "--help").out.split("Commands:")[1]
        assert "..." not in listed
    for command in COMMANDS:
        parent, name = (["log"], command.split()[1]) if " " in command else ([], command)
        assert re.search(rf"^  {name} +[A-Z]", ddz(*parent, "--help").out, re.MULTILINE), command


def test_examples_run(ddz: Ddz) -> None:
    """Those that need nothing but a log with two games do so as they stand."""
    ddz("new", "--seed", "7", "--first", "1")
    for command in COMMANDS:
        text = re.sub(r"\n *", " ", ddz(*command.split(), "--help").out)
        example = re.search(r"Example: (ddz .*?)  ", text)
        assert example
        words = shlex.split(example[1])[1:]
        if words[0] in (
            *("melds", "moves", "counts", "rules", "games", "new", "show", "doctor", "path", "schema", "tree", "match"),
            "stats",
        ):
            assert ddz(*words).out


def test_the_readme_knows_every_command() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    glance = readme.split("## The commands at a glance")[1].split("\n## ")[0]
    for command in COMMANDS:
        first, _, verb = command.partition(" ")
        assert re.search(rf"`ddz {first}\b", glance), command
        assert not verb or re.search(rf"`(ddz log )?{verb}`", glance), command


def test_the_exit_codes_are_said_alike(ddz: Ddz) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    epilog = re.sub(r"\s+", " ", ddz("--help").out)
    for code, meaning in MEANING.items():
        assert f"{code} {meaning}" in epilog
        assert re.search(rf"^\| {code} \| {re.escape(meaning)}", readme, re.MULTILINE), code


def test_the_version(ddz: Ddz) -> None:
    from ddz import __version__

    assert ddz("--version").out == f"ddz {__version__}\n"


def test_no_command_shows_the_help(ddz: Ddz) -> None:
    done = ddz(code=None)
    assert "Usage: ddz" in done.out + done.err
    assert done.code in (0, 2)


def test_the_shell_completes_commands_and_ids(ddz: Ddz) -> None:
    game = ddz("new", "--seed", "7").out.strip()

    def completed(line: str) -> str:
        env = ddz.environment(
            {"_DDZ_COMPLETE": "complete_bash", "COMP_WORDS": line, "COMP_CWORD": str(line.count(" "))}
        )
        return subprocess.run([SCRIPT], env=env, capture_output=True, text=True, check=False).stdout

    assert "replay" in completed("ddz re").split()
    assert completed(f"ddz replay {game[:3]}").split() == [game]


def test_a_completion_without_a_log_is_silent(ddz: Ddz, db: Path) -> None:
    env = ddz.environment({"_DDZ_COMPLETE": "complete_bash", "COMP_WORDS": "ddz replay a", "COMP_CWORD": "2"})
    done = subprocess.run([SCRIPT], env=env, capture_output=True, text=True, check=False)
    assert (done.stdout.strip(), done.stderr) == ("", "")
    assert not db.exists()
