"""`ddz act --json` for a bot's seat: whoever asks learns no hand that `show` would not give."""

from typing import Final

import pytest

from .stage import Ddz

AMONG_PEOPLE: Final = "ann,bot:easy,bot:hard"
BOTS: Final = "bot:easy,bot:easy,bot:hard"


@pytest.mark.parametrize(
    ("players", "seat", "shown"), [(AMONG_PEOPLE, 1, False), (AMONG_PEOPLE, 0, True), (BOTS, 1, True)]
)
def test_a_hand_is_answered_where_show_gives_it(ddz: Ddz, players: str, seat: int, shown: bool) -> None:
    ddz("new", "--players", players, "--seed", "3", "--first", seat)
    view = ddz("act", "@last", "--seat", seat, "pass", "--json").json["view"]
    assert view["seat"] == (seat if shown else None)
    assert (view["hand"] is not None) == shown
    asked = ("show", "@last", "--as", seat, "--json")
    if players == AMONG_PEOPLE:
        ddz(*asked, code=0 if shown else 2)


def test_nothing_is_hidden_once_the_game_is_over(ddz: Ddz) -> None:
    ddz("new", "--players", AMONG_PEOPLE, "--seed", "3", "--first", "1")
    view = ddz("act", "@last", "--seat", "1", "escape", "--json").json["view"]
    assert (view["phase"], view["seat"]) == ("over", 1)
    assert view["hand"]
