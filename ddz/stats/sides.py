"""What a score says of the seats: who was the landlord, whose side won."""

from typing import Final, Literal

from ddz.frozen.shapes import Score, Seat

Role = Literal["landlord", "peasant"]
ROLES: Final[tuple[Role, Role]] = ("landlord", "peasant")


def decided(score: Score) -> bool:
    """True if one side won: nobody escaped, and somebody bid."""
    return score.winner in ("landlord", "peasants")


def role(score: Score, seat: Seat) -> Role | None:
    """What the seat was; None where no landlord was found."""
    if score.landlord is None:
        return None
    return "landlord" if seat == score.landlord else "peasant"


def won(score: Score, seat: Seat) -> bool:
    """True if the seat is on the side that won, of a score that is decided."""
    return (seat == score.landlord) == (score.winner == "landlord")
