"""Text: tokens, sentences, columns, tag schemes and features; knows no model."""

CONVENTIONS = ("modern", "classic")  # of cutting words
LINE_BREAKS = ("auto", "sentence", "space")  # what a single one in raw text is
UNITS = {  # that places in a text count
    "character": "characters (code points), as Python does",
    "utf16": "UTF-16 code units, as JavaScript, Java and C# do",
}
