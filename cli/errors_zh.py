"""What is wrong with a command line or with what is typed, in Chinese, by the code of the error."""

from typing import Final

ERRORS: Final = {
    # 选项与参数
    "usage/action": "看不懂“{action}”：请写 bid 1、pass、play 334455 或 escape",
    "usage/two-bots": "至少写两个机器人的名字；同一个名字可以写两次",
    "usage/assigned-auction": "规则 {rules} 指定地主：请省略 --auction，或用别的规则",
    "usage/game-or-all": "请写一局，或用 --all 表示整个日志",
    "usage/as-rules-one-game": "--as-rules 评判一局：请写是哪一局",
    "usage/jobs-without-all": "-j 用于整个日志：请加上 --all",
    "usage/events-and-format": "--events 本身就是一种格式：请省略 --format",
    "usage/several-games": "多局需要 --out DIR：一个文件只放一局",
    "usage/think-without-auto": "--think 用于把新线打完的机器人：请加上 --auto",
    "usage/once-and-id": "--once 按内容认牌谱，--id 按你的编号：请只用其中一个",
    "usage/lang": "--lang 可以是 {languages}，不能是“{asked}”",
    "usage/as-without-top": "--as 说明怎样读 --top 的牌：请加上 --top",
    "usage/top-ambiguous": '--top：{why} (--as "KIND RANK")',
    "usage/players": "--players 要三个名字，用逗号隔开，不能是“{text}”",
    "usage/log-name": "日志的名字含有会控制终端的字符；转义后是 {name}",
    "usage/delay": "--delay 要一个秒数，不能是 nan",
    "usage/ascii-and-lang": "--ascii 写不出 --lang {lang} 的文字：请省略其中一个",
    "usage/auto-and-seat": "--auto 让机器人打每个座位：请省略 --seat",
    "usage/stored-rules": "存下的牌局保持原来的规则和种子：请省略 --rules 和 --my-seed",
    "usage/at-and-range": "--at 指一个事件：请省略 --from 和 --to",
    "usage/range": "从事件 {first} 到事件 {last} 之间没有内容：请对调",
    "usage/as": "--as 可以是座位 (0、1、2)、table 或 all，不能是“{text}”",
    "usage/think-in-simulation": "--think 取决于机器的快慢，模拟只取决于种子：请省略 --think",
    "usage/out-and-db": "--out 让牌局不存入日志：请省略 --out 和 --db 之一",
    "usage/resume-and-seed": "训练保持原来的种子：请省略 --seed 再继续",
    "usage/resume-and-from": "训练从检查点继续：请省略 --from 再继续",
    "simulate/no-folder": "模拟的牌局存放在日志文件旁边，而 {address} 不是文件：请指定一个文件夹",
    # 输入
    "input/no-move": "{file}：一手之内读了 {most} 行，没有一行是出牌",
    "input/wrong-line": "{file} 第 {line} 行：{why}",
    "input/not-utf-8": "{file} 不是 UTF-8 文字：字节 {byte} 读不出",
    "input/long-line": "标准输入：有一行超过 {most} 个字符",
    "input/no-key": "标准输入：有 {most} 行都不是按键",
    "input/level": "没有级别“{level}”",
    "input/bid": "请输入分数，或 p 不叫",
    "input/reading": "{why}",
    "game/no-event": "牌局 {game} 有事件 1 到 {last}，没有 {at}",
}
