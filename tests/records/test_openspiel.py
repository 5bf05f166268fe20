"""OpenSpiel's histories, in and out: through our importer alone, and through OpenSpiel where it is installed."""

import hashlib
import importlib
import json
import os
import random
import warnings
from pathlib import Path
from types import ModuleType

import msgspec
import pytest
from games import Game, arranged, play_randomly

from ddz import records
from ddz.errors import Unreadable
from ddz.frozen.events import CardsPlayed, Dealt, Event, GameScored, SeedRevealed
from ddz.kernel import AIRPLANE_SOLOS, readings
from ddz.log.memory import MemoryLog
from ddz.melds import played_meld
from ddz.record import record_of, record_text
from ddz.records import openspiel, openspiel_actions
from ddz.rules import PRESETS
from ddz.services.archive import Imported, export_foreign, import_bytes
from ddz.services.table import Table

RULES = PRESETS["openspiel"]
FOLDER = Path(__file__).parents[2] / "fixtures" / "foreign"
SAVED = (FOLDER / "openspiel.txt").read_bytes()
"""What `pyspiel.serialize_game_and_state` made of a game of random play."""
TEXTS = (FOLDER / "openspiel-texts.txt").read_bytes()
"""`action_to_string` of each move of another game."""
HEAD, _, BODY = SAVED.decode().partition("[State]\n")
HISTORY = [int(line) for line in BODY.split()]
DIGEST = "58f798fcb1e70e2d4e1df7ab1f3e07a1e36194e7a27c49301d0425932a441a8c"
"""SHA-256 of OpenSpiel 2.0.2's texts for the actions 4 to 26,056, joined by line breaks."""


@pytest.fixture(name="pyspiel", scope="module")
def openspiel_itself() -> ModuleType:
    """The peer; skips where it is not installed, fails there if the run means to hold the peers."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return importlib.import_module("pyspiel")
    except ImportError:
        reason = "open_spiel is not installed: pip install --no-deps -r tests/peers.txt"
        if os.environ.get("DDZ_PEERS") == "required":
            pytest.fail(reason, pytrace=False)
        pytest.skip(reason)


@pytest.fixture(name="table")
def empty_table() -> Table:
    return Table(MemoryLog(), lambda: "2026-01-02T03:04:05Z", random.Random("1").randbytes)


def bring(table: Table, raw: bytes | str) -> tuple[Imported, tuple[Event, ...]]:
    """Import a file by what it looks like; the game and its events."""
    done = import_bytes(table, raw if isinstance(raw, bytes) else raw.encode(), "a test")
    return done, table.log.history(done.game)


def lines(history: list[int]) -> str:
    return "".join(f"{action}\n" for action in history)


def saved(history: list[int]) -> str:
    return f"{HEAD}[State]\n{lines(history)}\n"


def with_move(move: int, entry: object) -> str:
    """The saved game with another entry as one move."""
    entries: list[object] = [*HISTORY]
    entries[move] = entry
    return HEAD + "[State]\n" + "".join(f"{each}\n" for each in entries)


def without_suits(events: tuple[Event, ...] | list[Event]) -> list[Event | str]:
    """From the deal to the score; of cards played the ranks and the reading."""
    kept: list[Event | str] = []
    started = False
    for event in events:
        started = started or isinstance(event, Dealt)
        if isinstance(event, CardsPlayed):
            kept.append(
                f"{event.seat} {played_meld(event).name} {event.length} {event.cards.ranks} {event.cause} {event.next}"
            )
        elif started and not isinstance(event, SeedRevealed):
            kept.append(event)
    return kept


def payouts(events: list[Event]) -> tuple[int, int, int]:
    return next(event.score.payouts for event in events if isinstance(event, GameScored))


def writable(seeds: range) -> tuple[list[tuple[Game, str]], list[str]]:
    """Our own random games that OpenSpiel can hold, and why it cannot hold the others."""
    held, reasons = [], []
    for seed in seeds:
        game = play_randomly(seed, RULES)
        try:
            held.append((game, openspiel.write(game.events)))
        except Unreadable as error:
            reasons.append(str(error))
    return held, reasons


# The actions


def test_the_actions_are_openspiels():
    texts = [openspiel_actions.text_of(reading) for reading in openspiel_actions.readings()]
    assert len(texts) == 26053 == openspiel_actions.LAST_PLAY - openspiel_actions.FIRST_PLAY + 1
    assert hashlib.sha256("\n".join(texts).encode()).hexdigest() == DIGEST


def test_texts_are_read_as_the_actions_that_they_are_written_for():
    for action, reading in enumerate(openspiel_actions.readings(), openspiel_actions.FIRST_PLAY):
        assert openspiel_actions.action_of(reading) == action
        if action % 7 == 0 or action < 600 or action > 26000:
            assert openspiel_actions.reading_of(openspiel_actions.text_of(reading)) == reading


@pytest.mark.parametrize(
    "text", ["", "-", "43", "10", "3-3", "333444-65", "33344456", "444333", "T0", "33334444555566667777"]
)
def test_other_spellings_are_no_action(text):
    assert openspiel_actions.reading_of(text) is None


def test_every_action_has_openspiels_own_text(pyspiel):
    blank = pyspiel.load_game("dou_dizhu").new_initial_state()
    theirs = [blank.action_to_string(0, action) for action in range(4, 26057)]
    assert theirs == [openspiel_actions.text_of(reading) for reading in openspiel_actions.readings()]
    assert hashlib.sha256("\n".join(theirs).encode()).hexdigest() == DIGEST
    for action in range(4):
        assert openspiel_actions.voice_of(blank.action_to_string(0, action)) == action
    for action in range(51):
        assert openspiel_actions.face_up_of(blank.action_to_string(-1, action)) == action
    for action in range(51, 105):
        text = blank.action_to_string(-1, action)
        assert text == f"Deal {openspiel_actions.card_text(openspiel_actions.card_of(action))}"
        assert openspiel_actions.dealing_of(text) == action
        assert openspiel_actions.deal_of(openspiel_actions.card_of(action)) == action


# Reading


def test_a_saved_state_is_read(table):
    done, events = bring(table, SAVED)
    assert (done.phase, done.payouts) == ("over", (-24, 12, 12))
    dealt = next(event for event in events if isinstance(event, Dealt))
    assert dealt.first_voice == HISTORY[0] % 3 != 0
    assert [len(hand) for hand in dealt.hands] == [17, 17, 17]
    assert events[0].rules == RULES
    assert events[0].origin.claim is None


def test_a_list_of_texts_is_read(table):
    done, events = bring(table, TEXTS)
    assert (done.phase, done.payouts) == ("over", (6, -12, 6))
    assert any(event.kind.index == AIRPLANE_SOLOS for event in events if isinstance(event, CardsPlayed))


@pytest.mark.parametrize(
    "form",
    [
        lines(HISTORY),
        json.dumps(HISTORY),
        "\r\n".join(map(str, HISTORY)),
        "\n" + lines(HISTORY).replace("\n", " \n\n"),
        SAVED.decode().partition("[Meta]")[2].replace("\nVersion: 1", "[Meta]\nVersion: 1"),
        saved(HISTORY).replace("dou_dizhu()", "dou_dizhu"),
    ],
    ids=["lines", "json", "crlf", "blank-lines", "no-comment", "no-brackets"],
)
def test_every_form_of_a_history_is_the_same_game(table, form):
    _, events = bring(table, SAVED)
    _, again = bring(table, form)
    assert without_suits(again) == without_suits(events)


def test_texts_in_json_are_the_same_game(table):
    _, events = bring(table, TEXTS)
    _, again = bring(table, json.dumps(TEXTS.decode().splitlines()))
    assert without_suits(again) == without_suits(events)


def test_the_first_entry_says_whether_44_is_a_chain_or_a_pair(table):
    game = arranged(["44" + "789TJQKA"], rules=RULES)
    game.say("0 bid 3", "0 play 44")
    numbers = [int(line) for line in openspiel.write(game.events).partition("[State]\n")[2].split()]
    assert numbers[52:] == [3, 56]
    _, by_number = bring(table, lines([*numbers[:53], 44]))
    texts = [openspiel_actions.card_text(openspiel_actions.card_of(action)) for action in numbers[1:52]]
    by_text = ["Decide first card up position 0", *(f"Deal {text}" for text in texts), "Bid 3", "44"]
    _, by_text_events = bring(table, "\n".join(by_text))
    assert by_number[-1].cards.ranks == "789TJQKA"
    assert by_text_events[-1].cards.ranks == "44"


def test_a_history_may_end_early(table):
    assert bring(table, saved(HISTORY[:52]))[0].phase == "in progress"
    assert bring(table, saved(HISTORY[:-1]))[0].phase == "in progress"


def test_a_game_that_nobody_bids_for_is_void(table):
    done, events = bring(table, saved([*HISTORY[:52], 0, 0, 0]))
    assert (done.phase, done.payouts) == ("over", (0, 0, 0))
    assert openspiel.write(events).split()[-3:] == ["0", "0", "0"]


def test_a_reading_is_kept(table):
    game = arranged(["333444555666" + "789TJ"], "QQQ", rules=RULES)
    game.say("0 bid 3", "0 play 333444555666 as airplane+solos 3")
    _, events = bring(table, openspiel.write(game.events))
    assert played_meld(events[-1]).name == "airplane+solos 3"
    game = arranged(["333444555666" + "789TJ"], "QQQ", rules=RULES)
    game.say("0 bid 3", "0 play 333444555666 as airplane+solos 4")
    assert played_meld(bring(table, openspiel.write(game.events))[1][-1]).name == "airplane+solos 4"


MALFORMED = [
    ("nothing", "", "the history has 0 moves, but the deal alone takes 52"),
    ("empty list", "[]", "the history has 0 moves"),
    ("cut list", "[15, 51", "not a plain OpenSpiel record: Input data was truncated"),
    ("list of other things", "[15, true]", "Expected `int | str`, got `bool`"),
    ("nested", "[" * 5000, "not a plain OpenSpiel record"),
    ("huge number", f"[{'9' * 5000}]", "out of range"),
    ("cut in the deal", saved(HISTORY[:30]), "the history has 30 moves, but the deal alone takes 52"),
    ("another game", saved(HISTORY).replace("dou_dizhu", "chess"), "the game is 'chess()', not 'dou_dizhu()'"),
    ("another version", saved(HISTORY).replace("Version: 1", "Version: 2"), "[Meta] must say 'Version: 1'"),
    ("text before", "hello\n" + saved(HISTORY), "line 1: 'hello' stands before the first section"),
    ("section twice", saved(HISTORY) + "[State]\n", "the section [State] is there twice"),
    ("texts in a state", saved(HISTORY).replace(f"\n{HISTORY[0]}\n", "\nDeal C3\n", 1), "holds numbers"),
    ("face-up card", with_move(0, 51), "deal 0, move 0: '51' does not say which card lies face up"),
    ("no deal", with_move(5, 4), "deal 0, move 5: '4' does not deal a card"),
    ("card twice", with_move(5, HISTORY[4]), "deal 0, move 5: the card "),
    ("no action", with_move(60, 26057), "deal 0, move 60: '26057' does not bid, play or pass"),
    ("negative", with_move(60, -1), "deal 0, move 60: '-1' is no number"),
    ("no number", with_move(60, "3\x1b[31m"), r"deal 0, move 60: '3\x1b[31m' is no number"),
    ("mixed", TEXTS.decode().replace("Pass", "0", 1), "'0' does not bid, play or pass, as a text such as '333444-56'"),
    ("spelling", TEXTS.decode().replace("Bid 2", "bid 2", 1), "'bid 2' does not bid, play or pass"),
    ("play in the auction", with_move(52, 4), 'deal 0, move 52 (4, "3"; action 0 after the deal): no play now'),
    ("bid in the play", with_move(60, 2), 'move 60 (2, "Bid 2"; action 8 after the deal): no bid now'),
    ("low bid", saved([*HISTORY[:52], 2, 1]), "move 53"),
    ("leader passes", saved([*HISTORY[:52], 3, 0]), "the leader may not pass"),
    ("not held", with_move(54, 26043), 'deal 0, move 54 (26043, "3333"; action 2 after the deal): the hand holds '),
    ("after the end", saved([*HISTORY, 0]), f"deal 0, move {len(HISTORY)} ("),
    ("after a void game", saved([*HISTORY[:52], 0, 0, 0, 1]), "the game is over"),
    ("byte order mark", "\ufeff" + saved(HISTORY), "byte order mark"),
]


@pytest.mark.parametrize(("raw", "said"), [case[1:] for case in MALFORMED], ids=[case[0] for case in MALFORMED])
def test_a_malformed_file_is_refused_and_nothing_is_stored(table, raw, said):
    with pytest.raises(Unreadable) as caught:
        import_bytes(table, raw.encode(), "a test", "openspiel")
    assert said in str(caught.value)
    assert str(caught.value).isprintable()
    assert list(table.log.after(0)) == []


def test_bytes_that_are_no_text_are_refused(table):
    with pytest.raises(Unreadable, match="not UTF-8 text: byte 2"):
        import_bytes(table, b"15\xff", "a test", "openspiel")


def test_mutated_files_are_read_or_refused(table):
    """Bytes changed, dropped, doubled and swapped at random: a game or a sentence, never anything else."""
    rng = random.Random(4)
    faults = []
    for number in range(300):
        raw = bytearray((SAVED, TEXTS, json.dumps(HISTORY).encode())[number % 3])
        for _ in range(rng.randint(1, 4)):
            at = rng.randrange(len(raw))
            match rng.randrange(4):
                case 0:
                    raw[at] = rng.randrange(256)
                case 1:
                    del raw[at : at + rng.randint(1, 9)]
                case 2:
                    raw[at:at] = raw[at : at + rng.randint(1, 9)]
                case _:
                    raw[at] = rng.choice(b"0123456789-[]\n ")
        before = len(list(table.log.after(0)))
        try:
            import_bytes(table, bytes(raw), "a test", "openspiel")
        except Unreadable as error:
            faults.append((str(error), len(list(table.log.after(0))) - before))
    assert len(faults) > 200
    assert all(said.isprintable() and not stored for said, stored in faults)


# Recognition


def test_each_format_is_recognised_for_what_it_is():
    for raw in (SAVED, TEXTS, lines(HISTORY).encode(), json.dumps(HISTORY).encode()):
        assert records.recognise(raw) == "openspiel"
    assert records.recognise(saved(HISTORY).replace("dou_dizhu", "chess").encode()) == "openspiel"


def test_other_formats_are_not_recognised():
    game = play_randomly(1)
    ours = record_text(record_of(game.events)).encode()
    others = [
        ours,
        b'{"format": "ddz-events/1"}',
        b"",
        b"\xff\xfe",
        b"15",
        b"15\n16",
        b"[1, 2]",
        b'[{"a": 1}]',
        b"[" * 9999,
    ]
    assert not [raw for raw in others if openspiel.looks_like(raw)]
    assigned = play_randomly(3, PRESETS["douzero"])
    for name in records.FORMATS:
        if name != "openspiel":
            try:
                text = records.format_named(name).write(assigned.events)
            except Unreadable:
                continue
            assert not openspiel.looks_like(text.encode()), name


# Writing


def test_our_games_come_back_the_same_but_for_suits(table):
    held, reasons = writable(range(40))
    assert len(held) > len(reasons)
    for game, text in held:
        done, again = bring(table, text)
        assert without_suits(again) == without_suits(game.events)
        assert openspiel.write(again) == text
        assert export_foreign(table, done.game, "openspiel") == text


def test_what_is_written_has_the_form_of_a_saved_state(table):
    _, events = bring(table, SAVED)
    assert openspiel.write(events).partition("[State]")[0].splitlines()[1:] == HEAD.splitlines()[1:]
    assert openspiel.write(events).split()[-5:] == SAVED.decode().split()[-5:]


def test_a_game_of_another_house_is_written_if_openspiel_would_play_it_so():
    hands = ["333444555666777" + "89"]
    game = arranged(hands, "TJQ")
    game.say("0 bid 3", "0 play 33344455566677789TJQ")
    assert payouts(game.events) == (12, -6, -6)
    assert openspiel.write(game.events).split()[-2] == "3"


def refused(game: Game) -> str:
    with pytest.raises(Unreadable) as caught:
        openspiel.write(game.events)
    return str(caught.value)


def test_a_game_that_openspiel_cannot_hold_is_refused():
    game = arranged(["3333" + "45678"], rules=RULES)
    assert openspiel.write(game.events)
    game.say("0 bid 2", "0 escape")
    assert refused(game) == "seat 0 escaped, and OpenSpiel knows no escape"

    game = arranged(["3333" + "45678"], rules=PRESETS["classic"])
    game.say("0 bid 1", "1 pass")
    assert openspiel.write(game.events)
    game.say("2 bid 2")
    assert "before move 55 seat 2 becomes the landlord for 2, but OpenSpiel goes on asking" in refused(game)

    game = arranged(["3333" + "45678"], rules=PRESETS["classic"])
    game.say("0 bid 3", "0 play 333345")
    assert refused(game) == "OpenSpiel has no action for 333345 (quad+solos 3)"

    game = arranged(["333444" + "BR"], rules=PRESETS["classic"])
    game.say("0 bid 3", "0 play 333444BR")
    assert refused(game) == "OpenSpiel has no action for 333444BR (airplane+solos 3)"


def test_a_game_that_is_dealt_again_is_refused():
    game = arranged(rules=PRESETS["classic"])
    game.say("0 pass", "1 pass", "2 pass")
    assert "in this one the cards are dealt again" in refused(game)
    game.say("deal")
    assert refused(game) == "the cards were dealt 2 times, and OpenSpiel's game is over when all have passed"


def test_a_landlord_who_is_given_is_refused():
    assert "in OpenSpiel he is bid for" in refused(play_randomly(1, PRESETS["rlcard"]))


def test_a_game_before_the_deal_is_refused():
    game = arranged(rules=RULES)
    game.events = game.events[:1]
    assert "not dealt yet" in refused(game)


def test_other_points_are_refused():
    rules = msgspec.structs.replace(RULES, name="house", spring=3)
    game = arranged(["333444555666777" + "89"], "TJQ", rules=rules)
    game.say("0 bid 3", "0 play 33344455566677789TJQ")
    assert refused(game) == "OpenSpiel pays the seats 12, -6, -6, and by this game's own rules they get 18, -9, -9"


@pytest.mark.parametrize("chain", ["34567", "334455", "333444"])
def test_chains_from_four_are_read_but_not_written(table, chain):
    game = arranged(["3333" + "444555" + "67"], rules=RULES)
    game.say("0 bid 3")
    before = openspiel.write(game.events)
    game.say(f"0 play {chain}")
    assert f"does not list {chain} " in refused(game)
    shape = readings(game.state.history[-1].meld.cards.counts, RULES.kickers.code)[0]
    action = openspiel_actions.action_of((*shape, game.state.history[-1].meld.cards.counts))
    _, events = bring(table, before.rstrip() + f"\n{action}\n")
    assert events[-1].cards.ranks == chain


# Through OpenSpiel


def random_history(pyspiel: ModuleType, seed: int):
    """A finished game of random play, mostly high actions, and its texts."""
    rng = random.Random(seed)
    state = pyspiel.load_game("dou_dizhu").new_initial_state()
    texts = []
    while not state.is_terminal():
        legal = state.legal_actions()
        action = rng.choice(legal) if state.is_chance_node() or rng.random() < 0.5 else legal[-1]
        texts.append(state.action_to_string(state.current_player(), action))
        state.apply_action(action)
    return state, texts


def bombs_the_rocket(texts: list[str]) -> int | None:
    """The first move at which a bomb is played on the rocket, which only OpenSpiel allows."""
    top = ""
    for move, text in enumerate(texts[52:], 52):
        if text != "Pass":
            if top == "(BWJ)(CJ)" and len(text) == 4 and len(set(text)) == 1 and texts[move - 2 : move] != ["Pass"] * 2:
                return move
            top = text
    return None


def test_games_that_openspiel_made_pay_what_it_pays(pyspiel, table):
    game = pyspiel.load_game("dou_dizhu")
    refused_at_the_rocket = 0
    for seed in range(150):
        state, texts = random_history(pyspiel, seed)
        forms = (pyspiel.serialize_game_and_state(game, state), "\n".join(texts), str(state.history()))
        form = forms[seed % 3]
        move = bombs_the_rocket(texts)
        if move is not None:
            refused_at_the_rocket += 1
            with pytest.raises(Unreadable, match=rf"deal 0, move {move} \(.*does not beat BR"):
                bring(table, form)
            continue
        done, events = bring(table, form)
        assert done.phase == "over"
        assert list(done.payouts) == state.returns()
        try:
            text = openspiel.write(events)
        except Unreadable as error:  # a chain that our kernel reads and OpenSpiel's search never finds
            raise AssertionError(f"seed {seed}: {error}") from None
        assert list(map(int, text.partition("[State]\n")[2].split()))[52:] == state.history()[52:]
    assert refused_at_the_rocket < 15


def test_a_bomb_on_the_rocket_is_refused_at_that_move(pyspiel, table):
    game = arranged(["BR", "5555"], rules=RULES)
    game.say("0 bid 3", "0 play BR")
    peer, state = pyspiel.deserialize_game_and_state(openspiel.write(game.events))
    bomb = next(a for a in state.legal_actions() if state.action_to_string(1, a) == "5555")
    state.apply_action(bomb)
    with pytest.raises(Unreadable) as caught:
        bring(table, pyspiel.serialize_game_and_state(peer, state))
    assert 'deal 0, move 54 (26045, "5555"; action 2 after the deal): 5555 (bomb 5) does not beat BR' in str(
        caught.value
    )
    assert list(table.log.after(0)) == []


def test_openspiel_plays_our_games_to_the_same_end(pyspiel):
    held, reasons = writable(range(150))
    assert len(held) > len(reasons)
    assert all("begins there" in reason for reason in reasons), "the one thing of its own rules that it does not list"
    for game, text in held:
        peer, state = pyspiel.deserialize_game_and_state(text)
        assert state.is_terminal()
        assert tuple(state.returns()) == payouts(game.events)
        assert pyspiel.serialize_game_and_state(peer, state).partition("[Meta]")[2] == text.partition("[Meta]")[2]
        walk = peer.new_initial_state()
        for action in state.history():
            assert action in walk.legal_actions()
            walk.apply_action(action)


def test_openspiel_sees_the_hands_that_we_wrote(pyspiel):
    for first_voice in range(3):
        game = arranged(["333", "444", "555"], "BR2", first_voice, rules=RULES)
        _, state = pyspiel.deserialize_game_and_state(openspiel.write(game.events))
        assert state.current_player() == first_voice
        for seat in range(3):
            ranks = game.state.hands[seat].ranks
            assert f"My hand {ranks}" in state.observation_string(seat)


def test_openspiel_does_not_list_a_chain_from_four_though_it_would_load_one(pyspiel):
    game = arranged(["3333" + "4567"], rules=RULES)
    game.say("0 bid 3")
    _, state = pyspiel.deserialize_game_and_state(openspiel.write(game.events))
    chain = next(action for action in range(4, 60) if state.action_to_string(0, action) == "34567")
    assert chain not in state.legal_actions()
    state.apply_action(chain)
    assert state.current_player() == 1


def test_the_files_are_what_openspiel_makes_of_them(pyspiel):
    game, state = pyspiel.deserialize_game_and_state(SAVED.decode())
    assert pyspiel.serialize_game_and_state(game, state).encode() == SAVED
    assert state.returns() == [-24, 12, 12]
    fresh = game.new_initial_state()
    for text in TEXTS.decode().splitlines():
        fresh.apply_action(fresh.string_to_action(text))
    assert fresh.returns() == [6, -12, 6]
