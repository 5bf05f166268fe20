"""Dou Dizhu for three: a pure core, an event log around it, and services over both.

See `ARCHITECTURE.md` beside this file for the house and its rooms.
"""

__version__ = "0.1.0"
