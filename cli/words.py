"""Every sentence that a player reads, in English and in Chinese: one typed catalogue.

A language is a `Words`; what it lacks, mypy and the tests miss. Help texts and machine output are English only.
"""

import os
from typing import Final

import msgspec

from ddz.errors import Unreadable
from ddz.melds import KINDS, Kind


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
    # refusals, by code; `play/no-such-reading` is the `play/not-a-meld` of cards that are named `as` something
    refusals: dict[str, str]


_RANKS: Final = {letter: letter for letter in "3456789JQKA2"} | {"T": "10"}

ENGLISH: Final = Words(
    language="en",
    ascii=True,
    ranks=_RANKS | {"B": "black joker", "R": "red joker"},
    melds={
        Kind.SOLO: "solo {rank}",
        Kind.PAIR: "pair of {rank}",
        Kind.TRIO: "trio of {rank}",
        Kind.TRIO_SOLO: "trio of {rank} with {kickers}",
        Kind.TRIO_PAIR: "trio of {rank} with a pair, {kickers}",
        Kind.CHAIN: "chain {rank} to {last}",
        Kind.PAIR_CHAIN: "pair chain {rank} to {last}",
        Kind.AIRPLANE: "airplane {rank} to {last}",
        Kind.AIRPLANE_SOLOS: "airplane {rank} to {last} with {kickers}",
        Kind.AIRPLANE_PAIRS: "airplane {rank} to {last} with pairs, {kickers}",
        Kind.QUAD_SOLOS: "four {rank} with {kickers}, no bomb",
        Kind.QUAD_PAIRS: "four {rank} with pairs, {kickers}, no bomb",
        Kind.BOMB: "bomb of {rank}",
        Kind.ROCKET: "rocket",
    },
    kinds={kind: kind.value for kind in KINDS},
    seat="seat {seat}",
    landlord="landlord",
    peasant="peasant",
    you="you",
    kitty="kitty {cards}",
    kitty_hidden="kitty face down",
    cards_left="{count} cards",
    call_two="two cards left!",
    call_one="last card!",
    base="base {base}, multiplier ×{multiplier}",
    no_bid_yet="no bid yet",
    to_beat="to beat: {meld} ({cards}) by {who}",
    you_lead="you lead: play anything",
    leads="{who} leads",
    nothing_beats="nothing in your hand beats that: p passes",
    your_hand="your hand: {cards}",
    round="round {round}",
    deal="deal {deal}",
    opened="game of {players}; first voice {who}; {commitment}",
    commitment="commitment {commitment}",
    dealt="deal {number}: {hands}; kitty {kitty}",
    hand_hidden="?",
    bids="bid {points}",
    passes_bid="no bid",
    voided="nobody bids: the cards are dealt again, first voice {who}",
    becomes_landlord="landlord at base {base}, takes the kitty",
    passes="pass",
    escapes="escape",
    over="over: {winner}",
    seed_revealed="seed revealed {seed}",
    forked="forks from {parent} after event {at} ({reason})",
    reasons={"explore": "explore", "back": "back"},
    winner={
        "landlord": "the landlord wins",
        "peasants": "the peasants win",
        "escape": "a seat escaped",
        "nobody": "nobody bid",
    },
    score="score",
    score_base="base",
    score_cause={"bomb": "bomb", "rocket": "rocket", "spring": "spring", "anti-spring": "anti-spring"},
    score_multiplier="multiplier",
    score_stake="base × multiplier",
    score_escape="to the bank, from {who}",
    payouts="points",
    totals="total",
    checks={
        "integrity": "integrity",
        "legality": "legality",
        "accounting": "accounting",
        "fairness": "fairness",
    },
    verdicts={
        "ok": "ok",
        "fault": "FAULT",
        "chosen": "chosen seed",
        "unrevealed": "seed unrevealed",
        "not-applicable": "not applicable",
    },
    audit="audit: {verdicts}",
    audited="{lines} lines audited, {faulty} with a fault; {findings} findings besides",
    ask_bid="bid {bids}, or p to pass (? helps) > ",
    ask_play="your turn (? helps) > ",
    ask_next="next game? (Enter: yes, b: take your last move back, q: stop) > ",
    ask_seed="your words for the deal (Enter: none) > ",
    ask_escape="escape costs you {points} points; type yes to leave the game > ",
    help_auction="Bid with a number, pass with p. hint suggests, log shows the game so far, quit suspends it, escape "
    "leaves it.",
    help_play="Type the ranks you play, in any order: 33, 34567, 10JQKA (0 is 10 too), rocket. p passes. Where cards "
    "have several readings, add one: 333444555666 as airplane. hint suggests, count shows the cards you have not seen, "
    "log the game so far, back takes your last move back in a fork, quit suspends, escape leaves the game.",
    legal="you may play:",
    and_more="... and {count} more of {kind}",
    hint="hint: {move}",
    unseen="not seen yet: {cards}",
    suspended="game {game} is suspended: `ddz play --resume` goes on",
    went_back="back before your last move, in a line of its own: {game}",
    no_way_back="you have not moved yet",
    next_game="game {game}, round {round}",
    resumed="game {game} goes on after event {seq}",
    not_understood="'{line}' is not understood: {why}",
    not_understood_next="'{line}' is not understood: Enter, b or q",
    say_bid="say a number of points, or p to pass",
    say_cards="{why}",
    say_reading="a reading is KIND or KIND RANK, such as `as airplane` or `as airplane+solos 4`; ? lists the kinds",
    walk_keys="Enter/n next, p previous, SEQ go there, q quit",
    walk_no_key="'{key}' is no key here; there are the events {first} to {last}",
    no_games="no games yet: ddz play begins one",
    no_unfinished="no unfinished game",
    games_header=("game", "last event", "events", "players", "phase", "points"),
    phases={
        "dealing": "dealing",
        "auction": "auction",
        "void": "void",
        "playing": "playing",
        "over": "over",
        "broken": "broken",
    },
    fork_of="fork of {parent} at {at}",
    seen="seen",
    events="{count} events",
    from_event=" from event {at} ({reason})",
    same_up_to="the same up to event {seq}",
    nothing_same="nothing is the same",
    all_the_same="the two lines are the same",
    ends_here="ends here",
    against="{one} against {other}: {points}",
    refusals={
        "turn/not-yours": "it is seat {turn}'s turn, not seat {seat}'s",
        "phase/wrong": "no {what} now",
        "bid/too-low": "a bid of {points} is not higher than the bid of {best}",
        "bid/no-such-bid": "a bid is 1, 2 or 3 points, not {points}",
        "play/not-held": "you hold {held} of {rank}, not {wanted}",
        "play/not-a-meld": "{cards} is no meld",
        "play/no-such-reading": "{cards} cannot be read as {reading}",
        "play/ambiguous": "{cards} can be read as {choices}: add the one you mean, as in `{cards} as ...`",
        "play/does-not-beat": "{cards} does not beat {top}",
        "pass/must-lead": "you lead, so you may not pass: play anything you like",
        "game/over": "the game is over",
        "log/stale": "somebody else has moved in this game: here is how it stands now",
    },
)

CHINESE: Final = Words(
    language="zh",
    ascii=False,
    ranks=_RANKS | {"B": "小王", "R": "大王"},
    melds={
        Kind.SOLO: "单张 {rank}",
        Kind.PAIR: "对子 {rank}",
        Kind.TRIO: "三张 {rank}",
        Kind.TRIO_SOLO: "三带一 {rank} 带 {kickers}",
        Kind.TRIO_PAIR: "三带二 {rank} 带 {kickers}",
        Kind.CHAIN: "顺子 {rank} 到 {last}",
        Kind.PAIR_CHAIN: "连对 {rank} 到 {last}",
        Kind.AIRPLANE: "飞机 {rank} 到 {last}",
        Kind.AIRPLANE_SOLOS: "飞机带单 {rank} 到 {last} 带 {kickers}",
        Kind.AIRPLANE_PAIRS: "飞机带对 {rank} 到 {last} 带 {kickers}",
        Kind.QUAD_SOLOS: "四带二 {rank} 带 {kickers}",
        Kind.QUAD_PAIRS: "四带两对 {rank} 带 {kickers}",
        Kind.BOMB: "炸弹 {rank}",
        Kind.ROCKET: "王炸",
    },
    kinds={
        Kind.SOLO: "单张 (solo)",
        Kind.PAIR: "对子 (pair)",
        Kind.TRIO: "三张 (trio)",
        Kind.TRIO_SOLO: "三带一 (trio+solo)",
        Kind.TRIO_PAIR: "三带二 (trio+pair)",
        Kind.CHAIN: "顺子 (chain)",
        Kind.PAIR_CHAIN: "连对 (pair-chain)",
        Kind.AIRPLANE: "飞机 (airplane)",
        Kind.AIRPLANE_SOLOS: "飞机带单 (airplane+solos)",
        Kind.AIRPLANE_PAIRS: "飞机带对 (airplane+pairs)",
        Kind.QUAD_SOLOS: "四带二 (quad+solos)",
        Kind.QUAD_PAIRS: "四带两对 (quad+pairs)",
        Kind.BOMB: "炸弹 (bomb)",
        Kind.ROCKET: "王炸 (rocket)",
    },
    seat="座位 {seat}",
    landlord="地主",
    peasant="农民",
    you="你",
    kitty="底牌 {cards}",
    kitty_hidden="底牌未翻开",
    cards_left="{count} 张",
    call_two="报双！",
    call_one="报单！",
    base="底分 {base}，倍数 ×{multiplier}",
    no_bid_yet="还没有人叫分",
    to_beat="要压过：{meld} ({cards})，{who} 出的",
    you_lead="你先出，随便出",
    leads="{who} 先出",
    nothing_beats="你没有能压过的牌：p 不出",
    your_hand="你的牌：{cards}",
    round="第 {round} 局",
    deal="第 {deal} 次发牌",
    opened="开局：{players}；{who} 先叫；{commitment}",
    commitment="承诺 {commitment}",
    dealt="第 {number} 次发牌：{hands}；底牌 {kitty}",
    hand_hidden="?",
    bids="叫 {points} 分",
    passes_bid="不叫",
    voided="没有人叫分：重新发牌，{who} 先叫",
    becomes_landlord="地主，底分 {base}，拿底牌",
    passes="不出",
    escapes="逃跑",
    over="结束：{winner}",
    seed_revealed="公布种子 {seed}",
    forked="从 {parent} 的事件 {at} 之后分出 ({reason})",
    reasons={"explore": "另探", "back": "悔棋"},
    winner={"landlord": "地主赢", "peasants": "农民赢", "escape": "有人逃跑", "nobody": "流局"},
    score="计分",
    score_base="底分",
    score_cause={"bomb": "炸弹", "rocket": "火箭", "spring": "春天", "anti-spring": "反春天"},
    score_multiplier="倍数",
    score_stake="底分 × 倍数",
    score_escape="{who} 赔给银行",
    payouts="得分",
    totals="总分",
    checks={"integrity": "完整", "legality": "合规", "accounting": "计分", "fairness": "公平"},
    verdicts={
        "ok": "正常",
        "fault": "有错",
        "chosen": "指定种子",
        "unrevealed": "种子未公布",
        "not-applicable": "不适用",
    },
    audit="审计：{verdicts}",
    audited="审计了 {lines} 条线，{faulty} 条有错；另有 {findings} 个问题",
    ask_bid="叫分 {bids}，p 不叫 (? 帮助) > ",
    ask_play="轮到你 (? 帮助) > ",
    ask_next="再来一局? (回车：继续，b：悔棋，q：停) > ",
    ask_seed="你的种子文字 (回车：不给) > ",
    ask_escape="逃跑要赔 {points} 分；输入 yes 确认 > ",
    help_auction="输入分数叫分，p 不叫。hint 提示，log 看牌局记录，quit 暂停，escape 逃跑。",
    help_play="输入要出的点数，顺序不限：33、34567、10JQKA (0 也是 10)、王炸。p 不出。有几种读法时写明："
    "333444555666 as airplane。hint 提示，count 看没见过的牌，log 看记录，back 悔棋 (另开一线)，quit 暂停，"
    "escape 逃跑。",
    legal="可以出：",
    and_more="……还有 {count} 种 {kind}",
    hint="提示：{move}",
    unseen="还没见过：{cards}",
    suspended="牌局 {game} 已暂停：`ddz play --resume` 继续",
    went_back="回到你上一手之前，另开一线：{game}",
    no_way_back="你还没有出过手",
    next_game="牌局 {game}，第 {round} 局",
    resumed="牌局 {game} 从事件 {seq} 之后继续",
    not_understood="看不懂“{line}”：{why}",
    not_understood_next="看不懂“{line}”：请按回车、b 或 q",
    say_bid="请输入分数，或 p 不叫",
    say_cards="点数是 3 4 5 6 7 8 9 10 J Q K A 2，每种最多四张；小王 B，大王 R",
    say_reading="读法写作 as KIND 或 as KIND RANK，例如 as airplane、as airplane+solos 4；? 列出牌型",
    walk_keys="回车/n 下一步，p 上一步，数字跳到该事件，q 退出",
    walk_no_key="没有“{key}”这个键；事件从 {first} 到 {last}",
    no_games="还没有牌局：ddz play 开一局",
    no_unfinished="没有未完的牌局",
    games_header=("牌局", "最近事件", "事件数", "玩家", "阶段", "得分"),
    phases={
        "dealing": "发牌",
        "auction": "叫分",
        "void": "等待重发",
        "playing": "出牌",
        "over": "结束",
        "broken": "损坏",
    },
    fork_of="从 {parent} 的事件 {at} 分出",
    seen="看过暗牌",
    events="{count} 个事件",
    from_event=" 从事件 {at} 分出 ({reason})",
    same_up_to="到事件 {seq} 为止相同",
    nothing_same="没有相同之处",
    all_the_same="两线完全相同",
    ends_here="到此为止",
    against="{one} 对比 {other}：{points}",
    refusals={
        "turn/not-yours": "现在轮到座位 {turn}，不是座位 {seat}",
        "phase/wrong": "现在不能 {what}",
        "bid/too-low": "叫 {points} 分不高于已叫的 {best} 分",
        "bid/no-such-bid": "只能叫 1、2、3 分，不能叫 {points} 分",
        "play/not-held": "你只有 {held} 张 {rank}，没有 {wanted} 张",
        "play/not-a-meld": "{cards} 不成牌型",
        "play/no-such-reading": "{cards} 不能读作 {reading}",
        "play/ambiguous": "{cards} 可以读作 {choices}：请写明，例如 `{cards} as ...`",
        "play/does-not-beat": "{cards} 压不过 {top}",
        "pass/must-lead": "你先出，不能不出",
        "game/over": "牌局已经结束",
        "log/stale": "别处已有人在这一局行动：现在的局面如下",
    },
)

LANGUAGES: Final = {"en": ENGLISH, "zh": CHINESE}


def words_for(asked: str | None) -> Words:
    """The language that was asked for, else that of DDZ_LANG or of the locale; English where it is none of ours.

    Raises:
        Unreadable: if a language was asked for by an option that there is not.
    """
    if asked is not None and asked[:2].lower() not in LANGUAGES:
        raise Unreadable(f"--lang takes {' or '.join(LANGUAGES)}, not {asked!r}")
    for wanted in (asked, os.environ.get("DDZ_LANG"), *map(os.environ.get, ("LC_ALL", "LC_MESSAGES", "LANG"))):
        if wanted:
            return LANGUAGES.get(wanted[:2].lower(), ENGLISH)
    return ENGLISH
