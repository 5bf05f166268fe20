"""What a machine gives ddz, in words."""

from collections.abc import Mapping, Sequence

from .base import Words
from .columns import padded


def machine_lines(facts: Mapping[str, str], advice: Sequence[str], words: Words) -> list[str]:
    """What is known of the machine, a line a fact, and what to do about it."""
    rows = [(words.doctor[name], value) for name, value in facts.items()]
    return [*padded(rows), *(words.doctor["advice"].format(advice=each) for each in advice)]
