"""The colour of a label, the same in every drawing."""

from __future__ import annotations

# Colours that all eyes tell apart (Okabe and Ito 2008). Lines differ in style too.
HUES = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8a8a8a")

# Labels that are often side by side have different colours; all others, any.
_LABELS = [
    ["PER", "NP", "A0", "S"],
    ["LOC", "VP", "A1"],
    ["ORG", "PP", "A2", "AM-MOD"],
    ["MISC", "ADVP", "AM-TMP", "A4"],
    ["SBAR", "AM-LOC", "A3", "AM-ADV"],
    ["ADJP", "AM-MNR", "AM-NEG"],
    ["PRT", "AM-DIS", "V"],
]
_COLOUR = {label: i for i, labels in enumerate(_LABELS) for label in labels}


def colour(label: str) -> int:
    """The number of a label's colour in `HUES`."""
    label = label.removeprefix("C-").removeprefix("R-")
    return _COLOUR.get(label, sum(map(ord, label)) % len(HUES))
