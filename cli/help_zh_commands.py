"""What each command says of itself, in Chinese, a paragraph each, by the English paragraph."""

from typing import Final

PARAGRAPHS: Final = {
    "Dou Dizhu (Fight the Landlord): play against bots, audit a game from its log, fork it at any point.": (
        "斗地主：与机器人打牌，从日志审计牌局，在任何一点另开一条线。"
    ),
    "Exit codes: 0 done; 1 an audit or verification found a fault; 2 usage, unreadable input, a file that is not "
    "there, or a seq out of range; 3 unknown or ambiguous id; 4 refused move, no turn point, or stale log; 5 "
    "broken, foreign or newer log file; 6 storage refused: full, read-only, permission, or a fault of the disk; "
    "130 interrupted.": (
        "退出码：0 完成；1 审计或核对发现问题；2 用法不对、输入读不懂、文件不存在或事件序号超出范围；3 编号未知或不"
        "唯一；4 行动被拒、无人可行动或日志已过时；5 日志文件损坏、不是 ddz 的或来自更新的版本；6 无法存储：已满、"
        "只读、无权限或磁盘故障；130 被中断。"
    ),
    # playing
    "Play against two bots. Every move is in the log before you see it. `quit` suspends, --resume continues.": (
        "与两个机器人打牌。每一手先写入日志，再显示给你。`quit` 暂停，--resume 继续。"
    ),
    "Open a game and deal. `ddz act` then plays every seat.": "开一局并发牌。之后每个座位都由 `ddz act` 推进。",
    "A program that does not know whether its command arrived sends it again with the same --id: the answer is "
    "the game that it opened, and no other game opens. The same id for another command is refused.": (
        "程序若不知道命令是否送达，可用同一个 --id 重发：得到的是原来开的那一局，不会另开一局。同一编号用于别的命令"
        "会被拒绝。"
    ),
    "Bid, pass, play or escape for one seat.": "替一个座位叫分、不出、出牌或逃跑。",
    "A program that does not know whether its command arrived sends it again with the same --id: the answer is "
    "the same as before, and nothing is done twice. The same id for another command is refused.": (
        "程序若不知道命令是否送达，可用同一个 --id 重发：得到与原来相同的答复，不会重复执行。同一编号用于别的命令会"
        "被拒绝。"
    ),
    "Show a game as it stands, as a seat, the table or all may see it.": (
        "显示一局的现状，按某个座位、牌桌或全部的视角。"
    ),
    # lines
    "Begin a new line after an event; continue it with `ddz play ID` or `ddz act`.": (
        "在某个事件之后另开一条线；用 `ddz play ID` 或 `ddz act` 继续。"
    ),
    "A program that does not know whether its command arrived sends it again with the same --id: the answer is "
    "the line that it began, and no other line begins. The same id for another command is refused. With --auto "
    "the bots continue where they stopped.": (
        "程序若不知道命令是否送达，可用同一个 --id 重发：得到的是原来开的那条线，不会另开一条。同一编号用于别的命令"
        "会被拒绝。与 --auto 一起时，机器人从停下的地方继续。"
    ),
    "Show all lines of the game that a line belongs to, with their results.": "列出一条线所属牌局的所有线及其结果。",
    "Show where two lines part, what each does there, and what that changed in the score.": (
        "指出两条线在哪里分开，各自怎么走，得分因此有何不同。"
    ),
    "Retell a game from its log, explain its score, and audit it.": "按日志复述一局，列出计分，并审计。",
    "Check a game's integrity, legality, accounting and fairness by deriving everything again.": (
        "重新推导一切，检查一局是否完整、合规、计分正确、公平。"
    ),
    # the log
    "List the games and forks of the log, the one with the newest event first.": (
        "列出日志中的牌局和分线，事件最近的在前。"
    ),
    "Show the score table of the match that a game belongs to.": "显示一局所属比赛的积分表。",
    "A line begun by `back` counts. An exploration counts only if the next game of the match followed it.": (
        "由 `back` (悔牌) 另开的分支计入积分。试走的分支只有在比赛的下一局接着它打时才计入。"
    ),
    "Show who wins, for how much and how, over all finished games of the log: by side, seat and player.": (
        "统计日志中所有已结束的牌局：谁赢、赢多少、怎么赢，按角色、座位和玩家列出。"
    ),
    "Each game counts once, by the line that its match counts (see `ddz match`). Unfinished games are counted "
    "apart. What the events say is believed; `ddz audit --all` checks it.": (
        "每局只算一次，取比赛计入的那条线 (见 `ddz match`)。未完的牌局另计。事件所写的一概相信；核实请用 `ddz "
        "audit --all`。"
    ),
    "Print the head of the log, N:DIGEST. Note it elsewhere: `ddz log verify --head` then shows any change "
    "before it.": "输出日志头 N:DIGEST。请记在别处：之后 `ddz log verify --head` 能发现它之前的任何改动。",
    "It is made of the hashes as they are stored; `ddz log verify` computes them again.": (
        "它由存储的哈希得出；`ddz log verify` 会重新计算哈希。"
    ),
    "Check the file, every hash, the chain of every line, and that nothing before a known head has changed.": (
        "核对文件、每个哈希、每条线的链，以及已知日志头之前没有任何改动。"
    ),
    "Without a head, a log whose end was cut, or that was written anew as a whole, looks like an honest one.": (
        "不给出日志头，末尾被截去或整个重写过的日志看上去与真的一样。"
    ),
    "Print the events of all games by position, for programs that follow the log. What is still hidden is left "
    "out.": "按位置输出所有牌局的事件，供跟踪日志的程序使用。仍是暗牌的部分不输出。",
    "Copy the log into a new file; others may continue to write meanwhile.": (
        "把日志复制到新文件；其间别人可以继续写入。"
    ),
    "Take over all games and forks of other logs. Each file is taken over whole or, if it has a fault, not at "
    "all.": "并入其他日志的所有牌局和分线。每个文件整个并入；若有问题，则完全不并入。",
    "They keep their ids, events and chains, and get new positions. What is here already stays as it is, so you "
    "can repeat a merge. A game that continued in one way here and in another way there is a fault.": (
        "编号、事件和链不变，位置重排。已有的保持原样，所以可以重复并入。同一局在两处走法不同，则算有问题。"
    ),
    "Make a new log of what verifies and is lawful in another log, and say what is left behind and why.": (
        "从另一个日志中取出可核对且合规的部分，写成新日志，并说明留下了什么、为什么。"
    ),
    "A game is taken as a whole, or up to its last good event. Hashes, ids and times stay; positions are new. "
    "FROM is only read, and nobody should write to it meanwhile. TO must not exist yet, and appears when it is "
    "complete.": (
        "一局整个取出，或取到最后一个正常的事件为止。哈希、编号和时间不变，位置重排。FROM 只读，其间不应有人写入。"
        "TO 必须尚不存在，写完整后才出现。"
    ),
    "Show what ddz runs on, where its log is, and how it is kept. Changes nothing.": (
        "显示 ddz 的运行环境、日志在哪里、怎样保存。不作任何改动。"
    ),
    "Print the file of the log, whether it exists yet or not; the address of a log that is kept elsewhere.": (
        "输出日志文件的路径，不论它是否已经存在；日志若存在别处，则输出其地址。"
    ),
    # files
    "Store the games of records or event files. Each file is stored whole or, if it has a fault, not at all.": (
        "把牌谱或事件文件中的牌局存入日志。每个文件整个存入；若有问题，则完全不存。"
    ),
    "Repeat an import that may have been killed with --once, or from a program with the same --id: a game that "
    "is stored already is printed and not stored again. --once recognises a record by its content, whatever the "
    "file is called, if it was stored without --id. Event files have ids of their own and need neither.": (
        "可能中途被杀的导入，可用 --once 重来，程序则用同一个 --id：已存的牌局只输出，不再存。--once 按内容认牌谱，"
        "不论文件叫什么，但只认不带 --id 存入的。事件文件自带编号，两者都不需要。"
    ),
    "Print games as records, or write them into a folder.": "把牌局输出为牌谱，或写入文件夹。",
    # the rules
    "List every meld that exactly these cards form.": "列出恰好由这些牌组成的所有牌型。",
    "List every meld that a hand may lead, or that beats the top; each reading once.": (
        "列出一手牌可以先出的、或能压过上家的所有牌型；每种读法一次。"
    ),
    "Count all melds of one deck with at most 20 cards: sets by rank, readings, readings by kind.": (
        "统计一副牌中不超过 20 张的所有牌型：按点数计、按读法计、各牌型的读法数。"
    ),
    "Show the presets of rules side by side, or one of them in words with the number of its melds.": (
        "并排列出预设规则，或用文字说明其中一种及其牌型数。"
    ),
    "Your own rules are a TOML file: `name`, `like` (a preset) and the knobs that differ, such as `bomb = 3` or, "
    "in a table `[kickers]`, `most_equal = 2`; `ddz rules --json` shows all knobs.": (
        "你自己的规则是一个 TOML 文件：`name`、`like` (一种预设) 和不同的设定，例如 `bomb = 3`，或在表 `[kickers]` "
        "中写 `most_equal = 2`；`ddz rules --json` 列出所有设定。"
    ),
    # bots
    "Let bots play whole games, and store them in the log. Equal seeds and bots play equal games for any -j.": (
        "让机器人打整局牌，存入日志。种子和机器人相同，牌局就相同，与 -j 无关。"
    ),
    "Measure which bot is stronger, by how much, and how surely: every pair plays every deck from both sides.": (
        "测量哪个机器人更强、强多少、有多大把握：每一对用每副牌互换角色各打一次。"
    ),
    "WP is the share of the games won. ADP is the mean of the points in a game; bombs and the rocket double "
    "them. By default nobody bids: the landlord has the kitty from the start, and a spring does not count (the "
    "rules douzero, as in the literature). A bot is a name that `ddz play --bot` takes, exec:CMD, rlcard-rule or "
    "douzero:DIR.": (
        "WP 是胜局的比例。ADP 是每局得分的平均，炸弹和王炸各加倍。默认不叫分：地主一开始就有底牌，春天不计 (规则 "
        "douzero，与文献一致)。机器人是 `ddz play --bot` 可用的名字、exec:CMD、rlcard-rule 或 douzero:DIR。"
    ),
    "Teach the network by games against itself, then teach each level to bid, and write DIR/weights.npz.": (
        "让网络通过自我对局学习，再教各级别叫分，最后写出 DIR/weights.npz。"
    ),
    "Needs the extra `train` (PyTorch). One core plays about 500 games a second. Ctrl-C leaves a checkpoint, and "
    "--resume continues from it. The bots hard:DIR/weights.npz and expert:DIR/weights.npz then play by the "
    "result.": (
        "需要附加包 `train` (PyTorch)。一个核心每秒约打 500 局。Ctrl-C 会留下检查点，--resume 从那里继续。机器人 "
        "hard:DIR/weights.npz 和 expert:DIR/weights.npz 按训练结果打牌。"
    ),
    "Speak FightTheLandlord2's JSON: read all requests and responses on one line, answer on one line.": (
        "使用 FightTheLandlord2 的 JSON：从一行读取所有请求和答复，用一行作答。"
    ),
    "Print the names of all JSON objects that commands print, or the JSON Schema (2020-12) of one.": (
        "输出各命令所输出的全部 JSON 对象的名称，或其中一种的 JSON Schema（2020-12）。"
    ),
    "Each field says what it is and in which unit. Later versions of ddz may add fields.": (
        "每个字段都写明是什么、用什么单位。ddz 以后的版本可能增加字段。"
    ),
}
