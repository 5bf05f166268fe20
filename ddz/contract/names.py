"""All objects of the contract by name, how they are read, and their JSON Schemas.

The `type` of an event says which fields it has: it is what msgspec calls a tag. msgspec writes a tag before all other
fields, but `type` has always been the second one. So the structs that are written have an ordinary field `type`, and
those that are read are copies of them in which it is the tag.
"""

import functools
import importlib
import json
import operator
import types
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin

import msgspec
from msgspec import NODEFAULT, Meta
from msgspec.structs import FieldInfo

from ddz.contract.base import Answer
from ddz.contract.logs import LogEventJson, kinds_of_log_event
from ddz.errors import Unreadable

MODULES: Final = ("melds", "views", "games", "audits", "logs", "statistics", "machine", "errors")
DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"


class SchemasJson(Answer, frozen=True, tag="ddz/schemas@1"):
    """The names of all objects."""

    names: Annotated[tuple[str, ...], Meta(description="By the alphabet; `ddz/NAME@N`.")]


def objects() -> dict[str, type[Answer]]:
    """Every object by its name, by the alphabet."""
    for module in MODULES:
        importlib.import_module(f"ddz.contract.{module}")
    return dict(sorted((str(kind.__struct_config__.tag), kind) for kind in Answer.__subclasses__()))


def named(text: str) -> str:
    """The name that `ddz/view@1`, `view@1` or `view` means.

    Raises:
        Unreadable: there is no such object.
    """
    known = objects()
    short = {name.removeprefix("ddz/").partition("@")[0]: name for name in known}
    for name in (text, f"ddz/{text}", short.get(text)):
        if name in known:
            return name
    near = get_close_matches(text.removeprefix("ddz/").partition("@")[0], short, n=3, cutoff=0.5)
    if not near:
        raise Unreadable("schema/unknown", "there is no object called '{name}'", name=text)
    raise Unreadable(
        "schema/unknown-near",
        "there is no object called '{name}': similar ones are {near}",
        name=text,
        near=", ".join(short[each] for each in near),
    )


def json_schema(name: str, strict: bool = False) -> dict[str, Any]:
    """The JSON Schema of an object; only a `strict` one forbids fields that it does not know.

    Fields are added to objects in later versions of ddz, so that what reads them should not be strict.
    """
    kind = objects()[name]
    found = msgspec.json.schema(reader(kind, strict))
    urn = "urn:" + name.replace("/", ":")
    return {"$schema": DIALECT, "$id": urn, "title": name, "description": kind.__doc__, **found}


def schema_text(name: str, indent: int | None) -> str:
    """The JSON Schema of an object as a text: on one line without `indent`."""
    return json.dumps(json_schema(name), indent=indent) + "\n"


@functools.cache
def reader(kind: type[Answer], strict: bool = False) -> Any:  # noqa: ANN401  # a type, or a union of types
    """The type that reads an object's JSON; a `strict` one refuses fields that it does not know."""
    return _Copies(strict).of(kind)


class _Copies:
    """Copies structs, and what they are made of, into those that read them."""

    def __init__(self, strict: bool) -> None:
        self._strict = strict
        self._made: dict[type[msgspec.Struct], type[msgspec.Struct]] = {}

    def of(self, kind: Any) -> Any:  # noqa: ANN401
        """The type that reads what is written as `kind`."""
        origin, args = get_origin(kind), get_args(kind)
        if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
            return self._union(kinds_of_log_event()) if kind is LogEventJson else self._struct(kind)
        if origin is Annotated:
            return Annotated[(self.of(args[0]), *args[1:])]
        if origin in (Union, types.UnionType):
            return self._union(args)
        if origin is None or origin is Literal:
            return kind
        return origin[tuple(map(self.of, args))]

    def _union(self, kinds: Iterable[Any]) -> Any:  # noqa: ANN401
        return functools.reduce(operator.or_, map(self.of, kinds))

    def _struct(self, kind: type[msgspec.Struct]) -> type[msgspec.Struct]:
        if kind in self._made:
            return self._made[kind]
        config = kind.__struct_config__
        fields = {field.name: field for field in msgspec.structs.fields(kind)}
        tag_field, tag = config.tag_field, config.tag
        types_by_name = {name: field.type for name, field in fields.items()}
        if get_origin(types_by_name.get("type")) is Literal:
            tag_field, tag = "type", fields.pop("type").default
            if config.tag is not None:
                types_by_name = {"schema": Literal[config.tag], **types_by_name}
            del types_by_name["type"]
        made = self._made[kind] = msgspec.defstruct(
            kind.__name__,
            [_field(name, fields.get(name)) for name in types_by_name],
            rename={field.name: field.encode_name for field in fields.values()},
            frozen=True,
            kw_only=True,
            tag_field=tag_field,
            tag=tag,
            forbid_unknown_fields=self._strict,
        )
        made.__doc__ = kind.__doc__
        # Only now, since a struct may have some of its own kind within it.
        made.__annotations__.update({name: self.of(each) for name, each in types_by_name.items()})
        return made


def _field(name: str, field: FieldInfo | None) -> tuple[str, Any] | tuple[str, Any, Any]:
    return (name, Any) if field is None or field.default is NODEFAULT else (name, Any, field.default)
