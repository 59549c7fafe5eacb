"""The parser by levels, from the words up."""
