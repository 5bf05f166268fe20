"""`ddz log events --follow`: another program follows the log, even one that is not there yet."""

import json
import subprocess
from pathlib import Path

from .stage import SCRIPT, Ddz


def test_following_a_log_that_is_not_there_yet(db: Path, ddz: Ddz) -> None:
    assert not db.exists()
    following = subprocess.Popen(
        [str(SCRIPT), "log", "events", "--follow", "--json"],
        env=ddz.environment({"PYTHONUNBUFFERED": "1"}),
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        game = ddz("new", "--seed", 7).out.strip()
        assert following.stdout is not None
        told = [json.loads(following.stdout.readline()) for _ in range(2)]
    finally:
        following.kill()
        following.communicate()
    assert [(event["game"], event["position"], event["type"]) for event in told] == [
        (game, 1, "game_opened"),
        (game, 2, "dealt"),
    ]
    assert told[1]["hands"] == [None, None, None], "what is hidden yet is left out"
