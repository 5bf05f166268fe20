"""How an installation compiles the kernel: setuptools asks `Build` (pyproject.toml), and nothing else imports this."""

import sys
from pathlib import Path
from typing import Final

from setuptools import Extension
from setuptools.command.build_ext import build_ext
from setuptools.errors import CompileError

FOLDER: Final = Path("ddz")
BELOW: Final = "# --- compiled as one unit with kernel.py from here on\n"
"""What stands above this line in a further source only imports what the unit has anyway."""
UNSTAMPED: Final = 'STAMP: Final = ""'
# Every index is known to be in range and every divisor not to be 0.
DIRECTIVES: Final = {"boundscheck": False, "wraparound": False, "cdivision": True, "initializedcheck": False}


class Build(build_ext):  # type: ignore[misc]
    """Compiles the kernel's sources, put together in one stamped file, as `ddz._kernel`."""

    def build_extension(self, ext: Extension) -> None:
        """Compile the kernel. Where that fails, setuptools says so and installs the rest (`optional`)."""
        try:
            from Cython.Build import cythonize
        except ImportError as missing:
            raise CompileError("Cython is not here to compile the kernel") from missing
        (translated,) = cythonize(
            Extension(ext.name, [self._stamped_copy()]),
            language_level=3,
            compiler_directives=DIRECTIVES,
            quiet=True,
        )
        ext.sources = translated.sources
        super().build_extension(ext)

    def _stamped_copy(self) -> str:
        sys.path.insert(0, ".")  # the root of the checkout, where an installation runs
        from ddz.compiled import SOURCES, stamp_of

        first, *others = ((FOLDER / name).read_text(encoding="utf-8") for name in SOURCES)
        assert first.count(UNSTAMPED) == 1
        stamped = first.replace(UNSTAMPED, f'STAMP: Final = "{stamp_of(FOLDER)}"')
        copy = Path(self.build_temp, "_kernel.py")
        copy.parent.mkdir(parents=True, exist_ok=True)
        unit = "\n".join([stamped, *(text.split(BELOW)[1] for text in others)])
        copy.write_text(unit, encoding="utf-8", newline="\n")
        return str(copy)
