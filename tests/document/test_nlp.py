"""What senna.load gives: one text, many texts in batches and processes, tokenised sentences."""

import json
import pickle
import sys
import threading
from itertools import count
from typing import Any

import numpy as np
import pytest

import senna
from senna.annotation.trees import cells_of_tree
from senna.document import nlp as nlp_module
from senna.document.nlp import Nlp
from senna.errors import SennaError
from senna.pipeline.format import Piece
from senna.pipeline.options import Options
from tests import toys
from tests.pipeline.pieces import tag_piece

TEXTS = ["Anna Weber walked. It walks!", "", "x", "The iPod, U.S. and İzmir — x", "  \n", "Walks."]


@pytest.mark.parametrize("batch_size", [1, 2, 5, 256])
def test_documents_of_many_texts_are_those_of_each(nlp, batch_size):
    assert list(nlp.pipe(TEXTS, batch_size=batch_size)) == list(map(nlp, TEXTS))
    assert list(nlp.pipe([])) == []


NAMED = "Anna Weber walks with The iPod , U.S. .".split()
REPEATED = [
    "\n\n".join(" ".join(NAMED[i::k]) for k in numbers for i in range(k))
    for numbers in ([1, 2, 4], [2, 3, 5])
]


def test_a_text_remembers_its_names_and_no_others(tmp_path):
    model = toys.model(tmp_path / "both", "pos", "ner", seed=4)
    remembering, alone = senna.load("ner", model), senna.load("ner", model, memory=False)
    each = list(map(remembering, REPEATED))
    assert each != list(map(alone, REPEATED))
    for batch_size, jobs in ((1, 1), (2, 1), (8, 2)):
        docs = remembering.pipe(REPEATED * 3, batch_size=batch_size, jobs=jobs)
        assert list(docs) == each * 3
    words = [[token.text for token in sentence] for sentence in each[0].sentences]
    spans = [sentence["tags"] for sentence in remembering([*words]).to_dict()["sentences"]]
    assert spans == [sentence["tags"] for sentence in each[0].to_dict()["sentences"]]
    assert remembering.tag(words) == alone.tag(words)  # sentences that may not belong together


def test_texts_and_what_comes_with_them(nlp):
    pairs = [(text, {"id": i}) for i, text in enumerate(TEXTS)]
    for jobs in (1, 2):
        made = list(nlp.pipe(iter(pairs), as_tuples=True, batch_size=2, jobs=jobs))
        assert [doc.text for doc, _ in made] == TEXTS
        assert all(own is context for (_, own), (_, context) in zip(made, pairs, strict=True))


@pytest.mark.slow
def test_processes_started_anew_give_the_same(nlp):
    """As on Windows and macOS, and wherever threads run: the models go to them."""
    done = threading.Event()
    thread = threading.Thread(target=done.wait)
    thread.start()
    try:
        assert list(nlp.pipe(TEXTS, jobs=2)) == list(map(nlp, TEXTS))
    finally:
        done.set()
        thread.join()


def test_a_loaded_pipeline_goes_to_other_processes(nlp):
    doc = nlp(TEXTS[0])
    assert nlp.pipeline.idle
    again = pickle.loads(pickle.dumps(nlp))
    assert not again.pipeline.idle  # what calls keep belongs to the models of this process
    assert again(TEXTS[0]) == doc
    shipped = senna.load("ner")
    shipped("Anna.")
    assert pickle.loads(pickle.dumps(shipped))("Anna.") == shipped("Anna.")


def test_texts_are_drawn_as_they_are_needed(nlp):
    endless = count()
    made = nlp.pipe((f"Anna walked {n}." for n in endless), batch_size=3)
    assert next(endless) == 0
    assert next(made).text == "Anna walked 1."
    assert next(endless) == 4


def test_long_texts_make_a_batch_sooner(nlp, monkeypatch):
    monkeypatch.setattr(nlp_module, "LARGEST", 10)
    seen: list[int] = []
    parts = Nlp.parts
    monkeypatch.setattr(Nlp, "parts", lambda self, own: seen.append(len(own)) or parts(self, own))
    assert len(list(nlp.pipe(["abc"] * 9))) == 9
    assert seen == [4, 4, 1]


def test_documents_of_pages(model, nlp):
    pages = ["<p>Anna &amp; <b>W</b>eber\n  walked.<p>It walks", "", "<script>x</script>", "Walks."]
    reader = senna.load(model=model, input="html")
    doc = reader(pages[0])
    assert doc.text.strip() == "Anna & Weber walked.\n\nIt walks"
    assert doc.tags("ner") == nlp("Anna & Weber walked.\n\nIt walks").tags("ner")
    places = [pages[0][slice(*doc.source(token))] for token in doc.tokens]
    assert places == ["Anna", "&amp;", "W</b>eber", "walked", ".", "It", "walks"]
    assert doc.source(doc[0][1:3]) == (doc.source(doc[0][1])[0], doc.source(doc[0][2])[1])
    assert pages[0][slice(*doc.source(doc[1]))] == "It walks"
    with pytest.raises(SennaError, match="no tokens, so it has no place"):
        doc.source(doc[0][2:2])
    for jobs in (1, 2):
        made = list(reader.pipe(zip(pages, range(4), strict=True), jobs=jobs, as_tuples=True))
        assert [key for _, key in made] == [0, 1, 2, 3]
        assert [(own, own.page) for own, _ in made] == [
            (own, own.page) for own in map(reader, pages)
        ]
    again = pickle.loads(pickle.dumps(doc))
    assert again == doc and again.source(again[0]) == doc.source(doc[0])


def test_the_source_of_a_text_is_the_text(nlp):
    doc = nlp("Anna walked <b>.")
    assert [doc.source(token) for token in doc.tokens][:2] == [(0, 4), (5, 11)]
    assert doc.source(doc[0][2:2]) == (12, 12)


def test_how_text_is_split_is_chosen_when_loading(model):
    text = "a well-known man\nwalked"
    for convention, n in (("modern", 6), ("classic", 4)):
        assert len(senna.load(model=model, convention=convention)(text).tokens) == n
    for line_breaks, n in (("auto", 1), ("sentence", 2), ("space", 1)):
        assert len(senna.load(model=model, line_breaks=line_breaks)(text)) == n
    for wrong in ({"convention": "old"}, {"line_breaks": "never"}, {"input": "lines"}):
        with pytest.raises(SennaError, match=" is not one of "):
            senna.load(model=model, **wrong)(text)


def test_tokenised_sentences_and_empty_ones(nlp):
    alone = nlp.tag([["Anna", "walks"]])
    both = nlp.tag([[], ["Anna", "walks"], []])
    for task in nlp.tasks:
        assert both[task] == [[], *alone[task], []]
    assert nlp.tag([]) == {"pos": [], "chunk": [], "ner": []}


def test_words_that_are_none(nlp):
    for wrong in (["Anna runs"], [["Anna"], "runs"]):
        with pytest.raises(SennaError, match="is a text, '.*runs', not a list of words") as error:
            nlp.tag(wrong)
        assert "\n" not in str(error.value)
    for method in (nlp.tag, nlp.roles):
        with pytest.raises(SennaError, match="sentence 1 is a text"):
            method(["Anna runs"])
        with pytest.raises(SennaError, match="sentence 2 has 1, which is not a text"):
            method([["Anna"], [1, 2]])


def test_roles_and_trees_are_among_the_tags_of_words():
    words = ["Anna", "wants", "to", "leave", "."]
    nlp = senna.load("pos,srl,psg")
    tags = nlp.tag([words, []])
    assert tuple(tags) == nlp.tasks
    assert all(len(of_task[0]) == 5 and of_task[1] == [] for of_task in tags.values())
    doc = nlp(words)
    assert tags["srl"][0][0] == "2:S-A0,4:S-A0"
    assert tags["psg"][0] == cells_of_tree(doc[0].answers["psg"])
    assert tags["pos"][0] == doc[0].tags["pos"]
    assert senna.load("srl").tag([words])["srl"] == tags["srl"][:1]


def test_a_document_of_tokens_is_as_of_tokenised_lines(nlp, model):
    sentences = [["Anna", "Weber", "walked", "."], [], ["It", "walks"]]
    doc = nlp(sentences)
    assert doc.text == "Anna Weber walked .\n\nIt walks"
    assert [[token.text for token in sentence] for sentence in doc] == sentences
    assert all(doc.text[token.start : token.end] == token.text for token in doc.tokens)
    assert {task: [s.tags[task] for s in doc] for task in nlp.tasks} == nlp.tag(sentences)
    reading = Options(None, model, input="tokens", format="jsonl")
    piece = Piece(0, len(doc.text), doc.text.splitlines(True))
    lines = tag_piece(nlp.pipeline, piece, reading).splitlines()
    for line, sentence in zip(map(json.loads, lines), (doc[0], doc[2]), strict=True):
        assert line["text"] == sentence.text
        places = [(token["start"], token["end"]) for token in line["tokens"]]
        assert places == [(token.start, token.end) for token in sentence]
    assert nlp(sentences[0]) == nlp([sentences[0]])
    assert len(nlp([])) == 0


def test_token_lists_beside_pages(model):
    reader = senna.load(model=model, input="html")
    page, tokens = reader.pipe(["<p>It <b>walks</b>", ["It", "walks"]])
    assert page.page is not None and tokens.page is None
    assert page.tags("pos") == tokens.tags("pos")


def test_what_is_no_list_of_words(nlp):
    for wrong in ([["a"], "b"], [1], [["a"], 2]):
        with pytest.raises(SennaError, match="where a list of words is expected"):
            nlp(wrong)
    with pytest.raises(SennaError, match="sentence 1 has 1, which"):
        nlp(["a", 1])


def test_a_shipped_model_is_pickled_as_its_name_and_settings(model):
    nlp = senna.load("ner", gazetteer={"PER": ["Ann Lee"]}, force=True)
    pickled = pickle.dumps(nlp)
    assert len(pickled) < 2_000
    again = pickle.loads(pickled)
    assert again("ann lee.").to_dict() == nlp("ann lee.").to_dict()
    assert pickle.loads(pickled) is again  # loaded once a process
    assert len(pickle.dumps(senna.load(model=model))) > 2_000  # a folder may not be there


class NAType:
    """As the missing value of pandas: no comparison of it is true or false."""

    def __eq__(self, other: object) -> Any:
        return self

    __ne__ = __eq__
    __hash__ = None

    def __bool__(self) -> bool:
        raise TypeError("boolean value of NA is ambiguous")

    def __repr__(self) -> str:
        return "<NA>"


PAIRS = {"as_tuples": True}


@pytest.mark.parametrize(
    ("texts", "options", "what"),
    [
        ("Anna walked.", {}, "got one text, expected several. Call nlp"),
        (TEXTS, {"batch_size": 0}, "batch_size = 0, expected at least 1"),
        (TEXTS, {"jobs": 0}, "jobs = 0, expected at least 1"),
        (TEXTS, {"jobs": 1.5}, "jobs = 1.5, expected a whole number"),
        (TEXTS, {"batch_size": "x"}, "batch_size = 'x', expected a whole number"),
        (["x", ("Anna", 1)], {}, "text 2 is of type tuple, not a text. Give a text or a"),
        (["ab"], PAIRS, "texts come as pairs"),
        ([3], PAIRS, "texts come as pairs"),
        ([("a", "b", "c")], PAIRS, "texts come as pairs"),
        (["Hi.", None], {}, "text 2 is missing, not a text. It is None: leave"),
        (["Hi.", float("nan")], {}, "text 2 is missing, not a text. It is nan: leave"),
        (["Hi.", NAType()], {}, "text 2 is missing, not a text. It is <NA>: leave"),
        ([np.array(["Hi", "Bob"])], {}, "text 1 is of type ndarray, not a text"),
    ],
)
def test_what_cannot_be_piped(nlp, texts, options, what):
    with pytest.raises(SennaError, match=what):
        list(nlp.pipe(texts, **options))


def test_it_is_shown_on_one_line():
    assert repr(senna.load("pos")) == "Nlp(pos)"
    assert dir(senna) == sorted(senna.__all__)


@pytest.mark.parametrize(
    ("name", "ours"), [("sents", ".sentences"), ("ents", '.spans("ner")'), ("nothing", "'nothing'")]
)
def test_names_of_other_packages_have_a_hint(name, ours):
    doc = senna.load("pos")("Hi you.")
    with pytest.raises(AttributeError) as error:
        getattr(doc, name)
    assert str(error.value).endswith(ours)
    with pytest.raises(AttributeError, match='is_punct.*upos == "PUNCT"'):
        _ = doc[0][0].is_punct


@pytest.mark.parametrize(
    "texts",
    [["Ann left Rome.", "Bob ran home."], [["Ann left Rome."], ["Is it so?"]], ["Ann left Rome."]],
)
def test_texts_in_the_place_of_words_are_refused(texts):
    nlp = senna.load("pos")
    for call in (nlp, lambda words: list(nlp.pipe([words])), senna.Document.of):
        with pytest.raises(SennaError, match=r"is a text, where a word .* nlp.pipe\(texts\)"):
            call(texts)
    if isinstance(texts[0], list):
        with pytest.raises(SennaError, match="is a text, where a word"):
            nlp.tag(texts)
    assert len(nlp(["New York", "is", "big", "."])[0]) == 4


def test_the_first_load_in_a_terminal_says_that_the_kernel_is_missing(monkeypatch, capsys):
    monkeypatch.setattr("senna.inference.kernel.library.level", lambda: "off")
    monkeypatch.delenv("SENNA_KERNEL", raising=False)
    counts = []
    for is_terminal in (False, True):
        nlp_module._note_missing_kernel.cache_clear()
        monkeypatch.setattr(sys.stderr, "isatty", lambda shown=is_terminal: shown)
        for _ in range(2):
            senna.load("pos")
            counts.append(capsys.readouterr().err.count("the compiled kernel is missing"))
    assert counts == [0, 0, 1, 0]
