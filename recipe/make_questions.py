"""Turn labelled statements into questions, which encyclopaedias do not ask.

usage: python recipe/make_questions.py --labels DIR --out FILE

DIR has dep.xz and srl.xz of the same sentences (recipe/teacher/unpack.py). A statement whose
subject comes first, followed by an auxiliary, becomes a question by moving the auxiliary before the
subject: *The king was killed in 1649.* gives *Was the king killed in 1649?*, *Was the king killed?*
and, where no argument answers it, *Why was the king killed?* The roles go with their words; the
word that asks is the modifier it asks for. FILE has words, predicates and a column of roles per
predicate, as srl.xz has.
"""

import lzma
import random
import sys
from collections.abc import Iterator, Sequence
from itertools import accumulate, groupby, pairwise
from pathlib import Path
from typing import NamedTuple

from scripts.common import command, parser_of
from senna.annotation.schemes import Phrase, phrases_of, tags_of
from senna.files import open_text
from senna.formats.columns import read_columns
from senna.formats.conllu_lines import read_conllu

ASKING = {
    ("Why",): "AM-CAU",
    ("When",): "AM-TMP",
    ("Where",): "AM-LOC",
    ("How",): "AM-MNR",
    ("How", "often"): "AM-TMP",
}
LONGEST = 30  # words of a statement
MOST = 30_000  # questions


class Statement(NamedTuple):
    """A sentence: its tree, and for each predicate a role of each word ("V": itself; "": none)."""

    words: list[str]
    tags: list[str]  # Penn
    proper: list[bool]
    heads: list[int]
    relations: list[str]
    frames: list[list[str]]


def statements(folder: Path) -> Iterator[Statement]:
    """The sentences of dep.xz with the roles of srl.xz."""
    with open_text(folder / "dep.xz") as trees, open_text(folder / "srl.xz") as roles:
        pairs = zip(
            read_conllu(trees, name="dep.xz"), read_columns(roles, name="srl.xz"), strict=True
        )
        for tree, framed in pairs:
            rows, columns = tree.words, list(zip(*framed.rows, strict=True))
            yield Statement(
                words=[row[1] for row in rows],
                tags=[row[4] for row in rows],
                proper=[row[3] == "PROPN" or row[1] == "I" for row in rows],
                heads=[int(row[6]) - 1 for row in rows],
                relations=[row[7] for row in rows],
                frames=[_roles(column) for column in columns[2:]],
            )


def _roles(column: Sequence[str]) -> list[str]:
    """The role of each word, "" for none, from a column of brackets."""
    roles = [""] * len(column)
    for start, end, role in phrases_of(column, "bracket"):
        roles[start:end] = [role] * (end - start)
    return roles


def question(statement: Statement, draw: random.Random) -> list[list[str]] | None:
    """The rows of a question; None for what does not begin with a subject and an auxiliary."""
    words, tags, proper, heads, relations, frames = statement
    root = heads.index(-1)
    subjects = [
        i for i, head in enumerate(heads) if head == root and relations[i].startswith("nsubj")
    ]
    helpers = [i for i, head in enumerate(heads) if head == root and relations[i].startswith("aux")]
    if (
        len(words) > LONGEST
        or len(subjects) != 1
        or not helpers
        or words[-1] != "."
        or not tags[root].startswith("V")
    ):
        return None
    first = helpers[0]
    inside = [_under(heads, i, subjects[0]) for i in range(len(words))]
    frame = next((roles for roles in frames if roles[root] == "V"), None)
    if (
        not all(inside[:first])
        or any(inside[first:])
        or first > root
        or frame is None
        or tags[first] == "TO"
        or not words[first].isalpha()
    ):
        return None
    end = len(words) - 1
    if draw.random() < 0.5:  # ask about the verb alone, or with a particle
        end = root + 1
        while end < len(words) - 1 and relations[end] == "compound:prt":
            end += 1
    order = [first, *range(first), *range(first + 1, end)]
    asked = [words[i] if i or proper[0] else words[i].lower() for i in order]
    roles = [[own[i] for i in order] for own in frames]
    main = roles[frames.index(frame)]

    def insert(place: int, word: str, role: str) -> None:
        asked.insert(place, word)
        for own in roles:
            own.insert(place, role if own is main else "")

    choices = [asking for asking, role in ASKING.items() if role not in main]
    asking = draw.choice(choices) if choices and draw.random() < 0.4 else ()
    if not asking:
        asked[0] = words[first].capitalize()
    if "AM-NEG" not in main and tags[first] != "MD" and draw.random() < 0.12:
        insert(1, "n't", "AM-NEG")
    for word in reversed(asking):
        insert(0, word, ASKING[asking])
    insert(len(asked), "?", "")
    return _rows(asked, roles)


def _under(heads: list[int], i: int, top: int) -> bool:
    while i >= 0 and i != top:
        i = heads[i]
    return i == top


def _rows(words: list[str], frames: list[list[str]]) -> list[list[str]] | None:
    """Rows with brackets; None where a role is not of one piece or no predicate is left."""
    predicates, columns = ["-"] * len(words), list[list[str]]()
    for roles in frames:
        if "V" not in roles:
            continue
        ends = accumulate(len(list(run)) for _, run in groupby(roles))
        runs = [Phrase(start, end, roles[start]) for start, end in pairwise([0, *ends])]
        phrases = [phrase for phrase in runs if phrase.label]
        if len({phrase.label for phrase in phrases}) != len(phrases) or roles.count("V") != 1:
            return None
        verb = roles.index("V")
        predicates[verb] = words[verb]
        columns.append(tags_of(phrases, len(roles), "bracket"))
    rows = zip(words, predicates, *columns, strict=True)
    return [list(row) for row in rows] if columns else None


@command
def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("--labels", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    chosen = parser.parse_args()
    draw = random.Random(1)
    made = [rows for statement in statements(chosen.labels) if (rows := question(statement, draw))]
    draw.shuffle(made)
    with lzma.open(chosen.out, "wt", encoding="utf-8") as file:
        for rows in made[:MOST]:
            file.writelines("\t".join(row) + "\n" for row in rows)
            file.write("\n")
    print(f"{min(len(made), MOST):,} questions of {len(made):,}")


if __name__ == "__main__":
    sys.exit(main())
