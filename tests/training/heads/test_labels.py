"""The task label from lines to a model folder, and what is no data for it."""

from pathlib import Path

import pytest
import torch

import senna
from senna.corpora.store import demo_data
from senna.errors import SennaError
from senna.model.folder import read_model
from senna.text.tokenizer import tokenize
from tests import toys
from tests.lab.criteria.test_margins import word_margins
from tests.processes import ENVIRONMENT, python
from tests.tiny import SMALL

SETTINGS = [*SMALL, "features.prefix.size=0", "train.dropout_hidden=0.0", "train.dropout_input=0.0"]


def lines(split: str, n: int) -> str:
    [source] = getattr(demo_data("label", Path("data/demo").resolve()), split)
    text = Path(source.corpus).read_text(encoding="utf-8").splitlines(keepends=True)
    return "".join(text[:n])


@pytest.fixture(scope="module")
def twenty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("data") / "twenty.tsv"
    path.write_text(lines("train", 20), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def model(twenty: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("run")
    settings = [*SETTINGS, "train.epochs=15", "train.batch=4", "network.label.pooling=['max']"]
    return senna.train("label", train=twenty, dev=twenty, settings=settings, out=out)


def test_twenty_sentences_by_heart(model, twenty):
    folder = read_model(model)
    assert folder.about["scores"]["label"] == {"measure": "accuracy", "twenty.tsv dev": 100.0}
    assert folder.meta["network"]["label"] == {"pooling": ["max"]}
    assert senna.evaluate("label", twenty, model=model).accuracy == 100.0
    unknown = twenty.with_name("unknown.tsv")
    unknown.write_text("\nnobody\tIt rained.\n", encoding="utf-8")
    with pytest.raises(SennaError, match=r"unknown.tsv:2: label 'nobody'. The model has "):
        senna.evaluate("label", unknown, model=model)


@pytest.mark.parametrize("criterion", ["word-hinge", "word-binary", "word-log"])
def test_margins_of_labels(criterion):
    """The criterion of words, each sentence one of them."""
    setup = toys.setup(toys.small("label", *toys.GATED, f"train.criterion={criterion}"))
    head = setup.model.head("label")
    batch = setup.batches.batch("label", setup.numbered.tasks[0].train)
    scores = setup.model("label", batch)
    labels = batch.labels
    expected = scores.new_zeros(())
    for row, label in zip(scores, labels.tolist(), strict=True):
        right = torch.arange(len(row)) == label
        expected = expected + word_margins(criterion, row, right)
    torch.testing.assert_close(head.loss(scores, batch), expected)
    assert expected > 0


OTHER_PROCESSOR = {"SENNA_KERNEL": "off", "OPENBLAS_CORETYPE": "Prescott"}


def test_two_processes_give_the_labels_of_one_on_any_processor(model, tmp_path):
    text = [row.partition("\t")[2] for row in lines("test", 53).splitlines()]
    (tmp_path / "in.txt").write_text("\n".join(text * 12) + "\n", encoding="utf-8")
    words = [[token.text for token in tokenize(row)] for row in text]
    labels = [doc.label for doc in senna.load(model=model).pipe(words)]
    assert len(set(labels)) > 2
    options = ("--model", model, "--input", "lines", "--format", "tsv", "--jobs", "2", "in.txt")
    env = ENVIRONMENT | OTHER_PROCESSOR
    done = python("-m", "senna", "tag", *options, cwd=tmp_path, env=env, check=True)
    rows = [row.split("\t") for row in done.stdout.decode().splitlines()]
    assert [row[1] for row in rows] == text * 12
    assert [row[0] for row in rows] == labels * 12


@pytest.mark.parametrize(
    ("train", "dev", "message"),
    [
        ("a\tHi.\nHo.\n", "a\tHi.\n", "train.tsv:2: no tab. A line is LABEL, tab, text."),
        ("a\tHi.\nb\t\n", "a\tHi.\n", "train.tsv:2: no text after the tab"),
        ("a\tHi.\na\tHo.\n", "a\tHi.\n", "all training sentences have one label, 'a'"),
        ("a\tHi.\nb\tHo.\n", "c\tHi.\n", "dev.tsv: label 'c' of sentence 1. Training has a, b"),
        ("\n", "a\tHi.\n", "train.tsv: the file has no sentences"),
    ],
)
def test_what_is_no_data(tmp_path, train, dev, message):
    for name, text in (("train.tsv", train), ("dev.tsv", dev)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    files = {"train": tmp_path / "train.tsv", "dev": tmp_path / "dev.tsv"}
    with pytest.raises(SennaError) as error:
        senna.train("label", **files, settings=SETTINGS, out=tmp_path / "run")
    assert message in str(error.value) and "\n" not in str(error.value)
    assert not (tmp_path / "run").exists()


REGIONS = "network.label.pooling=['max', '2-regions']"
NETWORKS = {  # settings, and the accuracy at least
    "window": (["network.window.hidden=[40]"], 100),
    "sentence": (["network.sentence.hidden=40"], 100),
    "convolution": (["network.convolution.units=8", REGIONS], 100),
    "bag": (["network.bag={units=16, weights='tf-idf'}", "train.epochs=30"], 95),
    "recurrent": (["network.recurrent={units=12, spans=true}", "train.epochs=20"], 95),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", NETWORKS)
def test_other_networks_learn_twenty_sentences_by_heart(twenty, tmp_path, kind):
    own, least = NETWORKS[kind]
    settings = [*SETTINGS, f"network.kind={kind}", "train.epochs=15", "train.batch=4", *own]
    model = senna.train("label", train=twenty, dev=twenty, settings=settings, out=tmp_path)
    accuracy = senna.evaluate("label", twenty, model=model).accuracy
    assert accuracy is not None and accuracy >= least
