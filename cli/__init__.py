"""The command line of ddz: read options, ask one service, print. The only place that knows the time."""


def main() -> None:
    """Run `ddz`."""
    import gc
    import os
    import sys

    gc.set_threshold(50_000)  # importing makes no garbage, and looking for it took 6 % of a replay

    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # see ddz/bots/network.py; sqlite-utils may import numpy first

    import typer

    from .app import app
    from .door import never_choke, trace
    from .exits import INTERRUPTED

    never_choke()
    try:
        app(prog_name="ddz")  # whatever the file is called
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except SystemExit as done:
        # What befalls Typer itself, in its help or before a command runs, it ends with 1. Our codes are others.
        if isinstance(done.__context__, typer.Abort):
            sys.exit(INTERRUPTED)
        if isinstance(done.__context__, BrokenPipeError):
            sys.exit(0)
        raise
    except Exception:
        sys.excepthook = trace  # a fault of ours, and it may quote what a stranger has stored
        raise
    finally:
        gc.freeze()  # what is left goes with the process: looking for garbage in it took a quarter of a replay
