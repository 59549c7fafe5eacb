"""Trees: the answer and the head."""
