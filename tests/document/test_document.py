"""Documents: what they give of what was found, and the way back to sentence, text and words."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import senna
from senna.document.document import Document, Span
from senna.errors import SennaError
from senna.pipeline.format import Piece
from senna.pipeline.options import Options
from senna.tasks import TASKS
from tests.document.documents import made
from tests.pipeline.pieces import tag_piece

TEXT = "Anna Weber walked.  It didn't walk\nquickly: 12 walks!\n\nThe iPod, U.S. and İzmir — x"


def test_a_document_is_the_sequence_of_its_sentences_and_these_of_their_tokens():
    doc = made()
    first, second = doc
    assert len(doc) == 2
    assert doc[0] is first is doc.sentences[0]
    assert doc[-1] is second
    assert doc[:1] == [first]
    assert (len(first), len(second)) == (7, 5)
    assert [token.text for token in second] == ["She", "saw", "the", "sea", "."]
    assert second[3].text == second[-2].text == "sea"
    assert doc.tokens == [*first, *second]
    for beyond in (lambda: doc[2], lambda: second[5]):
        with pytest.raises(IndexError):
            beyond()


def test_tokens_know_their_tags_and_where_they_stand():
    doc = made()
    token = doc[1][1]
    assert (token.text, token.start, token.end, token.index) == ("saw", 38, 41, 1)
    assert doc.text[token.start : token.end] == str(token) == "saw"
    assert (token.pos, token.ner, token.tag("ner")) == ("VBD", "O", "O")
    assert token.sentence is doc[1]
    assert token.doc is doc
    assert doc[0][1].span("ner") == doc[0][2].span("ner") == doc[0].spans("ner")[0]
    assert token.span("ner") is None
    with pytest.raises(SennaError, match="of task 'chunk'. Tagged: pos, ner, srl, psg"):
        _ = token.chunk


def test_slices_of_a_sentence_are_spans():
    sentence = made()[1]
    span = sentence[1:4]
    assert (span.text, span.label, span.first, span.last) == ("saw the sea", "", 1, 4)
    assert (span.start, span.end) == (38, 49)
    assert sentence[-2:].text == "sea."
    empty = [sentence[2:2], sentence[4:1], sentence[9:]]
    assert [(own.text, len(own), own.end - own.start) for own in empty] == [("", 0, 0)] * 3
    assert empty[0].start == 42
    with pytest.raises(SennaError, match="every 2th token is not a span. Slice sentence.tokens"):
        _ = sentence[::2]


def test_spans_know_their_characters_and_tokens():
    doc = made()
    spans = doc.spans("ner")
    assert spans == [
        Span("Ada Lovelace", "PER", 3, 15, 1, 3, doc[0]),
        Span("Babbage", "PER", 25, 32, 5, 6, doc[0]),
    ]
    assert spans == doc[0].spans("ner")
    assert spans[0].tokens == list(spans[0]) == doc[0].tokens[1:3]
    assert len(spans[0]) == 2
    assert str(spans[0]) == "Ada Lovelace"
    assert "sentence" not in repr(spans[0])
    assert len({*spans, *doc.spans("ner")}) == 2


def test_spans_of_characters():
    doc = made()
    span = doc.char_span(3, 15, "X")
    assert span is not None and (span.text, span.label, span.first, span.last) == (
        "Ada Lovelace", "X", 1, 3,
    )  # fmt: skip
    assert doc.char_span(34, 50) == doc[1][:]
    for start, end in ((3, 14), (4, 15), (3, 3), (15, 3), (25, 37), (-5, 2), (3, 999)):
        assert doc.char_span(start, end) is None


def test_parts_can_be_sorted_and_hashed():
    doc = made()
    for parts in (doc.tokens, doc.spans("ner"), doc.sentences, doc.frames, doc.match("<>")):
        assert sorted(parts[1:] + parts[:1]) == parts
        assert len({*parts, *made().tokens}) == len({*parts} | {*doc.tokens})
        assert {part: i for i, part in enumerate(parts)}[parts[-1]] == len(parts) - 1
        assert parts[0] < parts[1] > parts[0] and parts[0] <= parts[0] and parts[1] >= parts[0]
    assert sorted([*doc.tokens, *doc.spans("ner"), *doc])[0] == doc[0][0]
    assert hash(doc[0]) == hash(made()[0])


def test_sentences_are_equal_where_all_is():
    doc, other = made(), made()
    assert doc[0] == other[0] != doc[1]
    assert doc.sentences == other.sentences
    other = made()
    other.answers["ner"][0] = ["O"] * 7
    assert doc[0] != other[0] and doc[1] == other[1]
    assert doc[0] != "So"


def test_noun_chunks():
    doc = made()
    doc.answers["chunk"] = ["O B-NP E-NP S-VP B-NP E-NP O".split(), "S-NP S-VP B-NP E-NP O".split()]
    assert [span.text for span in doc.noun_chunks] == [
        "Ada Lovelace", "Mr. Babbage", "She", "the sea",
    ]  # fmt: skip
    assert doc[1].noun_chunks == doc.noun_chunks[2:]
    with pytest.raises(SennaError, match="no phrases of task 'chunk'"):
        _ = made().noun_chunks


def test_no_noun_chunk_begins_with_a_possessive():
    doc = Document.of("Smith 's lazy dogs".split(), chunk="S-NP B-NP I-NP E-NP".split())
    assert [span.text for span in doc.noun_chunks] == ["Smith", "lazy dogs"]


def test_sentences_know_their_text_and_offsets():
    doc = made()
    assert [str(s) for s in doc] == [doc.text[:33], doc.text[34:]]
    assert [(s.start, s.end, s.index) for s in doc] == [(0, 33, 0), (34, 50, 1)]
    assert repr(doc[1]) == "Sentence('She saw the sea.')"
    assert "2 sentences" in repr(doc)
    assert len(repr(Document("x" * 1000, [], {}))) < 100
    assert doc.tags("pos") == [tag for s in doc for tag in s.tags["pos"]]
    assert doc[0].tags.keys() == {"pos", "ner"}


def test_every_kind_of_answer_has_a_place_that_errors_name():
    for task in TASKS:
        doc = Document("", [[]], {task: [[]]})
        with pytest.raises(SennaError, match=f"no wings of task '{task}'. It gives .+: .+"):
            doc[0].answer_of(task, "wings")


def test_frames_have_texts():
    first, second = made().frames
    assert (first.index, first.predicate.text, first.sentence.index) == (3, "met", 0)
    assert first.texts == {
        "V": "met", "AM-DIS": "So", "A0": "Ada Lovelace", "A1": "Mr. Babbage"
    }  # fmt: skip
    assert second.texts == {"V": "saw", "A0": "She", "A1": "the ... sea"}
    assert str(second) == "V: saw, A0: She, A1: the ... sea"


def test_a_tree_has_labels_parts_and_places():
    sentence = made()[1]
    tree = sentence.tree
    assert (tree.label, tree.text, tree.first, tree.last) == ("TOP", "She saw the sea.", 0, 5)
    assert (tree.start, tree.end) == (sentence.start, sentence.end)
    [clause] = tree.children
    assert [child.label for child in clause.children] == ["NP", "VP", "."]
    assert [own.text for own in tree.subtrees("NP")] == ["She", "the sea"]
    labels = [own.label for own in clause.children[1].subtrees()]
    assert labels == ["VP", "VBD", "NP", "DT", "NN"]
    assert [own.text for own in tree.subtrees() if own.is_leaf] == [t.text for t in sentence]
    sea = next(tree.subtrees("NN"))
    assert (sea.is_leaf, sea.children, sea.sentence, sea.doc) == (
        True, (), sentence, sentence.doc
    )  # fmt: skip
    assert sentence.tree is tree


def test_ways_through_a_tree():
    tree = made()[1].tree
    assert tree.brackets == "(TOP (S (NP (PRP She)) (VP (VBD saw) (NP (DT the) (NN sea))) (. .)))"
    assert [leaf.text for leaf in tree.leaves()] == "She saw the sea .".split()
    assert tree.parent is None and tree.children[0].parent is tree
    for node in tree.subtrees():
        assert all(child.parent is node for child in node.children)
    sea = tree.leaves()[3]
    assert sea.leaves() == [sea] and sea.parent is not None and sea.parent.label == "NP"
    assert tree[1].text == "saw" and tree[2:4].text == "the sea"


def test_a_tree_drawn_in_lines():
    assert made()[1].tree.pretty() == (
        "TOP\n"
        "└── S\n"
        "    ├── NP\n"
        "    │   └── PRP She\n"
        "    ├── VP\n"
        "    │   ├── VBD saw\n"
        "    │   └── NP\n"
        "    │       ├── DT the\n"
        "    │       └── NN sea\n"
        "    └── . ."
    )


def test_a_document_and_the_command_line_say_the_same(nlp):
    doc = nlp(TEXT)
    out = tag_piece(nlp.pipeline, Piece(0, len(TEXT), TEXT), Options(format="jsonl"))
    for sentence, line in zip(doc, out.splitlines(), strict=True):
        found = json.loads(line)
        assert found["text"] == sentence.text
        assert found["tags"] == sentence.tags
        assert [tuple(t.values()) for t in found["tokens"]] == [
            (token.text, token.start, token.end) for token in sentence
        ]
        for task, spans in found["spans"].items():
            assert [Span(**span, sentence=sentence) for span in spans] == sentence.spans(task)


@given(st.text(max_size=80))
def test_any_text(nlp, text):
    doc = nlp(text)
    assert doc.text == text
    assert all(text[token.start : token.end] == token.text for token in doc.tokens)
    assert all(sentence.tokens for sentence in doc)
    for task in ("chunk", "ner"):
        spans = doc.spans(task)
        assert all(span.text == text[span.start : span.end] != "" for span in spans)
        assert all(span.tokens[0].start == span.start for span in spans)
    assert len(doc.tags("pos")) == len(doc.tokens)
    assert Document.from_json(doc.to_json()) == doc


def test_tags_and_scores_of_a_task_that_was_not_loaded(model):
    doc = senna.load(["pos"], model)("Anna runs.")
    [sentence] = doc
    assert len(doc.tags("pos")) == 3
    for task in ("chunk", "srl", "nonsense"):
        with pytest.raises(SennaError, match=f"of task '{task}'. Tagged: pos."):
            doc.tags(task)
    assert Document("", [], {}).tags("pos") == []
    assert sentence.tags.get("ner") is None and "ner" not in sentence.tags
    for name, task, what in (
        ("tags", "ner", "Tagged: pos"),
        ("scores", "ner", "Load with scores=True"),
        ("scores", "pos", "Load with scores=True"),
    ):
        with pytest.raises(SennaError, match=f"no {name} of task '{task}'. {what}") as error:
            getattr(sentence, name)[task]
        assert "KeyError" not in repr(error.getrepr())


WORDS = "Anna saw the old dogs of Bo .".split()
COLUMNS = {
    "lemma": "Anna see the old dog of Bo .".split(),
    "upos": "PROPN VERB DET ADJ NOUN ADP PROPN PUNCT".split(),
    "feats": ["Number=Sing", "Mood=Ind|Tense=Past", "_", "_", "Number=Plur", "_", "_", "_"],
    "head": [2, 0, 5, 5, 2, 7, 5, 2],
    "deprel": "nsubj root det amod obj case nmod punct".split(),
}
DOC = Document.of(WORDS, **COLUMNS)


def test_tokens_have_lemmas_tags_and_heads():
    anna, saw, *_, dogs, _, bo, _ = tokens = DOC[0]
    assert (anna.lemma, anna.upos, anna.feats) == ("Anna", "PROPN", "Number=Sing")
    assert [token.deprel for token in tokens] == COLUMNS["deprel"]
    assert saw.head is None and dogs.head is saw and DOC[0].root is saw
    assert [token.text for token in saw.children] == ["Anna", "dogs", "."]
    assert [token.text for token in dogs.subtree] == ["the", "old", "dogs", "of", "Bo"]
    assert [token.text for token in bo.ancestors] == ["dogs", "saw"]
    assert [span.text for span in DOC.noun_chunks] == ["Anna", "the old dogs", "Bo"]
    assert DOC[0].tags["lemma"] == DOC.tags("lemma") == COLUMNS["lemma"]


def test_other_documents_have_none_of_it():
    doc = Document.of(WORDS)
    for name in ("lemma", "upos", "feats", "deprel", "head", "children", "subtree", "ancestors"):
        with pytest.raises(SennaError, match="of task"):
            getattr(doc[0][0], name)
    assert Document.of([], head=[], deprel=[])[0].root is None


def test_noun_chunks_are_those_of_chunk_without_trees():
    doc = Document.of(["Anna", "saw"], chunk=["B-NP", "B-VP"], upos=["PROPN", "VERB"])
    assert [span.text for span in doc.noun_chunks] == ["Anna"]
    doc = Document.of(["Anna", "ran"], head=[2, 0], deprel=["nsubj", "root"])
    with pytest.raises(SennaError, match="no tags of task 'upos'. Tagged: dep"):
        _ = doc.noun_chunks
    with pytest.raises(SennaError, match="of task 'dep'. It gives dependencies: token.head"):
        doc.tags("dep")


def test_formats_are_those_of_the_command(as_file):
    text = DOC.to("conllu")
    assert "\n2\tsaw\tsee\tVERB\t_\tMood=Ind|Tense=Past\t0\troot\t_\t_\n" in text
    path = as_file("a.conllu", text)
    [again] = senna.read(path)
    assert again == DOC
    assert DOC.to("columns").splitlines()[0] == "Anna\tAnna\tPROPN\tNumber=Sing\t2\tnsubj"
    assert Document.from_dict({**DOC.to_dict()}).to("jsonl") == DOC.to("jsonl")
    named = Document.of(["Bo", "Li"], ner=["B-PER", "I-PER"])
    assert named.to("conll") == "-DOCSTART- -X- O O\n\nBo _ _ B-PER\nLi _ _ I-PER\n\n"
    assert (
        named.to("columns", scheme="bilou", offsets=True) == "Bo\t0\t2\tB-PER\nLi\t3\t5\tL-PER\n\n"
    )
    assert named.to("html").endswith("</html>\n")


def test_words_that_do_not_add_up_to_their_surface_token_are_written_again(as_file):
    text = (
        "# text = Gimme's New York!\n1-2\tGimme\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n"
        "1\tGive\tgive\t_\t_\t_\t_\t_\t_\t_\n2\tme\tI\t_\t_\t_\t_\t_\t_\t_\n"
        "3\t's\t's\t_\t_\t_\t_\t_\t_\t_\n"
        "4\tNew York\tNew York\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n"
        "5\t!\t!\t_\t_\t_\t_\t_\t_\t_\n\n"
    )
    path = as_file("a.conllu", text)
    [doc] = senna.read(path)
    assert doc.to("conllu").rstrip("\n").split("\n")[2:] == text.rstrip("\n").split("\n")
    assert [token.lemma for token in doc[0]] == ["give", "I", "'s", "New York", "!"]


def test_a_line_of_json_that_is_no_sentence_is_named(as_file):
    lines = DOC.to("jsonl").splitlines()
    lines[-1] = lines[-1].replace('"heads": [', '"heads": [9, ')
    path = as_file("a.jsonl", "\n\n".join(lines))
    line = 2 * len(lines) - 1
    what = rf"a\.jsonl:{line}: heads or relations that do not fit . tokens\. Each line is"
    with pytest.raises(SennaError, match=what):
        list(senna.read(path))
    path.write_text(lines[0] + '\n{"text": "a"}\n' + lines[0], encoding="utf-8")
    with pytest.raises(SennaError, match=r"a\.jsonl:2: a sentence without text and tokens"):
        list(senna.read(path))
    for wrong in ('{"a": 1}', "[]", "{", '{"text": "a", "tokens": [{}]}'):
        path.write_text(wrong + "\n", encoding="utf-8")
        with pytest.raises(SennaError, match=r"a\.jsonl:1: "):
            list(senna.read(path))


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        ({"colour": ["red"]}, "unknown column 'colour'. Known: pos, lemma"),
        ({"upos": ["X", "Y"]}, "the column 'upos' does not have one value per word"),
        ({"upos": "X"}, "the column 'upos' does not have one value per word"),
        ({"head": [0]}, "no deprel"),
        (
            {"head": [1], "deprel": ["root"]},
            "sentence 1: the heads are not a tree .* Heads are the",
        ),
        ({"head": ["0"], "deprel": ["root"]}, "sentence 1: '0' is not a whole number"),
    ],
)
def test_columns_that_do_not_fit_are_refused(arguments, what):
    with pytest.raises(SennaError, match=what):
        Document.of(["a"], **arguments)
    with pytest.raises(SennaError, match="3 is not a text"):
        Document.of([["a", 3]])
    with pytest.raises(SennaError, match="got a text, expected its words"):
        Document.of("Anna saw Bo.")
    with pytest.raises(SennaError, match="sentence 2: the heads are not a tree with one root"):
        Document.of([["a"], ["b"]], head=[[0], [1]], deprel=[["root"], ["x"]])


@pytest.mark.parametrize(
    ("format", "options", "what"),
    [
        ("svg", {}, "unknown format 'svg'"),
        ("xml", {}, "unknown format 'xml'"),
        ("trees", {}, "needs task psg"),
        ("columns", {"scheme": "x"}, "unknown tag scheme 'x'"),
    ],
)
def test_formats_that_cannot_be_written(format, options, what):
    with pytest.raises(SennaError, match=what):
        DOC.to(format, **options)
