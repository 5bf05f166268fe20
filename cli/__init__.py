"""The command line of ddz: read options, ask one service, print. The only place that knows the time."""


def main() -> None:
    """Run `ddz`."""
    import sys

    from .app import app
    from .exits import INTERRUPTED
    from .shell import never_choke

    never_choke()

    try:
        app()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
