"""Relabel light verbs among the labels of a teacher that knew none (*take a walk*).

usage: python scripts/make_light_verbs.py --labels DIR --out FILE GOLD...

DIR has dep.xz and srl.xz of the same sentences (scripts/teacher/unpack.py), GOLD are files of roles
with the kinds of their predicates. Where a verb and its object are more often a light verb and its
noun than not in GOLD, the verb has this noun as AM-PRR and no other role, as PropBank annotates
light verbs. FILE is srl.xz with these changes.
"""

from __future__ import annotations

import argparse
import lzma
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from senna.files import open_text
from senna.text.columns import read_columns
from senna.text.conllu import read_conllu
from senna.text.lemmas import regular_lemmas
from senna.text.schemes import Phrase, phrases_of, tags_of

LEAST = 9  # light uses of a verb that is one
OBJECTS = ("obj", "nsubj:pass")

Pair = tuple[str, str]  # the lemmas of a verb and a noun


def singular(noun: str) -> str:
    """The lemma of a regular plural; another form as it is, in lower case."""
    noun = noun.lower()
    return next(reversed(regular_lemmas(noun, "NNS")), noun)


def gold_pairs(files: Iterable[Path]) -> tuple[dict[str, str], set[Pair]]:
    """The lemmas of the forms of light verbs, and the pairs that are mostly light."""
    light, full, of_forms = Counter[Pair](), Counter[Pair](), Counter[Pair]()
    for file in files:
        with open_text(file) as lines:
            for sentence in read_columns(lines, name=str(file)):
                _, words, tags, _, rolesets, kinds, *columns = zip(*sentence.rows, strict=True)
                places = [i for i, roleset in enumerate(rolesets) if roleset != "-"]
                for i, column in zip(places, columns, strict=True):
                    verb = rolesets[i].partition(".")[0].partition("_")[0]
                    roles = phrases_of(column, "bracket")
                    if kinds[i] == "lv":
                        of_forms[words[i].lower(), verb] += 1
                        nouns = [words[end - 1] for _, end, role in roles if role == "AM-PRR"]
                        light.update((verb, singular(noun)) for noun in nouns)
                    elif kinds[i] == "v":
                        full.update((verb, singular(noun)) for noun in _objects(words, tags, roles))
    uses = Counter[str]()
    for (verb, _), n in light.items():
        uses[verb] += n
    pairs = {pair for pair, n in light.items() if n > full[pair] and uses[pair[0]] >= LEAST}
    verbs = {verb for verb, _ in pairs}
    common = reversed(of_forms.most_common())  # the commonest lemma of a form stays
    return {form: verb for (form, verb), _ in common if verb in verbs}, pairs


def _objects(words: Sequence[str], tags: Sequence[str], roles: Sequence[Phrase]) -> Iterator[str]:
    """The nouns before the first preposition of each A1."""
    for start, end, role in roles:
        if role == "A1":
            for i in range(start, end):
                if tags[i] == "IN" and i > start:
                    break
                if tags[i].startswith("NN"):
                    yield words[i]


def noun_of(verb: int, lemma: str, tree: Sequence[Sequence[str]], light: set[Pair]) -> int:
    """The place of the noun of a light verb, -1 for another verb; tree: fields of CoNLL-U."""
    heads, relations = [int(row[6]) - 1 for row in tree], [row[7] for row in tree]
    nouns = [i for i, head in enumerate(heads) if head == verb and relations[i] in OBJECTS]
    nouns += [heads[verb]] * relations[verb].startswith("acl")
    return next((i for i in nouns if (lemma, singular(tree[i][1])) in light), -1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("gold", type=Path, nargs="+")
    parser.add_argument("--labels", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    chosen = parser.parse_args()
    lemmas, light = gold_pairs(chosen.gold)
    n = 0
    with (
        open_text(chosen.labels / "dep.xz") as trees,
        open_text(chosen.labels / "srl.xz") as roles,
        lzma.open(chosen.out, "wt", encoding="utf-8") as out,
    ):
        pairs = zip(
            read_conllu(trees, name="dep.xz"), read_columns(roles, name="srl.xz"), strict=True
        )
        for tree, framed in pairs:
            words, predicates, *columns = zip(*framed.rows, strict=True)
            places = [i for i, predicate in enumerate(predicates) if predicate != "-"]
            for k, verb in enumerate(places):
                lemma = lemmas.get(words[verb].lower(), "")
                noun = noun_of(verb, lemma, tree.words, light) if lemma else -1
                if noun >= 0:
                    phrases = [Phrase(verb, verb + 1, "V"), Phrase(noun, noun + 1, "AM-PRR")]
                    columns[k] = tuple(tags_of(sorted(phrases), len(words), "bracket"))
                    n += 1
            rows = zip(words, predicates, *columns, strict=True)
            out.write("\n".join(map("\t".join, rows)) + "\n\n")
    print(f"{n:,} light verbs; {len(light):,} pairs of a verb and a noun")


if __name__ == "__main__":
    main()
