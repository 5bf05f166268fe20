"""Where work is done: here, in processes of this machine, or by Ray."""
