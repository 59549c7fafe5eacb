"""Language models, and clusters of words."""
