"""Import and export: game records, and games with their chain byte for byte."""

import sys
from typing import Final, NoReturn

import msgspec

from ddz import record as records
from ddz.actions import command_of
from ddz.commands import Command, Deal, Seeds
from ddz.decide import decide
from ddz.errors import Refused, UnknownGame, Unreadable
from ddz.frozen.events import Event, GameForked
from ddz.frozen.shapes import Claim, Origin, Player, Players
from ddz.log import chain, codec
from ddz.log.base import EventLog, Row
from ddz.log.memory import MemoryLog
from ddz.names import typed_name
from ddz.record import Meta, Record
from ddz.records import format_named, recognise
from ddz.records.base import Foreign
from ddz.services import imports
from ddz.services.bounds import plain_source
from ddz.services.judge import judge_for
from ddz.services.repeat import once, reused
from ddz.services.table import Table
from ddz.signs import in_json
from ddz.state import START, Over, State, Void, fold, opened_in, opening_of

EVENTS_FORMAT: Final = "ddz-events/1"


class Imported(msgspec.Struct, frozen=True):
    """A game that an import has stored."""

    game: str
    phase: str
    """`over`, `void`, or `in progress`."""
    seq: int
    payouts: tuple[int, int, int] | None


class EventsHead(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first line of an events file."""

    format: str
    game: str
    head: str
    """The hash of the last row."""


def import_bytes(
    table: Table,
    raw: bytes,
    source: str,
    named: str | None = None,
    command_id: str | None = None,
    by_content: bool = False,
) -> Imported:
    """Store the game in a file's bytes: a record, ours or another engine's, or an events file. All or nothing.

    `named` is the format that the bytes are said to have; None recognises it. A known `command_id` answers the game
    that it has stored. With `by_content` a record that was imported before, under no id, answers the game that is
    there. An events file needs neither: what is here of it is known by its own ids.

    Raises:
        Unreadable: naming the place of the fault; nothing is stored.
        Refused: `log/command-reused` if the id belongs to another command.
        BrokenLog: an events file whose chain does not hold, that contradicts this log, or is no lawful game of ours.
    """
    form = named or _recognised(raw)
    if form == EVENTS_FORMAT:
        return once(table.log, command_id, lambda: _import_events(table, raw), _other_command)
    if form != records.FORMAT:
        return _import_record(table, format_named(form).read(raw), form, source, command_id, by_content)
    record = records.parse_record(raw)
    own_name = record.meta.id if record.meta else None
    claim = Claim(record.payouts) if record.payouts else None
    return _import_record(table, Foreign(record, claim, own_name), form, source, command_id, by_content)


def _other_command(rows: tuple[Row, ...]) -> NoReturn:
    raise reused(rows)


def _recognised(raw: bytes) -> str:
    """The format that the bytes look like; what looks like none is read as ours, which says what is wrong."""
    events = raw.lstrip()[:1] == b"{"
    if events and EVENTS_FORMAT.encode() in raw[:200]:
        return EVENTS_FORMAT
    return recognise(raw) or (EVENTS_FORMAT if events else records.FORMAT)


def _import_record(
    table: Table, foreign: Foreign, form: str, source: str, command_id: str | None, by_content: bool
) -> Imported:
    game, events, state = _judged(table, foreign, form, source)
    content = imports.content_of(events)
    name = imports.name_of(content, foreign.source)

    def first() -> Imported:
        stored = table.store(game, events, command_id or f"{name}.{table.new_id()}", name if by_content else None)
        return _imported(game, len(events), state) if stored[0].game == game else again(stored)

    def again(rows: tuple[Row, ...]) -> Imported:
        history = table.log.history(rows[0].game, rows[-1].seq)
        if rows[0].seq != 1 or imports.content_of(history) != content:
            raise reused(rows)
        return _imported(rows[0].game, len(history), fold(history))

    return once(table.log, command_id, first, again)


def _judged(table: Table, foreign: Foreign, form: str, source: str) -> tuple[str, tuple[Event, ...], State]:
    """The id that a foreign game gets, its events, and how it stands; nothing is stored.

    Raises:
        Unreadable: naming the place of the fault.
    """
    record = foreign.record
    rules = records.rules_of(record)
    origin = Origin(
        format=form,
        source=foreign.source or plain_source(source),
        claim=foreign.claim,
        deals=len(record.deals),
        seeds_given=record.fairness is not None,
    )
    seeds = _seeds(record) or table.draw_seeds()
    game, opening = table.open_import(origin, _players(record), rules, record.deals[0].first_bidder, seeds)
    events, state = _decide(START, opening)
    if record.fairness is not None:
        opened = opening_of(state)
        if opened is not None and opened.commitment != record.fairness.commitment:
            raise Unreadable(
                "record/commitment", "fairness: the commitment does not follow from the nonce and the server seed"
            )
    for number, deal in enumerate(record.deals):
        if number and not isinstance(state, Void):
            raise Unreadable(
                "record/redeal",
                "deal {number}: cards are dealt again only after three passes, and deal {before} does not end so",
                number=number,
                before=number - 1,
            )
        try:
            more, state = _decide(state, Deal(records.given_deal(record, number)))
        except Refused as refused:
            raise Unreadable("record/deal", "deal {number}: {why}", number=number, why=refused) from None
        events += more
        for at, text in enumerate(deal.actions):
            more, state = _decide_action(state, number, at, text)
            events += more
    return game, events, state


def _decide_action(state: State, deal: int, number: int, text: str) -> tuple[tuple[Event, ...], State]:
    action = records.parse_action(text, deal, number)
    try:
        return _decide(state, command_of(action, state))
    except (Refused, Unreadable) as error:
        records.fault(deal, number, text, error)


def _decide(state: State, command: Command) -> tuple[tuple[Event, ...], State]:
    events = decide(state, command)
    return events, fold(events, state)


def _imported(game: str, seq: int, state: State) -> Imported:
    if isinstance(state, Over):
        return Imported(game, "over", seq, state.scored.score.payouts)
    return Imported(game, "void" if isinstance(state, Void) else "in progress", seq, None)


def _players(record: Record) -> Players:
    named = (typed_name(name, f"seats: the name of seat {seat}") for seat, name in enumerate(record.seats))
    one, two, three = (Player(name, "import") for name in named)
    return one, two, three


def _seeds(record: Record) -> Seeds | None:
    fairness = record.fairness
    if fairness is None:
        return None
    for name in ("nonce", "server_seed"):
        value = getattr(fairness, name)
        try:
            good = len(value) == 64 and bytes.fromhex(value).hex() == value
        except ValueError:
            good = False
        if not good:
            raise Unreadable("record/seed-digits", "fairness: {name} must be 64 small hexadecimal digits", name=name)
    return Seeds(fairness.nonce, fairness.server_seed, fairness.seat_seeds, fairness.chosen)


def export_record(table: Table, game: str) -> str:
    """The game as a record, with suits, seeds once they are revealed, and who played."""
    events = table.log.history(game)
    date = chain.sound(table.log.rows(game, 1)[0]).at[:10]
    opened = opened_in(fold(events[:1]))
    players = tuple(_who(player) for player in opened.players)
    meta = Meta(id=game, date=date, players=(players[0], players[1], players[2]))
    return records.record_text(records.record_of(events, meta))


def export_foreign(table: Table, game: str, form: str) -> str:
    """The game in another engine's format.

    Raises:
        Unreadable: there is no such format, or it cannot hold this game.
    """
    return in_json(format_named(form).write(table.log.history(game)))  # the format that is no JSON holds cards alone


def _who(player: Player) -> str:
    return f"{player.bot} {player.version}" if player.kind == "bot" else player.kind


def export_events(table: Table, game: str) -> str:
    """The game's rows byte for byte, inherited ones too: a head line, then a JSON object a line."""
    table.log.history(game)  # nothing that is broken is handed on
    rows = _with_named(table.log, game)
    head = msgspec.json.encode(EventsHead(EVENTS_FORMAT, game, rows[-1].hash)).decode()
    return in_json("\n".join([head, *(msgspec.json.encode(row).decode() for row in rows)]) + "\n")


def _with_named(log: EventLog, game: str) -> tuple[Row, ...]:
    """The rows of a line, and those that prove the lines which its forks name, in the order of the log.

    A fork may name a line that only inherits the point of the fork: without the beginning of that line nothing
    shows that there is one.
    """
    found: dict[int, Row] = {}
    upto: dict[str, int] = {}
    """How far each line is needed."""
    going = [(game, log.own(game), sys.maxsize)]
    while going:
        line, own, wanted = going.pop()
        first = own[0] if own else None
        if first is None or wanted <= upto.get(line, -1):
            continue
        found.update({row.position: chain.sound(row) for row in own if upto.get(line, -1) < row.seq <= wanted})
        upto[line] = wanted
        event = codec.event_of(first) if first.type == "game_forked" else None
        if isinstance(event, GameForked) and wanted >= first.seq:
            named = log.own(event.parent)
            going.append((event.parent, named, max(first.seq - 1, named[0].seq if named else 0)))
    return tuple(found[position] for position in sorted(found))


def _import_events(table: Table, raw: bytes) -> Imported:
    lines = raw.splitlines()
    try:
        head = msgspec.json.decode(lines[0] if lines else b"", type=EventsHead)
        rows = tuple(msgspec.json.decode(line, type=Row) for line in lines[1:])
    except (ValueError, RecursionError) as error:  # msgspec's and UnicodeDecodeError are ValueErrors
        raise Unreadable(
            "events/unreadable", "not a file of events, or one that is cut short: {reason}", reason=str(error)
        ) from None
    if head.format != EVENTS_FORMAT:
        raise Unreadable(
            "events/format", "the format is {format}, not {expected}", format=head.format, expected=EVENTS_FORMAT
        )
    if not rows or rows[-1].hash != head.head:
        raise Unreadable("events/cut-short", "the file is cut short: its last event is not the one that its head names")
    history = _tried(head.game, rows)
    state = fold(history)  # must make sense before it is kept
    table.log.adopt(rows, judge=judge_for(table.log))
    return _imported(head.game, len(history), state)


def _tried(game: str, rows: tuple[Row, ...]) -> tuple[Event, ...]:
    """The events of the line `game` in a log that holds nothing but `rows`, which must be exactly what it needs.

    Raises:
        Unreadable: they are of another game, or more than that.
        BrokenLog: a hash or the chain does not hold.
    """
    trial = MemoryLog()
    trial.adopt(rows)
    try:
        history = trial.history(game)
    except UnknownGame:
        raise Unreadable(
            "events/no-game", "the head names the game {game}, but the file has no event of it", game=game
        ) from None
    if [row.hash for row in _with_named(trial, game)] != [row.hash for row in rows]:
        raise Unreadable("events/too-much", "the file holds more than the game {game}", game=game)
    return history
