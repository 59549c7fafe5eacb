"""Dependencies: the answer and the head."""
