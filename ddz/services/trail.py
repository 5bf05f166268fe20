"""What an audit knows of a line up to one of its events: a fork is audited by its own events, from there on.

So a log is audited in as much work as it has events and forks, however deep they are nested.
"""

import sys
from collections.abc import Iterator, Sequence

import msgspec

from ddz import dealing
from ddz.decide import decide
from ddz.errors import BrokenLog, Finding, Phrase, Refused, UnsupportedVersion
from ddz.frozen.events import (
    CardsPlayed,
    Dealt,
    Event,
    GameForked,
    GameOpened,
    GameScored,
    LandlordChosen,
    PlayPassed,
    SeedRevealed,
    tag_of,
)
from ddz.log import chain, codec
from ddz.log.base import EventLog, Row
from ddz.log.lineage import Lineage, parent_named
from ddz.log.stored import plain_events
from ddz.services.retrace import command_that_gave, is_seed, seat_command
from ddz.state import START, State, evolve, from_record, opening_of


class Facts(msgspec.Struct, frozen=True):
    """What the events that can be read tell of a line, whether they make sense or not."""

    events: int = 0
    deals: int = 0
    highest: int = -1
    """The highest number that a deal bears."""
    unled: bool = False
    """No landlord was chosen since the last deal."""
    forked: bool = False
    revealed: bool = False
    """The server seed was told."""


class Trail(msgspec.Struct, frozen=True):
    """What was found of a line up to an event; what follows continues from here."""

    game: str
    """The line of the first event."""
    last: Row
    facts: Facts
    state: State
    """As far as the events make sense."""
    stopped: bool
    """An event made no sense: nothing after it is decided."""
    chain: tuple[Finding, ...]
    """What is wrong with hashes and links."""
    unreadable: tuple[Finding, ...]
    """The first event that cannot be read; no later one is looked at."""
    law: tuple[Finding, ...]
    """What must have been decided otherwise."""
    given: tuple[tuple[int, Finding], ...]
    """Deals, counted from 0, that do not follow from the seeds which a record has brought along."""
    settled: "Trail | None" = None
    since: Sequence[Row] = ()
    """The rows since `settled`, where it depends on what follows how they are decided."""


def extend(trail: Trail | None, rows: Sequence[Row]) -> Trail:
    """The trail of a line, once these rows have followed; there is at least one. None is that of no event.

    Raises:
        UnsupportedVersion: a newer ddz wrote one of them.
    """
    if trail is not None and trail.since:
        rows, trail = (*trail.since, *rows), trail.settled
    before = trail or Trail("", rows[0], Facts(), START, False, (), (), (), ())
    broken: list[Finding] = []
    unreadable: list[Finding] = []
    plain = plain_events(rows) if trail is None else None
    if plain is None:
        broken += chain.verify_rows(rows, trail.last if trail else None)
    events = plain if plain is not None else [] if before.unreadable else readable(rows, unreadable)
    state, stopped, whole, law = before.state, before.stopped, True, list[Finding]()
    if not stopped:
        state, stopped, whole = _retrace(state, events, rows, law)
    facts = _facts_after(before.facts, events)
    opened = opening_of(state)
    given = () if opened is None else tuple(_check_given_deals(opened, from_record(state), before.facts, events))
    after = Trail(
        trail.game if trail else rows[0].game,
        rows[-1],
        facts,
        state,
        stopped,
        (*before.chain, *broken),
        (*before.unreadable, *unreadable),
        (*before.law, *law),
        (*before.given, *given),
    )
    # A deal of a record that assigns the landlord is decided together with the landlord, wherever he is chosen.
    ahead = facts.unled and opened is not None and opened.rules.auction == "assigned"
    if after.unreadable or ((stopped or whole) and not ahead):
        return after
    return msgspec.structs.replace(after, settled=trail, since=rows)


def readable(rows: Sequence[Row], findings: list[Finding]) -> list[Event]:
    """The events up to the first that cannot be read."""
    events: list[Event] = []
    for row in rows:
        try:
            events.append(codec.event_of(row))
        except BrokenLog as broken:
            if isinstance(broken, UnsupportedVersion) and not chain.hash_problems(row):
                raise  # really a newer ddz's, and no forgery
            findings.append(Finding("integrity/unreadable", "{why}", seq=row.seq, why=broken))
            break
    return events


def _facts_after(facts: Facts, events: Sequence[Event]) -> Facts:
    """The facts, once these events are known too."""
    deals, highest, unled = facts.deals, facts.highest, facts.unled
    forked, revealed = facts.forked, facts.revealed
    for event in events:
        kind = type(event)
        if kind is CardsPlayed or kind is PlayPassed:  # as most are
            continue
        if isinstance(event, Dealt):
            deals, highest, unled = deals + 1, max(highest, event.number), True
        elif kind is LandlordChosen:
            unled = False
        elif kind is GameForked:
            forked = True
        elif kind is SeedRevealed:
            revealed = True
    return Facts(facts.events + len(events), deals, highest, unled, forked, revealed)


def _retrace(
    state: State, events: Sequence[Event], rows: Sequence[Row], findings: list[Finding]
) -> tuple[State, bool, bool]:
    """Decide every event again, from the state before them.

    Returns the state as far as the events make sense, whether one made none, and whether the last command is whole.
    """
    at = 0
    while at < len(events):
        event, begin = events[at], at
        command = seat_command(event) or command_that_gave(events, at, state, rows)
        expected: tuple[Event, ...] = (event,)
        try:
            if command is not None:
                expected = decide(state, command)
            else:
                findings.append(_unasked(rows[at].seq, event))
        except (Refused, ValueError, OverflowError) as error:
            findings.append(_undecided(rows[at].seq, error))
        for wanted in expected:
            if at == len(events):
                findings.append(
                    Finding(
                        "legality/cut-short",
                        "a {event} event must follow, but is missing",
                        seq=rows[begin].seq,
                        event=tag_of(wanted),
                    )
                )
                return state, False, False
            found = events[at]
            if found != wanted:
                findings.append(_difference(rows[at].seq, wanted, found))
            try:
                state = evolve(state, found)
            except BrokenLog as broken:
                findings.append(Finding("legality/meaningless", "{why}", seq=rows[at].seq, why=broken))
                return state, True, True
            at += 1
    return state, False, True


def _unasked(seq: int, event: Event) -> Finding:
    return Finding(
        "legality/unasked", "no command of this phase brings about a {event} event", seq=seq, event=tag_of(event)
    )


def _undecided(seq: int, error: Exception) -> Finding:
    """Why a command is refused; or that a forged event before it left a seed or a number of no use."""
    if isinstance(error, Refused):
        return Finding(f"legality/{error.code}", "{why}", **{**error.facts, "seq": seq, "why": error})
    return Finding("legality/undecidable", "nothing can be decided here: {reason}", seq=seq, reason=str(error))


def _difference(seq: int, wanted: Event, found: Event) -> Finding:
    """Where an event is not what its command decides: whose audit it fails, and in which fields."""
    if type(wanted) is not type(found):
        return Finding(
            "legality/other-event",
            "a {wanted} event must stand here, not a {found}",
            seq=seq,
            wanted=tag_of(wanted),
            found=tag_of(found),
        )
    check = {GameOpened: "fairness", Dealt: "fairness", SeedRevealed: "fairness", GameScored: "accounting"}.get(
        type(wanted), "legality"
    )
    fields = [name for name in wanted.__struct_fields__ if getattr(wanted, name) != getattr(found, name)]
    return Finding(
        f"{check}/{tag_of(found).replace('_', '-')}",
        "{what}",
        seq=seq,
        what=Phrase(
            "finding/differs",
            "{event} is wrong in {fields}: {field} must be {wanted}, not {found}",
            event=tag_of(found),
            fields=", ".join(fields),
            field=fields[0],
            wanted=codec.plain(getattr(wanted, fields[0])),
            found=codec.plain(getattr(found, fields[0])),
        ),
    )


def _check_given_deals(
    opened: GameOpened, brought: int, before: Facts, events: Sequence[Event]
) -> Iterator[tuple[int, Finding]]:
    """A record that brings its seeds along claims that its deals follow from them."""
    origin = opened.origin
    if origin is None or not origin.seeds_given or not (is_seed(opened.nonce) and is_seed(opened.server_seed)):
        return
    nonce, server_seed = bytes.fromhex(opened.nonce), bytes.fromhex(opened.server_seed)
    dealt = [(seq, event) for seq, event in enumerate(events, before.events + 1) if isinstance(event, Dealt)]
    for number, (seq, event) in enumerate(dealt[: max(brought - before.deals, 0)], before.deals):
        deck = dealing.deal(nonce, server_seed, opened.seat_seeds, number)
        if (deck.hands, deck.kitty) != (event.hands, event.kitty):
            yield (
                number,
                Finding(
                    "fairness/dealt",
                    "deal {number} does not follow from the seeds of the record",
                    seq=seq,
                    number=number,
                ),
            )


class Trails:
    """The trails of a log up to where forks leave its lines, each made once. What comes after `upto` is not seen."""

    def __init__(self, log: EventLog, upto: int = sys.maxsize) -> None:
        self._log = log
        self._upto = upto
        self._lineage = Lineage(log.own)
        self._trails: dict[tuple[str, int], Trail | None] = {}
        """By the line that owns a point, and the point's seq."""

    def before(self, first: Row) -> Trail | None:
        """The trail of what a line inherits whose own first row this is; None if it inherits nothing.

        Raises:
            UnsupportedVersion: a newer ddz wrote some of it.
        """
        path: list[tuple[tuple[str, int], Sequence[Row]]] = []
        trail: Trail | None = None
        while (point := self._point(first)) is not None:
            if point in self._trails:
                trail = self._trails[point]
                break
            path.append((point, self._log.own(point[0])))
            first = path[-1][1][0]
        for point, own in reversed(path):
            rows = [row for row in own if row.seq <= point[1] and row.position <= self._upto]
            trail = self._trails[point] = extend(trail, rows) if rows else trail
        return trail

    def _point(self, first: Row) -> tuple[str, int] | None:
        owner = self._lineage.owner(parent_named(first), first.seq - 1)
        return None if owner is None else (owner, first.seq - 1)
