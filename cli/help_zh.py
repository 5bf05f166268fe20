"""The help of the command line in Chinese, by the English text, as gettext has it: lists, options, Typer's own words.

What the commands say of themselves at length is in `help_zh_commands`. A text without its Chinese is shown in English.
"""

from typing import Final

from .help_zh_commands import PARAGRAPHS

TYPER: Final = {
    "Usage: ": "用法：",
    "Arguments": "参数",
    "Options": "选项",
    "Commands": "命令",
    "[OPTIONS]": "[选项]",
    "COMMAND [ARGS]...": "命令 [参数]...",
    "<int>": "<整数>",
    "<int range>": "<整数>",
    "<float range>": "<数>",
    "<str>": "<文字>",
    "INTEGER": "整数",
    "INTEGER RANGE": "整数",
    "FLOAT RANGE": "数",
    "TEXT": "文字",
    "required": "必填",
    "default: {}": "默认：{}",
    "Example: {}": "例：{}",
    "Show this message and exit.": "显示这段说明后退出。",
    "Install completion for the current shell.": "为当前 shell 安装命令补全。",
    "Show completion for the current shell, to copy it or customize the installation.": (
        "显示当前 shell 的补全脚本，以便复制或自行安装。"
    ),
}
"""Typer's own; `{}` stands for what differs."""

_LIST: Final = {
    "Play against two bots.": "与两个机器人打牌。",
    "Retell a game from its log, explain its score, and audit it.": "按日志复述一局，列出计分，并审计。",
    "Derive a game, or the whole log, again and say what does not hold.": "重新推导一局或整个日志，指出不成立之处。",
    "Begin another line of a game.": "从一局中另开一条线。",
    "Show all lines of a game with their results.": "列出一局的所有线及其结果。",
    "Show where two lines part, and what it changed in the score.": "指出两条线在哪里分开，得分因此有何不同。",
    "List the games of the log, newest first.": "列出日志中的牌局，最近的在前。",
    "Show the score table of a match.": "显示一场比赛的积分表。",
    "Show who wins, for how much and how, or write the games as tables.": (
        "统计谁赢、赢多少、怎么赢，或把牌局写成数据表。"
    ),
    "Open a game and deal; `act` then plays it.": "开一局并发牌，之后由 `act` 推进。",
    "Bid, pass, play or escape for one seat.": "替一个座位叫分、不出、出牌或逃跑。",
    "Show a game as it stands, as a viewer may see it.": "显示一局的现状，只显示观看者可见的部分。",
    "Let bots play many games, on all cores.": "让机器人打很多局，用上所有处理器核心。",
    "Store games from files.": "把文件中的牌局存入日志。",
    "Print games as records, or byte for byte.": "把牌局输出为牌谱，或逐字节输出。",
    "List every reading of some cards.": "列出一组牌的所有读法。",
    "List what a hand may play.": "列出一手牌可以出什么。",
    "Count all melds that the rules allow.": "统计规则允许的所有牌型。",
    "List the presets of rules, or show one in words.": "列出预设规则，或用文字说明其中一种。",
    "Play bots against each other on the same decks: who is stronger, how surely.": (
        "让机器人用同样的牌对打：谁更强，有多大把握。"
    ),
    "Train the network of the strongest levels.": "训练最强级别所用的网络。",
    "Let a bot play as a Botzone program.": "让机器人作为 Botzone 程序打牌。",
    "Show what ddz runs on, and how its log is kept.": "显示 ddz 的运行环境和日志的保存方式。",
    "Print what a JSON object holds, as a JSON Schema.": "以 JSON Schema 输出一种 JSON 对象的内容。",
    "Print the file of the log.": "输出日志文件的路径。",
    "The log as a whole: head, verify, events, backup, merge, salvage.": (
        "整个日志：日志头、核对、事件、备份、并入、抢救。"
    ),
    "Print the head of the log, N:DIGEST.": "输出日志头 N:DIGEST。",
    "Check every hash and chain, and a head noted earlier.": "核对每个哈希和每条链，以及事先记下的日志头。",
    "Print the events of all games by position.": "按位置输出所有牌局的事件。",
    "Copy the log into a new file.": "把日志复制到新文件。",
    "Take over the games of other logs.": "并入其他日志的牌局。",
    "Make a new log of what verifies in a broken one.": "从损坏的日志中救出可核对的部分，写成新日志。",
}
"""What the lists of commands say."""

_SHARED: Final = {
    "Print the version.": "输出版本。",
    "The log: a file, or an address such as sqlite:PATH; by default DDZ_DB, then the platform's data folder.": (
        "日志：文件，或 sqlite:PATH 这样的地址；默认取 DDZ_DB，再取系统的数据文件夹。"
    ),
    "The language, en or zh; by default DDZ_LANG, then the locale.": "语言，en 或 zh；默认取 DDZ_LANG，再取系统语言。",
    "Print one JSON object for programs.": "为程序输出一个 JSON 对象。",
    "Your own id for the command; the same id again stores nothing twice.": (
        "你给这条命令的编号；用同一编号重发，不会存两次。"
    ),
    "Show hidden cards of an unfinished game, and mark it seen.": "显示未完牌局的暗牌，并标记为看过。",
    "A preset from `ddz rules`, or your own rules in FILE.toml.": "`ddz rules` 中的预设，或 FILE.toml 中你自己的规则。",
    "Whose view: a seat (0 to 2), table, or all.": "谁的视角：座位 (0 到 2)、table (牌桌) 或 all (全部)。",
    "How long expert may think about each move; by default the clock does not matter.": (
        "expert 每步可想多久；默认不看时钟。"
    ),
    "A game or fork: its id, the start of its id, or @last.": "牌局或分线：编号、编号的开头，或 @last。",
    "Deal from this number; equal numbers deal equal cards.": "按这个种子发牌；种子相同，牌就相同。",
}

_PLAYING: Final = {
    "Continue this game or fork.": "继续这一局或分线。",
    "Your seat, 0 to 2; by default 0.": "你的座位，0 到 2；默认 0。",
    "The bot at the other seats: easy, normal, hard, expert, ...; once for all seats, or once for each.": (
        "其他座位的机器人：easy、normal、hard、expert 等；写一次则各座相同，也可每座写一次。"
    ),
    "Your own words that go into the deal; with - you are asked after the commitment.": (
        "你加入发牌种子的文字；写 - 则在公布承诺之后再问你。"
    ),
    "The number of games to play without asking.": "连打几局，不再询问。",
    "Let a bot play every seat.": "每个座位都由机器人打。",
    "Continue the newest unfinished game.": "继续最近的未完牌局。",
    "Read your input from this file; a refused line ends the session.": "从这个文件读取你的输入；有一行被拒就结束。",
    "Seconds to wait after each turn.": "每一手之后等待的秒数。",
    "Use ASCII characters only.": "只用 ASCII 字符。",
    "Print sentences instead of columns.": "用句子代替分栏，便于读屏。",
    "Three names in seat order; bot:NAME seats a bot.": "按座位顺序的三个名字；bot:NAME 是机器人。",
    "The seat that bids first; by default the seed decides.": "先叫分的座位；默认由种子决定。",
    "bid K | pass | play CARDS | escape": "bid K (叫分) | pass (不叫、不出) | play CARDS (出牌) | escape (逃跑)",
    "The seat that acts, 0 to 2.": "行动的座位，0 到 2。",
    "The reading you mean, if the cards have several.": "牌有几种读法时，你要的那一种。",
    "Refuse unless this is the last event.": "除非最后的事件是这一个，否则拒绝。",
    "After this event; by default after the last.": "在这个事件之后；默认在最后一个之后。",
}

_LOOKING: Final = {
    "Only this event, and the table after it.": "只看这个事件，以及其后的牌桌。",
    "From this event on.": "从这个事件起。",
    "Up to this event.": "到这个事件为止。",
    "Step through the game with keys.": "用按键逐步走过这一局。",
    "Audit the whole log: every line, and every match.": "审计整个日志：每条线、每场比赛。",
    "A head that you noted earlier: a hash of the game, or N:DIGEST with --all.": (
        "你事先记下的头：这一局的哈希，或与 --all 一起的 N:DIGEST。"
    ),
    "With --all: the number of parallel processes.": "与 --all 一起：并行进程数。",
    "Judge the game by other rules: a preset, or FILE.toml.": "按别的规则评判这一局：预设，或 FILE.toml。",
    "The event after which the new line begins; it must be a seat's turn there.": (
        "新线从这个事件之后开始；那时须轮到某个座位。"
    ),
    "Let bots play the new line to its end.": "让机器人把新线打完。",
    "The bot that plays the line to its end; by default those that played, or normal.": (
        "把新线打完的机器人；默认是原来的机器人，或 normal。"
    ),
    "The line to compare it with.": "与之比较的线。",
    "Only unfinished games.": "只列未完的牌局。",
    "The maximum number of games.": "最多列几局。",
    "Only games by the rules of this name.": "只统计用这个名字的规则打的牌局。",
    "Only games in which this bot plays.": "只统计有这个机器人的牌局。",
    "Only the match that this game belongs to.": "只统计这一局所属的比赛。",
    "Write the games as tables into this folder instead; needs 'ddz[analytics]'.": (
        "改为把牌局写成数据表，存入这个文件夹；需要 'ddz[analytics]'。"
    ),
    "Cards by rank, in any order: 333444555666, 10JQKA, BR.": "牌的点数，顺序不限：333444555666、10JQKA、BR。",
    "The hand by rank, in any order.": "手牌的点数，顺序不限。",
    "The cards to beat; omit it if the hand leads.": "要压过的牌；先出时省略。",
    "How to read the top, if it has several readings.": "要压过的牌有几种读法时，取哪一种。",
    "A preset or a FILE.toml; by default all presets.": "预设或 FILE.toml；默认列出所有预设。",
}

_BOTS: Final = {
    "The number of games.": "局数。",
    "Who plays: one bot for all seats, or A,B,C for the seats 0, 1 and 2.": (
        "谁来打：一个机器人坐所有座位，或 A,B,C 分坐座位 0、1、2。"
    ),
    "Deal from this number; by default one is drawn.": "按这个种子发牌；默认随机抽取。",
    "The number of parallel workers; by default one for each core.": "并行工作进程数；默认每个核心一个。",
    "Keep the games in shards in this folder instead of the log.": "把牌局分片存入这个文件夹，不存入日志。",
    "What runs the workers: process, or ray (the extra `ray`).": (
        "工作进程由谁运行：process，或 ray (需要附加包 `ray`)。"
    ),
    "The address of a running Ray cluster.": "已在运行的 Ray 集群的地址。",
    "Continue an interrupted run.": "继续中断了的一次运行。",
    "The names of two bots or more.": "两个或更多机器人的名字。",
    "The number of decks; every pair plays the same ones.": "牌的副数；每一对都打同样的牌。",
    "Deal the decks from this number.": "按这个种子发牌。",
    "The number of parallel processes.": "并行进程数。",
    "A preset from `ddz rules`, or FILE.toml; by default douzero.": (
        "`ddz rules` 中的预设，或 FILE.toml；默认 douzero。"
    ),
    "Let the seats bid for the landlord; the rules are then classic by default.": (
        "由各座位叫分争地主；这时默认用规则 classic。"
    ),
    "Store the games in the log (see `ddz path`).": "把牌局存入日志 (见 `ddz path`)。",
    "Store the games in this log: a file, or an address.": "把牌局存入这个日志：文件或地址。",
    "The folder for checkpoints and weights.": "存放检查点和权重的文件夹。",
    "Train until this many games have been played.": "训练到打完这么多局为止。",
    "Equal seeds train equally unless interrupted; by default 1.": "种子相同且不中断，训练就相同；默认 1。",
    "Continue the training in DIR.": "继续 DIR 中的训练。",
    "Begin with the weights of an earlier training; by default with random ones.": (
        "从以前训练的权重开始；默认从随机权重开始。"
    ),
    "Rounds of 2,048 auctions from which each level learns to bid.": "各级别学叫分的轮数，每轮 2,048 次叫分。",
    "The bot that answers.": "作答的机器人。",
    "Keep running after an answer; each new request then comes alone.": "作答后继续运行；之后每次只读新的请求。",
    "A preset from `ddz rules`, or FILE.toml; by default Botzone's own rules.": (
        "`ddz rules` 中的预设，或 FILE.toml；默认用 Botzone 自己的规则。"
    ),
}

_FILES: Final = {
    "Records or event files; - is standard input.": "牌谱或事件文件；- 表示标准输入。",
    "The format of another engine; by default it is recognised.": "其他引擎的格式；默认自动识别。",
    "Your own id for the import; the same id again stores nothing twice. Of several files the first has ID, the "
    "second ID.2, the third ID.3, ...": (
        "你给这次导入的编号；用同一编号重来，不会存两次。有几个文件时，第一个用 ID，第二个用 ID.2，第三个用 ID.3，"
        "依此类推。"
    ),
    "Store no record that was imported before; print the game that is there.": (
        "以前导入过的牌谱不再存；输出已有的牌局。"
    ),
    "Print one JSON object for each game, for programs.": "为程序输出 JSON，每局一个对象。",
    "Games or forks.": "牌局或分线。",
    "Print the events byte for byte with their chain, to import them again with the same hashes.": (
        "逐字节输出事件及其链，再导入时哈希不变。"
    ),
    "Print the format of another engine.": "输出其他引擎的格式。",
    "Write one file for each game into this folder.": "每局写一个文件，存入这个文件夹。",
    "A head that you noted earlier, N:DIGEST.": "你事先记下的日志头 N:DIGEST。",
    "Only events after this position.": "只输出这个位置之后的事件。",
    "Wait for more until interrupted.": "等待新的事件，直到被中断。",
    "Print one JSON object for each event, for programs.": "为程序输出 JSON，每个事件一个对象。",
    "The new file.": "新文件。",
    "Logs, such as the shards of a simulation.": "日志，例如模拟得到的分片。",
    "Print one JSON object for each file, for programs.": "为程序输出 JSON，每个文件一个对象。",
    "An object, such as view or ddz/view@1; by default all names.": (
        "一种对象，如 view 或 ddz/view@1；默认列出全部名称。"
    ),
    "Print what was played as one JSON object; needs --auto or --moves.": (
        "以一个 JSON 对象输出所打的牌局；须用 --auto 或 --moves。"
    ),
    "Print one JSON object for each round and one for the result, for programs.": (
        "为程序输出 JSON，每轮一个对象，最后结果一个对象。"
    ),
    "A log that may be broken in any way.": "可能有任何损坏的日志。",
    "The new log.": "新日志。",
}

COMPLAINTS: Final = (
    (r"Try '(.*)' for help\.", "用 '{0}' 查看帮助。"),
    (r"Error: (?P<why>.*)", "错误：{0}"),
    (r"Missing argument (.*)\.", "缺少参数 {0}。"),
    (r"Missing option (.*)\.", "缺少选项 {0}。"),
    (r"Missing command\.", "缺少命令。"),
    (r"No such option: (\S*)(?: \(Possible options: (.*)\))", "没有选项 {0}。相近的有：{1}"),
    (r"No such option: (.*)", "没有选项 {0}。"),
    (r"No such command (.*)\. Did you mean (.*)\?", "没有命令 {0}。是不是 {1}？"),
    (r"No such command (.*)\.", "没有命令 {0}。"),
    (r"Option (.*) requires an argument\.", "选项 {0} 需要一个值。"),
    (r"Option (.*) does not take a value\.", "选项 {0} 不带值。"),
    (r"Got unexpected extra argument(?:s|\(s\))? \((.*)\)", "多出了参数：{0}"),
    (r"Invalid value for (.*?): (?P<why>.*)", "{0} 的值不对：{1}"),
    (r"(.*) is not a valid (?:int|integer|int range|integer range)\.", "{0} 不是整数。"),
    (r"(.*) is not a valid (?:float|float range)\.", "{0} 不是数。"),
    (r"(.*) is not in the range (.*)\.", "{0} 不在范围 {1} 之内。"),
)
"""What Typer says of a command line that it cannot read, as patterns, and its Chinese; `why` is another complaint."""

TEXTS: Final = {**TYPER, **_LIST, **_SHARED, **_PLAYING, **_LOOKING, **_BOTS, **_FILES, **PARAGRAPHS}
