"""Make sentences of constructions that open text seldom has, from pieces of labelled sentences.

usage: python recipe/make_constructions.py --labels DIR --out DIR [--each N] [--kinds web]

The first DIR has dep.xz (recipe/teacher/unpack.py). Noun phrases, infinitives, gerunds, clauses
and relative clauses are cut out of its trees and put together anew: imperatives (*Merge the
branch*), bare infinitives (*He saw Tom fall*), clauses as subjects (*To swim is fun*), stranded
prepositions (*Who did she talk to?*), two prepositions (*to and from the station*), and main verbs
of one word after a relative clause (*The dog that bit me died*). With `--kinds web` they are yes/no
questions (*Will the judge rule?*), comparatives and superlatives as adverbs (*She paints better*)
and as adjectives, captions (*A girl in a boat waving*), and phrases before a subject without a
comma (*At dawn birds sang*); verbs of tests/quality are left out. The second DIR gets
constructions-dep.xz (CoNLL-U), constructions-pos.xz (words and Penn tags) and
constructions-predicates.xz.
"""

import random
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

from teacher.unpack import Writers, formatted

from scripts.common import command, parser_of
from senna.files import open_text
from senna.formats.conllu_lines import read_conllu
from senna.settings import read_table


class Token(NamedTuple):
    """A word of a fragment; `head` counts from the fragment's start, and is -1 for its root."""

    form: str
    upos: str
    xpos: str
    feats: str
    head: int
    relation: str


Fragment = list[Token]

PRESENT = "Mood=Ind|Number=Sing|Person=3|Tense=Pres|VerbForm=Fin"
PAST = "Mood=Ind|Number=Sing|Person=3|Tense=Past|VerbForm=Fin"
TABLES = read_table(Path(__file__).with_suffix(".toml"))
LISTS = {name: words.split() for name, words in TABLES["lists"].items()}
PERSONS = TABLES["persons"]
DEGREES = TABLES["degrees"]
PAIRS = TABLES["pairs"] | {second: first for first, second in TABLES["pairs"].items()}


def word(form: str, known: Sequence[str] | None = None) -> Fragment:
    """A fragment of one word."""
    return [Token(form, *(known or TABLES["words"][form]), -1, "root")]


def join(*parts: tuple[Fragment, int, str]) -> Fragment:
    """Fragments in a row; each depends on the part of the given number (-1: none) by a relation."""
    starts = [sum(len(part) for part, _, _ in parts[:i]) for i in range(len(parts))]
    roots = [
        start + next(i for i, t in enumerate(part) if t.head < 0)
        for start, (part, _, _) in zip(starts, parts, strict=True)
    ]
    joined = []
    for start, (part, to, relation) in zip(starts, parts, strict=True):
        for token in part:
            if token.head >= 0:
                joined.append(token._replace(head=token.head + start))
            else:
                joined.append(token._replace(head=roots[to] if to >= 0 else -1, relation=relation))
    return joined


def sentences(path: Path) -> Iterator[Fragment]:
    """The trees of a file."""
    with open_text(path) as file:
        for sentence in read_conllu(file, name=str(path)):
            yield [
                Token(form, upos, xpos, feats, int(head) - 1, relation)
                for _, form, _, upos, xpos, feats, head, relation, _, _ in sentence.words
            ]


class Node(NamedTuple):
    """A word with what depends on it: the first and the last word under it, their number."""

    token: Token
    place: int
    low: int
    high: int
    size: int
    below: frozenset[str]  # relations of its dependents, without subtypes
    clauses: bool  # one of them is a relative clause


LONGEST = 8  # words of a piece
OBJECTS = {"obj", "iobj", "ccomp", "xcomp", "compound"}


def nodes(tree: Fragment) -> Iterator[Node]:
    """The words of a tree."""
    low, high, size = list(range(len(tree))), list(range(len(tree))), [1] * len(tree)
    below: list[set[str]] = [set() for _ in tree]
    for i, token in enumerate(tree):
        if token.head >= 0:
            below[token.head].add(token.relation)
        j = token.head
        while j >= 0:
            low[j], high[j], size[j] = min(low[j], i), max(high[j], i), size[j] + 1
            j = tree[j].head
    for i, token in enumerate(tree):
        relations = frozenset(relation.split(":")[0] for relation in below[i])
        yield Node(token, i, low[i], high[i], size[i], relations, "acl:relcl" in below[i])


def pieces(trees: Iterator[Fragment]) -> dict[str, list[Fragment]]:
    """The fragments that trees have, by kind."""
    found: dict[str, list[Fragment]] = defaultdict(list)
    for tree in trees:
        for node in nodes(tree) if len(tree) <= 40 else ():
            for kind, start, end in _kinds(node, tree):
                found[kind].append(_cut(tree, start, end))
    return found


def _kinds(node: Node, tree: Fragment) -> Iterator[tuple[str, int, int]]:
    """The kinds of piece of which a word is the root, with the first word and the end."""
    token, i, low, high, _, below, _ = node
    if not token.form.isalpha():
        return
    if token.xpos == "VBZ" and token.upos == "VERB" and "nsubj" in below and not below & OBJECTS:
        yield "present", i, i + 1
    if token.xpos == "VBD" and token.upos == "VERB" and "nsubj" in below and "aux" not in below:
        if not below & (OBJECTS | {"obl"}):
            yield "intransitive", i, i + 1
        if "obj" in below and not below & (OBJECTS - {"obj"}):
            yield "transitive", i, i + 1
    after = tree[i + 1] if i + 1 < len(tree) else token
    if token.xpos == "VB" and (after.xpos, after.relation) == ("IN", "case"):
        phrase = tree[after.head]
        if (phrase.relation, phrase.head) == ("obl", i) and not below & OBJECTS:
            yield "verb with preposition", i, i + 2
    if node.size == high - low + 1 <= LONGEST and all(_plain(t) for t in tree[low : high + 1]):
        yield from ((kind, start, high + 1) for kind, start in _whole(node, tree))


def _plain(token: Token) -> bool:
    return token.form.isalpha() and token.upos not in ("PUNCT", "SYM", "X")


def _whole(node: Node, tree: Fragment) -> Iterator[tuple[str, int]]:
    """The kinds of piece that a word and all below it are, with the first word."""
    token, i, low, high, size, below, clauses = node
    first = tree[low]
    if (
        token.xpos == "VB"
        and (first.xpos, first.head) == ("TO", i)
        and not below & {"aux", "nsubj"}
    ):
        yield "infinitive", low + 1
    elif token.xpos == "VBG" and token.upos == "VERB" and low == i and "conj" not in below:
        yield "gerund", low
    elif (
        token.xpos in ("VBD", "VBZ") and token.upos == "VERB" and first.relation in ("nsubj", "det")
    ):
        if "nsubj" in below and not below & {"aux", "mark", "cc", "conj", "expl", "csubj"}:
            yield "clause", low
    elif token.relation.startswith("nsubj") and not below & {"conj", "appos"}:
        if clauses:
            yield "relative", low
        elif size <= 3 and token.xpos in ("NN", "NNP", "NNS") and not below & {"acl", "case"}:
            yield "noun", low
    elif token.relation == "obl" and first.form in PAIRS and first.head == i and high > low:
        yield "place", low


def _cut(tree: Fragment, start: int, end: int) -> Fragment:
    """Words as a fragment: heads outside become the root."""
    return [
        token._replace(head=token.head - start if start <= token.head < end else -1)
        for token in tree[start:end]
    ]


class Maker:
    """Draws pieces and puts them together."""

    def __init__(self, found: dict[str, list[Fragment]]) -> None:
        self.draw = random.Random(1)
        self.pieces = found
        nouns = {t.form for piece in found["noun"] for t in piece if t.xpos == "NN"}
        alone = [piece for piece in found["infinitive"] if len(piece) == 1]
        either = [piece for piece in alone if piece[0].form in nouns - set(LISTS["held"])]
        found["noun or verb"] = either or alone or found["infinitive"]
        common = [p for p in found["noun"] if len(p) > 1 and p[-1].upos == "NOUN"]
        found["common noun"] = common or found["noun"]

    def piece(self, kind: str) -> Fragment:
        """A piece of a kind, its first letter as inside a sentence."""
        piece = list(self.draw.choice(self.pieces[kind]))
        first = piece[0]
        if first.upos != "PROPN" and first.form != "I" and not first.form.isupper():
            piece[0] = first._replace(form=first.form.lower())
        return piece

    def short(self, kind: str, most: int) -> Fragment:
        """A piece of at most so many words, if one of a hundred is."""
        for _ in range(100):
            piece = self.piece(kind)
            if len(piece) <= most:
                break
        return piece

    def subject(self) -> Fragment:
        """A noun phrase or a pronoun."""
        if self.draw.random() < 0.5:
            return self.piece("noun")
        form = self.draw.choice(list(PERSONS))
        return word(form, PERSONS[form])

    def past(self, form: str) -> Fragment:
        """A verb in the past."""
        return word(form, ("VERB", "VBD", PAST))

    def judged(self) -> Fragment:
        """A predicate without its subject: "is hard", "surprised the men", "helped"."""
        if self.draw.random() < 0.5:
            adjective = word(self.draw.choice(LISTS["judged"]), ("ADJ", "JJ", "Degree=Pos"))
            return join((word(self.draw.choice(["is", "was"])), 1, "cop"), (adjective, -1, "root"))
        if self.draw.random() < 0.5:
            verb = self.draw.choice(LISTS["happens"])
            return word(verb, ("VERB", "VBZ", PRESENT)) if verb.endswith("s") else self.past(verb)
        return join(
            (self.past(self.draw.choice(LISTS["moved"])), -1, "root"),
            (self.piece("noun"), 0, "obj"),
        )

    def imperative(self) -> Fragment:
        """An infinitive as a command; half of them without articles, as cooks write."""
        piece = self.short("infinitive", 6)
        if self.draw.random() < 0.5:
            kept = [i for i, t in enumerate(piece) if t.relation not in ("det", "nmod:poss")]
            place = {-1: -1, **{i: k for k, i in enumerate(kept)}}
            piece = [
                piece[i]._replace(head=place[piece[i].head]) for i in kept if piece[i].head in place
            ]
        root = next(i for i, t in enumerate(piece) if t.head < 0)
        piece[root] = piece[root]._replace(relation="root", feats="Mood=Imp|VerbForm=Fin")
        if self.draw.random() < 0.4:
            return piece
        return join((piece, -1, "root"), (word("."), 0, "punct"))

    def bare_infinitive(self) -> Fragment:
        """An infinitive without "to" after a verb of perceiving or causing."""
        verb = self.past(self.draw.choice(LISTS["senses"]))
        infinitive = self.short("infinitive", self.draw.choice([1, 1, 2, 4]))
        return join(
            (self.subject(), 1, "nsubj"),
            (verb, -1, "root"),
            (self.piece("noun"), 1, "obj"),
            (infinitive, 1, "xcomp"),
            (word("."), 1, "punct"),
        )

    def clause_as_subject(self) -> Fragment:
        """An infinitive, a gerund, or a clause with "that" or "whether" as the subject."""
        kind = self.draw.choice(["infinitive", "gerund", "that", "whether"])
        if kind == "infinitive":
            clause = self.short(kind, 4)
            clause = join((word("to"), 1, "mark"), (clause, -1, "csubj"))
        elif kind == "gerund":
            clause = self.short(kind, self.draw.choice([1, 2, 4]))
        else:
            clause = join((word(kind), 1, "mark"), (self.short("clause", 6), -1, "csubj"))
        return join((clause, 1, "csubj"), (self.judged(), -1, "root"), (word("."), 1, "punct"))

    def stranded(self) -> Fragment:
        """A question or a relative clause that ends in a preposition."""
        verb, preposition = ([t] for t in self.draw.choice(self.pieces["verb with preposition"]))
        if self.draw.random() < 0.6:
            if self.draw.random() < 0.3:
                noun = word(self.draw.choice(LISTS["asked"]), ("NOUN", "NN", "Number=Sing"))
                asked = join((word("which"), 1, "det"), (noun, -1, "obl"))
            else:
                asked = word(self.draw.choice(["who", "what"]))
            return join(
                (asked, 3, "obl"),
                (word(self.draw.choice(["did", "will", "can"])), 3, "aux"),
                (self.subject(), 3, "nsubj"),
                (verb, -1, "root"),
                (preposition, 0, "case"),
                (word("?"), 3, "punct"),
            )
        form = self.draw.choice(["who", "that"])
        person = self.draw.choice(["they", "we", "you", "I"])
        present = verb[0]._replace(xpos="VBP", feats=PRESENT.replace("Sing", "Plur"))
        clause = join(
            (word(form, TABLES["relative"][form]), 2, "obl"),
            (word(person, PERSONS[person]), 2, "nsubj"),
            ([present], -1, "acl:relcl"),
            (preposition, 0, "case"),
        )
        return join(
            (word("this"), 2, "nsubj"),
            (word("is"), 2, "cop"),
            (self.piece("noun"), -1, "root"),
            (clause, 2, "acl:relcl"),
            (word("."), 2, "punct"),
        )

    def two_prepositions(self) -> Fragment:
        """A clause whose phrase has two prepositions."""
        place = self.piece("place")
        other = word(PAIRS[place[0].form], ("ADP", "IN", "_"))
        second = join((word("and"), 1, "cc"), (other, -1, "conj"))
        moved = [t._replace(head=t.head + 2 if t.head > 0 else t.head) for t in place[1:]]
        both = [
            place[0]._replace(head=place[0].head + 2),
            *(t._replace(head=t.head + 1 if t.head >= 0 else 0) for t in second),
            *moved,
        ]
        verb = self.piece("intransitive")
        return join(
            (self.subject(), 1, "nsubj"),
            (verb, -1, "root"),
            (both, 1, "obl"),
            (word("."), 1, "punct"),
        )

    def yes_no_question(self) -> Fragment:
        """A question with an auxiliary, a noun phrase, and an infinitive that may be a noun."""
        noun = self.piece("noun")
        several = any(t.head < 0 and t.xpos == "NNS" for t in noun)
        form = self.draw.choice(["do" if several else "does", *LISTS["auxiliaries"]])
        kind = "noun or verb" if self.draw.random() < 0.7 else "infinitive"
        return join(
            (word(form), 2, "aux"),
            (noun, 2, "nsubj"),
            (self.short(kind, self.draw.choice([1, 3])), -1, "root"),
            (word("?"), 2, "punct"),
        )

    def degree(self) -> Fragment:
        """A comparative or superlative, an adverb after a verb or an adjective after a copula."""
        form = self.draw.choice(list(DEGREES))
        tag, degree = DEGREES[form]
        said = word(form, ("ADV", f"RB{tag}", f"Degree={degree}"))
        if self.draw.random() < 0.3:
            said = word(form, ("ADJ", f"JJ{tag}", f"Degree={degree}"))
            copula = [word("was"), word("is")][self.draw.random() < 0.5]
            parts = [(self.piece("noun"), 2, "nsubj"), (copula, 2, "cop"), (said, -1, "root")]
            if tag == "S":
                said = join((word("the"), 1, "det"), (said, -1, "root"))
                parts[2] = (said, -1, "root")
            verb = adverb = 2
        else:
            kind = self.draw.choice(["present", "intransitive", "transitive", "infinitive"])
            parts = [(self.subject() if kind != "present" else self.piece("noun"), 1, "nsubj")]
            verb, adverb = 1, 2
            if kind == "infinitive":
                parts[0] = (parts[0][0], 2, "nsubj")
                parts.append((word(self.draw.choice(["can", "will", "did"])), 2, "aux"))
                verb, adverb = 2, 3
            parts.append((self.short(kind, 3), -1, "root"))
            if kind == "transitive":
                parts.append((self.piece("common noun"), 1, "obj"))
                adverb = 3
            parts.append((said, verb, "advmod"))
        if tag == "R" and self.draw.random() < 0.4:
            than = join((word("than"), 1, "case"), (self.subject(), -1, "obl"))
            parts.append((than, adverb, "obl"))
        return join(*parts, (word("."), verb, "punct"))

    def caption(self) -> Fragment:
        """A noun with a gerund, and most often with a phrase between them."""
        gerund = self.short("gerund", self.draw.choice([1, 1, 3, 5]))
        while gerund[0].form in LISTS["held"]:
            gerund = self.short("gerund", 3)
        parts = [(self.piece("common noun"), -1, "root")]
        if self.draw.random() < 0.7:
            parts.append((self.short("place", 4), 0, "nmod"))
        parts.append((gerund, 0, "acl"))
        if self.draw.random() < 0.7:
            parts.append((word("."), 0, "punct"))
        return join(*parts)

    def phrase_first(self) -> Fragment:
        """A phrase with a preposition and, without a comma, a subject and its verb."""
        return join(
            (self.short("place", 3), 2, "obl"),
            (self.short("noun", self.draw.choice([1, 1, 2])), 2, "nsubj"),
            (self.piece("intransitive"), -1, "root"),
            (word("."), 2, "punct"),
        )

    def one_word_verb(self) -> Fragment:
        """A subject with a relative clause, and a main verb of one word."""
        verb = self.piece("intransitive")
        if self.draw.random() < 0.5:
            return join(
                (self.piece("relative"), 1, "nsubj"), (verb, -1, "root"), (word("."), 1, "punct")
            )
        clause = join((self.subject(), 1, "nsubj"), (self.piece("transitive"), -1, "acl:relcl"))
        while (noun := self.piece("noun"))[-1].upos == "PROPN" or len(noun) < 2:
            continue
        return join(
            (join((noun, -1, "nsubj"), (clause, 0, "acl:relcl")), 1, "nsubj"),
            (verb, -1, "root"),
            (word("."), 1, "punct"),
        )


@command
def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("--labels", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--each", type=int, default=1500, help="sentences of each construction")
    parser.add_argument("--kinds", choices=("rare", "web"), default="rare")
    args = parser.parse_args()
    maker = Maker(pieces(sentences(args.labels / "dep.xz")))
    kinds = {
        "rare": (
            *(maker.imperative, maker.bare_infinitive, maker.clause_as_subject),
            *(maker.stranded, maker.two_prepositions, maker.one_word_verb),
        ),
        "web": (maker.yes_no_question, maker.degree, maker.caption, maker.phrase_first),
    }
    made = [make() for make in kinds[args.kinds] for _ in range(args.each)]
    maker.draw.shuffle(made)
    args.out.mkdir(parents=True, exist_ok=True)
    with ExitStack() as held:
        out = Writers(args.out, held)
        for sentence in made:
            write(out, sentence)
    found = ", ".join(f"{len(of_kind):,} {kind}" for kind, of_kind in maker.pieces.items())
    print(f"{len(made):,} sentences of pieces: {found}")


def write(out: Writers, sentence: Fragment) -> None:
    """Write a sentence into each file."""
    words, upos, xpos, feats, heads, relations = map(list, zip(*sentence, strict=True))
    words[0] = words[0][0].upper() + words[0][1:]
    of = {
        "upos": upos,
        "pos": xpos,
        "feats": feats,
        "dep": [(head + 1, relation) for head, relation in zip(heads, relations, strict=True)],
        "predicates": [k for k, tag in enumerate(upos) if tag == "VERB"],
    }
    for task in ("dep", "pos", "predicates"):
        out.write(f"constructions-{task}", formatted(task, words, of))


if __name__ == "__main__":
    sys.exit(main())
