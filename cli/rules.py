"""`ddz rules`: the presets side by side, and one of them, or a house's own rules, in words."""

from typing import Annotated

import typer

from .door import give, put
from .languages import words_for
from .shell import Json, Lang, rules_named


def rules(
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="A preset or a FILE.toml; by default all presets.")
    ] = None,
    lang: Lang = None,
    as_json: Json = False,
) -> None:
    """Show the presets of rules side by side, or one of them in words with the number of its melds.

    Your own rules are a TOML file: `name`, `like` (a preset) and the knobs that differ, such as `bomb = 3` or,
    in a table `[kickers]`, `most_equal = 2`; `ddz rules --json` shows all knobs.

    Example: ddz rules classic
    """
    from ddz.rules import PRESETS
    from ddz.words.house import house_lines, presets_lines

    words = words_for(lang)
    chosen = tuple(PRESETS.values()) if name is None else (rules_named(name),)
    if as_json:
        from ddz.contract.melds import RulesJson, knobs_json

        give(RulesJson({each.name: knobs_json(each) for each in chosen}))
    elif name is None:
        put(*presets_lines(words))
    else:
        put(*house_lines(chosen[0], words))


def help_text(language: str) -> str:
    """The table of presets, generated, for the command's help."""
    from ddz.words.house import presets_lines
    from ddz.words.languages import language as words_of

    return "\n".join(presets_lines(words_of(language)))
