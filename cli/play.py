"""Stub."""


def play() -> None:
    """Stub.

    Example: ddz play
    """
