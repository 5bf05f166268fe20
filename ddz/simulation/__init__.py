"""Many games by bots, on all cores."""
