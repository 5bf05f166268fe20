"""What one may ask of a game. `decide` answers with events, or refuses."""

import msgspec

from ddz.cards import CardSet, Rank
from ddz.errors import Phrase
from ddz.frozen.shapes import ForkReason, Kind, Origin, Players, Rules, Seat, VoiceFrom
from ddz.names import check_name
from ddz.rules import check_rules_name


def check_names(players: Players, rules: Rules) -> None:
    """Make sure that players and rules which are taken over as they stand have names (see `names`).

    Raises:
        Unreadable: naming the seat, or the rules.
    """
    for seat, player in enumerate(players):
        check_name(player.name, Phrase("name/of-seat", "the name of seat {seat}", seat=seat))
    check_rules_name(rules)


class Seeds(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the deals follow from (ddz-deal-v1). Bytes are written as hexadecimal digits."""

    nonce: str
    server_seed: str
    seat_seeds: tuple[str, str, str] = ("", "", "")
    chosen: bool = False
    """Somebody picked the seed, so it proves nothing about the deal."""


class OpenGame(msgspec.Struct, frozen=True):
    """Open a game: who plays, under which rules, from which seeds."""

    game: str
    match: str
    round: int
    previous: str | None
    players: Players
    rules: Rules
    seeds: Seeds
    first_voice: Seat | None
    """None leaves the choice to the seed."""
    voice_from: VoiceFrom
    origin: Origin | None = None


class GivenDeal(msgspec.Struct, frozen=True):
    """A distribution that a record brings along."""

    hands: tuple[CardSet, CardSet, CardSet]
    kitty: CardSet
    first_voice: Seat
    landlord: Seat | None = None
    base: int | None = None


class Deal(msgspec.Struct, frozen=True):
    """Deal the cards: from the seeds, or as an imported record says."""

    given: GivenDeal | None = None


class Bid(msgspec.Struct, frozen=True):
    """Bid `points` (1 to 3) in the auction."""

    seat: Seat
    points: int


class PassBid(msgspec.Struct, frozen=True):
    """Pass in the auction."""

    seat: Seat


class Play(msgspec.Struct, frozen=True):
    """Play cards; `kind` and `rank` name the reading where several remain."""

    seat: Seat
    cards: CardSet
    kind: Kind | None = None
    rank: Rank | None = None


class Pass(msgspec.Struct, frozen=True):
    """Let the top stand."""

    seat: Seat


class Escape(msgspec.Struct, frozen=True):
    """Leave the game before it ends, in turn or not."""

    seat: Seat


class Fork(msgspec.Struct, frozen=True):
    """Go on from here in a line of its own."""

    parent: str
    at: int
    head: str
    """The parent's hash at `at`."""
    reason: ForkReason


Turn = Bid | PassBid | Play | Pass
"""A command of the seat to act."""
Command = OpenGame | Deal | Turn | Escape | Fork
