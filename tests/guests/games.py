"""Whole games of bots with somebody who looks on, and views with what is hidden exchanged."""

import random
from collections.abc import Callable, Iterator

import msgspec

from ddz import bots, dealing
from ddz.bots.base import Bot
from ddz.cards import CardSet
from ddz.commands import Deal, OpenGame, Seeds, Turn
from ddz.decide import legal
from ddz.frozen.shapes import Player, Rules
from ddz.rules import SEATS
from ddz.services.table import decide_all
from ddz.state import START, Auction, Over, Playing, State, turn_of
from ddz.view import seat_view

NOBODY = Player("x", "bot")
Look = Callable[[State, Turn], None]


def opened(rules: Rules, number: int, voice: int | None = 0) -> OpenGame:
    """Game `number`, in which seat `voice` speaks first, or is the landlord where one is assigned."""
    nonce, seed = dealing.chosen_seeds(number, 1)
    seeds = Seeds(nonce.hex(), seed.hex(), chosen=True)
    return OpenGame("g", "g", 1, None, (NOBODY, NOBODY, NOBODY), rules, seeds, voice, "chosen")


def play(rules: Rules, number: int, seated: dict[int, Bot], look: Look | None = None, voice: int | None = 0) -> Over:
    """A whole game; `look` sees each state of a turn and what is done in it."""
    rng = random.Random(number)
    _, state = decide_all(START, (opened(rules, number, voice), Deal()))
    while not isinstance(state, Over):
        seat = turn_of(state)
        assert seat is not None
        turn = seated[seat].choose(seat_view(state, seat), legal(state), rng)
        if look is not None:
            look(state, turn)
        _, state = decide_all(state, (turn,))
    return state


def positions(rules: Rules, games: int, voice: int | None = 0) -> Iterator[tuple[State, Turn]]:
    """States of turns and what was done, from games of `random` and `simple`, who sit elsewhere in each."""
    for number in range(games):
        seated = {seat: bots.make("random" if (seat + number) % 3 else "simple") for seat in SEATS}
        seen: list[tuple[State, Turn]] = []
        play(rules, number, seated, lambda state, turn, seen=seen: seen.append((state, turn)), voice)
        yield from seen


def exchanged(state: Auction | Playing, rng: random.Random) -> Auction | Playing:
    """The state with the cards that the seat to act cannot know dealt anew; of the play before, all stays as it was."""
    me = state.turn
    others = [seat for seat in SEATS if seat != me]
    if isinstance(state, Auction):
        pool = [card for seat in others for card in state.dealt.hands[seat]] + list(state.dealt.kitty)
        rng.shuffle(pool)
        new = {others[0]: pool[:17], others[1]: pool[17:34]}
        hands = tuple(_set(new[seat]) if seat in new else state.dealt.hands[seat] for seat in SEATS)
        return msgspec.structs.replace(
            state, dealt=msgspec.structs.replace(state.dealt, hands=hands, kitty=_set(pool[34:]))
        )
    known = set(state.dealt.kitty)
    pool = [card for seat in others for card in state.hands[seat] if card not in known]
    rng.shuffle(pool)
    held = {}
    for seat in others:
        shown = [card for card in state.hands[seat] if card in known]
        need = len(state.hands[seat]) - len(shown)
        held[seat], pool = _set([*shown, *pool[:need]]), pool[need:]
    return msgspec.structs.replace(state, hands=tuple(held.get(seat, state.hands[seat]) for seat in SEATS))


def _set(cards: list[int]) -> CardSet:
    return CardSet(sum(1 << card for card in cards))
