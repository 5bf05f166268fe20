"""What to type, by the code of what was wrong: no error below the front doors knows how one types."""

from typing import Final

from ddz.errors import DdzError, Phrase
from ddz.words.languages import DEFAULT

_EXTRA: Final = "pip install 'ddz[{extra}]'"
_CHECKOUT: Final = "pip install '.[{extra}]'"
ADVICE: Final = {
    "en": {
        "bot/does-not-search": "Type: --bot expert",
        "bot/not-by-a-log": "Type: --bot BOT",
        "extra/not-installed": f"Type: {_EXTRA} (in a checkout: {_CHECKOUT})",
        "game/unknown": "Type: ddz games to list those of this log",
        "game/none-unfinished": "Type: ddz play to begin one",
        "game/hidden": "Add --reveal to do it all the same",
        "simulation/games": "Type: --games N",
        "simulation/in-the-way": "Type: --resume to continue it",
        "simulation/none": "Omit --resume to begin one",
        "simulation/other": "Omit --{what} to continue it",
        "simulation/way-out": "Type: ddz log merge {shards}",
        "training/present": "Type: --resume to continue it",
        "training/absent": "Omit --resume to begin one",
        "engine/address": "Type: --engine ray",
        "schema/unknown": "Type: ddz schema to list them",
        "merge/lawless": "Type: ddz log salvage FILE TARGET to make a log of what is sound in it",
    },
    "zh": {
        "bot/does-not-search": "请输入：--bot expert",
        "bot/not-by-a-log": "请输入：--bot BOT",
        "extra/not-installed": f"请输入：{_EXTRA}（在源码目录里：{_CHECKOUT}）",
        "game/unknown": "要看日志里有哪些牌局，请输入：ddz games",
        "game/none-unfinished": "要开新的一局，请输入：ddz play",
        "game/hidden": "仍要这样做，请加上 --reveal",
        "simulation/games": "请加上 --games N",
        "simulation/in-the-way": "要接着打，请加上 --resume",
        "simulation/none": "要另开一个，请省略 --resume",
        "simulation/other": "要接着打，请省略 --{what}",
        "simulation/way-out": "请输入：ddz log merge {shards}",
        "training/present": "要接着训练，请加上 --resume",
        "training/absent": "要从头训练，请省略 --resume",
        "engine/address": "请加上 --engine ray",
        "schema/unknown": "要看有哪些对象，请输入：ddz schema",
        "merge/lawless": "用 ddz log salvage FILE TARGET 可以把其余的存成新日志",
    },
}
"""By language and code of the error (its key, where it tells of another one), or of a phrase in it."""
_BEHIND: Final = {"en": ". ", "zh": "。"}


def advice(error: DdzError, language: str) -> str:
    """What to type, to stand behind the sentence; nothing where nothing helps."""
    name = language if language in ADVICE else DEFAULT
    for phrase in (error, *(fact for fact in error.facts.values() if isinstance(fact, Phrase))):
        text = ADVICE[name].get(phrase.key) or ADVICE[name].get(phrase.code)
        if text is not None:
            return _BEHIND[name] + text.format(**phrase.plain_facts)
    return ""
