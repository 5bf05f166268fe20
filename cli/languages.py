"""Which language the command line speaks: what an option, DDZ_LANG or the locale says."""

import os
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from ddz.errors import DdzError, Unreadable
from ddz.words.languages import DEFAULT, LANGUAGES, first_of, known, language

if TYPE_CHECKING:
    from ddz.words.base import Words

HELP: Final = {"zh": "help_zh"}
"""The module beside this one that has the help in a language (`TEXTS`, `COMPLAINTS`); without one, it is in English."""

ERRORS: Final = {"zh": "errors_zh"}
"""The module beside this one that says in a language what is wrong with a command line (`ERRORS`)."""


def meant(asked: str | None = None) -> str:
    """The language that was asked for, else that of DDZ_LANG or of the locale; English if ddz does not speak that one.

    Raises:
        Unreadable: if a language was asked for by an option that there is not.
    """
    if asked is not None and known(asked) is None:
        raise Unreadable(
            "usage/lang", "--lang takes one of {languages}, not '{asked}'", languages=", ".join(LANGUAGES), asked=asked
        )
    return first_of((asked, *map(os.environ.get, ("DDZ_LANG", "LC_ALL", "LC_MESSAGES", "LANG"))))


def words_for(asked: str | None) -> "Words":
    """What the language that is meant says.

    Raises:
        Unreadable: if a language was asked for by an option that there is not.
    """
    return language(meant(asked))


def spoken(asked: str | None) -> str:
    """The language that errors are told in: the one that is meant, whatever was asked for."""
    return meant(asked if asked is not None and known(asked) else None)


def told(error: DdzError, asked: str | None) -> str:
    """What is wrong, in the language that is meant."""
    name = spoken(asked)
    if name == DEFAULT:
        return str(error)  # as it was raised: no catalogue is imported
    from msgspec.structs import replace

    from ddz.words.errors import sentence

    words = language(name)
    own = import_module(f".{ERRORS[name]}", __package__).ERRORS if name in ERRORS else {}
    return sentence(error, replace(words, errors={**words.errors, **own}))


def meant_in(ctx: Any) -> str:  # noqa: ANN401  # Click's own type is Typer's secret
    """The language of a command line that is still being read: that of `--lang` if it was read, else the usual one."""
    asked = ctx.params.get("lang")
    return meant(asked if asked is not None and known(asked) else None)


def page(ctx: Any, write: Callable[[Any, Any], None]) -> str:  # noqa: ANN401
    """The page that `write(ctx, formatter)` writes, in the language that is meant."""
    formatter = ctx.make_formatter()
    if catalogue := _catalogue(meant_in(ctx)):
        from .pages import TranslatedHelp

        formatter = TranslatedHelp(formatter, catalogue.TEXTS)
    write(ctx, formatter)
    text: str = formatter.getvalue()
    return text.rstrip("\n")


def complaints(ctx: Any, *lines: str) -> list[str]:  # noqa: ANN401
    """What Typer says of a command line that it cannot read, in the language that is meant; `ctx` may be None."""
    catalogue = _catalogue(meant() if ctx is None else meant_in(ctx))
    if catalogue is None:
        return [*lines]
    from .pages import complaint

    return [complaint(line, catalogue.COMPLAINTS) for line in lines]


def _catalogue(name: str) -> Any:  # noqa: ANN401
    return import_module(f".{HELP[name]}", __package__) if name in HELP else None
