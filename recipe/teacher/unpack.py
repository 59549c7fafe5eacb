"""Turn a teacher's labels, arrays, into files that `senna train` reads.

usage: python recipe/teacher/unpack.py --labels DIR --out DIR [--names WORDS] [--syntax WORDS]
           [--least N] [--open N]

The first DIR holds text.xz (tokenised text, one sentence per line, a blank line between documents),
ner.npz, tags.npz, dep.npz, psg.npz, srl.npz and report.json with the names of tags. The second gets

* ner.xz: word and name tag (IOB2), the sentences with a name and one in five of the others;
* ner-open.xz: those with a MISC name of which the teacher was less sure than --open, without these
  names: a recipe says that they are unlabelled there;
* pos.xz, chunk.xz, pt0.xz: word and tag (chunks IOB2, PT0 IOBES);
* dep.xz: CoNLL-U with universal tags, features and dependency trees, no lemmas;
* psg.xz: one tree per line;
* srl.xz: word, predicate or "-", one column of roles per predicate;
* predicates.xz: the same predicates, and the light verbs that the teacher has not marked.

A sentence is left out if the teacher's probability of its least certain word, arc or role is below
--least (of 255). All files but ner.xz hold the same sentences, so that tasks learnt together share
them. The files depend on the arrays and options alone.
"""

import argparse
import json
import lzma
import random
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

LIGHT = frozenset(
    "make makes made making give gives gave given giving take takes took taken taking have has had "
    "having do does did done doing get gets got gotten getting".split()
)
SYNTAX = ("pos", "chunk", "pt0", "dep", "psg", "srl", "predicates")
NAMELESS = 0.2  # share of the sentences without a name that are kept
Arrays = dict[str, np.ndarray]


class Sentence(NamedTuple):
    """A sentence of the text: its number, the place of its first word, its words."""

    number: int
    start: int
    words: list[str]


def sentences(path: Path) -> Iterator[Sentence]:
    """The sentences of the text, in order."""
    number = start = 0
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            words = line.split()
            if words:
                yield Sentence(number, start, words)
                number, start = number + 1, start + len(words)


def arrays(folder: Path, name: str) -> Arrays:
    """The arrays of one file of labels."""
    with np.load(folder / f"{name}.npz") as loaded:
        return {key: loaded[key] for key in loaded.files}


def formatted(task: str, words: list[str], of: dict[str, Any]) -> str:
    """A sentence in the format that `senna train` reads for a task, from its answers to tasks.

    Answers are IOBES or other tags; of "dep" head and relation of each word, of "psg" start, end
    and chain of labels of each constituent, of "srl" place and IOBES tags of each predicate, of
    "predicates" places.
    """
    answer, n = of[task], len(words)
    if task in ("ner", "chunk"):
        return rows(words, iob2(answer))
    if task == "dep":
        numbers, none = [str(i + 1) for i in range(n)], ["_"] * n
        tags = (of.get(name, none) for name in ("upos", "pos", "feats"))
        heads, relations = [str(head) for head, _ in answer], [relation for _, relation in answer]
        return rows(numbers, words, none, *tags, heads, relations, none, none)
    if task == "psg":
        return tree(words, of.get("pos", ["X"] * n), answer)
    if task == "srl":
        places = [place for place, _ in answer]
        return rows(words, marked(words, places), *(brackets(tags) for _, tags in answer))
    if task == "predicates":
        columns = (["(V*)" if i == place else "*" for i in range(n)] for place in answer)
        return rows(words, marked(words, answer), *columns)
    return rows(words, answer)


def rows(*columns: list[str]) -> str:
    """Columns of a sentence as lines, and the blank line after it."""
    return "".join("\t".join(row) + "\n" for row in zip(*columns, strict=True)) + "\n"


def iob2(tags: list[str]) -> list[str]:
    """IOBES tags as IOB2."""
    return [t if t == "O" else ("B" if t[0] in "BS" else "I") + t[1:] for t in tags]


def brackets(tags: list[str]) -> list[str]:
    """IOBES tags of the arguments of one predicate as brackets: "(A0*", "*", "*)"."""
    opened = (f"({tag[2:]}*" if tag[0] in "BS" else "*" for tag in tags)
    return [cell + ")" * (tag[0] in "ES") for cell, tag in zip(opened, tags, strict=True)]


def marked(words: list[str], places: list[int]) -> list[str]:
    """The column of predicates: the word itself at these places, "-" elsewhere."""
    return [word if k in places else "-" for k, word in enumerate(words)]


def tree(words: list[str], pos: list[str], spans: list[tuple[int, int, str]]) -> str:
    """A parse tree in brackets; spans: start, end and the chain of labels of each constituent."""
    opened, closed = [""] * len(words), [0] * len(words)
    for start, end, chain in sorted(spans, key=lambda span: (span[0], -span[1])):
        labels = chain.split("+")
        opened[start] += "".join(f"({label} " for label in labels)
        closed[end - 1] += len(labels)
    leaves = (word.replace("(", "-LRB-").replace(")", "-RRB-") for word in words)
    parts = zip(opened, pos, leaves, closed, strict=True)
    return "(TOP " + " ".join(f"{o}({p} {w})" + ")" * c for o, p, w, c in parts) + ")\n"


class Writers:
    """The files of one folder, opened when the first sentence is written."""

    def __init__(self, folder: Path, held: ExitStack) -> None:
        self.folder, self.held, self.files = folder, held, dict[str, Any]()

    def write(self, name: str, text: str) -> None:
        if name not in self.files:
            path = self.folder / f"{name}.xz"
            self.files[name] = self.held.enter_context(
                lzma.open(path, "wt", encoding="utf-8", newline="\n", preset=1)  # noqa: SIM115
            )
        self.files[name].write(text)


def write_names(chosen: argparse.Namespace, tags: list[str], out: Writers) -> int:
    """Write the sentences with names, and some of the others; returns the number of words."""
    labels, draw, written = arrays(chosen.labels, "ner"), random.Random(1), 0
    flat, sure = labels["ner"], labels["sure_ner"]
    for sentence in sentences(chosen.labels / "text.xz"):
        end = sentence.start + len(sentence.words)
        if written >= chosen.names or end > len(flat):
            break
        own = [tags[k] for k in flat[sentence.start : end]]
        written += write_named(sentence.words, own, sure[sentence.number], chosen, draw, out)
    return written


def write_named(
    words: list[str],
    own: list[str],
    sure: int,
    chosen: argparse.Namespace,
    draw: random.Random,
    out: Writers,
) -> int:
    """Write a sentence that has names, or is drawn, and is sure enough; returns its words."""
    name, kept = "ner", any(tag != "O" for tag in own) or draw.random() < NAMELESS
    if sure < chosen.open and any(tag.endswith("-MISC") for tag in own):
        name, own = "ner-open", ["O" if tag.endswith("-MISC") else tag for tag in own]
        kept = any(tag != "O" for tag in own)
    if not kept or sure < chosen.least:
        return 0
    out.write(name, formatted("ner", words, {"ner": own}))
    return len(words)


def write_syntax(chosen: argparse.Namespace, tags: dict[str, list[str]], out: Writers) -> int:
    """Write the sentences with parts of speech, trees and roles; returns the number of words."""
    flat, dep, psg, srl = (arrays(chosen.labels, n) for n in ("tags", "dep", "psg", "srl"))
    ends = np.cumsum(psg["bracket_count"], dtype=np.int64)
    verb = tags["predicates"].index("V")
    row = place = written = 0  # of predicates; of their words; of words
    for sentence in sentences(chosen.labels / "text.xz"):
        i, words = sentence.number, sentence.words
        n = len(words)
        own = slice(sentence.start, sentence.start + n)
        verbs = np.flatnonzero(flat["predicates"][own] == verb).tolist()
        if written >= chosen.syntax or row + len(verbs) > len(srl["sure_srl"]):
            break
        first, row, place = (row, place), row + len(verbs), place + len(verbs) * n
        sure = [dep["sure_dep"][i], psg["sure_psg"][i], *srl["sure_srl"][first[0] : row]]
        sure += [flat[f"sure_{name}"][i] for name in ("pos", "predicates")]
        if min(sure) < chosen.least:
            continue
        of: dict[str, Any] = {
            name: [tags[name][k] for k in flat[name][own]]
            for name in ("pos", "chunk", "pt0", "upos", "feats")
        }
        relations = [tags["relation"][k] for k in dep["relation"][own]]
        of["dep"] = list(zip(dep["head"][own], relations, strict=True))
        inside = slice(ends[i] - int(psg["bracket_count"][i]), ends[i])
        starts, stops = psg["bracket_start"][inside].tolist(), psg["bracket_end"][inside].tolist()
        chains = [tags["bracket"][k] for k in psg["bracket_label"][inside]]
        of["psg"] = list(zip(starts, stops, chains, strict=True))
        places = range(first[1], place, n)
        roles = [[tags["srl"][k] for k in srl["srl"][at : at + n]] for at in places]
        of["srl"] = list(zip(verbs, roles, strict=True))
        of["predicates"] = sorted({*verbs, *light_verbs(words, of["upos"], of["pos"])})
        for task in SYNTAX:
            out.write(task, formatted(task, words, of))
        written += n
    return written


def light_verbs(words: list[str], upos: list[str], pos: list[str]) -> Iterator[int]:
    """The places of verbs that are often light ones, except *have to*, which is an auxiliary."""
    for k, word in enumerate(words):
        before = pos[k + 1 : k + 3] == ["TO", "VB"] and word.lower() in ("have", "has", "had")
        if upos[k] == "VERB" and word.lower() in LIGHT and not before:
            yield k


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--labels", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--names", type=float, default=12e6, help="words of ner.xz at most")
    parser.add_argument("--syntax", type=float, default=3e6, help="words of the others at most")
    parser.add_argument("--least", type=int, default=60)
    parser.add_argument("--open", type=int, default=0, help="MISC names less sure are left out")
    chosen = parser.parse_args()
    chosen.out.mkdir(parents=True, exist_ok=True)
    tags = json.loads((chosen.labels / "report.json").read_text(encoding="utf-8"))["tags"]
    with ExitStack() as held:
        out = Writers(chosen.out, held)
        if chosen.names:
            print(f"names: {write_names(chosen, tags['ner'], out):,} words")
        if chosen.syntax:
            print(f"syntax: {write_syntax(chosen, tags, out):,} words")


if __name__ == "__main__":
    main()
