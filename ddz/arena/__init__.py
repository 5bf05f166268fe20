"""Bots on the same decks: who is stronger, and how surely."""
