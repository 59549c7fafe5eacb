"""What words are made of: stems and endings, letter n-grams."""
