"""What a language must say: one typed catalogue of every sentence that a player reads.

A language is a `Words`; what it lacks, mypy and the tests miss. Help texts and machine output are English only.
"""

from typing import Final

import msgspec

from ddz.frozen.shapes import Kind


class Words(msgspec.Struct, frozen=True, kw_only=True):
    """One language. `{...}` are filled in by the screen; each language uses the same ones."""

    language: str
    ascii: bool
    """Its letters are all ASCII."""
    # ranks and melds
    ranks: dict[str, str]
    melds: dict[Kind, str]
    kinds: dict[Kind, str]
    """How `?` heads the moves of a kind; the name that `as` takes is in it."""
    # the table
    seat: str
    landlord: str
    peasant: str
    you: str
    kitty: str
    kitty_hidden: str
    cards_left: str
    card_left: str
    call_two: str
    call_one: str
    base: str
    no_bid_yet: str
    to_beat: str
    you_lead: str
    leads: str
    nothing_beats: str
    your_hand: str
    round: str
    deal: str
    # what happens
    opened: str
    commitment: str
    dealt: str
    hand_hidden: str
    bids: str
    passes_bid: str
    voided: str
    becomes_landlord: str
    passes: str
    escapes: str
    over: str
    seed_revealed: str
    forked: str
    reasons: dict[str, str]
    # the score
    winner: dict[str, str]
    score: str
    score_base: str
    score_cause: dict[str, str]
    score_multiplier: str
    score_stake: str
    score_escape: str
    payouts: str
    totals: str
    # audits
    checks: dict[str, str]
    verdicts: dict[str, str]
    audit: str
    audited: str
    progress: str
    """How far long work is: games {done} of {total}, {rate} a second, {left} as hours, minutes and seconds."""
    source: str
    claims: str
    claim_states: dict[str, str]
    judged_illegal: str
    judged_legal: str
    judged_score: str
    # prompts and answers
    ask_bid: str
    ask_play: str
    ask_next: str
    ask_escape: str
    ask_seed: str
    help_auction: str
    help_play: str
    legal: str
    and_more: str
    hint: str
    unseen: str
    suspended: str
    went_back: str
    no_way_back: str
    next_game: str
    resumed: str
    not_understood: str
    not_understood_next: str
    say_bid: str
    say_cards: str
    """What is wrong with cards: {why} says it in English; a language without it says how cards are written."""
    say_reading: str
    say_level: str
    """What may stand behind `hint`."""
    walk_keys: str
    walk_no_key: str
    # what the lists and comparisons of games say
    no_games: str
    no_unfinished: str
    games_header: tuple[str, str, str, str, str, str]
    phases: dict[str, str]
    fork_of: str
    seen: str
    events: str
    from_event: str
    same_up_to: str
    nothing_same: str
    all_the_same: str
    ends_here: str
    against: str
    # statistics
    stats: dict[str, str]
    stats_standing: tuple[str, str, str, str, str, str]
    stats_spread: tuple[str, str, str, str]
    stats_cause: tuple[str, str, str, str]
    stats_share: tuple[str, str]
    stats_meld: tuple[str, str]
    # the arena
    arena: dict[str, str]
    arena_pair: tuple[str, str, str, str, str]
    arena_ladder: tuple[str, str, str, str, str, str]
    # training
    train: dict[str, str]
    # simulations, and logs that take over others
    simulate: dict[str, str]
    merged: str
    salvage: dict[str, str]
    verified: str
    no_known_head: str
    """What a verification without a known head cannot exclude."""
    # refusals, by code; `play/no-such-reading` is the `play/not-a-meld` of cards that are named `as` something
    refusals: dict[str, str]


RANKS: Final = {letter: letter for letter in "3456789JQKA2"} | {"T": "10"}
"""How the ranks are written in any language; the jokers have names."""
