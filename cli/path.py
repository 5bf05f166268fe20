"""`ddz path`: where the log is."""

import typer

from .shell import Db, db_path


def path(db: Db = None) -> None:
    """Print the file of the log, whether it is there yet or not.

    Example: ddz path
    """
    typer.echo(str(db_path(db)))
