"""scripts/self_train.py: votes of taggers, and phrases that have one type nearly everywhere."""

from __future__ import annotations

import lzma
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from senna.model.folder import read_model
from senna.networks.gated.settings import GatedConfig
from senna.text.schemes import Phrase, phrases_of
from tests import toys

SCRIPTS = Path(__file__).parents[2] / "scripts"


@pytest.fixture(autouse=True)
def scripts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(SCRIPTS))


def test_models_and_teachers_tag(tmp_path: Path) -> None:
    """A teacher reads the states of a language model, which only PyTorch computes."""
    from self_train import Teacher

    toys.write_language_model(["the", "anna"], tmp_path / "lm")
    states = replace(toys.SMALL.features, states=str(tmp_path / "lm"))
    sentences = [["the", "Anna", "walks"], ["x"]]
    for name, features in (("model", toys.SMALL.features), ("teacher", states)):
        setup = toys.setup(replace(toys.SMALL, features=features))
        tags = Teacher(toys.exported(setup, tmp_path / name), ["ner"]).answers(sentences)["ner"]
        assert [len(row) for row in tags] == [3, 1]
        assert {tag for row in tags for tag in row} <= set(setup.collected.tags["ner"])


def test_roles_by_pytorch_are_of_the_predicates_of_a_finder(tmp_path: Path) -> None:
    from self_train import Teacher

    gated = replace(toys.TREES.network, gated=GatedConfig(10, dilations=(1,), pair=8))
    config = replace(toys.SMALL, network=gated)
    paths = [
        toys.exported(toys.setup(replace(config, tasks=(task,))), tmp_path / task)
        for task in ("srl", "predicates")
    ]
    sentences = [["the", "Anna", "walks"], ["x"]]
    plain = Teacher(paths[0], ["srl"], finder=paths[1])
    by_torch = Teacher(paths[0], ["srl"])
    by_torch.folder = read_model(paths[0])  # as on a GPU
    by_torch.finder = Teacher(paths[1], ["predicates"])
    found = by_torch.answers(sentences)["srl"]
    assert found == plain.answers(sentences)["srl"]
    assert any(found)


def test_a_phrase_needs_the_votes_of_most_models() -> None:
    from self_train import vote

    ballots = [["S-PER", "O", "S-LOC"], ["S-PER", "B-LOC", "E-LOC"], ["S-ORG", "O", "S-LOC"]]
    assert vote(ballots, plain=False) == [Phrase(0, 1, "PER"), Phrase(2, 3, "LOC")]
    assert vote(ballots[:2], plain=False) == [Phrase(0, 1, "PER")]
    assert vote([["NN", "VB"], ["NN", "NN"], ["JJ", "NN"]], plain=True) == [
        Phrase(0, 1, "NN"),
        Phrase(1, 2, "NN"),
    ]


def test_sure_phrases_and_what_they_relabel() -> None:
    from self_train import relabel, sure_phrases

    words = "Shell met Ada Byron".split()
    labelled = (words, [Phrase(0, 1, "ORG"), Phrase(2, 4, "PER")])
    unlabelled = (words, [Phrase(2, 4, "PER")])
    assert sure_phrases([labelled] * 3 + [unlabelled], 3, 0.75) == {
        "Shell": "ORG",
        "Ada Byron": "PER",
    }
    assert sure_phrases([labelled] * 3 + [unlabelled] * 2, 3, 0.75) == {"Ada Byron": "PER"}
    assert sure_phrases([labelled] * 2, 3, 0.75) == {}
    sure = {"Shell": "ORG", "Ada": "PER"}
    assert sorted(relabel(words, [Phrase(2, 4, "PER")], sure)) == [
        Phrase(0, 1, "ORG"),
        Phrase(2, 4, "PER"),
    ]
    assert relabel(words, [Phrase(0, 1, "LOC")], {"Shell": "ORG"}) == [Phrase(0, 1, "ORG")]


def test_sentences_are_taken_until_the_words_are_full() -> None:
    from self_train import take_words

    def sentences() -> Iterator[list[str]]:
        for length in (3, 4, 61, 5, 6):
            yield ["word"] * length

    assert [len(sentence) for sentence in take_words(sentences(), 9)] == [4, 5]


def test_sentences_of_gold_are_known(tmp_path: Path) -> None:
    from self_train import sentences_in

    (tmp_path / "dev.txt").write_text("Ada\tNNP\tO\nran\tVBD\tO\n\nUp\tRB\tO\n\n")
    (tmp_path / "trees.mrg").write_text("(S (NP (NN Fog)) (VP (VBD fell)))\n")
    assert sentences_in([tmp_path / "trees.mrg"], "psg") == {"fog fell"}
    assert sentences_in([tmp_path / "dev.txt"], "chunk") == {"ada ran", "up"}


def test_silver_data_are_columns(tmp_path: Path) -> None:
    from self_train import write_gazetteer, write_silver

    tagged = [("Ada Byron sings".split(), [Phrase(0, 2, "PER")])]
    assert write_silver(tmp_path / "silver.xz", tagged, plain=False) == 3
    text = lzma.decompress((tmp_path / "silver.xz").read_bytes()).decode()
    assert text == "Ada\tB-PER\nByron\tI-PER\nsings\tO\n\n"
    write_gazetteer(tmp_path / "gazetteer", {"Ulm": "LOC", "Ada": "PER", "Bonn": "LOC"})
    assert (tmp_path / "gazetteer" / "loc.txt").read_text() == "Bonn\nUlm\n"
    assert {path.name for path in (tmp_path / "gazetteer").iterdir()} == {"loc.txt", "per.txt"}


def test_a_model_of_two_tasks_labels_sentences_for_both(tmp_path: Path) -> None:
    from self_train import Teacher, label

    config = replace(toys.SMALL, tasks=("pos", "chunk"))
    path = toys.exported(toys.setup(config), tmp_path / "model")
    sentences = [["the", "Anna", "walks"], ["x"]]
    teacher = Teacher(path, ["pos", "chunk"])
    answers = teacher.answers(sentences)
    labelled = [*label([teacher], ["pos", "chunk"], sentences)]
    assert [words for words, _ in labelled] == sentences
    for i, (_, (pos, chunks)) in enumerate(labelled):
        assert [phrase.label for phrase in pos] == answers["pos"][i]
        assert chunks == sorted(phrases_of(answers["chunk"][i], "iobes"))
