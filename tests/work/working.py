"""A program whose two processes sleep for so many seconds; each says when it begins."""

import os
import sys
import time

from ddz.work.workers import in_order


def sleeping(seconds: float) -> None:
    os.write(1, b"begun\n")  # at once: unbuffered, `print` writes the end of the line by itself, and the other between
    time.sleep(seconds)


def main() -> int:
    try:
        for _ in in_order(sleeping, [float(sys.argv[1])] * 2, 2):
            pass
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
