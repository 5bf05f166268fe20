"""`ddz play`: a person against two bots, or bots among themselves."""

from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ddz.words.columns import shown

from .door import say
from .shell import (
    Db,
    Lang,
    Reveal,
    Think,
    complete_game,
    is_terminal,
    let_think,
    need_seat,
    rules_named,
    table_at,
)

if TYPE_CHECKING:
    from ddz.frozen.shapes import Rules
    from ddz.services.loop import Seated
    from ddz.services.opening import Opening
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
) -> None:
    """Play against two bots. Every move is in the log before you see it. `quit` suspends, --resume continues.

    Example: ddz play --seed 7
    """
    from ddz.errors import Unreadable
    from ddz.services.sight import sit_down
    from ddz.words.languages import DEFAULT, language

    from .languages import words_for
    from .terminal import Lines, Screen

    need_seat(seat)
    if isnan(delay):  # neither too small nor too great for the option
        raise Unreadable("--delay takes a number of seconds, not nan")
    typed = Lines(moves)
    words = words_for(lang)
    if ascii_only and not words.ascii:
        if lang is not None:
            raise Unreadable(f"--ascii has no letters for --lang {lang}: leave out one of the two")
        words = language(DEFAULT)
    screen = Screen(words, ascii_only, screen_reader, delay)
    house = rules_named(rules or "classic")
    if auto and seat is not None:
        raise Unreadable("--auto lets a bot play every seat: leave --seat away")
    if (game is not None or resume) and (rules, my_seed) != (None, None):
        raise Unreadable("a stored game keeps its rules and its seeds: leave --rules and --my-seed away")
    names = tuple(bot or ())
    with table_at(db, create=True) as table:
        if resume and game is None:
            game = _newest_unfinished(table)
        if game is not None:
            game = table.log.resolve(game)
            if seat is not None and not auto:
                sit_down(table.log, game, table.load(game).state, seat, reveal)
            session = _go_on(table, game, seat, auto, names, think, screen, typed)
        else:
            human = None if auto else seat or 0
            opening, seated = _opening(human, names, think, house, seed, my_seed)
            session = _begin(table, opening, human, seated, my_seed == "-", screen, typed)
        session.think = think
        _play_rounds(session, seed, rounds if rounds is not None else 1 if auto or not is_terminal() else None)


def _newest_unfinished(table: "Table") -> str:
    from ddz.errors import UnknownGame
    from ddz.services.sight import is_over

    for line in table.log.lines():
        if not is_over(line):
            return line.game
    raise UnknownGame("there is no unfinished game: ddz play begins a new one")


def _opening(
    human: int | None, names: tuple[str, ...], think: int | None, rules: "Rules", seed: int | None, my_seed: str | None
) -> "tuple[Opening, Seated]":
    """How the first game begins, and the bots that play it."""
    import msgspec

    from ddz.services.loop import DEFAULT, players_of, seat_bots
    from ddz.services.opening import Opening

    _, seated = seat_bots(names or (DEFAULT,), () if human is None else (human,))
    let_think(seated.values(), think)
    opening = Opening(players=players_of(seated), rules=rules, seed=seed)
    if my_seed not in (None, "-"):
        opening = msgspec.structs.replace(opening, seat_seeds=_seat_seeds(human, my_seed))
    return opening, seated


def _seat_seeds(human: int | None, text: str | None) -> tuple[str, str, str]:
    seeds = ["", "", ""]
    seeds[human or 0] = text or ""
    return seeds[0], seeds[1], seeds[2]


def _begin(
    table: "Table",
    opening: "Opening",
    human: int | None,
    seated: "Seated",
    ask_seed: bool,
    screen: "Screen",
    typed: "Lines",
) -> "Session":
    """Open the first game, and tell how it begins; `ask_seed`: show the commitment, then ask for the player's words."""
    import msgspec

    from ddz import dealing
    from ddz.services.opening import chosen

    from .session import Session

    seeds = None
    if ask_seed:
        seeds = table.draw_seeds() if opening.seed is None else chosen(opening.seed, opening.round)
        commitment = dealing.commitment(bytes.fromhex(seeds.nonce), bytes.fromhex(seeds.server_seed)).hex()
        screen.line(screen.words.commitment.format(commitment=commitment))
        own = _seat_seeds(human, (typed.read(screen.words.ask_seed) or "").strip())
        seeds = msgspec.structs.replace(seeds, seat_seeds=own)
        opening = msgspec.structs.replace(opening, seat_seeds=own)  # for a chosen seed, and for the games to come
    outcome = table.open(opening, seeds)
    session = Session(table, outcome.moment, human, seated, screen, typed)
    session.enter(outcome, opening.round)
    return session


def _go_on(
    table: "Table",
    game: str,
    seat: int | None,
    auto: bool,
    names: tuple[str, ...],
    think: int | None,
    screen: "Screen",
    typed: "Lines",
) -> "Session":
    """Take up a stored game: at its human's seat if there is one, else at seat 0.

    Raises:
        Refused: `game/over`.
    """
    from ddz.errors import Refused
    from ddz.services.loop import bots_of
    from ddz.services.sight import human_seats
    from ddz.state import Over, opened_in

    from .session import Session

    at = table.load(game)
    if isinstance(at.state, Over):
        raise Refused(
            "game/over", "game {game} is over: fork it to play another line, or ddz play for a new game", game=game
        )
    opened = opened_in(at.state)
    humans = human_seats(at.state)
    own = None if auto else seat if seat is not None else humans[0] if humans else 0
    seated = bots_of(opened.players, () if own is None else (own,), names)
    let_think(seated.values(), think)
    screen.line(screen.words.resumed.format(game=game, seq=at.seq))
    return Session(table, at, own, seated, screen, typed)


def _play_rounds(session: "Session", seed: int | None, rounds: int | None) -> None:
    """Play game after game of a match: `rounds` of them, or as long as the player says."""
    import msgspec

    from ddz import guests
    from ddz.services.loop import players_now
    from ddz.services.match import next_opening

    from .exits import WrongLine
    from .session import Suspended

    played = 0
    try:
        while True:
            over = session.finish()
            played += 1
            if rounds is not None and played >= rounds:
                return
            if rounds is None:
                answer = _ask_next(session)
                if answer == "stop":
                    return
                if answer == "back":
                    played -= 1
                    continue
            opening = next_opening(over, session.at.game, seed)
            opening = msgspec.structs.replace(opening, players=players_now(opening.players, session.seated))
            session.enter(session.table.open(opening), opening.round)
    except Suspended:
        say(session.words.suspended.format(game=session.at.game, again=_AGAIN))
    except WrongLine:
        say(session.words.suspended.format(game=session.at.game, again=_AGAIN))
        raise
    except KeyboardInterrupt:
        say("", session.words.suspended.format(game=session.at.game, again=_AGAIN))
        raise
    finally:
        guests.close(session.seated.values())


def _ask_next(session: "Session") -> str:
    """yes, stop, or back: the game goes on before the player's last move."""
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
