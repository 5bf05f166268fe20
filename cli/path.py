"""`ddz path`: where the log is."""

from ddz.errors import Unreadable
from ddz.signs import harmless

from .door import put
from .shell import Db, db_path


def path(db: Db = None) -> None:
    """Print the file of the log, whether it exists yet or not.

    Example: ddz path
    """
    found = str(db_path(db))
    if not harmless(found):
        raise Unreadable(f"the log's name holds signs that would rule a terminal, and is printed escaped: {found!a}")
    put(found)
