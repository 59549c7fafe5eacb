"""Measure how fast columns of text are tagged: text by text, and all together.

usage: python scripts/measure_tables.py [--rows 1000] [--runs 3] [--tasks ner]

Ways to tag a column of texts, on the lines of data/sample.txt, as medians of runs: pandas,
Hugging Face datasets and scikit-learn, as far as they are installed. Words per second are of this
machine; the ratio to the first way says what text by text costs.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib.util import find_spec
from itertools import cycle, islice
from typing import Any

import senna
from senna.files import resource

Way = Callable[[], Any]


def ways(nlp: senna.Nlp, texts: list[str]) -> Iterator[tuple[str, str, Way]]:
    """The package that a way needs, its name, and the way."""
    task = nlp.tasks[0]

    def together(column: Any) -> list[list[str]]:
        return [doc.tags(task) for doc in nlp.pipe(column)]

    yield "", "for text in texts: nlp(text)", lambda: [nlp(text).tags(task) for text in texts]
    yield "", "nlp.pipe(texts)", lambda: together(texts)
    if find_spec("pandas"):
        import pandas

        df = pandas.DataFrame({"text": texts})
        yield "pandas", 'df["text"].apply', lambda: df["text"].apply(lambda t: nlp(t).tags(task))
        yield "pandas", 'nlp.pipe(df["text"])', lambda: together(df["text"])
    if find_spec("datasets"):
        import datasets

        rows = datasets.Dataset.from_dict({"text": texts})
        change = partial(rows.map, load_from_cache_file=False)
        yield "datasets", "map", lambda: change(lambda row: {"tags": nlp(row["text"]).tags(task)})
        batched = partial(change, lambda part: {"tags": together(part["text"])}, batched=True)
        yield "datasets", "map(batched=True)", batched
    if find_spec("sklearn"):
        from sklearn.preprocessing import FunctionTransformer

        tags = FunctionTransformer(together)
        yield "scikit-learn", "FunctionTransformer", lambda: tags.fit_transform(texts)


def seconds(way: Way) -> float:
    start = time.perf_counter()
    way()
    return time.perf_counter() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rows", type=int, default=1_000)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--tasks", default="ner")
    chosen = parser.parse_args()
    lines = resource("data/sample.txt").read_text(encoding="utf-8").splitlines()
    texts = list(islice(cycle(lines), chosen.rows))
    nlp = senna.load(chosen.tasks)
    n_words = sum(len(doc.tokens) for doc in nlp.pipe(texts))
    print(
        f"{chosen.rows:,} texts, {n_words:,} words, {chosen.tasks}, medians of {chosen.runs} runs"
    )
    first = 0.0
    for package, name, way in ways(nlp, texts):
        spent = statistics.median(seconds(way) for _ in range(chosen.runs))
        first = first or spent
        times = f"{n_words / spent:9,.0f} words/s, {first / spent:5.2f} times the first"
        print(f"{package or 'Python':12} {name:29} {times}")


if __name__ == "__main__":
    main()
