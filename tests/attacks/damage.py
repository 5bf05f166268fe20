"""What can befall a file on its disk: bits flip, pages are copied, zeroed or swapped, a tail is missing."""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from .pages import HEADER, INDEX, TABLE, Pages

Files = dict[str, bytes]
"""The bytes of a log's file and of those beside it, by what their names end in."""


@dataclass(frozen=True)
class Damage:
    """One thing that has befallen a file."""

    kind: str
    what: str
    """What exactly, so that it can be done again."""
    files: Files


def _flipped(data: bytes, at: int, bit: int) -> bytes:
    return data[:at] + bytes([data[at] ^ 1 << bit]) + data[at + 1 :]


def _flips(kind: str, files: Files, places: list[range], dice: random.Random, ending: str = "") -> Damage:
    """A bit anywhere in some of the places, each of which is as likely as the others."""
    at, bit = dice.choice(dice.choice(places)), dice.randrange(8)
    return Damage(kind, f"bit {bit} of byte {at}", {**files, ending: _flipped(files[ending], at, bit)})


def _in_pages(kind: str, chosen: Callable[[Pages], list[int]]) -> Callable[[Files, Pages, random.Random], Damage]:
    return lambda files, pages, dice: _flips(kind, files, [pages.bytes_of(page) for page in chosen(pages)], dice)


def _uniform(files: Files, pages: Pages, dice: random.Random) -> Damage:
    del pages
    return _flips("anywhere", files, [range(len(files[""]))], dice)


def _header(files: Files, pages: Pages, dice: random.Random) -> Damage:
    del pages
    return _flips("header", files, [range(HEADER)], dice)


def _heads_of_pages(files: Files, pages: Pages, dice: random.Random) -> Damage:
    """What a page says of itself and where its cells are: few bytes of many, so that chance alone seldom finds them."""
    places = [range(pages.bytes_of(page).start, pages.bytes_of(page).start + 24) for page in pages.of_types(ALL)]
    return _flips("heads of pages", files, places, dice)


def _page(kind: str, name: str, make: Callable[[bytes, bytes, random.Random], tuple[bytes, bytes]]) -> "Maker":
    """Two pages, and what each becomes."""

    def damage(files: Files, pages: Pages, dice: random.Random) -> Damage:
        one, other = dice.sample(range(1, pages.count + 1), 2)
        data = bytearray(files[""])
        first, second = (slice(where.start, where.stop) for where in map(pages.bytes_of, (one, other)))
        data[first], data[second] = make(bytes(data[first]), bytes(data[second]), dice)
        return Damage(kind, f"{name} {one} and {other}", {**files, "": bytes(data)})

    return damage


def _like_pages(files: Files, pages: Pages, dice: random.Random) -> Damage:
    """A page over another of its own type: each is sound by itself."""
    alike = pages.of_types((dice.choice(ALL),))
    if len(alike) < 2:
        alike = pages.of_types((13,))
    source, target = (pages.bytes_of(page) for page in dice.sample(alike, 2))
    data = bytearray(files[""])
    data[target.start : target.stop] = data[source.start : source.stop]
    what = f"page {source.start // pages.size + 1} over page {target.start // pages.size + 1}"
    return Damage("pages", what, {**files, "": bytes(data)})


def _cut_at_a_page(files: Files, pages: Pages, dice: random.Random) -> Damage:
    return _cut(files, dice.randrange(pages.count) * pages.size)


def _cut_inside(files: Files, pages: Pages, dice: random.Random) -> Damage:
    del pages
    return _cut(files, dice.randrange(len(files[""])))


def _cut(files: Files, cut: int) -> Damage:
    return Damage("tail", f"cut at {cut}", {**files, "": files[""][:cut]})


def _grown(files: Files, pages: Pages, dice: random.Random) -> Damage:
    """The file goes on with what is none of its own: noise, or its own first page."""
    own = dice.randrange(2)
    more = files[""][: pages.size] if own else dice.randbytes(dice.randrange(1, 3 * pages.size))
    return Damage("tail", f"{len(more)} bytes more", {**files, "": files[""] + more})


def _wal(files: Files, pages: Pages, dice: random.Random) -> Damage:
    """In the WAL beside the file: its header, the heads of its frames, their pages; or a part is missing."""
    wal, frame = files["-wal"], 24 + pages.size
    how = dice.randrange(6)
    frames = [range(at, at + 24) for at in range(32, len(wal), frame)]
    if how == 0:
        return _flips("wal", files, [range(32)], dice, "-wal")
    if how == 1:
        return _flips("wal", files, frames, dice, "-wal")
    if how == 2:
        cut = dice.randrange(len(wal))
        return Damage("wal", f"WAL cut at {cut}", {**files, "-wal": wal[:cut]})
    if how == 3:
        one, other = dice.sample(frames, 2)
        data = bytearray(wal)
        data[one.start : one.start + frame] = wal[other.start : other.start + frame]
        return Damage("wal", f"frame at {other.start} over that at {one.start}", {**files, "-wal": bytes(data)})
    return _flips("wal", files, [range(len(wal))], dice, "-wal")


ALL = (*INDEX, *TABLE)
Maker = Callable[[Files, Pages, random.Random], Damage]
KINDS: dict[str, tuple[Maker, ...]] = {
    "anywhere": (_uniform,),
    "index pages": (_in_pages("index pages", lambda pages: pages.of_types(INDEX)),),
    "table pages": (_in_pages("table pages", lambda pages: pages.of_types(TABLE)),),
    "heads of pages": (_heads_of_pages,),
    "schema": (_in_pages("schema", lambda pages: [page for page in pages.tree(1) if pages.type_of(page) == 13]),),
    "header": (_header,),
    "pages": (
        _page("pages", "copied", lambda one, _other, _dice: (one, one)),
        _page("pages", "zeroed", lambda one, other, _dice: (bytes(len(one)), other)),
        _page("pages", "swapped", lambda one, other, _dice: (other, one)),
        _page("pages", "noise in", lambda one, other, dice: (dice.randbytes(len(one)), other)),
        _like_pages,
        _like_pages,
    ),
    "tail": (_cut_at_a_page, _cut_inside, _grown),
    "wal": (_wal,),
}
"""How each kind of damage is done; a kind of several takes turns."""
SHARES = {
    "anywhere": 5,
    "index pages": 4,
    "table pages": 3,
    "heads of pages": 2,
    "schema": 4,
    "header": 1,
    "pages": 3,
    "tail": 1,
    "wal": 3,
}
"""How often each kind comes, of so many as all of these together."""


def damages(kind: str, files: Files, number: int, seed: str) -> Iterator[Damage]:
    """So many damages of a kind, the same in every run with the same seed."""
    dice = random.Random(f"{seed}/{kind}")
    pages = Pages(files[""])
    for each in range(number):
        yield KINDS[kind][each % len(KINDS[kind])](files, pages, dice)
