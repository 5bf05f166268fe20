"""The tests hold the installed copy of ddz, and only if it is the checkout's own.

From the checkout `import ddz` would find ./ddz, which lacks `ddz.cli` (installed from ./cli). So the checkout leaves
`sys.path` before anything imports ddz, and a copy that is missing or old ends the run at once, in one sentence.
"""

import importlib.util
import os
import signal
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

CHECKOUT = Path(__file__).resolve().parent.parent
REMEDY = "install the checkout first: pip install '.[test]'"


def leave_checkout(path: list[str]) -> None:
    """Take the checkout out of an import path, however it is spelled."""
    path[:] = [entry for entry in path if Path(entry or ".").resolve() != CHECKOUT]


def sources(root: Path) -> dict[str, bytes]:
    """The Python files under `root` by their relative names; `cli` is held on its own."""
    names = {file: file.relative_to(root) for file in root.rglob("*.py")}
    return {name.as_posix(): file.read_bytes() for file, name in names.items() if name.parts[0] != "cli"}


def differences(checkout: Path, installed: Path) -> list[str]:
    """The files that are not the same in both."""
    ours, theirs = sources(checkout), sources(installed)
    differing = sorted(name for name in ours.keys() | theirs.keys() if ours.get(name) != theirs.get(name))
    how = {name: "is not installed" if name not in theirs else "is gone" for name in ours.keys() ^ theirs.keys()}
    return [f"{checkout.name}/{name} {how.get(name, 'differs')}" for name in differing]


def installation_fault() -> str | None:
    """What is wrong with the installed ddz, as a sentence; None if it is the checkout's copy."""
    spec = importlib.util.find_spec("ddz")
    if spec is None or not spec.origin:
        return f"ddz is not installed in {sys.prefix}; {REMEDY}"
    command_line = importlib.util.find_spec("ddz.cli")
    if command_line is None or not command_line.origin:
        return f"the ddz at {spec.origin} was installed without its command line, ddz.cli; {REMEDY}"
    faults = [
        *differences(CHECKOUT / "ddz", Path(spec.origin).parent),
        *differences(CHECKOUT / "cli", Path(command_line.origin).parent),
    ]
    if not faults:
        return None
    more = f" and {len(faults) - 5} more" if len(faults) > 5 else ""
    return (
        f"the ddz installed at {Path(spec.origin).parent} is not this checkout: {', '.join(faults[:5])}{more}; "
        f"{REMEDY} "
        "(a new package must also stand under `packages` in pyproject.toml)"
    )


# A job in the background of a script is born deaf to Ctrl-C, and so would be the programs whose Ctrl-C is tried here.
signal.signal(signal.SIGINT, signal.default_int_handler)
leave_checkout(sys.path)
os.environ["PYTHONSAFEPATH"] = "1"  # nor shall a `python -m ddz.cli` that a test starts find the checkout
if fault := installation_fault():
    print(f"\nThe tests cannot start: {fault}.", file=sys.stderr)
    raise SystemExit(pytest.ExitCode.USAGE_ERROR)  # no traceback, as an error raised here would bring

settings.register_profile("ddz", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ddz-ci", settings.get_profile("ddz"), derandomize=True, print_blob=True)
settings.register_profile("long", settings.get_profile("ddz"), max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE") or ("ddz-ci" if os.environ.get("CI") == "true" else "ddz"))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is marked `long` unless an expression (`-m long`) or its own name asks for it."""
    if config.option.markexpr or any("::" in argument for argument in config.args):
        return
    long = [item for item in items if item.get_closest_marker("long")]
    if long:
        config.hook.pytest_deselected(items=long)
        items[:] = [item for item in items if not item.get_closest_marker("long")]
