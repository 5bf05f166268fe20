"""Which language the command line speaks: what an option, DDZ_LANG or the locale says."""

import os

from ddz.errors import Unreadable
from ddz.words.base import Words
from ddz.words.languages import LANGUAGES, first_of


def words_for(asked: str | None) -> Words:
    """The language that was asked for, else that of DDZ_LANG or of the locale; English where it is none of ours.

    Raises:
        Unreadable: if a language was asked for by an option that there is not.
    """
    if asked is not None and asked[:2].lower() not in LANGUAGES:
        raise Unreadable(f"--lang takes {' or '.join(LANGUAGES)}, not {asked!r}")
    return first_of((asked, *map(os.environ.get, ("DDZ_LANG", "LC_ALL", "LC_MESSAGES", "LANG"))))
