"""The main path: text in, models in the order of what they need, names remembered, output.

`tag_pieces` tags and writes pieces of the input, which hold whole sentences, by themselves, so that
memory does not grow with the input; only names are remembered from piece to piece.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from functools import partial
from itertools import accumulate, pairwise
from typing import Any, TypeVar

import numpy as np

from senna.inference.workspace import Block, Workspace
from senna.kinds import output_of
from senna.kinds.answer import Annotation
from senna.pipeline.blocks import LongSentences, blocks
from senna.pipeline.format import Piece, check_tasks
from senna.pipeline.memory import Memory
from senna.pipeline.models import NOTHING, Given, Models, Places, Sentences
from senna.pipeline.options import Conversion, Reading
from senna.pipeline.stream import Tagged, given_of, lines_of, new_memory
from senna.pipeline.threads import one_thread
from senna.pipeline.workers import in_order
from senna.tasks import PARSER, RULED, in_task_order
from senna.text.capitals import as_read

T = TypeVar("T")


class Pipeline(Models):
    """Loaded models that tag tokenised sentences. Several threads may call it at once."""

    @classmethod
    def of(cls, reading: Reading) -> Pipeline:
        """Load the models that some options name."""
        lists = dict(reading.gazetteer or {})
        tasks, folder, finder = reading.tasks, reading.folder, reading.predicates
        return cls.load(tasks, folder, finder, reading.asked, lists, reading.force)

    def annotate(
        self,
        sentences: Sentences,
        given: Given = NOTHING,
        predicates: Places | None = None,
    ) -> Annotation:
        """The answers of each task for tokenised sentences, whose predicates are given or found.

        They do not depend on which sentences come together. Very long sentences are tagged part by
        part, and no predicates are looked for in them.
        """
        self.check(sentences, given, predicates)
        cut = LongSentences(sentences)
        columns = {name: cut.cut(tags) for name, tags in given.items()}
        places = None if predicates is None else cut.cut_places(predicates)
        answers: Annotation = {task: [] for task in self.runs}
        space = self.workspace()
        # Weights of a damaged folder may be too large; that is seen in what it finds.
        with one_thread(), np.errstate(over="ignore", invalid="ignore"):
            for block in blocks(cut.sentences):
                here = {name: tags[block] for name, tags in columns.items()}
                places_here = None if places is None else places[block]
                of_models = self._block(cut.sentences[block], here, places_here, space)
                for task, i in self.runs.items():
                    answers[task] += of_models[i][task]
        self.idle.append(space)
        for task in answers:
            answers[task] = cut.join(task, answers[task], predicates is not None)
            self.complete(task, sentences, answers)
        for task in set(self.tasks).intersection(RULED):
            answers[task] = [output_of(task).complete([], forms, {}) for forms in sentences]
        return {task: answers[task] for task in self.tasks}

    def _block(
        self, sentences: Sentences, given: Given, predicates: Places | None, space: Workspace
    ) -> list[Annotation]:
        """The answers of each model, by task."""
        read = list(map(as_read, sentences)) if self.marks else sentences
        flat, places = space.number(read, self.margin)
        lengths = np.array([len(forms) for forms in sentences], np.int64)
        answers: list[Annotation] = []
        # Trees that are given are not looked for.
        spared = set(given) & {PARSER} - set(self.runs)
        for i, network in enumerate(self.networks):
            answers.append({})
            serves = self.serves[i] - spared
            if not serves:
                continue
            of_models = {t: answers[k][t] for t, k in self.reads[i].items() if t not in spared}
            earlier = {**given, **of_models}
            block = Block(flat, places, lengths, {}, None, sentences, earlier)
            block = network.read(block, space)
            x = network.encode(block, space)
            for task in in_task_order(serves):
                request = self.request(task, sentences, answers, predicates)
                block = block._replace(earlier=earlier | self.needed(task, answers, i))
                answers[i][task] = list(network.heads[task](x, block, request))
        return answers

    def annotate_documents(
        self, documents: Sequence[Sentences], remembers: bool
    ) -> list[Annotation]:
        """The answers for each document, a list of tokenised sentences; all are tagged together."""
        words = [words for sentences in documents for words in sentences]
        annotation = self.annotate(words)
        if remembers:  # earlier names of a document change later ones
            opens = [i == 0 for sentences in documents for i in range(len(sentences))]
            Memory(self.fixed).recall(words, opens, annotation)
        ends = pairwise(accumulate(map(len, documents), initial=0))
        return [{task: rows[i:k] for task, rows in annotation.items()} for i, k in ends]


def tag_piece(pipeline: Pipeline, piece: Piece, reading: Conversion) -> Tagged:
    """The sentences of a piece, and what is found in them."""
    lines = lines_of(piece, reading)
    words = [line.words for line in lines]
    return Tagged(lines, pipeline.annotate(words, *given_of(piece, words, pipeline, reading)))


def tag_pieces(
    pieces: Iterator[Piece],
    reading: Conversion,
    make: Callable[[Tagged], T],
    jobs: int,
    load: Callable[[], Pipeline] | None = None,
) -> Generator[tuple[Piece, T], None, None]:
    """Pieces, in order, with what `make` makes of their tagged sentences; in `jobs` processes.

    `load` gives the models, if not those that `reading` names.
    """
    memory = new_memory(reading) if reading.remembers else None
    there = make if memory is None else None  # made where it is tagged
    work = partial(_tagger, load or partial(Pipeline.of, reading), reading, there)
    with closing(in_order(work, pieces, jobs)) as results:
        for piece, tagged in results:
            if memory is not None:
                if piece.opens:
                    memory.forget()
                tagged = make(tagged.remembering(memory))
            yield piece, tagged


def _tagger(
    load: Callable[[], Pipeline], reading: Conversion, make: Callable[[Tagged], Any] | None
) -> Callable[[Piece], Any]:
    """A function that tags pieces in a process, and makes what is asked for of the result."""
    pipeline = load()
    check_tasks(reading.format, pipeline.tasks)
    tag = partial(tag_piece, pipeline, reading=reading)
    return (lambda piece: make(tag(piece))) if make else tag
