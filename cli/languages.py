"""The languages, and which one is meant."""

import os
from typing import Final

from ddz.errors import Unreadable

from .chinese import CHINESE
from .english import ENGLISH
from .words import Words

LANGUAGES: Final = {"en": ENGLISH, "zh": CHINESE}


def words_for(asked: str | None) -> Words:
    """The language that was asked for, else that of DDZ_LANG or of the locale; English where it is none of ours.

    Raises:
        Unreadable: if a language was asked for by an option that there is not.
    """
    if asked is not None and asked[:2].lower() not in LANGUAGES:
        raise Unreadable(f"--lang takes {' or '.join(LANGUAGES)}, not {asked!r}")
    for wanted in (asked, os.environ.get("DDZ_LANG"), *map(os.environ.get, ("LC_ALL", "LC_MESSAGES", "LANG"))):
        if wanted:
            return LANGUAGES.get(wanted[:2].lower(), ENGLISH)
    return ENGLISH
