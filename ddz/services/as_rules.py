"""A game judged by other rules than its own: where it would first have been illegal, and what it would have scored."""

from collections.abc import Sequence
from typing import Final

import msgspec

from ddz.commands import Command, Deal, OpenGame, Seeds
from ddz.decide import decide
from ddz.errors import Finding, Refused
from ddz.frozen.events import BidMade, BidPassed, Dealt, Event, GameOpened
from ddz.frozen.shapes import Origin, Rules, Score
from ddz.log.base import EventLog
from ddz.services.retrace import given_deal, seat_command
from ddz.state import START, Over, State, fold


class Judgement(msgspec.Struct, frozen=True):
    """What other rules say of a game."""

    game: str
    rules: Rules
    illegal: Finding | None
    """None if every event would have been legal."""
    score: Score | None
    """What the game would have scored; None if it is illegal, or goes on."""
    own_score: Score | None
    """What it scored under its own rules."""


def judge(log: EventLog, game: str, rules: Rules) -> Judgement:
    """Play the line `game` again under `rules`, card for card.

    A game whose own rules assign the landlord has no bids to judge, and rules that assign one hear none: there the
    landlord and the base are taken over.

    Raises:
        UnknownGame, BrokenLog: as `EventLog.history` does.
    """
    events = log.history(game)
    opened = events[0]
    assert isinstance(opened, GameOpened)
    if opened.rules.auction == "assigned":
        rules = msgspec.structs.replace(rules, auction="assigned")
    illegal, state = _play_again(events, opened, rules)
    own = fold(events)
    return Judgement(
        game=game,
        rules=rules,
        illegal=illegal,
        score=state.scored.score if isinstance(state, Over) and illegal is None else None,
        own_score=own.scored.score if isinstance(own, Over) else None,
    )


def _play_again(events: Sequence[Event], opened: GameOpened, rules: Rules) -> tuple[Finding | None, State]:
    """Decide every command of the game again under `rules`, up to the first that is refused."""
    state = fold(decide(START, _opening(events, opened, rules)))
    for seq in range(2, len(events) + 1):
        command = _command(events, seq - 1, rules)
        if command is None:
            continue
        try:
            state = fold(decide(state, command), state)
        except Refused as refused:
            return Finding(refused.code, "{why}", **{**refused.facts, "seq": seq, "why": refused}), state
    return None, state


def _command(events: Sequence[Event], at: int, rules: Rules) -> Command | None:
    """The command that gave an event; None where there is none or these rules ask for none."""
    match events[at]:
        case Dealt():
            return Deal(given_deal(events, at, rules))
        case BidMade() | BidPassed() if rules.auction == "assigned":
            return None
        case event:
            return seat_command(event)


_NO_SEEDS: Final = Seeds("00" * 32, "00" * 32)


def _opening(events: Sequence[Event], opened: GameOpened, rules: Rules) -> OpenGame:
    """The same game as if a record had brought all its deals, so that other rules cannot deal other cards."""
    deals = sum(isinstance(event, Dealt) for event in events)
    return OpenGame(
        game=opened.game,
        match=opened.match,
        round=opened.round,
        previous=opened.previous,
        players=opened.players,
        rules=rules,
        seeds=_NO_SEEDS,  # nothing is dealt from seeds, and those that are stored may be none
        first_voice=opened.first_voice,
        voice_from="record",
        origin=Origin("retold", opened.game, deals=deals),
    )
