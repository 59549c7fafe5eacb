"""Search for patterns of words and tags in annotated text."""
