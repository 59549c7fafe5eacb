"""Small made-up source files, and converted sentences that are short to write and to read."""

from collections.abc import Mapping
from pathlib import Path

from senna.corpora.tagged import TaggedDocument, TaggedWords


def written(folder: Path, texts: Mapping[str, str]) -> dict[str, Path]:
    """Files with these texts, by name."""
    paths = {name: folder / f"{number}.file" for number, name in enumerate(texts)}
    for name, path in paths.items():
        path.write_text(texts[name], encoding="utf-8", newline="")
    return paths


def tagged(text: str) -> TaggedWords:
    """ "Ada/B-PER sings" as pairs; what has no tag is O."""
    cells = (cell.partition("/") for cell in text.split())
    return [(word, tag or "O") for word, _, tag in cells]


def flat(sentence: TaggedWords) -> str:
    """ "Ada/B-PER sings": words that are O have no tag."""
    return " ".join(word if tag == "O" else f"{word}/{tag}" for word, tag in sentence)


def flats(documents: list[TaggedDocument]) -> list[list[str]]:
    return [[flat(sentence) for sentence in document] for document in documents]


def conllu(*rows: str) -> str:
    """A sentence of CoNLL-U from `form|XPOS|head|relation|MISC`; all but the form may lack.

    A form with a space in it begins with its id: "1-2 Don't".
    """
    lines, number = [], 0
    for row in rows:
        form, xpos, head, relation, misc = [*row.split("|"), *["_"] * 5][:5]
        own, space, word = form.partition(" ")
        number += not space
        fields = [own if space else str(number), word if space else form, "_", "_", xpos, "_"]
        lines.append("\t".join([*fields, head, relation, "_", misc]))
    return "\n".join(lines) + "\n\n"
