"""Label names in open text by the package's model or another, and mend what is wrong by rule.

    python scripts/experiments/silver_names.py --out runs/names.txt --words 2e6 TEXT...

Its silver data had taught it that "Member States" and "Heads of State" are names, and that "the
Council and the Commission" is one (`frequent_names.py` shows such things). Sentences that a rule
mends are all kept, of the others one in `--every`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from self_train import sentences_of

import senna
from senna.text.schemes import Phrase, phrases_of, tags_of

NO_NAMES = {("member", "state"), ("member", "states")}
OF_NO_NAMES = ("heads", "head")  # of state, of government
JOINS = (["and", "the"], ["or", "the"], ["nor", "the"])


def mended(words: Sequence[str], found: Sequence[Phrase]) -> Iterator[Phrase]:
    """Names without those that are none; two names joined by "and the" are two."""
    small = [word.lower() for word in words]
    for name in found:
        start, end, label = name
        if not NO_NAMES.isdisjoint(pairwise(small[max(start - 1, 0) : end])):
            continue
        if small[start] in OF_NO_NAMES and small[start + 1 : start + 2] == ["of"]:
            continue
        cuts = [i for i in range(start + 1, end - 2) if small[i : i + 2] in JOINS]
        whole = [start, *(place for cut in cuts for place in (cut, cut + 2)), end]
        for first, last in zip(whole[::2], whole[1::2], strict=True):
            yield Phrase(first, last, label)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("texts", nargs="+", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--words", type=float, default=2e6)
    parser.add_argument("--every", type=int, default=5)
    parser.add_argument("--model", default="ner")
    chosen = parser.parse_args()
    nlp = senna.load(["ner"], model=chosen.model)
    sentences = sentences_of(chosen.texts, chosen.words)
    n_mended = n_written = number = 0
    with chosen.out.open("w", encoding="utf-8") as file:
        while block := list(islice(sentences, 5000)):
            for words, tags in zip(block, nlp.pipeline.annotate(block)["ner"], strict=True):
                found = phrases_of(tags, "iobes")
                names = list(mended(words, found))
                number += 1
                if names == found and number % chosen.every:
                    continue
                n_mended += names != found
                n_written += 1
                for row in zip(words, tags_of(names, len(words), "iobes"), strict=True):
                    file.write("\t".join(row) + "\n")
                file.write("\n")
    print(f"{chosen.out}: {n_written:,} sentences, {n_mended:,} of them mended")


if __name__ == "__main__":
    main()
