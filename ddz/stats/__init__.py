"""Statistics of a log: who wins, for how much and how."""
