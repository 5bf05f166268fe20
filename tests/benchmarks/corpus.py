"""Real games as commands: what a benchmark of deciding, folding and storing gives again and again."""

import random
from collections.abc import Iterator

from ddz import bots, dealing
from ddz.commands import Command, Deal, OpenGame, Seeds
from ddz.decide import decide, legal
from ddz.frozen.events import Event
from ddz.frozen.shapes import Player
from ddz.rules import CLASSIC
from ddz.state import START, Over, State, fold, turn_of
from ddz.view import seat_view

GAMES = 300
BOTS = ("random", "simple")

Game = tuple[Command, ...]


def games(count: int = GAMES) -> list[Game]:
    """The commands of whole games by the classic rules, played by each bot in turn; the same ones every time."""
    return [tuple(_play(number, BOTS[number % len(BOTS)])) for number in range(count)]


def events(game: Game) -> tuple[Event, ...]:
    """What the commands of a game bring about."""
    state: State = START
    found: list[Event] = []
    for command in game:
        batch = decide(state, command)
        found += batch
        state = fold(batch, state)
    return tuple(found)


def _play(number: int, name: str) -> Iterator[Command]:
    """One game: from the opening to the last card, with every redeal."""
    bot, rng = bots.make(name), random.Random(number)
    state: State = START
    command: Command = _opening(number, name)
    while True:
        yield command
        state = fold(decide(state, command), state)
        if isinstance(state, Over):
            return
        seat = turn_of(state)
        command = Deal() if seat is None else bot.choose(seat_view(state, seat), legal(state), rng)


def _opening(number: int, name: str) -> OpenGame:
    nonce, server_seed = dealing.chosen_seeds(number, 1)
    one, two, three = (Player(f"{name} {seat}", "bot", name, "1") for seat in range(3))
    seeds = Seeds(nonce.hex(), server_seed.hex(), chosen=True)
    game = f"game{number:08}"
    return OpenGame(game, game, 1, None, (one, two, three), CLASSIC, seeds, None, "seed")
