"""Write the demonstration corpus, data/demo: made-up sentences with all annotations.

    python scripts/make_demo_corpus.py

Every sentence is drawn as a tree with its entities and roles; the columns of all tasks are read
off that tree, so they agree with one another. The same seed gives the same bytes everywhere.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from demo_corpus import columns
from demo_corpus.dice import Dice
from demo_corpus.documents import Author
from demo_corpus.labels import label_of, running_text
from demo_corpus.names import NamePool
from demo_corpus.tree import Node, bracketed

SEED = "senna demo 1"
WORDS = {"train": 4650, "dev": 900, "test": 900}
Document = list[Node]
ROWS: dict[str, Callable[[Node], list[list[str]]]] = {
    "pos": columns.pos_rows,
    "chunk": columns.chunk_rows,
    "ner": columns.ner_rows,
    "srl": columns.srl_rows,
    "pt0": columns.pt0_rows,
}


def documents(part: str, seen: set[str]) -> list[Document]:
    """Documents until the part has its words; sentences that other parts have are left out."""
    dice, pool = Dice(f"{SEED} {part}"), NamePool(part)
    generated: list[Document] = []
    count = 0
    while count < WORDS[part]:
        document = [tree for tree in Author(dice, pool).document() if text(tree) not in seen]
        count += sum(tree.end for tree in document)
        generated.append(document)
    seen.update(text(tree) for document in generated for tree in document)
    return generated


def text(tree: Node) -> str:
    """The words of a sentence."""
    return " ".join(word.word for word in tree.leaves())


def column_text(task: str, generated: Iterable[Document]) -> str:
    """The file of a task with one word per line; only entities need the documents' borders."""
    blocks = []
    for document in generated:
        if task == "ner":
            blocks.append("-DOCSTART-\tO\n")
        for tree in document:
            blocks.append("".join("\t".join(row) + "\n" for row in ROWS[task](tree)))
    return "".join(block + "\n" for block in blocks)


def label_lines(generated: Iterable[Document]) -> Iterator[str]:
    """Lines of a label and a text; of statements, which are most, every other one."""
    for i, tree in enumerate(tree for document in generated for tree in document):
        label = label_of(tree)
        if label != "statement" or i % 2:
            yield f"{label}\t{running_text(tree)}\n"


def write(path: Path, content: str) -> None:
    """Write the file under another name first, so that no half of it is ever seen."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(path.name + ".part")
    with open(part, "w", encoding="utf-8", newline="\n") as out:
        out.write(content)
    os.replace(part, path)


def write_corpus(folder: Path) -> None:
    """Write every task's train, dev and test file below the folder."""
    seen: set[str] = set()
    for part in WORDS:
        generated = documents(part, seen)
        for task in ROWS:
            write(folder / task / f"{part}.txt", column_text(task, generated))
        write(folder / "label" / f"{part}.tsv", "".join(label_lines(generated)))
        lines = [bracketed(tree) + "\n" for document in generated for tree in document]
        write(folder / "trees" / f"{part}.mrg", "".join(lines))


def main() -> None:
    """Read the command line and write the corpus."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    default = Path(__file__).resolve().parent.parent / "data" / "demo"
    parser.add_argument("--out", type=Path, default=default, help="folder to write to")
    write_corpus(parser.parse_args().out)


if __name__ == "__main__":
    main()
