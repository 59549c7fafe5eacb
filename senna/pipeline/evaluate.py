"""Tags and their scores: what `senna.evaluate` and `senna eval` do.

How gold is read and scored depends on the task's kind of output: see `senna.kinds`.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice, zip_longest
from pathlib import Path
from typing import Any, Unpack

from senna.errors import SennaError, no_sentences
from senna.files import open_text
from senna.kinds import output_of
from senna.kinds.answer import Gold, GoldOptions, of_sentence
from senna.kinds.scores import OPTIONS, Figures, ScoreOptions, Source, Stream, Work, opened, shown
from senna.model.folder import is_model, model_path, models_in, read_model, shipped
from senna.pipeline.memory import Memory, remembers
from senna.pipeline.models import finder_of
from senna.pipeline.pipeline import Pipeline
from senna.registry import READERS, REPORTS
from senna.tasks import NAMES, TASKS, task_of
from senna.text.capitals import CASES

PIECE = 256  # sentences tagged together


@dataclass(frozen=True)
class Evaluation:
    """The result of evaluating a task."""

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
        """The report that `senna eval` prints. Bytes that were not UTF-8 are lone surrogates."""
        return self.text

    def json(self) -> str:
        """The figures as one JSON object, ended by a line feed."""
        return json.dumps(self.figures, indent=2, ensure_ascii=False) + "\n"


def evaluate(
    task: str,
    gold: str | Path | Iterable[Any],
    predicted: str | Path | Iterable[Any] | None = None,
    *,
    model: str | Path | None = None,
    tagged: Callable[[int], object] = lambda n_words: None,
    **options: Unpack[ScoreOptions],
) -> Evaluation:
    """Score the tags of a model, or tags predicted before, against gold ones.

    `model` is a model of the package (for example "ner") or a folder; it tags the words of `gold`.
    Without a model, the last two columns of `gold` are gold and predicted tags; for srl, psg and
    label, `gold` and `predicted` are two files. "-" is standard input. In the place of files, both
    may be sentences: documents, or lists of pairs of a word and its tag; or open files. `tagged` is
    called with the number of words of each piece that the model has tagged. Raises SennaError for
    files that cannot be read or scored, and for options that do not apply.
    """
    report = report_of(task_of(task).name)
    given, guessed = _source(gold, "gold"), _source(predicted, "predicted")
    is_files = isinstance(given, Source)  # of text, or of a program
    known = report.of_files
    if predicted is not None and report.side_by_side:
        known -= {"raw", "outside", "delimiter"}
    if model is not None:
        known = report.of_models | report.of_gold | {"case", "levels"}
        known |= {"memory"} if task == NAMES else set()
        known -= {"case", "levels"} if options.get("from_text") else set()
    _refuse(task, model, options, known)
    work = Work(task, options)
    plain: list[Any] = []  # pairs without what the memory of names has changed
    if model is None and guessed is not None and (report.side_by_side or not is_files):
        if given == guessed == "-":
            what = "gold and predicted cannot both come from standard input"
            raise SennaError(what, remedy="Name a file for one of them.")
        if not is_files and isinstance(guessed, Source):
            what, remedy = "sentences are not compared with a file", "Read it with senna.read()."
            raise SennaError(what, where=shown(guessed), remedy=remedy)
        pairs = _compared(report, _read(given, work), _read(guessed, work))
    elif model is None and is_files:
        pairs = report.read_pairs(given, guessed, work)
    elif model is None:
        remedy = "Give predicted sentences, or a model."
        raise SennaError("gold sentences have nothing to be compared with", remedy=remedy)
    elif guessed is not None:
        where = shown(guessed) if isinstance(guessed, Source) else "predicted"
        raise SennaError("with --model, give only the gold file", where=where)
    elif options.get("from_text"):
        pairs = report.from_text(_read(given, work), model, work, tagged)
    else:
        work.labels = _learnt_labels(model, task)
        found = _tagged(_read(given, work), model, work, tagged, plain)
        pairs = (report.pair(*both) for both in found)
    first = list(islice(pairs, 1))
    source = shown(given) if is_files else "gold"
    if not first and (model is not None or output_of(task).kind == "labels"):
        raise no_sentences(source)
    if not first and not options.get("as_is"):  # what reference scorers print
        work.notes.append(f"{source}: nothing in it to score")
    scores = report.score(chain(first, pairs), work)
    if plain:
        before = report.score(plain, Work(task, {}))
        work.notes.append(
            f"F1 {scores.overall.f1:.2f} with the memory of names, {before.overall.f1:.2f} without "
            "(--no-memory)"
        )
    return Evaluation(
        task,
        scores.overall,
        scores.types,
        scores.accuracy,
        {"task": task, **scores.as_dict(), **work.tables},
        tuple(work.notes),
        scores.report(latex=options.get("latex", False)) + work.text,
        scores.stop,
        scores.status,
    )


def report_of(task: str) -> Any:
    """How a task is scored: see `senna.scoring.reports`; other kinds as what they give."""
    return REPORTS.get(TASKS[task].output) or REPORTS[output_of(task).kind]


def _refuse(task: str, model: object, options: ScoreOptions, known: frozenset[str]) -> None:
    """Raise SennaError for an unknown option, and for one that this evaluation would ignore."""
    unknown = [name for name in options if name not in OPTIONS]
    if unknown:
        raise SennaError("unknown option", where=unknown[0], remedy=f"Known: {', '.join(OPTIONS)}.")
    case = options.get("case")
    if case and case not in CASES:
        raise SennaError(f"{case!r} is not one of {', '.join(CASES)}", where="--case")
    for name, value in options.items():
        given = bool(value) or name == "memory"
        if given and value != OPTIONS[name].default and name not in known:
            flags = ", ".join(OPTIONS[option].flag for option in sorted(known))
            what = f"{OPTIONS[name].flag} does not apply to --task {task}"
            how = "without a --model" if model is None else "and a --model"
            raise SennaError(f"{what} {how}", remedy=f"It takes {flags or 'no options'}.")


def _source(given: Any, name: str) -> Any:
    """A file by its name, a stream as its text, and sentences of a program as they are."""
    if isinstance(given, str | os.PathLike):
        return os.fspath(given)
    if not hasattr(given, "read"):
        return given
    text = given.read()
    return Stream(name, text if isinstance(text, str) else text.decode("utf-8", "surrogateescape"))


def _read(given: Any, work: Work) -> Iterator[Gold]:
    """The gold sentences of a source, or those of a program."""
    if not isinstance(given, Source):
        yield from READERS["objects"].gold_of(given, work.task, work.labels)
        return
    kinds = tuple(
        kind.strip() for kind in work.options.get("kinds", OPTIONS["kinds"].default).split(",")
    )
    columns = work.options.get("columns", "")
    how = GoldOptions(
        columns, () if kinds == ("all",) else kinds, labels=work.labels, tell=work.notes.append
    )
    levels = work.options.get("levels", "")
    with opened(given) as lines:
        gold = READERS["gold"].read_gold(work.task, lines, shown(given), how)
        if not levels:
            yield from gold
            return
        with open_text(levels) as others:
            yield from READERS["gold"].with_levels(gold, others, shown(levels))


def _compared(report: Any, gold: Iterator[Gold], predicted: Iterator[Gold]) -> Iterator[Any]:
    """The pairs of the sentences of two sides, which have the same words."""
    for right, guess in zip_longest(gold, predicted):
        if right is None or guess is None or right.forms != guess.forms:
            one, other = (right, guess) if right else (guess, right)
            what = "a sentence that the other side lacks"
            if other:
                what = f"other words than {other.name}:{other.line} has"
            remedy = "Both sides need the same sentences, in the same order."
            raise SennaError(what, where=f"{one.name}:{one.line}", remedy=remedy)
        if report.beside:  # what stands in CoNLL-U
            yield [right.given], [guess.given]
        else:
            yield report.pair(right, guess.answer)


def _learnt_labels(model: str | Path, task: str) -> str:
    """The names that a model's own data gave to labels: see `DataConfig.labels`."""
    folder = models_in(model_path(model)).get(task)
    value: Any = read_model(folder).about if folder else {}
    for key in ("config", "data", task, "labels"):
        value = value.get(key, {}) if isinstance(value, dict) else {}
    return value if isinstance(value, str) else ""


def pipeline_for(model: str | Path, task: str, finder: str | Path = "auto") -> Pipeline:
    """A model for a task, and for those that are scored with it; what it lacks the package has."""
    folder = model_path(model)
    beside = report_of(task).beside
    if not beside or not is_model(folder):
        return Pipeline.load([task], folder, finder)
    own = [name for name in read_model(folder).tasks if name in (task, *beside)]
    if task not in own:
        return Pipeline.load([task], folder, finder)  # which says what the model has
    more = [name for name in beside if name in shipped()]
    return Pipeline.load([*own, *more], dict.fromkeys(own, folder), finder)


def _tagged(
    gold: Iterator[Gold],
    model: str | Path,
    work: Work,
    tagged: Callable[[int], object],
    plain: list[Any],
) -> Iterator[tuple[Gold, Any]]:
    """Gold sentences with what a model finds in them.

    plain: gets the pairs without the memory of names, where that is used.
    """
    output, report = output_of(work.task), report_of(work.task)
    predicates = work.options.get("predicates", "gold")
    finder, file = ("given", "") if predicates == "gold" else finder_of(predicates)
    pipeline = pipeline_for(model, work.task, finder)
    work.known = pipeline.known_words(work.task)
    listed = READERS["predicates"].listed_predicates(file) if file else None
    case = work.options.get("case")
    cased = CASES[case] if case else list
    memory, remembered = Memory(), work.task == NAMES and work.options.get("memory", True)
    remembered = remembered and remembers(pipeline.labels(NAMES))
    labels = pipeline.labels(work.task) if output.kind == "labels" else ()
    while piece := list(islice(gold, PIECE)):
        for sentence in piece if labels else ():
            if sentence.answer not in labels:
                what, where = f"label {sentence.answer!r:.60}", f"{sentence.name}:{sentence.line}"
                raise SennaError(
                    what, where=where, remedy=f"The model has {', '.join(labels):.200}."
                )
        names = set.intersection(*(set(sentence.tags) for sentence in piece))
        given = {name: [sentence.tags[name] for sentence in piece] for name in names}
        places = None
        if output.kind == "roles" and finder == "given":
            places = [
                [place for place, _ in sentence.answer]
                if listed is None
                else _next(listed, file).of(sentence.forms)
                for sentence in piece
            ]
        words = [cased(sentence.forms) for sentence in piece]
        answers = pipeline.annotate(words, given, places)
        if remembered:
            plain += map(report.pair, piece, answers[NAMES])
            memory.recall(words, [sentence.opens for sentence in piece], answers)
        tagged(sum(len(sentence.forms) for sentence in piece))
        for i, sentence in enumerate(piece):
            all_ = of_sentence(answers, i)
            yield sentence, all_ if report.beside else all_[work.task]
    rest = next(listed, None) if listed is not None else None
    if rest is not None:
        raise SennaError("the gold file has no more sentences", where=rest.where)


def _next(listed: Iterator[Any], file: str) -> Any:
    predicates = next(listed, None)
    if predicates is None:
        raise SennaError("ends before the sentences do", where=file)
    return predicates
