"""The floors of the house (design.md 2, ddz/ARCHITECTURE.md) as data, and what an import breaks of them, in words."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

FLOORS = {
    "errors": -1,
    "uncompiled": -1,
    "compiled": -1,
    "building": 0,
    "signs": 0,
    "names": 0,
    "places": 0,
    "kernel": 0,
    "playouts": 0,
    "plans": 0,
    "positions": 0,
    "quickplay": 0,
    "features": 0,
    "endgame": 0,
    "cards": 0,
    "limits": 0,
    "files": 0,
    "intervals": 0,
    "dealing": 1,
    "frozen": 1,
    "melds": 1,
    "rules": 2,
    "moves": 3,
    "auction": 3,
    "scoring": 3,
    "commands": 4,
    "state": 5,
    "refusals": 6,
    "decide": 6,
    "actions": 7,
    "view": 7,
    "record": 7,
    "records": 7,
    "contract": 8,
    "bots": 8,
    "guests": 8,
    "log": 8,
    "work": 8,
    "services": 9,
    "simulation": 10,
    "stats": 10,
    "arena": 10,
    "training": 10,
    "words": 11,
    "cli": 12,
}
"""A room is a module of ddz or a package in it. It imports from lower floors, and a package from itself."""

FRONT_DOORS = {"cli"}
"""The rooms by which somebody enters: a terminal, and later a page, a program, a server. Nobody imports one."""

SAME_FLOOR = {
    ("names", "signs"),
    ("files", "limits"),
    ("cards", "kernel"),
    ("playouts", "kernel"),
    ("plans", "kernel"),
    ("positions", "kernel"),
    ("positions", "plans"),
    ("positions", "playouts"),
    *(("quickplay", below) for below in ("kernel", "plans", "playouts", "positions")),
    ("features", "kernel"),
    ("features", "positions"),
    ("features", "quickplay"),
    ("endgame", "kernel"),
    ("endgame", "positions"),
    ("melds", "frozen"),
    ("decide", "refusals"),
    ("record", "actions"),
    ("records", "actions"),
    ("records", "record"),
    ("guests", "bots"),
}
"""Who may import a neighbour on its own floor."""

ONLY = {
    "cards": {"errors", "kernel"},
    "bots": {
        *(
            "errors",
            "compiled",
            "kernel",
            "plans",
            "positions",
            "quickplay",
            "features",
            "endgame",
            "cards",
            "melds",
            "rules",
        ),
        *("frozen", "moves", "auction", "commands", "view", "files", "limits"),
    },
}
"""Rooms that may import no more than this. A bot sees a view, never the state, the events or the log."""

NEVER = {
    "state": {"moves", "dealing", "scoring"},
    "log": {"decide", "state", "moves", "auction", "scoring", "dealing", "view", "record"},
}
"""Rooms below that stay closed: the reducer asks for no rule, the log knows events and not meanings."""

TYPES_ONLY = {
    "state": {"auction": {"Call"}},
    "bots": {"frozen": {"AuctionKind", "Kind", "KickerPolicy", "Rules", "Seat"}},
}
"""Rooms of which only these types may be taken."""

CORE_FLOOR = 7
"""The root of ddz is pure up to here."""

COMPILED = ("ddz.kernel", "ddz.playouts", "ddz.plans", "ddz.positions", "ddz.quickplay", "ddz.features", "ddz.endgame")
"""The modules that Cython compiles; where they run as Python, their `import cython` is never reached."""

FOUNDATIONS = {"compiled", "building", "files", "intervals"}
"""How the kernel is compiled and found, and how files are read: outside the core, below everything."""

READING = {"files", "intervals"}
"""The foundations that no room of the core may stand on."""

PURE = {
    *(
        "__future__",
        "abc",
        "array",
        "base64",
        "binascii",
        "bisect",
        "collections",
        "copy",
        "dataclasses",
        "difflib",
        "enum",
        "errno",
    ),
    *("functools", "hashlib", "heapq", "hmac", "itertools", "json", "math", "msgspec", "operator", "re", "string"),
    *("struct", "textwrap", "tomli_w", "tomllib", "types", "typing", "typing_extensions", "unicodedata", "warnings"),
}
"""What the core may import from outside: nothing here has a clock, chance, a file, a thread or a network."""

IMPURE_CALLS = {"open", "input", "print", "exec", "eval", "__import__", "breakpoint"}

SQLITE = {"sqlite3", "pysqlite3", "_sqlite3"}
DRIVER = "ddz.log.driver"

TRAINING = ("ddz.training.selfplay", "ddz.training.networks", "ddz.training.auctions", "ddz.training.teaching")
HEAVY = {
    "numpy": ("ddz.bots.network", *TRAINING, "ddz.guests.rlcard"),
    "torch": (*TRAINING[1:], "ddz.guests.douzero"),
}
"""What takes long to import, and who may: what plays by networks, what trains them, and the adapters of guests."""


@dataclass(frozen=True)
class Import:
    """One import: what a module takes, on which line, and whether it was written with dots."""

    line: int
    target: str
    """The module that is imported: `ddz.cards`, `time`; of `from ddz import kernel`, `ddz.kernel`."""
    name: str | None
    """What is taken from it; None for the module itself."""
    relative: bool


def module_name(root: Path, file: Path) -> str:
    """`ddz.log.driver` of ddz/log/driver.py; cli/ is installed as `ddz.cli`."""
    parts = list(file.relative_to(root).with_suffix("").parts)
    if parts[0] == "cli":
        parts.insert(0, "ddz")
    if parts[-1] == "__init__":
        parts.pop()
    return ".".join(parts)


def modules(root: Path) -> dict[str, Path]:
    """Every module of the house that exists, by name."""
    files = [file for room in ("ddz", "cli") for file in sorted((root / room).rglob("*.py"))]
    return {module_name(root, file): file for file in files}


def imports(module: str, source: str, is_package: bool, known: set[str]) -> Iterator[Import]:
    """Every import in a source, wherever it stands: in functions and under TYPE_CHECKING too."""
    package = module.split(".") if is_package else module.split(".")[:-1]
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield Import(node.lineno, alias.name, None, False)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            base = ".".join([*above, *(node.module.split(".") if node.module else [])])
            for alias in node.names:
                whole = f"{base}.{alias.name}"
                if whole in known or (base == "ddz" and alias.name in FLOORS):
                    yield Import(node.lineno, whole, None, bool(node.level))
                else:
                    yield Import(node.lineno, base, alias.name, bool(node.level))


def room_of(module: str) -> str | None:
    """The room of a module of ddz: `log` of `ddz.log.driver`; None for `ddz` itself."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else None


def faults(module: str, source: str, is_package: bool = False, known: set[str] | None = None) -> list[str]:
    """What this module breaks of the house's rules, a sentence each."""
    room = room_of(module)
    if room is not None and room not in FLOORS:
        return [f"{module} stands on no floor: give `{room}` one in tests/architecture/floors.py and ARCHITECTURE.md"]
    found = []
    for each in imports(module, source, is_package, known or set()):
        rule = broken_rule(module, room, each)
        if rule:
            taken = f"{each.target}.{each.name}" if each.name else each.target
            found.append(f"{module}, line {each.line}, imports {taken}: {rule}")
    if is_core(room):
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in IMPURE_CALLS:
                found.append(f"{module}, line {node.lineno}, calls {node.func.id}(): the core reads and writes nothing")
    return found


def is_core(room: str | None) -> bool:
    """True for the pure rooms at the root of ddz, and for `ddz` itself."""
    return room is None or (FLOORS[room] <= CORE_FLOOR and room not in FOUNDATIONS)


def broken_rule(module: str, room: str | None, each: Import) -> str | None:
    """The rule that one import breaks; None if it breaks none."""
    top = each.target.split(".")[0]
    if top in SQLITE and module != DRIVER:
        return f"only {DRIVER} chooses and imports a SQLite driver, or two of them meet in one process"
    if top in HEAVY and module not in HEAVY[top]:
        return f"only {', '.join(HEAVY[top])} import {top}, which takes long"
    if top == "cli":
        return "there is no module `cli`: installed, it is ddz.cli, and only its own modules import it, with dots"
    if top == "cython":
        return None if module in COMPILED else f"only {' and '.join(COMPILED)} are compiled"
    if top != "ddz":
        if is_core(room) and top not in PURE:
            return "the core is pure, without clock, chance, files, database or screen (PURE in floors.py)"
        return None
    return broken_floor(room, each)


def broken_floor(room: str | None, each: Import) -> str | None:
    """The rule about rooms that an import of ddz's own breaks."""
    other = room_of(each.target)
    if other is None:
        return "ddz itself imports nothing of its own" if room is None else None  # only __version__ is there
    if other not in FLOORS:
        return f"`{other}` stands on no floor"
    if room == "cli" and other == "cli":
        return None if each.relative else "inside cli, its own modules are imported with dots"
    if other in FRONT_DOORS and room != other:
        return f"nobody outside {other} imports ddz.{other}"
    if room is None:
        return "ddz itself imports nothing of its own"
    if other == room:
        return None if room in PACKAGES else f"`{room}` is one module"
    if room in ONLY and other not in ONLY[room]:
        allowed = ", ".join(name for name in FLOORS if name in ONLY[room])
        return f"`{room}` may import {allowed}, and nothing else of ddz"
    if is_core(room) and other in READING:
        return "the core is pure, and reads no file"
    if other in NEVER.get(room, ()):
        return f"`{room}` never imports `{other}`"
    types = TYPES_ONLY.get(room, {}).get(other)
    if types is not None and each.name not in types:
        return f"`{room}` takes only the types {', '.join(sorted(types))} of `{other}`"
    if FLOORS[other] > FLOORS[room] or (FLOORS[other] == FLOORS[room] and (room, other) not in SAME_FLOOR):
        return f"`{room}` is on floor {FLOORS[room]} and `{other}` on floor {FLOORS[other]}: import from lower floors"
    return None


PACKAGES = {
    "frozen",
    *("contract", "records", "bots", "guests", "log", "work", "services", "simulation", "stats", "arena", "training"),
    *("words", "cli"),
}
