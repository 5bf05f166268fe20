"""What stands inside the events: kinds of meld, the rules of a house, players, origins, scores.

Frozen: how a field is added is told in `ddz/frozen/__init__.py`. What is done with these shapes stands elsewhere:
`melds.py`, `rules.py`, `commands.py`, `scoring.py`.
"""

import enum
import functools
from typing import Annotated, Final, Literal

import msgspec

from ddz import kernel
from ddz.cards import DECK_SIZE

Seat = Annotated[int, msgspec.Meta(ge=0, le=2)]
"""0 to 2, in order of play; the seat after 2 is 0."""

MOST_KNOB: Final = 1000
"""The greatest factor that a house may set."""
MOST_BASE: Final = 1_000_000_000
"""The greatest base that a record may bring along, where no auction finds one."""
MOST_CAUSES: Final = DECK_SIZE // 4 + 2
"""What may multiply one game: bombs, each of four cards, one rocket, and a spring or an anti-spring."""
MOST_POINTS: Final = MOST_BASE * MOST_KNOB**MOST_CAUSES * MOST_KNOB
"""No seat gains or loses more by any rules; the last factor is that of an escape, where a landlord's is 2."""
Base = Annotated[int, msgspec.Meta(ge=0, le=MOST_BASE)]
"""Points before anything multiplies them."""
Factor = Annotated[int, msgspec.Meta(ge=1, le=MOST_KNOB)]

VoiceFrom = Literal["seed", "chosen", "rotation", "record"]
ForkReason = Literal["explore", "back"]
AuctionKind = Literal["once", "until-two-passes", "assigned"]
CauseName = Literal["bomb", "rocket", "spring", "anti-spring"]
Winner = Literal["landlord", "peasants", "escape", "nobody"]


class Kind(enum.Enum):
    """The kinds of meld (rules.md A), in the order in which moves are listed."""

    SOLO = "solo"
    PAIR = "pair"
    TRIO = "trio"
    TRIO_SOLO = "trio+solo"
    TRIO_PAIR = "trio+pair"
    CHAIN = "chain"
    PAIR_CHAIN = "pair-chain"
    AIRPLANE = "airplane"
    AIRPLANE_SOLOS = "airplane+solos"
    AIRPLANE_PAIRS = "airplane+pairs"
    QUAD_SOLOS = "quad+solos"
    QUAD_PAIRS = "quad+pairs"
    BOMB = "bomb"
    ROCKET = "rocket"

    index: int
    """The kernel's number of the kind, 0 to 13."""

    def __init__(self, text: str) -> None:  # noqa: ARG002  # enum passes the value
        self.index = len(type(self).__members__)

    def __str__(self) -> str:
        return str(self.value)


class KickerPolicy(msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """The knobs of rules.md C that decide which kickers a meld may carry, and whether quad+ melds exist."""

    core_kickers: bool = False
    """A kicker of a core rank is allowed (in airplanes only)."""
    most_equal: int = 4
    """The most equal solo kickers, 1 to 4."""
    equal_pairs: bool = True
    """Two equal pairs may be pair kickers."""
    both_jokers: bool = True
    """Both jokers may be solo kickers of one meld."""
    adjacent_trio: bool = True
    """Three equal solo kickers may stand next to the airplane's trios (2 is next to nothing)."""
    quads: bool = True
    """quad+solos and quad+pairs are melds."""

    def __post_init__(self) -> None:
        if not 1 <= self.most_equal <= 4:
            raise ValueError(f"most_equal is {self.most_equal}, but a rank has 1 to 4 cards")

    @functools.cached_property
    def code(self) -> int:
        """The policy packed for the kernel."""
        return (
            self.most_equal
            | self.core_kickers * kernel.CORE_KICKERS
            | self.equal_pairs * kernel.EQUAL_PAIRS
            | self.both_jokers * kernel.BOTH_JOKERS
            | self.adjacent_trio * kernel.ADJACENT_TRIO
            | self.quads * kernel.QUADS
        )


class Rules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All knobs of a house. The defaults are the preset `classic`, the law of rules.md A and B."""

    name: str = "classic"
    """What the house calls its rules; a preset's name only if every knob is the preset's."""
    kickers: KickerPolicy = KickerPolicy()
    auction: AuctionKind = "once"
    """once: each seat speaks once; until-two-passes: until two passes follow a bid; assigned: given with the deal."""
    all_pass: Literal["redeal", "void"] = "redeal"
    """What happens when nobody bids: a new deal, or the game is over for nothing."""
    bomb: int = 2
    """The factor of each bomb played; 1 means that it does not count."""
    rocket: int = 2
    spring: int = 2
    anti_spring: int = 2
    escape_factor: int = 3
    """An escape costs base x multiplier x this many points ..."""
    escape_least: int = 3
    """... and at least this many."""

    def __post_init__(self) -> None:
        for knob in ("bomb", "rocket", "spring", "anti_spring", "escape_factor", "escape_least"):
            if not 1 <= getattr(self, knob) <= MOST_KNOB:
                raise ValueError(f"{knob} is {getattr(self, knob)}, but must be 1 to {MOST_KNOB}")


class Player(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who sits at a seat."""

    name: str
    kind: Literal["human", "bot", "import"]
    bot: str | None = None
    version: str | None = None
    """The version of the bot."""


Players = tuple[Player, Player, Player]


class Claim(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the source of an imported game says of its end; believed by nobody, compared by the audit."""

    payouts: tuple[int, int, int] | None = None
    winner: str | None = None


class Origin(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where an imported game comes from."""

    format: str
    source: str
    """What the record calls itself, or the name of its file."""
    claim: Claim | None = None
    deals: int = 1
    """How many deals the record brings; any that follow are dealt from the seeds."""
    seeds_given: bool = False
    """The record brought its own seeds, so that its deals can be held against them."""


class Cause(msgspec.Struct, frozen=True, array_like=True):
    """One occurrence that multiplies the base."""

    name: CauseName
    factor: Factor


class Score(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a game ended, with everything that the points follow from."""

    winner: Winner
    landlord: Seat | None
    base: int
    """The winning bid; in an escape during the auction the highest bid so far, 0 if there is none."""
    multiplier: int
    """The product of the causes' factors."""
    causes: tuple[Cause, ...]
    """One an occurrence, in the order in which they happened."""
    payouts: tuple[int, int, int]
    """Points for seats 0, 1 and 2; they sum to zero but after an escape."""
    escaped: Seat | None = None

    def __post_init__(self) -> None:
        # Whoever adds, squares and divides what is stored (statistics do) may trust that a float can hold it.
        if max(map(abs, (self.base, self.multiplier, *self.payouts))) > MOST_POINTS:
            raise ValueError("no rules pay so many points")
