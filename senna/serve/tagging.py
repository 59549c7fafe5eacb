"""The work of a worker process: texts of requests in, answers out, some at a time."""

from __future__ import annotations

import io
import traceback
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import accumulate, chain
from typing import Any, NamedTuple

from senna.errors import SennaError
from senna.kinds.answer import Annotation, Line
from senna.model.folder import model_path, models_in, shipped
from senna.pipeline.files import check_places, completed
from senna.pipeline.format import Format, Piece, check_tasks, format_of, together, wide_in
from senna.pipeline.options import Conversion
from senna.pipeline.pipeline import Pipeline, tag_piece
from senna.pipeline.stream import Tagged, lines_of, new_memory, read_pieces
from senna.serve.views import compared, view_of
from senna.serve.work import JSON, PACKAGE, TOGETHER, VIEWS, Work
from senna.tasks import RULED, TASKS, task_of
from senna.text.tokenizer import spaced_lines

KEPT = 6  # pipelines that are ready for the next request
PART = 1_000  # words of a long text that are tagged together, about


class Plan(NamedTuple):
    """A request, and how it is answered: how it is read, by which models, how it is written."""

    work: Work
    reading: Conversion
    form: Format
    name: str  # of the form


Draft = tuple[Plan, list[list[Line]]]  # a small request, and the sentences of each of its texts
# An answer, the line of an error that the client can mend, or None where the program failed, which
# standard error reports.
Outcome = bytes | str | None
Answer = tuple[int, Outcome, bool]  # the number of a request; whether its answer ends with this


class Tagger:
    """The published models of a process, and the pipelines that the last requests needed.

    `open` are the answers that have begun and not ended, by number.
    """

    def __init__(self, models: Mapping[str, str]) -> None:
        self.models: dict[str, str | None] = {PACKAGE: None, **models}
        self.tasks = {PACKAGE: list(shipped())}
        for name, model in models.items():
            self.tasks[name] = list(models_in(model_path(model)))
        self._ready: OrderedDict[Any, Pipeline] = OrderedDict()
        self.open: dict[int, Iterator[bytes]] = {}

    def answers(self, works: Sequence[Work]) -> list[Outcome]:
        """The whole answers of small requests; those that one pipeline tags are tagged together.

        A request that fails does not change the answers of the others.
        """
        answers: list[Outcome] = [None] * len(works)
        groups: dict[Any, list[tuple[int, Draft]]] = {}
        for i, work in enumerate(works):
            with self._noted(answers, i):
                plan = self._plan(work)
                key = self._key(plan.reading), plan.reading.remembers
                draft = plan, self._lines(plan)
                groups.setdefault(key, []).append((i, draft))
        for group in groups.values():
            try:
                written = self._written_together([draft for _, draft in group])
            except Exception:  # of one of them: each is tagged alone
                for i, draft in group:
                    with self._noted(answers, i):
                        [answers[i]] = self._written_together([draft])
            else:
                for (i, _), answer in zip(group, written, strict=True):
                    answers[i] = answer
        return answers

    @staticmethod
    @contextmanager
    def _noted(answers: list[Outcome], i: int) -> Iterator[None]:
        """Put an error that the client can mend in the place of answer `i`; report any other."""
        try:
            yield
        except SennaError as error:
            answers[i] = str(error)
        except Exception:
            traceback.print_exc()

    def _written_together(self, drafts: Sequence[Draft]) -> list[bytes]:
        """The answers of requests that are read alike, tagged in one call."""
        reading = drafts[0][0].reading
        texts = [text for _, texts in drafts for text in texts]
        words = [line.words for text in texts for line in text]
        found = self._pipeline(reading).annotate(words)
        if reading.remembers:
            opens = [i == 0 or line.opens for text in texts for i, line in enumerate(text)]
            new_memory(reading).recall(words, opens, found)
        answers, n = [], 0
        for plan, texts in drafts:
            parts = []
            for lines in texts:
                own = {task: rows[n : n + len(lines)] for task, rows in found.items()}
                parts.append([_form_of(plan, lines, own)])
                n += len(lines)
            answers.append(b"".join(_framed(plan, parts)))
        return answers

    def parts(self, work: Work) -> Iterator[bytes]:
        """The answer of any request, part by part, as its text is tagged."""
        plan = self._plan(work)
        texts = work.texts if work.tokens is None else [""]
        yield from _framed(plan, (self._written(plan, text) for text in texts))

    # ------------------------------------------------------------------------- how

    def _plan(self, work: Work) -> Plan:
        options = {key: value for key, value in work.options.items() if key != "model"}
        model = work.options.get("model", PACKAGE)
        if model not in self.models:
            mend = f"Known: {', '.join(self.models)}."
            raise SennaError(f"no model {model!r:.60} is published", mend=mend)
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
            reading = completed(Conversion(model=self.models[model], **options))
            check_places(reading)
            if "all" in (reading.tasks or ["all"]):
                check_tasks(options["format"], self.tasks[model])
        for task in reading.tasks or ():
            if task != "all" and task_of(task).name not in [*self.tasks[model], *RULED]:
                mend = f"It has {', '.join(self.tasks[model])}."
                raise SennaError(f"there is no model for task {task!r}", where=model, mend=mend)
        return Plan(work, reading, form, name)

    def _viewed(self, work: Work, model: str, form: Format) -> list[str]:
        """The tasks of a view that the models have; SennaError if there are none."""
        known = set(self.tasks[model])
        if work.view == "compare":
            if work.other not in self.tasks:
                raise SennaError("a second model is needed", mend="Publish one with --model.")
            known &= set(self.tasks[work.other])
        tasks = [task for task in form.tasks if task in known]
        if not tasks:
            names = " or ".join(TASKS[task].about for task in form.tasks)
            what = f"the model {model} has no {names}"
            if work.view == "compare":
                what = f"the models {model} and {work.other} have no task in common"
            raise SennaError(what, mend="Choose another model or view.")
        usual = [task for task in tasks if task in VIEWS[work.view].usual]
        return usual or tasks if model == PACKAGE else tasks

    @staticmethod
    def _key(reading: Conversion) -> Any:
        """All that a pipeline depends on."""
        lists = reading.gazetteer, reading.force
        return reading.tasks, reading.model, reading.predicates, reading.asked, lists

    def _pipeline(self, reading: Conversion) -> Pipeline:
        key = self._key(reading)
        if key not in self._ready:
            self._ready[key] = Pipeline.of(reading)
            if len(self._ready) > KEPT:
                self._ready.popitem(last=False)
        self._ready.move_to_end(key)
        return self._ready[key]

    # ------------------------------------------------------------------------- tagging

    def _lines(self, plan: Plan) -> list[list[Line]]:
        """The sentences of each text of a small request."""
        if plan.work.tokens is not None:
            return [token_lines(plan.work.tokens, plan)]
        return [
            [line for piece in _pieces(text, plan) for line in lines_of(piece, plan.reading)]
            for text in plan.work.texts
        ]

    def _written(self, plan: Plan, text: str) -> Iterator[str]:
        """The output for a text, piece by piece."""
        work, reading, pipeline = plan.work, plan.reading, self._pipeline(plan.reading)
        memory = new_memory(reading) if reading.remembers else None
        if work.tokens is not None:
            for lines in _some(token_lines(work.tokens, plan)):
                tagged = Tagged(lines, pipeline.annotate([line.words for line in lines]))
                yield _form_of(plan, *(tagged.remembering(memory) if memory else tagged))
            return
        other = None  # the pipeline of the model that is compared
        if work.view == "compare":
            other = self._pipeline(Conversion(reading.tasks, self.models[work.other]))
        for piece in _pieces(text, plan):
            for tagged in self._tagged(pipeline, piece, reading):
                if memory is not None:
                    tagged = tagged.remembering(memory)
                if other is None:
                    yield _form_of(plan, *tagged)
                    continue
                found = other.annotate([line.words for line in tagged.lines])
                names = work.options.get("model", PACKAGE), work.other
                yield compared(*tagged, found, names, work.width)

    @staticmethod
    def _tagged(pipeline: Pipeline, piece: Piece, reading: Conversion) -> Iterator[Tagged]:
        """The sentences of a piece with what is found in them, some at a time where that can be."""
        if reading.input not in TOGETHER:
            yield tag_piece(pipeline, piece, reading)
            return
        for lines in _some(lines_of(piece, reading)):
            yield Tagged(lines, pipeline.annotate([line.words for line in lines]))

    # ------------------------------------------------------------------------- messages

    def __call__(self, message: Any) -> Any:
        """The answers to a message; to None the tasks of each published model."""
        if message is None:
            return self.tasks
        kind, content, dropped = message
        for number in dropped:
            self.open.pop(number, None)
        return self.new(content) if kind == "tag" else list(map(self.next, content))

    def new(self, works: list[tuple[int, Work]]) -> list[Answer]:
        """The answers of works; of one that is not small the first part."""
        number, work = works[0]
        if len(works) == 1 and not work.is_small:
            self.open[number] = self.parts(work)
            return [self.next(number)]
        answers = self.answers([work for _, work in works])
        pairs = zip(works, answers, strict=True)
        return [(number, answer, True) for (number, _), answer in pairs]

    def next(self, number: int) -> Answer:
        """The next part of an answer, with text in it; the last one may be empty."""
        answer: Outcome = b""
        try:
            for part in self.open[number]:
                if part:
                    return number, part, False
        except SennaError as error:
            answer = str(error)
        except Exception:
            traceback.print_exc()
            answer = None
        del self.open[number]
        return number, answer, True


def token_lines(sentences: Sequence[Sequence[str]], plan: Plan) -> list[Line]:
    """Words as sentences of a text with a space between words and a line per sentence.

    Sentences without words are there in JSON alone; in other formats they would be a blank line.
    """
    texts, rows = spaced_lines(sentences)
    starts = accumulate((len(text) + 1 for text in texts), initial=0)
    lines = list(map(Line, texts, starts, rows))
    if plan.reading.offset_unit == "utf16":
        wide = wide_in("\n".join(texts))
        lines = [line.in_utf16(wide) for line in lines]
    return lines if plan.name in (JSON, "jsonl") else [line for line in lines if line.tokens]


def _some(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """Some sentences at a time, so that a client that leaves, and others, need not wait long."""
    return together(lines, lambda line: len(line.tokens), PART)


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


def _form_of(plan: Plan, lines: Sequence[Line], found: Annotation) -> str:
    """Sentences in the format of a plan; of JSON the objects with commas between them."""
    text = plan.form.write(lines, found, plan.reading.style)
    return text.removesuffix("\n").replace("\n", ",\n") if plan.name == JSON else text


def _framed(plan: Plan, texts: Iterable[Iterable[str]]) -> Iterator[bytes]:
    """The answer with what was written of each text, part by part."""
    if plan.name == JSON:
        written = _as_json(plan.work.several, texts)
    else:
        written = plan.form.stream(chain.from_iterable(texts), plan.reading.style)
    for part in written:
        # Half a surrogate pair, which only an escape of JSON can have brought, is such an escape.
        yield part.encode("utf-8", "backslashreplace")


def _as_json(several: bool, texts: Iterable[Iterable[str]]) -> Iterator[str]:
    """`{"sentences": [...]}`; of a list of texts `{"texts": [...]}` with one such object each."""
    before = '{"texts": [\n' if several else ""  # until something has been tagged
    for i, parts in enumerate(texts):
        before += ",\n" * bool(i) + '{"sentences": ['
        for k, part in enumerate(filter(None, parts)):
            yield before + "," * bool(k) + "\n" + part
            before = ""
        before += "]}"
    yield before + ("]}\n" if several else "\n")
