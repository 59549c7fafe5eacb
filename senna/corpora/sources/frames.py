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

from senna.annotation.schemes import Phrase, tags_of
from senna.corpora.catalogue import resource_lines
from senna.corpora.sources.treebanks import kind_of, role_name
from senna.corpora.sources.ud import training_sentences
from senna.corpora.tagged import SourcePaths, hashed

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


def frames(sources: SourcePaths) -> dict[str, str]:
    """The text of verbs, nouns and adjectives, and `inventory.tsv`: every roleset and its roles.

    The columns are those of `srl/ewt`; parts of speech and PT0 are unknown. Left out are examples
    whose annotation is not sound, repeated ones, and sentences that stand, in whole or in part, in
    test data: see docs/corpora.md.
    """
    tagged = (training_sentences(name, sources[f"{name}-train"]) for name in ("ewt", "gum"))
    classifier = WordClasses([sentence for sentences in tagged for sentence in sentences])
    excluded = set(resource_lines("corpora/frames-excluded.txt"))
    texts: dict[str, list[str]] = {"verbs": [], "nouns": [], "adjectives": []}
    inventory, seen = set(), set()
    for element in _rolesets(sources["frames"]):
        inventory.add(_entry(element))
        for example in _examples(element):
            words, roleset = example.words, example.roleset
            found = _annotated(example, classifier)
            if found is None or (key := (roleset, found[0], *words)) in seen:
                continue
            seen.add(key)
            if sentence_hash(words) not in excluded:
                split = {"n": "nouns", "a": "adjectives"}.get(found[1], "verbs")
                texts[split].append(_lines(words, roleset, *found))
    rows = "".join("\t".join(row) + "\n" for row in sorted(inventory))
    return {**{split: "\n".join(text) for split, text in texts.items()}, "inventory.tsv": rows}


def _lines(
    words: Sequence[str], roleset: str, position: int, kind: str, roles: Sequence[Phrase]
) -> str:
    rows = []
    for i, (word, role) in enumerate(
        zip(words, tags_of(roles, len(words), "bracket"), strict=True)
    ):
        predicate = (roleset, kind) if i == position else ("-", "-")
        rows.append("\t".join([str(i + 1), _FORMS.get(word, word), "-", "-", *predicate, role]))
    return "\n".join(rows) + "\n"


def sentence_hash(words: Sequence[str]) -> str:
    """The entry of a sentence in the list of those left out."""
    return hashed(" ".join(words).lower())


def _rolesets(path: Path) -> Iterator[ElementTree.Element]:
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
        arguments = example.findall("propbank/arg")
        try:
            places = [int(place) for place in predicate.get("relloc", "?").split()]
            phrases = [
                Phrase(
                    int(arg.get("start", "?")), int(arg.get("end", "?")) + 1, arg.get("type", "")
                )
                for arg in arguments
            ]
        except ValueError:  # no place is given
            continue
        if (
            places
            and all(0 <= place < len(words) for place in places)
            and (predicate.text or "").split() == [words[place] for place in places]
            and all(
                0 <= start < end <= len(words) and (arg.text or "").split() == words[start:end]
                for (start, end, _), arg in zip(phrases, arguments, strict=True)
            )
        ):
            name = re.match(r"\s*[\w.\-']+?-([vnj])\b", example.get("name", ""))
            word_class = name[1] if name else ""
            yield FrameExample(roleset.get("id", ""), aliases, word_class, words, places, phrases)


def _entry(roleset: ElementTree.Element) -> tuple[str, str, str]:
    """A row of the inventory: a roleset, its lemmas as `lemma:class`, its numbered roles."""
    aliases = {
        f"{(alias.text or '').strip()}:{alias.get('pos') or '-'}" for alias in roleset.iter("alias")
    }
    lemmas = " ".join(alias.replace(" ", "_") for alias in sorted(aliases))
    numbers = {(role.get("n") or "-").upper() for role in roleset.iter("role")}
    roles = " ".join(f"A{number}" for number in sorted(numbers & set("012345A")))
    return roleset.get("id", ""), lemmas, roles


def _annotated(
    example: FrameExample, classifier: WordClasses
) -> tuple[int, str, list[Phrase]] | None:
    """Position, kind and roles of an example's predicate; None where they cannot be used."""
    words = example.words
    arguments = [_renamed(phrase) for phrase in example.arguments]
    if not arguments or None in arguments or any(map(_TRACES.search, words)):
        return None
    if any(word not in _FORMS and _UNSPLIT.search(word) for word in words):
        return None
    place = _place_and_kind(example, classifier)
    if place is None or not _is_form_of(words[place[0]], example):
        return None
    roles = _roles(example, place[0], [phrase for phrase in arguments if phrase])
    return (*place, roles) if roles else None


def _renamed(phrase: Phrase) -> Phrase | None:
    """The argument with its role as CoNLL-2005 wrote it; None for a role of no other corpus."""
    role = role_name(phrase.label).replace("AM-PNC", "AM-PRP")
    whole = role[2:] if role.startswith(("C-", "R-")) else role
    return phrase._replace(label=role) if whole in _ROLES else None


def _place_and_kind(example: FrameExample, classifier: WordClasses) -> tuple[int, str] | None:
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
        if phrases[-1].label == "C-V" and phrases[-1].end == place:
            phrases[-1] = phrases[-1]._replace(end=place + 1)
        else:
            phrases.append(Phrase(place, place + 1, "C-V"))
    phrases = sorted([*phrases, *arguments])
    if any(left.end > right.start for left, right in pairwise(phrases)):
        return []
    labels = {phrase.label for phrase in phrases}
    begun: set[str] = set()
    for i, phrase in enumerate(phrases):
        label = phrase.label
        if label.startswith("C-") and label[2:] not in begun:
            label = label[2:]  # a continuation of nothing is the argument itself,
        elif label in begun and f"C-{label}" in labels:
            label = f"C-{label}"  # which then continues it
        begun.add(label)
        phrases[i] = phrase._replace(label=label)
    return phrases


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
                first = "o" if tag == "NFP" else tag[0]
                word_class = {"V": "v", "N": "n", "J": "j"}.get(first, "o")
                self.classes[word_class] += 1
                self.features.update((feature, word_class) for feature in _features(words, i))

    def most_likely(self, words: Sequence[str], i: int, allowed: Collection[str]) -> str:
        """The most probable of the classes allowed for word i."""
        lower = [_FORMS.get(word, word).lower() for word in words]

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
