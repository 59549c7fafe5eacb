"""Score small taggings and trees with senna and with other packages: the tables of docs/scorers.md.

usage: python scripts/compare_scorers.py

scripts/tables/scorers.toml has the answers. Needs the packages of `PACKAGES`, whose installed
versions are printed first.
"""

import sys
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

from common import command, parser_of, table_row

import senna
from senna.errors import SennaError
from senna.settings import read_table

PACKAGES = ("seqeval", "nervaluate", "nltk", "sklearn-crfsuite", "spacy", "PYEVALB")
REFUSED, NOTHING = "refused", "none"  # an error; no score
Tags = list[list[str]]


class Row(NamedTuple):
    """Gold and predicted answers of some sentences, and why scorers differ or agree."""

    name: str
    gold: str
    predicted: str = ""
    why: str = ""
    scheme: str = ""


TABLES = read_table(Path(__file__).parent / "tables/scorers.toml")
ROWS = {table: [Row(**row) for row in rows] for table, rows in TABLES.items()}
TAGGINGS, TREES, DEPENDENCIES = (ROWS[table] for table in ("names", "trees", "dependencies"))
SENTENCE = "She paid 5 % , too".split()


def tags_of(text: str) -> Tags:
    return [sentence.split() for sentence in text.split(";")]


def shown(score: float | None) -> str:
    """A score of 0 to 1 in percent."""
    return NOTHING if score is None else f"{100 * score:.2f}".removesuffix(".00")


# --------------------------------------------------------------------------- names


def by_senna(gold: Tags, predicted: Tags, scheme: str, **options: bool) -> list[str]:
    blocks = [
        "".join(f"w {g} {p}\n" for g, p in zip(*pair, strict=True))
        for pair in zip(gold, predicted, strict=True)
    ]
    file = StringIO("\n".join(blocks))
    found = senna.evaluate("ner", file, **options)  # type: ignore[arg-type]
    return [shown(found.overall.f1 / 100)]


def by_conlleval(gold: Tags, predicted: Tags, scheme: str) -> list[str]:
    return by_senna(gold, predicted, scheme, as_is=True)


def by_seqeval(gold: Tags, predicted: Tags, scheme: str) -> list[str]:
    from seqeval import metrics
    from seqeval import scheme as schemes

    strict = {"mode": "strict", "scheme": getattr(schemes, scheme)}
    return [shown(metrics.f1_score(gold, predicted, **how)) for how in ({}, strict)]


def by_nervaluate(gold: Tags, predicted: Tags, scheme: str) -> list[str]:
    from nervaluate.evaluator import Evaluator

    types = sorted({tag[2:] for tags in [*gold, *predicted] for tag in tags if tag != "O"})
    result = Evaluator(gold, predicted, tags=types, loader="list").evaluate()["overall"]
    return [shown(result[name].f1) for name in ("strict", "exact", "partial", "ent_type")]


def by_nltk(gold: Tags, predicted: Tags, scheme: str) -> list[str]:
    from nltk.chunk.util import ChunkScore, conlltags2tree

    score = ChunkScore()
    for pair in zip(gold, predicted, strict=True):
        score.score(*(conlltags2tree([("w", "X", tag) for tag in tags]) for tags in pair))
    return [shown(score.f_measure())]


def by_crfsuite(gold: Tags, predicted: Tags, scheme: str) -> list[str]:
    from sklearn_crfsuite.metrics import flat_f1_score

    labels = sorted({tag for tags in [*gold, *predicted] for tag in tags} - {"O"})
    return [shown(flat_f1_score(gold, predicted, average="micro", labels=labels))]


def by_spacy(gold: Tags, predicted: Tags, scheme: str) -> list[str]:
    import spacy
    from spacy.scorer import Scorer
    from spacy.tokens import Doc
    from spacy.training import Example, biluo_tags_to_spans, iob_to_biluo

    vocab = spacy.blank("en").vocab

    def read(tags: Sequence[str]) -> Any:
        doc = Doc(vocab, words=["w"] * len(tags))
        doc.ents = biluo_tags_to_spans(doc, tags if scheme == "BILOU" else iob_to_biluo(tags))
        return doc

    pairs = [Example(read(p), read(g)) for g, p in zip(gold, predicted, strict=True)]
    return [shown(Scorer.score_spans(pairs, "ents")["ents_f"])]


OF_NAMES: dict[tuple[str, ...], Callable[[Tags, Tags, str], list[str]]] = {
    ("conlleval",): by_conlleval,
    ("senna eval",): by_senna,
    ("seqeval", "strict"): by_seqeval,
    ("nervaluate strict", "exact", "partial", "type"): by_nervaluate,
    ("NLTK",): by_nltk,
    ("sklearn-crfsuite",): by_crfsuite,
    ("spaCy",): by_spacy,
}


# --------------------------------------------------------------------------- trees


def of_files(task: str, gold: str, predicted: str) -> str:
    """The F1 of two files, by senna."""
    found = senna.evaluate(task, StringIO(gold), StringIO(predicted))
    return shown(found.types.get("LAS", found.overall).f1 / 100)


def by_evalb(gold: str, predicted: str) -> str:
    return of_files("psg", gold + "\n", predicted + "\n")


def by_pyevalb(gold: str, predicted: str) -> str:
    from PYEVALB import parser, scorer

    trees = map(parser.create_from_bracket_string, (gold, predicted))
    result = scorer.Scorer().score_trees(*trees)
    return shown(2 * result.prec * result.recall / (result.prec + result.recall))


def rows_of(text: str) -> list[tuple[str, int, str]]:
    """The words of the sentence with their heads and relations."""
    pairs = (cell.partition(":") for cell in text.split())
    return [(w, int(head), rel) for w, (head, _, rel) in zip(SENTENCE, pairs, strict=True)]


def by_udeval(gold: str, predicted: str) -> str:
    files = [
        "".join(
            f"{i}\t{word}\t_\t_\t_\t_\t{head}\t{relation}\t_\t_\n"
            for i, (word, head, relation) in enumerate(rows_of(arcs), 1)
        )
        for arcs in (gold, predicted)
    ]
    return of_files("dep", *(file + "\n" for file in files))


def by_nltk_arcs(gold: str, predicted: str) -> str:
    from nltk.parse import DependencyEvaluator, DependencyGraph

    texts = [
        "\n".join(f"{word}\tX\t{head}\t{relation}" for word, head, relation in rows_of(arcs))
        for arcs in (predicted, gold)
    ]
    graphs = [DependencyGraph(text, top_relation_label="root") for text in texts]
    return shown(DependencyEvaluator(graphs[:1], graphs[1:]).eval()[0])


def by_spacy_arcs(gold: str, predicted: str) -> str:
    import spacy
    from spacy.scorer import Scorer
    from spacy.tokens import Doc
    from spacy.training import Example

    vocab = spacy.blank("en").vocab
    docs = []
    for arcs in (predicted, gold):
        heads = [head - 1 if head else i for i, (_, head, _) in enumerate(rows_of(arcs))]
        relations = [relation for *_, relation in rows_of(arcs)]
        docs.append(Doc(vocab, words=SENTENCE, heads=heads, deps=relations))
    return shown(Scorer.score_deps([Example(*docs)], "dep")["dep_las"])


OF_TREES = {"senna eval, evalb": by_evalb, "PYEVALB": by_pyevalb}
OF_ARCS = {"senna eval, CoNLL 2018": by_udeval, "NLTK": by_nltk_arcs, "spaCy": by_spacy_arcs}


# --------------------------------------------------------------------------- the tables


def names_table(scorers: Sequence[tuple[str, ...]] = tuple(OF_NAMES)) -> list[list[str]]:
    """The rows of the first table: the F1 of each scorer."""
    rows = []
    for row in TAGGINGS:
        cells = []
        for names in scorers:
            try:
                with warnings.catch_warnings(action="ignore"):
                    cells += OF_NAMES[names](tags_of(row.gold), tags_of(row.predicted), row.scheme)
            except (ValueError, SennaError):
                cells += [REFUSED] * len(names)
        rows.append(cells)
    return rows


def pairs_table(
    rows: Sequence[Row], scorers: Mapping[str, Callable[[str, str], str]]
) -> list[list[str]]:
    """The rows of a table of trees."""
    return [[score(r.gold, r.predicted or r.gold) for score in scorers.values()] for r in rows]


def table(heading: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [table_row(*heading), f"|{'---|' * len(heading)}", *(table_row(*row) for row in rows)]
    return "\n".join([*lines, ""])


def blocks() -> Iterator[str]:
    """The versions of the packages, and the tables."""
    yield ", ".join(f"{name} {version(name)}" for name in PACKAGES) + "\n"
    names = [name for group in OF_NAMES for name in group]
    found = [[row.name, *cells] for row, cells in zip(TAGGINGS, names_table(), strict=True)]
    yield table(["", *names], found)
    yield "".join(f"* {row.name}: `{row.gold}`, `{row.predicted}`. {row.why}\n" for row in TAGGINGS)
    for rows, scorers in ((TREES, OF_TREES), (DEPENDENCIES, OF_ARCS)):
        cells = pairs_table(rows, scorers)
        lines = [[r.name, *own, r.why] for r, own in zip(rows, cells, strict=True)]
        yield table(["", *scorers, "why"], lines)


@command
def main() -> None:
    parser_of(__doc__).parse_args()
    try:
        print("\n".join(blocks()), end="")
    except PackageNotFoundError as error:
        remedy = "pip install '.[clients]' installs what is compared."
        raise SennaError(f"{error.name} is not installed", remedy=remedy) from None


if __name__ == "__main__":
    sys.exit(main())
