"""Which language the command line speaks: what an option, DDZ_LANG or the locale says."""

import os
from typing import TYPE_CHECKING

from ddz.errors import Unreadable
from ddz.words.languages import LANGUAGES, first_of, known, language

if TYPE_CHECKING:
    from ddz.words.base import Words


def meant(asked: str | None = None) -> str:
    """The language that was asked for, else that of DDZ_LANG or of the locale; English where it is none of ours.

    Raises:
        Unreadable: if a language was asked for by an option that there is not.
    """
    if asked is not None and known(asked) is None:
        raise Unreadable(f"--lang takes {' or '.join(LANGUAGES)}, not {asked!r}")
    return first_of((asked, *map(os.environ.get, ("DDZ_LANG", "LC_ALL", "LC_MESSAGES", "LANG"))))


def words_for(asked: str | None) -> "Words":
    """What the language that is meant says.

    Raises:
        Unreadable: if a language was asked for by an option that there is not.
    """
    return language(meant(asked))
