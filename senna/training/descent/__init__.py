"""How weights change: optimisers, and how their rate changes."""
