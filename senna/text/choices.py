"""The names to choose from for how text is read and how tags are written."""

INPUTS = ("text", "lines", "tokens", "columns")
FORMATS = ("columns", "jsonl")
CONVENTIONS = ("modern", "classic")  # of cutting words
LINE_BREAKS = ("auto", "sentence", "space")  # what a single one in raw text is
