"""Label open text with taggers: silver training data, and for ner phrase lists of their finding.

usage: python scripts/self_train.py --task ner --model DIR [--model DIR]... --out DIR TEXT...

Writes DIR/silver.xz (word, tag; for srl word, predicate and one column per predicate; for psg one
tree per line; for dep CoNLL-U); several models vote. Of several tasks that give tags, for example
`--task pos,chunk`, it writes DIR/TASK.xz each, of the same sentences. For dep a sentence is left
out if they disagree about more than one word in ten. For srl the predicates are those of
`--predicates`, by default the package's. Of srl, psg and dep all that was labelled is written,
whatever `--silver` says. For ner also DIR/gazetteer/<type>.txt: the phrases that the taggers find
often (`--often`) and surely (one type in `--surely` of all places where they stand written so). In
the silver data every such phrase has its usual type wherever it stands and nothing contradicts it:
many contexts know more than one. Sentences of `--without FILE`, gold of the task, are left out:
those that a model is scored on.
"""

from __future__ import annotations

import argparse
import itertools
import lzma
import random
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from senna.files import open_text
from senna.model.folder import model_path, read_model
from senna.outputs import output_of
from senna.outputs.base import GoldOptions
from senna.outputs.gold import read_gold
from senna.outputs.roles.answer import marked
from senna.pipeline.pipeline import Pipeline
from senna.tasks import PARSER, ROLES, TASKS
from senna.text import schemes, sentences
from senna.text.columns import read_columns
from senna.text.conllu import Arc, as_conllu
from senna.text.role_files import props_of
from senna.text.roles import Predicate, regular
from senna.text.schemes import Phrase
from senna.text.trees import Tree
from senna.text.trees.constituents import constituents, outermost_first, tree_of
from senna.training.device import device_of
from senna.training.teacher import annotate

FINDER = "predicates"  # the task of the words that have roles
LABELLED = [task for task in TASKS if task not in ("lemma", "label")]
TOGETHER = ("pos", "chunk", "pt0", "upos", "feats")  # those that may be labelled with others
Sentence = list[str]
Answers = dict[str, list[Any]]
Tagged = tuple[Sentence, list[Phrase]]  # parts of speech are phrases of one word


def read_sentences(path: Path, form: str) -> Iterator[Sentence]:
    """Tokenised sentences of text, columns or CoNLL-U, one copy of each distinct word in memory."""
    with open_text(path) as stream:
        if form != "text":
            word = 1 if form == "conllu" else 0
            for sentence in read_columns(stream, name=str(path)):
                yield [sys.intern(row[word]) for row in sentence.rows]
            return
        for _, text in sentences.segments(stream):
            for tokens in sentences.split(text):
                yield [sys.intern(token.text) for token in tokens]


def sentences_of(texts: Iterable[Path], n: float) -> Iterator[Sentence]:
    """Sentences of 4 to 60 words of raw text files, one file after the other, until n words."""
    return take_words(itertools.chain.from_iterable(read_sentences(p, "text") for p in texts), n)


def sentences_in(files: Iterable[Path], task: str) -> set[str]:
    """The sentences of gold files, in lower case."""
    found = set()
    for path in files:
        with open_text(path) as lines:
            gold = read_gold(task, lines, str(path), GoldOptions())
            found |= {key_of(sentence.forms).lower() for sentence in gold}
    return found


def take_words(available: Iterable[Sentence], n: float) -> Iterator[Sentence]:
    """Sentences of 4 to 60 words until n words are full."""
    for sentence in available:
        if 4 <= len(sentence) <= 60:
            n -= len(sentence)
            yield sentence
        if n <= 0:
            return


class Teacher:
    """A model that answers, by NumPy; by PyTorch on a GPU, or where only that computes it."""

    def __init__(
        self, path: Path, tasks: list[str], device: str = "cpu", finder: Path | None = None
    ) -> None:
        """finder: for roles, the model that finds predicates, by default the package's."""
        self.tasks, self.device = tasks, device_of(device)
        folder = read_model(path)
        by_torch = self.device.type != "cpu" or folder.meta["features"].get("states")
        self.folder = folder if by_torch else None
        self.finder: Teacher | None = None
        if self.folder is None:
            self.pipeline = Pipeline.load(tasks, path, finder or "auto")
        elif ROLES in tasks:
            own = path if FINDER in folder.tasks else model_path(FINDER)
            self.finder = Teacher(finder or folder.used(FINDER) or own, [FINDER], device)

    def answers(self, block: list[Sentence]) -> Answers:
        """The answers of its tasks to sentences, by task."""
        if ROLES in self.tasks:
            return {ROLES: self.roles(block)}
        if self.folder is not None:
            return annotate(self.folder, self.tasks, block, self.device)
        return self.pipeline.annotate(block)

    def roles(
        self, block: list[Sentence], places: list[list[int]] | None = None
    ) -> list[list[Predicate]]:
        """The roles of predicates, of those that it finds itself or of the places given."""
        if self.folder is None:
            return self.pipeline.roles(block, places)
        if places is None:
            assert self.finder is not None
            places = list(map(marked, block, self.finder.answers(block)[FINDER]))
        found: list[list[Predicate]] = annotate(
            self.folder, self.tasks, block, self.device, places
        )[ROLES]
        return found

    @property
    def block(self) -> int:
        """How many sentences at a time: PyTorch begins anew with each block."""
        return 1_000 if self.folder is None else 20_000


def blocks(teachers: list[Teacher], texts: Iterable[Sentence]) -> Iterator[list[Sentence]]:
    """Sentences, as many at a time as the teacher takes that takes most."""
    texts, size = iter(texts), max(teacher.block for teacher in teachers)
    while block := list(itertools.islice(texts, size)):
        yield block


def label(
    teachers: list[Teacher], tasks: list[str], texts: Iterable[Sentence]
) -> Iterator[tuple[Sentence, list[list[Phrase]]]]:
    """Tag sentences for some tasks; a phrase needs the votes of most models.

    Parts of speech go to the tag with most votes, among equals to the first model's.
    """
    plain = [output_of(task).gives == "tags" for task in tasks]
    for block in blocks(teachers, texts):
        ballots = [teacher.answers(block) for teacher in teachers]
        for i, sentence in enumerate(block):
            votes = ([ballot[task][i] for ballot in ballots] for task in tasks)
            yield sentence, [*map(vote, votes, plain)]


def label_roles(
    teachers: list[Teacher], texts: Iterable[Sentence]
) -> Iterator[tuple[Sentence, list[Predicate]]]:
    """Predicates as the first model finds them; an argument needs the votes of most models."""
    for block in blocks(teachers, texts):
        first = teachers[0].roles(block)
        places = [[predicate.position for predicate in predicates] for predicates in first]
        others = [teacher.roles(block, places) for teacher in teachers[1:]]
        for sentence, *ballots in zip(block, first, *others, strict=True):
            voted = []
            for same in zip(*ballots, strict=True):
                phrases = vote([predicate.tags for predicate in same], plain=False)
                tags = schemes.tags_of(phrases, len(sentence), "iobes")
                voted.append(regular(same[0].position, tags))
            yield sentence, voted


def label_trees(teachers: list[Teacher], texts: Iterable[Sentence]) -> Iterator[Tree]:
    """Trees of the constituents that most models find: of any two of these one model has both."""
    for block in blocks(teachers, texts):
        ballots = [teacher.answers(block)[PARSER] for teacher in teachers]
        for trees in zip(*ballots, strict=True):
            counts = Counter(constituent for tree in trees for constituent in constituents(tree))
            kept = [constituent for constituent, n in counts.items() if 2 * n > len(trees)]
            yield tree_of(outermost_first(kept), trees[0].leaves())


def label_dependencies(
    teachers: list[Teacher], texts: Iterable[Sentence]
) -> Iterator[tuple[Sentence, list[str], list[Arc]]]:
    """Universal tags and trees of the first model, of sentences about which all models agree."""
    for block in blocks(teachers, texts):
        ballots = [teacher.answers(block) for teacher in teachers]
        for i, sentence in enumerate(block):
            trees = [ballot["dep"][i] for ballot in ballots]
            apart = sum(len(set(arcs)) > 1 for arcs in zip(*trees, strict=True))
            if apart <= len(sentence) / 10:
                yield sentence, ballots[0]["upos"][i], trees[0]


def vote(ballots: list[list[str]], plain: bool) -> list[Phrase]:
    """The phrases that most of the taggings have."""
    if plain:
        tags = [Counter(column).most_common(1)[0][0] for column in zip(*ballots, strict=True)]
        return [Phrase(i, i + 1, tag) for i, tag in enumerate(tags)]
    counts = Counter(p for tags in ballots for p in schemes.phrases_of(tags, "iobes"))
    return sorted(phrase for phrase, n in counts.items() if 2 * n > len(ballots))


def key_of(words: Sentence) -> str:
    return " ".join(words)


def count_phrases(tagged: list[Tagged], often: int) -> dict[str, Counter[str]]:
    """Phrases as written, found at least `often` times: how often with each type."""
    counts: dict[str, Counter[str]] = {}
    for words, phrases in tagged:
        for start, end, kind in phrases:
            if end - start <= 6 and words[start][0].isupper():
                counts.setdefault(key_of(words[start:end]), Counter())[kind] += 1
    return {key: kinds for key, kinds in counts.items() if kinds.total() >= often}


def occurrences(words: Sentence, phrases: dict[str, str] | dict[str, Counter[str]]) -> list[Phrase]:
    """Where listed phrases stand, leftmost longest; the label is the phrase."""
    places, start = [], 0
    while start < len(words):
        if words[start][0].isupper():
            for end in range(min(start + 6, len(words)), start, -1):
                key = key_of(words[start:end])
                if key in phrases:
                    places.append(Phrase(start, end, key))
                    start = end - 1
                    break
        start += 1
    return places


def sure_phrases(tagged: list[Tagged], often: int, surely: float) -> dict[str, str]:
    """Phrases that have one type in nearly all places where they stand."""
    counts = count_phrases(tagged, often)
    places: Counter[str] = Counter()
    for words, _ in tagged:
        places.update(phrase.label for phrase in occurrences(words, counts))
    sure = {}
    for key, kinds in counts.items():
        kind, n = kinds.most_common(1)[0]
        if n >= surely * max(places[key], kinds.total()) and n >= often:
            sure[key] = kind
    return sure


def relabel(words: Sentence, phrases: list[Phrase], sure: dict[str, str]) -> list[Phrase]:
    """Give listed phrases their usual type where the tagger saw the same span or nothing."""
    kept = {(start, end): kind for start, end, kind in phrases}
    covered = {i for start, end, _ in phrases for i in range(start, end)}
    for start, end, key in occurrences(words, sure):
        if (start, end) in kept or covered.isdisjoint(range(start, end)):
            kept[start, end] = sure[key]
    return [Phrase(start, end, kind) for (start, end), kind in kept.items()]


def write_silver(path: Path, tagged: Iterable[Tagged], *, plain: bool) -> int:
    """Write sentences as columns; returns how many words."""
    n = 0
    with lzma.open(path, "wt", encoding="utf-8", newline="\n", preset=1) as out:
        for words, phrases in tagged:
            if plain:
                tags = [phrase.label for phrase in phrases]
            else:
                tags = schemes.tags_of(phrases, len(words), "iob2")
            out.write("".join(f"{w}\t{t}\n" for w, t in zip(words, tags, strict=True)) + "\n")
            n += len(words)
    return n


def write_roles(path: Path, labelled: Iterable[tuple[Sentence, list[Predicate]]]) -> int:
    """Write sentences as word, predicate and columns of roles; returns how many words."""
    n = 0
    with lzma.open(path, "wt", encoding="utf-8", newline="\n", preset=1) as out:
        for words, predicates in labelled:
            rows = props_of(words, predicates).rows
            lines = ("\t".join([word, *row]) for word, row in zip(words, rows, strict=True))
            out.write("".join(f"{line}\n" for line in lines) + "\n")
            n += len(words)
    return n


def write_trees(path: Path, trees: Iterable[Tree]) -> int:
    """Write one tree per line; returns how many words."""
    n = 0
    with lzma.open(path, "wt", encoding="utf-8", newline="\n", preset=1) as out:
        for tree in trees:
            out.write(f"{tree}\n")
            n += tree.end
    return n


def write_dependencies(
    path: Path, labelled: Iterable[tuple[Sentence, list[str], list[Arc]]]
) -> int:
    """Write sentences as CoNLL-U; returns how many words."""
    n = 0
    with lzma.open(path, "wt", encoding="utf-8", newline="\n", preset=1) as out:
        for words, tags, arcs in labelled:
            rows = [
                [str(i), word, "_", tag, "_", "_", str(arc.head), arc.relation, "_", "_"]
                for i, (word, tag, arc) in enumerate(zip(words, tags, arcs, strict=True), 1)
            ]
            out.write(as_conllu([], rows))
            n += len(words)
    return n


def write_gazetteer(folder: Path, sure: dict[str, str]) -> None:
    """One list per type, sorted."""
    folder.mkdir(parents=True, exist_ok=True)
    for kind in sorted(set(sure.values())):
        lines = sorted(key for key, phrase_kind in sure.items() if phrase_kind == kind)
        text = "".join(line + "\n" for line in lines)
        (folder / f"{kind.lower()}.txt").write_text(text, encoding="utf-8", newline="\n")
        print(f"{kind}: {len(lines):,} phrases")


def sample(tagged: list[Tagged], n: int, sure: dict[str, str]) -> list[Tagged]:
    """Tagged sentences of about n words, in which sure phrases have their usual types."""
    draw = random.Random(1)
    draw.shuffle(tagged)
    # A sentence without a name teaches little: one in five of them is enough.
    chosen_ones = (t for t in tagged if t[1] or draw.random() < 0.2)
    silver = []
    for words, phrases in chosen_ones:
        silver.append((words, relabel(words, phrases, sure)))
        n -= len(words)
        if n <= 0:
            break
    return silver


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("text", type=Path, nargs="+")
    parser.add_argument("--task", default="ner", help="or tasks, with commas between them")
    parser.add_argument("--model", type=Path, action="append", required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--input", default="text", choices=("text", "columns", "conllu"))
    words = "words to label, as many of each TEXT"
    parser.add_argument("--words", type=float, default=20e6, help=words)
    parser.add_argument("--silver", type=float, default=5e6, help="words of silver data")
    parser.add_argument("--predicates", type=Path, help="for srl: a model that finds them")
    parser.add_argument("--without", type=Path, action="append", default=[])
    parser.add_argument("--device", default="cpu", help="cuda: PyTorch computes the models")
    parser.add_argument("--often", type=int, default=4)
    parser.add_argument("--surely", type=float, default=0.75)
    chosen = parser.parse_args()
    named: list[str] = chosen.task.split(",")
    if unknown := set(named) - set(LABELLED if len(named) == 1 else TOGETHER):
        parser.error(f"--task: {unknown.pop()} is not a task that can be labelled so")
    share = chosen.words / len(chosen.text)
    texts = (take_words(read_sentences(path, chosen.input), share) for path in chosen.text)
    held = sentences_in(chosen.without, named[0])
    every = itertools.chain.from_iterable(texts)
    unlabelled = (sentence for sentence in every if key_of(sentence).lower() not in held)
    chosen.out.mkdir(parents=True, exist_ok=True)
    tasks = ["upos", "dep"] if named == ["dep"] else named
    teachers = [Teacher(path, tasks, chosen.device, chosen.predicates) for path in chosen.model]
    silver = chosen.out / "silver.xz"
    if chosen.task == ROLES:
        n = write_roles(silver, label_roles(teachers, unlabelled))
    elif chosen.task == PARSER:
        n = write_trees(silver, label_trees(teachers, unlabelled))
    elif chosen.task == "dep":
        n = write_dependencies(silver, label_dependencies(teachers, unlabelled))
    else:
        answers = list(label(teachers, tasks, unlabelled))
        print(f"{sum(len(words) for words, _ in answers):,} words labelled")
        for i, task in enumerate(tasks):
            tagged = [(words, phrases[i]) for words, phrases in answers]
            sure: dict[str, str] = {}
            if task == "ner":
                sure = sure_phrases(tagged, chosen.often, chosen.surely)
                write_gazetteer(chosen.out / "gazetteer", sure)
            plain = output_of(task).gives == "tags"
            silver = silver if len(tasks) == 1 else chosen.out / f"{task}.xz"
            n = write_silver(silver, sample(tagged, int(chosen.silver), sure), plain=plain)
    print(f"{n:,} words of silver data")


if __name__ == "__main__":
    main()
