"""Text: tokens, sentences, columns, tag schemes and features; knows no model."""

CONVENTIONS = ("modern", "classic")  # of cutting words
LINE_BREAKS = ("auto", "sentence", "space")  # what a single one in raw text is
