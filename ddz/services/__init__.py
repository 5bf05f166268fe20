"""What one can do with games: each service reads events from the log, asks the core, and answers with plain data."""
