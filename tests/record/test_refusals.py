"""A record with a fault is refused with a sentence that says where, and nothing of it is stored."""

from collections.abc import Callable

import pytest

from ddz.errors import Unreadable
from ddz.record import parse_record
from ddz.rules import CLASSIC, preset
from ddz.services.archive import import_bytes
from ddz.services.table import Table

from .drafts import SHORT, Draft, redealt, short, text, with_actions

NONCE = bytes(range(32)).hex()
SEED = bytes(range(32, 64)).hex()
COMMITMENT = "96540e0ea985be9a98e47d41279894d02add81c478f0a4e4e681b25cd9e10c12"


def refusal(table: Table, raw: bytes | str | Draft) -> str:
    """The sentence with which a record is refused; makes sure that it is a sentence and that nothing is stored."""
    if isinstance(raw, dict):
        raw = text(raw)
    with pytest.raises(Unreadable) as caught:
        import_bytes(table, raw.encode() if isinstance(raw, str) else raw, "a test")
    assert list(table.log.after(0)) == []
    sentence = str(caught.value)
    assert "Traceback" not in sentence
    assert "\n" not in sentence
    assert "<" not in sentence.replace("<= 2", "").replace(">= 0", ""), "the repr of some object"
    return sentence


def changed(**fields: object) -> Draft:
    return {**short(), **fields}


def deal_changed(number: int = 0, draft: Callable[[], Draft] = short, **fields: object) -> Draft:
    made = draft()
    made["deals"][number] |= fields
    return made


def without(field: str, of_deal: bool = False) -> Draft:
    made = short()
    del (made["deals"][0] if of_deal else made)[field]
    return made


def test_the_drafts_themselves_are_good(table: Table):
    assert import_bytes(table, text(short()).encode(), "a test").payouts == (12, -6, -6)
    assert import_bytes(table, text(redealt()).encode(), "a test").phase == "over"


# ---- bytes ----


def test_a_record_that_is_cut_anywhere(table: Table):
    """What is left lacks something, never holds half an action; but behind the kitty it is a whole, shorter record."""
    whole = SHORT.strip()
    behind_kitty = whole.index("actions") - 1
    for end in range(len(whole) - 1):
        if end not in (behind_kitty, behind_kitty + 1):
            assert refusal(table, whole[:end])
    assert import_bytes(table, whole[:behind_kitty].encode(), "a test").phase == "in progress"


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-32", "gbk", "latin-1"])
def test_another_encoding(table: Table, encoding: str):
    names = ["安娜", "bob", "cat"] if encoding != "latin-1" else ["Zoë", "bob", "cat"]
    sentence = refusal(table, SHORT.replace('"ann"', f'"{names[0]}"').encode(encoding))
    assert sentence.startswith(("not UTF-8 text: byte ", "not a TOML file"))


def test_a_byte_order_mark(table: Table):
    assert refusal(table, SHORT.encode("utf-8-sig")) == "it begins with a byte order mark: save it as UTF-8 without one"


@pytest.mark.parametrize(
    "raw",
    [b"", b"\n", b"\x00", b"SQLite format 3\x00", b"[[deals]]", b"x = " + b"[" * 20_000, b"x = " + b"9" * 5_000],
    ids=["empty", "blank", "zero", "a log", "no format", "nested deeply", "a number without end"],
)
def test_what_is_no_record_at_all(table: Table, raw: bytes):
    expected = (
        "not a TOML file, or one that is cut short",
        "not a game record: it must",
        "its lists and tables are over 20",
    )
    assert refusal(table, raw).startswith(expected)


@pytest.mark.parametrize(
    "raw", [b"{", b'{"format": "ddz-events/1"}', b"{" + b'"a":{' * 100_000, b"{}\n{}", b'{"x": "\xff"}']
)
def test_what_begins_like_an_events_file(table: Table, raw: bytes):
    assert refusal(table, raw).startswith("not a file of events, or one that is cut short")


# ---- the form: unknown keys, missing keys, wrong types ----


@pytest.mark.parametrize(
    ("draft", "place"),
    [
        (changed(version=2), "version"),
        (changed(landlord=0), "landlord"),
        (deal_changed(bottom="22R"), "deal 0: object contains unknown field `bottom`"),
        (deal_changed(1, redealt, first_voice=1), "deal 1: object contains unknown field `first_voice`"),
        (changed(meta={"id": "x", "author": "me"}), "meta: object contains unknown field `author`"),
        (
            changed(
                fairness={"nonce": NONCE, "commitment": "", "server_seed": SEED, "seat_seeds": ["", "", ""], "x": 1}
            ),
            "fairness: object contains unknown field `x`",
        ),
        (changed(rules={"name": "mine", "bombs": 3}), "rules: object contains unknown field `bombs`"),
        (
            changed(rules={"name": "mine", "kickers": {"any": True}}),
            "rules.kickers: object contains unknown field `any`",
        ),
    ],
)
def test_an_unknown_key(table: Table, draft: Draft, place: str):
    assert place in refusal(table, draft)


@pytest.mark.parametrize("field", ["rules", "seats", "deals"])
def test_a_missing_key(table: Table, field: str):
    assert f"missing required field `{field}`" in refusal(table, without(field))


@pytest.mark.parametrize("field", ["first_bidder", "hands", "kitty"])
def test_a_missing_key_of_a_deal(table: Table, field: str):
    assert f"deal 0: object missing required field `{field}`" in refusal(table, without(field, of_deal=True))


@pytest.mark.parametrize(
    "draft",
    [without("format"), changed(format="ddz-record/2"), changed(format=1), changed(format=["ddz-record/1"])],
)
def test_another_format(table: Table, draft: Draft):
    assert refusal(table, draft) == 'not a game record: it must say format = "ddz-record/1"'


@pytest.mark.parametrize(
    ("draft", "place"),
    [
        (changed(seats=["ann", "bob"]), "seats: expected `array` of length 3, got 2"),
        (changed(seats="ann"), "seats: expected `array`, got `str`"),
        (changed(payouts=[12, -6]), "payouts: expected `array` of length 3, got 2"),
        (changed(payouts=["12", "-6", "-6"]), "payouts[0]: expected `int`, got `str`"),
        (changed(payouts=[12.5, -6, -6]), "payouts[0]: expected `int`"),
        (changed(payouts=12), "payouts: expected"),
        (changed(deals=[]), "there is no deal in it"),
        (changed(deals=3), "deals: expected `array`, got `int`"),
        (deal_changed(first_bidder=3), "deal 0, first_bidder: expected `int` <= 2"),
        (deal_changed(first_bidder=-1), "deal 0, first_bidder: expected `int` >= 0"),
        (deal_changed(first_bidder="0"), "deal 0, first_bidder: expected `int`, got `str`"),
        (deal_changed(1, redealt, hands=["3", "4"]), "deal 1, hands: expected `array` of length 3, got 2"),
        (deal_changed(hands=["3", 4, "5"]), "deal 0, hands[1]: expected `str`, got `int`"),
        (deal_changed(kitty=["2", "2", "R"]), "deal 0, kitty: expected `str`, got `array`"),
        (with_actions("0 bid 3", 7), "deal 0, action 1: expected `str`, got `int`"),
        (changed(meta={"players": ["human"]}), "meta.players: expected `array` of length 3, got 1"),
        (changed(rules=7), "rules: expected"),
    ],
)
def test_a_value_of_another_type(table: Table, draft: Draft, place: str):
    assert place in refusal(table, draft)


# ---- the rules ----


def test_rules_that_do_not_exist(table: Table):
    sentence = refusal(table, changed(rules="chess"))
    assert sentence.startswith("there are no rules called 'chess': the presets are classic, ")


@pytest.mark.parametrize(
    "knobs", [{"name": "classic", "bomb": 3}, {"bomb": 3}, {"name": "pagat"}, {"name": "literal", "spring": 1}]
)
def test_knobs_that_take_the_name_of_a_preset_in_vain(table: Table, knobs: Draft):
    name = knobs.get("name", "classic")
    assert refusal(table, changed(rules=knobs)) == (
        f"the rules are called {name} but differ from that preset: give them another name"
    )


def test_knobs_that_are_the_preset_of_that_name_are_good():
    assert parse_record(text(changed(rules={"name": "classic", "bomb": 2})).encode()).rules == CLASSIC
    assert preset("classic") == CLASSIC


@pytest.mark.parametrize(
    ("knobs", "complaint"),
    [
        ({"name": "mine", "bomb": 0}, "rules: bomb is 0, but must be 1 to 1000"),
        ({"name": "mine", "escape_factor": 1001}, "rules: escape_factor is 1001, but must be 1 to 1000"),
        ({"name": "mine", "auction": "thrice"}, "rules.auction: invalid enum value 'thrice'"),
        ({"name": "mine", "kickers": {"most_equal": 5}}, "most_equal is 5, but a rank has 1 to 4 cards"),
    ],
)
def test_knobs_out_of_range(table: Table, knobs: Draft, complaint: str):
    assert complaint in refusal(table, changed(rules=knobs))


# ---- the cards ----

HANDS = ["33334444555566667", "77788889999TTTTJJ", "JJQQQQKKKKAAAA22B"]


@pytest.mark.parametrize(
    ("hands", "kitty", "complaint"),
    [
        ([HANDS[0][1:], *HANDS[1:]], "22R", "the hands hold 16, 17, 17 and the kitty 3 cards, not 17, 17, 17 and 3"),
        ([HANDS[0][1:], *HANDS[1:]], "322R", "the hands hold 16, 17, 17 and the kitty 4 cards"),
        (HANDS, "22", "the hands hold 17, 17, 17 and the kitty 2 cards"),
        (HANDS, "", "the hands hold 17, 17, 17 and the kitty 0 cards"),
        (["", "", ""], "", "the hands hold 0, 0, 0 and the kitty 0 cards"),
        ([HANDS[0] + "2", *HANDS[1:]], "2R", "the hands hold 18, 17, 17 and the kitty 2 cards"),
        ([HANDS[0] + "2", *HANDS[1:]], "22R", "the card 2 is there more often than in one deck"),  # 55 cards
        (HANDS, "22R3", "the card 3 is there more often than in one deck"),
        ([HANDS[0][:-1] + "3", *HANDS[1:]], "22R", "there are too many of rank 3: a deck has 4"),
        ([HANDS[0][:-1] + "Q", *HANDS[1:]], "22R", "the card Q is there more often than in one deck"),
        ([HANDS[0][:-1] + "B", *HANDS[1:]], "22R", "the card B is there more often than in one deck"),
        (HANDS, "2RR", "there are too many of rank R: a deck has 1"),
        (["3c3c" + HANDS[0][2:], *HANDS[1:]], "22R", "the card 3c is there more often than in one deck"),
        (["3c" + HANDS[0][1:], *HANDS[1:]], "3c2R", "the card 3c is there more often than in one deck"),
        (["3c3d3h3s3" + HANDS[0][5:], *HANDS[1:]], "22R", "the card 3 is there more often than in one deck"),
        (HANDS, "22Rc", "'Rc' is no card: write the rank and the suit, such as 3c or Td, or B or R"),
        (["1c" + HANDS[0][1:], *HANDS[1:]], "22R", "'1c' is no card"),
        (["1" + HANDS[0][1:], *HANDS[1:]], "22R", "'1' is no rank: the ranks are 3 4 5 6 7 8 9 T J Q K A 2 B R"),
        (["3x" + HANDS[0][1:], *HANDS[1:]], "22R", "'X' is no rank"),
        (["3♠" + HANDS[0][1:], *HANDS[1:]], "22R", "'♠' is no rank"),
        (["c" + HANDS[0][1:], *HANDS[1:]], "22R", "'C' is no rank"),
    ],
)
def test_a_deal_that_is_not_one_deck(table: Table, hands: list[str], kitty: str, complaint: str):
    assert refusal(table, deal_changed(hands=hands, kitty=kitty)).startswith(f"deal 0: {complaint}")


def test_a_later_deal_that_is_not_one_deck(table: Table):
    assert refusal(table, deal_changed(1, redealt, kitty="2R")).startswith("deal 1: the hands hold 17, 17, 17 and")
    assert refusal(table, deal_changed(1, redealt, kitty="2R3")).startswith("deal 1: the card 3 is there more often")


def test_a_deal_with_a_landlord_under_rules_with_an_auction(table: Table):
    for given in ({"landlord": 0}, {"base": 1}, {"landlord": 0, "base": 1}):
        sentence = refusal(table, deal_changed(**given))
        assert sentence == "deal 0: a deal gives a landlord and a base if the rules assign them, and only then"


# ---- several deals ----


@pytest.mark.parametrize("seat", [0, 2])
def test_a_later_deal_that_begins_with_another_seat(table: Table, seat: int):
    sentence = refusal(table, deal_changed(1, redealt, first_bidder=seat))
    assert sentence == f"deal 1: seat 1 has the first voice in this deal, not seat {seat}"


@pytest.mark.parametrize(
    "actions",
    [
        [],
        ["0 pass", "1 pass"],
        ["0 bid 3"],
        ["0 pass", "1 bid 1"],
        ["0 pass", "1 bid 1", "2 pass", "1 play 7"],
        short()["deals"][0]["actions"],
        ["0 pass", "1 pass", "2 pass", "1 escape"],
    ],
    ids=["nobody spoke", "two spoke", "a landlord", "open", "in play", "over", "escaped"],
)
def test_a_deal_behind_one_that_nobody_passed_out(table: Table, actions: list[str]):
    draft = deal_changed(0, redealt, actions=actions)
    assert refusal(table, draft) == (
        "deal 1: cards are dealt again only after three passes, and deal 0 does not end so"
    )


# ---- the actions ----


@pytest.mark.parametrize(
    "action",
    [
        "",
        "0",
        "bid 3",
        "3 bid 3",
        "-1 bid 3",
        "0 bids 3",
        "0 bid",
        "0 bid three",
        "0 bid 3 points",
        "0  bid 3",
        " 0 bid 3",
        "0 bid 3 ",
        "0 bid 3\n",
        "0 bid ３",
        "0 bid 9999999999",
        "0 Pass",
        "0 passes",
        "0 play",
        "0 play 3 3",
        "0 play 33 as",
        "0 play 33 as pair 3 low",
        "0 play 33 as Pair",
        "0 escape now",
        "0 double",
        "0: pass",
    ],
)
def test_words_that_are_no_action(table: Table, action: str):
    sentence = refusal(table, with_actions("0 pass", action))
    shown = action.replace("\n", "\\n")
    assert sentence.startswith(f'deal 0, action 1 ("{shown}"): write "0 bid 1", "0 pass", "0 play 33"')


BID = "0 bid 3"
AIRPLANE = "0 play 333444555666 as airplane"


@pytest.mark.parametrize(
    ("actions", "complaint"),
    [
        # out of turn
        (["1 bid 3"], "it is seat 0's turn, not seat 1's"),
        (["0 pass", "0 pass"], "it is seat 1's turn, not seat 0's"),
        ([BID, "1 play 7"], "it is seat 0's turn, not seat 1's"),
        ([BID, "2 play nonsense"], "it is seat 0's turn, not seat 2's"),
        ([BID, AIRPLANE, "2 pass"], "it is seat 1's turn, not seat 2's"),
        # in the wrong phase
        (["0 play 3"], "no play now: the game is in its auction"),
        ([BID, "0 bid 3"], "no bid now: the game is in its play"),
        (["0 pass", "1 pass", "2 pass", "0 bid 1"], "no bid now: the game is waiting for a new deal"),
        (["0 pass", "1 pass", "2 pass", "1 pass"], "no bid now: the game is waiting for a new deal"),
        (["0 pass", "1 pass", "2 pass", "1 play 7"], "no play now: the game is waiting for a new deal"),
        # after the end
        ([*short()["deals"][0]["actions"], "1 pass"], "the game is over"),
        ([*short()["deals"][0]["actions"], "1 play 7"], "the game is over"),
        ([*short()["deals"][0]["actions"], "1 bid 1"], "the game is over"),
        ([*short()["deals"][0]["actions"], "1 escape"], "the game is over"),
        (["0 escape", "1 bid 1"], "the game is over"),
        (["0 escape", "1 escape"], "the game is over"),
        # bids
        (["0 bid 0"], "a bid is 1, 2 or 3 points, not 0"),
        (["0 bid 4"], "a bid is 1, 2 or 3 points, not 4"),
        (["0 bid 2", "1 bid 2"], "a bid of 2 is not higher than seat 0's bid of 2"),
        (["0 bid 2", "1 bid 1"], "a bid of 1 is not higher than seat 0's bid of 2"),
        # plays
        ([BID, "0 pass"], "the leader may not pass: play anything you like"),
        ([BID, AIRPLANE, "1 pass", "2 pass", "0 pass"], "the leader may not pass"),
        ([BID, "0 play 34"], "34 is no meld"),
        ([BID, "0 play ,"], "a play has at least one card"),
        ([BID, "0 play 8"], "the hand holds 0 of rank 8, not 1"),
        ([BID, "0 play 777"], "the hand holds 1 of rank 7, not 3"),
        ([BID, "0 play 7d"], "the hand does not hold the card 7d"),
        ([BID, "0 play 7c7c"], "the card 7c is named twice"),
        ([BID, "0 play 33333"], "there are too many of rank 3: a deck has 4"),
        ([BID, "0 play 3z"], "'Z' is no rank"),
        ([BID, AIRPLANE, "1 play 888999TTT"], "888999TTT (airplane 8) does not beat 333444555666 (airplane 3)"),
        ([BID, AIRPLANE, "1 play 7"], "7 (solo 7) does not beat 333444555666 (airplane 3)"),
        ([BID, "0 play 7", "1 play 7"], "7 (solo 7) does not beat 7 (solo 7)"),
        # readings
        (
            [BID, "0 play 333444555666"],
            "333444555666 can be read as airplane 3 or airplane+solos 3 or airplane+solos 4: name the",
        ),
        (
            [BID, "0 play 333444555666 as airplane 4"],
            "333444555666 cannot be read as airplane 4, only as airplane 3 or",
        ),
        ([BID, "0 play 33 as trio"], "33 cannot be read as trio, only as pair 3"),
        ([BID, "0 play 33 as triplet"], "'triplet' is no kind of meld"),
        ([BID, "0 play 33 as pair 1"], "'1' is no rank"),
    ],
)
def test_an_action_that_may_not_be(table: Table, actions: list[str], complaint: str):
    """The last one of `actions` is refused, by its number counted from 0 and its words."""
    sentence = refusal(table, with_actions(*actions))
    assert sentence.startswith(f'deal 0, action {len(actions) - 1} ("{actions[-1]}"): {complaint}')


def test_a_fault_in_a_later_deal_counts_its_actions_anew(table: Table):
    draft = with_actions("1 pass", "2 bid 3", "2 play 34", draft=redealt())
    assert refusal(table, draft).startswith('deal 1, action 2 ("2 play 34"): ')


# ---- fairness ----

FAIRNESS = {"nonce": NONCE, "commitment": COMMITMENT, "server_seed": SEED, "seat_seeds": ["", "ann's words", ""]}


@pytest.mark.parametrize(
    ("fields", "complaint"),
    [
        ({"nonce": NONCE[:-1]}, "fairness: nonce must be 64 small hexadecimal digits"),
        ({"nonce": NONCE[:-2]}, "fairness: nonce must be 64 small hexadecimal digits"),
        ({"server_seed": SEED[:-1] + "g"}, "fairness: server_seed must be 64 small hexadecimal digits"),
        ({"nonce": NONCE.upper()}, "fairness: nonce must be 64 small hexadecimal digits"),
        ({"server_seed": " " + SEED}, "fairness: server_seed must be 64 small hexadecimal digits"),
        ({"commitment": COMMITMENT[:-1] + "3"}, "fairness: the commitment does not follow from the nonce and"),
        ({"commitment": ""}, "fairness: the commitment does not follow from the nonce and"),
        ({"server_seed": NONCE}, "fairness: the commitment does not follow from the nonce and"),
        ({"seat_seeds": ["", ""]}, "fairness.seat_seeds: expected `array` of length 3, got 2"),
        ({"chosen": "no"}, "fairness.chosen: expected `bool`, got `str`"),
    ],
)
def test_seeds_that_cannot_be(table: Table, fields: Draft, complaint: str):
    assert complaint in refusal(table, changed(fairness={**FAIRNESS, **fields}))


def test_seeds_that_can_be_are_taken(table: Table):
    assert import_bytes(table, text(changed(fairness=FAIRNESS)).encode(), "a test").phase == "over"
