"""Documents: what is found in a text, and what can be asked of it."""
