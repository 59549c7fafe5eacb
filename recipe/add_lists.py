"""Give a model lists of words: of Universal Dependencies from treebanks, of roles core roles.

usage: python recipe/add_lists.py senna/models/srl
       python recipe/add_lists.py senna/models/lemma-upos-feats-pt0-predicates-psg-dep
           [--labels FILE ... | --keep]

The lemmas of a form with a part of speech are those of EWT's training set, whose conventions the
model follows; those of GUM's stand where EWT has no such form. Irregular forms of verbs that both
lack are those of predicates in EWT, MASC and the examples of PropBank's frame files, whose rolesets
name the verb (swim.01 for "swam"). With --labels, a word and a part of speech per line, such as a
teacher's (recipe/teacher), forms in open text get the lemma that is most frequent with the same
part of speech (*bathe*, a verb, of "bathing"), also where they look like known irregular forms
("dwelt" like "spelt", "trodden" like "trod"); regular forms that are rare are left out. A verb is
what a roleset names, or what text has as an infinitive and with *-ing*. What parts of speech say of
universal tags and features is counted in EWT. See docs/model-folder.md.

The irregular forms of recipe/add_lists.toml count most: seldom ones (*spat*), and those for which
text attests another lemma. With --keep only they are put over the lists that the model has.

A model of roles of verbs gets a table of the core roles that each verb may have, and then finds no
others: see docs/model-folder.md. The table is made of PropBank's inventory of rolesets (srl/frames,
CC BY-SA 4.0); irregular forms are those of the training sets of srl/ewt and srl/masc.
"""

import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Set
from pathlib import Path

from ship_model import parts_of, put

from scripts.common import command, gold_of, lines_of, parser_of
from senna.corpora.catalogue import read_catalogue
from senna.files import open_text
from senna.kinds import output_of
from senna.kinds.answer import Gold, GoldOptions
from senna.kinds.lemmas.head import TABLE_FILE
from senna.kinds.roles.head import CORE, bases
from senna.model.folder import read_model
from senna.settings import read_table
from senna.text.lemmas import (
    ENDINGS,
    LemmaTable,
    TaggedLemma,
    apply_rule,
    inflected,
    irregular_plurals,
    regular_lemmas,
)
from senna.training.examples.corpora import Example
from senna.training.export import lists_of

IRREGULAR = Path(__file__).with_suffix(".toml")
INVENTORY = "srl/frames"
LAST_VOWELS = re.compile(r"(.*?)([aeiou]+)([^aeiou]*e?)")
ANY = ("VB", "VBP", "NN", "JJ")  # parts of speech of words that are not inflected
FEWEST = 2  # places of a lemma in open text
SELDOM = 50  # an attested lemma is at most so many times less frequent than its form
OFTEN = 3  # places of a regular form, which senna would seldom get wrong
LONGER = 3  # letters by which an irregular form and its verb differ at most (bring, brought)


def training_set(task: str, corpus: str) -> list[Gold]:
    """The sentences of a training set, with their parts of speech (XPOS)."""
    return output_of(task).learnable(gold_of(task, corpus, "train", GoldOptions()), corpus)


def words_of(gold: list[Gold]) -> list[TaggedLemma]:
    """Form, part of speech and lemma of the words that have a lemma."""
    return [
        word
        for sentence in gold
        for word in zip(sentence.forms, sentence.tags["pos"], sentence.answer, strict=True)
        if not word[2].is_open  # its annotators gave one
    ]


def gold_verbs() -> Counter[tuple[str, str]]:
    """How often words in lower case are forms of verbs, as gold rolesets name them."""
    sets = ("srl/ewt", "train"), ("srl/masc", "train"), ("srl/frames", "verbs")
    pairs = (pair for one in sets for pair in verb_forms(lines_of(*one)))
    return Counter(pair for pair in pairs if pair[0].isalpha())


def irregular_verbs(found: Counter[tuple[str, str]]) -> list[TaggedLemma]:
    """Irregular past tenses and participles among forms of verbs."""
    words: list[TaggedLemma] = []
    for form, verb in found:
        regular = {
            verb,
            *(form for ending in ("s", "ed", "ing") for form in inflected(verb, ending)),
        }
        sure = found[form, verb] == max(n for (other, _), n in found.items() if other == form)
        alike = verb[:1] == form[:1] and abs(len(verb) - len(form)) <= LONGER
        if sure and alike and form not in regular and not form.endswith(("ing", "ed", "es")):
            words += [(form, tag, verb) for tag in ("VBD", "VBN")]
    return words


def listed() -> list[TaggedLemma]:
    """The irregular forms of recipe/add_lists.toml."""
    return [
        (form, tag, lemma)
        for tags, entries in read_table(IRREGULAR).items()
        for lemma, _, forms in (entry.partition(":") for entry in entries.split())
        for form in forms.split(",")
        for tag in tags.split()
    ]


def attested(labels: list[Path]) -> Counter[tuple[str, str]]:
    """How often each word, in lower case, has each part of speech in some files."""
    counts = Counter[tuple[str, str]]()
    for path in labels:
        with open_text(path) as lines:
            rows = (line.rstrip("\n").split("\t") for line in lines)
            counts.update((row[0].lower(), row[1]) for row in rows if len(row) == 2)
    return counts


def parts(word: str) -> tuple[str, str, str]:
    """A word around its last vowels, but for a last *e*: *str*, *o*, *de* of "strode"."""
    found = LAST_VOWELS.fullmatch(word)
    return (found[1], found[2], found[3]) if found else (word, "", "")


def stems(form: str) -> list[str]:
    """A form, and what stands before *-en*: *broken*, *brok*; also *hid* of "hidden"."""
    stem = form.removesuffix("en") if len(form) > 4 else form
    doubled = len(stem) > 2 and stem != form and stem[-1] == stem[-2]
    return list(dict.fromkeys([form, stem, stem[:-1] if doubled else stem]))


class Analogies:
    """How known irregular forms of verbs are made, for forms that look like them."""

    def __init__(self, table: LemmaTable) -> None:
        self.rules = defaultdict[str, set[str]](set)  # by the ending of a form
        self.vowels = defaultdict[str, set[tuple[str, bool]]](set)  # of a lemma, and its last e
        for (form, tag), rule in table.known.items():
            lemma = apply_rule(rule, form)
            regular = form in inflected(lemma, "ed") or not rule.startswith("lower")
            if regular or tag not in ("VBD", "VBN") or form != form.lower():
                continue
            cut, _, added = rule.split()[1].partition("+")
            # Where letters are exchanged, with one that stays: "ade" of "made", but "t" of "spelt".
            for n in range(int(cut) + bool(added), int(cut) + 3):
                self.rules[form[-n:]].add(rule)
            (start, new, last) = parts(lemma)
            for stem in stems(form):
                head, vowel, end = parts(stem)
                if head == start and vowel and end.rstrip("e") == last.rstrip("e"):
                    self.vowels[vowel].add((new, last.endswith("e")))

    def lemmas(self, form: str) -> set[str]:
        """The lemmas that a form would have if it were made as known ones are."""
        found = {
            apply_rule(rule, form) for n in range(1, len(form)) for rule in self.rules[form[-n:]]
        }
        for head, vowel, end in map(parts, stems(form)):
            bare = end.rstrip("e")
            found |= {head + new + bare + "e" * closed for new, closed in self.vowels[vowel]}
        return found


def by_evidence(
    table: LemmaTable, counts: Counter[tuple[str, str]], verbs: Set[str]
) -> list[TaggedLemma]:
    """Inflected forms with the lemma that occurs most often uninflected, if one is likely; known
    ones only if their lemma hardly occurs (gold has *fre* of *freed*).

    verbs: those of which irregular forms are made; a form that is one itself (*reset*) is its own.
    """
    analogies = Analogies(table)
    words: list[TaggedLemma] = []
    for form, tag in counts:
        if tag[0] not in "NV" or tag not in ENDINGS or not form.isalpha():
            continue
        if rule := table.known_rule(form, tag):
            old = apply_rule(rule, form)
            of_old = sum(counts[old.lower(), other] for other in ANY)
            if old == form or of_old * SELDOM > counts[form, tag]:
                continue
        base = ("NN",) if tag == "NNS" else ("VB", "VBP")
        plurals = irregular_plurals(form) if tag == "NNS" else []
        regular = [*regular_lemmas(form, tag), *plurals]
        if regular and counts[form, tag] < OFTEN:
            continue
        irregular = set[str]()
        if tag in ("VBD", "VBN") and len(form) > 2 and form not in verbs:
            irregular = analogies.lemmas(form) & verbs
        lemma = likely(regular, base, counts) or likely(sorted(irregular), base, counts)
        if lemma := lemma or likely(regular, ANY, counts):
            words.append((form, tag, lemma))
    return words


def likely(lemmas: list[str], tags: tuple[str, ...], counts: Counter[tuple[str, str]]) -> str:
    """The lemma that has one of these tags in text, and twice as often as any other; else ""."""
    found = Counter({lemma: sum(counts[lemma, tag] for tag in tags) for lemma in lemmas})
    [(best, most), (_, second)] = [*found.most_common(2), ("", 0), ("", 0)][:2]
    return best if most >= FEWEST and most > 2 * second else ""


def lemmas(
    first: list[TaggedLemma],
    second: list[TaggedLemma],
    irregular: list[TaggedLemma],
    counts: Counter[tuple[str, str]],
    verbs: Set[str],
) -> list[str]:
    """The table of the first words, of those of the second that have another form or tag, and of
    irregular and attested forms, which say nothing of endings, that both lack; over all of them the
    irregular forms that are listed."""
    known = LemmaTable.learn(first)
    table = LemmaTable.learn(
        first + [word for word in second if not known.known_rule(word[0], word[1])]
    )
    endings = table.endings
    new = LemmaTable.learn([word for word in irregular if not table.known_rule(word[0], word[1])])
    table = LemmaTable({**new.known, **table.known}, endings)
    new = LemmaTable.learn(by_evidence(table, counts, verbs))
    return with_listed(LemmaTable({**table.known, **new.known}, endings)).lines()


def with_listed(table: LemmaTable) -> LemmaTable:
    """The table with the irregular forms that are listed."""
    known = LemmaTable.learn(listed()).known
    return LemmaTable({**table.known, **known}, table.endings).compact()


def lists(labels: list[Path]) -> dict[str, list[str]]:
    """The model's lists, by the names of their files."""
    counts = attested(labels)
    of_corpora = [words_of(training_set("lemma", corpus)) for corpus in ("ud/ewt", "ud/gum")]
    forms = gold_verbs()
    verbs = {verb for _, verb in forms}
    for verb in verbs if counts else ():
        counts[verb, "VB"] += FEWEST  # however rare it is in text
    verbs |= {
        verb
        for (verb, tag), n in counts.items()
        if tag == "VB" and n >= FEWEST and any(counts[f, "VBG"] for f in inflected(verb, "ing"))
    }
    table = lemmas(*of_corpora, irregular_verbs(forms), counts, verbs)
    texts = {f"lemma.{TABLE_FILE}": table}
    for task in ("upos", "feats"):
        gold = training_set(task, "ud/ewt")
        train = [Example(sentence.forms, sentence.answer, sentence.tags) for sentence in gold]
        made = lists_of(task, train)
        texts |= {f"{task}.{name}": lines for name, lines in made.items()}
    return texts


# --------------------------------------------------------------------------- core roles


def roles_of_verbs(lines: Iterable[str]) -> dict[str, set[str]]:
    """The core roles of each verb in any of its senses, by lemma."""
    roles: dict[str, set[str]] = defaultdict(set)
    for line in lines:
        roleset, aliases, labels = line.rstrip("\n").split("\t")
        kinds = [alias for alias in aliases.split() if alias.endswith((":v", ":l"))]
        if kinds:
            for lemma in {roleset.rpartition(".")[0], *(alias[:-2] for alias in kinds)}:
                roles[lemma.partition("_")[0]] |= set(labels.split()) & set(CORE)
    return roles


def irregular_forms(lines: Iterable[str]) -> dict[str, set[str]]:
    """The verbs of each form of a corpus that does not lead to them."""
    lemmas: dict[str, set[str]] = defaultdict(set)
    for form, lemma in verb_forms(lines):
        if lemma not in bases(form):
            lemmas[form].add(lemma)
    return lemmas


def verb_forms(lines: Iterable[str]) -> Iterator[tuple[str, str]]:
    """The verbs of a corpus in lower case, each with its lemma, as its roleset names it."""
    for line in lines:
        cells = line.split("\t")
        if len(cells) > 5 and cells[5] == "v":
            yield cells[1].lower(), cells[4].rpartition(".")[0].partition("_")[0]


def inventory_table(roles: dict[str, set[str]], lemmas: dict[str, set[str]]) -> list[str]:
    """The lines of a model's table: roles, a tab, and the words that have these."""
    of_words = {lemma: set(labels) for lemma, labels in roles.items()}
    for form, verbs in lemmas.items():
        known = [roles[verb] for verb in verbs if verb in roles]
        if known:
            of_words[form] = set.union(of_words.get(form, set()), *known)
    words: dict[str, list[str]] = defaultdict(list)
    for word, labels in sorted(of_words.items()):
        if labels:
            words[" ".join(sorted(labels))].append(word)
    return [f"{labels}\t{' '.join(words[labels])}" for labels in sorted(words)]


def inventory() -> list[str]:
    """The table of core roles, from PropBank's frames and irregular forms of two corpora."""
    lemmas: dict[str, set[str]] = {}
    for corpus in ("srl/ewt", "srl/masc"):
        for form, verbs in irregular_forms(lines_of(corpus, "train")).items():
            lemmas.setdefault(form, set()).update(verbs)
    return inventory_table(roles_of_verbs(lines_of(INVENTORY, "inventory.tsv")), lemmas)


@command
def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("model", type=Path)
    parser.add_argument(
        "--labels", type=Path, nargs="*", default=[], help="words and parts of speech of open text"
    )
    parser.add_argument("--keep", action="store_true", help="the lists that the model has")
    chosen = parser.parse_args()
    model = chosen.model
    meta, arrays, texts = parts_of(read_model(model))
    if "srl" in meta["tasks"]:
        meta["network"] = meta["network"] | {"inventory": True}
        entry = read_catalogue()[INVENTORY]
        credit = {"licence": entry.licence, "attribution": entry.attribution}
        meta["data"] = meta.get("data", {}) | {INVENTORY: {"splits": ["inventory.tsv"], **credit}}
        texts["srl.inventory.txt"] = inventory()
    elif chosen.keep:
        name = f"lemma.{TABLE_FILE}"
        texts[name] = with_listed(LemmaTable.of_lines(texts[name])).lines()
    else:
        texts |= lists(chosen.labels)
    put(model, meta, arrays, texts)


if __name__ == "__main__":
    sys.exit(main())
