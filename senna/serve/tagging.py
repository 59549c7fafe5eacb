"""The work of a process: the text of a request in, its answer out, some sentences at a time."""

from __future__ import annotations

import io
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, chain, groupby
from typing import Any, NamedTuple

from senna.errors import SennaError
from senna.kinds.answer import Line
from senna.model.folder import model_path, models_in, shipped
from senna.pipeline.files import check_places, completed
from senna.pipeline.format import Format, Piece, check_tasks, format_of, together, wide_in
from senna.pipeline.options import Conversion
from senna.pipeline.pipeline import (
    Pipeline,
    Tagged,
    given_of,
    lines_of,
    lines_of_texts,
    new_memory,
    read_pieces,
)
from senna.serve.requests import JSON, Work
from senna.serve.settings import PACKAGE
from senna.serve.views import VIEWS, compared, view_of
from senna.tasks import RULED, TASKS, task_of
from senna.text.tokens import spaced_lines

KEPT = 6  # pipelines that are ready for the next request
PART = 1_000  # words that are tagged together, about: between two parts other requests have a turn
SPLIT = 1 << 14  # characters that are split together; a longer text is split piece by piece
TOGETHER = ("text", "html", "lines", "tokens")  # inputs of which any sentences may be


class Plan(NamedTuple):
    """A request, and how it is answered: how it is read, by which models, how it is written."""

    work: Work
    reading: Conversion
    form: Format
    name: str  # of the form


# Sentences that are tagged together, of each the number of its text, and the piece that they are of
# where their input may have more columns.
Part = tuple[list[int], list[Line], Piece | None]


class Tagger:
    """The published models of a process, and the pipelines that the last requests needed."""

    def __init__(self, models: Mapping[str, str]) -> None:
        self.models: dict[str, str | None] = {PACKAGE: None, **models}
        self.tasks = {PACKAGE: list(shipped())}
        for name, model in models.items():
            self.tasks[name] = list(models_in(model_path(model)))
        self._ready: OrderedDict[Any, Pipeline] = OrderedDict()

    def steps(self, work: Work) -> Iterator[bytes | None]:
        """Tag the text of a request: None after each part but the last, then the answer.

        Raises SennaError for what the client can fix.
        """
        plan = self._plan(work)
        reading = plan.reading
        pipeline, other = self._pipeline(reading), None
        if work.view == "compare":
            other = self._pipeline(Conversion(reading.tasks, self.models[work.other]))
        memory = new_memory(reading) if reading.remembers else None
        written: list[list[str]] = [[] for _ in work.texts]
        for i, (numbers, lines, piece) in enumerate(_parts(plan)):
            if i:
                yield None
            words = [line.words for line in lines]
            given = given_of(piece, words, pipeline, reading) if piece else ()
            tagged = Tagged(lines, pipeline.annotate(words, *given))
            if memory:
                tagged = tagged.remembering(memory)
            if other:
                names = work.options.get("model", PACKAGE), work.other
                written[0].append(compared(*tagged, other.annotate(words), names, work.width))
                continue
            end = 0
            for number, group in groupby(numbers):
                begin, end = end, end + len(list(group))
                own = {task: rows[begin:end] for task, rows in tagged.annotation.items()}
                text = plan.form.write(lines[begin:end], own, reading.style)
                if plan.name == JSON:
                    text = text.removesuffix("\n").replace("\n", ",\n")
                written[number].append(text)
        yield _framed(plan, written)

    def answer(self, work: Work) -> bytes:
        """The answer to a request at once."""
        *_, answer = self.steps(work)
        assert answer is not None
        return answer

    # ------------------------------------------------------------------------- how

    def _plan(self, work: Work) -> Plan:
        options = {key: value for key, value in work.options.items() if key != "model"}
        model = work.options.get("model", PACKAGE)
        if model not in self.models:
            remedy = f"Known: {', '.join(self.models)}."
            raise SennaError(f"no model {model!r:.60} is published", remedy=remedy)
        name = f"view {work.view}" if work.view else options.get("format", JSON)
        options["input"] = "tokens" if work.tokens is not None else options.get("input", "text")
        if work.view:
            form = view_of(work.view, work.width)
            options["tasks"] = self._viewed(work, model, form)
            if work.view == "confidence":
                options |= {"scores": True, "n_best": 2}
            reading = Conversion(model=self.models[model], **options | {"format": "jsonl"})
        else:
            options["format"] = "jsonl" if name == JSON else name
            form = format_of(options["format"])
            asked = Conversion(model=self.models[model], **options)
            reading = completed(asked)
            check_places(reading, asked.tasks)
            if "all" in (reading.tasks or ["all"]):
                check_tasks(options["format"], self.tasks[model])
        for task in reading.tasks or ():
            if task != "all" and task_of(task).name not in [*self.tasks[model], *RULED]:
                remedy = f"It has {', '.join(self.tasks[model])}."
                raise SennaError(f"there is no model for task {task!r}", where=model, remedy=remedy)
        return Plan(work, reading, form, name)

    def _viewed(self, work: Work, model: str, form: Format) -> list[str]:
        """The tasks of a view that the models have; SennaError if there are none."""
        known = set(self.tasks[model])
        if work.view == "compare":
            if work.other not in self.tasks:
                raise SennaError("a second model is needed", remedy="Publish one with --model.")
            known &= set(self.tasks[work.other])
        tasks = [task for task in form.tasks if task in known]
        if not tasks:
            names = " or ".join(TASKS[task].about for task in form.tasks)
            what = f"the model {model} has no {names}"
            if work.view == "compare":
                what = f"the models {model} and {work.other} have no task in common"
            raise SennaError(what, remedy="Choose another model or view.")
        usual = [task for task in tasks if task in VIEWS[work.view].usual]
        return usual or tasks if model == PACKAGE else tasks

    def _pipeline(self, reading: Conversion) -> Pipeline:
        """The pipeline of some options, by all that it depends on."""
        lists = reading.gazetteer, reading.force
        key = reading.tasks, reading.model, reading.predicates, reading.asked, lists
        if key not in self._ready:
            self._ready[key] = Pipeline.of(reading)
            if len(self._ready) > KEPT:
                self._ready.popitem(last=False)
        self._ready.move_to_end(key)
        return self._ready[key]


# --------------------------------------------------------------------------- texts


def _parts(plan: Plan) -> Iterator[Part]:
    """The sentences of all texts of a request, some at a time."""
    work, reading = plan.work, plan.reading
    if reading.input not in TOGETHER:
        for number, text in enumerate(work.texts):
            for piece in _pieces(text, plan):
                lines = lines_of(piece, reading)
                yield [number] * len(lines), lines, piece
        return
    for some in together(_lines(plan), lambda own: len(own[1].tokens), PART):
        numbers, lines_ = zip(*some, strict=True)
        yield list(numbers), list(lines_), None


def _lines(plan: Plan) -> Iterator[tuple[int, Line]]:
    """The sentences of texts with the numbers of these, each of which opens a document."""
    if plan.work.tokens is not None:
        yield from ((0, line) for line in token_lines(plan))
        return
    numbered = enumerate(plan.work.texts)
    for some in together(numbered, lambda one: len(one[1]), SPLIT):
        short = [text for _, text in some if plan.reading.input == "text" and len(text) < SPLIT]
        split = lines_of_texts(short, plan.reading)
        for number, text in some:
            if plan.reading.input == "text" and len(text) < SPLIT:
                lines: Iterable[Line] = next(split)
            else:
                pieces = (lines_of(piece, plan.reading) for piece in _pieces(text, plan))
                lines = chain.from_iterable(pieces)
            for i, line in enumerate(lines):
                yield number, line._replace(opens=True) if i == 0 else line


def token_lines(plan: Plan) -> list[Line]:
    """Words as sentences of a text with a space between words and a line per sentence.

    Sentences without words are there in JSON alone; in other formats they would be a blank line.
    """
    texts, rows = spaced_lines(plan.work.tokens or ())
    starts = accumulate((len(text) + 1 for text in texts), initial=0)
    lines = list(map(Line, texts, starts, rows))
    if plan.reading.offset_unit == "utf16":
        wide = wide_in("\n".join(texts))
        lines = [line.in_utf16(wide) for line in lines]
    return lines if plan.name in (JSON, "jsonl") else [line for line in lines if line.tokens]


def _pieces(text: str, plan: Plan) -> Iterator[Piece]:
    """The pieces of a text; the first opens a document."""
    raw: Any = io.BytesIO(text.encode("utf-8", "surrogatepass"))
    stream = io.TextIOWrapper(
        io.BufferedReader(raw), encoding="utf-8", errors="surrogatepass", newline="\n"
    )
    opens = True
    for piece in read_pieces(stream, "request", plan.reading):
        yield piece._replace(opens=opens)
        opens = False


def _framed(plan: Plan, written: Sequence[Sequence[str]]) -> bytes:
    """The whole answer: in JSON an object, or one for each of several texts."""
    if plan.name == JSON:
        objects = ['{"sentences": [' + ",".join(f"\n{s}" for s in own) + "]}" for own in written]
        several = plan.work.several
        text = '{"texts": [\n' + ",\n".join(objects) + "]}\n" if several else objects[0] + "\n"
    else:
        text = "".join(plan.form.stream(chain.from_iterable(written), plan.reading.style))
    # Half a surrogate pair, which only an escape of JSON can have brought, is such an escape.
    return text.encode("utf-8", "backslashreplace")
