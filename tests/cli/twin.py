"""A process that runs `ddz` again and again: each line of its input is [when to begin, the words], each line of its
output [exit code, output, errors]. Several of them begin at the same moment, without the start of Python in between.
"""

import json
import sys
import time

from ddz.cli.app import app
from typer.testing import CliRunner


def main() -> None:
    """Until the input ends."""
    runner = CliRunner()
    for line in sys.stdin:
        begin, words = json.loads(line)
        while time.monotonic() < begin:
            pass
        done = runner.invoke(app, words)
        if done.exception is not None and not isinstance(done.exception, SystemExit):
            raise done.exception
        print(json.dumps([done.exit_code, done.stdout, done.stderr]), flush=True)


if __name__ == "__main__":
    main()
