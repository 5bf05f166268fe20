"""Scripts for `playouts.follow`: the play of a real game, and every way to spoil one turn of it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ddz import kernel, playouts
from ddz.frozen.events import CardsPlayed, Dealt, Event, GameOpened, LandlordChosen, PlayPassed

Turn = kernel.PackedMeld | None


@dataclass
class Script:
    """The play of one game: packed hands with the kitty, who leads, the turns, who went out, by which kicker rules."""

    hands: tuple[int, int, int]
    landlord: int
    turns: list[Turn]
    winner: int | None
    policy: int

    def follow(self, turns: list[Turn] | None = None) -> tuple[int, int | None]:
        """What the kernel says of these turns, or of the game's own."""
        return playouts.follow(self.hands, self.landlord, self.turns if turns is None else turns, self.policy)

    def legal(self) -> Iterator[tuple[int, list[Turn]]]:
        """Before each turn: its number, and what the law allows there."""
        hands, seat, owner = list(self.hands), self.landlord, self.landlord
        top: Turn = None
        for number, turn in enumerate(self.turns):
            if seat == owner:
                top = None
            leads: list[Turn] = [*kernel.leads(hands[seat], self.policy)]
            yield number, leads if top is None else [*kernel.responses(hands[seat], *top[:3], self.policy), None]
            if turn is not None:
                top, owner = turn, seat
                hands[seat] -= turn[3]
            seat = (seat + 1) % 3


def script_of(events: Iterable[Event]) -> Script | None:
    """The play of a game out of its events; None if it never came to a play."""
    script = None
    for event in events:
        match event:
            case GameOpened():
                policy = event.rules.kickers.code
            case Dealt():
                hands = [hand.counts for hand in event.hands]
            case LandlordChosen():
                hands[event.landlord] += event.kitty.counts
                script = Script((hands[0], hands[1], hands[2]), event.landlord, [], None, policy)
            case CardsPlayed() if script:
                script.turns.append((event.kind.index, event.length, event.rank.index, event.cards.counts))
                if event.next is None:
                    script.winner = event.seat
            case PlayPassed() if script:
                script.turns.append(None)
    return script


def spoiled(turn: Turn, unplayed: Iterable[int]) -> set[Turn]:
    """Turns that differ from `turn` in one number or one card, a pass, and each of the `unplayed` cards as a solo."""
    found: set[Turn] = {None, *((kernel.SOLO, 1, rank, 1 << 4 * rank) for rank in unplayed)}
    if turn is None:
        return found - {turn}
    kind, length, rank, cards = turn
    for other in range(-1, 15):
        found |= {(other, length, rank, cards), (kind, other, rank, cards), (kind, length, other, cards)}
    for lane in range(kernel.LANES):
        one = 1 << 4 * lane
        found.add((kind, length, rank, cards + one))
        if kernel.lane(cards, lane):
            found.add((kind, length, rank, cards - one))
            found |= {(kind, length, rank, cards - one + (1 << 4 * other)) for other in range(kernel.LANES)}
    for by in range(-2, 3):  # the whole meld, some ranks higher or lower
        if 0 <= rank + by < kernel.LANES:
            moved = cards << 4 * by if by >= 0 else cards >> -4 * by
            found.add((kind, length, rank + by, moved & (1 << 4 * kernel.LANES) - 1))
    return found - {turn}


def judge(script: Script) -> tuple[int, int]:
    """Hold `follow` against the law at every turn; how many spoiled turns were illegal, and how many were not.

    What the law lists is accepted there, and whatever it does not list is refused at that very turn.
    """
    illegal = legal = 0
    for number, allowed in script.legal():
        so_far = script.turns[:number]
        listed = set(allowed)
        assert script.turns[number] in listed
        for other in spoiled(script.turns[number], range(kernel.LANES)) | listed:
            done, winner = script.follow([*so_far, other])
            if other in listed:
                assert done == number + 1, (number, other)
                legal += 1
            else:
                assert (done, winner) == (number, None), (number, other)
                illegal += 1
    return illegal, legal
