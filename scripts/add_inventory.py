"""Give a model of roles a table of the core roles that each verb may have.

usage: python scripts/add_inventory.py senna/models/srl

The table is made of PropBank's inventory of rolesets (srl/frames, CC BY-SA 4.0); irregular forms of
verbs are those of the training sets of srl/ewt and srl/masc. The model then finds no other core
roles: see docs/model-folder.md. For models of verbs alone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

from common import lines_of, parser_of
from ship_model import parts_of, put

from senna.corpora.catalogue import read_catalogue
from senna.kinds.roles.head import CORE, bases
from senna.model.folder import read_model

SOURCE = "srl/frames"


def roles_of_verbs(lines: Iterable[str]) -> dict[str, set[str]]:
    """The core roles of each verb in any of its senses, by lemma."""
    roles: dict[str, set[str]] = defaultdict(set)
    for line in lines:
        roleset, aliases, labels = line.rstrip("\n").split("\t")
        kinds = [alias for alias in aliases.split() if alias.endswith((":v", ":l"))]
        if kinds:
            for lemma in {roleset.rpartition(".")[0], *(alias[:-2] for alias in kinds)}:
                roles[lemma.partition("_")[0]] |= set(labels.split()) & set(CORE)
    return roles


def irregular_forms(lines: Iterable[str]) -> dict[str, set[str]]:
    """The verbs of each form of a corpus that does not lead to them."""
    lemmas: dict[str, set[str]] = defaultdict(set)
    for form, lemma in verb_forms(lines):
        if lemma not in bases(form):
            lemmas[form].add(lemma)
    return lemmas


def verb_forms(lines: Iterable[str]) -> Iterator[tuple[str, str]]:
    """The verbs of a corpus in lower case, each with its lemma, as its roleset names it."""
    for line in lines:
        cells = line.split("\t")
        if len(cells) > 5 and cells[5] == "v":
            yield cells[1].lower(), cells[4].rpartition(".")[0].partition("_")[0]


def table(roles: dict[str, set[str]], lemmas: dict[str, set[str]]) -> list[str]:
    """The lines of a model's table: roles, a tab, and the words that have these."""
    of_words = {lemma: set(labels) for lemma, labels in roles.items()}
    for form, verbs in lemmas.items():
        known = [roles[verb] for verb in verbs if verb in roles]
        if known:
            of_words[form] = set.union(of_words.get(form, set()), *known)
    words: dict[str, list[str]] = defaultdict(list)
    for word, labels in sorted(of_words.items()):
        if labels:
            words[" ".join(sorted(labels))].append(word)
    return [f"{labels}\t{' '.join(words[labels])}" for labels in sorted(words)]


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("model", type=Path)
    model = parser.parse_args().model
    roles = roles_of_verbs(lines_of(SOURCE, "inventory.tsv"))
    lemmas: dict[str, set[str]] = {}
    for corpus in ("srl/ewt", "srl/masc"):
        for form, verbs in irregular_forms(lines_of(corpus, "train")).items():
            lemmas.setdefault(form, set()).update(verbs)
    meta, arrays, texts = parts_of(read_model(model))
    meta["network"] = meta["network"] | {"inventory": True}
    entry = read_catalogue()[SOURCE]
    credit = {"licence": entry.licence, "attribution": entry.attribution}
    meta["data"] = meta.get("data", {}) | {SOURCE: {"splits": ["inventory.tsv"], **credit}}
    texts["srl.inventory.txt"] = table(roles, lemmas)
    put(model, meta, arrays, texts)


if __name__ == "__main__":
    main()
