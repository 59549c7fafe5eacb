"""Parts of words: stems and endings, letter n-grams."""
