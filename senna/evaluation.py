"""Tags and their scores: what `senna.evaluate` and `senna eval` do.

A task's record (`senna.tasks`) names how its gold is read and what scores it: `READERS` and
`SCORERS` map the names to functions.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from pathlib import Path
from typing import Any, NamedTuple, TypedDict, Unpack

from senna.errors import SennaError
from senna.files import open_text
from senna.infer.pipeline import Pipeline, finder_of
from senna.model.folder import model_path
from senna.scoring import accuracy, confusion, conlleval, evalb, srleval
from senna.scoring.figures import Figures, Scores
from senna.scoring.tagged import TaggedSentence, read_tagged
from senna.tasks import Task, task_of
from senna.text import pt0, roles, schemes
from senna.text.capitals import CASES
from senna.text.columns import read_columns
from senna.text.constituents import constituents, tree_of
from senna.text.features import normalise
from senna.text.props import read_props
from senna.text.roles import Predicate, propositions_of
from senna.text.trees import Tree, read_tree_lines, words_of

PIECE = 256  # sentences tagged together


class Options(TypedDict, total=False):
    """How to read, score and print, where not as usual. Not every option goes with every task."""

    as_is: bool  # read all tags as conlleval does, IOBES and brackets too
    raw: bool  # tags are bare types, each token a phrase
    outside: str  # the tag outside phrases with raw, beside O
    delimiter: str | None  # what parts columns, a regular expression
    merge_to: bool  # count IN and TO as one tag of the word "to"
    predicates: str  # whose roles a model tells: "gold" (unless told otherwise), or as `senna tag`
    kinds: str  # of gold predicates, as "v,n"; "all"; "v" unless told otherwise
    columns: str  # names of the columns before gold roles, as "word,-,predicate"
    case: str | None  # how a model is given the words: "upper", "lower", "title" (headlines)
    latex: bool  # make the report a LaTeX table
    confusion: bool  # add a table of gold types by predicted types to the report
    errors: int  # add so many of the commonest errors


@dataclass(frozen=True)
class Evaluation:
    """What came of evaluating a task."""

    task: str
    overall: Figures  # precision, recall and f1 of all types together, in percent
    types: dict[str, Figures]  # the same of each type
    accuracy: float | None  # words with the right tag, in percent; None for roles
    figures: dict[str, object]  # all there is, as in JSON
    notes: tuple[str, ...]  # lines about how the input was read
    text: str
    stop: str  # why the text breaks off where the reference script does; mostly empty
    status: int  # the exit status of one that was given up, as the reference script's; mostly 0

    def report(self) -> str:
        """The report that `senna eval` prints. Bytes that were no UTF-8 are lone surrogates."""
        return self.text

    def json(self) -> str:
        """The figures as one JSON object, ended by a line feed."""
        return json.dumps(self.figures, indent=2, ensure_ascii=False) + "\n"


def evaluate(
    task: str,
    gold: str | Path,
    predicted: str | Path | None = None,
    *,
    model: str | Path | None = None,
    **options: Unpack[Options],
) -> Evaluation:
    """Score what a model finds, or what was predicted before, against gold.

    With a model, the name of one in the package or a folder, the words of `gold` are tagged.
    Without one `gold` has columns whose last two are gold and predicted; gold and predicted roles
    are two files of props. "-" is standard input. Raises SennaError for what cannot be read or
    scored, and for options that are not for it.
    """
    record = task_of(task)
    scorer, reader = SCORERS[record.scorer], READERS[record.gold]
    known = scorer.of_files if model is None else scorer.of_models | reader.options | {"case"}
    _refuse(task, model, options, known)
    work, file = Work(task, options), str(gold)
    if model is None:
        pairs = scorer.read(file, None if predicted is None else str(predicted), work)
    elif predicted is not None:
        raise SennaError("a second file, but --model makes it", where=str(predicted))
    else:
        sentences = _tagged(record, reader.read(file, options), model, work)
        pairs = (scorer.pair(*both) for both in sentences)
    first = list(islice(pairs, 1))
    if not first and not options.get("as_is"):
        work.notes.append(f"{_name(file)}: nothing in it to score")
    scores = scorer.score(chain(first, pairs), work)
    own = scores.overall, scores.types, scores.accuracy
    figures = {"task": task, **scores.as_dict(), **work.tables}
    text = scores.report(latex=options.get("latex", False)) + work.text
    ending = scores.stop, scores.status
    return Evaluation(task, *own, figures, tuple(work.notes), text, *ending)


def score(task: str, gold: Sequence[Any], predicted: Sequence[Any]) -> float:
    """Accuracy, or F1 of phrases or roles, in percent.

    `gold` and `predicted` have for each sentence its tags, those of phrases in IOBES, or for roles
    its predicates (`senna.text.roles.Predicate`).
    """
    return SCORERS[task_of(task).scorer].percent(gold, predicted)


@dataclass
class Work:
    """What a scorer may ask for or add to."""

    task: str
    options: Options
    known: frozenset[str] | None = None  # the words that the model has seen
    notes: list[str] = field(default_factory=list)
    text: str = ""  # after the report
    tables: dict[str, object] = field(default_factory=dict)  # the same in JSON


def _refuse(task: str, model: object, options: Options, known: frozenset[str]) -> None:
    """No option may be given in vain."""
    usual = {"outside": "O", "predicates": "gold", "kinds": "v"}
    for name, value in options.items():
        if value and value != usual.get(name) and name not in known:
            flags = ", ".join("--" + own.replace("_", "-") for own in sorted(known))
            what = f"--{name.replace('_', '-')} does not go with --task {task}"
            how = "without a --model" if model is None else "and a --model"
            raise SennaError(f"{what} {how}", mend=f"It takes {flags or 'no such options'}.")


def _name(file: str) -> str:
    return "<stdin>" if file == "-" else file


# --------------------------------------------------------------------------- gold for a model


class Gold(NamedTuple):
    """A gold sentence: what a model should find, and what else its file says.

    `answer` is what the pipeline's Annotation has for the task; `given` are the file's own tags of
    other tasks, for models that read such columns.
    """

    forms: list[str]
    answer: Any
    given: dict[str, list[str]]
    name: str
    line: int


def _read_tags(file: str, options: Options) -> Iterator[Gold]:
    """Word first, gold tag last; of three columns or more the second is the part of speech."""
    with open_text(file) as lines:
        for rows, line, _ in read_columns(lines, name=_name(file)):
            columns = [list(column) for column in zip(*rows, strict=True)]
            if len(columns) < 2:
                raise SennaError("no gold column", where=f"{_name(file)}:{line}")
            given = {"pos": columns[1]} if len(columns) > 2 else {}
            yield Gold(columns[0], columns[-1], given, _name(file), line)


def _read_segments(file: str, options: Options) -> Iterator[Gold]:
    for gold in _read_tags(file, options):
        yield gold._replace(answer=pt0.regular(gold.answer))


def _read_roles(file: str, options: Options) -> Iterator[Gold]:
    """Predicates of the kinds asked for."""
    kinds = [kind.strip() for kind in options.get("kinds", "v").split(",")]
    with open_text(file) as lines:
        names = options.get("columns", "")
        for sentence in roles.read_roles(lines, name=_name(file), names=names):
            answer = sentence.of_kinds([] if kinds == ["all"] else kinds)
            columns = {"pos": sentence.pos, "pt0": sentence.pt0}
            given = {task: tags for task, tags in columns.items() if tags}
            yield Gold(sentence.forms, answer, given, _name(file), sentence.line)


def _read_marks(file: str, options: Options) -> Iterator[Gold]:
    """Which words are predicates of the kinds asked for."""
    for gold in _read_roles(file, options):
        yield gold._replace(answer=roles.marks_of(len(gold.forms), gold.answer))


def _read_trees(file: str, options: Options) -> Iterator[Gold]:
    """Bracketed trees, whose leaves have parts of speech; traces are no words."""
    with open_text(file) as lines:
        for line, tree in read_tree_lines(lines, _name(file)):
            words = words_of(tree)
            forms, pos = [str(word.word) for word in words], [word.label for word in words]
            if words:
                yield Gold(forms, tree, {"pos": pos}, _name(file), line)


class Reader(NamedTuple):
    """How the gold of a task is read for a model, and the options that say more of it."""

    read: Callable[[str, Options], Iterator[Gold]]
    options: frozenset[str] = frozenset()


_OF_ROLES = frozenset({"kinds", "columns"})
READERS = {
    "columns": Reader(_read_tags),
    "segments": Reader(_read_segments),
    "predicates": Reader(_read_marks, _OF_ROLES),
    "roles": Reader(_read_roles, _OF_ROLES),
    "trees": Reader(_read_trees),
}


def _tagged(
    task: Task, gold: Iterator[Gold], model: str | Path, work: Work
) -> Iterator[tuple[Gold, Any]]:
    """Gold sentences with what a model finds in them."""
    predicates = work.options.get("predicates", "gold")
    finder, file = ("given", "") if predicates == "gold" else finder_of(predicates)
    folder = model if isinstance(model, Path) else model_path(model)
    pipeline = Pipeline.load([task.name], folder, finder)
    work.known = pipeline.known_words(task.name)
    listed = _listed(file) if file else None
    cased = CASES.get(work.options.get("case") or "", list)
    while piece := list(islice(gold, PIECE)):
        names = set.intersection(*(set(own.given) for own in piece))
        given = {name: [own.given[name] for own in piece] for name in names}
        places = None
        if task.output == "roles" and finder == "given":
            places = [_places(own, listed, file) for own in piece]
        found = pipeline.annotate([cased(own.forms) for own in piece], given, places)
        yield from zip(piece, found[task.name], strict=True)


def _listed(file: str) -> Iterator[roles.Listed]:
    with open_text(file) as lines:
        yield from roles.read_predicates(lines, name=file)


def _places(gold: Gold, listed: Iterator[roles.Listed] | None, file: str) -> list[int]:
    """The predicates of a sentence: those of gold, or the next that a file lists."""
    if listed is None:
        return [predicate.position for predicate in gold.answer]
    own = next(listed, None)
    if own is None:
        raise SennaError("ends before the sentences do", where=file)
    return own.of(gold.forms)


# --------------------------------------------------------------------------- words and phrases


def _read_tagged(gold: str, predicted: str | None, work: Work) -> Iterator[TaggedSentence]:
    """Columns whose last two are gold and predicted; undecodable bytes are kept."""
    if predicted is not None:
        what = f"a second file, but --task {work.task} takes one"
        raise SennaError(what, where=predicted, mend="Its last two columns are gold and predicted.")
    options, name = work.options, _name(gold)
    delimiter = options.get("delimiter")
    if delimiter is None and options.get("as_is"):
        delimiter = " "
    raw, outside = options.get("raw", False), options.get("outside", "O")
    with open_text(gold, errors="surrogateescape") as lines:
        yield from read_tagged(lines, name=name, delimiter=delimiter, raw=raw, outside=outside)


def _pair_of_tags(gold: Gold, predicted: list[str]) -> TaggedSentence:
    return TaggedSentence(gold.forms, gold.answer, predicted, gold.name, gold.line)


def _score_words(pairs: Iterable[TaggedSentence], work: Work) -> Scores:
    if work.options.get("as_is") or work.options.get("raw"):
        return _score_phrases(pairs, work)
    sentences = _merged(pairs, work)
    _confuse(sentences, confusion.tag_pairs, work)
    return accuracy.score(sentences, work.known, normalise)


def _score_phrases(pairs: Iterable[TaggedSentence], work: Work) -> Scores:
    """Columns that conlleval would misread are read in their own scheme, unless told otherwise."""
    sentences = _merged(pairs, work)
    read_as: dict[str, str] = {}
    if not work.options.get("as_is") and not work.options.get("raw"):
        read_as = conlleval.schemes_of(sentences)
        sentences = list(conlleval.in_iob2(sentences, read_as)) if read_as else sentences
    for scheme, shown in (("iobes", "IOBES"), ("bracket", "brackets")):
        columns = " and ".join(name for name, own in read_as.items() if own == scheme)
        if columns:
            work.notes.append(f"{columns} read as {shown} (--as-is: as conlleval does)")
    _confuse(sentences, confusion.phrase_pairs, work)
    return conlleval.score(sentences, read_as)


def _merged(pairs: Iterable[TaggedSentence], work: Work) -> list[TaggedSentence]:
    if not work.options.get("merge_to"):
        return list(pairs)
    merged = schemes.merge_to
    return [
        own._replace(gold=merged(own.words, own.gold), predicted=merged(own.words, own.predicted))
        for own in pairs
    ]


def _confuse(sentences: list[TaggedSentence], pairs: confusion.Pairs, work: Work) -> None:
    """Add the table and the errors that are asked for."""
    shown, n = work.options.get("confusion"), work.options.get("errors", 0)
    found = confusion.confusion(sentences if shown or n else [], pairs)
    if shown:
        work.text += "\n" + confusion.table(found)
        work.tables["confusion"] = confusion.table_entries(found)
    if n:
        work.text += "\n" + confusion.error_list(found, n)
        work.tables["errors"] = confusion.error_entries(found, n)


def _percent_of_words(gold: Sequence[list[str]], predicted: Sequence[list[str]]) -> float:
    both = zip(gold, predicted, strict=True)
    return accuracy.score(TaggedSentence([], *own) for own in both).accuracy


def _percent_of_phrases(gold: Sequence[Sequence[str]], predicted: Sequence[Sequence[str]]) -> float:
    counts = [0, 0, 0]
    for tags, guess in zip(gold, predicted, strict=True):
        one = set(schemes.phrases_of(tags, "iobes"))
        other = one if guess == tags else set(schemes.phrases_of(guess, "iobes"))
        for i, phrases in enumerate((one, other, one & other)):
            counts[i] += len(phrases)
    return Figures.of(*counts).f1


def _second(gold: str, predicted: str | None, work: Work, kind: str, ending: str) -> str:
    """The second of two files; SennaError where there is none, or both are standard input."""
    if predicted is None:
        what = f"--task {work.task} needs two files of {kind}, gold and predicted, or a --model"
        mend = f"Example: senna eval --task {work.task} gold.{ending} pred.{ending}"
        raise SennaError(what, mend=mend)
    if gold == predicted == "-":
        raise SennaError("gold and predicted cannot both come from standard input")
    return predicted


# --------------------------------------------------------------------------- roles


def _read_props(gold: str, predicted: str | None, work: Work) -> Iterator[srleval.Pair]:
    predicted = _second(gold, predicted, work, "props", "props")
    warn = work.notes.append
    errors = "surrogateescape"
    with open_text(gold, errors) as lines, open_text(predicted, errors) as others:
        golden = read_props(lines, name=_name(gold), warn=warn)
        guessed = read_props(others, name=_name(predicted), warn=warn)
        yield from srleval.pairs_of(golden, guessed, warn)


def _pair_of_roles(gold: Gold, predicted: list[Predicate]) -> srleval.Pair:
    return propositions_of(gold.answer), propositions_of(predicted)


def _score_roles(pairs: Iterable[srleval.Pair], work: Work) -> Scores:
    wanted = work.options.get("confusion", False)
    # Of what a model lacks the figures tell enough.
    warn = work.notes.append if work.known is None else None
    scores = srleval.score(pairs, warn=warn, with_confusion=wanted)
    if work.options.get("predicates", "gold") != "gold":
        own = Figures.of(*scores.predicates)
        figures = f"precision {own.precision:.2f}, recall {own.recall:.2f}, F1 {own.f1:.2f}"
        work.notes.append(f"predicates: {figures}")
    return scores


def _percent_of_roles(
    gold: Sequence[Sequence[Predicate]], predicted: Sequence[Sequence[Predicate]]
) -> float:
    both = zip(map(propositions_of, gold), map(propositions_of, predicted), strict=True)
    return srleval.score(both).overall.f1


# --------------------------------------------------------------------------- trees


def _read_brackets(gold: str, predicted: str | None, work: Work) -> Iterator[evalb.Pair]:
    predicted = _second(gold, predicted, work, "trees", "mrg")
    names = _name(gold), _name(predicted)
    with (
        open_text(gold, "surrogateescape") as lines,
        open_text(predicted, "surrogateescape") as others,
    ):
        yield from evalb.read_pairs(lines, others, names, work.notes.append)


def _pair_of_trees(gold: Gold, predicted: Tree) -> evalb.Pair:
    return _compared(gold.answer, predicted)


def _compared(gold: Tree, predicted: Tree) -> evalb.Pair:
    """Gold's parts of speech tell what is punctuation: otherwise slips of tags would be errors.

    Such a slip is a wrong tag.
    """
    leaves = []
    for word, found in zip(words_of(gold), predicted.leaves(), strict=True):
        tag = "" if found.label in evalb.LEFT_OUT else found.label
        own = word.label if word.label in evalb.LEFT_OUT else tag
        leaves.append(Tree(own, word=word.word))
    return [gold], [tree_of(constituents(predicted), leaves)], 0


def _score_trees(pairs: Iterable[evalb.Pair], work: Work) -> Scores:
    return evalb.score(pairs, work.notes.append)


def _percent_of_trees(gold: Sequence[Tree], predicted: Sequence[Tree]) -> float:
    pairs = map(_compared, gold, predicted)
    return evalb.score(pairs, warn=lambda line: None).overall.f1


# --------------------------------------------------------------------------- the table of scorers


class Scorer(NamedTuple):
    """How a kind of output is scored.

    `read` makes pairs, sentence by sentence, of a file or two that hold gold and predicted, `pair`
    of gold and what a model finds; `score` scores them; `percent` is `senna.evaluation.score`.
    """

    read: Callable[[str, str | None, Work], Iterator[Any]]
    pair: Callable[[Gold, Any], Any]
    score: Callable[[Iterable[Any], Work], Scores]
    percent: Callable[[Sequence[Any], Sequence[Any]], float]
    of_files: frozenset[str]  # options
    of_models: frozenset[str]


_OF_TAGS = frozenset({"as_is", "merge_to", "latex", "confusion", "errors"})
_TAGS = _OF_TAGS | {"raw", "outside", "delimiter"}, _OF_TAGS
_OF_PROPS = frozenset({"latex", "confusion"})
_PROPS = _OF_PROPS, _OF_PROPS | {"predicates"}
_TREES = frozenset[str](), frozenset[str]()
SCORERS = {
    "accuracy": Scorer(_read_tagged, _pair_of_tags, _score_words, _percent_of_words, *_TAGS),
    "phrases": Scorer(_read_tagged, _pair_of_tags, _score_phrases, _percent_of_phrases, *_TAGS),
    "trees": Scorer(_read_brackets, _pair_of_trees, _score_trees, _percent_of_trees, *_TREES),
    "roles": Scorer(_read_props, _pair_of_roles, _score_roles, _percent_of_roles, *_PROPS),
}
