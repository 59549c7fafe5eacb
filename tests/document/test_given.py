"""Documents of words with one's own answers, and what their tokens say of them."""

import pytest

import senna
from senna import Document, SennaError

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
