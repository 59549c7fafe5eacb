"""Every format: what it writes is read back, or looks as it should; none is loaded unasked."""

import dataclasses
import io
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from senna.annotation import schemes
from senna.annotation.dependencies import Arc
from senna.annotation.predicates import Predicate, regular
from senna.annotation.schemes import Phrase
from senna.annotation.trees import Tree, cells_of_tree, constituents, leaves_of, numbered, tree_of
from senna.drawing import terminal
from senna.drawing.parts import HUES, Parts, cells, colour, label_rows
from senna.errors import SennaError
from senna.formats import props
from senna.formats.brackets import read_trees
from senna.formats.columns import read_columns
from senna.formats.conll import PARSE, read_conll2012
from senna.formats.conllu import checked_arcs
from senna.formats.conllu_lines import MISC, XPOS, ConlluSentence, read_conllu
from senna.formats.props import read_props
from senna.kinds.answer import Line
from senna.pipeline.files import convert
from senna.pipeline.format import check_tasks, format_of, tasks_for
from senna.pipeline.options import Options
from senna.text.tokens import Tokens, spaced
from tests import toys
from tests.strategies import any_word, ascii_word

LABELS = st.sampled_from(["NP", "PER", "A0", "AM-TMP", "C-A1"])

Found = dict[str, Any]  # of one sentence, by task


def line_of(words: list[str], **named: Any) -> Line:
    """Words with a space between them."""
    return Line(" ".join(words), 0, spaced(words), **named)


def written(name: str, lines: list[Line], found: list[Found], **style: Any) -> str:
    """Sentences in a format."""
    form = format_of(name)
    joined = {task: [own[task] for own in found] for task in found[0]}
    return form.write(lines, joined, Options(**{"scheme": form.scheme, **style}))


@st.composite
def phrases(draw: st.DrawFn, n: int) -> list[Phrase]:
    """Phrases of a sentence of n words, from left to right."""
    found, place = [], 0
    while place < n:
        end = draw(st.integers(place + 1, n))
        if draw(st.booleans()):
            found.append(Phrase(place, end, draw(LABELS)))
        place = end
    return found


@st.composite
def trees(draw: st.DrawFn, words: list[str]) -> Tree:
    """A tree over words."""

    def inner(start: int, end: int) -> list[Phrase]:
        middle = draw(st.integers(start + 1, end))
        own = [Phrase(start, end, draw(st.sampled_from(["S", "NP", "S+VP"])))]
        if middle < end and draw(st.booleans()):
            own += inner(start, middle) + inner(middle, end)
        return own

    tags = draw(st.lists(st.sampled_from(["NN", "-LRB-", "("]), min_size=len(words)))
    return tree_of(inner(0, len(words)), leaves_of(words, tags[: len(words)]))


@st.composite
def sentences(draw: st.DrawFn) -> tuple[list[str], Found]:
    """Words and what all kinds of tasks found."""
    words = draw(st.lists(any_word | ascii_word, min_size=1, max_size=8))
    n = len(words)
    found: Found = {"pos": draw(st.lists(st.sampled_from(["NN", "VB"]), min_size=n, max_size=n))}
    for task in ("chunk", "ner"):
        found[task] = schemes.tags_of(draw(phrases(n)), n, "iobes")
    places = draw(st.sets(st.integers(0, n - 1), max_size=3))
    tags = [schemes.tags_of(draw(phrases(n)), n, "iobes") for _ in places]
    found["srl"] = list(map(regular, sorted(places), tags))
    found["psg"] = draw(trees(words))
    return words, found


TWO = st.lists(sentences(), min_size=1, max_size=2)


def lines_and_found(drawn: list[tuple[list[str], Found]]) -> tuple[list[Line], list[Found]]:
    return [line_of(words) for words, _ in drawn], [found for _, found in drawn]


def blanks_gone(word: str) -> str:
    return re.sub(r"\s+", "_", word)


# --------------------------------------------------------------------------- the table


@pytest.mark.parametrize(
    ("name", "asked", "own", "expected"),
    [
        ("columns", [], False, None),
        ("columns", ["ner"], True, ["ner"]),
        ("conll", [], False, ["pos", "chunk", "ner"]),
        ("props", [], True, ["srl"]),
        ("trees", ["psg", "ner"], False, ["psg", "ner"]),
    ],
)
def test_tasks_that_a_format_asks_for(name, asked, own, expected):
    assert tasks_for(name, asked, own) == expected


def test_a_format_without_what_it_needs_is_refused():
    with pytest.raises(SennaError, match="format trees: needs task psg. Add it to task: ner,psg"):
        tasks_for("trees", ["ner"], False)


@pytest.mark.parametrize(
    ("name", "task"), [("spans", "dep"), *(("conll2012", t) for t in ("dep", "lemma", "pt0"))]
)
def test_a_format_without_place_for_what_was_found_is_refused(name, task):
    what = f"no place for {task}. Choose columns, conllu or jsonl"
    with pytest.raises(SennaError, match=what):
        check_tasks(name, [task])


# --------------------------------------------------------------------------- read back


@settings(max_examples=20)
@given(TWO, st.sampled_from(["iob2", "iobes"]))
def test_conll_has_each_column_in_its_place(drawn, scheme):
    lines, found = lines_and_found(drawn)
    text = written("conll", lines, found, scheme=scheme)
    sentences = read_columns(io.StringIO(text, newline="\n"), name="")
    for (words, own), read in zip(drawn, sentences, strict=True):
        columns = [list(column) for column in zip(*read.rows, strict=True)]
        assert columns[0] == [blanks_gone(word) for word in words]
        assert columns[1] == own["pos"]
        assert columns[2] == schemes.convert(own["chunk"], "iobes", scheme)
        assert columns[3] == schemes.convert(own["ner"], "iobes", scheme)
        assert [cell.count("*") for cell in columns[4]] == [1] * len(words)
        given = [schemes.convert(tags, "iobes", "bracket") for _, tags in own["srl"]]
        assert columns[6:] == given


def test_conll_keeps_places_of_what_is_not_asked_for_and_marks_documents():
    lines = [line_of(["Ann", "ran"], opens=True), line_of(["So"]), line_of(["I"], opens=True)]
    found = [{"ner": ["S-PER", "O"]}, {"ner": ["O"]}, {"ner": ["O"]}]
    assert written("conll", lines, found) == (
        "-DOCSTART- -X- O O\n\nAnn _ _ B-PER\nran _ _ O\n\nSo _ _ O\n\n"
        "-DOCSTART- -X- O O\n\nI _ _ O\n\n"  # as spaCy's converter looks for it
    )


@settings(max_examples=20)
@given(TWO)
def test_conll2012_is_read_back(drawn):
    lines, found = lines_and_found(drawn)
    text = written("conll2012", [lines[0]._replace(opens=True), *lines[1:]], found)
    read = list(read_conll2012(io.StringIO(text, newline="\n"), name=""))
    assert [sentence.opens_document for sentence in read] == [True] + [False] * (len(drawn) - 1)
    for (words, own), sentence in zip(drawn, read, strict=True):
        assert sentence.forms == [blanks_gone(word) for word in words]
        assert sentence.names == schemes.convert(own["ner"], "iobes", "bracket")
        ours, theirs = map(props.propositions_of, (own["srl"], sentence.predicates))
        assert [p.position for p in ours] == [p.position for p in theirs]
        assert [flat(p.arguments) for p in ours] == [flat(p.arguments) for p in theirs]
        assert sentence.pos == [leaf.label for leaf in own["psg"].leaves()]
        assert sentence.column(PARSE) == cells_of_tree(own["psg"], own["psg"].label)
        assert constituents(numbered(sentence.tree)) == constituents(numbered(own["psg"]))


def test_conll2012_has_a_place_for_what_is_not_asked_for():
    lines = [line_of(["Ann", "ran"], file="a b", opens=True), line_of(["So"], file="a b")]
    found: list[Found] = [{"ner": ["S-PER", "O"]}, {"ner": ["O"]}]
    assert written("conll2012", lines, found) == (
        "#end document\n#begin document (a_b); part 000\n"
        "a_b 0 0 Ann - * - - - - (PER) -\na_b 0 1 ran - * - - - - * -\n\n"
        "a_b 0 0 So - * - - - - * -\n\n"
    )


@settings(max_examples=20)
@given(TWO)
def test_props_are_read_back(drawn):
    lines, found = lines_and_found([(words, {"srl": own["srl"]}) for words, own in drawn])
    read = list(read_props(io.StringIO(written("props", lines, found), newline="\n"), name=""))
    assert len(read) == len(drawn)
    for (_, own), sentence in zip(drawn, read, strict=True):
        expected = props.propositions_of(own["srl"])
        made = sentence.propositions()
        assert [p.position for p in made] == [p.position for p in expected]
        for one, other in zip(made, expected, strict=True):
            assert flat(one.arguments) == flat(other.arguments)


def flat(arguments: Any) -> list[Any]:
    return [(a.start, a.end, a.label, flat(a.pieces)) for a in arguments]


@settings(max_examples=20)
@given(TWO)
def test_trees_are_read_back(drawn):
    lines, found = lines_and_found(drawn)
    text = written("trees", lines, found)
    read = [tree for line in text.split("\n")[:-1] for tree in read_trees(line, "x")]
    assert len(read) == text.count("\n") == len(drawn)

    def plain(tree: Tree) -> Any:
        if tree.word is not None:
            word = blanks_gone(tree.word).replace("-LRB-", "(").replace("-RRB-", ")")
            return tree.label.replace("(", "-LRB-"), word
        return tree.label, [plain(child) for child in tree.children]

    assert list(map(plain, read)) == [plain(own["psg"]) for own in found]


@pytest.mark.parametrize("word", ["\\", "c:\\", "\\\\", "a\\b"])
def test_a_backslash_does_not_hide_the_bracket_after_it(word):
    """As for NLTK, whose reader takes `\\)` for a part of the word."""
    tree = numbered(Tree("TOP", [Tree("NN", word=word), Tree(".", word=".")]))
    text = written("trees", [line_of([word, "."])], [{"psg": tree}])
    assert "\\)" not in text and "\\)" not in str(tree)
    for form in (text, str(tree)):
        assert [leaf.word for leaf in next(read_trees(form, "x")).leaves()] == [word, "."]
    nltk = pytest.importorskip("nltk")
    assert nltk.Tree.fromstring(text).leaves() == [word, "."]


def test_trees_as_deep_as_one_likes():
    tree = Tree("NN", word="x")
    for _ in range(5_000):
        tree = Tree("NP", [tree])
    assert written("trees", [line_of(["x"])], [{"psg": tree}]).count("(NP") == 5_000


@settings(max_examples=20)
@given(TWO, st.sampled_from(["iobes", "iob2", "bracket"]))
def test_conllu_is_read_back(drawn, scheme):
    lines, found = lines_and_found(drawn)
    text = written("conllu", lines, found, scheme=scheme)
    read = list(read_conllu(io.StringIO(text, newline="\n"), name=""))
    again = [line_of(words, given=own) for (words, _), own in zip(drawn, read, strict=True)]
    assert written("conllu", again, found, scheme=scheme) == text
    for (words, own), sentence in zip(drawn, read, strict=True):
        assert [row[1] for row in sentence.words] == [re.sub(r"[\t\n\r]", " ", w) for w in words]
        assert [row[XPOS] for row in sentence.words] == own["pos"]
        entries = [dict(e.split("=", 1) for e in row[MISC].split("|") if "=" in e)
                   for row in sentence.words]  # fmt: skip
        outside = "*" if scheme == "bracket" else "O"
        for task in ("chunk", "ner"):
            tags = [own_.get(task, outside) for own_ in entries]
            assert tags == schemes.convert(own[task], "iobes", scheme)
        for predicate in own["srl"]:
            mark = f"{predicate.position + 1}:"
            cells = [
                [c for c in e.get("srl", "").split(",") if c.startswith(mark)] for e in entries
            ]
            tags = [own_[0].removeprefix(mark) if own_ else outside for own_ in cells]
            assert tags == schemes.convert(predicate.tags, "iobes", scheme)


# --------------------------------------------------------------------------- CoNLL-U


def test_conllu_of_raw_text_tells_where_no_space_is():
    text = "Ann's \n cat."
    tokens = Tokens.of([("Ann", 5, 8), ("'s", 8, 10), ("cat", 13, 16), (".", 16, 17)])
    line = Line(text, 5, tokens, file="a b.txt", row=3, opens=True)
    found = [{"ner": ["S-PER", "O", "O", "O"], "srl": []}]
    assert written("conllu", [line], found, offsets=True).split("\n") == [
        "# newdoc id = a b.txt:3",
        "# sent_id = a_b.txt:3.5",
        "# text = Ann's cat.",
        "1-2\tAnn's\t_\t_\t_\t_\t_\t_\t_\t_",
        "1\tAnn\t_\t_\t_\t_\t_\t_\t_\tner=S-PER|start_char=5|end_char=8",
        "2\t's\t_\t_\t_\t_\t_\t_\t_\tstart_char=8|end_char=10",
        "3\tcat\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No|start_char=13|end_char=16",
        "4\t.\t_\t_\t_\t_\t_\t_\t_\tstart_char=16|end_char=17",
        "",
        "",
    ]


def test_conllu_has_whole_rows():
    text = "I can't."
    tokens = Tokens.of([("I", 0, 1), ("ca", 2, 4), ("n't", 4, 7), (".", 7, 8)])
    arcs = [Arc(2, "nsubj"), Arc(0, "root"), Arc(2, "advmod"), Arc(2, "punct")]
    found = {
        "pos": ["PRP", "MD", "RB", "."],
        "lemma": ["I", "can", "not", "."],
        "upos": ["PRON", "AUX", "PART", "PUNCT"],
        "feats": ["Number=Sing|Person=1", "VerbForm=Fin", "_", "_"],
        "dep": arcs,
    }
    lines = written("conllu", [Line(text, 0, tokens, line=4)], [found]).split("\n")
    assert lines == [
        "# sent_id = 4.0",
        "# text = I can't.",
        "1\tI\tI\tPRON\tPRP\tNumber=Sing|Person=1\t2\tnsubj\t_\t_",
        "2-3\tcan't\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No",
        "2\tca\tcan\tAUX\tMD\tVerbForm=Fin\t0\troot\t_\t_",
        "3\tn't\tnot\tPART\tRB\t_\t2\tadvmod\t_\t_",
        "4\t.\t.\tPUNCT\t.\t_\t2\tpunct\t_\t_",
        "",
        "",
    ]
    [sentence] = read_conllu(io.StringIO("\n".join(lines)), name="x")
    assert checked_arcs(sentence, "x") == arcs
    assert sentence.surface()[0] == text


def test_conllu_keeps_what_it_was_given():
    text = (
        "# sent_id = 7\n# text = I don't\n1\tI\ti\tPRON\tPRP\t_\t3\tnsubj\t_\tner=S-LOC|x=y\n"
        "2-3\tdon't\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n2\tdo\tdo\tAUX\tVB\t_\t3\taux\t_\t_\n"
        "3\tn't\tnot\tPART\tRB\t_\t0\troot\t_\tner=S-PER\n3.1\tgo\tgo\tVERB\t_\t_\t_\t_\t0:e\t_\n\n"
    )
    [sentence] = read_conllu(io.StringIO(text), name="x")
    line = line_of(["I", "do", "n't"], given=sentence)
    made = written("conllu", [line], [{"pos": ["A", "B", "C"], "ner": ["O", "O", "S-ORG"]}])
    assert made == (
        text.replace("PRP", "A").replace("\tVB\t", "\tB\t").replace("\tRB\t", "\tC\t")
        .replace("ner=S-LOC|", "").replace("S-PER", "S-ORG")
    )  # fmt: skip
    assert sentence.rows[0][XPOS] == "PRP"  # what was read is not changed


TEXT = (
    "Ann doesn't know. I can't, and we'll see!\n\nIt's Bob's dog's (old) toy; cannot, gonna\u2019t."
    " He\u2019s 3,000 km away...\n\nWow"
)


def test_conllu_of_raw_text_is_valid(tmp_path):
    """What level 2 of UD's validator asks of rows, ranges, names of sentences and trees."""
    config = dataclasses.replace(toys.TREES, tasks=("upos", "feats", "dep", "lemma"))
    made = toys.setup(config, n=30)
    files, model = [tmp_path / "a b.txt", tmp_path / "c"], toys.exported(made, tmp_path / "model")
    for file in files:
        file.write_text(TEXT, encoding="utf-8")
    models = dict.fromkeys(("upos", "feats", "dep", "lemma"), model)
    content = b"".join(convert(files, "conllu", model=models)).decode()
    assert content.endswith("\n\n") and "\n\n\n" not in content
    sentences = list(read_conllu(io.StringIO(content, newline="\n"), name="x"))
    names = [sentence.comment("sent_id") for sentence in sentences]
    assert len(sentences) == len(set(names)) == 2 * 5
    ranges = [row[1] for sentence in sentences for row in sentence.rows if "-" in row[0]]
    assert ranges[:5] == ["doesn't", "can't", "we'll", "It's", "Bob's"] and "cannot" in ranges
    for sentence, name in zip(sentences, names, strict=True):
        assert name and not set(name) & set(" /\t")
        assert sentence.comment("text") == sentence.surface()[0] == sentence.surface()[0].strip()
        assert_valid(sentence)


def assert_valid(sentence: ConlluSentence) -> None:
    for head, relation in checked_arcs(sentence, "x"):
        assert (head == 0) == (relation == "root")
        assert re.fullmatch("[a-z]+(:[a-z]+)?", relation)
    for row in sentence.rows:
        assert len(row) == 10 and all(field and field == field.strip() for field in row)
        entries = [] if row[MISC] == "_" else row[MISC].split("|")
        assert len({entry.partition("=")[0] for entry in entries}) == len(entries)
        if "-" in row[0]:
            assert row[2:9] == ["_"] * 7
        else:
            assert "_" not in (row[2], row[3], row[XPOS], row[6], row[7])


# --------------------------------------------------------------------------- rows and terminals


def test_label_rows_of_all_kinds():
    words = ["She", "ran"]
    [tree] = read_trees("(TOP (S (NP (PRP She)) (VP (VBD ran))))", "x")
    found: Found = {
        "pos": ["PRP", "VBD"],
        "ner": ["O", "S-PER"],
        "srl": [Predicate(1, ["S-A0", "S-V"])],
        "psg": tree_of([Phrase(0, 2, "S"), Phrase(0, 1, "NP"), Phrase(1, 2, "VP")], tree.leaves()),
    }
    assert [tuple(row) for row in label_rows(words, found)] == [
        ("pos", "pos", [(0, 1, "PRP"), (1, 2, "VBD")], False),
        ("ner", "ner", [(1, 2, "PER")], True),
        ("ran", "srl", [(0, 1, "A0"), (1, 2, "V")], True),
        ("psg", "psg", [(0, 2, "S")], True),
        ("", "psg", [(0, 1, "NP"), (1, 2, "VP")], True),
    ]


@given(st.text())
def test_every_label_has_a_colour(label):
    assert 0 <= colour(label) < len(HUES) == len(terminal.CODES)
    assert colour("C-A1") == colour("R-A1") == colour("A1") != colour("A0")


def test_a_terminal_gets_rows_under_words(monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "24")
    words = ["Ann", "Lee", "of", "Rome", "ran", "\x1b[2J"]
    found = {"pos": ["NNP", "NNP", "IN", "NNP", "VBD", "X"],
             "ner": ["B-PER", "I-PER", "I-PER", "E-PER", "O", "S-MISC"]}  # fmt: skip
    assert written("ansi", [line_of(words)], [found]).split("\n") == [
        "    Ann Lee of Rome ran",
        "pos NNP NNP IN NNP  VBD",
        "ner PER────────────",
        "    \ufffd[2J",
        "pos X",
        "ner MISC",
        "",
        "",
    ]


@settings(max_examples=20)
@given(TWO, st.integers(1, 60))
def test_lines_are_as_wide_as_the_terminal_unless_a_word_is_wider(drawn, width):
    for words, found in drawn:
        rows = label_rows(words, found)
        parts = Parts(words, rows, [], [])
        widest = max(terminal.widths_of(terminal.standing_of(words, parts), parts))
        legend = min(max(cells(row.name) for row in rows), 12) + 1
        made = list(terminal.drawn(parts, width, lambda text, code: text))
        assert max(map(cells, made)) <= max(width, legend + widest)
        shown = "".join(terminal.drawn(parts, 1_000, lambda text, code: text))
        assert all(label in shown for row in rows for _, _, label in row.phrases)


@pytest.mark.parametrize(("no_color", "coloured"), [("", True), ("1", False)])
def test_colours_unless_they_are_not_wanted(monkeypatch, no_color, coloured):
    monkeypatch.setenv("NO_COLOR", no_color)
    made = written("ansi", [line_of(["Ann", "\x1b[31mran"])], [{"ner": ["S-PER", "O"]}])
    assert ("\x1b[1mAnn\x1b[0m" in made) == coloured
    assert ("\x1b" in made) == coloured
    assert "\x1b[31mran" not in made
