"""What the services answer about games, as objects of the contract: a module that makes those is called `..._json`."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from msgspec import UNSET

from ddz.contract import games
from ddz.contract.events import AnyEvent, event_json
from ddz.contract.melds import knobs_json
from ddz.contract.results import ScoreJson, result_json
from ddz.contract.views import ViewJson, view_json
from ddz.errors import BrokenLog
from ddz.services.sight import TABLE, Sight
from ddz.state import Over, State, opened_in, opening_of, turn_of
from ddz.view import public_view

if TYPE_CHECKING:
    from ddz.frozen.events import Event
    from ddz.log.base import Line
    from ddz.services.archive import Imported
    from ddz.services.lines import Branch, Difference
    from ddz.services.match import MatchTable
    from ddz.services.replay import Replay, Step
    from ddz.services.sitting import Sitting
    from ddz.services.states import States
    from ddz.services.table import Moment, Outcome


def shown(moment: "Moment", sight: Sight) -> ViewJson:
    """A line as it stands."""
    return view_json(sight.view(moment.state), sight.legal(moment.state), moment.game, moment.seq)


def opened(outcome: "Outcome") -> games.NewJson:
    """A game that was opened, as the table sees it."""
    return games.NewJson(outcome.game, outcome.seq, turn_of(outcome.state), _events(outcome, TABLE))


def acted(outcome: "Outcome", sight: Sight) -> games.ActJson:
    """What a seat did, as it sees it."""
    return games.ActJson(outcome.game, outcome.seq, _events(outcome, sight), shown(outcome.moment, sight))


def _events(outcome: "Outcome", sight: Sight) -> tuple[AnyEvent, ...]:
    first = outcome.seq - len(outcome.events) + 1
    return tuple([event_json(seq, sight.event(event)) for seq, event in enumerate(outcome.events, first)])


def entry(states: "States", line: "Line") -> games.GameJson:
    """A line in a list of games; one that cannot be read says why."""
    try:
        if not line.sound:
            raise BrokenLog(
                "log/broken", "the first or the last event of {game} is not what its hash was made of", game=line.game
            )
        state = states.of(line)
    except BrokenLog as broken:
        return _entry(line, phase="broken", detail=str(broken), players=(), result=None)
    began = opened_in(state)
    return _entry(
        line,
        phase=public_view(state).phase,
        match=began.match,
        round=began.round,
        rules=began.rules.name,
        players=tuple([player.name for player in began.players]),
        result=_result(state),
    )


def _entry(line: "Line", **facts: object) -> games.GameJson:
    head = {"at": line.forked_at, "reason": line.reason, "last_seq": line.last_seq, "last_at": line.last_at}
    return games.GameJson(game=line.game, parent=line.parent, seen=line.seen, **head, **facts)  # type: ignore[arg-type]


def _result(state: State) -> ScoreJson | None:
    return result_json(state.scored.score if isinstance(state, Over) else None)


def tree(branches: Iterable["Branch"]) -> str:
    """The text of a tree."""
    return games.written_tree((branch.depth, _line(branch)) for branch in branches)


def _line(branch: "Branch") -> games.LineJson:
    line = branch.line
    return games.LineJson(
        line.game,
        line.parent,
        line.forked_at,
        line.reason,
        line.last_seq,
        branch.phase,
        result_json(branch.score),
    )


def difference(found: "Difference", names: Sequence[str], sights: Sequence[Sight]) -> games.DiffJson:
    """Where two lines part; each side as its own viewer may see it."""
    return games.DiffJson(
        found.common,
        _side(names[0], found.left, found.left_state, sights[0]),
        _side(names[1], found.right, found.right_state, sights[1]),
        found.payout_change,
    )


def _side(game: str, events: Sequence["Event"], state: State, sight: Sight) -> games.SideJson:
    # Without its number, which a fork's own first event shifts.
    following = event_json(UNSET, sight.event(events[0])) if events else None
    return games.SideJson(game, following, _result(state))


def match(found: "MatchTable") -> games.MatchJson:
    """The score table of a match."""
    rounds = tuple([games.RoundJson(row.round, row.game, result_json(row.score)) for row in found.rounds])
    return games.MatchJson(found.match, found.names, rounds, found.totals)


def replay(told: "Replay", steps: Sequence["Step"], sight: Sight) -> games.ReplayJson:
    """A line retold: those of its steps that were asked for."""
    began = opening_of(told.state)
    return games.ReplayJson(
        game=told.game,
        rules=began.rules.name if began else None,
        knobs=knobs_json(began.rules) if began else None,
        head=told.head,
        viewer=sight.viewer,
        events=tuple([event_json(step.seq, step.shown_to(sight), step.at) for step in steps]),
        result=result_json(told.score),
    )


def played(sitting: "Sitting") -> games.PlayedGameJson:
    """The game of a sitting as it stands."""
    view = sitting.view
    return games.PlayedGameJson(view.round, sitting.game, sitting.seq, view.phase, result_json(view.score))


def session(sitting: "Sitting", played_games: Iterable[games.PlayedGameJson], suspended: bool) -> games.PlayJson:
    """What was played in one session, in the games of a match."""
    return games.PlayJson(sitting.match().match, sitting.seat, tuple(played_games), suspended)


def imported(file: str, found: "Imported") -> games.ImportJson:
    """A game that was stored from a file."""
    return games.ImportJson(file, found.game, found.phase, found.seq, found.payouts)
