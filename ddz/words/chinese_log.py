"""What is wrong with a log or its file, in Chinese, by the key of the error."""

from typing import Final

from .base import Templates

ERRORS: Final[Templates] = {
    "game/unknown": "没有牌局“{game}”",
    "game/none": "还没有牌局：日志是空的",
    "game/ambiguous": "以“{prefix}”开头的牌局有几个：{games}",
    "game/no-parent": "没有牌局 {parent}，无法从它分支",
    # 日志本身
    "log/absent": "{place} 处没有日志",
    "log/no-file": "{path} 不是文件",
    "log/folder": "{path} 是文件夹，不是日志",
    "log/no-file-name": "日志文件要有文件名，这里没有给出",
    "log/memory-name": "内存里的日志没有名字：只写 memory:，不写 memory:{place}",
    "log/unknown-scheme": "“{scheme}:”不是日志的存放方式：现有 {known}（叫这个名字的文件写作 {file}）",
    "log/foreign": "{path} 不是 ddz 的日志：{why}",
    "foreign/database": "它是别的程序的数据库",
    "foreign/no-database": "它根本不是 SQLite 数据库",
    "log/newer": (
        "{type} 事件的版本是 {version}，这个 ddz 只读得懂到 {latest}：请安装新版",
        "这个 ddz 不认识“{type}”事件；新版也许认识",
        "{path} 由更新的 ddz 建立（表的版本 {version}，这里只认识 {known}）：请安装新版",
    ),
    "log/damaged": (
        "{path} 已损坏：SQLite 报告“{error}”",
        "{path} 和 ddz 留下时不同：SQLite 报告“{complaint}”",
        "{path} 已损坏，因此没有复制：SQLite 报告“{said}”",
        "{path} 已损坏：{why}",
        "{game} 的第 {seq} 步还在，却不在 {game} 的事件之中",
        "日志缺了位置 {position}：后面直接是 {next}",
    ),
    "order/positions": "位置 {position} 排在 {before} 之后",
    "order/ids": "牌局的编号没有递增",
    "order/last": "位置到 {last} 为止。什么也没有存入",
    "log/schema": (
        "{path} 和 ddz 建立时不同：它说表的版本是 {version}",
        "{path} 和 ddz 建立时不同：{why}。什么也没有存入；其中能验证的部分可以救到新的日志里",
        "{path} 只存下 {rows} 个事件中的 {stored} 个。什么也没有存入",
    ),
    "schema/missing": "缺少 {type} {name}",
    "schema/changed": "{type} {name} 被改过",
    "schema/strange": "{type} {name} 不是 ddz 建立的",
    "schema/more": "{first}（另有 {more} 处）",
    # 事件与链
    "integrity/hash": "{game} 的第 {seq} 步和它的哈希不符",
    "integrity/gap": ("{game} 的第 {seq} 步占了第 {expected} 步的位置", "{game} 的第 {seq} 步{what}"),
    "integrity/prev": "{game} 的第 {seq} 步没有指向它的前一步",
    "integrity/position": (
        "{game} 的第 {seq} 步在日志的位置 {position}，排在它前一步之前",
        "日志缺了位置 {missing}：{before} 之后直接是 {position}",
    ),
    "integrity/fork": ("{game} 的第 {seq} 步{fault}", "{why}", "它所分自的 {parent} 没有保留下来"),
    "integrity/head": (
        "日志到位置 {position} 为止，但已知有 {known} 个：末尾被截去",
        "日志的前 {known} 个事件不是已知的那些",
        "这条线没有一个事件符合已知的 head：它被截短或改写了",
    ),
    "fork/no-opening": "是第一步，却没有开局",
    "fork/in-the-middle": "是 {type}，却在一条线的中间",
    "fork/none": "离开 {parent}，却没有分支",
    "fork/unreadable": "是分支，但读不懂（{why}）",
    "fork/elsewhere": "不是从 {parent} 的第 {at} 步分出的",
    "integrity/body": "{why}",
    "body/too-long": "{type} 事件的内容有 {signs} 个字符，ddz 的事件没有这么长",
    "body/other-type": "内容是 {found} 事件，这一行却说是 {type}",
    "body/not-canonical": "{type} 事件的内容不是规范的写法",
    "body/no-version": "{type} 事件从来没有版本 {version}",
    "body/misshapen": "内容不是版本 {version} 的 {type} 事件：{complaint}",
    "body/undecodable": "内容读不懂：{complaint}",
    "body/no-object": "内容不是 JSON 对象：{complaint}",
    "log/id-taken": (
        "编号 {event_id} 在这里属于另一个事件",
        "{game} 的第 {seq} 步在这里是另一个：这一局后来走了别的路，或者是另一局",
    ),
    "log/no-head": "“{head}”不是日志的 head：它写作 120:3f2a...，冒号后是 64 个数字",
    # 写入
    "log/bad-text": "{tag} 事件里有一段文字不能存入：{reason}",
    "log/bad-command-id": "{command_id} 不能作为命令的编号：1 到 {most} 个可见字符，不含 /",
    "log/bad-game-id": "{game} 不能作为牌局的编号：1 到 {most} 个可见字符，不含引号、/、@",
    "log/bad-batch": ("没有牌局 {game}，而这个 {type} 事件不是开局", "不能存入：{why}"),
    "log/bad-fork": (
        "牌局 {parent} 没有符合分支所记哈希的第 {at} 步",
        "从第 {at} 步分出的线从那里继续，不是从 {expected}",
    ),
    "log/command-reused": ("命令编号 {command} 已在牌局 {game} 里用于别的命令", "这个命令编号已经用于别的命令"),
    # 文件
    "log/file-exists": (
        "{target} 已经存在，文件不会被覆盖",
        "{beside} 已经存在，是同名的另一个日志留下的：请先把它移走",
    ),
    "log/written-all-the-time": "{path} 一直有人写入，而你只能读：请再试一次",
    "log/written-while-read": "{path} 在读的时候有人写入，而你只能读：请再试一次",
    "log/needs-a-writer": "{path} 正有人写入，或写入者已中断：只有能写它的用户才能读它",
    "log/locked": "{path} 被锁住：别的程序正在写入。什么也没有存入；请再试一次",
    "log/sqlite": "{path} 无法读写：SQLite 报告“{error}”。什么也没有存入",
    "log/not-your-file": "{path} 无法写入：{beside} 属于别的用户（{user}）。"
    "请改为归你所有（chown），{way}。什么也没有存入",
    "beside/empty": "或者在没有人使用日志时删去它",
    "beside/events": "不要删去它：最新的事件可能在里面",
    "file/not-tidied": "{path} 已经完整，但它所用的临时文件夹删不掉：{why}",
    "file/unwritable": "{path} 无法写入：{why}",
    "file/unopened": "{path} 无法打开：{why}",
    "file/never-clear": "{path} 无法写入：一直有人在那里清理",
    "storage/disk": "{target} 无法写入：{why}；但 {path} 完好",
    "storage/differs": "{path} 无法写入：读回来的和写下的不同",
}
