"""What is stored stands in one room, `ddz.frozen`, and no stored shape changes without a new version."""

import ast
import enum
import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from msgspec import inspect as shapes_of

import ddz.frozen
from ddz.cards import CardSet, Rank
from ddz.frozen import events, shapes, versions
from ddz.frozen.events import Event
from ddz.frozen.versions import ADDED, UPCASTS, VERSIONS, adding, without

LISTED = Path(__file__).with_name("stored_shapes.txt")
OWN_ENCODING = {CardSet: "one string, by the codec's hooks", Rank: "the letter of a rank, as in that string"}
"""Types that are stored and stand elsewhere, since `cards.py` is what reads and prints them."""
RECIPE = f"\n\n{ddz.frozen.__doc__}"


def named(info: Any) -> Iterator[type]:
    """Every class that a type leads to: structs, enums and what has an encoding of its own."""
    match info:
        case shapes_of.StructType():
            yield info.cls
            for field in info.fields:
                yield from named(field.type)
        case shapes_of.UnionType():
            for each in info.types:
                yield from named(each)
        case shapes_of.TupleType():
            for each in info.item_types:
                yield from named(each)
        case shapes_of.VarTupleType():
            yield from named(info.item_type)
        case shapes_of.EnumType() | shapes_of.CustomType():
            yield info.cls
        case shapes_of.IntType() | shapes_of.StrType() | shapes_of.BoolType() | shapes_of.NoneType():
            return
        case shapes_of.LiteralType():
            return
        case _:
            raise AssertionError(f"how is a {info} stored?")


def text_of(info: Any) -> str:
    """A type as it is stored, in words that change with the bytes."""
    match info:
        case shapes_of.StructType():
            fields = ", ".join(f"{field.encode_name}: {text_of(field.type)}" for field in info.fields)
            return f"[{fields}]" if info.array_like else f"{{{fields}}}"
        case shapes_of.UnionType():
            return " | ".join(sorted(map(text_of, info.types)))
        case shapes_of.TupleType():
            return f"({', '.join(map(text_of, info.item_types))})"
        case shapes_of.VarTupleType():
            return f"({text_of(info.item_type)}, ...)"
        case shapes_of.EnumType():
            return f"{info.cls.__name__} {' '.join(str(each.value) for each in info.cls)}"
        case shapes_of.CustomType():
            return info.cls.__name__
        case shapes_of.LiteralType():
            return " / ".join(map(str, info.values))
        case shapes_of.IntType():
            return "int" if info.ge is None and info.le is None else f"int {info.ge}..{info.le}"
        case shapes_of.StrType() | shapes_of.BoolType() | shapes_of.NoneType():
            return type(info).__name__.removesuffix("Type").lower()
        case _:
            raise AssertionError(f"how is a {info} stored?")


REACHED = set(named(shapes_of.type_info(Event)))
TODAY = {
    f"{info.tag} {VERSIONS[info.tag]} {text_of(info)}"
    for info in shapes_of.multi_type_info(get_args(Event))
    if isinstance(info, shapes_of.StructType)
}


def own_classes(module: Any) -> set[type]:
    """The classes that a module defines."""
    return {each for _, each in inspect.getmembers(module, inspect.isclass) if each.__module__ == module.__name__}


def test_all_that_is_stored_stands_in_this_room():
    elsewhere = {cls for cls in REACHED if not cls.__module__.startswith("ddz.frozen.")}
    assert elsewhere == set(OWN_ENCODING), "a stored shape stands outside of ddz/frozen"


def test_nothing_else_stands_in_it():
    modules = {file.stem for file in Path(ddz.frozen.__file__).parent.glob("*.py")}
    assert modules == {"__init__", "events", "shapes", "versions"}
    there = own_classes(events) | own_classes(shapes) | own_classes(versions)
    assert there == REACHED - set(OWN_ENCODING), "what is not stored may change, and stands elsewhere"
    assert all(issubclass(cls, msgspec.Struct | enum.Enum) for cls in there)


def test_every_alias_of_it_is_used_by_it():
    """`Seat`, `Base` and the like: no class, but a part of what is stored."""
    source = "".join(Path(module.__file__).read_text("utf-8") for module in (events, shapes))
    tree = ast.parse(Path(shapes.__file__).read_text("utf-8"))
    aliases = [
        target.id
        for node in tree.body
        if isinstance(node, ast.Assign | ast.AnnAssign)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Name)
    ]
    assert {"Seat", "Players", "MOST_POINTS"} <= set(aliases)
    used = {
        node.id for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    }
    assert set(aliases) <= used


def listed() -> list[str]:
    return LISTED.read_text("utf-8").splitlines()


def test_no_stored_shape_has_changed_without_a_new_version():
    """Each line of `stored_shapes.txt` is an event, a version, and what it stores."""
    missing = sorted(TODAY - set(listed()))
    assert not missing, "these stored shapes are new:\n" + "\n".join(missing) + RECIPE


def test_each_version_is_listed_once_and_leads_to_the_next():
    there = [tuple(line.split(" ")[:2]) for line in listed()]
    wanted = {(tag, str(version)) for tag, latest in VERSIONS.items() for version in range(1, latest + 1)}
    assert sorted(there) == sorted(wanted), "a line a version, and none is ever edited or removed" + RECIPE
    steps = {(tag, version) for tag, latest in VERSIONS.items() for version in range(1, latest)}
    assert set(ADDED) <= steps
    assert set(UPCASTS) == steps, "each older version needs an upcast" + RECIPE


def test_a_shape_that_changes_is_seen():
    class Knobs(msgspec.Struct):
        bomb: int

    class More(msgspec.Struct):
        bomb: int
        wild: bool = False

    was, now = (text_of(shapes_of.type_info(tuple[cls, cls])) for cls in (Knobs, More))
    assert (was, now) == ("({bomb: int}, {bomb: int})", "({bomb: int, wild: bool}, {bomb: int, wild: bool})")
    assert set(named(shapes_of.type_info(Knobs | None))) == {Knobs}


def test_fields_are_added_through_objects_lists_and_nulls():
    stored = {"rules": {"bomb": 2}, "players": [{"name": "a"}, {"name": "b"}], "origin": None}
    new = adding({"rules.wild": False, "players.country": None, "origin.claim.by": "", "seen": []})(stored)
    assert new == {
        "rules": {"bomb": 2, "wild": False},
        "players": [{"name": "a", "country": None}, {"name": "b", "country": None}],
        "origin": None,
        "seen": [],
    }
    assert stored == {"rules": {"bomb": 2}, "players": [{"name": "a"}, {"name": "b"}], "origin": None}
    assert adding({"claim.by": 1})({"claim": {"by0": 2}}) == {"claim": {"by0": 2, "by": 1}}


def test_fields_that_were_added_are_taken_out_unless_they_say_something():
    fields = {"rules.wild": False, "players.country": None}
    old = {"rules": {"bomb": 2}, "players": [{"name": "a"}, {"name": "b"}]}
    new = adding(fields)(old)
    assert without(new, fields) == old
    assert without(adding(fields | {"rules.wild": True})(old), fields) is None
    assert new == adding(fields)(old)


@pytest.mark.parametrize("stored", [{"rules": {"wild": True}}, {}, {"rules": 7}, {"rules": "text"}])
def test_what_an_old_version_never_wrote_is_refused(stored: dict[str, Any]):
    with pytest.raises((ValueError, KeyError, TypeError)):
        adding({"rules.wild": False})(stored)
