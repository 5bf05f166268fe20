"""The languages: a new one is a module with its `WORDS`, and a line here."""

from collections.abc import Iterable
from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from .base import Words

LANGUAGES: Final = {
    "en": "ddz.words.english",
    "zh": "ddz.words.chinese",
}
"""Each language's module, by the name that people ask for it by; it is imported when the language is spoken."""
DEFAULT: Final = "en"


def language(name: str) -> "Words":
    """The words of a language that there is."""
    words: Words = import_module(LANGUAGES[name]).WORDS
    return words


def known(name: str) -> str | None:
    """The language that a name such as `zh`, `zh_CN.UTF-8` or `zh-Hant` means; None if there is no such language."""
    short = name.partition(".")[0].replace("-", "_").partition("_")[0].lower()
    return short if short in LANGUAGES else None


def first_of(names: Iterable[str | None]) -> str:
    """The language of the first name that is there at all; English if there is no such language."""
    return next((known(name) or DEFAULT for name in names if name), DEFAULT)
