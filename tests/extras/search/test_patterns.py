"""Patterns of words and tags: what each item takes, what comes first, and how long it takes."""

import re
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import senna
from senna.annotation.predicates import Predicate
from senna.annotation.trees import numbered
from senna.document.document import Document, Sentence
from senna.errors import SennaError
from senna.formats.brackets import read_trees
from senna.text.tokens import Tokens, spaced

WORDS = "Anna Weber saw the old old house in Rome and the * of Mr. X".split()
POS = "NNP NNP VBD DT JJ JJ NN IN NNP CC DT SYM IN NNP NNP".split()
NER = "B-PER E-PER O O O O O O S-LOC O O O O B-PER E-PER".split()


def doc_of(words: list[str], **found: list[str]) -> Document:
    """A document of one sentence, words separated by spaces."""
    return Document(
        " ".join(words), [spaced(words)], {task: [tags] for task, tags in found.items()}
    )


DOC = doc_of(WORDS, pos=POS, ner=NER)


@pytest.mark.parametrize(
    ("pattern", "texts"),
    [
        ("SAW the", ["saw the"]),
        ("<text=SAW>", []),
        ("<word=anna|ROME>", ["Anna", "Rome"]),
        ('"*"', ["*"]),
        ('<text="*">', ["*"]),
        ('"Mr." x', ["Mr. X"]),
        ("<pos=JJ>+ <pos=NN>", ["old old house"]),
        ("<pos=DT> <pos=JJ>* <pos=NN|SYM>", ["the old old house", "the *"]),
        ("<pos=VB*>", ["saw"]),
        ("<pos=NN*>", ["Anna", "Weber", "house", "Rome", "Mr.", "X"]),
        ("<pos=NN*>+", ["Anna Weber", "house", "Rome", "Mr. X"]),
        ("<pos!=NN*|JJ> <pos!=NN*|JJ>", ["saw the", "and the", "* of"]),
        ("<> house", ["old house"]),
        ("<ner=PER>", ["Anna Weber", "Mr. X"]),
        ("<ner=*>", ["Anna Weber", "Rome", "Mr. X"]),
        ("<ner!=PER>", ["Rome"]),
        ("<ner=PER text=Weber>", ["Anna Weber"]),
        ("<ner=O pos=NN*>", ["house"]),
        ("<ner=LOC> * <ner=PER>", ["Rome and the * of Mr. X"]),
        ("<ner=PER> <pos=VBD> *", [" ".join(WORDS)]),
        ("the * <pos=NN*>", ["the old old house", "the * of Mr."]),
        ("* in", ["Anna Weber saw the old old house in"]),
        ("*", [" ".join(WORDS)]),
        ("<pos=FW>* <pos=FW>?", []),
        ("<pos=>", None),
        ("<text~[A-Z]\\w+>", ["Anna", "Weber", "Rome"]),
        ("<word~[a-z]{3,4}> <text~h.*e>", ["old house"]),
        ("<text!~\\w+>", ["*", "Mr."]),
        ('<text~"[A-Z][^<> ]*">+', ["Anna Weber", "Rome", "Mr. X"]),
        ("<pos~N|NN|VB.>", ["saw", "house"]),
        ("<ner~[LP].*>", ["Anna Weber", "Rome", "Mr. X"]),
    ],
)
def test_what_a_pattern_finds(pattern, texts):
    if texts is None:
        with pytest.raises(SennaError):
            DOC.match(pattern)
    else:
        assert [match.text for match in DOC.match(pattern)] == texts
        assert DOC[0].match(pattern) == DOC.match(pattern)


def test_what_each_item_took():
    [match] = DOC.match("<ner=PER> <pos=VBD> <pos=RB>? <pos=DT> *")
    who, verb, adverb, article, rest = match.parts
    assert who is not None and verb is not None and article is not None and rest is not None
    assert (who.text, who.label, who.first, who.last) == ("Anna Weber", "PER", 0, 2)
    assert (verb.text, verb.label, adverb) == ("saw", "", None)
    assert (article.text, rest.start) == ("the", 19)
    assert (match.first, match.last, match.start, match.end) == (0, 15, 0, len(DOC.text))
    assert match.sentence is DOC[0]


ROLES = [Predicate(1, "S-A0 S-V B-A1 I-A1 E-A1".split()), Predicate(3, "S-A0 O O S-V S-A1".split())]
TREE = "(TOP (S (NP (PRP She)) (VP (VBD saw) (NP (NP (DT the) (NN dog)) (NN run)))))"


@pytest.mark.parametrize(
    ("pattern", "texts"),
    [
        ("<srl=A1>", ["the dog run"]),
        ("<srl=A0> <srl=V>", ["She saw"]),
        ("dog <srl=A1>", ["dog run"]),
        ("<srl=V pos=NN> <srl=A1>", ["dog run"]),
        ("<srl=A*> saw", ["She saw"]),
        ("<srl=O>", []),
        ("<psg=NP>", ["She", "the dog run"]),
        ("<psg=NP> run", []),  # of constituents that begin together the longest counts
        ("<psg=NP pos=NN>", ["the dog run"]),
        ("<psg=NP srl=A1>", ["the dog run"]),
        ("<psg=NP chunk=NP>", ["She", "the dog"]),
        ("saw <psg!=NP|PP>", []),
        ("<psg=VP>", ["saw the dog run"]),
    ],
)
def test_roles_and_constituents(pattern, texts):
    words = "She saw the dog run".split()
    tags = {"pos": "PRP VBD DT NN NN".split(), "chunk": "S-NP S-VP B-NP E-NP O".split()}
    doc = doc_of(words, **tags)
    doc.answers |= {"srl": [ROLES], "psg": [numbered(next(read_trees(TREE, "")))]}
    assert [match.text for match in doc.match(pattern)] == texts


def test_several_patterns_in_the_order_of_the_text():
    patterns = ["<pos=NN*>", "the * house", "<ner=PER>"]
    matches = DOC.match(patterns)
    assert [(match.text, match.pattern) for match in matches[:3]] == [
        ("Anna", "<pos=NN*>"), ("Anna Weber", "<ner=PER>"), ("Weber", "<pos=NN*>"),
    ]  # fmt: skip
    assert sorted(m.text for m in matches) == sorted(m.text for p in patterns for m in DOC.match(p))
    assert DOC[0].match(patterns) == matches
    assert DOC.match([]) == []
    with pytest.raises(SennaError, match="unknown key 'colour'"):
        DOC.match(["the", "<colour=red>"])


def test_matches_lie_within_sentences():
    rows = [Tokens.of([("a", 0, 1)]), Tokens.of([("b", 2, 3)])]
    doc = Document("a b", rows, {})
    assert doc.match("a b") == []
    assert [match.sentence.index for match in doc.match("<>")] == [0, 1]
    assert Document("", [Tokens.of([])], {}).match("*") == []


@pytest.mark.parametrize(
    ("pattern", "what"),
    [
        ("", "the pattern has no items"),
        ("  ", "the pattern has no items"),
        ("<ner>", "not a condition: 'ner'"),
        ("<ner=>", "not a condition: 'ner='"),
        ("<ner=PER", "not an item of a pattern: '<ner=PER'"),
        ("ner=PER>", "not an item of a pattern: 'ner=PER>'"),
        ("the (<pos=NN>)", "not an item of a pattern: '.<pos=NN>.'"),
        ('a "b', "not an item of a pattern: '\"b'"),
        ("<colour=red>", "unknown key 'colour' in a pattern. Known: text, word, pos"),
        ("<pos=N*N>", "not values of 'pos': 'N[*]N'"),
        ("<chunk=NP>", "of task 'chunk'. Tagged: pos, ner"),
        ("<srl=A0>", "no phrases or roles or trees of task 'srl'. Tagged: pos, ner"),
        ("<psg=NP>", "no phrases or roles or trees of task 'psg'. Tagged: pos, ner"),
        ("<text~(>", "not a regular expression: '[(]' [(]missing [)]"),
        ("<text~a{9999999999}>", "not a regular expression: .*too large"),
        (f"<text~{'(' * 9_999}>", "not a regular expression: .*recursion"),
    ],
)
def test_what_is_no_pattern(pattern, what):
    with pytest.raises(SennaError, match=what) as error:
        DOC.match(pattern)
    assert "\n" not in str(error.value)


ITEMS = {
    "a": "a ", "b": "b ", "<text=a>?": "(?:a )?", "<text=a>*": "(?:a )*", "<text=b>+": "(?:b )+",
    "<>": "(?:[abc] )", "*": "(?:[abc] )*?", "<text!=a>": "(?:[bc] )",
}  # fmt: skip


@given(
    st.lists(st.sampled_from("abc"), max_size=9),
    st.lists(st.sampled_from(sorted(ITEMS)), min_size=1, max_size=4),
)
def test_matches_are_those_of_a_regular_expression(words, items):
    pattern = "".join(ITEMS[item] for item in items)
    if items[-1] == "*":
        pattern += "(?![abc])"
    text = "".join(f"{word} " for word in words)
    expected, place = [], 0
    while place < len(text):
        found = re.compile(pattern).match(text, place)
        end = found.end() if found else place
        if end > place:
            expected.append((place // 2, end // 2))
        place = max(end, place + 2)
    found_ = doc_of(words).match(" ".join(items))
    assert [(match.first, match.last) for match in found_] == expected


def test_no_pattern_makes_the_time_explode():
    """Backtracking would take 2 to the power of 40 steps for each of these, and not come back."""
    doc = doc_of(["a"] * 100)
    for pattern in ("<text=a>* " * 40 + "b", "* a " * 40 + "b", "<text=a>+ " * 40 + "<text!=a>"):
        assert doc.match(pattern) == []


# --------------------------------------------------------------------------- dependents

SHE = Document.of(
    "She bought a very old house and sold two small boats to Mr. X .".split(),
    upos="PRON VERB DET ADV ADJ NOUN CCONJ VERB NUM ADJ NOUN ADP PROPN PROPN PUNCT".split(),
    lemma="she buy a very old house and sell two small boat to Mr. X .".split(),
    feats=["_", "Mood=Ind|Tense=Past", *["_"] * 5, "Mood=Ind|Tense=Past", *["_"] * 7],
    ner="O O O O O O O O O O O O B-PER E-PER O".split(),
    head=[2, 0, 6, 5, 6, 2, 8, 2, 11, 11, 8, 14, 14, 8, 2],
    deprel="nsubj root det advmod amod obj cc conj nummod amod obj case nmod obl punct".split(),
)


@pytest.mark.parametrize(
    ("pattern", "parts"),
    [
        ("<upos=VERB lemma=buy> >obj <upos=NOUN>", [["bought", "house"]]),
        ("<upos=VERB> >obj <upos=NOUN>", [["bought", "house"], ["sold", "boats"]]),
        ("<feats=Tense=Past> >obj <>", [["bought", "house"], ["sold", "boats"]]),
        ("<upos=VERB> >obj <> >obl <ner=PER>", [["sold", "boats", "Mr. X"]]),
        ("<> >obj (<> >amod <> >det <>)", [["bought", "house", "old", "a"]]),
        ("<> >obj (<> >amod (<> >advmod very))", [["bought", "house", "old", "very"]]),
        ("<> >obj (<> >amod (old) >det a)", [["bought", "house", "old", "a"]]),
        ("<> >nsubj|obl <>", [["bought", "She"], ["sold", "X"]]),
        ("<upos=VERB> >obl <>? >obj <>", [["bought", None, "house"], ["sold", "X", "boats"]]),
        ("<> >nm* <>", [["X", "Mr."]]),
        ("<ner=PER> > <upos=ADP>", [["Mr. X", "to"]]),
        ("<dep=root>", [["bought"]]),
        ("<dep=amod> <upos=NOUN>", [["old", "house"], ["small", "boats"]]),
        ("she <> >obj <> <upos=DET>", [["She", "bought", "house", "a"]]),
        ('<> >punct "."', [["bought", "."]]),
        ("<lemma=buy> >>obj <upos=NOUN> >>nummod two", [["bought", "house", "two"]]),
        ("<upos=NOUN> >> very", [["house", "very"]]),
        ("<upos=VERB> >> (<> >> <lemma=very>)", [["bought", "old", "very"]]),
        ("<upos=ADJ> >> <upos=NOUN>", []),
        ("<> >>nmod Mr.", [["bought", "Mr."], ["sold", "Mr."], ["X", "Mr."]]),
        ("<upos=NOUN> <obj <upos=VERB>", [["house", "bought"], ["boats", "sold"]]),
        ("<upos=NOUN> <obj <lemma=sell>", [["boats", "sold"]]),
        ("<upos=NOUN> < (<> < <dep=root>)", [["boats", "sold", "bought"]]),
        ("<upos=NOUN> <obj (sold >obl <ner=PER>) >nummod two", [["boats", "sold", "Mr. X", "two"]]),
        ("<> <root <>", []),
        ("<upos=NOUN> <iobj <>? <obj|obl <>", [["house", None, "bought"], ["boats", None, "sold"]]),
        ("<ner=PER> <obl <upos=VERB>", [["Mr. X", "sold"]]),
        ("<ner=PER> <nmod <>", []),  # the head is a word of the same name
        ("<lemma=two> << <upos=VERB>", [["two", "sold"]]),  # the nearest
        ("<upos=ADV|NUM> <<advmod house", [["very", "house"]]),
        ("boats<obj <>", [["boats", "sold"]]),
        ("old < > and", [["old", "house", "and"]]),  # `< >` is any token
        ("a < lemma=very>", [["a", "very"]]),
    ],
)
def test_relations(pattern, parts):
    matches = SHE.match(pattern)
    assert [[part and part.text for part in match.parts] for match in matches] == parts
    for match in matches:
        taken = [part for part in match.parts if part is not None]
        assert match.first == min(part.first for part in taken)
        assert match.last == max(part.last for part in taken)


@pytest.mark.parametrize(
    ("pattern", "what"),
    [
        (">obj <>", "not an item of a pattern: '>obj <>'"),
        ("<upos=VERB>>obj <>", "not an item of a pattern"),
        ("<> >obj", "nothing follows >"),
        ("<> >>> <>", "not an item of a pattern"),
        ("<obj <>", "not an item of a pattern: '<obj <>'"),
        ("<> <obj", "nothing follows <"),
        ("<> <<< <>", "not an item of a pattern"),
        ("<> <obj PER>", "not an item of a pattern: 'PER>'"),
        ("<> <ner>", "not a condition: 'ner'"),
        ("<> <obj (<> >det a", "a [(] is not closed"),
        ("<>+ <obj <>", "an item that has relations is repeated"),
        ("<> <obj <>*", "an item after < is repeated"),
        ("<> << *", "an item after << is repeated"),
        ("<> >obj house)", "a [)] is not opened"),
        ("<> " + ">obj (<> " * 51 + ")" * 51, "brackets are too deep. At most 50 can nest."),
        ("<> >obj <>*", "an item after > is repeated"),
        ("* >obj <>", "an item that has relations is repeated"),
        ("<> >o*j <>", "no. values of 'dep': 'o[*]j'"),
    ],
)
def test_what_is_no_relation(pattern, what):
    with pytest.raises(SennaError, match=what.replace("no. ", "not? ")):
        SHE.match(pattern)
    with pytest.raises(SennaError, match="dependencies of task 'dep'"):
        DOC.match("<> >obj <>")


Shape = tuple[str, list[tuple[str, "Shape"]]]  # an item, and others behind their arrows


def shapes(arrows: str) -> st.SearchStrategy[Shape]:
    items = st.sampled_from(["a", "<>", "<ner=X>", "<ner=X>"])
    pairs = lambda inner: st.lists(  # noqa: E731
        st.tuples(st.sampled_from(arrows.split()), inner), max_size=2
    )
    leaves = st.tuples(items, st.just([]))
    return st.recursive(leaves, lambda inner: st.tuples(items, pairs(inner)), max_leaves=4)


def as_pattern(shape: Shape) -> str:
    item, others = shape
    return " ".join([item, *(f"{arrow} ({as_pattern(inner)})" for arrow, inner in others)])


Place = tuple[int, int]


def places(item: str, sentence: Sentence) -> list[Place]:
    """Where an item may be, whatever its relations."""
    if item == "<ner=X>":
        return [(span.first, span.last) for span in sentence.spans("ner")]
    return [(i, i + 1) for i, token in enumerate(sentence) if item in ("<>", token.text)]


def distances(arrow: str, low: Place, high: Place, sentence: Sentence) -> list[int]:
    """How far above the words of a low item a word of a high one is, where the relation fits."""
    name = arrow.strip("<>")
    found = []
    for token in sentence[slice(*low)]:
        head = token.head
        if head is None or low[0] <= head.index < low[1] or name not in ("", token.deprel):
            continue
        above = token.ancestors if arrow[:2] in ("<<", ">>") else [head]
        found += [d for d, one in enumerate(above) if high[0] <= one.index < high[1]]
    return found


def all_assignments(shape: Shape, sentence: Sentence) -> list[list[tuple[int, Place]]]:
    """All ways to give each item a place, with what the fewest of is preferred."""
    item, others = shape
    found = [[(place[0], place)] for place in places(item, sentence)]
    for arrow, inner in others:
        longer = []
        for one, another in product(found, all_assignments(inner, sentence)):
            top, (start, place) = one[0][1], another[0]
            up = arrow.startswith("<")
            pair = (top, place) if up else (place, top)
            if steps := distances(arrow, *pair, sentence):
                preferred = min(steps) if arrow.startswith("<<") else start
                longer.append([*one, (preferred, place), *another[1:]])
        found = longer
    return found


@settings(max_examples=100)
@given(
    st.lists(
        st.tuples(*map(st.sampled_from, ["aab", "rs", ["O", "S-X", "2", "2"]])),
        min_size=1,
        max_size=7,
    ),
    st.one_of(shapes("> >r >s >> >>r >>s < <r <s"), shapes("> >r >> < <r << <<r <<s")),
    st.randoms(use_true_random=False),
)
def test_relations_against_all_assignments(words, shape, random):
    pattern = as_pattern(shape)
    wide = "<<" not in pattern  # the nearest above several words is not put in order here
    order = random.sample(range(len(words)), len(words))
    heads = [0] * len(words)
    for i, word in enumerate(order[1:], start=1):
        heads[word] = random.choice(order[:i]) + 1
    tags: list[str] = []
    for _, _, tag in words:
        pair = wide and tag == "2" and bool(tags) and tags[-1] == "O"
        tags[-1:] = ["B-X", "E-X"] if pair else [*tags[-1:], tag if tag == "S-X" else "O"]
    texts, names = [text for text, _, _ in words], [name for _, name, _ in words]
    doc = Document.of(texts, head=heads, deprel=names, ner=tags)
    best: dict[int, list[tuple[int, Place]]] = {}
    for one in all_assignments(shape, doc[0]):
        start = one[0][1][0]
        best[start] = min(one, best.get(start, one))
    expected, end = [], 0
    for start, one in sorted(best.items()):  # the first items of matches do not overlap
        if start >= end:
            expected.append([place for _, place in one])
            end = one[0][1][1]
    found = [
        [part and (part.first, part.last) for part in match.parts] for match in doc.match(pattern)
    ]
    assert sorted(found) == sorted(expected)


def test_relations_take_time_in_proportion_to_words():
    """Trying all pairs of words would take a minute for each of these."""
    n = 5_000
    chain = Document.of(["a"] * n, head=list(range(n)), deprel=["r"] * n)
    for pattern in ("<> << b", "<> >> b", "<> <<r (a << b)", "<> < (a > b)"):
        assert chain.match(pattern) == []


def verbs(n: int) -> Sentence:
    """A sentence of n predicates."""
    words = [f"v{i}" for i in range(n)]
    roles = [Predicate(i, ["S-V" if k == i else "O" for k in range(n)]) for i in range(n)]
    return doc_of(words, srl=roles).sentences[0]


def test_too_many_predicates_are_an_error(monkeypatch):
    from senna.extras.search.patterns import Pattern

    pattern = Pattern.of("<srl=V @1> * <srl=V @2>")
    monkeypatch.setattr("senna.extras.search.patterns.MOST_STEPS", 999)
    assert len(pattern.matches(verbs(9))) == 36
    with pytest.raises(SennaError, match="10 predicates in a sentence are too many for @1"):
        pattern.matches(verbs(10))


@pytest.mark.usefixtures("shipped")
def test_a_tag_that_no_model_gives_is_refused_as_by_the_command():
    nlp = senna.load("ner")
    for doc in (nlp("Anna ran."), next(nlp.pipe(["Anna ran."]))):
        assert doc.match("<ner=PER>") == doc[0].match("<ner=PER>")
        for part in (doc, doc[0]):
            with pytest.raises(SennaError, match="ner is never 'PERSON'. Known: LOC"):
                part.match("<ner=PERSON>")
