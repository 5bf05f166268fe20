"""Events as stored text: canonical, typed, and readable over versions."""

import json

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ddz.cards import CardSet, Rank
from ddz.errors import BrokenLog, UnsupportedVersion
from ddz.frozen.events import BidMade, CardsPlayed, Dealt, Event, GameForked, tag_of
from ddz.frozen.shapes import Cause, Kind
from ddz.frozen.versions import VERSIONS
from ddz.log import codec
from ddz.log.base import LONGEST_BODY, Row

from .games import game

EVENTS = [event for seed in range(6) for batch in game("ann", seed) for event in batch] + [
    event for batch in game("ann", 1, turns=5) for event in batch
]


class TestThereAndBack:
    def test_every_event_of_real_games(self):
        for event in EVENTS:
            assert codec.decode(*codec.encode(event)) == event

    def test_a_body_that_is_longer_than_any_is_not_even_looked_at(self):
        opened = codec.encode(EVENTS[0])[2]
        longer = opened.replace('"name":"', '"name":"' + "x" * LONGEST_BODY, 1)
        with pytest.raises(BrokenLog, match="none of ddz's has so many") as caught:
            codec.decode("game_opened", 1, longer)
        assert caught.value.code == "integrity/body"

    def test_every_type_is_known(self):
        tags = {struct.__struct_config__.tag for struct in Event.__args__}
        assert set(VERSIONS) == tags
        assert {tag_of(event) for event in EVENTS} | {"game_forked", "deal_voided"} == tags

    def test_the_text_is_frozen(self):
        played = CardsPlayed(0, Kind.ROCKET, Rank.BLACK_JOKER, 2, CardSet.parse("RB"), Cause("rocket", 2), None)
        assert codec.encode(played) == (
            "cards_played",
            1,
            '{"cards":"BR","cause":["rocket",2],"kind":"rocket","length":2,"next":null,"rank":"B","seat":0,'
            '"type":"cards_played"}',
        )
        assert codec.encode(GameForked("ann", 7, "ab", "back"))[2] == (
            '{"at":7,"parent":"ann","parent_head":"ab","reason":"back","type":"game_forked"}'
        )

    def test_keys_are_sorted_and_there_are_no_blanks(self):
        for event in EVENTS:
            body = codec.encode(event)[2]
            assert json.dumps(json.loads(body), sort_keys=True, separators=(",", ":"), ensure_ascii=False) == body

    @given(st.sets(st.integers(0, 53)))
    def test_cards_are_their_canonical_string(self, cards: set[int]):
        held = CardSet(sum(1 << card for card in cards))
        event = Dealt(number=0, hands=(held, held, held), kitty=held, first_voice=0)
        body = codec.encode(event)[2]
        assert json.loads(body)["kitty"] == str(held)
        assert codec.decode("dealt", 1, body) == event


BID = '{"next":1,"points":3,"seat":0,"type":"bid_made"}'
PLAY = codec.encode(next(event for event in EVENTS if isinstance(event, CardsPlayed)))[2]


class TestRefusals:
    @pytest.mark.parametrize(
        "body",
        [
            "",
            "null",
            "[]",
            "{}",
            "nonsense",
            "\0not UTF-8: ff",
            BID + " ",
            BID.replace(":", ": ", 1),
            BID.replace('"next":1,', ""),
            BID.replace('"next":1', '"next":3'),
            BID.replace('"next":1', '"next":"1"'),
            BID.replace('"next":1', '"next":1.0'),
            BID.replace('"points":3', '"points":null'),
            BID.replace('"seat":0', '"seat":0,"extra":1'),
            BID.replace('"seat":0', '"seat":0,"seat":0'),
            BID.replace("bid_made", "bid_passed"),
            BID.replace("bid_made", "bid_mad\\u0065"),
            '{"points":3,"next":1,"seat":0,"type":"bid_made"}',
            "[" * 100_000,
            '{"a":' * 100_000,
        ],
    )
    def test_what_is_not_exactly_a_bid(self, body: str):
        assert codec.decode("bid_made", 1, BID) == BidMade(0, 3, 1)
        with pytest.raises(BrokenLog) as caught:
            codec.decode("bid_made", 1, body)
        assert caught.value.code == "integrity/body"
        assert not isinstance(caught.value, UnsupportedVersion)

    @pytest.mark.parametrize("cards", ["3", "3x", "3c3c", "4c3c", "3C", "10c", "3c 4c", 7, None, ["3c"]])
    def test_cards_that_are_not_canonical(self, cards: object):
        body = json.loads(PLAY) | {"cards": cards}
        with pytest.raises(BrokenLog):
            codec.decode("cards_played", 1, msgspec.json.encode(body, order="sorted").decode())

    def test_rules_that_are_out_of_bounds(self):
        (opened,) = game("ann")[0]
        body = codec.encode(opened)[2].replace('"bomb":2', '"bomb":0')
        with pytest.raises(BrokenLog, match="bomb is 0"):
            codec.decode("game_opened", 1, body)

    def test_a_type_that_is_another_than_the_body_says(self):
        with pytest.raises(BrokenLog, match="bid_made"):
            codec.decode("bid_passed", 1, BID)

    @pytest.mark.parametrize(("type", "version"), [("bid_made", 2), ("bid_made", 99), ("cards_swapped", 1)])
    def test_what_a_newer_ddz_wrote(self, type: str, version: int):
        with pytest.raises(UnsupportedVersion):
            codec.decode(type, version, BID)

    @pytest.mark.parametrize("version", [0, -1])
    def test_versions_that_never_were(self, version: int):
        with pytest.raises(BrokenLog, match="never was"):
            codec.decode("bid_made", version, BID)

    def test_a_row_says_where(self):
        row = Row(9, "ann", 4, "x/0", "bid_made", 1, "", "{}", "", "")
        with pytest.raises(BrokenLog, match="event 4 of ann") as caught:
            codec.event_of(row)
        assert caught.value.seq == 4
        with pytest.raises(UnsupportedVersion, match="event 4 of ann"):
            codec.event_of(msgspec.structs.replace(row, version=2))


def _rename(stored: dict) -> dict:
    return {("points" if key == "value" else key): value for key, value in stored.items()}


def _count_from_zero(stored: dict) -> dict:
    following = stored["next"]
    return stored | {"seat": stored["seat"] - 1, "next": None if following is None else following - 1}


class TestUpcasts:
    """A bid had `value` and seats 1 to 3 in version 1, `points` in 2, seats from 0 in 3 (in this test alone)."""

    reader = codec.Codec({**VERSIONS, "bid_made": 3}, {("bid_made", 1): _rename, ("bid_made", 2): _count_from_zero})

    def test_each_version_reads_as_the_event_of_today(self):
        today = BidMade(0, 3, 1)
        assert self.reader.decode("bid_made", 1, '{"next":2,"seat":1,"type":"bid_made","value":3}') == today
        assert self.reader.decode("bid_made", 2, '{"next":2,"points":3,"seat":1,"type":"bid_made"}') == today
        assert self.reader.decode("bid_made", 3, BID) == today
        assert self.reader.encode(today) == ("bid_made", 3, BID)

    def test_other_types_stay_as_they_are(self):
        for event in EVENTS:
            if not isinstance(event, BidMade):
                assert self.reader.decode(*codec.encode(event)) == event

    def test_an_old_body_must_be_canonical_too(self):
        for body in ('{"seat":1,"next":2,"type":"bid_made","value":3}', '{"next":2} ', "[]", "x", "[" * 100_000):
            with pytest.raises(BrokenLog) as caught:
                self.reader.decode("bid_made", 1, body)
            assert caught.value.code == "integrity/body"

    @pytest.mark.parametrize(
        "body", ['{"points":3,"type":"bid_made"}', '{"next":2,"points":3,"seat":null,"type":"bid_made"}']
    )
    def test_what_an_upcast_cannot_make_sense_of_is_no_traceback(self, body: str):
        with pytest.raises(BrokenLog, match="no bid_made event of version 2") as caught:
            self.reader.decode("bid_made", 2, body)
        assert caught.value.code == "integrity/body"

    def test_what_an_upcast_leaves_must_be_an_event(self):
        with pytest.raises(BrokenLog):
            self.reader.decode("bid_made", 1, '{"next":2,"other":1,"seat":1,"type":"bid_made","value":3}')
        with pytest.raises(BrokenLog):
            self.reader.decode("bid_made", 1, '{"next":9,"seat":1,"type":"bid_made","value":3}')

    def test_an_upcast_that_is_missing(self):
        gap = codec.Codec({"bid_made": 3}, {("bid_made", 2): _count_from_zero})
        with pytest.raises(BrokenLog, match="never was"):
            gap.decode("bid_made", 1, '{"next":2,"seat":1,"type":"bid_made","value":3}')

    def test_newer_than_the_newest(self):
        with pytest.raises(UnsupportedVersion, match="reads up to 3"):
            self.reader.decode("bid_made", 4, BID)
