"""`ddz play`: a person against two bots, or bots among themselves."""

from collections.abc import Callable
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ddz.words.columns import shown

from .door import give, say
from .shell import (
    Db,
    Lang,
    Reveal,
    Think,
    complete_game,
    is_terminal,
    need_seat,
    rules_named,
    table_at,
    thinking_for,
)

if TYPE_CHECKING:
    from ddz.contract.games import PlayedGameJson, PlayJson
    from ddz.services.seating import SeatingPlan
    from ddz.services.table import Table

    from .session import Session
    from .terminal import Lines, Screen


_AGAIN = "`ddz play --resume`"


def play(
    game: Annotated[
        str | None, typer.Argument(metavar="[GAME]", help="Continue this game or fork.", autocompletion=complete_game)
    ] = None,
    seat: Annotated[int | None, typer.Option("--seat", help="Your seat, 0 to 2; by default 0.")] = None,
    bot: Annotated[
        list[str] | None,
        typer.Option(
            "--bot",
            help="The bot at the other seats: easy, normal, hard, expert, ...; once for all seats, or once for each.",
            metavar="BOT",
        ),
    ] = None,
    think: Think = None,
    seed: Annotated[
        int | None, typer.Option("--seed", help="Deal from this number; equal numbers deal equal cards.")
    ] = None,
    my_seed: Annotated[
        str | None,
        typer.Option(
            "--my-seed",
            help="Your own words that go into the deal; with - you are asked after the commitment.",
            metavar="TEXT",
        ),
    ] = None,
    rounds: Annotated[
        int | None, typer.Option("--rounds", help="The number of games to play without asking.", min=1)
    ] = None,
    auto: Annotated[bool, typer.Option("--auto", help="Let a bot play every seat.")] = False,
    resume: Annotated[bool, typer.Option("--resume", help="Continue the newest unfinished game.")] = False,
    moves: Annotated[
        Path | None,
        typer.Option(
            "--moves", help="Read your input from this file; a refused line ends the session.", metavar="FILE"
        ),
    ] = None,
    delay: Annotated[float, typer.Option("--delay", help="Seconds to wait after each turn.", min=0, max=3600)] = 0.0,
    rules: Annotated[
        str | None,
        typer.Option("--rules", help="A preset from `ddz rules`, or your own rules in FILE.toml.", metavar="NAME"),
    ] = None,
    ascii_only: Annotated[bool, typer.Option("--ascii", help="Use ASCII characters only.")] = False,
    screen_reader: Annotated[bool, typer.Option("--screen-reader", help="Print sentences instead of columns.")] = False,
    reveal: Reveal = False,
    lang: Lang = None,
    db: Db = None,
    as_json: Annotated[
        bool,
        typer.Option("--json", help="Print what was played as one JSON object; needs --auto or --moves."),
    ] = False,
) -> None:
    """Play against two bots. Every move is in the log before you see it. `quit` suspends, --resume continues.

    Example: ddz play --seed 7
    """
    from ddz.errors import Unreadable
    from ddz.services import seating
    from ddz.words.languages import DEFAULT, language

    from .languages import words_for
    from .session import Session
    from .terminal import Lines, Screen

    need_seat(seat)
    if isnan(delay):  # neither too small nor too great for the option
        raise Unreadable("usage/delay", "--delay takes a number of seconds, not nan")
    if as_json and moves is None and (not auto or my_seed == "-"):
        raise Unreadable("usage/json-asks-nobody", "with --json nobody is asked: add --auto or --moves FILE")
    typed = Lines(moves)
    words = words_for(lang)
    if ascii_only and not words.ascii:
        if lang is not None:
            raise Unreadable(
                "usage/ascii-and-lang", "--ascii has no letters for --lang {lang}: omit one of the two", lang=lang
            )
        words = language(DEFAULT)
    screen = Screen(words, ascii_only, screen_reader, delay, silent=as_json)
    house = rules_named(rules or "classic")
    if auto and seat is not None:
        raise Unreadable("usage/auto-and-seat", "--auto lets a bot play every seat: omit --seat")
    if (game is not None or resume) and (rules, my_seed) != (None, None):
        raise Unreadable(
            "usage/stored-rules", "a stored game keeps its rules and its seeds: omit --rules and --my-seed"
        )
    names, thinking = tuple(bot or ()), thinking_for(think)
    with table_at(db, create=True) as table:
        if resume and game is None:
            game = seating.newest_unfinished(table.log)
        if game is not None:
            sitting = seating.resume(
                table, table.log.resolve(game), seat, names, thinking, watching=auto, reveal=reveal
            )
            screen.line(words.resumed.format(game=sitting.game, seq=sitting.seq))
            session = Session(sitting, screen, typed)
        else:
            human = None if auto else seat or seating.FIRST_SEAT
            session = _begin(table, seating.plan(human, names, house, seed, thinking), my_seed, screen, typed)
        most = rounds if rounds is not None else 1 if auto or not is_terminal() else None
        if as_json:
            give(_played(session, seed, most))
        else:
            _play_rounds(session, seed, most)


def _played(session: "Session", seed: int | None, rounds: int | None) -> "PlayJson":
    """Play as `_play_rounds` does, and answer what was played; of a round that was played again, the last line."""
    from ddz.services import games_json

    games: dict[int, PlayedGameJson] = {}

    def note() -> None:
        game = games_json.played(session.sitting)
        games[game.round] = game

    finished = _play_rounds(session, seed, rounds, note)
    return games_json.session(session.sitting, games.values(), suspended=not finished)


def _begin(table: "Table", plan: "SeatingPlan", my_seed: str | None, screen: "Screen", typed: "Lines") -> "Session":
    """Open the first game, and tell how it begins; `-` as `my_seed`: show the commitment, then ask for the words."""
    from ddz.services import seating

    from .session import Session

    if my_seed == "-":
        plan = seating.committed(table, plan)
        screen.line(screen.words.commitment.format(commitment=plan.commitment))
        my_seed = (typed.read(screen.words.ask_seed) or "").strip()
    session = Session(seating.begin(table, plan if my_seed is None else plan.saying(my_seed)), screen, typed)
    session.enter(session.sitting.news())
    return session


def _play_rounds(
    session: "Session", seed: int | None, rounds: int | None, note: Callable[[], object] = lambda: None
) -> bool:
    """Play game after game of a match: `rounds` of them, or as long as the player says; False if he suspends one.

    `note` is called where a game is over or suspended.
    """
    from .exits import WrongLine
    from .session import Suspended

    played = 0
    try:
        while True:
            session.finish()
            note()
            played += 1
            if rounds is not None and played >= rounds:
                return True
            if rounds is None:
                answer = _ask_next(session)
                if answer == "stop":
                    return True
                if answer == "back":
                    played -= 1
                    continue
            session.enter(session.sitting.next_round(seed))
    except Suspended:
        note()
        say(session.words.suspended.format(game=session.sitting.game, again=_AGAIN))
        return False
    except WrongLine:
        say(session.words.suspended.format(game=session.sitting.game, again=_AGAIN))
        raise
    except KeyboardInterrupt:
        say("", session.words.suspended.format(game=session.sitting.game, again=_AGAIN))
        raise
    finally:
        session.sitting.close()


def _ask_next(session: "Session") -> str:
    """yes, stop, or back: the game continues before the player's last move."""
    while True:
        answer = session.typed.read(session.words.ask_next)
        match None if answer is None else answer.strip().lower():
            case None | "q" | "quit" | "n" | "no":
                return "stop"
            case "" | "y" | "yes":
                return "yes"
            case "b" | "back":
                if session.back():
                    return "back"
            case other:
                session.screen.line(session.words.not_understood_next.format(line=shown(str(other))))
