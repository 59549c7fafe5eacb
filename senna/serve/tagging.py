"""The work of a process: the text of a request in, its answer out."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache, partial
from itertools import accumulate, chain
from typing import Any

from senna.drawing.views import VIEWS, compared, drawn
from senna.errors import SennaError
from senna.kinds.answer import Annotation, Line
from senna.model.folder import model_path, models_in, shipped
from senna.pipeline.files import completed, read_pieces
from senna.pipeline.format import Piece, check_tasks, format_of, input_of, together, wide_in
from senna.pipeline.options import Options, chosen, known_value
from senna.pipeline.pipeline import Pipeline, Tagged, given_of, lines_of, lines_of_texts, new_memory
from senna.serve.cli import PACKAGE
from senna.serve.requests import CHOICES, JSON, Work
from senna.tasks import RULED, TASKS, in_task_order, task_of
from senna.text.tokens import spaced_lines

KEPT = 6  # pipelines that are ready for the next request
LOADED = ("tasks", "model", "predicates", "scores", "n_best", "gazetteer", "force")  # by these
TOGETHER = 1 << 14  # characters of texts that are tagged together; a longer one is cut into pieces
SENTENCES = 100  # that are tagged before the work looks whether it is to stop
# Sentences that are tagged together, by the numbers of their texts; and the piece that they are of.
Part = tuple[list[tuple[int, list[Line]]], Piece | None]


class Tagger:
    """The published models of a process, and the pipelines that the last requests needed."""

    def __init__(self, models: Mapping[str, str | None]) -> None:
        self.models = models
        self.tasks = {
            name: list(models_in(model_path(model)) if model else shipped())
            for name, model in models.items()
        }
        self._loaded = lru_cache(KEPT)(Pipeline.of)

    def answer(self, work: Work, stopped: Callable[[], bool] = lambda: False) -> bytes:
        """Tag the texts of a request; TimeoutError where it is to be `stopped` meanwhile.

        Raises SennaError for what the client can fix.
        """
        options = self._options(work)
        pipeline, write = self._pipeline(options), self._writer(work, options)
        memory = new_memory(options) if options.remembers else None
        written: list[list[str]] = [[] for _ in work.texts]
        for texts, piece in _parts(work, options):
            if stopped():
                raise TimeoutError
            lines = [line for _, own in texts for line in own]
            words, begin = [line.words for line in lines], 0
            given = given_of(piece, words, pipeline, options) if piece else ()
            tagged = Tagged(lines, pipeline.annotate(words, *given))
            if memory:
                tagged = tagged.remembering(memory)
            for number, own in texts:
                end = begin + len(own)
                found = {task: rows[begin:end] for task, rows in tagged.annotation.items()}
                written[number].append(write(own, found))
                begin = end
        if work.view:
            text = "".join(written[0])
        elif work.options.get("format", JSON) == JSON:
            text = _object(["".join(own) for own in written], work.several)
        else:
            parts = chain.from_iterable(written)
            text = "".join(format_of(options.format).stream(parts, options))
        # Half a surrogate pair, which only an escape of JSON can have brought, is such an escape.
        return text.encode("utf-8", "backslashreplace")

    def _writer(self, work: Work, options: Options) -> Callable[[list[Line], Annotation], str]:
        """The function that writes or draws tagged sentences."""
        if not work.view:
            return partial(format_of(options.format).write, options=options)
        if work.view != "compare":
            return partial(drawn, work.view, width=work.width)
        other = self._pipeline(Options(options.tasks, self.models[work.other]))
        names = work.options["model"], work.other
        return lambda lines, found: compared(
            lines, found, other.annotate([line.words for line in lines]), names, work.width
        )

    def _options(self, work: Work) -> Options:
        """The options of a request, complete; SennaError for those that do not fit."""
        given = dict(work.options)
        model = given.setdefault("model", PACKAGE)
        known_value("model", model, self.models)
        for name, known in CHOICES.items():
            if name in given:
                known_value(name, given[name], known)
        if work.view:
            given["tasks"] = self._viewed(work, model)
            if work.view == "confidence":
                given |= {"scores": True, "n_best": 2}
        if given.get("format", JSON) == JSON:
            given["format"] = "jsonl"
        if work.tokens is not None:
            given["input"] = "tokens"
        options = completed(chosen({**given, "model": self.models[model]}))
        if "all" in (options.tasks or ["all"]):
            check_tasks(options.format, self.tasks[model])
        for task in options.tasks or ():
            if task != "all" and task_of(task).name not in [*self.tasks[model], *RULED]:
                what, remedy = f"there is no model for task {task!r}", self.tasks[model]
                raise SennaError(what, where=model, remedy=f"It has {', '.join(remedy)}.")
        return options

    def _viewed(self, work: Work, model: str) -> list[str]:
        """The tasks of a view that the models have; SennaError if there are none."""
        names, view = [model, work.other][: 1 + (work.view == "compare")], VIEWS[work.view]
        for name in names:
            known_value("other", name, self.tasks)
        tasks = in_task_order(set(view.tasks).intersection(*(self.tasks[n] for n in names)))
        if not tasks:
            what = f"no {' or '.join(TASKS[task].about for task in view.tasks)}"
            remedy = "Choose another model or view."
            raise SennaError(what, where=" and ".join(names), remedy=remedy)
        usual = [task for task in tasks if task in view.usual]
        return usual or tasks if model == PACKAGE else tasks

    def _pipeline(self, options: Options) -> Pipeline:
        """The pipeline of some options, by those that it depends on."""
        return self._loaded(Options(**{name: getattr(options, name) for name in LOADED}))


def _parts(work: Work, options: Options) -> Iterator[Part]:
    """The sentences of all texts of a request, some at a time. Each text opens a document."""
    if work.tokens is not None:
        yield from _cut(0, _token_lines(work.tokens, options, work.options.get("format", JSON)))
        return
    for some in together(enumerate(work.texts), lambda one: len(one[1]), TOGETHER):
        texts = [text for _, text in some]
        if options.input == "text" and max(map(len, texts)) < TOGETHER:
            rows = lines_of_texts(texts, options)
            yield [(number, own) for (number, _), own in zip(some, rows, strict=True)], None
            continue
        for number, text in some:
            raw: Any = io.BytesIO(text.encode("utf-8", "surrogatepass"))
            stream = io.TextIOWrapper(
                io.BufferedReader(raw), encoding="utf-8", errors="surrogatepass", newline="\n"
            )
            for i, piece in enumerate(read_pieces(stream, "request", options)):
                lines = lines_of(piece._replace(opens=i == 0), options)
                if input_of(options.input).sentences:  # few, and they may have more columns
                    yield [(number, lines)], piece
                else:
                    yield from _cut(number, lines)


def _cut(number: int, lines: list[Line]) -> Iterator[Part]:
    for i in range(0, len(lines), SENTENCES):
        yield [(number, lines[i : i + SENTENCES])], None


def _token_lines(tokens: list[list[str]], options: Options, name: str) -> list[Line]:
    """Words as sentences of a text with a space between words and a line per sentence.

    Sentences without words are there in JSON alone; in other formats they would be a blank line.
    """
    texts, rows = spaced_lines(tokens)
    starts = accumulate((len(text) + 1 for text in texts), initial=0)
    lines = list(map(Line, texts, starts, rows))
    if options.offset_unit == "utf16":
        wide = wide_in("\n".join(texts))
        lines = [line.in_utf16(wide) for line in lines]
    return lines if name in (JSON, "jsonl") else [line for line in lines if line.tokens]


def _object(written: list[str], several: bool) -> str:
    """JSON lines as an object, or as one for each of several texts."""
    parts = ["\n" * bool(own) + own.removesuffix("\n").replace("\n", ",\n") for own in written]
    objects = [f'{{"sentences": [{part}]}}' for part in parts]
    return '{"texts": [\n' + ",\n".join(objects) + "]}\n" if several else f"{objects[0]}\n"
