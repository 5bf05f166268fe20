"""The help of the command line in Chinese: every text of every command has its own, and nothing else has one."""

import inspect
import re
from collections.abc import Iterator
from typing import Any

import pytest
import typer.main
from ddz.cli import help_zh
from ddz.cli.app import COMMANDS, LOG_COMMANDS, app
from ddz.cli.languages import HELP
from ddz.cli.pages import complaint

from ddz.words.columns import width, wrapped
from ddz.words.languages import LANGUAGES

from .stage import Ddz

TEXTS = help_zh.TEXTS
COMMAND_LINES = [[], *([name] for name in COMMANDS), *(["log", name] for name in LOG_COMMANDS)]
NAMED = re.compile(r"`[^`]+`|(?<![\w-])--?[a-z][a-z-]*|\b[A-Z][A-Z_:,.\w]*[A-Z]\b|\S+\.(?:toml|npz)|@last")
"""What a text names and a translation must name too: commands, options, values, files."""


def told(group: Any, context: Any) -> Iterator[tuple[str, str]]:
    """Every English text with the command that says it: paragraphs, options, lists."""
    for paragraph in re.split(r"\n\s*\n", inspect.cleandoc(f"{group.help or ''}\n\n{group.epilog or ''}").strip()):
        if not paragraph.startswith("Example: "):
            yield context.command_path, " ".join(paragraph.split())
    for each in group.get_params(context):
        if getattr(each, "help", None) and not each.hidden:
            yield f"{context.command_path} {each.name}", each.help
    for name, entry in getattr(group, "entries", {}).items():
        yield f"{context.command_path}, its list", entry.says
        command = group.get_command(context, name)
        yield from told(command, command.make_context(name, [], parent=context, resilient_parsing=True))


def every_text() -> list[tuple[str, str]]:
    group = typer.main.get_command(app)
    return list(told(group, group.make_context("ddz", [], resilient_parsing=True)))


EVERY = every_text()


def test_every_language_but_english_has_its_help() -> None:
    assert set(HELP) == set(LANGUAGES) - {"en"}


@pytest.mark.parametrize(("where", "english"), EVERY, ids=[where for where, _ in EVERY])
def test_every_text_has_its_chinese(where: str, english: str) -> None:
    assert english in TEXTS, f"{where}: cli/help_zh.py lacks this text"
    chinese = TEXTS[english]
    assert re.search("[\u4e00-\u9fff]", chinese)
    assert not re.search("[\u4e00-\u9fff][,:;!?]", chinese), "a half-width sign behind a word"
    lacking = [named for named in NAMED.findall(english) if named not in chinese]
    assert lacking == []


def test_no_text_is_left_of_old() -> None:
    used = {english for _, english in EVERY}
    assert set(TEXTS) - used <= set(help_zh.TYPER), "these texts are said by no command any more"


def test_equal_texts_alone_are_said_alike() -> None:
    by_command = {english: chinese for english, chinese in TEXTS.items() if english not in help_zh.TYPER}
    twice = {chinese for chinese in by_command.values() if list(by_command.values()).count(chinese) > 1}
    alike = [sorted(english for english in by_command if by_command[english] == chinese) for chinese in twice]
    assert alike == [], "two English texts with one Chinese: make the English one text too"


@pytest.mark.parametrize("line", COMMAND_LINES, ids=" ".join)
def test_a_page_is_chinese_from_its_first_line_to_its_last(line: list[str], ddz: Ddz) -> None:
    page = ddz(*line, "--help", env={"DDZ_LANG": "zh"})
    assert page.err == ""
    assert page.out.startswith(f"用法：{' '.join(['ddz', *line])} [选项]")
    english = ddz(*line, "--help").out
    for text in ("Usage", "Options", "Show"):
        assert text in english
        assert text not in page.out
    for text in ("Arguments", "Commands", "Example", "default", "required", "<int", "<str", "<float"):
        assert text not in page.out
    assert max(map(width, page.out.splitlines())) <= 80
    options = re.compile(r"^ +(-[-\w, ]*--[a-z-]+|--[a-z-]+|-h)", re.MULTILINE)
    assert options.findall(page.out.split("选项：")[1]) == options.findall(english.split("Options:")[1]), (
        "the same options in the same order"
    )


def test_the_option_counts_where_it_stands_before_the_help(ddz: Ddz) -> None:
    assert ddz("rules", "--lang", "zh", "--help").out == ddz("rules", "--help", env={"DDZ_LANG": "zh"}).out
    assert ddz("rules", "--lang", "en", "--help", env={"DDZ_LANG": "zh"}).out == ddz("rules", "--help").out
    assert ddz("rules", "--lang", "nowhere", "--help").out == ddz("rules", "--help").out, "help is not refused"


def test_the_table_of_rules_is_in_the_help_too(ddz: Ddz) -> None:
    chinese = {"DDZ_LANG": "zh"}
    page = ddz("rules", "--help", env=chinese).out
    for row in ddz("rules", env=chinese).out.splitlines():
        assert f"  {row}\n" in page


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("act", "错误：缺少参数 'GAME'。"),
        ("fork x", "错误：缺少选项 '--at'。"),
        ("log --foo", "错误：没有选项 --foo。"),
        ("play --seats 3", "错误：没有选项 --seats。相近的有：--auto, --seat, --seed"),
        ("play --seat x", "错误：'--seat' 的值不对：'x' 不是整数。"),
        ("play --delay nix", "错误：'--delay' 的值不对：'nix' 不是数。"),
        ("games --limit 0", "错误：'--limit' 的值不对：0 不在范围 x>=1 之内。"),
        ("stats --rules", "错误：选项 '--rules' 需要一个值。"),
        ("play --auto=3", "错误：选项 '--auto' 不带值。"),
        ("path x y", "错误：多出了参数：x y"),
        ("frobnicate", "错误：没有命令 'frobnicate'。"),
        ("games --limit {0}", "错误：'--limit' 的值不对：'{0}' 不是整数。"),
    ],
)
def test_what_typer_cannot_read_is_said_in_chinese(line: str, said: str, ddz: Ddz) -> None:
    done = ddz(*line.split(), code=2, env={"DDZ_LANG": "zh"})
    assert done.err.splitlines()[-1] == said
    assert "Try" not in done.err
    assert "Error: " in ddz(*line.split(), code=2).err


def test_an_unknown_complaint_stays_as_it_is() -> None:
    assert complaint("Something new.", help_zh.COMPLAINTS) == "Something new."
    assert complaint("Error: Something new.", help_zh.COMPLAINTS) == "错误：Something new."


def test_lines_are_broken_where_a_reader_would() -> None:
    text = "机器人是 `ddz play --bot` 可用的名字（见“帮助”），或 exec:CMD。"
    for columns in range(10, 80):
        lines = wrapped(text, columns)
        assert "".join(lines).replace(" ", "") == text.replace(" ", "")
        assert all(width(line) <= columns for line in lines)
        assert not any(line[0] in "，。）”" or line[-1] in "（“" for line in lines)
        assert all("--bot`" in line for line in lines if "--b" in line), "a word is whole"
    assert wrapped("", 10) == [""]
    assert wrapped("much-too-long for it", 4) == ["much-too-long", "for", "it"]
