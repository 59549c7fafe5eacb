"""Tables that are added up, letter n-grams, and one-hot tables, which make a CRF."""

from typing import Any
from zlib import crc32

import numpy as np
import pytest
import torch
from torch import Tensor

from senna.errors import SennaError
from senna.inference.features.forms import Spellings
from senna.lab.form_features import Ngrams
from senna.model.folder import read_model
from senna.pipeline.pipeline import Pipeline
from senna.text.vocabulary import Spelling
from senna.training.build import Setup, build
from senna.training.config import Config
from senna.training.run import Run, train
from tests import oracles, tiny, toys


def config_of(*settings: str, task: str = "pos", hidden: str = "[8]") -> Config:
    """A network without features but those of settings."""
    bare = ("features.suffix.size=0", "features.characters.filters=0", "network.constrained=false")
    return toys.small(task, *bare, f"network.window.hidden={hidden}", *settings)


def batch_of(setup: Setup, most: int = 9) -> tuple[Any, list[Any]]:
    """The training sentences of up to so many words, as a batch and as they were read.

    Those without predicates have no roles to learn.
    """
    [task] = setup.numbered.tasks
    learnt = [s for s in setup.corpora[task.name].train if task.name != "srl" or s.gold]
    pairs = zip(task.train, learnt, strict=True)
    chosen = [pair for pair in pairs if len(pair[1].forms) <= most]
    return setup.batches.batch(task.name, [s for s, _ in chosen]), [s for _, s in chosen]


# --------------------------------------------------------------------------- sums

SUM = (
    "features.joined=sum",
    "features.word.size=4",
    "features.caps.size=4",
    "features.suffix={size=4, lengths=[1,2], min_count=1}",
    "features.stem={size=4, min_count=1}",
    "features.tags.pos={size=4, source='column'}",
)


def test_sums_against_loops_over_tables():
    setup = toys.setup(config_of(*SUM, task="chunk"))
    inputs, (batch, sentences) = setup.model.inputs, batch_of(setup)
    assert inputs.size == 4
    with torch.no_grad():
        vectors = inputs(batch, 1)
        table = {name: t.weight for name, t in (*inputs.forms.items(), *inputs.tags.items())}
        known = setup.collected.vocabularies["pos"].rows
        assert len(table) == 5
        for vector, sentence in zip(vectors, sentences, strict=True):
            rows = [setup.numbered.forms[form] for form in sentence.forms]
            for place, tag in enumerate(sentence.tags["pos"]):
                expected = table["pos"][known[tag]].clone()
                for name, ids in setup.numbered.ids.items():
                    of_name = inputs.word if name == "words" else table[name]
                    expected += of_name[int(ids[rows[place]])]
                torch.testing.assert_close(vector[place + 1], expected)


def test_sums_need_one_size(tmp_path):
    for name in ("caps", "prefix", "stem", "levels", "gazetteer", "tags.pos"):
        told = f"words have 4 numbers, {name.removeprefix('tags.')[:5]}.* [0-9]+$"
        with pytest.raises(SennaError, match=told):
            config_of(*SUM, f"features.{name}.size=7")
    words = [f"w{i}" for i in range(3)]
    toys.write_base(words, np.eye(3, dtype=np.float32), tmp_path / "base", "float32")
    word = ("features.word.size=0", f"features.word.embeddings={tmp_path / 'base'}")
    with pytest.raises(SennaError, match="words have 3 numbers, caps 4"):
        toys.setup(config_of("features.joined=sum", "features.caps.size=4", *word))


# --------------------------------------------------------------------------- n-grams

NGRAMS = (
    "features.word.size=4",
    "features.caps.size=0",
    "features.ngrams={buckets=50, least=2, most=3}",
)


def pieces(word: str, least: int, most: int) -> list[str]:
    """The n-grams of a word, by its definition."""
    text = f"<{word}>"
    every = (text[i:j] for i in range(len(text)) for j in range(i + 1, len(text) + 1))
    return [piece for piece in every if least <= len(piece) <= most]


def test_vectors_of_ngrams_are_added_to_the_word():
    setup = toys.setup(config_of(*NGRAMS))
    inputs, (batch, sentences) = setup.model.inputs, batch_of(setup)
    rows, table = setup.numbered.ids["words"], inputs.forms["ngrams"].weight
    with torch.no_grad():
        vectors = inputs(batch)
        for vector, sentence in zip(vectors, sentences, strict=True):
            for place, form in enumerate(sentence.forms):
                expected = inputs.word[int(rows[setup.numbered.forms[form]])].clone()
                for piece in pieces(Spelling.of(form).lower, 2, 3):
                    expected += table[1 + crc32(piece.encode()) % 50]
                torch.testing.assert_close(vector[place], expected)
        padding = inputs.encode_forms(batch.forms)[0]
        assert torch.equal(padding, inputs.word[0]), "beyond the sentence there are none"


def test_ngrams_begin_at_zero_and_learn():
    setup = build(config_of(*NGRAMS), {"pos": toys.corpus("pos")}, torch.device("cpu"))
    table = setup.model.inputs.forms["ngrams"].weight
    assert not table.any()
    batch, _ = batch_of(setup)
    setup.model.head("pos").loss(setup.model("pos", batch), batch).backward()
    assert table.grad.any() and not table.grad[0].any()


def test_long_words_lose_ngrams_in_their_middle():
    table = Ngrams("ngrams", 1_000, 4, 3, 3)
    spelt = Spellings([Spelling.of(form) for form in ("ab", "x" * 40, "", "a" * 15 + "b" * 25)])
    rows = table.rows(spelt)
    assert rows.shape == (4, 30)
    assert np.count_nonzero(rows, axis=1).tolist() == [2, 30, 0, 30]
    assert table.rows(Spellings([])).shape == (0, 0)


# --------------------------------------------------------------------------- one-hot: a CRF

ONE_HOT = (
    "features.one_hot=true",
    "features.word={size=4, fixed=true}",
    "features.caps.size=1",
    "features.suffix={size=1, lengths=[2], min_count=1}",
    "features.tags={pt0={size=0}, pos={size=1, source='column'}}",
)


def crf_loss(setup: Setup, most: int) -> tuple[Tensor, float]:
    """The criterion, and the negative log-likelihood of a CRF with a weight for each value.

    The weights are those of a value at a place of the window, of a number of a word's vector, and
    of roles those of a distance from the predicate.
    """
    batch, sentences = batch_of(setup, most)
    model, collected = setup.model, setup.collected
    [task] = collected.config.tasks
    loss = model.head(task).loss(model(task, batch), batch)
    arrays = {name: torch.from_numpy(np.array(a)) for name, a in model.arrays().items()}
    total = 0.0
    for sentence in sentences:
        words = torch.stack(word_scores(setup, sentence, arrays))
        predicates = sentence.gold if task == "srl" else [None]
        for predicate in predicates:
            tags = sentence.gold if predicate is None else predicate.tags
            emissions = words.clone()
            for place in range(len(words)) if predicate is not None else ():
                away = place - predicate.position
                emissions[place] += arrays["srl.distance"][min(max(away, -2), 2) + 2]
            moves = emissions, arrays[f"{task}.transitions"], arrays[f"{task}.initial"]
            gold = [collected.tags[task].index(tag) for tag in tags]
            [score] = oracles.path_scores(*moves, [gold])
            total += float(oracles.log_partition(*moves) - score)
    return loss, total


def word_scores(setup: Setup, sentence: Any, arrays: dict[str, Tensor]) -> list[Tensor]:
    """The scores of tags of each word of a sentence, from the indicators of its window."""
    collected, ids, words = setup.collected, setup.numbered.ids, setup.model.inputs.word.detach()
    [task] = collected.config.tasks
    weights = arrays[f"{task}.output.weight"].reshape(3, -1, len(collected.tags[task]))
    rows = [setup.numbered.forms[form] for form in ("", *sentence.forms, "")]
    known = collected.vocabularies["pos"].rows if collected.vocabularies else {}
    tags = [0, *(known.get(tag, 0) for tag in sentence.tags["pos"]), 0]
    emissions = []
    for place in range(len(sentence.forms)):
        scores = arrays[f"{task}.output.bias"].clone()
        for k in range(3):
            row, column = rows[place + k], words.shape[1]
            scores += words[int(ids["words"][row])] @ weights[k, :column]
            for table in collected.features.tables:
                scores += weights[k, column + int(ids[table.array][row])]
                column += table.n_rows
            if known:
                scores += weights[k, column + tags[place + k]]
        emissions.append(scores)
    return emissions


@pytest.mark.parametrize("clustered", [False, True])
def test_the_linear_network_with_one_hot_tables_is_a_crf(tmp_path, clustered):
    """In table 13 clusters stand in the place of words, and no table of words is stored."""
    features = ONE_HOT
    if clustered:
        (tmp_path / "paths").write_text("00\tthe\t9\n0101\tanna\t3\n11\ta\t1\n", encoding="utf-8")
        clusters = f"features.clusters.file={tmp_path / 'paths'}"
        features += ("features.word.size=0", "features.tags.pos.size=0", clusters)
    setup = toys.setup(config_of(*features, hidden="[]"))
    loss, expected = crf_loss(setup, 5)
    assert float(loss.detach()) == pytest.approx(expected, rel=1e-5)
    assert expected > 1
    assert (setup.collected.table.size == 0) == clustered
    if clustered:
        folder = read_model(toys.exported(setup, tmp_path / "model"))
        assert folder.array("words", 2, 0).size == 0 and not folder.lines("words.txt")


def test_roles_by_windows_with_one_hot_distances_are_a_crf():
    """Distances count up to 2."""
    roles = ("network.window.distance=2", "network.transitions=full")
    setup = toys.setup(config_of(*ONE_HOT, *roles, task="srl", hidden="[]"))
    loss, expected = crf_loss(setup, 3)
    assert float(loss.detach()) == pytest.approx(expected, rel=1e-5)
    assert expected > 1


FEW = ("data.chunk.size=40", "train.epochs=1")


def test_a_model_without_a_table_of_words_is_trained_and_tags(tmp_path):
    settings = ("features.word.size=0", "export.numbers=int8", *FEW)
    model = tiny.train_small("chunk", tmp_path / "run", *settings)
    assert len(Pipeline.load(["chunk"], model).annotate([["The", "old", "mill", "is", "."]])) == 1


def test_training_leaves_one_hot_tables_as_they_are(tmp_path):
    linear = ("network.kind=window", "network.window.hidden=[]", "train.dropout_hidden=0")
    one_hot = ("features.one_hot=true", "features.characters.filters=0")
    config = tiny.small_config("chunk", *linear, *one_hot, *FEW)
    model = train(config, Run(tmp_path / "run"), str)
    folder = read_model(model)
    for name in folder.meta["features"]["forms"]:
        n = folder.array(name, None, None).shape[0]
        assert np.array_equal(folder.array(name, n, n), np.eye(n))
    assert Pipeline.load(["chunk"], model).annotate([["The", "old", "mill", "is", "."]])["chunk"]
