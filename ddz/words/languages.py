"""The languages, and which one a name means. A new one is a module beside this and a line in `LANGUAGES`."""

from collections.abc import Iterable
from typing import Final

from .base import Words
from .chinese import CHINESE
from .english import ENGLISH

LANGUAGES: Final = {"en": ENGLISH, "zh": CHINESE}


def first_of(names: Iterable[str | None]) -> Words:
    """The language of the first name that is there, such as `zh` or `zh_CN.UTF-8`; English where it is none of ours."""
    for name in names:
        if name:
            return LANGUAGES.get(name[:2].lower(), ENGLISH)
    return ENGLISH
