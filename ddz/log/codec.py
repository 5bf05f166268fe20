"""Events as stored text and back: one typed decoder, and upcasts for what older versions wrote.

The text is canonical (sorted keys, no blanks, cards as `3c4dTsB`), so that equal events are equal bytes.
"""

import functools
from collections.abc import Mapping
from typing import Final

import msgspec

from ddz import places
from ddz.cards import DECK, CardSet
from ddz.errors import BrokenLog, Phrase, Refused, Unreadable, UnsupportedVersion
from ddz.frozen.events import Event, tag_of
from ddz.frozen.versions import ADDED, UPCASTS, VERSIONS, JsonObject, Upcast, without
from ddz.log.base import LONGEST_BODY, Row

_REPEATED: Final = frozenset(("bid_made", "bid_passed", "cards_played", "play_passed", "game_scored"))
"""The types of which games write the same few bodies again and again."""
_REMEMBERED: Final = 8192
"""Bodies whose event is remembered, the most lately read ones; some 5 MB when full."""


_LONGEST_COMPLAINT: Final = 300
"""Signs of what is said of a body that cannot be decoded."""
_BITS: Final = {name: 1 << card for card, name in enumerate(DECK[:52])}
_JOKERS: Final = {"": 0, "B": 1 << 52, "R": 1 << 53, "BR": 3 << 52}


def _enc_hook(value: object) -> object:
    if isinstance(value, CardSet):
        return str(value)
    raise NotImplementedError(f"no stored form for {type(value).__name__}")


def _dec_hook(wanted: type, value: object) -> object:
    if wanted is not CardSet or not isinstance(value, str):
        raise ValueError(f"no {wanted.__name__}: {value!r}")
    suits = value.rstrip("BR")  # as we write them: two signs a card, then the jokers
    signs = iter(suits)
    bits = sum([_BITS.get(rank + suit, 0) for rank, suit in zip(signs, signs, strict=False)])
    if 2 * bits.bit_count() == len(suits) and value[len(suits) :] in _JOKERS:
        return CardSet(bits | _JOKERS[value[len(suits) :]])
    try:
        return CardSet.parse(value)
    except Unreadable as error:
        raise ValueError(str(error)) from error


_ENCODER: Final = msgspec.json.Encoder(enc_hook=_enc_hook, order="sorted")
_DECODER: Final = msgspec.json.Decoder(Event, dec_hook=_dec_hook)


def plain(value: object) -> str:
    """Any value of an event in its canonical form, for a sentence that shows it."""
    try:
        return _ENCODER.encode(value).decode()
    except ValueError:  # Python writes out no number of more than 4300 digits
        return "a number without end"


class Codec:
    """What is written and read. `versions` and `upcasts` are handed in, so that the way to a version 2 is tested."""

    def __init__(
        self, versions: Mapping[str, int] = VERSIONS, upcasts: Mapping[tuple[str, int], Upcast] = UPCASTS
    ) -> None:
        self.versions = versions
        self.upcasts = upcasts
        # A body is text and an event is immutable, so the same body may answer the same event.
        self._remembered = functools.lru_cache(_REMEMBERED)(self._decode)

    def encode(self, event: Event) -> tuple[str, int, str]:
        """The (type, version, body) of an event.

        Raises:
            Refused: `log/bad-text` if a name in it is no Unicode text.
        """
        tag = tag_of(event)
        try:
            body = _ENCODER.encode(event).decode()
        except UnicodeEncodeError as error:
            raise Refused(
                "log/bad-text", "a text in the {tag} event cannot be stored: {reason}", tag=tag, reason=error.reason
            ) from error
        return tag, self.versions[tag], body

    def first_form(self, event: Event) -> str:
        """The body in the oldest version that can say this event: it stays the same when versions add fields."""
        type, version, body = self.encode(event)
        while (fields := ADDED.get((type, version - 1))) is not None:
            older = without(_json(body), fields)
            if older is None:
                break
            version, body = version - 1, msgspec.json.encode(older, order="sorted").decode()
        return body

    def decode(self, type: str, version: int, body: str) -> Event:
        """The event of a (type, version, body).

        Raises:
            UnsupportedVersion: a newer ddz wrote it.
            BrokenLog: it cannot be decoded, is not canonical, or is another type than it says.
        """
        return self._remembered(type, version, body) if type in _REPEATED else self._decode(type, version, body)

    def _decode(self, type: str, version: int, body: str) -> Event:
        latest = self.versions.get(type)
        if latest is None:
            raise UnsupportedVersion(
                "log/newer", "this ddz knows no event of type '{type}'; a newer one may", type=type
            )
        if version > latest:
            raise UnsupportedVersion(
                "log/newer",
                "the {type} event is of version {version}, but this ddz reads up to {latest}: install a newer one",
                type=type,
                version=version,
                latest=latest,
            )
        if len(body) > LONGEST_BODY:
            raise _broken(
                Phrase(
                    "body/too-long",
                    "the body of the {type} event has {signs} signs, and none of ddz's has so many",
                    type=type,
                    signs=len(body),
                )
            )
        current = body if version == latest else self._upcast(type, version, latest, body)
        event = _decoded(current)
        if tag_of(event) != type:
            raise _broken(
                Phrase(
                    "body/other-type",
                    "the body is a {found} event, but the row says {type}",
                    found=tag_of(event),
                    type=type,
                )
            )
        if _ENCODER.encode(event).decode() != current:
            raise _broken(
                Phrase("body/not-canonical", "the body of the {type} event is not in its canonical form", type=type)
            )
        return event

    def event_of(self, row: Row) -> Event:
        """The event of a row.

        Raises:
            UnsupportedVersion: a newer ddz wrote it.
            BrokenLog: it cannot be decoded; says where.
        """
        try:
            if row.type in _REPEATED:
                return self._remembered(row.type, row.version, row.body)
            return self._decode(row.type, row.version, row.body)
        except BrokenLog as error:
            raise type(error).at(places.event(row.game, row.seq), error) from error

    def _upcast(self, type: str, version: int, latest: int, body: str) -> str:
        stored = _json(body)
        if msgspec.json.encode(stored, order="sorted").decode() != body:
            raise _broken(
                Phrase("body/not-canonical", "the body of the {type} event is not in its canonical form", type=type)
            )
        for step in range(version, latest):
            upcast = self.upcasts.get((type, step))
            if upcast is None:
                raise _broken(
                    Phrase(
                        "body/no-version",
                        "there never was a version {version} of the {type} event",
                        version=version,
                        type=type,
                    )
                )
            try:
                stored = upcast(stored)
            except (ValueError, LookupError, TypeError) as error:
                raise _broken(
                    Phrase(
                        "body/misshapen",
                        "the body is no {type} event of version {version}: {complaint}",
                        type=type,
                        version=step,
                        complaint=repr(error)[:_LONGEST_COMPLAINT],
                    )
                ) from error
        return msgspec.json.encode(stored, order="sorted").decode()


def _broken(why: Phrase) -> BrokenLog:
    return BrokenLog("integrity/body", "{why}", why=why)


def _decoded(body: str) -> Event:
    try:
        return _DECODER.decode(body)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        # It may quote a number of thousands of digits.
        raise _broken(
            Phrase(
                "body/undecodable", "the body cannot be decoded: {complaint}", complaint=str(error)[:_LONGEST_COMPLAINT]
            )
        ) from error


def _json(body: str) -> JsonObject:
    try:
        return msgspec.json.decode(body, type=JsonObject)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise _broken(
            Phrase("body/no-object", "the body is not a JSON object: {complaint}", complaint=str(error))
        ) from error


CODEC: Final = Codec()
encode = CODEC.encode
first_form = CODEC.first_form
decode = CODEC.decode
event_of = CODEC.event_of
