"""What is wrong at the table, in Chinese, by the key of the error: who sits where, what one may ask, what is hidden."""

from typing import Final

from .base import Templates

ERRORS: Final[Templates] = {
    "seat/none": "这里没有人入座：每个座位都由机器人打",
    "seat/not-yours": "座位 {seat} 是别人的",
    "hint/not-your-turn": "现在不轮到座位 {seat}",
    "back/no-turn": "座位 {seat} 还没有行动过",
    "round/not-over": "牌局 {game} 还没有结束",
    "bot/number": "请写一个机器人（所有座位都用它），或按座位顺序写 {seats} 个，而不是 {names} 个",
    # 牌局
    "game/none-unfinished": "没有未完的牌局",
    "game/no-such-event": "牌局 {game} 有第 1 到第 {last} 步，没有第 {seq} 步",
    "game/gave-up": "牌局 {game} 发了 {deals} 次牌，都没有人叫分",
    "game/hidden": ("牌局 {game} 还没有结束，这样会露出暗牌", "牌局 {game} 还没有结束，{what}会露出暗牌"),
    "what/export": "导出",
    "what/fork": "分支",
}
