"""The report before training: the types in the examples, and probable mistakes."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from itertools import accumulate, islice
from pathlib import Path

from senna.errors import counted
from senna.extras.glossary import meaning
from senna.kinds import output_of
from senna.tasks import TAGGING, TASKS
from senna.training.config import DataConfig
from senna.training.examples.corpora import Example, TaskCorpus, new_tags

LONG = 500  # words of a sentence that is probably several
USUAL = 60  # words per sentence of a whole set, which are probably too many
SHORT = 4  # words of sentences that texts share by chance
SHOWN = 20  # types
FEW = 100  # phrases of a dev set; with fewer, chance decides which epoch is best
ROOM = 100  # characters of types that a warning lists
HEADINGS = ("label", "labels", "class", "category", "sentiment", "target")
_PHRASE = re.compile(r"[BIESLU]-.")


def types_of(task: str, examples: Sequence[Example]) -> Counter[str]:
    """How often each tag, label, or type of phrases or roles occurs in gold sentences."""
    output, counts = output_of(task), Counter[str]()
    for example in examples:
        if output.kind == "labels":
            counts[str(example.gold)] += 1
        elif output.kind == "tags":
            counts.update(example.gold)
        elif output.kind in ("phrases", "roles"):
            counts.update(span.phrase.label for span in output.spans(example.gold))
    return counts


def shown_types(task: str, examples: Sequence[Example]) -> Iterator[str]:
    """A line with the types of a training set, the most frequent first."""
    counts = types_of(task, examples)
    if counts:
        first = ", ".join(f"{name} {n:,}" for name, n in counts.most_common(SHOWN))
        more = f", and {len(counts) - SHOWN} more" if len(counts) > SHOWN else ""
        yield f"{task} in {counted(len(examples), 'training sentence')}: {first}{more}"


def told(settings: Mapping[str, DataConfig], corpora: Mapping[str, TaskCorpus]) -> Iterator[str]:
    """Lines about the training sets of each task, and about dev sets that were held out."""
    for task, corpus in corpora.items():
        yield from shown_types(task, corpus.train)
        share = settings[task].dev_share
        if share and not settings[task].dev:
            held = sum(len(examples) for _, examples in corpus.dev)
            all_ = f"{counted(held + len(corpus.train), 'sentence')} of {task}"
            if held:
                yield f"dev: the last {held:,} of the {all_} ({share:.0%}) are held out"
            else:
                yield f"dev: none, too few to hold some out: {all_}"


def doubts(
    settings: Mapping[str, DataConfig],
    corpora: Mapping[str, TaskCorpus],
    known: Mapping[str, Sequence[str]],
) -> Iterator[str]:
    """A line for each probable mistake that does not prevent training.

    `settings` are those of the data of each task, `known` the tags that the model has for it.
    """
    for task, corpus in corpora.items():
        yield from (f"warning: {doubt}" for doubt in doubts_of(task, corpus))
        if task in TAGGING:
            for name, examples in corpus.dev + corpus.test:
                new = new_tags(known[task], task, examples)
                types = dict.fromkeys(tag[2:] if tag[1:2] == "-" else tag for tag in new)
                if types:
                    what = f"{name} has {_listed([*types])}, not in the training data"
                    yield f"warning: {what}: the model cannot find it"
            yield from _small(task, corpus.dev)
        learnt = {Path(source.corpus).resolve() for source in settings[task].train}
        for name, sources in (("dev", settings[task].dev), ("test", settings[task].test)):
            for source in sources:
                path = Path(source.corpus)
                if path.is_file() and path.resolve() in learnt:
                    yield f"warning: {path} is both training and {name} set"


def _small(task: str, sets: Sequence[tuple[str, Sequence[Example]]]) -> Iterator[str]:
    """A warning for each dev set whose score is mostly chance, with the worth of one phrase."""
    output = output_of(task)
    if output.kind != "phrases":
        return
    for name, examples in sets:
        n = sum(len(list(output.spans(example.gold))) for example in examples)
        if 0 < n < FEW:
            of = "name" if TASKS[task].names else "phrase"
            what = f"{name} has only {n} {of}{'s' if n > 1 else ''} of {task}"
            yield f"warning: {what}: one {of} is worth {100 / n:.1f} points of the dev score"


def _listed(types: Sequence[str]) -> str:
    """The first of some types, and how many more there are."""
    ends = accumulate(len(type_) + 2 for type_ in types)
    n = max(sum(end <= ROOM for end in ends), 1)
    return ", ".join(types[:n]) + (f" and {len(types) - n} more" if n < len(types) else "")


def doubts_of(task: str, corpus: TaskCorpus) -> Iterator[str]:
    """Probable mistakes in the sets of a task, one line each."""
    counts = types_of(task, corpus.train)
    yield from _of_length(task, corpus.train)
    yield from _of_types(task, counts)
    if output_of(task).kind == "labels" and corpus.train:
        first = str(corpus.train[0].gold)
        if first.lower() in HEADINGS and counts[first] == 1:
            yield f"the first line has the label {first!r}: is it a header? Remove it"
        if 2 * sum(len(example.forms) == 1 for example in corpus.train) > len(corpus.train):
            yield f"most texts of {task} are one word: is this a file of columns?"
    if task in TAGGING:
        yield from _of_tags(task, corpus.train)
        yield from _of_numbers(corpus.train)
    learnt = {tuple(example.forms) for example in corpus.train}
    for name, examples in corpus.dev:
        long = [example for example in examples if len(example.forms) > SHORT]
        n = sum(tuple(example.forms) in learnt for example in long)
        if n:
            yield f"{n:,} of the {len(examples):,} sentences of {name} are in the training set too"


def _of_numbers(examples: Sequence[Example]) -> Iterator[str]:
    """A warning where the words number the rows of each sentence, or name the sentence."""
    several = [example.forms for example in examples if len(example.forms) > 1]
    counting = [[*map(str, range(k, k + len(forms)))] for forms in several for k in (0, 1)]
    numbers = sum(forms in counting[2 * i : 2 * i + 2] for i, forms in enumerate(several))
    equal = sum(len({*forms}) == 1 for forms in several)
    if 2 * max(numbers, equal) > len(several):
        shown = ", ".join(several[0][:3])
        yield f"the words are {shown}, ...: is this a column of numbers? --columns names the words"


def _of_length(task: str, examples: Sequence[Example]) -> Iterator[str]:
    lengths = [len(example.forms) for example in examples]
    remedy = "does a blank line end each sentence?"
    if max(lengths) > LONG:
        yield f"a training sentence of {task} has {max(lengths):,} words: {remedy}"
    elif sum(lengths) > USUAL * len(lengths) and output_of(task).kind != "labels":
        mean = sum(lengths) // len(lengths)
        yield f"the training sentences of {task} have {mean} words on average: {remedy}"


def _of_types(task: str, counts: Counter[str]) -> Iterator[str]:
    """Types that are probably misspelt: seen once, or in another case."""
    if output_of(task).kind == "tags" or not counts:
        return
    single = sorted(name for name, n in counts.items() if n == 1)
    for name in islice(single, SHOWN):
        others = [other for other in counts if counts[other] > 1]
        fine = len(name) < 3 or meaning(name, task)
        near = [] if fine else get_close_matches(name, others, 1, 0.99 - 1 / len(name))  # one slip
        remedy = f": is it {near[0]}?" if near else ""
        yield f"{task} {name} occurs only once in the training set{remedy}"
    by_case: dict[str, list[str]] = defaultdict(list)
    for name in counts:
        by_case[name.lower()].append(name)
    for names in by_case.values():
        if len(names) > 1:
            yield f"{task} {' and '.join(names)} differ only in case, and count as different"


def _of_tags(task: str, examples: Sequence[Example]) -> Iterator[str]:
    tags = {tag for example in examples for tag in example.gold}
    if blank := min((tag for tag in tags if tag != tag.strip()), default=""):
        yield f"the tag {blank!r} of {task} has a blank before or after it: remove the blank"
    if len(tags) == 1:
        yield f"every word of {task} has the tag {tags.pop()!r}: do --columns name the right one?"
    elif output_of(task).kind != "phrases" and TASKS[task].head == "tags":
        phrases = sorted(tag for tag in tags if _PHRASE.match(tag))
        if len(phrases) > len(tags) / 2:
            what = f"the tags of {task} look like those of phrases ({phrases[0]})"
            yield f"{what}: is this the right file, and the right --task?"
