"""`ddz path`: where the log is."""

from .door import put
from .shell import Db, db_path


def path(db: Db = None) -> None:
    """Print the file of the log, whether it is there yet or not.

    Example: ddz path
    """
    put(str(db_path(db)))
