"""Output formats, one module each: `FORMATS` is their table."""

# Name -> what `senna tag --help` says of it. Its module, which is loaded only where the format is
# asked for, has the same name.
FORMATS = {
    "columns": "tab-separated columns",
    "conll": "CoNLL-2003",
    "conll2012": "CoNLL-2012 (OntoNotes)",
    "conllu": "CoNLL-U",
    "props": "CoNLL-2005 columns of roles",
    "inline": "sentences with names in brackets",
    "trees": "one tree per line",
    "tsv": "label, tab, text",
    "spans": "one row per phrase or role, tab-separated",
    "csv": "the same rows as CSV",
    "jsonl": "one JSON object per sentence",
    "parquet": "the same objects as Parquet, or a table with one more column",
    "html": "a web page",
    "svg": "one picture per sentence, in --output-dir",
    "ansi": "colours for a terminal",
}
