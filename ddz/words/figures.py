"""Statistics as columns of text."""

from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Final

from ddz.contract.statistics import PerformanceJson, PlayerPerformanceJson, RolesJson, SpreadJson, StatsJson
from ddz.intervals import Interval
from ddz.melds import KINDS
from ddz.names import shown_name

from .base import Words
from .columns import apart, brief, padded

MOST_VALUES: Final = 12
"""Lines that a distribution is given; what is greater and rarer is summed up in one more."""

_NONE: Final = "-"


def figures(found: StatsJson, words: Words) -> list[str]:
    """All that the statistics say, a block of columns each."""
    if not found.games and not found.unfinished:
        return [words.stats["none"]]
    blocks = [_overview(found, words)]
    if found.games:
        blocks += [_standings(found, words), _spreads(found, words)]
    if found.decided:
        blocks += [_values(found, words), _causes(found, words), _melds(found, words)]
    return apart(blocks)


def _overview(found: StatsJson, words: Words) -> list[str]:
    says = words.stats
    rules = ", ".join(f"{shown_name(name)} {number:,}" for name, number in found.rules.items()) or _NONE
    lines = [
        says["over"].format(games=f"{found.games:,}", rules=rules),
        _filled(says["apart"], unfinished=found.unfinished, explored=found.explored, superseded=found.superseded),
    ]
    if found.games:
        lines.append(_filled(says["ends"], decided=found.decided, nobody=found.winners["nobody"]))
        escapes = found.escapes
        lines.append(_filled(says["escapes"], games=escapes.games, **escapes.by))
    return lines


def _filled(sentence: str, **numbers: int) -> str:
    return sentence.format(**{name: f"{number:,}" for name, number in numbers.items()})


def _standings(found: StatsJson, words: Words) -> list[str]:
    rows = [
        ("", *words.stats_standing),
        (words.landlord, *_performance(found.sides["landlord"])),
        (words.stats["peasants"], *_performance(found.sides["peasants"])),
    ]
    for seat in found.seats:
        rows += _roles(words.seat.format(seat=seat.seat), seat.roles, words)
    for player in found.players:
        rows += _roles(_name(player, words), player.roles, words)
    return padded(rows, right=(1, 2, 3, 4, 5, 6))


def _name(player: PlayerPerformanceJson, words: Words) -> str:
    bot, version = (brief(text or _NONE) for text in (player.bot, player.version))
    return words.stats[player.kind].format(bot=bot, version=version)


def _roles(name: str, roles: RolesJson, words: Words) -> Iterator[tuple[str, ...]]:
    yield name, *_performance(roles.all)
    yield words.stats["as_landlord"], *_performance(roles.landlord)
    yield words.stats["as_peasant"], *_performance(roles.peasant)


def _performance(found: PerformanceJson) -> tuple[str, ...]:
    wins = f"{found.wins:,}" if isinstance(found.wins, int) else f"{found.wins:,.1f}"
    points = found.points.mean
    return (f"{found.games:,}", wins, *rate(found.rate), *estimate(points, "{:+.2f}".format))


def rate(found: Interval | None) -> tuple[str, str]:
    """A share as a percentage, and its bounds."""
    value, bounds = estimate(found, lambda share: f"{100 * share:.1f}")
    return value if found is None else f"{value}%", bounds


def estimate(found: Interval | None, written: Callable[[float], str]) -> tuple[str, str]:
    """A value and its bounds."""
    if found is None:
        return _NONE, _NONE
    if found.low is None or found.high is None:
        return written(found.value), _NONE
    return written(found.value), f"{written(found.low)} .. {written(found.high)}"


def _spreads(found: StatsJson, words: Words) -> list[str]:
    says = words.stats
    spreads = [(says["redeals"], found.redeals)]
    if found.decided:
        spreads += [(says["turns"], found.turns), (says["plays"], found.plays)]
    rows = [("", *words.stats_spread), *((name, *_spread(spread)) for name, spread in spreads)]
    return padded(rows, right=(1, 2, 3, 4))


def _spread(found: SpreadJson) -> tuple[str, ...]:
    assert found.mean is not None, "only numbers that there are are printed"
    return f"{found.mean.value:.2f}", str(found.min), f"{found.median:g}", str(found.max)


def _values(found: StatsJson, words: Words) -> list[str]:
    """How often each base and each multiplier came."""
    rows = [("", *words.stats_share)]
    for name, spread in ((words.stats["base"], found.base), (words.stats["multiplier"], found.multiplier)):
        rows += _distribution(name, spread.games, found.decided, words)
    return padded(rows, right=(1, 2))


def _distribution(name: str, games: Mapping[str, int], all_games: int, words: Words) -> Iterator[tuple[str, str, str]]:
    for value, number in islice(games.items(), MOST_VALUES):
        yield f"{name} {value}", f"{number:,}", _percent(number, all_games)
    if rest := sum(islice(games.values(), MOST_VALUES, None)):
        yield f"{name} {words.stats['more']}", f"{rest:,}", _percent(rest, all_games)


def _causes(found: StatsJson, words: Words) -> list[str]:
    rows = [("", *words.stats_cause)]
    for name, cause in found.causes.items():
        rows.append((words.score_cause[name], f"{cause.times:,}", f"{cause.games:,}", *rate(cause.rate)))
    return padded(rows, right=(1, 2, 3, 4))


def _melds(found: StatsJson, words: Words) -> list[str]:
    rows = [("", *words.stats_meld)]
    plays = sum(meld.plays for meld in found.melds.values())
    for kind in KINDS:
        number = found.melds[kind.value].plays
        rows.append((words.kinds[kind], f"{number:,}", _percent(number, plays)))
    return padded(rows, right=(1, 2))


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f}%" if whole else _NONE
