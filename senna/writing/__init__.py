"""Output formats, one a module: `FORMATS` is their table."""

# Name -> what `senna tag --help` says of it. Its module, which is loaded only where the format is
# asked for, has the same name.
FORMATS = {
    "columns": "parted by tabs",
    "conll": "as CoNLL-2003 has them",
    "conll2012": "names, roles and trees as OntoNotes has them",
    "conllu": "in its XPOS and MISC",
    "props": "roles",
    "inline": "names in brackets",
    "trees": "a tree a line",
    "tsv": "label and text",
    "jsonl": "a JSON object a sentence",
    "html": "a page",
    "svg": "a picture per sentence, in --output-dir",
    "ansi": "for a terminal",
}
