"""The names to choose from for how text is read."""

TEXTS = ("text", "html")  # what is cut into sentences as a whole
INPUTS = (*TEXTS, "lines", "tokens", "columns", "conllu", "csv", "parquet")
CONVENTIONS = ("modern", "classic")  # of cutting words
LINE_BREAKS = ("auto", "sentence", "space")  # what a single one in raw text is
