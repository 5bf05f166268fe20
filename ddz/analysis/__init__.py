"""What many games come to: statistics over a log, and tables for programs that analyse."""
