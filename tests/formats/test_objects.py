"""Sentences of a program in the place of files with gold."""

import io

import pytest

import senna
from senna.errors import SennaError
from senna.formats.gold import read_gold
from senna.formats.objects import as_text
from senna.kinds.answer import GoldOptions
from senna.kinds.labels.answer import Label

TAGGED = [("Anna", "B-PER"), ("Weber", "E-PER"), ("sang", "O")]
QUICK = {"train.epochs": 1, "features.word.embeddings": "", "features.word.size": 8}


@pytest.fixture(scope="module")
def documents() -> list[senna.Document]:
    """Two documents with answers of each kind."""
    nlp = senna.load(tasks=["pos", "chunk", "ner", "srl", "psg", "upos", "lemma", "feats", "dep"])
    return [nlp("John Smith buys books in Paris. He left."), nlp("Mary sold it in May.")]


def test_what_is_written_is_read_as_the_same_answers(documents):
    for task in documents[0].answers:
        lines = as_text(documents, [task]).splitlines(keepends=True)
        gold = list(read_gold(task, lines, "x", GoldOptions()))
        answers = [answer for doc in documents for answer in doc.answers[task]]
        assert [sentence.answer for sentence in gold] == answers, task
        if task not in ("psg", "srl"):  # whose files have no documents
            assert [s.opens for s in gold] == [i == 0 for doc in documents for i in range(len(doc))]


def test_documents_are_scored_against_others(documents):
    for task in documents[0].answers:
        assert senna.evaluate(task, documents, documents).overall.f1 == 100, task
    wrong = senna.Document.of(["Anna", "Weber", "sang"], ner=["B-PER", "E-PER", "S-PER"])
    found = senna.evaluate("ner", [TAGGED], wrong)
    assert (found.overall.precision, found.overall.recall) == (50, 100)
    labels = senna.evaluate("label", [("fine", "a"), ("bad", "b")], [("fine", "a"), ("bad", "a")])
    assert labels.accuracy == 50


def test_probabilities_are_no_part_of_gold(documents):
    tasks = ["pos", "ner", "srl"]
    nlp = senna.load(tasks=tasks, scores=True)
    scored = [nlp(doc.text) for doc in documents]
    for task in tasks:
        assert as_text(scored, [task]) == as_text(documents, [task])
        assert senna.evaluate(task, scored, documents).overall.f1 == 100
    labelled = senna.Document.of(["Fine"])
    labelled.answers["label"] = [Label("good", {"good": 0.9})]
    assert as_text([labelled], ["label"]) == "good\tFine\n"


def test_a_model_is_scored_on_documents(documents):
    assert senna.evaluate("pos", iter(documents), model="pos").accuracy == 100
    text = "".join(f"{word}\t{tag}\n" for word, tag in TAGGED) + "\n"
    for stream in (io.StringIO(text), io.BytesIO(text.encode())):
        assert senna.evaluate("ner", stream, model="ner").overall.f1 == 100


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ([["Anna"]], "item 1, ['Anna'], is not a list of words with their tags"),
        (["Anna"], "item 1, 'Anna', is not a list of words with their tags"),
        ([TAGGED, [("Anna", 3)]], "item 2, [('Anna', 3)], is not a list"),
        ([senna.Document.of(["a"], pos=["DT"])], "item 1 of the sentences has no ner. It has pos."),
        (3, "3 is neither a file nor sentences"),
        ([[("Anna", "X-PER")]], "X-PER"),
    ],
)
def test_what_is_no_gold_is_refused(given, said, tmp_path):
    with pytest.raises(SennaError) as error:
        senna.evaluate("ner", given, model="ner")
    assert said in str(error.value)
    pytest.importorskip("torch")
    if given in (["Anna"], 3):  # here the path of a file
        return
    with pytest.raises(SennaError) as error:
        senna.train("ner", train=given, out=tmp_path / "run")
    assert said in str(error.value)
    assert not list(tmp_path.iterdir())


def test_nothing_to_learn_from_is_not_the_default(tmp_path):
    pytest.importorskip("torch")
    for split in ("train", "dev"):
        with pytest.raises(SennaError, match=f"{split}: there are no sentences"):
            senna.train("ner", **{"train": __file__, split: []}, out=tmp_path / "run")
    assert not list(tmp_path.iterdir())


def test_sentences_that_differ_are_not_compared():
    for other in ([TAGGED[:2]], [], [TAGGED, TAGGED]):
        with pytest.raises(
            SennaError, match="sentence:1: other words than|: a sentence that the oth"
        ):
            senna.evaluate("ner", [TAGGED], other)
    with pytest.raises(SennaError, match="predicted: with model, give only the gold file"):
        senna.evaluate("ner", [TAGGED], [TAGGED], model="ner")
    with pytest.raises(SennaError, match=r"tags.txt: sentences are not compared with a file"):
        senna.evaluate("ner", [TAGGED], "tags.txt")


def test_an_error_in_a_stream_names_what_it_is():
    with pytest.raises(SennaError, match=r"^gold:2: 1 column"):
        senna.evaluate("ner", io.StringIO("Anna\tS-PER\nsang\n\n"), model="ner")


def test_training_on_sentences(tmp_path, documents):
    pytest.importorskip("torch")
    out = tmp_path / "runs" / "mine"
    folder = senna.train("ner", train=[TAGGED] * 20, dev=documents, settings=QUICK, out=out)
    [written] = out.parent.glob("ner-train-*.txt")
    assert written.read_text(encoding="utf-8").count("Anna\tB-PER\n") == 20
    assert senna.load(model=folder).tasks == ("ner",)
    resumed = senna.train(resume=out, out=None)
    assert resumed == folder
    several = senna.train("upos,lemma", train=documents * 4, settings=QUICK, out=tmp_path / "ud")
    assert senna.load(model=several).tasks == ("lemma", "upos")


@pytest.mark.parametrize("task", ["pos", "lemma", "upos", "feats", "ner", "chunk"])
def test_lists_of_pairs_serve_every_task_with_a_tag_per_word(tmp_path, task):
    tags = {"ner": "S-PER O", "chunk": "S-NP S-VP", "feats": "Number=Sing Tense=Past"}
    row = list(zip(("Ann", "left"), tags.get(task, "NOUN VERB").split(), strict=True))
    assert senna.evaluate(task, [row], [row]).accuracy == 100
    assert senna.Document.of(("Ann", "left"), **{task: tuple(tag for _, tag in row)})
    path = senna.train(task, train=[row] * 3, settings=QUICK, out=tmp_path / "run")
    assert senna.evaluate(task, [row], model=path)


def test_gold_sentences_alone_are_not_scored_against_their_own_words(documents):
    for task in ("pos", "ner", "lemma", "dep"):
        with pytest.raises(SennaError, match="nothing to be compared with. Give predicted"):
            senna.evaluate(task, documents)
    assert senna.evaluate("pos", io.StringIO("Ann NNP NN\n")).accuracy == 0


@pytest.mark.parametrize("task", ["pos", "upos", "lemma", "feats", "ner", "chunk"])
def test_two_files_with_the_same_words_are_compared(documents, tmp_path, task):
    gold, wrong = tmp_path / "gold.conllu", tmp_path / "predicted.conllu"
    gold.write_text("".join(doc.to("conllu") for doc in documents), encoding="utf-8")
    other = [senna.Document.from_dict(doc.to_dict()) for doc in documents]
    other[0].answers["pos"][0][0], other[0].answers["upos"][0][0] = "UH", "X"
    wrong.write_text("".join(doc.to("conllu") for doc in other), encoding="utf-8")
    n = sum(len(sentence) for doc in documents for sentence in doc.sentences)
    expected = 100 - 100 / n if task in ("pos", "upos") else 100
    assert senna.evaluate(task, gold, wrong).accuracy == pytest.approx(expected)
