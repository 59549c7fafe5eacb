"""Generate sentences with the roles of their verbs, and light verbs, to learn from.

    python scripts/experiments/role_sentences.py --out runs/generated-roles [--number 6000]

The kinds are inversions, direct speech, clauses as subjects, coordination, relative clauses,
orders, headlines, passives, questions and, as no predicates, light verbs, beside the same verbs in
full use. The corpora say which roles a roleset gives (role_senses.py), and role_phrases.py makes
the phrases. Verbs of tests/quality/frames are left out, and so are its pairs of a light verb and a
noun, so that what is measured there was never seen.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from pathlib import Path

import role_words as lists
from role_phrases import NOBODY, Phrases, Who, adjunct, comma, is_i, main_predicate, plural
from role_senses import Sense, Senses
from simple_sentences import Lexicon, lexicon_of_data, singular, write

from turned_sentences import FRAMES  # isort: skip

from demo_corpus.tree import Node, Predicate, leaf, number, phrase, words


class Roles(Phrases):
    """Draws sentences of these kinds."""

    def __init__(self, lexicon: Lexicon, senses: Senses, seed: str) -> None:
        super().__init__(lexicon, senses, seed)
        self.light = light_pairs(lists.LIGHT)
        self.full = light_pairs(lists.FULL)
        self.kinds: dict[Callable[[], Node], float] = {
            self.inverted: 3, self.conditional: 1, self.fronted: 1.5, self.speech: 2.5,
            self.subject_clause: 2, self.coordinated: 1.5, self.relative: 2.5,
            self.order: 1.5, self.fragment: 1, self.headline: 1.5, self.passive: 1,
            self.question: 1.2, self.infinitive: 1, self.thought: 0.7, self.statement: 1.5,
            self.light_verb: 3, self.full_verb: 3,
        }  # fmt: skip

    def sentence(self) -> Node:
        """A tree of one sentence, numbered."""
        tree = number(phrase("TOP", self.dice.weighted(self.kinds)()))
        first = next(item for item in tree.leaves() if item.word[0].isalnum())
        first.word = first.word[0].upper() + first.word[1:]
        return tree

    def statement(self) -> Node:
        """A plain sentence, at times with a time in front."""
        who, sense = self.scene() if self.dice.chance(0.4) else (self.who(), self.act())
        clause, predicate = self.clause(who, sense)
        if self.dice.chance(0.3) and not any(role == "AM-TMP" for role, _ in predicate.arguments):
            time = self.time("")
            predicate.add("AM-TMP", time)
            clause.children[:0] = [time, comma()] if self.dice.chance(0.6) else [time]
        return ended(clause)

    def inverted(self) -> Node:
        """A place or direction, the verb and its subject."""
        pairs = [
            (sense, kind)
            for sense in self.senses.alone
            for kind in ("where", "whither")
            if getattr(sense, kind) and sense.verb in lists.TURNED
        ]
        sense, kind = self.dice.pick(pairs)
        if sense in self.doing:
            who = self.who(names=self.dice.chance(0.2))
            if next(who.node.leaves()).label == "PRP":
                who = self.who(names=False)
        else:
            who = Who(self.thing(sense.nouns, 0.4, ["the", "a", "a"]))
        verb, predicate, _ = self.verb(sense, self.tense(who, 0.3), who)
        if kind == "where":
            front = self.place()
        elif self.dice.chance(0.4):
            front = phrase("ADVP", leaf("RB", self.dice.pick(lists.PARTICLES)))
        else:
            front = self.way()
        predicate.add(getattr(sense, kind), front)
        return ended(phrase("SINV", front, phrase("VP", verb), who.node))

    def fronted(self) -> Node:
        """An adverb, an auxiliary and the subject."""
        text = self.dice.pick(list(lists.FRONTS))
        rest, predicate = self.turned(self.who(), self.act())
        front = adjunct(text)
        predicate.add(lists.FRONTS[text], front)
        return ended(phrase("SINV", front, *rest))

    def conditional(self) -> Node:
        """A condition in front: "Should you need it, ...", "If ..."."""
        kind = self.dice.pick(["should", "had", "if", "when", "although"])
        if kind in ("should", "had"):
            who, shape = self.who(), "modal" if kind == "should" else "have"
            [helper], core = self.group(who, self.act(), shape, more=0.1)
            helper.word, helper.label = kind, "MD" if kind == "should" else "VBD"
            condition = phrase("SBAR", phrase("SINV", helper, who.node, core))
        else:
            condition = self.opened(kind)
        role = lists.OPENERS.get(kind, "AM-ADV")
        if kind != "had" and self.dice.chance(0.4):
            clause, predicate = self.bare_order(0)
        else:
            clause, predicate = self.clause(shape="modal" if kind != "when" else None, more=0)
        predicate.add(role, condition)
        clause.children[:0] = [condition, comma()]
        return ended(clause)

    def speech(self) -> Node:
        """What somebody says, and the words that say so; or a cry alone."""
        said, predicate = self.clause(more=0.2) if self.dice.chance(0.75) else self.bare_order(0.2)
        called = [self.dice.pick(self.words.first)] if self.dice.chance(0.15) else []
        if self.dice.chance(0.5) or called:
            word = leaf("UH", self.dice.pick(lists.INTERJECTIONS))
            front = [phrase("INTJ", word), *(phrase("NP", leaf("NNP", name)) for name in called)]
            for one in front:
                predicate.add("AM-DIS", one)
            said.children[:0] = [item for one in front for item in (one, comma())]
            if self.dice.chance(0.3):
                return ended(said, "!.")
        sense = self.dice.pick(self.senses.speech)
        who, first = self.who(), next(item for item in said.leaves())
        first.word = first.word[0].upper() + first.word[1:]
        verb, saying, _ = self.verb(sense, self.tense(who, 0.15), who)
        saying.add("A1", said)
        opening, closing = leaf("``", '"'), leaf("''", '"')
        if self.dice.chance(0.25):
            stop = leaf(".", self.dice.pick("...!"))
            group = phrase("VP", verb, comma(), opening, said)
            return phrase("S", who.node, group, stop, closing)
        mark = comma() if self.dice.chance(0.85) else leaf(".", "!")
        if self.dice.chance(0.5) and next(who.node.leaves()).label != "PRP":
            return ended(phrase("SINV", opening, said, mark, closing, phrase("VP", verb), who.node))
        manner = None
        if self.dice.chance(0.2):
            manner = phrase("ADVP", leaf("RB", self.dice.pick(lists.MANNERS)))
            saying.add("AM-MNR", manner)
        return ended(
            phrase("S", opening, said, mark, closing, who.node, phrase("VP", verb, manner))
        )

    def bare_order(self, more: float) -> tuple[Node, Predicate]:
        core = self.core(NOBODY, self.act(), "VB", more=more)
        return phrase("S", core), main_predicate(core)

    def subject_clause(self) -> Node:
        """A clause is the subject, and may please or not."""
        kind = self.dice.pick("that whether what who whoever why how gerund to".split())
        if kind in ("gerund", "to"):
            core = self.core(NOBODY, self.act(), "VBG" if kind == "gerund" else "VB", more=0.15)
            inner = phrase("S", core if kind == "gerund" else phrase("VP", leaf("TO", "to"), core))
        elif kind in ("who", "whoever"):
            word = phrase("WHNP", leaf("WP", kind))
            clause, _ = self.clause(Who(word), more=0.15)
            inner = phrase("SBAR", word, phrase("S", clause.children[-1]))
        elif kind == "what":
            word = phrase("WHNP", leaf("WP", kind))
            clause, _ = self.clause(
                sense=self.dice.pick(self.senses.objects), gap=Who(word), more=0.15
            )
            inner = phrase("SBAR", word, clause)
        elif kind in ("why", "how"):
            word = phrase("WHADVP", leaf("WRB", kind))
            clause, predicate = self.clause(more=0)
            predicate.add("AM-CAU" if kind == "why" else "AM-MNR", word)
            inner = phrase("SBAR", word, clause)
        else:
            clause, _ = self.clause(more=0.15)
            inner = phrase("SBAR", leaf("IN", kind), clause)
        shape = self.dice.weighted({"": 5.0, "modal": 4, "not": 2})
        main = self.dice.pick(self.senses.stirring)
        return ended(self.clause(Who(inner), main, shape, more=0.1)[0])

    def coordinated(self) -> Node:
        """Two verbs share a subject, or an object too, or two clauses stand side by side."""
        kinds = {"phrases": 4.0, "object": 2, "clauses": 3, "three": 1, "wish": 0.5}
        kind = self.dice.weighted(kinds)
        join = leaf("CC", self.dice.pick(["and", "and", "and", "but"]))
        if kind == "clauses":
            first, second = (self.clause(more=0.2)[0] for _ in "ab")
            mark = comma() if self.dice.chance(0.5) else None
            return ended(phrase("S", first, mark, join, second))
        who, tag = self.who(), "VB" if kind == "wish" else self.dice.pick(["VBD", "VBD", "VB"])
        if kind == "object":
            both = self.shared_object(who, tag)
        else:
            some = "abc" if kind == "three" else "ab"
            senses = [self.act() for _ in some]
            if self.dice.chance(0.4):
                senses[0] = self.dice.pick(self.acting)
            first, *rest = (self.core(who, sense, tag, more=0.15) for sense in senses)
            between = [comma(), rest[0], leaf("CC", "and")] if len(rest) == 2 else [join]
            both = phrase("VP", first, *between, rest[-1])
        if kind == "wish":
            return ended(self.wish(who, both))
        if tag == "VB":
            modal = leaf("MD", self.dice.pick(lists.MODALS))
            for item in both.leaves():
                if item.label == "VB" and item.predicate:
                    item.predicate.add("AM-MOD", modal)
            both = phrase("VP", modal, both)
        return ended(phrase("S", who.node, both))

    def shared_object(self, who: Who, tag: str) -> Node:
        """Two verbs and the object of both."""
        senses = [sense for sense in self.senses.objects if not sense.particle]
        one = self.dice.pick(senses)
        other = self.dice.pick([s for s in senses if s.nouns == one.nouns and s != one])
        shared, verbs = self.thing(one.nouns), [self.verb(s, tag, who) for s in (one, other)]
        for _, predicate, _ in verbs:
            predicate.add("A1", shared)
        return phrase("VP", verbs[0][0], leaf("CC", "and"), verbs[1][0], shared)

    def wish(self, who: Who, core: Node) -> Node:
        """Somebody hopes to do something."""
        inner = phrase("S", phrase("VP", leaf("TO", "to"), core))
        sense = self.dice.pick(self.senses.wanting)
        verb, predicate, _ = self.verb(sense, self.tense(who, 0.4), who)
        predicate.add("A1", inner)
        return phrase("S", who.node, phrase("VP", verb, inner))

    def infinitive(self) -> Node:
        """Somebody hopes to do something, or makes somebody do it."""
        if self.dice.chance(0.5):
            who = self.who()
            return ended(self.wish(who, self.core(who, self.act(), "VB", more=0.2)))
        who = self.who()
        other = Who(self.whom(who))
        inner = phrase(
            "S", phrase("VP", leaf("TO", "to"), self.core(other, self.act(), "VB", more=0.2))
        )
        sense = self.dice.pick(self.senses.told)
        verb, predicate, _ = self.verb(sense, self.tense(who, 0.4), who)
        predicate.add(sense.roles[1], other.node)
        predicate.add(sense.roles[2], inner)
        return ended(phrase("S", who.node, phrase("VP", verb, other.node, inner)))

    def thought(self) -> Node:
        """A clause is the object."""
        who, sense = self.who(), self.dice.pick(self.senses.thinking)
        verb, predicate, _ = self.verb(sense, self.tense(who, 0.4), who)
        that = leaf("IN", "that") if self.dice.chance(0.6) else None
        content = phrase("SBAR", that, self.clause(more=0.2)[0])
        predicate.add("A1", content)
        return ended(phrase("S", who.node, phrase("VP", verb, content)))

    def relative(self) -> Node:
        """A noun phrase with a clause, as the subject or the object."""
        if self.dice.chance(0.5):
            head = self.with_clause(self.who(names=False), None)
            return ended(self.clause(head, more=0.2)[0])
        sense = self.dice.pick([s for s in self.senses.objects if not s.particle])
        head = self.with_clause(Who(self.thing(sense.nouns, 0.2, ["the", "a"])), sense)
        return ended(self.clause(sense=sense, gap=head._replace(here=True), more=0)[0])

    def with_clause(self, head: Who, sense: Sense | None) -> Who:
        """The noun phrase with a clause: a person does something, a thing is its object."""
        if sense is None and self.dice.chance(0.25):
            core = self.core(head, self.act(), "VBG", more=0.3)
            return Who(phrase("NP", head.node, core), head.third)
        if sense is None:
            word = leaf("WP", "who") if self.dice.chance(0.6) else leaf("WDT", "that")
            pronoun = phrase("WHNP", word)
            clause, _ = self.clause(Who(head.node, head.third, pronoun), more=0.3)
            inner = phrase("SBAR", pronoun, phrase("S", clause.children[-1]))
            return Who(phrase("NP", head.node, inner), head.third)
        fitting = [s for s in self.senses.objects if s.nouns == sense.nouns and s != sense]
        if self.dice.chance(0.2):
            return Who(
                phrase("NP", head.node, self.done(head, self.dice.pick(fitting))), head.third
            )
        pronoun = phrase("WHNP", leaf("WDT", self.dice.pick(["that", "that", "which"])))
        gap = Who(head.node, head.third, pronoun if self.dice.chance(0.5) else None)
        given = [gift for gift in self.senses.gifts if set(gift.nouns) & set(sense.nouns)]
        inner = self.dice.pick(given if given and self.dice.chance(0.4) else fitting)
        clause, _ = self.clause(sense=inner, gap=gap, more=0.2)
        return Who(phrase("NP", head.node, phrase("SBAR", gap.pronoun, clause)), head.third)

    def done(self, what: Who, sense: Sense) -> Node:
        """The phrase of a participle, with its agent or a time."""
        verb, predicate, particle = self.verb(sense._replace(roles=("A1",)), "VBN", what)
        behind: list[Node] = list(particle)
        if self.dice.chance(0.5):
            behind.append(phrase("PP", leaf("IN", "by"), self.who(names=False).node))
            predicate.add("A0", behind[-1])
        if len(behind) == len(particle) or self.dice.chance(0.4):
            behind.append(self.extra(sense, predicate, "VBN"))
        return phrase("VP", verb, *behind)

    def passive(self) -> Node:
        """Something is done."""
        sense = self.dice.pick(self.senses.objects)
        what = Who(self.thing(sense.nouns))
        core = self.done(what, sense)
        helper = self.dice.pick(
            ["was/VBD", "is/VBZ", "has/VBZ been/VBN", "will/MD be/VB", "had/VBD been/VBN"]
        )
        leaves = words(helper)
        for item in leaves:
            if item.label == "MD":
                main_predicate(core).add("AM-MOD", item)
            else:
                have = item.word in ("has", "had")
                item.predicate = Predicate("have.01", "aux") if have else Predicate("be.03", "be")
        for item in reversed(leaves):
            core = phrase("VP", item, core)
        return ended(phrase("S", what.node, core))

    def order(self) -> Node:
        """A verb without a subject."""
        kind = self.dice.pick(["plain", "please", "not", "name", "two", "let"])
        core = self.core(NOBODY, self.act(), "VB", more=0.3)
        predicate = main_predicate(core)
        if kind == "please":
            word = phrase("INTJ", leaf("UH", kind))
            predicate.add("AM-DIS", word)
            return ended(phrase("S", word, core), ".!")
        if kind == "not":
            helper, negation = words("do/VB " + self.dice.pick(["n't/RB", "not/RB"]))
            helper.predicate = Predicate("do.01", "aux")
            predicate.add("AM-NEG", negation)
            return ended(phrase("S", phrase("VP", helper, negation, core)), ".!")
        if kind == "name":
            name = phrase("NP", leaf("NNP", self.dice.pick(self.words.first)))
            predicate.add("AM-DIS", name)
            parts = [core, comma(), name] if self.dice.chance(0.6) else [name, comma(), core]
            return ended(phrase("S", *parts), ".!")
        if kind == "two":
            core = phrase(
                "VP", core, leaf("CC", "and"), self.core(NOBODY, self.act(), "VB", more=0.2)
            )
        if kind == "let":
            other = Who(self.whom())
            inner = phrase("S", other.node, self.core(other, self.act(), "VB", more=0.3))
            verb = leaf("VB", "let")
            verb.predicate = Predicate("let.01", "v", [("A1", inner)])
            core = phrase("VP", verb, inner)
        return ended(phrase("S", core), ".!")

    def headline(self) -> Node:
        """A headline, without articles and a full stop."""
        crowd = self.dice.chance(0.4)
        noun = self.dice.pick(lists.CROWDS if crowd else lists.PEOPLE)
        subject = phrase("NP", *self.adjective(0.25, noun), leaf("NNS" if crowd else "NN", noun))
        who, sense = Who(subject, not crowd), self.act()
        kind = self.dice.weighted({"now": 4.0, "to": 1.5, "done": 2, "wish": 1, "happens": 1.5})
        if kind == "done":
            sense = self.dice.pick(self.senses.objects)
            what = Who(self.thing(sense.nouns, 0.2, ["the"]))
            tree = phrase("S", what.node, self.done(what, sense))
        elif kind == "to":
            tree = phrase("S", subject, phrase("VP", leaf("TO", "to"), self.core(who, sense, "VB")))
        elif kind == "wish":
            tree = self.wish(who, self.core(who, sense, "VB", more=0.2))
        elif kind == "happens":
            sense = self.dice.pick(self.happening)
            node = self.thing(sense.nouns, 0.2, ["the"])
            tree = phrase("S", node, self.core(Who(node), sense, "VBZ"))
        else:
            tree = phrase("S", subject, self.core(who, sense, "VBZ" if who.third else "VBP"))
        bare(tree)
        if self.dice.chance(0.3):
            for item in tree.leaves():
                if item.label not in ("IN", "TO", "CC", "DT", ","):
                    item.word = item.word[0].upper() + item.word[1:]
        return tree

    def fragment(self) -> Node:
        """A phrase without a subject or a finite verb."""
        sense = self.dice.pick([s for s in self.senses.objects if not s.particle])
        what = Who(self.thing(sense.nouns, 0.3, ["a", "the", "another"]))
        kind = self.dice.pick(["to", "done", "clause", "doing"])
        if kind == "doing":
            return ended(phrase("S", self.core(NOBODY, self.act(), "VBG")))
        if kind == "to":
            core = self.core(NOBODY, sense, "VB", what, 0.3)
            inner = phrase("SBAR", phrase("S", phrase("VP", leaf("TO", "to"), core)))
            whole = phrase("NP", what.node, inner)
        elif kind == "done":
            whole = phrase("NP", what.node, self.done(what, sense))
        else:
            whole = phrase("NP", *self.with_clause(what, sense).node.children)
        return ended(phrase("NP", *whole.children))

    def question(self) -> Node:
        """A question of yes or no, of a subject, an object or a reason."""
        kind = self.dice.pick(["yes", "who", "what", "why", "when"])
        if kind == "who":
            word = phrase("WHNP", leaf("WP", kind))
            clause, _ = self.clause(Who(word))
            return phrase("SBARQ", word, phrase("SQ", clause.children[-1]), leaf(".", "?"))
        who = self.who()
        sense = self.dice.pick(self.senses.objects) if kind == "what" else self.act()
        word = (
            phrase("WHNP", leaf("WP", kind))
            if kind == "what"
            else phrase("WHADVP", leaf("WRB", kind))
        )
        gap = Who(word) if kind == "what" else None
        rest, predicate = self.turned(who, sense, gap, 0.2 if kind in ("yes", "what") else 0)
        inner = phrase("SQ", *rest)
        if kind == "yes":
            inner.children.append(leaf(".", "?"))
            return inner
        if kind != "what":
            predicate.add("AM-CAU" if kind == "why" else "AM-TMP", word)
        return phrase("SBARQ", word, inner, leaf(".", "?"))

    # ------------------------------------------------------------------------ light verbs

    def light_verb(self) -> Node:
        """Somebody takes a walk: no predicate."""
        verb, noun = self.dice.pick(self.light)
        opening = "" if noun in lists.MASS else self.dice.pick(["a", "a", "a", "another"])
        if plural(noun):
            opening = self.dice.pick(["some", "many", "several", "no", ""])
        described = noun not in lists.MASS and self.dice.chance(0.3)
        adjective = (
            self.dice.pick(["long", "short", "quick", "big", "little", "new"]) if described else ""
        )
        if opening == "a" and (adjective or noun)[0] in "aeiou":
            opening = "an"
        front = [leaf("JJ" if opening in ("many", "several") else "DT", opening)] if opening else []
        front += [leaf("JJ", adjective)] if adjective else []
        head = leaf("NNS" if plural(noun) else "NN", noun)
        return self.used(Sense(f"{verb}.LV", ("A0", "A1")), phrase("NP", *front, head))

    def full_verb(self) -> Node:
        """Somebody takes a book: a predicate."""
        roleset, noun = self.dice.pick(self.full)
        what = self.thing([noun], 0.3)
        if roleset == "give.01":
            return self.used(Sense(roleset, ("A0", "A2", "A1")), what)
        return self.used(Sense(roleset, ("A0", "A1")), what)

    def used(self, sense: Sense, what: Node) -> Node:
        """A sentence of such a verb, at times with another verb or as an order."""
        given, more = Who(what, here=True), 0.5
        kind = self.dice.weighted(
            {"clause": 5.0, "order": 1, "two": 1.5, "wish": 1, "let": 0.5, "be": 0.7}
        )
        if sense.roleset == "have.03":
            kind, more = "clause", 0.1
        who = NOBODY if kind == "order" else self.who()
        if kind == "let":
            who = Who(phrase("NP", leaf("PRP", "us")))
        if kind in ("order", "let", "wish"):
            helpers, core = [], self.core(who, sense, "VB", given, more)
        elif kind == "be":
            be = leaf("VBD", "was" if who.third or is_i(who) else "were")
            be.predicate = Predicate("be.03", "be")
            helpers, core = [be], self.core(who, sense, "VBG", given, more)
        else:
            helpers, core = self.group(
                who, sense, "" if kind == "two" or more < 0.5 else None, given, more
            )
        predicate = main_predicate(core)
        if sense.roleset.endswith("LV"):
            predicate.kind, predicate.arguments = "lv", []
        if kind == "wish":
            return ended(self.wish(who, core))
        if kind in ("two", "let", "order") and self.dice.chance(0.5):
            tag = next(core.leaves()).label
            core = phrase("VP", core, leaf("CC", "and"), self.core(who, self.act(), tag, more=0.1))
        if kind == "let":
            inner = phrase("S", who.node, core)
            verb = leaf("VB", "let")
            verb.predicate = Predicate("let.01", "v", [("A1", inner)])
            core = phrase("VP", verb, inner)
        whole = phrase("VP", *helpers, core) if helpers else core
        subject = None if kind in ("order", "let") else who.node
        return ended(phrase("S", subject, whole))


def ended(node: Node, marks: str = ".") -> Node:
    """The clause with a full stop, or at times with another mark."""
    node.children.append(leaf(".", marks[len(node.children) % len(marks)]))
    return node


def bare(node: Node) -> None:
    """Take the articles out."""
    node.children = [
        child for child in node.children if child.word not in ("the", "a", "an", "this")
    ]
    for child in node.children:
        bare(child)


def light_pairs(text: str) -> list[tuple[str, str]]:
    """The verbs with their nouns, but for those that stand together in tests/quality/frames."""
    tested = [path.read_text("utf-8").lower().split("\n") for path in sorted(FRAMES.glob("*.txt"))]
    lines = [set(line.split()) for file in tested for line in file]
    pairs = [(name, noun) for name, nouns in lists.table(text).items() for noun in nouns]
    return [pair for pair in pairs if not any(together(pair, line) for line in lines)]


def together(pair: tuple[str, str], line: set[str]) -> bool:
    """Whether a line has a form of the verb and a form of the noun."""
    verb, noun = pair[0].split(".")[0], pair[1]
    forms = {verb, singular(verb), f"{verb.rstrip('e')}ing", *lists.IRREGULAR[verb].split()}
    return bool(line & forms) and bool(line & {noun, f"{noun}s", noun.removesuffix("s")})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--number", type=int, default=6000)
    parser.add_argument("--seed", default="roles 1")
    chosen = parser.parse_args()
    senses = Senses(Path(os.environ["SENNA_DATA"]))
    writer = Roles(lexicon_of_data(), senses, chosen.seed)
    write([writer.sentence() for _ in range(chosen.number)], chosen.out)


if __name__ == "__main__":
    main()
