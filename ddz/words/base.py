"""What a language says: one typed catalogue of every sentence that people read, whatever front door they use.

A language is a module with its `WORDS` and a line in `languages.py`. It is a whole `Words`, or it begins with the words
of another language and says some of them in its own way (`like`). No sentence here names an option or a command of the
command line: what people may do next is a blank that a front door fills.
"""

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from ddz.frozen.shapes import Kind

Templates = Mapping[str, str | tuple[str, ...]]
"""What is said of an error, by its key; a tuple where one key has sentences with different blanks."""


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
    does: str
    """Who does what."""
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
    finding: str
    finding_at: str
    head: str
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
    """{again} is how to continue the game, in the terms of the front door."""
    went_back: str
    no_way_back: str
    next_game: str
    resumed: str
    not_understood: str
    not_understood_next: str
    say_bid: str
    say_reading: str
    say_level: str
    """What may stand behind `hint`."""
    walk_keys: str
    walk_no_key: str
    # what the lists and comparisons of games say
    no_games: str
    """{begin} is what begins a game."""
    no_unfinished: str
    games_header: tuple[str, str, str, str, str, str]
    phases: dict[str, str]
    fork_of: str
    seen: str
    events: str
    from_event: str
    line: str
    """One line of a tree; {where} it was forked off, if it was."""
    part: str
    """How a line continues where two of them part."""
    same_up_to: str
    nothing_same: str
    all_the_same: str
    ends_here: str
    against: str
    # the rules of a house
    knobs: dict[str, str]
    """The knobs by short names, for presets side by side."""
    knobs_in_full: dict[str, str]
    values: dict[str, str]
    """What a knob may be, where it is no number."""
    census: dict[str, str]
    """How many melds there are: `sets` by rank, and `readings`."""
    # readings, and what a hand may play
    reading: str
    move: str
    reading_kickers: str
    no_meld: str
    no_cards: str
    # this machine
    doctor: dict[str, str]
    """What is known of it, by the name of the fact."""
    doctor_says: dict[str, str]
    advice: dict[str, str]
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
    copied: str
    imported: str
    salvage: dict[str, str]
    verified: str
    no_known_head: str
    """What a verification without a known head cannot exclude."""
    # refusals, by code; `play/no-such-reading` is the `play/not-a-meld` of cards that are named
    # `as` something, `play/none-held` the `play/not-held` of a rank that the hand has not at all
    refusals: dict[str, str]
    errors: Templates = {}
    """All other errors. They are raised with a sentence in English, which is said where nothing stands here."""


RANKS: Final = {letter: letter for letter in "3456789JQKA2"} | {"T": "10"}
"""How the ranks are written in any language; the jokers have names."""


def like(other: Words, **says: Any) -> Words:  # noqa: ANN401  # what each is, `Words` says
    """The words of another language with some replaced; in a table of sentences, only those in `says` are replaced."""
    anew = {name: {**getattr(other, name), **said} if isinstance(said, dict) else said for name, said in says.items()}
    return msgspec.structs.replace(other, **anew)
