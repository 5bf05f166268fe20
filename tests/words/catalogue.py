"""A catalogue laid open: every sentence of a language, and the blanks in it."""

import string
from typing import Any

from ddz.words.base import Words


def blanks(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


def sentences(words: Words) -> dict[str, str]:
    """Every sentence by the way to it."""
    found = {}

    def walk(path: str, value: Any) -> None:
        if isinstance(value, dict):
            for key, inner in value.items():
                walk(f"{path}/{key}", inner)
        elif isinstance(value, tuple):
            for at, inner in enumerate(value):
                walk(f"{path}/{at}", inner)
        elif isinstance(value, str):
            found[path] = value

    for field in words.__struct_fields__:
        if field == "errors":  # English has none of these: it is what the errors are raised with
            continue
        walk(field, getattr(words, field))
    return found
