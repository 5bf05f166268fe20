"""`ddz path`: where the log is."""

from ddz.errors import Unreadable
from ddz.signs import harmless

from .door import give, put
from .shell import Db, Json, db_address


def path(db: Db = None, as_json: Json = False) -> None:
    """Print the file of the log, whether it exists yet or not; the address of a log that is kept elsewhere.

    Example: ddz path
    """
    from ddz.log.stores import file_of

    address = db_address(db)
    found = str(file_of(address) or address)
    if as_json:
        from ddz.contract.machine import PathJson

        give(PathJson(found, file_of(address) is not None))
        return
    if not harmless(found):
        raise Unreadable(
            "usage/log-name",
            "the log's name has signs that control a terminal; escaped, it is {name}",
            name=ascii(found),
        )
    put(found)
