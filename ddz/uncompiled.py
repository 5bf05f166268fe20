"""What stands in for the module `cython` where `kernel.py` runs as plain Python: no name here does anything.

Cython's own stand-in takes ten milliseconds to import, and would have to be installed. Compiled, none of this is used.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar, overload

T = TypeVar("T")

compiled = False

if TYPE_CHECKING:  # to a type checker a C integer is an int, and a C array a list of them
    ulonglong = int
    longlong = int
    int = int  # noqa: PLW0127
    p_ulonglong = list[int]
    ushort = int
    p_ushort = list[int]
    p_char = bytes
else:

    class _Integer:
        """A C type of integers: `cython.int[8]` names an array of eight."""

        def __getitem__(self, length):  # noqa: ANN001, ANN204
            return length

    ulonglong = longlong = int = ushort = p_ulonglong = p_ushort = p_char = _Integer()


@overload
def declare(**names: object) -> None: ...
@overload
def declare(ctype: object) -> list[int]: ...
@overload
def declare(ctype: object, value: T) -> T: ...
def declare(ctype: Any = None, value: Any = None, **names: object) -> Any:  # noqa: ARG001
    """A variable of a C type: an array begins as zeros, anything else as `value`. Or the types of some names."""
    return [0] * ctype if value is None and ctype else value


def cfunc(function: T) -> T:
    """A function that is C's alone when compiled."""
    return function


cclass = inline = nogil = cfunc


def exceptval(*, check: bool) -> Callable[[T], T]:  # noqa: ARG001
    """Says that a C function raises nothing."""
    return cfunc


def cast(ctype: object, value: Any) -> Any:  # noqa: ANN401, ARG001
    """A value as one of a C type."""
    return value
