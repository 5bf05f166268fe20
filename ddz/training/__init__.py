"""How the networks of the strongest levels are taught."""
