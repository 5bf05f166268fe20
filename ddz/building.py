"""How an installation compiles the kernel: setuptools asks `Build` (pyproject.toml), and nothing else imports this."""

import sys
from pathlib import Path
from typing import Final

from setuptools import Extension
from setuptools.command.build_ext import build_ext
from setuptools.errors import CompileError

SOURCE: Final = Path("ddz/kernel.py")
UNSTAMPED: Final = 'STAMP: Final = ""'
# Every index is known to be in range and every divisor not to be 0.
DIRECTIVES: Final = {"boundscheck": False, "wraparound": False, "cdivision": True, "initializedcheck": False}


class Build(build_ext):  # type: ignore[misc]
    """Compiles a copy of kernel.py, stamped with its source, as `ddz._kernel`."""

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
        from ddz.compiled import stamp_of

        text = SOURCE.read_text(encoding="utf-8")
        assert text.count(UNSTAMPED) == 1
        copy = Path(self.build_temp, "_kernel.py")
        copy.parent.mkdir(parents=True, exist_ok=True)
        stamped = text.replace(UNSTAMPED, f'STAMP: Final = "{stamp_of(text.encode())}"')
        copy.write_text(stamped, encoding="utf-8", newline="\n")
        return str(copy)
