"""Sentences tagged by our models, for the original's columns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from senna.extras.classic.lines import Found, VerbTags, Word, byte_places, spaced, text_of
from senna.extras.classic.options import ORIGINAL_TASKS, Options
from senna.model.folder import shipped
from senna.pipeline.pipeline import Pipeline

_OURS = {"chk": "chunk"}  # our names of tasks, where they are others


class PackageModels:
    """The package's models of the requested tasks; `say` gets a line for each that is loaded."""

    exact = False

    def __init__(self, options: Options, say: Callable[[str], None]) -> None:
        ready = shipped()
        all_ = [task for task in ORIGINAL_TASKS if _OURS.get(task, task) in ready]
        self.tasks = options.tasks or tuple(all_)
        self._options = options
        names = [_OURS.get(task, task) for task in self.tasks]
        given = "srl" in names and bool(options.verbs_file or options.pos_verbs)
        # Verbs by their parts of speech: those with roles are all of them.
        by_pos = given and not options.verbs_file
        wanted = [*names, "pos"] if by_pos else names
        for name in wanted:
            say(f"loading model: {ready.get(name, name)}")
        self._pipeline = Pipeline.load(wanted, predicates="given" if given else "auto")
        self._pos = Pipeline(["pos"], self._pipeline.networks) if by_pos else None
        say("ready")

    def words(self, line: bytes) -> list[Word]:
        """The words of a line, cut in the old convention but spelt as they stand there."""
        if self._options.user_tokens:
            return spaced(line)
        from senna.text.tokenizer import tokenize

        line = line.replace(b"\0", b" ")
        try:
            text = line.decode("utf-8")
        except UnicodeDecodeError:
            text = line.decode("latin-1")  # so that letters are letters
            at: Sequence[int] = range(len(line) + 1)
        else:
            at = byte_places(text)
        words: list[Word] = []
        for _, first, last in tokenize(text, "classic"):
            start, end = at[first], at[last]
            if not words or start >= words[-1].end:  # `U.S.` and the point that it shares
                words.append(Word(text_of(line[start:end]), start, end))
        return words

    def tag(
        self, sentences: Sequence[Sequence[Word]], verbs: Sequence[Sequence[int]] | None
    ) -> list[Found]:
        """The answers of the tasks for sentences; `verbs` are theirs, or None to find them."""
        forms = [[word.text for word in sentence] for sentence in sentences]
        if self._pos is not None:
            tags = self._pos.annotate(forms)["pos"]
            verbs = [
                [i for i, tag in enumerate(sentence_tags) if tag.startswith("V")]
                for sentence_tags in tags
            ]
        annotation = self._pipeline.annotate(forms, predicates=verbs)
        return [
            {task: _as_classic(task, annotation[_OURS.get(task, task)][i]) for task in self.tasks}
            for i in range(len(sentences))
        ]


def _as_classic(task: str, result: Any) -> Any:
    """The answers for one sentence, as the writer of columns takes them."""
    if task == "srl":
        return VerbTags(
            [predicate.position for predicate in result], [predicate.tags for predicate in result]
        )
    if task == "psg":
        from senna.annotation.trees import cells_of_tree

        return cells_of_tree(result)
    return result
