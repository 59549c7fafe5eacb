"""From a network's last layer to lemmas: the best rule of each word, applied to its form.

The rule that the table of known forms and endings has for a form and its part of speech counts
more, that of a known form most: both together are better than the table or the network alone. Known
forms of verbs and plurals of nouns are taken from the table (`fell` is a form of `fall`), and those
of which the network has no rule (`swam`). The lemma of an unknown one is the most frequent known
word of which English spelling makes the form, or the form itself where nobody knows the network's
lemma: neither the network nor the table of endings knows which lemmas are words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from senna.decoding.requests import PLAIN, Request
from senna.inference.exact import Floats
from senna.inference.kernel.index import Texts
from senna.inference.workspace import Block
from senna.kinds.tags.head import TagHead
from senna.model.folder import ModelFolder
from senna.text.capitals import CASELESS, kind_of
from senna.text.lemmas import (
    ENDINGS,
    LemmaTable,
    apply_rule,
    contracted_lemmas,
    inflected,
    irregular_plurals,
    regular_lemmas,
)
from senna.text.vocabulary import RARE, Vocabulary

TABLE_FILE = "table.txt"  # of a model's file, behind the name of the task
# What the table's rule is worth beside the network's scores, by a known form of a verb or plural,
# by another known form, or by an ending alone: the best values on EWT dev.
INFLECTED, KNOWN, ENDING = 20.0, 8.0, 4.0
_ACRONYMS = re.compile(r"[A-Z][A-Z0-9]+s")  # CEOs
INSTEAD = {"NN": "NNS", "VBG": "VBN"}  # what irregular forms with such a tag have more likely
OFTEN = 30_000  # rank of a word up to which it is taken for the lemma of an irregular plural


class LemmaHead(TagHead):
    """The output layer of rules."""

    def __init__(self, folder: ModelFolder, task: str, units: int) -> None:
        super().__init__(folder, task, units)
        self.words: Vocabulary | None = None  # in lower case, most frequent first
        self.table: LemmaTable | None = None
        self.columns = {name: i for i, name in enumerate(self.names)}
        name = f"{task}.{TABLE_FILE}"
        if folder.has(name):
            self.table = LemmaTable.of_lines(folder.lines(name))

    def __call__(self, x: Floats, block: Block, request: Request = PLAIN) -> Sequence[list[str]]:
        """The lemmas of each sentence's words; x is what the network gives, (n_words, units)."""
        alone = request.asked._replace(n_best=1)  # of several rules many give the same lemma
        answers = super().__call__(x, block, request._replace(asked=alone))
        tags = block.earlier.get("pos") or [[""] * len(forms) for forms in block.forms]
        known: dict[tuple[str, str, str, bool, bool], str] = {}
        for forms, of_words, rules in zip(block.forms, tags, answers, strict=True):
            caseless = kind_of(forms) == CASELESS
            for i, (rule, form, tag) in enumerate(zip(rules, forms, of_words, strict=True)):
                key = rule, form, tag, caseless, i == 0
                lemma = known.get(key)
                if lemma is None:
                    lemma = known[key] = self._lemma(*key)
                rules[i] = lemma
            for i, lemma in contracted_lemmas(forms):
                rules[i] = lemma
        return answers

    def _likely_tag(self, form: str, tag: str) -> str:
        """The part of speech; a noun that the table knows as a plural alone (*bacteria*) is one,
        and a verb whose form has no *-ing* is a participle of the past (*strung*)."""
        instead = INSTEAD.get(tag)
        if instead is None or self.table is None or form.endswith(("s", "ing", "in", "in'")):
            return tag
        rule = self.table.known_rule
        return instead if rule(form, instead) and not rule(form, tag) else tag

    def _lemma(self, rule: str, form: str, tag: str, caseless: bool, first: bool) -> str:
        """The lemma of a form with this tag, for which `rule` was found; `first`: it opens a
        sentence, so that its capital does not make a common noun or a verb a name."""
        lemma = apply_rule(rule, form, caseless)
        if self.table is None:
            return lemma
        tag = self._likely_tag(form, tag)
        if tag == "NNS" and _ACRONYMS.fullmatch(form):
            return form[:-1]
        known = self.table.known_rule(form, tag)
        if known is not None:
            sure = known not in self.columns or tag in ENDINGS
            return apply_rule(known, form, caseless) if sure else lemma
        if tag == "NNPS" and form.istitle() and lemma.lower() != form.lower():
            return self._lemma(rule, form, "NNS", caseless, first).capitalize()
        before, hyphen, last = form.rpartition("-")
        if hyphen and tag in ENDINGS and last.isalpha():  # co-wrote
            return f"{before.lower()}-{self._lemma(rule, last, tag, caseless, first)}"
        if tag in ENDINGS and form.isalpha():
            lower = form.lower()
            found = self.table.prefixed(lower, tag) or self._known_lemma(lower, tag)
            if found is not None:  # "Mondays" keeps the capital that the rule has
                return found.capitalize() if lemma[:1].isupper() and not first else found
        if form.isalpha() and form.islower() and not self._may_be(lemma.lower(), form, tag):
            return form
        common = tag in ("NN", "NNS") or tag.startswith("VB")
        return lemma.lower() if first and common and form[1:].islower() else lemma

    def _may_be(self, lemma: str, form: str, tag: str) -> bool:
        """Whether a lemma is a known word that begins as the form, or the form a regular one of it;
        in lower case."""
        if self.words is None or lemma == form or form in inflected(lemma, ENDINGS.get(tag, "s")):
            return True
        if len(lemma) < 3 or lemma[0] != form[0]:
            return False
        return int(self.words.find(Texts([lemma]))[0]) > RARE

    def _known_lemma(self, form: str, tag: str) -> str | None:
        """The most frequent known word whose regular form, or plural, this is."""
        lemmas = regular_lemmas(form, tag)
        rare = irregular_plurals(form) if tag == "NNS" else []
        if self.words is None or not lemmas + rare:
            return None
        rows = self.words.find(Texts(lemmas + rare))
        ranked = [
            (row > OFTEN or lemma not in rare, row, lemma)
            for row, lemma in zip(rows.tolist(), lemmas + rare, strict=True)
            if row > RARE
        ]
        return min(ranked)[2] if ranked else None

    def emissions(self, x: Floats, block: Block) -> Floats:
        """Scores of rules, (n_words, n_rules); the table's are raised."""
        scores = super().emissions(x, block)
        tags = block.earlier.get("pos")
        if self.table is None or tags is None:
            return scores
        words = [
            word
            for forms, row in zip(block.forms, tags, strict=True)
            for word in zip(forms, row, strict=True)
        ]
        found = {word: self._found(*word) for word in dict.fromkeys(words)}
        columns = np.fromiter((found[word][0] for word in words), np.int64, len(words))
        trust = np.fromiter((found[word][1] for word in words), np.float32, len(words))
        rows = np.flatnonzero(columns >= 0)
        scores[rows, columns[rows]] += trust[rows]
        return scores

    def _found(self, form: str, tag: str) -> tuple[int, float]:
        """The column of the table's rule, -1 if there is none, and what that rule is worth."""
        assert self.table is not None
        tag = self._likely_tag(form, tag)
        known = self.table.known_rule(form, tag)
        column = self.columns.get(known or self.table.ending_rule(form, tag) or "", -1)
        if known is None:
            return column, ENDING
        return column, INFLECTED if tag.startswith(("VB", "NNS")) else KNOWN


def head(folder: ModelFolder, task: str, units: int, settings: object) -> LemmaHead:
    """The head above an encoder that gives `units` numbers per word."""
    return LemmaHead(folder, task, units)
