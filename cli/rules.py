"""`ddz rules`: the presets, and one of them in words."""

from typing import TYPE_CHECKING, Annotated

import typer

from .columns import padded
from .shell import Json

if TYPE_CHECKING:
    from ddz.rules import Rules


def rules(
    name: Annotated[str | None, typer.Argument(metavar="[NAME]", help="A preset; without one, all are listed.")] = None,
    as_json: Json = False,
) -> None:
    """The presets of rules, or one of them in words.

    Example: ddz rules classic
    """
    import msgspec

    from ddz.rules import PRESETS, preset
    from ddz.services.contract import encode

    if as_json:
        chosen = PRESETS if name is None else {name: preset(name)}
        knobs = {key: msgspec.to_builtins(value) for key, value in chosen.items()}
        typer.echo(encode({"schema": "ddz/rules@1", "presets": knobs}))
        return
    if name is None:
        for each in PRESETS:
            typer.echo(each)
        return
    typer.echo("\n".join(padded(_words(preset(name)))))


def _words(rules: "Rules") -> list[tuple[str, str]]:
    """Every knob, a line each."""
    kickers = rules.kickers
    yes = {True: "yes", False: "no"}
    return [
        ("rules", rules.name),
        ("kicker of a core rank", "in airplanes only" if kickers.core_kickers else "no"),
        ("most equal solo kickers", str(kickers.most_equal)),
        ("two equal pairs as kickers", yes[kickers.equal_pairs]),
        ("both jokers as solo kickers", yes[kickers.both_jokers]),
        ("a trio of solo kickers next to the airplane's trios", yes[kickers.adjacent_trio]),
        ("quad+ melds", yes[kickers.quads]),
        ("auction", rules.auction),
        ("all pass", rules.all_pass),
        ("factor of a bomb, of the rocket", f"{rules.bomb}, {rules.rocket}"),
        ("factor of spring, of anti-spring", f"{rules.spring}, {rules.anti_spring}"),
        ("escape: factor, least", f"{rules.escape_factor}, {rules.escape_least}"),
    ]
