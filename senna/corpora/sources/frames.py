"""The example sentences of PropBank's frame files: one predicate each, with its arguments."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree
from zipfile import ZipFile

from senna.corpora.catalogue import resource_lines
from senna.corpora.sources.docred import hashed
from senna.corpora.sources.propbank import kind_of, role_name
from senna.corpora.sources.ud import training_sentences
from senna.corpora.tagged import SourcePaths
from senna.text.schemes import Phrase, tags_of

EXCLUDED = "corpora/frames-excluded.txt"
SPLITS = {"n": "nouns", "a": "adjectives"}  # by kind of predicate; all others are verbs

_BRACKETS = dict(
    zip("-LRB- -RRB- -LSB- -RSB- -LCB- -RCB- -LRB -RRB".split(), "()[]{}()", strict=True)
)
_FORMS = {**_BRACKETS, "``": '"', "''": '"'}
_TRACES = re.compile(r"^\[*\*.*\*|^\*(-\d+)?$|^\[\*|\]+-\d+$|^0$|^\[\w|\w\]$")  # and antecedents
_UNSPLIT = re.compile(  # words that still hold a punctuation mark or a clitic
    r"\w[,;?!:]$|\wn['’]t$|\w{3}['’](s|re|ll|ve|d|m)$|^[\"“(]\w|[a-z][\"”)]$", re.IGNORECASE
)
_ROLES = frozenset(  # those of the other corpora
    """A0 A1 A2 A3 A4 A5 AA AM-ADJ AM-ADV AM-CAU AM-COM AM-CXN AM-DIR AM-DIS AM-EXT AM-GOL AM-LOC
    AM-LVB AM-MNR AM-MOD AM-NEG AM-PRD AM-PRP AM-PRR AM-REC AM-TMP""".split()
)
_CLASSES = {"v": "VB", "n": "NN", "j": "JJ"}  # of aliases, and a tag of each
_OTHER_CLASSES = frozenset("xprf")
_BE = frozenset("is are was were am 's 're 'm".split())
_SMOOTHING = 0.3
_VOCABULARY = 20_000  # words, roughly, that the smoothing reckons with


class FrameExample(NamedTuple):
    """One example as the frame file has it."""

    roleset: str
    aliases: list[tuple[str, str]]  # lemma and word class: v, n, j, or a rarer one
    word_class: str  # in the example's name, or ""
    words: list[str]
    predicate: list[int]  # positions of its words
    arguments: list[Phrase]  # labels as in the source


class RolesetSentence(NamedTuple):
    """A sentence with one predicate and its roles, named as in CoNLL-2005."""

    words: list[str]
    position: int
    roleset: str
    kind: str  # as of `propbank.PropBankPredicate`
    roles: list[Phrase]

    def lines(self) -> str:
        """Its lines in the columns of `srl/ewt`; parts of speech and PT0 are unknown."""
        roles = tags_of(self.roles, len(self.words), "bracket")
        rows = []
        for i, (word, role) in enumerate(zip(self.words, roles, strict=True)):
            predicate = (self.roleset, self.kind) if i == self.position else ("-", "-")
            rows.append("\t".join([str(i + 1), form_of(word), "-", "-", *predicate, role]))
        return "\n".join(rows) + "\n"


def frames(sources: SourcePaths) -> dict[str, str]:
    """The text of verbs, nouns and adjectives, and `inventory.tsv`: every roleset and its roles.

    Left out are sentences that stand, in whole or in part, in test data: see docs/corpora.md.
    """
    excluded = set(resource_lines(EXCLUDED))
    texts: dict[str, list[str]] = {"verbs": [], "nouns": [], "adjectives": []}
    for proposition in propositions(sources):
        if sentence_hash(proposition.words) not in excluded:
            texts[SPLITS.get(proposition.kind, "verbs")].append(proposition.lines())
    inventory = "".join("\t".join(row) + "\n" for row in sorted(_inventory(sources["frames"])))
    return {**{split: "\n".join(text) for split, text in texts.items()}, "inventory.tsv": inventory}


def form_of(word: str) -> str:
    """A word as the corpus has it: brackets and quotation marks as they are printed."""
    return _FORMS.get(word, word)


def sentence_hash(words: Sequence[str]) -> str:
    """The entry of a sentence in the list of those left out: 12 hexadecimal digits."""
    return hashed(" ".join(words).lower())


def propositions(sources: SourcePaths) -> Iterator[RolesetSentence]:
    """The examples whose annotation is sound, in the order of the files; each only once."""
    classifier = WordClasses(
        [
            *training_sentences("ewt", sources["ewt-train"]),
            *training_sentences("gum", sources["gum-train"]),
        ]
    )
    seen = set()
    for roleset in _rolesets(sources["frames"]):
        for example in _examples(roleset):
            proposition = _proposition(example, classifier)
            if proposition is None:
                continue
            key = proposition.roleset, proposition.position, tuple(proposition.words)
            if key not in seen:
                seen.add(key)
                yield proposition


# --------------------------------------------------------------------------- frame files


def _rolesets(path: Path) -> Iterator[ElementTree.Element]:
    """The rolesets of all files; two files are not well-formed and are skipped."""
    with ZipFile(path) as files:
        for name in sorted(name for name in files.namelist() if name.endswith(".xml")):
            try:
                yield from ElementTree.fromstring(files.read(name)).iter("roleset")
            except ElementTree.ParseError:
                continue


def _examples(roleset: ElementTree.Element) -> Iterator[FrameExample]:
    """The examples whose places of the predicate and of its arguments agree with their words."""
    aliases = [(alias.text or "", alias.get("pos", "")) for alias in roleset.iter("alias")]
    for example in roleset.iter("example"):
        words = (example.findtext("text") or "").split()
        predicate = example.find("propbank/rel")
        if predicate is None:
            continue
        try:
            places = [int(place) for place in predicate.get("relloc", "?").split()]
            arguments = [
                (
                    Phrase(
                        int(arg.get("start", "?")),
                        int(arg.get("end", "?")) + 1,
                        arg.get("type", ""),
                    ),
                    arg,
                )
                for arg in example.findall("propbank/arg")
            ]
        except ValueError:  # no place is given
            continue
        if not places or not all(0 <= place < len(words) for place in places):
            continue
        if (predicate.text or "").split() != [words[place] for place in places]:
            continue
        if all(
            0 <= start < end <= len(words) and (arg.text or "").split() == words[start:end]
            for (start, end, _), arg in arguments
        ):
            name = re.match(r"\s*[\w.\-']+?-([vnj])\b", example.get("name", ""))
            phrases = [phrase for phrase, _ in arguments]
            yield FrameExample(
                roleset.get("id", ""), aliases, name[1] if name else "", words, places, phrases
            )


def _inventory(path: Path) -> set[tuple[str, str, str]]:
    """(roleset, its lemmas as `lemma:class`, its numbered roles) of every roleset."""
    rows = set()
    for roleset in _rolesets(path):
        aliases = {
            f"{(alias.text or '').strip()}:{alias.get('pos') or '-'}"
            for alias in roleset.iter("alias")
        }
        numbers = {(role.get("n") or "-").upper() for role in roleset.iter("role")}
        rows.add(
            (
                roleset.get("id", ""),
                " ".join(alias.replace(" ", "_") for alias in sorted(aliases)),
                " ".join(f"A{number}" for number in sorted(numbers & set("012345A"))),
            )
        )
    return rows


# --------------------------------------------------------------------------- one example


def _proposition(example: FrameExample, classifier: WordClasses) -> RolesetSentence | None:
    """The roles of an example, or None where its annotation cannot be used."""
    words = example.words
    arguments = [_renamed(phrase) for phrase in example.arguments]
    if any(map(_TRACES.search, words)) or not arguments or None in arguments:
        return None
    if any(word not in _FORMS and _UNSPLIT.search(word) for word in words):
        return None
    place = _place_and_kind(example, classifier)
    if place is None or not _is_form_of(words[place[0]], example):
        return None
    position, kind = place
    roles = _roles(example, position, [phrase for phrase in arguments if phrase])
    return RolesetSentence(words, position, example.roleset, kind, roles) if roles else None


def _renamed(phrase: Phrase) -> Phrase | None:
    """The argument with its role as CoNLL-2005 wrote it; None for a role of no other corpus."""
    role = role_name(phrase.label).replace("AM-PNC", "AM-PRP")
    return (
        phrase._replace(label=role) if role[2 * role.startswith(("C-", "R-")) :] in _ROLES else None
    )


def _place_and_kind(example: FrameExample, classifier: WordClasses) -> tuple[int, str] | None:
    """Position and kind of the predicate's first word that is a verb, noun or adjective."""
    words, places = example.words, set(example.predicate)
    classes = {word_class for _, word_class in example.aliases}
    for i in sorted(places):
        prefixed = words[i + 1 : i + 2] == ["-"] and {i + 1, i + 2} <= places  # re - open
        if prefixed and "_" not in example.roleset:
            continue
        fitting = {c for lemma, c in example.aliases if c in _CLASSES and _fits(words[i], lemma, c)}
        word_class = example.word_class
        if word_class not in fitting:
            known = classes & set(_CLASSES) or set(_CLASSES)
            others = known | {"o"} if len(places) > 1 else known
            word_class = classifier.most_likely(words, i, fitting or others)
        if word_class != "o" and (word_class == "n" or not classes <= _OTHER_CLASSES):
            return i, kind_of(example.roleset, _CLASSES[word_class])
    return None


def _fits(word: str, lemma: str, word_class: str) -> bool:
    """Whether a word may be a form of a lemma of that class."""
    word, lemma = word.lower(), lemma.lower().split("_")[0]
    if word_class == "v":
        return word.startswith(lemma[:-1]) and len(word) - len(lemma) <= 4
    if word_class == "n":
        return word in (lemma, lemma + "s", lemma + "es", lemma[:-1] + "ies")
    return word in (lemma, lemma + "r", lemma + "er", lemma + "est", lemma + "st")


def _is_form_of(word: str, example: FrameExample) -> bool:
    """Whether the word can belong to the roleset; some places point at an auxiliary."""
    word, lemma = word.lower(), example.roleset.split(".")[0].lower()
    parts = "_".join([lemma, *(alias.lower() for alias, _ in example.aliases)]).split("_")
    if any(part[:1] == word[:1] for part in parts) or (len(word) > 2 and word[:4] in lemma):
        return True
    return ("go" in parts and word == "went") or ("be" in parts and word in _BE)


def _roles(example: FrameExample, position: int, arguments: Sequence[Phrase]) -> list[Phrase]:
    """V, C-V for the predicate's later words, and the arguments; empty where they overlap."""
    later = sorted(place for place in set(example.predicate) if place > position)
    while later and not any(map(str.isalnum, example.words[later[-1]])):
        later.pop()
    phrases = [Phrase(position, position + 1, "V")]
    for place in later:
        start, end, label = phrases[-1]
        if label == "C-V" and end == place:
            phrases[-1] = Phrase(start, place + 1, label)
        else:
            phrases.append(Phrase(place, place + 1, "C-V"))
    phrases = sorted([*phrases, *arguments])
    if any(left.end > right.start for left, right in pairwise(phrases)):
        return []
    labels = {label for _, _, label in phrases}
    begun: set[str] = set()
    for i, (start, end, label) in enumerate(phrases):
        if label.startswith("C-") and label[2:] not in begun:
            label = label[2:]  # a continuation of nothing is the argument itself,
        elif label in begun and f"C-{label}" in labels:
            label = f"C-{label}"  # which then continues it
        begun.add(label)
        phrases[i] = Phrase(start, end, label)
    return phrases


# --------------------------------------------------------------------------- verb, noun, adjective


class WordClasses:
    """Naive Bayes over tagged sentences: whether a word is v (verb), n, j (adjective) or o (other).

    It looks at the word, its last three letters and its neighbours.
    """

    def __init__(self, sentences: Collection[Sequence[tuple[str, str]]]) -> None:
        self.classes: Counter[str] = Counter()
        self.features: Counter[tuple[str, str]] = Counter()
        for sentence in sentences:
            words = [word.lower() for word, _ in sentence]
            for i, (_, tag) in enumerate(sentence):
                word_class = (
                    {"V": "v", "N": "n", "J": "j"}.get(tag[0], "o") if tag != "NFP" else "o"
                )
                self.classes[word_class] += 1
                self.features.update((feature, word_class) for feature in _features(words, i))

    def most_likely(self, words: Sequence[str], i: int, allowed: Collection[str]) -> str:
        """The most probable of the classes allowed for word i."""
        lower = [form_of(word).lower() for word in words]

        def log_probability(word_class: str) -> float:
            n = self.classes[word_class]
            counts = (self.features[feature, word_class] for feature in _features(lower, i))
            total = n + _SMOOTHING * _VOCABULARY
            prior = math.log(n / self.classes.total())
            return prior + sum(math.log((count + _SMOOTHING) / total) for count in counts)

        return max(sorted(allowed), key=log_probability)


def _features(words: Sequence[str], i: int) -> tuple[str, str, str, str]:
    before = words[i - 1] if i else "<"
    after = words[i + 1] if i + 1 < len(words) else ">"
    return f"w{words[i]}", f"s{words[i][-3:]}", f"p{before}", f"n{after}"
