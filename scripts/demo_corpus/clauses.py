"""Verb phrases and clauses of the demonstration corpus, with the roles of every predicate."""

from __future__ import annotations

from typing import NamedTuple

from demo_corpus import lexicon
from demo_corpus.lexicon import Verb, inflect
from demo_corpus.nouns import Filler, Nouns
from demo_corpus.tree import Node, Predicate, leaf, phrase

SHAPES = {  # auxiliaries before the verb -> weight
    "": 9.0,
    "present": 2,
    "modal": 3,
    "have": 2,
    "be": 1,
    "do not": 1.2,
    "modal not": 0.6,
    "have not": 0.5,
}
QUESTION_SHAPES = {"do": 3.0, "modal": 2, "have": 1, "be": 0.7}
CONTRACTED = {"will": "wo", "can": "ca"}


class Group(NamedTuple):
    """The auxiliaries, each with its *not* if it has one, and how the verb goes on from there."""

    auxiliaries: list[list[Node]]
    tag: str
    tense: str


class Clause(NamedTuple):
    """A finite clause taken apart, so that statements and questions can put it together."""

    subject: Filler
    group: Group
    core: Node  # the innermost verb phrase
    predicate: Predicate

    def verb_phrase(self) -> Node:
        """The auxiliaries and all that follows."""
        return nested(self.group.auxiliaries, self.core)


class Clauses:
    """Makes clauses about the names of one document."""

    def __init__(self, nouns: Nouns) -> None:
        self.nouns = nouns
        self.dice = nouns.dice

    # ------------------------------------------------------------------ whole clauses

    def statement(self, depth: int, shape: str | None = None) -> Node:
        """A subject and what it does, is, or what is done to it."""
        choice = self.dice.weighted({"verb": 8.0, "copula": 1.6, "there": 0.5, "two verbs": 0.8})
        if choice == "copula":
            return self._assembled(self.copula(depth), depth)
        if choice == "there":
            return self._existential(depth)
        if choice == "two verbs" and depth == 0:
            return self._two_verbs()
        return self._assembled(self.clause(depth, shape=shape), depth)

    def clause(self, depth: int, *, shape: str | None = None, gap: Filler | None = None) -> Clause:
        """A clause with a full verb; a gap is an object elsewhere (*what did he open*)."""
        verb = self._verb(depth, transitive=gap is not None)
        passive = gap is None and verb.frame in ("transitive", "give") and self.dice.chance(0.22)
        if gap:
            verb = self._verb_for_object(gap.kind)
        kinds = verb.objects if passive else verb.subjects
        subject = self.nouns.of_kind(self.dice.pick(kinds), depth)
        if depth == 0 and subject.kind in ("person", "group") and self.dice.chance(0.4):
            subject = self._perhaps_with_clause(subject)
        return self.clause_about(subject, verb, depth, shape=shape, passive=passive, gap=gap)

    def clause_about(
        self,
        subject: Filler,
        verb: Verb,
        depth: int,
        *,
        shape: str | None = None,
        passive: bool = False,
        gap: Filler | None = None,
    ) -> Clause:
        """The clause in which the subject does this, or has it done to it."""
        predicate = Predicate(verb.roleset, "v")
        shape = self.dice.weighted(SHAPES) if shape is None else shape
        group = self._group(shape, subject.node.agreement, predicate, passive)
        core = self._core(verb, group.tag, subject, predicate, depth, passive, gap)
        if depth < 2:
            self._add_adjuncts(core, predicate, group.tense, depth)
        return Clause(subject, group, core, predicate)

    def infinitive(self, subject: Filler, depth: int) -> Node:
        """*to open a bridge*: a clause without its subject, which stands outside."""
        verb = self.verb_for_subject(subject.kind, depth)
        predicate = Predicate(verb.roleset, "v")
        core = self._core(verb, "VB", subject, predicate, depth, False, None)
        return phrase("S", phrase("VP", leaf("TO", "to"), core))

    def copula(self, depth: int) -> Clause:
        """*is a teacher*, *was late*, *are near the school*"""
        predicate = Predicate("be.01", "be")
        subject = self.nouns.of_kind(self.dice.pick(["person", "building", "plan", "place"]), depth)
        choice = self.dice.weighted({"": 4.0, "present": 3, "modal": 1, "not": 0.7})
        negated = choice == "not"
        shape = "present" if negated else choice
        group = self._group(shape, subject.node.agreement, predicate, False)
        verb = leaf(group.tag, inflect("be", group.tag, subject.node.agreement))
        verb.predicate = predicate
        negation = leaf("RB", self.dice.pick(["not", "n't"])) if negated else None
        if subject.node.agreement == "I" and negation:
            negation.word = "not"
        complement = self._complement_of_be(subject, depth)
        predicate.add("A1", subject.node)
        predicate.add("AM-NEG", negation)
        predicate.add("A2", complement)
        return Clause(subject, group, phrase("VP", verb, negation, complement), predicate)

    def _complement_of_be(self, subject: Filler, depth: int) -> Node:
        choice = self.dice.weighted({"adjective": 3.0, "noun": 2, "place": 1.5, "more": 1})
        if choice == "noun" and subject.kind == "person" and subject.node.agreement == "singular":
            base = [leaf("DT", "a"), leaf("NN", self.dice.pick(lexicon.NOUNS["person"]))]
            return phrase("NP", *base)
        if choice == "place":
            return self.nouns.location(depth)
        if choice == "more":
            compared = [leaf(*pair) for pair in self._comparative()]
            other = phrase("PP", leaf("IN", "than"), self.nouns.common("building", 2))
            return phrase("ADJP", *compared, other)
        adverb = leaf("RB", self.dice.pick(["very", "too", "still"]))
        adjective = leaf("JJ", self.dice.pick(lexicon.PREDICATE_ADJECTIVES))
        return phrase("ADJP", adverb if self.dice.chance(0.4) else None, adjective)

    def _comparative(self) -> list[tuple[str, str]]:
        chosen = self.dice.pick(lexicon.COMPARATIVES)
        pairs = (item.split("/") for item in chosen.split("_"))
        return [(tag, word) for word, tag in pairs]

    def _existential(self, depth: int) -> Node:
        """*There were two reports on the strike.*"""
        kind = self.dice.pick(["plan", "building", "event"])
        subject = self.nouns.common(kind, depth, known=False)
        predicate = Predicate("be.02", "be")
        tag = "VBD" if self.dice.chance(0.6) else "VBP"
        tag = "VBZ" if tag == "VBP" and subject.agreement == "singular" else tag
        verb = leaf(tag, inflect("be", tag, subject.agreement))
        verb.predicate = predicate
        place = self.nouns.location(2) if self.dice.chance(0.6) else None
        predicate.add("A1", subject)
        predicate.add("AM-LOC", place)
        there = phrase("NP", leaf("EX", "there"))
        return phrase("S", there, phrase("VP", verb, subject, place))

    def _two_verbs(self) -> Node:
        """*Mara bought the hotel and sold it.*: one subject for two verb phrases"""
        kind = self.dice.pick(["person", "group"])
        subject = self.nouns.of_kind(kind, 1)
        first, second = (
            self.clause_about(subject, self.verb_for_subject(kind, 2), 1, shape="").core
            for _ in range(2)
        )
        both = phrase("VP", first, leaf("CC", self.dice.pick(["and", "but"])), second)
        return phrase("S", subject.node, both)

    def command(self) -> Node:
        """*Please open the letter*: nobody is named who should do it."""
        nobody = Filler(phrase("NP"), "person")
        verb = self.verb_for_subject("person", 2)
        clause = self.clause_about(nobody, verb, 2, shape="bare")
        arguments = clause.predicate.arguments
        arguments[:] = [pair for pair in arguments if pair[1] is not nobody.node]
        please = phrase("INTJ", leaf("UH", "please")) if self.dice.chance(0.6) else None
        return phrase("S", please, clause.core)

    # ------------------------------------------------------------- putting together

    def _assembled(self, clause: Clause, depth: int) -> Node:
        node = phrase("S", clause.subject.node, clause.verb_phrase())
        if depth == 0 and self.dice.chance(0.14):
            front = self._front(clause)
            node.children[:0] = [front, leaf(",", ",")]
        return node

    def _front(self, clause: Clause) -> Node:
        """Something before the subject: an adverb, a time, a place."""
        taken = {role for role, _ in clause.predicate.arguments}
        if "AM-TMP" not in taken and self.dice.chance(0.6):
            front, role = self.nouns.time(clause.group.tense), "AM-TMP"
        elif "AM-LOC" not in taken and self.dice.chance(0.5):
            front, role = self.nouns.location(2), "AM-LOC"
        else:
            link = self.dice.pick(list(lexicon.LINKS))
            front, role = phrase("ADVP", leaf("RB", link)), lexicon.LINKS[link]
        clause.predicate.add(role, front)
        return front

    def question(self, depth: int, gap: Filler | None = None) -> tuple[Node, Predicate]:
        """The clause with its first auxiliary before the subject (SQ)."""
        if gap is None and self.dice.chance(0.25):
            clause = self.copula(depth)
            if not clause.group.auxiliaries:
                verb, *rest = clause.core.children
                others = [child for child in rest if child.label != "RB"]
                arguments = clause.predicate.arguments
                arguments[:] = [pair for pair in arguments if pair[0] != "AM-NEG"]
                return phrase("SQ", verb, clause.subject.node, *others), clause.predicate
        else:
            clause = self.clause(depth, shape=self.dice.weighted(QUESTION_SHAPES), gap=gap)
        first, *later = clause.group.auxiliaries
        verb_phrase = nested(later, clause.core)
        return phrase("SQ", *first, clause.subject.node, verb_phrase), clause.predicate

    # ------------------------------------------------------------------ verb groups

    def _group(self, shape: str, agreement: str, predicate: Predicate, passive: bool) -> Group:
        """The auxiliaries of a shape, each in the form that the one before asks for."""
        steps = [] if shape in ("bare", "present") else shape.split()
        form = "VB" if shape == "bare" else "VBD"
        if shape in ("present", "have", "have not", "be") or (steps and self.dice.chance(0.3)):
            form = "VBZ" if agreement == "singular" else "VBP"
        tense = {"modal": "modal", "have": "perfect"}.get(shape)
        tense = tense or ("past" if form == "VBD" else "present")
        auxiliaries: list[list[Node]] = []
        for step in [*steps, *(["passive"] if passive else [])]:
            if step == "not":
                auxiliaries[-1].append(self._negation(auxiliaries[-1][0], predicate))
            else:
                word, form = self._auxiliary(step, form, agreement, predicate)
                auxiliaries.append([word])
        return Group(auxiliaries, form, tense)

    def _auxiliary(
        self, step: str, form: str, agreement: str, predicate: Predicate
    ) -> tuple[Node, str]:
        """One auxiliary, and the form of the verb that follows it."""
        if step == "modal":
            word = leaf("MD", self.dice.pick(lexicon.MODALS))
            predicate.add("AM-MOD", word)
            return word, "VB"
        base = "be" if step == "passive" else step
        word = leaf(form, inflect(base, form, agreement))
        roleset = {"be": "be.03", "have": "have.01", "do": "do.01"}[base]
        word.predicate = Predicate(roleset, "be" if base == "be" else "aux")
        return word, {"be": "VBG", "passive": "VBN", "have": "VBN", "do": "VB"}[step]

    def _negation(self, auxiliary: Node, predicate: Predicate) -> Node:
        short = auxiliary.word not in ("may", "might", "am") and self.dice.chance(0.6)
        if short:
            auxiliary.word = CONTRACTED.get(auxiliary.word, auxiliary.word)
        negation = leaf("RB", "n't" if short else "not")
        predicate.add("AM-NEG", negation)
        return negation

    # ------------------------------------------------------------------- verb phrases

    def _core(
        self,
        verb: Verb,
        tag: str,
        subject: Filler,
        predicate: Predicate,
        depth: int,
        passive: bool,
        gap: Filler | None,
    ) -> Node:
        """The verb with its complements; the roles of all of them go to the predicate."""
        word = leaf(tag, inflect(verb.base, tag, subject.node.agreement))
        word.predicate = predicate
        role = verb.object_role if passive else verb.subject_role
        predicate.add(role, subject.node)
        predicate.add("R-" + role, subject.pronoun)
        if passive:
            complements = self._passive_complements(verb, predicate, depth)
        else:
            complements = self._complements(verb, predicate, subject, depth, gap)
        adverb = None
        if depth < 2 and tag in ("VBD", "VBZ", "VBP") and not passive and self.dice.chance(0.08):
            tense = "past" if tag == "VBD" else "present"
            chosen = self.dice.pick(lexicon.BEFORE_VERB[tense])
            adverb = phrase("ADVP", leaf("RB", chosen))
            roles = {"never": "AM-NEG", "finally": "AM-TMP", "often": "AM-TMP", "still": "AM-TMP"}
            predicate.add(roles.get(chosen, "AM-ADV"), adverb)
        return phrase("VP", adverb, word, *complements)

    def _passive_complements(self, verb: Verb, predicate: Predicate, depth: int) -> list[Node]:
        complements = self._particle(verb, predicate)
        if verb.frame == "give":
            complements.append(self._receiver(verb, predicate, depth))
        if self.dice.chance(0.45):
            agent = self.nouns.of_kind(self.dice.pick(verb.subjects), depth + 1).node
            complements.append(phrase("PP", leaf("IN", "by"), agent))
            predicate.add("A0", complements[-1])
        return complements

    def _complements(
        self, verb: Verb, predicate: Predicate, subject: Filler, depth: int, gap: Filler | None
    ) -> list[Node]:
        if verb.frame == "intransitive":
            return []
        if verb.frame == "level":
            return self._level(predicate)
        if verb.frame == "infinitive":
            return [self._given(predicate, "A1", self.infinitive(subject, depth + 1))]
        if verb.frame == "clausal":
            that = leaf("IN", "that") if self.dice.chance(0.7) else None
            content = phrase("SBAR", that, self.statement(depth + 1))
            return [self._given(predicate, "A1", content)]
        if gap:
            predicate.add("A1", gap.node)
            predicate.add("R-A1", gap.pronoun)
            return self._particle(verb, predicate)
        filler = self.nouns.of_kind(self.dice.pick(verb.objects), depth + 1)
        if depth == 0 and verb.frame == "transitive" and self.dice.chance(0.4):
            filler = self._perhaps_with_clause(filler)
        if verb.frame == "prepositional":
            node = phrase("PP", leaf("IN", verb.preposition), filler.node)
            return [self._given(predicate, verb.object_role, node)]
        predicate.add(verb.object_role, filler.node)
        if verb.frame == "control":
            content = self.infinitive(filler, depth + 2)
            return [filler.node, self._given(predicate, verb.content_role, content)]
        if verb.frame == "give":
            return self._gift(verb, predicate, filler.node, depth)
        particle = self._particle(verb, predicate)
        late = particle and all(child.word for child in filler.node.children)
        if late and self.dice.chance(0.4):
            return [filler.node, *particle]
        return [*particle, filler.node]

    def _given(self, predicate: Predicate, role: str, node: Node) -> Node:
        predicate.add(role, node)
        return node

    def _particle(self, verb: Verb, predicate: Predicate) -> list[Node]:
        if not verb.particle:
            return []
        return [self._given(predicate, "C-V", phrase("PRT", leaf("RP", verb.particle)))]

    def _gift(self, verb: Verb, predicate: Predicate, gift: Node, depth: int) -> list[Node]:
        """*gave Mara a book* or *gave a book to Mara*"""
        if self.dice.chance(0.5):
            return [gift, self._receiver(verb, predicate, depth)]
        receiver = self.nouns.of_kind(self.dice.pick(verb.content_role.split(",")), 2).node
        return [self._given(predicate, "A2", receiver), gift]

    def _receiver(self, verb: Verb, predicate: Predicate, depth: int) -> Node:
        kind = self.dice.pick(verb.content_role.split(","))
        receiver = self.nouns.of_kind(kind, depth + 1).node
        return self._given(predicate, "A2", phrase("PP", leaf("IN", "to"), receiver))

    def _level(self, predicate: Predicate) -> list[Node]:
        """*rose 12 % to $ 4 million*"""
        by = self.nouns.percent()
        if self.dice.chance(0.4):
            by = phrase("PP", leaf("IN", "by"), by)
        complements = [self._given(predicate, "A2", by)]
        if self.dice.chance(0.5):
            end = phrase("PP", leaf("IN", "to"), self.nouns.money())
            complements.append(self._given(predicate, "A4", end))
        return complements

    # --------------------------------------------------------------- relative clauses

    def _perhaps_with_clause(self, filler: Filler) -> Filler:
        """A common noun with a clause about it: *who ...*, *that he opened*, *opened by ...*"""
        head = filler.node
        if next(head.leaves()).label in ("NNP", "PRP"):
            return filler
        node = phrase("NP", head, self._relative(filler), agreement=head.agreement)
        return Filler(node, filler.kind)

    def _relative(self, head: Filler) -> Node:
        options = [verb for verb in lexicon.VERBS if verb.frame == "transitive"]
        as_object = [verb for verb in options if head.kind in verb.objects]
        as_subject = [verb for verb in options if head.kind in verb.subjects]
        choice = self.dice.weighted({"subject": 3.0, "object": 1.2, "reduced": 1, "bare": 0.6})
        if choice == "subject" and as_subject:
            return self._subject_relative(head, self.dice.pick(as_subject))
        verb = self.dice.pick(as_object)
        if choice == "reduced":
            return self._core(verb, "VBN", head, Predicate(verb.roleset, "v"), 2, True, None)
        return self._object_relative(head, verb, bare=choice == "bare")

    def _subject_relative(self, head: Filler, verb: Verb) -> Node:
        tag, word = ("WP", "who") if head.kind == "person" else ("WDT", "which")
        pronoun = phrase("WHNP", leaf(tag, word))
        clause = self.clause_about(Filler(head.node, head.kind, pronoun), verb, 2)
        return phrase("SBAR", pronoun, phrase("S", clause.verb_phrase()))

    def _object_relative(self, head: Filler, verb: Verb, *, bare: bool) -> Node:
        pronoun = None if bare else phrase("WHNP", leaf("WDT", "that"))
        subject = self.nouns.of_kind(self.dice.pick(verb.subjects), 3)
        gap = Filler(head.node, head.kind, pronoun)
        clause = self.clause_about(subject, verb, 2, gap=gap)
        return phrase("SBAR", pronoun, phrase("S", subject.node, clause.verb_phrase()))

    # ------------------------------------------------------------------------ adjuncts

    def _add_adjuncts(self, core: Node, predicate: Predicate, tense: str, depth: int) -> None:
        """Time, place, manner, cause and purpose, behind the complements."""
        taken = {role for role, _ in predicate.arguments}
        added: list[tuple[str, Node]] = []
        if self.dice.chance(0.08):
            added.append(("AM-MNR", phrase("ADVP", leaf("RB", self.dice.pick(lexicon.MANNER)))))
        if self.dice.chance(0.2) and "AM-LOC" not in taken:
            added.append(("AM-LOC", self.nouns.location(depth)))
        if self.dice.chance(0.35):
            added.append(("AM-TMP", self.nouns.time(tense)))
        if depth == 0 and self.dice.chance(0.12):
            links = {"because": "AM-CAU", "after": "AM-TMP", "if": "AM-ADV", "while": "AM-TMP"}
            link = self.dice.pick(list(links))
            clause = phrase("SBAR", leaf("IN", link), self.statement(2))
            added.append((links[link], clause))
        for role, node in added:
            core.children.append(node)
            predicate.add(role, node)

    # -------------------------------------------------------------------- verb choice

    def _verb(self, depth: int, *, transitive: bool) -> Verb:
        frames = {"transitive": 5.0, "prepositional": 2.5, "give": 1, "intransitive": 0.6}
        frames |= {"level": 0.8, "infinitive": 1.3, "control": 0.7}
        if depth == 0:
            frames["clausal"] = 1.6
        if transitive:
            frames = {"transitive": 1.0}
        frame = self.dice.weighted(frames)
        return self.dice.pick([verb for verb in lexicon.VERBS if verb.frame == frame])

    def verb_for_subject(self, kind: str, depth: int) -> Verb:
        """A verb for what this kind of subject may do."""
        frames = ["transitive", "prepositional", "give"] + ["control"] * (depth < 2)
        fitting = [v for v in lexicon.VERBS if v.frame in frames and kind in v.subjects]
        return self.dice.pick(fitting)

    def _verb_for_object(self, kind: str) -> Verb:
        fitting = [verb for verb in lexicon.VERBS if verb.frame == "transitive"]
        return self.dice.pick([verb for verb in fitting if kind in verb.objects])


def nested(auxiliaries: list[list[Node]], core: Node) -> Node:
    """Each auxiliary opens a verb phrase that holds the rest."""
    for group in reversed(auxiliaries):
        core = phrase("VP", *group, core)
    return core
