"""Errors and refusals in a language: its template for what is wrong, filled with the facts.

A language says an error by its key, which is its code but for an error that tells of another one. Where one key has
several sentences, the language has as many, and its sentence is the one with the blanks of the English one. What a
language lacks is said in English. A phrase within a sentence, and so an error within an error, is said in the same
language.
"""

import string
from collections.abc import Mapping
from functools import cache

from ddz.errors import Fact, Phrase, Refused

from .base import Templates, Words


def sentence(phrase: Phrase, words: Words) -> str:
    """What an error, or a part of one, says in a language."""
    own = template_of(phrase, words.errors)
    if own is None:
        facts = {
            name: sentence(fact, words) if isinstance(fact, Phrase) else fact for name, fact in phrase.facts.items()
        }
        return phrase.template.format(**facts)
    return filled(own, phrase.facts, words)


def refusal(refused: Refused, words: Words, reading: str | None = None) -> str:
    """A refusal as the player at the table is told it, who named a `reading` for his cards or none."""
    facts = dict(refused.facts)
    code = refused.code
    if code == "play/not-a-meld" and reading is not None:
        code, facts["reading"] = "play/no-such-reading", reading
    if code == "play/not-held" and facts["held"] == 0:
        code = "play/none-held"
    template = words.refusals.get(code)
    return sentence(refused, words) if template is None else filled(template, facts, words)


def filled(template: str, facts: Mapping[str, Fact], words: Words) -> str:
    """A language's own template with its blanks filled: ranks as it calls them, phrases in its sentences."""
    return template.format(**{name: _told(name, fact, words) for name, fact in facts.items()})


def template_of(phrase: Phrase, templates: Templates) -> str | None:
    """The template for a phrase among those of a language; None if it has none."""
    own = templates.get(phrase.key)
    if own is None or isinstance(own, str):
        return own
    wanted = blanks(phrase.template)
    return next((template for template in own if blanks(template) == wanted), None)


@cache
def blanks(template: str) -> frozenset[str]:
    """The names of the facts that a template is filled with."""
    return frozenset(name for _, name, _, _ in string.Formatter().parse(template) if name is not None)


def _told(name: str, fact: Fact, words: Words) -> str | int | float:
    if isinstance(fact, Phrase):
        return sentence(fact, words)
    return words.ranks.get(str(fact), fact) if name == "rank" else fact
