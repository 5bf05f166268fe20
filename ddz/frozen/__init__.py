"""Every shape that ends in stored bytes: the events, what stands inside them, and the versions of both."""
