"""Sentences and small documents of the demonstration corpus: news, sport and letters."""

from __future__ import annotations

from itertools import pairwise

from demo_corpus import lexicon
from demo_corpus.clauses import Clauses
from demo_corpus.dice import Dice
from demo_corpus.names import NamePool
from demo_corpus.nouns import Filler, Nouns
from demo_corpus.tree import Node, Predicate, leaf, named, number, phrase, words

NEWS = {"statement": 8.0, "said that": 1, "quoted": 1.5, "split quote": 0.7, "two clauses": 1}
SPORT = {"result": 1.5, "statement": 5, "quoted": 1, "match": 1.5, "two clauses": 0.5}
LETTER = {"statement": 5.0, "question": 2.5, "what": 1.2, "who": 1, "where": 1, "command": 1.5}
LETTER |= {"light": 1, "two clauses": 0.6}

VOWELS = (*"aeioAEIOU8", "11", "18")
CLAUSES = ("S", "SQ", "SINV")
OBJECT_FORMS = {"he": "him", "she": "her", "they": "them", "I": "me", "we": "us"}


class Author:
    """Writes one document."""

    def __init__(self, dice: Dice, pool: NamePool) -> None:
        self.dice = dice
        self.kind = dice.weighted({"news": 5.0, "sport": 2, "letter": 3})
        self.nouns = Nouns(dice, pool.cast(dice), personal=self.kind == "letter")
        self.clauses = Clauses(self.nouns)

    def document(self) -> list[Node]:
        """The numbered trees of its sentences, each under TOP."""
        opening = {"news": self._dateline, "sport": self._headline, "letter": self._greeting}
        weights = {"news": NEWS, "sport": SPORT, "letter": LETTER}[self.kind]
        sentences = [opening[self.kind]()]
        for _ in range(self.dice.between(5, 10)):
            sentences.append(self._sentence(self.dice.weighted(weights)))
        return [finished(sentence) for sentence in sentences]

    def _sentence(self, kind: str) -> Node:
        makers = {
            "statement": lambda: self.clauses.statement(0),
            "said that": self._attributed,
            "quoted": self._quoted,
            "split quote": self._split_quote,
            "two clauses": self._two_clauses,
            "result": self._result,
            "match": self._match,
            "command": self.clauses.command,
            "light": self._light_verb,
        }
        if kind in makers:
            return _with_end(makers[kind](), ".")
        questions = {"question": self._question, "what": self._what, "who": self._who}
        return _with_end(questions.get(kind, self._where)(), "?")

    # -------------------------------------------------------------------- openings

    def _dateline(self) -> Node:
        """HARWICK , Veldria , May 12"""
        town = self.dice.pick(self.nouns.cast.towns)
        country = self.dice.pick(self.nouns.cast.countries) + "ia"
        place = [phrase("NP", *named("LOC", _proper(town.upper()))), leaf(",", ",")]
        place.append(phrase("NP", *named("LOC", _proper(country))))
        day = words(f"{self.dice.pick(lexicon.MONTHS)}/NNP {self.dice.between(1, 28)}/CD")
        return phrase("FRAG", phrase("NP", *place), leaf(",", ","), phrase("NP", *day))

    def _headline(self) -> Node:
        """Tolmere Cup : results"""
        event = named("MISC", _proper(self.nouns.cast.events[0]))
        rest = phrase("NP", leaf("NNS", self.dice.pick(["results", "matches", "votes"])))
        return phrase("FRAG", phrase("NP", *event), leaf(":", ":"), rest)

    def _greeting(self) -> Node:
        """Hello Mara !"""
        person = self.dice.pick(self.nouns.cast.people)
        word = leaf("UH", self.dice.pick(["Hello", "Thanks", "Hi"]))
        name = phrase("NP", *named("PER", _proper(person.given)))
        end = leaf(".", "!") if self.dice.chance(0.5) else leaf(",", ",")
        return phrase("FRAG", phrase("INTJ", word), name, end)

    # ---------------------------------------------------------------------- speech

    def _speaker(self) -> tuple[Filler, Node, Predicate]:
        """Who spoke, the verb phrase *said*, and its predicate."""
        roleset = self.dice.weighted({"say.01": 8.0, "announce.01": 1})
        predicate = Predicate(roleset, "v")
        verb = leaf("VBD", lexicon.inflect(roleset[:-3], "VBD"))
        verb.predicate = predicate
        speaker = self.nouns.of_kind(self.dice.pick(["person", "person", "group"]), 2)
        predicate.add("A0", speaker.node)
        time = self.nouns.time("past") if self.dice.chance(0.3) else None
        predicate.add("AM-TMP", time)
        return speaker, phrase("VP", verb, time), predicate

    def _attributed(self) -> Node:
        """The strike ended , Mara said ."""
        content = self.clauses.statement(1)
        speaker, said, predicate = self._speaker()
        predicate.add("A1", content)
        return phrase("S", content, leaf(",", ","), speaker.node, said)

    def _quoted(self) -> Node:
        """ " The strike ended , " said Mara ."""
        content = self.clauses.statement(1)
        speaker, said, predicate = self._speaker()
        predicate.add("A1", content)
        pronoun = speaker.node.children[0].label == "PRP"
        if self.dice.chance(0.4) and not pronoun and len(said.children) == 1:
            return phrase("SINV", *_in_quotes(content), said, speaker.node)
        return phrase("S", *_in_quotes(content), speaker.node, said)

    def _split_quote(self) -> Node:
        """ " The strike ended , " said Mara , " but the committee will meet . " """
        first, second = self.clauses.statement(1), self.clauses.statement(1)
        speaker, said, predicate = self._speaker()
        predicate.add("A1", first)
        predicate.add("C-A1", second)
        aside = phrase("PRN", leaf(",", ","), leaf("''", '"'), phrase("S", speaker.node, said))
        rest = [leaf(",", ","), leaf("``", '"'), leaf("CC", "but"), second, leaf(".", ".")]
        return phrase("S", leaf("``", '"'), first, aside, *rest, leaf("''", '"'))

    def _two_clauses(self) -> Node:
        first, second = self.clauses.statement(1), self.clauses.statement(1)
        link = leaf("CC", self.dice.pick(["and", "but", "so"]))
        return phrase("S", first, leaf(",", ","), link, second)

    # ------------------------------------------------------------------ sport, letters

    def _sides(self) -> list[str]:
        return self.dice.shuffled(self.nouns.cast.clubs)[:2]

    def _score(self) -> Node:
        low = self.dice.between(0, 2)
        score = f"{low + self.dice.between(1, 3)}/CD -/SYM {low}/CD"
        return phrase("NP", *words(score))

    def _result(self) -> Node:
        """Harwick 3 , Tolmere United 1"""
        first, second = self._sides()
        sides: list[Node] = []
        for club in (first, second):
            name = named("ORG", _proper(club))
            goals = leaf("CD", str(self.dice.between(0, 4)))
            sides.append(phrase("NP", phrase("NP", *name), phrase("NP", goals)))
        return phrase("FRAG", sides[0], leaf(",", ","), sides[1])

    def _match(self) -> Node:
        """Harwick beat Tolmere United 3 - 1 in Bremmere on Sunday ."""
        winner, loser = (phrase("NP", *named("ORG", _proper(club))) for club in self._sides())
        predicate = Predicate("beat.03", "v")
        verb = leaf("VBD", "beat")
        verb.predicate = predicate
        score, place, time = self._score(), self.nouns.location(2), self.nouns.time("past")
        for role, node in [("A0", winner), ("A1", loser), ("AM-EXT", score), ("AM-LOC", place)]:
            predicate.add(role, node)
        later = time if self.dice.chance(0.5) else None
        predicate.add("AM-TMP", later)
        return phrase("S", winner, phrase("VP", verb, loser, score, place, later))

    def _light_verb(self) -> Node:
        """We made a decision about the strike: the noun is a predicate, too."""
        noun = self.dice.pick(list(lexicon.LIGHT))
        base, roleset = lexicon.LIGHT[noun]
        subject = self.nouns.of_kind("person", 2).node
        verb = leaf("VBD", lexicon.inflect(base, "VBD"))
        verb.predicate = Predicate(f"{base}.LV", "lv")
        head = leaf("NN", noun)
        head.predicate = Predicate(roleset, "n")
        thing = phrase("NP", leaf("DT", "a"), head)
        time = self.nouns.time("past")
        verb.predicate.add("AM-PRR", thing)
        head.predicate.add("A0", subject)
        head.predicate.add("AM-LVB", verb)
        head.predicate.add("AM-TMP", time)
        return phrase("S", subject, phrase("VP", verb, thing, time))

    # ------------------------------------------------------------------- questions

    def _question(self) -> Node:
        return self.clauses.question(1)[0]

    def _what(self) -> Node:
        """What did Mara open ?"""
        asked = phrase("WHNP", leaf("WP", "what"))
        kind = self.dice.pick(["building", "document", "plan", "event"])
        if self.dice.chance(0.5):
            noun = leaf("NN", self.dice.pick(lexicon.NOUNS[kind]))
            asked = phrase("WHNP", leaf("WDT", self.dice.pick(["which", "what"])), noun)
        clause, _ = self.clauses.question(2, gap=Filler(asked, kind))
        return phrase("SBARQ", asked, clause)

    def _who(self) -> Node:
        """Who opened the school ?"""
        asked = phrase("WHNP", leaf("WP", "who"))
        verb = self.clauses.verb_for_subject("person", 2)
        clause = self.clauses.clause_about(Filler(asked, "person"), verb, 1)
        rest = phrase("SQ", clause.verb_phrase())
        return phrase("SBARQ", asked, rest)

    def _where(self) -> Node:
        """Why will the council sell the station ?"""
        adverbs = {"where": "AM-LOC", "when": "AM-TMP", "why": "AM-CAU", "how": "AM-MNR"}
        word = self.dice.pick(list(adverbs))
        asked = phrase("WHADVP", leaf("WRB", word))
        clause, predicate = self.clauses.question(2)
        predicate.add(adverbs[word], asked)
        return phrase("SBARQ", asked, clause)


def _proper(name: str) -> list[Node]:
    return [leaf("NNP", word) for word in name.split()]


def _in_quotes(content: Node) -> list[Node]:
    """The opening quote, the words, comma and closing quote."""
    return [leaf("``", '"'), content, leaf(",", ","), leaf("''", '"')]


def _with_end(sentence: Node, mark: str) -> Node:
    """The sentence with its mark, unless it ends in a quotation that has one."""
    if sentence.children[-1].label != "''":
        sentence.children.append(leaf(".", mark))
    return sentence


def finished(sentence: Node) -> Node:
    """The sentence under TOP: *him* for *he* as object, *an* before vowels, a capital in front."""
    _drop_doubled_commas(sentence)
    _inflect_pronouns(sentence)
    leaves = list(sentence.leaves())
    for word, following in pairwise(leaves):
        if word.word == "a" and following.word.startswith(VOWELS):
            word.word = "an"
    first = next(word for word in leaves if word.word != '"')
    first.word = first.word[0].upper() + first.word[1:]
    return number(phrase("TOP", sentence))


def _inflect_pronouns(node: Node) -> None:
    """A pronoun that is no subject stands in its object form."""
    for child in node.children:
        if child.label == "NP" and child.children[0].label == "PRP" and node.label not in CLAUSES:
            pronoun = child.children[0]
            pronoun.word = OBJECT_FORMS.get(pronoun.word, pronoun.word)
        _inflect_pronouns(child)


def _drop_doubled_commas(sentence: Node) -> None:
    """An apposition closes with a comma: not before another mark."""
    leaves = list(sentence.leaves())
    doubled = {
        id(word)
        for word, following in pairwise(leaves)
        if word.word == "," and following.word in (",", ".", "?", "!")
    }

    def prune(node: Node) -> None:
        node.children = [child for child in node.children if id(child) not in doubled]
        for child in node.children:
            prune(child)

    prune(sentence)
