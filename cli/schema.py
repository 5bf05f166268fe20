"""`ddz schema`: what the JSON objects of the commands hold, as JSON Schemas."""

from typing import Annotated

import typer

from .door import give, hand, put
from .shell import Json


def schema(
    name: Annotated[
        str | None,
        typer.Argument(metavar="[NAME]", help="An object, such as view or ddz/view@1; by default all names."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Print the names of all JSON objects that commands print, or the JSON Schema (2020-12) of one.

    Each field says what it is and in which unit. Later versions of ddz may add fields.

    Example: ddz schema view
    """
    from ddz.contract.names import SchemasJson, named, objects, schema_text

    if name is None and as_json:
        give(SchemasJson(tuple(objects())))
    elif name is None:
        put(*objects())
    else:
        hand(schema_text(named(name), indent=None if as_json else 2))
