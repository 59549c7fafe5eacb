"""Input and output formats, one module each, which is loaded where the format is asked for."""

# Name -> how help describes it. Its module has the same name: see `senna.pipeline.format`.
INPUTS = {
    "text": "raw text",
    "html": "a web page (its visible text)",
    "lines": "one sentence per line",
    "tokens": "one sentence per line, words separated by spaces",
    "columns": "one token per line, the word first; all columns are kept",
    "conllu": "CoNLL-U, CoNLL-U Plus",
    "conll2012": "CoNLL-2012",
    "csv": "a column of raw text (see --column)",
    "parquet": "a text column of a Parquet file (see --column)",
}
FORMATS = {
    "columns": "tab-separated columns",
    "conll": "CoNLL-2003",
    "conll2012": "CoNLL-2012 (OntoNotes)",
    "conllu": "CoNLL-U",
    "conllup": "CoNLL-U Plus: a column for each task that has no field in CoNLL-U",
    "props": "CoNLL-2005 columns of roles",
    "inline": "sentences with names in brackets",
    "trees": "one tree per line",
    "tsv": "label, tab, text",
    "spans": "one row per phrase or role, tab-separated",
    "csv": "the same rows as CSV",
    "brat": "the annotations of a text file for brat (.ann)",
    "doccano": "sentences with their spans, as doccano imports them",
    "label-studio": "the same as predictions for Label Studio",
    "jsonl": "one JSON object per sentence",
    "parquet": "the same objects as Parquet, or a table with one more column",
    "html": "a web page",
    "svg": "one picture per sentence, in --output-dir",
    "ansi": "colours for a terminal",
}
NOT_TEXT = ("svg", "parquet")  # formats whose output is not one text
