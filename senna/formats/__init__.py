"""Input and output formats: a module of each, or of some that are much alike."""

from __future__ import annotations

from senna.registry import FORMATS, INPUTS, READERS, VECTORS, no_parts, places

INPUTS.add(
    "senna.formats",
    **places("senna.formats", "text", "html"),
    **dict.fromkeys(("lines", "tokens"), "senna.formats.text"),
    **places("senna.formats", "columns", "conllu"),
    conll2012="senna.formats.conll",
    **dict.fromkeys(("csv", "jsonl", "parquet"), "senna.formats.tables"),
)
READERS.add(
    **places("senna.formats", "gold", "objects", "html", "columns", "conllu", "stored"),
    predicates="senna.formats.gold",
)
FORMATS.add(
    "senna.formats",
    **places("senna.formats", "columns", "conll"),
    **dict.fromkeys(("conll2012", "props"), "senna.formats.conll"),
    **dict.fromkeys(("conllu", "conllup"), "senna.formats.conllu"),
    trees="senna.formats.brackets",
    **dict.fromkeys(("tsv", "spans", "csv", "parquet"), "senna.formats.tables"),
    **places("senna.formats", "jsonl", "html"),
    **dict.fromkeys(("svg", "ansi"), "senna.formats.drawings"),
)
VECTORS.add(files="senna.formats.vectors")
no_parts("senna.formats", "conllu_lines", "props")
