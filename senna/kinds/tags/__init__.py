"""Tags: the answer and the head."""
