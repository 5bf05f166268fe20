"""Walk through events with keys: single ones in a terminal, lines elsewhere."""

from collections.abc import Callable, Sequence

from ddz.errors import Unreadable
from ddz.words.base import Words
from ddz.words.columns import shown

from .door import begin, put
from .shell import is_terminal
from .terminal import key, typed_line

MOST_STRANGE = 1000
"""Lines or keys that mean nothing; a pipe without end is left then."""
_NEXT, _PREVIOUS, _FIRST, _LAST, _QUIT = "n", "p", "<", ">", "q"
_KEYS = {
    "": _NEXT,
    "\r": _NEXT,
    "\n": _NEXT,
    " ": _NEXT,
    "\x1b[C": _NEXT,  # right arrow
    "\x1b[B": _NEXT,  # down arrow
    "\x1b[D": _PREVIOUS,
    "\x1b[A": _PREVIOUS,
    "\x1b[H": _FIRST,  # Home
    "\x1b[F": _LAST,
    "\x1b": _QUIT,
}


def walk(seqs: Sequence[int], show: Callable[[int], Sequence[str]], words: Words) -> None:
    """Show one event after another: Enter, space, n or an arrow steps on, p back, a number to that event; q ends.

    `show(i)` gives the lines for the event `seqs[i]`; the numbers that one types are seqs.
    """
    terminal = is_terminal()
    at, last = 0, len(seqs) - 1
    strange = 0
    while True:
        put(*show(at))
        put(f"[{at + 1}/{len(seqs)}] {words.walk_keys if terminal else ''}".rstrip())
        wish = _key() if terminal else _line()
        if strange >= MOST_STRANGE:
            raise Unreadable("input/no-key", "standard input: {most} lines that are no key", most=MOST_STRANGE)
        if wish == _QUIT or (wish == _NEXT and at == last):
            return
        if wish in (_NEXT, _PREVIOUS):
            at = max(0, at + (1 if wish == _NEXT else -1))
        elif wish in (_FIRST, _LAST):
            at = 0 if wish == _FIRST else last
        elif wish.isascii() and wish.isdigit() and len(wish) < 10 and seqs[0] <= int(wish) <= seqs[-1]:
            at = int(wish) - seqs[0]
        else:
            strange += 1
            put(words.walk_no_key.format(key=shown(wish), first=seqs[0], last=seqs[-1]))


def _key() -> str:
    """What one key means; the first digit of a number waits for the rest of it, up to Enter."""
    try:
        typed = key()
    except EOFError:
        return _QUIT
    if not typed[:1].isdigit():
        return _KEYS.get(typed, typed)
    begin(typed)
    return (typed if typed[-1] in "\r\n" else typed + typed_line()).strip()


def _line() -> str:
    """What a line means; the end of the input ends the walk."""
    line = typed_line()
    return _KEYS.get(line.strip(), line.strip()) if line else _QUIT
