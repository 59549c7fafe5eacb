"""Documents as plain dictionaries for JSON and back, and as rows of tables."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from senna.answers import output_of
from senna.answers.base import Annotation, DocumentError, Line, Record, whole
from senna.errors import SennaError
from senna.formats import FORMATS
from senna.formats.base import Style, check_tasks, format_of
from senna.formats.jsonl import record_of as in_json
from senna.formats.jsonl import records
from senna.paths.confidence import Scored
from senna.tasks import in_task_order, task_of
from senna.text.roles import Predicate
from senna.text.schemes import SCHEMES
from senna.text.tokenizer import Tokens

if TYPE_CHECKING:
    from senna.text.markup import Page

Rows = Sequence[Tokens]  # the tokens of each sentence

NOT_TEXT = ("svg", "parquet")  # formats whose output is not one text
TABLES = ("tokens", "spans")
# The user's own values, by the place of what they belong to: see `Document.extra_of`.
Extras = dict[tuple[int | str, ...], dict[str, Any]]
PLACES = ("begins", "starts", "ends")  # of the runs of a `Page`
NUMBERS = ("sentence", "head", "token", "start", "end", "first", "last")  # columns of whole numbers
SPAN_COLUMNS = "task label text start end sentence first last predicate".split()


def lines_of(text: str, rows: Rows) -> list[Line]:
    """The sentences of a text, by their tokens."""
    return [
        Line(text[row.start : row.end], row.start, row) if row else Line("", start, row)
        for row, start in zip(rows, starts_of(rows), strict=True)
    ]


def starts_of(rows: Rows) -> list[int]:
    """Where each sentence starts in the text; one without tokens, where the one before it ends."""
    starts, end = [], 0
    for row in rows:
        starts.append(row.start if row else end)
        end = row.end if row else end
    return starts


def record_of(text: str, row: Tokens, answers: Mapping[str, Any]) -> Record:
    """The flat fields of a sentence in `senna tag --format jsonl`, for comparison."""
    [line] = lines_of(text, [row])
    return in_json(line, answers, "iobes", flat=True)


def to_dict(
    text: str,
    rows: Rows,
    answers: Annotation,
    page: Page | None,
    extras: Extras,
    flat: bool = False,
) -> Record:
    """Text, names of the tasks, and of each sentence what `senna tag --format jsonl` has.

    Of a page also the places of its runs in the source; and the user's own values. `flat`: trees
    are in brackets, since Python compares nested values of some depth only.
    """
    sentences = records(lines_of(text, rows), answers, "iobes", flat)
    record: Record = {"text": text, "tasks": list(answers), "sentences": sentences}
    if page is not None:
        record["page"] = {name: list(getattr(page, name)) for name in PLACES}
    if entries := [
        {"place": list(at), "values": values} for at, values in extras.items() if values
    ]:
        record["extra"] = entries
    return record


def written(
    text: str,
    rows: Rows,
    answers: Annotation,
    format: str,
    scheme: str | None,
    offsets: bool,
) -> str:
    """See `Document.to`."""
    if format not in FORMATS or format in NOT_TEXT:
        known = ", ".join(name for name in FORMATS if name not in NOT_TEXT)
        raise SennaError(f"unknown format {format!r}", mend=f"Choose one of {known}.")
    if scheme is not None and scheme not in SCHEMES:
        mend = f"Choose one of {', '.join(SCHEMES)}."
        raise SennaError(f"unknown tag scheme {scheme!r}", mend=mend)
    check_tasks(format, list(answers), f"Add the task to those of senna.load for {format!r}.")
    form = format_of(format)
    style = Style(scheme or form.scheme, offsets)
    every = lines_of(text, rows)
    there = [i for i, line in enumerate(every) if line.tokens]  # formats have no empty sentences
    lines, number, before = list[Line](), 1, 0
    for line in (every[i] for i in there):
        number, before = number + text.count("\n", before, line.start), line.start
        lines.append(line._replace(opens=not lines, line=number))
    found = {task: [of_task[i] for i in there] for task, of_task in answers.items()}
    return "".join(form.stream([form.write(lines, found, style)], style))


def from_dict(record: Any) -> tuple[str, list[Tokens], Annotation, Page | None, Extras]:
    """The document that `to_dict` was given."""
    number = 0  # of the sentence that is read, from 1
    try:
        text = _text(record["text"])
        tasks = in_task_order(task_of(name).name for name in record["tasks"])
        rows = []
        answers: dict[str, list[Any]] = {task: [] for task in tasks}
        for sentence in record["sentences"]:
            number += 1
            rows.append(_tokens(sentence, len(text)))
            for task, found in answers.items():
                found.append(output_of(task).parse(sentence, task, rows[-1]))
        number = 0
        page = _page(text, record["page"]) if "page" in record else None
        extras = dict(map(_extra, record.get("extra", [])))
    except DocumentError as error:
        raise DocumentError(error.why, number) from None
    except SennaError:
        raise
    except (KeyError, IndexError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise DocumentError(f"{type(error).__name__}: {error}", number) from None
    return text, rows, answers, page, extras


def _tokens(record: Record, end: int) -> Tokens:
    """The tokens of a sentence; they must lie in the text, one after another."""
    tokens = [
        (_text(token["text"]), whole(token["start"]), whole(token["end"]))
        for token in record["tokens"]
    ]
    starts = [start for _, start, _ in tokens]
    if starts != sorted(starts) or not all(0 <= start <= stop <= end for _, start, stop in tokens):
        raise DocumentError("tokens that are not in its text, or are out of order")
    return Tokens.of(tokens)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise DocumentError(f"its text is {value!r:.40}")
    return value


def _extra(entry: Record) -> tuple[tuple[int | str, ...], dict[str, Any]]:
    """The user's own values of what has some place."""
    place, values = entry["place"], entry["values"]
    labels = place[3:]
    if (
        len(place) not in (0, 1, 2, 4)
        or not isinstance(values, dict)
        or labels != [*map(str, labels)]
    ):
        raise DocumentError("extra values of a part that the document does not have")
    return (*map(whole, place[:3]), *labels), values


def _page(text: str, record: Record) -> Page:
    """The page of a text: each of its runs has a place in the source."""
    from senna.text.markup import Page

    begins, starts, ends = ([whole(place) for place in record[name]] for name in PLACES)
    fits = len(begins) - 1 == len(starts) == len(ends) and begins[0] == 0 <= min(starts, default=0)
    if not fits or begins != sorted(begins) or begins[-1] != len(text):
        raise DocumentError("offsets that are not in its text")
    return Page(text, array("q", begins), array("q", starts), array("q", ends))


def to_dataframe(text: str, rows: Rows, answers: Annotation, of: str) -> Any:
    """See `Document.to_dataframe`."""
    if of not in TABLES:
        raise SennaError(f"no table of {of!r}", mend=f"Choose {' or '.join(TABLES)}.")
    try:
        import pandas
    except ImportError:
        raise SennaError("tables need pandas", mend="pip install pandas") from None
    if of == "tokens":
        columns = ["sentence", "token", "text", "start", "end"]
        columns += _values(rows, answers)
        return _typed(pandas.DataFrame(_token_rows(rows, answers), columns=columns))
    scores = any(True for of_task in answers.values() for answer in of_task if _has_scores(answer))
    table = pandas.DataFrame(_span_rows(text, rows, answers), columns=[*SPAN_COLUMNS, "score"])
    table = _typed(table)
    return table if scores else table.drop(columns="score")


def _typed(table: Any) -> Any:
    """The table with the same types of columns however many rows it has."""
    import pandas

    text = pandas.Series(["a"]).dtype
    kinds = {name: "int64" for name in NUMBERS if name in table}
    kinds |= {name: "Int64" for name in ("predicate",) if name in table}  # some are missing
    kinds |= {name: "float64" for name in table if str(name).endswith("score")}
    return table.astype({name: kinds.get(name, text) for name in table})


def _values(rows: Rows, answers: Annotation) -> dict[str, Any]:
    """The columns of values of tokens: tags, heads, and scores if there are any, by sentence."""
    columns: dict[str, Any] = {}
    for task, of_task in answers.items():
        pairs, columns_of = zip(of_task, rows, strict=True), output_of(task).word_columns
        found = [columns_of(task, answer, len(row)) for answer, row in pairs]
        names = (name for of_sentence in found or [columns_of(task, [], 0)] for name in of_sentence)
        for name in dict.fromkeys(names):
            columns[name] = [of_sentence.get(name, []) for of_sentence in found]
    return columns


def _has_scores(answer: Any) -> bool:
    """Whether tags, or those of some predicate, have scores."""
    if isinstance(answer, Scored):
        return bool(answer.scores)
    return isinstance(answer, list) and any(
        _has_scores(predicate.tags) for predicate in answer if isinstance(predicate, Predicate)
    )


def _token_rows(rows: Rows, answers: Annotation) -> list[tuple[Any, ...]]:
    values = _values(rows, answers).values()
    return [
        (i, k, *token, *(column[i][k] for column in values))
        for i, row in enumerate(rows)
        for k, token in enumerate(row)
    ]


def _span_rows(text: str, rows: Rows, answers: Annotation) -> list[tuple[Any, ...]]:
    """A row for all that has a label in a sentence."""
    table = []
    for i, row in enumerate(rows):
        for task, of_task in answers.items():
            answer = of_task[i]
            for span in output_of(task).spans(answer):
                first, last, label = span.phrase
                start, end = row[first].start, row[last - 1].end
                place = (text[start:end], start, end, i, first, last, span.predicate)
                table.append((task, label, *place, span.score(answer)))
    return table
