r"""Count words of a test set's phrases that the base table and training lack, and what they cost.

    python scripts/unknown_words.py research/conll2003 testb --task ner \
        --model runs/paper/ner-sentence-vectors/seed-1/model

Corpora have the word in the first column and the tag of its phrase in the last.
"""

import sys
from pathlib import Path

from common import command, lines_of, parser_of

from senna.annotation.scheme_detection import detect
from senna.annotation.schemes import phrases_of
from senna.formats.columns import read_columns
from senna.formats.vectors import load_vectors
from senna.pipeline.pipeline import Pipeline
from senna.text.vocabulary import normalise

Sentences = tuple[list[list[str]], list[list[str]]]  # forms, tags


def read(corpus: str, split: str) -> Sentences:
    """The forms and the tags of each sentence."""
    blocks = [own.rows for own in read_columns(lines_of(corpus, split), name=corpus)]
    return [[row[0] for row in rows] for rows in blocks], [[r[-1] for r in rows] for rows in blocks]


def recall(gold: Sentences, found: list[list[str]], known: set[str]) -> dict[bool, list[bool]]:
    """Whether each phrase was found: of those whose words are all known, and of the others."""
    forms, tags = gold
    of_gold, of_found = detect(tags), detect(found)
    right: dict[bool, list[bool]] = {True: [], False: []}
    for words, one, other in zip(forms, tags, found, strict=True):
        answers = set(phrases_of(other, of_found))
        for phrase in phrases_of(one, of_gold):
            whole = all(normalise(word) in known for word in words[phrase.start : phrase.end])
            right[whole].append(phrase in answers)
    return right


@command
def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("corpus")
    parser.add_argument("split")
    parser.add_argument("--task", required=True)
    parser.add_argument("--model", type=Path, required=True)
    chosen = parser.parse_args()
    base = set(load_vectors("base").words)
    train = {normalise(word) for words in read(chosen.corpus, "train")[0] for word in words}
    gold = read(chosen.corpus, chosen.split)
    pairs = [
        pair for forms, tags in zip(*gold, strict=True) for pair in zip(forms, tags, strict=True)
    ]
    words = [normalise(word) for word, tag in pairs if tag != "O"]
    lacking = [word for word in words if word not in base]
    new = sum(word not in train for word in lacking)
    print(f"{len(words):,} words of phrases, {len(lacking) / len(words):.1%} not in base,", end=" ")
    print(f"{new / len(words):.1%} nor in training")
    found = Pipeline.load([chosen.task], chosen.model).annotate(gold[0])[chosen.task]
    right = recall(gold, [list(tags) for tags in found], base | train)
    for whole, name in ((True, "all words known"), (False, "others")):
        n = len(right[whole])
        print(f"{name}: {n:,} phrases, recall {100 * sum(right[whole]) / max(n, 1):.2f}")


if __name__ == "__main__":
    sys.exit(main())
