"""From a file's bytes to the history of an OpenSpiel state as action numbers; `openspiel.py` says in which forms.

Every number is looked at for its place alone: the first says where the face-up card lies, the next 51 deal a card
each, all others are a seat's actions. Whether a rule allows them is not asked here.
"""

import re
from collections.abc import Sequence
from typing import Final

from ddz import places
from ddz.errors import Phrase, Unreadable
from ddz.limits import FOREIGN, check_size
from ddz.records import openspiel_actions as actions
from ddz.records.openspiel_actions import DEALT
from ddz.records.reading import decode_json, record_of

NAME: Final = "openspiel"
CHANCE: Final = DEALT + 1
"""How many moves chance makes."""
GAMES: Final = ("dou_dizhu()", "dou_dizhu")
VERSION: Final = "Version: 1"
_SECTION: Final = re.compile(r"\[(Meta|Game|State)\]")


def looks_like(raw: bytes) -> bool:
    """True if the bytes are likely a saved state, or a list that begins as a history does; never raises."""
    text = raw.decode("utf-8", "replace")
    if _has_sections(text):
        return True
    try:
        begins = _listed(text)[:2]
        _translated(begins)
    except Unreadable:
        return False
    return len(begins) == 2


def parse(raw: bytes) -> tuple[int, ...]:
    """The action numbers of the history in a file's bytes, with the whole deal at the front.

    Raises:
        Unreadable: naming the line, or the move.
    """
    check_size(len(raw), FOREIGN, record_of(NAME))
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Unreadable("file/not-utf-8", "not UTF-8 text: byte {byte} cannot be read", byte=error.start) from None
    if text.startswith("\ufeff"):
        raise Unreadable("file/byte-order-mark", "it begins with a byte order mark: save it as UTF-8 without one")
    saved = _has_sections(text)
    entries = _saved(text) if saved else _listed(text)
    if saved and entries and actions.number_of(entries[0]) is None:
        raise Unreadable(
            "openspiel/saved-numbers",
            "{where}: a saved state holds numbers, and {entry} is none",
            where=places.move(0),
            entry=_quoted(entries[0]),
        )
    history = _translated(entries)
    if len(history) < CHANCE:
        raise Unreadable(
            "openspiel/short",
            "{where}: the history has {moves} moves, but the deal alone takes {least}",
            where=places.deal(0),
            moves=len(history),
            least=CHANCE,
        )
    return history


def shown(action: int) -> str:
    """An action of a seat as faults name it: its number and its text."""
    if action < actions.FIRST_PLAY:
        return f'{action}, "{f"Bid {action}" if action else "Pass"}"'
    return f'{action}, "{actions.text_of(actions.readings()[action - actions.FIRST_PLAY])}"'


def _has_sections(text: str) -> bool:
    headers = {line.strip() for line in text.split("\n") if line.lstrip().startswith("[")}
    return {"[Game]", "[State]"} <= headers


def _saved(text: str) -> list[str]:
    """The lines of `[State]`, once the other sections are what they should be."""
    sections: dict[str, list[str]] = {}
    name = None
    for number, line in enumerate(text.split("\n"), 1):
        stripped = line.strip()
        if not stripped or stripped.startswith("#"):
            continue
        if header := _SECTION.fullmatch(stripped):
            name = header[1]
            if name in sections:
                raise Unreadable(
                    "openspiel/section-twice",
                    "{where}: the section [{section}] is there twice",
                    where=places.line(number),
                    section=name,
                )
            sections[name] = []
        elif name is None:
            raise Unreadable(
                "openspiel/before-sections",
                "{where}: {text} stands before the first section",
                where=places.line(number),
                text=_quoted(stripped),
            )
        else:
            sections[name].append(stripped)
    if sections.get("Meta", [VERSION]) != [VERSION]:
        raise Unreadable("openspiel/version", "[Meta] must say '{version}' and nothing else", version=VERSION)
    game = " ".join(sections["Game"])
    if game not in GAMES:
        raise Unreadable(
            "openspiel/game", "[Game]: the game is {game}, not '{wanted}'", game=_quoted(game), wanted=GAMES[0]
        )
    return sections["State"]


def _listed(text: str) -> list[str]:
    """The entries of a plain list: JSON, or one a line; blank lines are skipped."""
    if text.lstrip()[:1] != "[":
        return [line.strip() for line in text.split("\n") if line.strip()]
    entries = decode_json(text.encode("utf-8", "replace"), list[int | str], "plain OpenSpiel")
    return [str(entry) for entry in entries]


def _translated(entries: Sequence[str]) -> tuple[int, ...]:
    """Every entry as its action: all numbers or all texts, as the first is."""
    numbers = bool(entries) and actions.number_of(entries[0]) is not None
    return tuple(_action(entry, move, numbers) for move, entry in enumerate(entries))


def _action(entry: str, move: int, numbers: bool) -> int:
    if numbers:
        action = actions.number_of(entry)
        if action is None:
            raise Unreadable(
                "openspiel/no-number",
                "{where}: {entry} is no number, and the list begins with one",
                where=places.move(move),
                entry=_quoted(entry),
            )
    else:
        action = _named(entry, move)
    lowest, highest, what = _range(move)
    if action is None or not lowest <= action <= highest:
        wanted = (
            Phrase("openspiel/a-number", "a number from {lowest} to {highest}", lowest=lowest, highest=highest)
            if numbers
            else Phrase("openspiel/a-text", "a text such as '{example}'", example=_example(move))
        )
        raise Unreadable(
            "openspiel/out-of-place",
            "{where}: {entry} does not {what}, as {wanted} would",
            where=places.move(move),
            entry=_quoted(entry),
            what=what,
            wanted=wanted,
        )
    return action


def _named(entry: str, move: int) -> int | None:
    """The action that a text names at its place in the history."""
    if move == 0:
        return actions.face_up_of(entry)
    if move < CHANCE:
        return actions.dealing_of(entry)
    voice = actions.voice_of(entry)
    reading = actions.reading_of(entry) if voice is None else None
    return voice if reading is None else actions.action_of(reading)


def _range(move: int) -> tuple[int, int, Phrase]:
    if move == 0:
        return 0, DEALT - 1, Phrase("openspiel/face-up", "say which card lies face up")
    if move < CHANCE:
        return DEALT, actions.LAST_DEAL, Phrase("openspiel/deal", "deal a card")
    return 0, actions.LAST_PLAY, Phrase("openspiel/act", "bid, play or pass")


def _example(move: int) -> str:
    return actions.FACE_UP + "15" if move == 0 else "Deal C3" if move < CHANCE else "333444-56"


def _quoted(entry: str) -> str:
    cut = entry if len(entry) <= 40 else entry[:40] + "..."
    return f"'{cut}'" if cut.isprintable() else f"'{cut.encode('unicode_escape').decode()}'"
