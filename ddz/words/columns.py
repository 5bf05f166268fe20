"""Columns of text that stay straight with wide characters.

Own code where a library would do: on the machine this was written on, importing wcwidth takes a third as long as
Typer itself and tabulate as long as Typer, on every replay; the standard library's widths are enough for our words.
"""

import re
from collections.abc import Sequence
from typing import Final

from ddz.names import shown_name
from ddz.signs import shown, width

__all__ = ["apart", "brief", "fitted", "padded", "shown", "width", "wrapped"]


def brief(text: str, columns: int = 64) -> str:
    """A stored text in a sentence, cut where ours end: a longer one could run over the right margin into a line."""
    return shown_name(text, columns)


def fitted(text: str, columns: int) -> str:
    """The text, filled up with blanks to so many columns; a longer one is left whole."""
    return text + " " * (columns - width(text))


_PIECES: Final = (
    r"(?P<blank>\s*)(?P<piece>[（《「『“‘]*(?:[^\s\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\uffe6]+|\S)"
    r"[，。；：！？、）》」』”’…]*)"
)
"""What stays on one line: a word, or a wide character, with the brackets and stops that belong to it.

Left to `re` to compile when it is asked for: it takes longer than all the rest of this module.
"""


def wrapped(text: str, columns: int) -> list[str]:
    """A text in lines of so many columns: words are kept whole, and between wide characters a line may end anywhere."""
    lines = [""]
    for found in re.finditer(_PIECES, text):
        blank, piece = found["blank"] if lines[-1] else "", found["piece"]
        if lines[-1] and width(lines[-1] + blank + piece) > columns:
            lines.append(piece)
        else:
            lines[-1] += blank + piece
    return lines


def apart(blocks: Sequence[Sequence[str]]) -> list[str]:
    """Blocks of lines, with an empty line between each two."""
    return [line for block in blocks for line in ("", *block)][1:]


def padded(rows: Sequence[Sequence[str]], right: tuple[int, ...] = (), gap: str = "  ") -> list[str]:
    """Rows as lines with straight columns; `right` are the columns that stand to the right."""
    widths = [max(width(row[at]) for row in rows) for at in range(len(rows[0]))] if rows else []
    lines = []
    for row in rows:
        cells = []
        for at, text in enumerate(row):
            fill = " " * (widths[at] - width(text))
            cells.append(fill + text if at in right else text + fill)
        lines.append(gap.join(cells).rstrip())
    return lines
