"""Records to be spoilt: a short whole game, and a deal that nobody wanted with the one behind it."""

import tomllib
from typing import Any

import tomli_w

Draft = dict[str, Any]

SHORT = """
format = "ddz-record/1"
rules = "classic"
seats = ["ann", "bob", "cat"]
payouts = [12, -6, -6]

[[deals]]
first_bidder = 0
hands = ["33334444555566667", "77788889999TTTTJJ", "JJQQQQKKKKAAAA22B"]
kitty = "22R"
actions = [
  "0 bid 3", "0 play 333444555666 as airplane", "1 pass", "2 pass", "0 play 34567", "1 pass", "2 pass",
  "0 play 22", "1 pass", "2 pass", "0 play R",
]
"""
"""Seat 0 goes out while nobody else plays a card."""


def short() -> Draft:
    """The short game."""
    return tomllib.loads(SHORT)


def redealt() -> Draft:
    """Three passes from seat 0 on, and then the short game, whose first voice is seat 1."""
    draft = short()
    last = draft["deals"][0]
    void = {**last, "actions": ["0 pass", "1 pass", "2 pass"]}
    last = {**last, "first_bidder": 1, "actions": ["1 pass", "2 pass", *last["actions"]]}
    return {**draft, "deals": [void, last]}


def with_actions(*actions: object, draft: Draft | None = None) -> Draft:
    """A draft whose last deal has these actions."""
    draft = short() if draft is None else draft
    draft["deals"][-1]["actions"] = list(actions)
    return draft


def text(draft: Draft) -> str:
    """A draft as it stands in a file."""
    return tomli_w.dumps(draft)
