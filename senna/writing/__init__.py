"""Formats to write what is found in, one a module; `senna.writing.output` has their table."""

FORMATS = ("columns", "conll", "conllu", "props", "inline", "trees", "jsonl", "html", "ansi")
