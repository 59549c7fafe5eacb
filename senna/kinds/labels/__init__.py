"""Labels: the answer and the head."""
