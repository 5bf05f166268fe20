"""kill -9 at every system call, and at random: nothing acknowledged is lost or there twice, and all can be repeated.

Each command that stores is killed before each of its system calls that touch its folder or standard output (by strace,
whose `inject=CALL:signal=SIGKILL:when=N` counts a process's calls), and at random times. After each kill the log
verifies and audits clean, holds what the command had printed, and the same command (or `--resume`) brings it to the
very end that an undisturbed run has: all of it once.

The long form is `-m long`: 1,500 kills, or DDZ_KILLS of them.
"""

import os
import random
import time

import pytest

from .calls import Call
from .ground import ATTACKS, Attack
from .rounds import Round, share
from .stand import Ended, Stand, inject, need_strace

need_strace()

SEED = 20261201
IN_CI = 3
"""Kills a command."""
LONG = int(os.environ.get("DDZ_KILLS", "1500"))
BY_CHANCE = 0.25
"""Of the kills those that come at a random time, and not at a system call."""


def points(attack: Round, follow: bool) -> list[Call]:
    """Where a command can be killed: before each call that touches its folder, or says something."""
    attack.again()
    done = attack.stand.traced(*attack.args, follow=follow)
    assert done.code == 0, str(done)
    found = [call for call in done.calls if call.says or call.touches(attack.stand.folder)]
    assert len(found) > 20, "it is seen what the command does"
    return found


def attacked(attack: Attack, stand: Stand, kills: int, follow: bool = False) -> int:
    """Kill a command so often, with `follow` the processes that it begins, too; how many of these hit it."""
    laid = Round(attack, stand)
    chance = random.Random(f"{SEED} {attack.name}")
    calls = points(laid, follow)
    laid.again()
    began = time.monotonic()
    stand.run(*laid.args)
    length = time.monotonic() - began
    at_calls = kills - round(kills * BY_CHANCE)
    drawn = [*calls * (at_calls // len(calls)), *chance.sample(calls, at_calls % len(calls))]
    hit = 0
    for call in drawn:
        laid.again()
        killed = stand.traced(*laid.args, options=inject(call, "signal=SIGKILL"), follow=follow)
        # It may make other calls than it did: ids drawn by chance lie in other pages. Or a process of its dies.
        dead = killed.code == -9 or any(each.result is None for each in killed.calls)
        hit += dead
        judged(laid, killed, f"{attack.name}, killed at {call.name} number {call.number}: {call.rest[:200]}")
    for _ in range(kills - at_calls):
        laid.again()
        after = chance.uniform(0, length)
        killed = stand.killed(*laid.args, after=after)
        hit += killed.code == -9
        judged(laid, killed, f"{attack.name}, killed after {after:.4f} s")
    return hit


def judged(laid: Round, killed: Ended, how: str) -> None:
    try:
        laid.judge(killed)
    except AssertionError as error:
        error.add_note(f"{how}\n{killed}\nleft in {laid.stand.folder}")
        raise


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_a_command_that_is_killed_loses_nothing_and_can_be_repeated(attack: Attack, stand: Stand) -> None:
    kills = IN_CI if attack.exact else 2  # several processes take longer to begin than all the others do
    assert attacked(attack, stand, kills) >= kills // 2


def test_the_installed_script_is_killed_as_its_likes_are(stand: Stand) -> None:
    """The others are children of a process that has imported ddz; these begin as a person's command does."""
    laid = Round(ATTACKS[0], stand)
    laid.again()
    done = stand.script(*laid.args)
    assert done.code == 0, str(done)
    calls = [call for call in done.calls if call.says or call.touches(stand.folder)]
    for call in random.Random(SEED).sample(calls, 3):
        laid.again()
        killed = stand.script(*laid.args, options=inject(call, "signal=SIGKILL"))
        assert killed.code == -9, str(killed)
        judged(laid, killed, f"the script, killed at {call.name} number {call.number}: {call.rest[:200]}")


@pytest.mark.long
@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_a_command_that_is_killed_at_every_call(attack: Attack, stand: Stand) -> None:
    kills = share(attack, LONG)
    hit = attacked(attack, stand, kills)
    if not attack.exact:
        kills += kills // 5
        hit += attacked(attack, stand, kills // 5, follow=True)
    print(f"{attack.name}: {hit} of {kills} hit")
    assert hit >= 0.75 * kills
