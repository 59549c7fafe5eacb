"""Bring GUM's lemmas and features to the conventions of EWT, so that a model can learn from both.

    python recipe/gum_like_ewt.py --out runs/gum/train.conllu

A word that EWT's training set knows with these parts of speech gets EWT's lemma and, in closed
classes, EWT's features, where EWT is nearly always one way, and hardly ever GUM's (*people* of
*people*, *really* without a degree). Rules do the rest, for features that EWT never gives the word:
no degree of adverbs but the higher ones, no number of *you*, no person of orders, no abbreviations
among names.
"""

import sys
from collections import Counter, defaultdict
from pathlib import Path

from scripts.common import command, parser_of, treebank
from senna.formats.conllu import as_conllu
from senna.formats.conllu_lines import EMPTY, FEATS, FORM, LEMMA, UPOS, XPOS

Known = dict[tuple[str, str, str], Counter[str]]
SURE = 0.9  # share of EWT's places that have the same
RARE = 0.03  # share that is none
FEWEST = 3  # places in EWT
CLOSED = frozenset("CC DT EX IN MD PDT PRP PRP$ RB TO UH WDT WP WP$ WRB".split())
# XPOS -> what GUM says and EWT does not.
SAID_BY_GUM = {"RB": {"Degree=Pos"}, "NNP": {"Abbr=Yes"}, "VB": {"Person=2"}}
OF_YOU = {"Number=Sing", "Number=Plur"}


def key_of(row: list[str]) -> tuple[str, str, str]:
    """A word, whatever its capitals, with its parts of speech."""
    return row[FORM].lower(), row[UPOS], row[XPOS]


def known(corpus: str) -> tuple[Known, Known]:
    """How often each word of a training set has each lemma, and each bundle of features."""
    lemmas: Known = defaultdict(Counter)
    bundles: Known = defaultdict(Counter)
    for sentence in treebank(corpus, "train"):
        for row in sentence.words:
            lemmas[key_of(row)][row[LEMMA]] += 1
            bundles[key_of(row)][row[FEATS]] += 1
    return lemmas, bundles


def as_there(value: str, places: Counter[str]) -> str:
    """A value, or what nearly always stands there, if the value hardly ever does."""
    n = places.total()
    if n < FEWEST or places[value] > RARE * n:
        return value
    [(usual, most)] = places.most_common(1)
    return usual if most >= SURE * n else value


def features(row: list[str]) -> str:
    """The features of a row without what only GUM says."""
    unsaid = SAID_BY_GUM.get(row[XPOS], set())
    if row[XPOS].startswith("PRP") and "Person=2" in row[FEATS]:
        unsaid = OF_YOU
    kept = [feature for feature in row[FEATS].split("|") if feature not in unsaid]
    return "|".join(kept) or EMPTY


@command
def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("--out", type=Path, required=True)
    chosen = parser.parse_args()
    lemmas, bundles = known("ud/ewt")
    chosen.out.parent.mkdir(parents=True, exist_ok=True)
    changed = Counter[str]()
    with chosen.out.open("w", encoding="utf-8", newline="\n") as out:
        for sentence in treebank("ud/gum", "train"):
            for row in sentence.words:
                before = row[LEMMA], row[FEATS]
                row[LEMMA] = as_there(row[LEMMA], lemmas[key_of(row)])
                if row[FEATS] not in bundles[key_of(row)]:
                    row[FEATS] = features(row)
                if row[XPOS] in CLOSED:
                    row[FEATS] = as_there(row[FEATS], bundles[key_of(row)])
                changed["lemmas"] += row[LEMMA] != before[0]
                changed["features"] += row[FEATS] != before[1]
            out.write(as_conllu(sentence.comments, sentence.rows))
    print(", ".join(f"{n:,} {what} changed" for what, n in changed.items()))


if __name__ == "__main__":
    sys.exit(main())
