"""The parts of a document: tokens, spans, constituents, matches and frames."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any, overload

from senna.annotation.dependencies import ROOT, subtree
from senna.annotation.schemes import Phrase
from senna.annotation.trees import Tree, bracketed
from senna.document.serialise import PER_TOKEN
from senna.errors import SennaError
from senna.registry import DRAWINGS, RULES

if TYPE_CHECKING:
    from senna.document.document import Document, Sentence


OURS = {  # names that other packages have for what is here
    "sents": "sentences",
    "sent": "sentence",
    "ents": 'spans("ner")',
    "is_punct": 'upos == "PUNCT"',
    "pos_": "upos",
    "tag_": "pos",
    "lemma_": "lemma",
    "dep_": "deprel",
    "morph": "feats",
    "ent_type_": "ner",
    "label_": "label",
    "i": "index",
    "idx": "start",
    "start_char": "start",
    "end_char": "end",
    "to_array": "to_dataframe()",
}


class Named:
    """A class whose error names the own attribute where another package's name is used."""

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            kind = type(self).__name__
            ours = OURS.get(name, "")
            known = ours and ours.partition("(")[0].partition(" ")[0] in dir(self)
            what = f"{kind!r} object has no attribute {name!r}"
            more = f"; here it is .{ours}" if known else ""
            raise AttributeError(f"{what}{more}", name=name, obj=self)


class Placed(Named):
    """A part of a text, sorted by its place."""

    if TYPE_CHECKING:

        @property
        def start(self) -> int: ...
        @property
        def end(self) -> int: ...

    def __lt__(self, other: Placed) -> bool:
        return (self.start, self.end) < (other.start, other.end)

    def __le__(self, other: Placed) -> bool:
        return (self.start, self.end) <= (other.start, other.end)


@dataclass(frozen=True)
class Token(Placed):
    """A token: characters [start, end) of the text, and its place in its sentence, from 0."""

    text: str
    start: int
    end: int
    index: int
    sentence: Sentence = field(compare=False, repr=False)

    @property
    def doc(self) -> Document:
        """The document that contains it."""
        return self.sentence.doc

    @property
    def pos(self) -> str:
        """The part of speech."""
        return self.tag("pos")

    @property
    def chunk(self) -> str:
        """The chunk tag, in IOBES."""
        return self.tag("chunk")

    @property
    def ner(self) -> str:
        """The tag of names, in IOBES."""
        return self.tag("ner")

    @property
    def lemma(self) -> str:
        """The lemma."""
        return self.tag("lemma")

    @property
    def upos(self) -> str:
        """The universal part of speech."""
        return self.tag("upos")

    @property
    def feats(self) -> str:
        """The morphological features, for example "Number=Plur"; "_" if there are none."""
        return self.tag("feats")

    @property
    def deprel(self) -> str:
        """The relation to the head; "root" for the root."""
        return self.sentence.arcs[self.index].relation

    @property
    def head(self) -> Token | None:
        """The head in the dependency tree; None for the root."""
        head = self.sentence.arcs[self.index].head
        return None if head == ROOT else self.sentence.tokens[head - 1]

    @property
    def children(self) -> list[Token]:
        """The dependents, from left to right."""
        return [self.sentence.tokens[i] for i in self.sentence.below[self.index]]

    @property
    def subtree(self) -> list[Token]:
        """The token and all tokens below it in the dependency tree, from left to right."""
        return [self.sentence.tokens[i] for i in subtree(self.sentence.below, self.index)]

    @property
    def ancestors(self) -> list[Token]:
        """The head, the head of the head, and so on up to the root."""
        ancestors, token = list[Token](), self.head
        while token is not None:
            ancestors.append(token)
            token = token.head
        return ancestors

    def tag(self, task: str) -> str:
        """The tag of a task, plain or in IOBES."""
        return str(self.sentence.answer_of(task, *PER_TOKEN)[self.index])

    def span(self, task: str) -> Span | None:
        """The phrase of a task ("chunk", "ner") that contains the token, or None."""
        spans = self.sentence.spans(task)
        return next((span for span in spans if span.first <= self.index < span.last), None)

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Span(Placed):
    """A labelled phrase: tokens [first, last) of its sentence, characters [start, end) of the text.

    It is a sequence of its tokens. A slice of a sentence has the label "".
    """

    text: str
    label: str
    start: int
    end: int
    first: int
    last: int
    sentence: Sentence = field(compare=False, repr=False)
    score: float | None = None  # how probable it is, where scores were asked for

    @property
    def doc(self) -> Document:
        """The document that contains it."""
        return self.sentence.doc

    @property
    def tokens(self) -> list[Token]:
        """The tokens."""
        return self.sentence.tokens[self.first : self.last]

    def __len__(self) -> int:
        return self.last - self.first

    def __iter__(self) -> Iterator[Token]:
        return iter(self.tokens)

    @overload
    def __getitem__(self, place: int) -> Token: ...

    @overload
    def __getitem__(self, place: slice) -> Span: ...

    def __getitem__(self, place: int | slice) -> Token | Span:
        """A token, or some of them as a `Span`."""
        return part_of(self.sentence, self.first, self.last, place)

    @property
    def value(self) -> str:
        """The value of a span of task value, for example "2021-05-03"; "" if it has none."""
        words = [token.text for token in self.tokens]
        value: str = RULES["value"].value_of(words, self.label)
        return value

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, eq=False, repr=False)
class Constituent(Span):
    """A constituent of a parse tree; a word has no children, and its label is a part of speech.

    It belongs to the tree of its sentence: it is pickled as its number in that.
    """

    children: tuple[Constituent, ...] = ()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Constituent):
            return NotImplemented
        pairs = zip(self.subtrees(), other.subtrees(), strict=False)
        return all(a._fields() == b._fields() for a, b in pairs)

    def __hash__(self) -> int:
        return hash(self._fields())

    def _fields(self) -> tuple[str | int, ...]:
        place = (self.start, self.end, self.first, self.last)
        return (self.text, self.label, *place, len(self.children))

    def __reduce__(self) -> Any:
        return _constituent, (self.sentence, self.sentence.nodes[id(self)][0])

    def __repr__(self) -> str:
        return f"Constituent({self.brackets!r})"

    @property
    def is_leaf(self) -> bool:
        """Whether the constituent is a word."""
        return not self.children

    def subtrees(self, label: str | None = None) -> Iterator[Constituent]:
        """The node and all below it, parents first; with `label`, those with this label."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            if label is None or node.label == label:
                yield node
            waiting += reversed(node.children)

    def leaves(self) -> list[Constituent]:
        """The words from left to right; a word is its own leaf."""
        return [node for node in self.subtrees() if node.is_leaf]

    @property
    def parent(self) -> Constituent | None:
        """The parent constituent; None for the root."""
        return self.sentence.nodes[id(self)][1]

    @property
    def brackets(self) -> str:
        """The tree in brackets on one line, as `--format trees` writes it."""
        tree = Tree("")
        waiting = [(self, tree)]
        while waiting:
            node, copy = waiting.pop()
            copy.children.append(
                Tree(node.label, word=str(node[0]) if node.is_leaf and len(node) else None)
            )
            waiting += [(child, copy.children[-1]) for child in reversed(node.children)]
        return bracketed(tree.children[0])

    def pretty(self) -> str:
        """A drawing with one line per constituent; a word follows its part of speech."""
        return str(DRAWINGS["terminal"].pretty(self))


def _constituent(sentence: Sentence, number: int) -> Constituent:
    return next(islice(sentence.tree.subtrees(), number, None))


@dataclass(frozen=True)
class Match(Span):
    """A match of a pattern; `parts` has the span of each item, or None if it matched nothing."""

    parts: tuple[Span | None, ...] = ()
    pattern: str = ""


@dataclass(frozen=True)
class Frame(Placed):
    """A predicate: the index of its token in the sentence, its span, and its arguments' spans."""

    index: int
    predicate: Span
    arguments: list[Span] = field(hash=False)

    @property
    def start(self) -> int:
        """The first character of the predicate."""
        return self.predicate.start

    @property
    def end(self) -> int:
        """The character after the predicate."""
        return self.predicate.end

    @property
    def sentence(self) -> Sentence:
        """The sentence that contains it."""
        return self.predicate.sentence

    @property
    def texts(self) -> dict[str, str]:
        """The text of each role, V first; the pieces of a role are joined."""
        texts = {self.predicate.label: self.predicate.text}
        for span in self.arguments:
            role = span.label.removeprefix("C-")
            texts[role] = f"{texts[role]} ... {span.text}" if role in texts else span.text
        return texts

    def __str__(self) -> str:
        return ", ".join(f"{role}: {text}" for role, text in self.texts.items())


def part_of(sentence: Sentence, first: int, last: int, place: int | slice) -> Token | Span:
    """One of the tokens [first, last) of a sentence, or some of them as a `Span`."""
    if not isinstance(place, slice):
        return sentence.tokens[first:last][place]
    start, end, step = place.indices(last - first)
    if step != 1:
        raise SennaError(f"every {step}th token is not a span", remedy="Slice sentence.tokens.")
    return sentence.span(Phrase(first + start, first + max(start, end), ""))
