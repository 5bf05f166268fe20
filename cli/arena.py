"""`ddz arena`: bots against bots on the same decks."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from .door import give, put, say
from .exits import INTERRUPTED
from .languages import words_for
from .shell import Json, Lang, db_address, rules_named, table_at

if TYPE_CHECKING:
    from ddz.arena.contest import Plan
    from ddz.arena.standings import Standings
    from ddz.frozen.events import Event
    from ddz.frozen.shapes import Rules
    from ddz.words.base import Words


def arena(
    bots: Annotated[list[str], typer.Argument(metavar="BOT BOT...", help="The names of two bots or more.")],
    decks: Annotated[
        int, typer.Option("--decks", help="The number of decks; every pair plays the same ones.", min=1)
    ] = 100,
    seed: Annotated[int, typer.Option("--seed", help="Deal the decks from this number.")] = 1,
    jobs: Annotated[int, typer.Option("-j", "--jobs", help="The number of parallel processes.", min=1)] = 1,
    rules: Annotated[
        str | None,
        typer.Option("--rules", help="A preset from `ddz rules`, or FILE.toml; by default douzero.", metavar="NAME"),
    ] = None,
    auction: Annotated[
        bool,
        typer.Option("--auction", help="Let the seats bid for the landlord; the rules are then classic by default."),
    ] = False,
    log: Annotated[bool, typer.Option("--log", help="Store the games in the log (see `ddz path`).")] = False,
    db: Annotated[
        str | None, typer.Option("--db", help="Store the games in this log: a file, or an address.", metavar="PATH")
    ] = None,
    lang: Lang = None,
    as_json: Json = False,
) -> None:
    """Measure which bot is stronger, by how much, and how surely: every pair plays every deck from both sides.

    WP is the share of the games won. ADP is the mean of the points in a game; bombs and the rocket double them. By
    default nobody bids: the landlord has the kitty from the start, and a spring does not count (the rules douzero, as
    in the literature). A bot is a name that `ddz play --bot` takes, exec:CMD, rlcard-rule or douzero:DIR.

    Example: ddz arena simple random --decks 20 --seed 7
    """
    from ddz.arena.contest import Plan
    from ddz.arena.standings import Standings, arena_json

    words = words_for(lang)
    plan = Plan(_checked(bots), decks, seed, _house(rules, auction))
    standings = Standings(plan)
    stopped = False
    try:
        _play(plan, jobs, db_address(db) if log or db is not None else None, standings, words)
    except KeyboardInterrupt:
        if not standings.decks:
            raise
        stopped = True  # what has been played is worth telling
    report = standings.report()
    if as_json:
        give(arena_json(report))
    else:
        from ddz.words.arena import report_lines

        put(*report_lines(report, words))
    if stopped:
        say(words.arena["stopped"].format(decks=report.decks, wanted=decks))
        raise typer.Exit(INTERRUPTED)


def _checked(bots: Sequence[str]) -> tuple[str, ...]:
    """The names, all of them of bots.

    Raises:
        Unreadable, NotInstalled: one is none, or there is but one.
    """
    from ddz import guests
    from ddz.errors import Unreadable

    if len(bots) < 2:
        raise Unreadable("usage/two-bots", "name at least two bots; the same name may appear twice")
    for name in set(bots):
        guests.close([guests.make(name)])
    return tuple(bots)


def _house(rules: str | None, auction: bool) -> "Rules":
    from ddz.errors import Unreadable

    house = rules_named(rules or ("classic" if auction else "douzero"))
    if auction and house.auction == "assigned":
        raise Unreadable(
            "usage/assigned-auction",
            "the rules {rules} assign the landlord: omit --auction, or name other rules",
            rules=house.name,
        )
    return house


def _play(plan: "Plan", jobs: int, address: str | None, standings: "Standings", words: "Words") -> None:
    """Play all decks, and store the games if there is a path to store them in."""
    from contextlib import closing

    from ddz.arena.contest import play
    from ddz.frozen.events import GameOpened

    from .progress import Bar

    a_deck = plan.games * len(plan.pairs)
    with Bar(words) as bar:
        if address is None:
            with closing(play(plan, jobs)) as played:
                for deck in played:
                    standings.add(deck)
                    bar(standings.decks * a_deck, plan.decks * a_deck)
            return
        with table_at(address, create=True) as table:

            def keep(events: "Sequence[Event]") -> None:
                opened = events[0]
                assert isinstance(opened, GameOpened)
                table.store(opened.game, events)

            with closing(play(plan, jobs, table.new_id, keep)) as played:
                for deck in played:
                    standings.add(deck)
                    bar(standings.decks * a_deck, plan.decks * a_deck)
    say(words.arena["kept"].format(games=f"{plan.decks * a_deck:,}", path=address))
