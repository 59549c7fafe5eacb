"""Measures tagging on the texts of tests/quality, by kind: a thermometer.

    python scripts/measure_quality.py [--model MODEL]... [--errors]
        [--spans | --arcs | --frames | --cuts | --lemmas | --constructions | --values]

The texts were written and tagged by hand for this purpose. No model may learn from them, and
nothing may be chosen on them. Their README says what the files hold and how they were tagged.

The models are those of the package; `--model`, a name or a folder, once or more, takes the place of
these for the tasks that it has. `--errors` lists what is wrong. Without another option gold tokens
of thirty texts are tagged, a document at a time: "pos" is the share of words with the right part of
speech; P, R and F1 are of names, as conlleval counts; "sentences" and "tokens" are the shares of
gold ones that the splitter cuts from the raw text, both ends right. The options measure

--spans          short sentences, right as a whole: verbs with their frames, names
--arcs           subjects, objects, roots and clauses of simple sentences
--frames         predicates and roles in sentences of twelve kinds
--cuts           where short texts are cut into sentences and tokens
--lemmas         lemmas of inflected forms
--constructions  one decision in each of some hundred sentences of nineteen kinds
--values         dates, times, money, quantities and numbers in raw text, with their values; and
                 generated forms of these (tests/extras/value_forms.py), of which half is held out
"""

import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from common import command, parser_of, table_head, table_row

import senna
from senna.annotation.dependencies import ROOT, Arc
from senna.annotation.predicates import VERB
from senna.annotation.schemes import Phrase, convert, phrases_of
from senna.files import open_text
from senna.kinds.scores import Figures, percent
from senna.model.folder import model_path
from senna.scoring import accuracy, conlleval
from senna.scoring.conlleval import TaggedSentence
from senna.text.sentences import split

TEXTS = Path(__file__).resolve().parents[1] / "tests" / "quality"


@command
def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("--model", action="append", default=[])
    parser.add_argument("--errors", action="store_true")
    for name in REPORTS:
        parser.add_argument(f"--{name}", dest="report", action="store_const", const=name)
    chosen = parser.parse_args()
    tasks, report = REPORTS[chosen.report or "texts"]
    for line in report(tagger(tasks, chosen.model), chosen.errors):
        print(line)


def tagger(tasks: Sequence[str], models: Sequence[str]) -> senna.Nlp:
    """The package's models of tasks, but for those named: their models, or that of predicates."""
    paths: dict[str, Path] = {}
    for name in models:
        has = senna.load(None, name).tasks
        if not {*has} & {*tasks}:
            raise senna.SennaError(f"it tags no {' or '.join(tasks)}", where=f"--model {name}")
        paths |= dict.fromkeys(has, model_path(name))
    own = {task: path for task, path in paths.items() if task in tasks}
    return senna.load(list(tasks), own or None, predicates=paths.get("predicates", "auto"))


# --------------------------------------------------------------------------- what reports share


def lines_of(path: Path) -> Iterator[tuple[str, str]]:
    """The lines of a file, each after its place for messages."""
    with open_text(path) as file:
        for number, line in enumerate(file, start=1):
            yield f"{path}:{number}", line.rstrip("\n")


def counted(kind: str, n: int, wrong: Sequence[str], errors: bool) -> Iterator[str]:
    """The row of a kind of so many items, and the lines about those that are wrong."""
    yield table_row(kind, n, n - len(wrong))
    yield from wrong if errors else ()


def shares(right: Sequence[bool]) -> list[str]:
    """How many there are, how many are right, and the share of these."""
    return [str(len(right)), str(sum(right)), f"{percent(sum(right), len(right)):.1f}"]


def find(phrase: str, words: Sequence[str], where: str, label: str = "") -> Phrase:
    """The tokens of a phrase: the first ones of its form, or those with a number, as `she#2`."""
    numbered = re.fullmatch("(.+)#([1-9])", phrase.strip())
    form, number = numbered.groups() if numbered else (phrase, "1")
    tokens = form.split()
    starts = [i for i in range(len(words)) if list(words[i : i + len(tokens)]) == tokens]
    if int(number) > len(starts):
        raise senna.SennaError(f"the sentence has no {phrase.strip()}", where=where)
    start = starts[int(number) - 1]
    return Phrase(start, start + len(tokens), label)


def bracketed(words: Sequence[str], spans: Sequence[Phrase]) -> str:
    """A sentence with its spans in brackets: `[A0 The dog] barks`."""
    cells = list(words)
    for span in spans:
        cells[span.start] = f"[{span.label} {cells[span.start]}"
        cells[span.end - 1] += "]"
    return " ".join(cells)


def compared(words: Sequence[str], gold: Sequence[Phrase], ours: Sequence[Phrase]) -> str:
    return f"{bracketed(words, gold)}  tagged  {bracketed(words, ours)}"


# --------------------------------------------------------------------------- texts

Cut = tuple[int, int]  # characters of a text, end exclusive


class Sentence(NamedTuple):
    """Words with their gold tags (names in IOB2), and where they stand in the document's text."""

    words: list[str]
    pos: list[str]
    ner: list[str]
    cuts: list[Cut]

    @property
    def cut(self) -> Cut:
        return self.cuts[0][0], self.cuts[-1][1]


class Document(NamedTuple):
    """A text as people would type it, and what a careful reader sees in it."""

    kind: str
    name: str
    text: str
    sentences: list[Sentence]


class Result(NamedTuple):
    """What was found in a document: tags of its gold sentences, and cuts of its raw text."""

    document: Document
    pos: list[list[str]]
    ner: list[list[str]]  # IOB2
    sentence_cuts: set[Cut]
    token_cuts: set[Cut]

    def tagged(self, task: str) -> list[TaggedSentence]:
        """The sentences with gold and found tags of a task."""
        return [
            TaggedSentence(sentence.words, getattr(sentence, task), predicted)
            for sentence, predicted in zip(
                self.document.sentences, getattr(self, task), strict=True
            )
        ]


def texts(nlp: senna.Nlp, errors: bool, paths: Sequence[Path] = ()) -> Iterator[str]:
    """The table of texts."""
    documents = [d for path in paths or sorted(TEXTS.glob("*.txt")) for d in read_texts(path)]
    results = [measured(document, nlp) for document in documents]
    yield table_head("kind", "words", "pos", "names", "P", "R", "F1", "sentences", "tokens")
    for kind in dict.fromkeys(document.kind for document in documents):
        yield text_row(kind, [result for result in results if result.document.kind == kind])
    yield text_row("all", results)
    for result in results if errors else ():
        yield f"\n{result.document.kind}, {result.document.name}"
        yield from (f"  {line}" for line in text_errors(result))


def read_texts(path: Path) -> list[Document]:
    """The documents of a file; SennaError, with the line, for what is not in its format."""
    kind, documents, words, start = "", list[tuple[str, list[str], list[Sentence]]](), [], ""
    for where, line in [*lines_of(path), ("", "")]:
        head, _, rest = line.partition(":")
        if head == "# kind":
            kind = rest.strip()
        elif head == "# document":
            documents.append((rest.strip(), [], []))
        elif documents and head == "# text":
            documents[-1][1].append(rest.removeprefix(" "))
        elif line:
            columns = line.split("\t")
            if not kind or not documents or len(columns) != 3:
                what = f'"{line}" is no word with its two tags in a document of a kind'
                raise senna.SennaError(what, where=where)
            words.append(columns)
            start = start or where
        elif words:
            _, text, sentences = documents[-1]
            after = sentences[-1].cut[1] if sentences else 0
            sentences.append(placed(words, "\n".join(text), after, start))
            words, start = [], ""
    return [Document(kind, name, "\n".join(text), rest) for name, text, rest in documents]


def placed(columns: Sequence[Sequence[str]], text: str, after: int, where: str) -> Sentence:
    """A sentence of rows of word and tags, whose words follow one another in the text."""
    cuts: list[Cut] = []
    for word, *_ in columns:
        start = text.find(word, after)
        if start < 0 or text[after:start].strip():
            raise senna.SennaError(f'the text does not go on with "{word}"', where=where)
        after = start + len(word)
        cuts.append((start, after))
    words, pos, ner = map(list, zip(*columns, strict=True))
    return Sentence(words, pos, ner, cuts)


def measured(document: Document, nlp: senna.Nlp) -> Result:
    """A document tagged and split."""
    tags = nlp.tag([sentence.words for sentence in document.sentences])
    names = [convert(own, "iobes", "iob2") for own in tags["ner"]]
    offsets = [[(token.start, token.end) for token in s] for s in split(document.text)]
    sentences = {(cuts[0][0], cuts[-1][1]) for cuts in offsets}
    tokens = {cut for cuts in offsets for cut in cuts}
    return Result(document, tags["pos"], names, sentences, tokens)


def text_row(kind: str, results: Sequence[Result]) -> str:
    words = accuracy.score(one for result in results for one in result.tagged("pos"))
    names = conlleval.score(one for result in results for one in result.tagged("ner"))
    sentences = [s.cut in r.sentence_cuts for r in results for s in r.document.sentences]
    tokens = [c in r.token_cuts for r in results for s in r.document.sentences for c in s.cuts]
    figures = [names.overall.precision, names.overall.recall, names.overall.f1]
    figures += [percent(sum(right), len(right)) for right in (sentences, tokens)]
    cells = [f"{words.gold.total():,}", f"{words.accuracy:.1f}", f"{names.gold.total():,}"]
    return table_row(kind, *cells, *(f"{figure:.1f}" for figure in figures))


def text_errors(result: Result) -> Iterator[str]:
    """What is wrong in a document."""
    document = result.document
    for sentence, pos, ner in zip(document.sentences, result.pos, result.ner, strict=True):
        words = sentence.words
        if sentence.cut not in result.sentence_cuts:
            yield f"sentence not cut: {document.text[slice(*sentence.cut)]}"
        for word, cut in zip(words, sentence.cuts, strict=True):
            if cut not in result.token_cuts:
                yield f"token not cut: {word}"
        pairs = enumerate(zip(sentence.pos, pos, strict=True))
        wrong = [Phrase(at, at + 1, f"{gold}:{ours}") for at, (gold, ours) in pairs if gold != ours]
        if wrong:
            yield bracketed(words, wrong)
        names, found = phrases_of(sentence.ner, "iob2"), phrases_of(ner, "iob2")
        if names != found:
            yield compared(words, names, found)


# --------------------------------------------------------------------------- spans

# Of each file: its task and the labels of its spans. `[A0 The dog] [V barks] .` marks the verb and
# its core roles, `[PER Mary] and [PER John] left .` all names.
SPANS = {"roles": ("srl", ("A0", "A1", "V")), "names": ("ner", ("PER", "LOC", "ORG", "MISC"))}
Spans = tuple[list[str], list[Phrase]]  # the words of a sentence, its spans in order


def spans(nlp: senna.Nlp, errors: bool) -> Iterator[str]:
    """The table of sentences with bracketed spans."""
    wrong: list[str] = []
    yield table_head("spans", "sentences", "right", "share")
    for name, (task, labels) in SPANS.items():
        sentences = read_spans(TEXTS / "spans" / f"{name}.txt", labels)
        pairs = list(zip(sentences, found_spans(task, sentences, nlp), strict=True))
        yield table_row(name, *shares([gold == ours for (_, gold), ours in pairs]))
        wrong += [
            f"  {compared(words, gold, ours)}" for (words, gold), ours in pairs if gold != ours
        ]
    yield from wrong if errors else ()


def read_spans(path: Path, labels: Sequence[str]) -> list[Spans]:
    return [marked(line, labels, where) for where, line in lines_of(path) if line.strip()]


def marked(line: str, labels: Sequence[str], where: str) -> Spans:
    """A sentence with marks such as `[A0 The dog]`."""
    words: list[str] = []
    found: list[Phrase] = []
    for before, label, inside in re.findall(r"([^\[]*)(?:\[(\S+) ([^\[\]]+)\])?", line):
        words += before.split()
        if inside:
            found.append(Phrase(len(words), len(words) + len(inside.split()), label))
            words += inside.split()
    known = all(span.label in labels for span in found)
    if bracketed(words, found) != line or "]" in "".join(words) or not known:
        raise senna.SennaError("a mark that cannot be read", where=where)
    return words, found


def found_spans(task: str, sentences: Sequence[Spans], nlp: senna.Nlp) -> list[list[Phrase]]:
    """The names of each sentence, or its verb's core roles; none where it is no predicate."""
    words = [words for words, _ in sentences]
    if task == "ner":
        return [phrases_of(tags, "iobes") for tags in nlp.tag(words)["ner"]]
    found = []
    for (_, gold), own in zip(sentences, frames_of(words, nlp), strict=True):
        [verb] = [span for span in gold if span.label == VERB]
        core = [span for span in own.get(verb.start, ()) if span.label in ("A0", "A1")]
        found.append(sorted([verb, *core]) if verb.start in own else [])
    return found


# --------------------------------------------------------------------------- arcs

KINDS = {  # relations, without subtypes, that a row of the table counts
    "root": ("root",),
    "subject": ("nsubj", "csubj"),
    "object": ("obj", "iobj"),
    "clause": ("ccomp", "xcomp", "advcl", "acl", "parataxis", "conj"),
}
Arcs = tuple[list[str], dict[int, Arc]]  # words, and arcs of some of them by their places


def arcs(nlp: senna.Nlp, errors: bool) -> Iterator[str]:
    """The table of arcs."""
    sentences = read_arcs(TEXTS / "arcs" / "clauses.txt")
    found = [doc[0].arcs for doc in nlp.pipe([words for words, _ in sentences])]
    yield from arc_rows(sentences, found)
    yield from wrong_arcs(sentences, found) if errors else ()


def read_arcs(path: Path) -> list[Arcs]:
    return [expected(line, where) for where, line in lines_of(path) if line.strip()]


def expected(line: str, where: str) -> Arcs:
    """A sentence of a line: `She left . | left nsubj=She`, after each `;` another head."""
    sentence, bar, groups = line.partition(" | ")
    words = sentence.split()
    if not bar:
        raise senna.SennaError("no bar between words and arcs", where=where)
    found: dict[int, Arc] = {}

    def add(word: str, head: int, relation: str) -> None:
        place = find(word, words, where).start
        if place in found:
            raise senna.SennaError(f"two heads of {word}", where=where)
        found[place] = Arc(head, relation)

    for number, group in enumerate(groups.split(";")):
        head, *pairs = group.split()
        if number == 0:
            add(head, ROOT, "root")
        for pair in pairs:
            relation, equals, word = pair.partition("=")
            if not equals:
                raise senna.SennaError(f"{pair} is no relation=word", where=where)
            add(word, find(head, words, where).start + 1, relation)
    return words, found


def arc_rows(sentences: Sequence[Arcs], found: Sequence[Sequence[Arc]]) -> Iterator[str]:
    """The shares of arcs with the right head and relation, subtypes aside, by kind, and of all."""
    rows = [
        [(plain(arc), plain(arc) == plain(ours[i])) for i, arc in gold.items()]
        for (_, gold), ours in zip(sentences, found, strict=True)
    ]
    every = [one for row in rows for one in row]
    yield table_head("arcs", "all", "right", "share")
    for name, relations in KINDS.items():
        yield table_row(name, *shares([right for arc, right in every if arc[1] in relations]))
    yield table_row("all", *shares([right for _, right in every]))
    yield table_row("sentences", *shares([all(right for _, right in row) for row in rows]))


def wrong_arcs(sentences: Sequence[Arcs], found: Sequence[Sequence[Arc]]) -> Iterator[str]:
    """Each arc that is wrong, in its sentence."""
    for (words, gold), own in zip(sentences, found, strict=True):
        heads = ["the root", *words]
        for i, arc in gold.items():
            if plain(arc) != plain(own[i]):
                ours = f"{own[i].relation} of {heads[own[i].head]}"
                right = f"{arc.relation} of {heads[arc.head]}"
                yield f"  {words[i]}: {right}, found as {ours}: {' '.join(words)}"


def plain(arc: Arc) -> tuple[int, str]:
    """Head and relation, without subtype."""
    return arc.head, arc.relation.partition(":")[0]


# --------------------------------------------------------------------------- frames

Frames = Mapping[int, Sequence[Phrase]]  # the arguments of each predicate in order, by its place
Framed = tuple[list[str], Frames]


def frames(nlp: senna.Nlp, errors: bool) -> Iterator[str]:
    """The table of frames."""
    kinds = {path.stem: read_frames(path) for path in sorted((TEXTS / "frames").glob("*.txt"))}
    answers = {
        kind: frames_of([words for words, _ in sentences], nlp) for kind, sentences in kinds.items()
    }
    yield table_head("frames", "sentences", "right", "share", "P", "R", "F1")
    for kind, sentences in kinds.items():
        yield frame_row(kind, sentences, answers[kind])
    every = [one for sentences in kinds.values() for one in sentences]
    yield frame_row("all", every, [one for answer in answers.values() for one in answer])
    for kind, sentences in kinds.items() if errors else ():
        yield from (f"  {kind}: {line}" for line in wrong_frames(sentences, answers[kind]))


def frames_of(sentences: Sequence[list[str]], nlp: senna.Nlp) -> list[Frames]:
    """The frames that are found in sentences."""
    return [
        {predicate.position: predicate.arguments for predicate in predicates}
        for predicates in nlp.roles(sentences)
    ]


def read_frames(path: Path) -> list[Framed]:
    """A line of tokens, a line such as `left: A0 he | AM-TMP early` per predicate, a blank line."""
    sentences: list[Framed] = []
    words: list[str] = []
    own: dict[int, list[Phrase]] = {}
    for where, line in lines_of(path):
        if not line.strip():
            words = []
        elif not words:
            words, own = line.split(), {}
            sentences.append((words, own))
        else:
            place, arguments = frame(line, words, where)
            if place in own:
                raise senna.SennaError(f"two frames of {words[place]}", where=where)
            own[place] = arguments
    return sentences


def frame(line: str, words: Sequence[str], where: str) -> tuple[int, list[Phrase]]:
    """The place of a line's predicate, and its arguments."""
    verb, colon, rest = line.partition(":")
    if not colon:
        raise senna.SennaError("no colon after the predicate", where=where)
    predicate = find(verb, words, where, VERB)
    cells = [cell.split(maxsplit=1) for cell in rest.split("|") if rest.strip()]
    if any(len(cell) < 2 for cell in cells):
        raise senna.SennaError("a role without its phrase", where=where)
    arguments = sorted(find(phrase, words, where, label) for label, phrase in cells)
    for one, other in pairwise(sorted([predicate, *arguments])):
        if other.start < one.end:
            raise senna.SennaError(f"{one.label} and {other.label} overlap", where=where)
    return predicate.start, arguments


def frame_row(kind: str, sentences: Sequence[Framed], answers: Sequence[Frames]) -> str:
    """The sentences with the right predicates and roles, and the figures of all arguments."""
    pairs = [(gold, ours) for (_, gold), ours in zip(sentences, answers, strict=True)]
    gold, ours = (
        {(i, place, one) for i, own in enumerate(side) for place in own for one in own[place]}
        for side in zip(*pairs, strict=True)
    )
    figures = Figures.of(len(gold), len(ours), len(gold & ours))
    measures = (figures.precision, figures.recall, figures.f1)
    right = shares([gold == ours for gold, ours in pairs])
    return table_row(kind, *right, *(f"{figure:.1f}" for figure in measures))


def wrong_frames(sentences: Sequence[Framed], answers: Sequence[Frames]) -> Iterator[str]:
    """Each frame that is not as expected, and what was found in its place."""
    for (words, gold), answer in zip(sentences, answers, strict=True):
        for place in sorted({*gold, *answer}):
            if gold.get(place) != answer.get(place):
                verb = Phrase(place, place + 1, VERB)
                both = (
                    sorted([verb, *own[place]]) if place in own else [] for own in (gold, answer)
                )
                yield compared(words, *both)


# --------------------------------------------------------------------------- cuts


def cuts(nlp: senna.Nlp | None, errors: bool) -> Iterator[str]:
    """The table of cuts, from files with a text per line."""
    yield table_head("kind", "texts", "right")
    for path in sorted((TEXTS / "cuts").glob("*.txt")):
        pairs = [(line, cut(line)) for _, line in lines_of(path)]
        wrong = [f"{line}\n  cut as: {found}" for line, found in pairs if found != line]
        yield from counted(path.stem, len(pairs), wrong, errors)


def cut(line: str) -> str:
    """A line as it would be if it showed what the splitter or the tokenizer does.

    `|` stands where a sentence ends, `\\n` for a line break; after a tab all tokens follow.
    """
    text, tab, _ = line.partition("\t")
    if tab:
        sentences = split(text.replace("\\n", "\n"))
        return f"{text}\t{' | '.join(' '.join(sentence.words) for sentence in sentences)}"
    text = line.replace(" |", "").replace("\\n", "\n")
    marked, after = "", 0
    for sentence in split(text)[:-1]:
        end = sentence[-1].end
        marked, after = marked + text[after:end] + " |", end
    return (marked + text[after:]).replace("\n", "\\n").replace("\\n |", " |\\n")


# --------------------------------------------------------------------------- lemmas

PATTERNS = {
    "past": "Yesterday they {} it again .",
    "participle": "They have {} it again .",
    "plural": "We saw the other {} there .",
    "ed": "Yesterday they {} it .",
    "s": "She {} it often .",
    "ing": "They are {} it now .",
}


def lemmas(nlp: senna.Nlp, errors: bool) -> Iterator[str]:
    """The table of inflected forms."""
    yield table_head("lemmas", "all", "right")
    for path in sorted((TEXTS / "lemmas").glob("*.txt")):
        items = read_lemmas(path)
        sentences = [PATTERNS[name].format(form).split() for name, form, _ in items]
        answers = zip(items, sentences, nlp.tag(sentences)["lemma"], strict=True)
        found = [(form, own[words.index(form)], right) for (_, form, right), words, own in answers]
        wrong = [f"  {form}: {own}, expected {right}" for form, own, right in found if own != right]
        yield from counted(path.stem.replace("-", " "), len(found), wrong, errors)


def read_lemmas(path: Path) -> list[tuple[str, str, str]]:
    """The pattern, form and lemma of each form of a file."""
    items = []
    for row in (line.split() for _, line in lines_of(path) if line and not line.startswith("#")):
        if path.stem == "irregular-verbs":  # past tense, participle, lemma
            items += [("past", row[0], row[2]), ("participle", row[1], row[2])]
        elif path.stem == "irregular-plurals":
            items.append(("plural", row[0], row[1]))
        else:
            items.append((row[1], row[0], row[2]))
    return items


# --------------------------------------------------------------------------- constructions

# The task of each kind of decision, and which of its words is a label and none of the sentence's.
DECISIONS = {
    "frame": ("srl", None),  # frame made: made is a predicate
    "role": ("srl", 1),  # role killed A1 the king
    "arc": ("dep", 1),  # arc died root: a word, its relation (without subtype), its head
    "pos": ("pos", 1),  # pos Merge VB
    "name": ("ner", 0),  # name LOC LISBON
}


class Item(NamedTuple):
    """A sentence and what must be found in it: the kind of it, and its words."""

    words: list[str]
    kind: str
    rest: list[str]


def constructions(nlp: senna.Nlp, errors: bool) -> Iterator[str]:
    """The table of constructions."""
    yield table_head("constructions", "sentences", "right")
    for path in sorted((TEXTS / "constructions").glob("*.txt")):
        items = [item(line, where) for where, line in lines_of(path)]
        answers = nlp.pipeline.annotate([item.words for item in items])
        wrong = [
            f"  {' '.join(one.words)} | {' '.join([one.kind, *one.rest])}"
            for i, one in enumerate(items)
            if not right(one, {task: answers[task][i] for task, _ in DECISIONS.values()})
        ]
        yield from counted(path.stem.replace("-", " "), len(items), wrong, errors)


def item(line: str, where: str) -> Item:
    """The sentence of a line: `FIRE IN LISBON | name LOC LISBON`."""
    sentence, _, decision = line.partition(" | ")
    kind, *rest = decision.split() or [""]
    words = sentence.split()
    label = DECISIONS[kind][1] if kind in DECISIONS else None
    unknown = [word for i, word in enumerate(rest) if i != label and word not in words]
    if kind not in DECISIONS or not rest or unknown:
        what = f"{' '.join(unknown) or decision!r} is no decision about the sentence"
        raise senna.SennaError(what, where=where)
    return Item(words, kind, rest)


def right(item: Item, answers: Mapping[str, Any]) -> bool:
    """Whether the answers about a sentence, by task, have what must be found."""
    words, kind, (first, *rest) = item
    if kind == "pos":
        return bool(answers["pos"][words.index(first)] == rest[0])
    if kind == "name":
        names = phrases_of(answers["ner"], "iobes")
        return (first, rest) in [(name.label, words[name.start : name.end]) for name in names]
    place = words.index(first)
    if kind == "arc":
        head = words.index(rest[1]) + 1 if rest[1:] else 0
        return plain(answers["dep"][place]) == (head, rest[0])
    found = {predicate.position: predicate.arguments for predicate in answers["srl"]}
    if kind == "frame":
        return place in found
    return (rest[0], rest[1:]) in [(a.label, words[a.start : a.end]) for a in found.get(place, ())]


# --------------------------------------------------------------------------- values

VALUES = ("DATE", "TIME", "MONEY", "PERCENT", "QUANTITY", "ORDINAL", "CARDINAL")
MARKED = re.compile(r"\[([A-Z]+)\|([^|\]]*)\|([^\]]*)\]")
Valued = dict[tuple[int, int, str], str]  # characters, end exclusive, and a label: its value


def values(nlp: senna.Nlp, errors: bool) -> Iterator[str]:
    """The tables of values: spans with both ends and the label right, and right values of gold;
    of each kind of generated forms the share that is right, and that has a wrong value.
    """
    sentences = read_values(TEXTS / "values" / "values.txt")
    found: list[Valued] = [
        {(span.start, span.end, span.label): span.value for span in doc.spans("value")}
        for doc in nlp.pipe([text for text, _ in sentences])
    ]
    yield table_head("label", "spans", "P", "R", "F1", "values")
    for name in (*VALUES, "all"):
        counts = [0, 0, 0, 0]
        for (_, gold), ours in zip(sentences, found, strict=True):
            wanted, own = ([s for s in side if name in (s[2], "all")] for side in (gold, ours))
            right = [span for span in wanted if span in ours]
            valued = [span for span in right if ours[span] == gold[span]]
            counts = [n + len(x) for n, x in zip(counts, (wanted, own, right, valued), strict=True)]
        figures = Figures.of(*counts[:3])
        cells = [figures.precision, figures.recall, figures.f1, percent(counts[3], counts[0])]
        yield table_row(name, counts[0], *(f"{cell:.1f}" for cell in cells))
    yield ""
    yield from generated(nlp)
    for (text, gold), ours in zip(sentences, found, strict=True) if errors else ():
        for span in sorted(gold.keys() | ours.keys()):
            if gold.get(span) != ours.get(span):
                start, end, label = span
                yield f"  {label} {text[start:end]}: {gold.get(span)}, found {ours.get(span)}"


def generated(nlp: senna.Nlp) -> Iterator[str]:
    """The table of generated forms, of which half is held out: no rule was written with it."""
    sys.path.append(str(TEXTS.parents[1]))
    from tests.extras import value_forms

    every = [*value_forms.forms()]
    docs = nlp.pipe([form.text for form in every])
    rows: dict[str, list[list[bool]]] = {}
    for form, doc in zip(every, docs, strict=True):
        found = [(span.text, span.label, span.value) for span in doc.spans("value")]
        wrong = any(span not in form.values and span[2] for span in found)
        for kind in (form.kind, "all", *(["all, held out"] if form.held_out else [])):
            rows.setdefault(kind, []).append([found == form.values, wrong])
    yield table_head("forms", "texts", "right", "wrong values")
    for kind in sorted(rows, key=lambda kind: kind.startswith("all")):
        right, wrong = zip(*rows[kind], strict=True)
        yield table_row(kind, *shares(right)[::2], shares(wrong)[2])


def read_values(path: Path) -> list[tuple[str, Valued]]:
    """Sentences with spans such as `[DATE|2021-05-03|3 May 2021]`, a line each."""
    sentences = []
    for where, line in lines_of(path):
        text, spans, last = "", Valued(), 0
        for mark in MARKED.finditer(line):
            label, value, words = mark.groups()
            text += line[last : mark.start()]
            spans[len(text), len(text) + len(words), label] = value
            text, last = text + words, mark.end()
        text += line[last:]
        if "[" in text or "|" in text or any(label not in VALUES for *_, label in spans):
            raise senna.SennaError("a mark that cannot be read", where=where)
        sentences.append((text, spans))
    return sentences


Report = Callable[..., Iterator[str]]  # of models and whether errors are listed
REPORTS: dict[str, tuple[tuple[str, ...], Report]] = {  # with the tasks of their models
    "texts": (("pos", "ner"), texts),
    "spans": (("srl", "ner"), spans),
    "arcs": (("dep",), arcs),
    "frames": (("srl",), frames),
    "cuts": (("pos",), cuts),
    "lemmas": (("pos", "lemma"), lemmas),
    "constructions": (("pos", "ner", "dep", "srl"), constructions),
    "values": (("value",), values),
}


if __name__ == "__main__":
    sys.exit(main())
