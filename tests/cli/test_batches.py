"""No command does anything in the middle of another one's events; also not in a line that an older ddz made there."""

from pathlib import Path

import pytest

from ddz.frozen.events import BidMade, GameForked, LandlordChosen
from ddz.services.table import Table

from .stage import Ddz, stage


@pytest.mark.parametrize("rules", ["rlcard", "douzero"])
def test_where_the_landlord_comes_with_the_deal_nobody_forks_between_the_two(rules: str, ddz: Ddz) -> None:
    ddz("play", "--auto", "--rules", rules, "--seed", "5", "--bot", "easy")
    game = ddz("games", "--json").json["games"][0]["game"]
    for at in (1, 2):
        done = ddz("fork", game, "--at", at, code=4)
        assert "no seat is to act" in done.err
        assert "[fork/no-turn-here]" in done.err
        shown = ddz("show", game, "--at", at, "--json").json
        assert (shown["turn"], shown["phase"], shown["legal"]) == (None, "dealing", [])
        assert "▶" not in ddz("show", game, "--at", at).out
    ddz("fork", game, "--at", 3, "--auto")
    assert ddz("audit", "--all").code == 0


def an_old_line(table: Table, ddz: Ddz) -> str:
    """What `fork --at 2` made of such a game before it was refused, and a bid there."""
    game = ddz("games", "--json").json["games"][0]["game"]
    rows = table.log.rows(game, 2)
    assert isinstance(table.log.history(game)[2], LandlordChosen)
    table.log.append("oldfork", 2, (GameForked(game, 2, rows[-1].hash, "explore"),), "old", table.clock())
    table.log.append("oldfork", 3, (BidMade(1, 1, 2),), "old bid", table.clock())
    return "oldfork"


def test_a_line_that_an_older_ddz_made_there_is_read_and_found_but_nobody_goes_on_in_it(db: Path, ddz: Ddz) -> None:
    ddz("play", "--auto", "--rules", "rlcard", "--seed", "5", "--bot", "easy")
    with stage(db) as table:
        line = an_old_line(table, ddz)
    assert "legality/other-event at event 3" in ddz("audit", line, code=1).out
    for command in ("show", "replay", "tree", "games", "stats"):
        ddz(command, *([] if command in ("games", "stats") else [line]), code=1 if command == "replay" else 0)
    for what in (["bid", "2"], ["pass"], ["escape"], ["play", "3"]):
        assert "[phase/wrong]" in ddz("act", line, "--seat", "2", *what, code=4).err
    done = ddz("play", line, "--auto", code=5)
    assert f"game {line} ends in the middle of a command, at event 4" in done.err
    ddz("fork", line, "--at", "4", "--reveal", code=4)
