"""Pages of help in another language than English: Typer writes them, and each text is translated.

A language's catalogue has the texts by the English ones, as gettext has it. What it lacks is shown in English.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final

from ddz.words.columns import fitted, width, wrapped

_RAW: Final = "\b"
"""What begins a paragraph that keeps its lines."""
_EXTRAS: Final = re.compile(r"(?:(?P<text>.*?)  )?\[(?P<extras>[^\[\]]*)\]", re.DOTALL)
"""What Typer puts behind an option's text: `Your seat.  [default: 0; 0<=x<=2]`."""
_VALUES: Final = re.compile(r"(?:<[a-z ]+>|\b[A-Z]+(?: RANGE)?)$")
"""What Typer calls the value of an option, behind its names."""


def complaint(message: str, patterns: Sequence[tuple[str, str]]) -> str:
    """What Typer says of a command line, by the first pattern that it has; as it is if it has none."""
    for pattern, sentence in patterns:
        found = re.fullmatch(pattern, message, re.DOTALL)
        if found is not None:
            why = found.re.groupindex.get("why")
            parts = enumerate(found.groups(), 1)
            return sentence.format(*(complaint(part, patterns) if at == why else part for at, part in parts))
    return message


class TranslatedHelp:
    """What Typer writes help with, in another language; wide characters take the two columns that they have."""

    def __init__(self, formatter: Any, texts: Mapping[str, str]) -> None:  # noqa: ANN401
        self._formatter = formatter
        self._texts = texts

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401
        """Where the page stands, and what writes it as it is."""
        return getattr(self._formatter, name)

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        """Write how the command is called."""
        for english in ("[OPTIONS]", "COMMAND [ARGS]..."):
            args = args.replace(english, self._said(english))
        self._formatter.write_usage(prog, args, self._said(prefix or "Usage: "))

    @contextmanager
    def section(self, name: str) -> Iterator[None]:
        """Write a heading, and what follows below it."""
        self._formatter.write_paragraph()
        self._formatter.write(f"{self._margin()}{self._said(name)}：\n")
        with self._formatter.indentation():
            yield

    def write_text(self, text: str) -> None:
        """Write paragraphs, each in lines that fit."""
        lines: list[str] = []
        for paragraph in re.split(r"\n\s*\n", text):
            lines += [""] * bool(lines)
            if paragraph.startswith(_RAW):
                lines += paragraph.splitlines()[1:]
            else:
                lines += self._fitting(self._paragraph(" ".join(paragraph.split())))
        self._formatter.write("".join(f"{self._margin()}{line}".rstrip() + "\n" for line in lines))

    def write_dl(self, rows: Sequence[tuple[str, str]], most: int = 30) -> None:
        """Write a list of names with what each means."""
        told = [(self._named(name), self._meaning(text)) for name, text in rows]
        column = min(max(width(name) for name, _ in told), most) + 2
        for name, text in told:
            lines = self._fitting(text, column)
            fits = width(name) + 2 <= column
            first = fitted(name, column) + lines.pop(0) if fits and lines else name
            below = [" " * column + line for line in lines]
            self._formatter.write("".join(f"{self._margin()}{line}\n" for line in (first, *below)))

    def _fitting(self, text: str, taken: int = 0) -> list[str]:
        return wrapped(text, max(self._formatter.width - len(self._margin()) - taken, 10))

    def _margin(self) -> str:
        return " " * int(self._formatter.current_indent)

    def _said(self, english: str) -> str:
        return self._texts.get(english, english)

    def _paragraph(self, english: str) -> str:
        label, example, shown = english.partition("Example: ")
        return self._said("Example: {}").format(shown) if example and not label else self._said(english)

    def _named(self, name: str) -> str:
        return _VALUES.sub(lambda value: self._said(value[0]), name)

    def _meaning(self, text: str) -> str:
        found = None if text in self._texts else _EXTRAS.fullmatch(text)
        if found is None:
            return self._said(text)
        extras = "；".join(map(self._extra, found["extras"].split("; ")))
        return f"{self._said(found['text'] or '')}  [{extras}]".lstrip()

    def _extra(self, extra: str) -> str:
        label, default, value = extra.partition("default: ")
        return self._said("default: {}").format(value) if default and not label else self._said(extra)
