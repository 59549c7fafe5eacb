"""Parts of speech as a prior of other tags."""

import math
from pathlib import Path
from typing import Any

import numpy as np

from senna.annotation.dependencies import may_have
from senna.files import open_text
from senna.kinds.tags.head import PRIOR, SHARE, UNSEEN, Prior
from senna.model.folder import read_model, shipped
from senna.pipeline.pipeline import Pipeline
from senna.training.examples.corpora import Example
from senna.training.export import lists_of
from tests import toys
from tests.inference.networks.texts import Text, load

CLAUSES = Path(__file__).resolve().parents[2] / "quality" / "arcs" / "clauses.txt"
NETWORK = toys.gated(16, 1)
TRAIN = [
    Example(["a", "dog", "runs"], ["DET", "NOUN", "VERB"], {"pos": ["DT", "NN", "VBZ"]}),
    Example(["run"], ["NOUN"], {"pos": ["NN"]}),
    Example(["US"], ["PROPN"], {"pos": ["NN"]}),
    Example(["without", "tags"], ["ADP", "NOUN"]),
]
LINES = ["DET\tDT\t1", "NOUN\tNN\t2", "PROPN\tNN\t1", "VERB\tVBZ\t1"]


def test_tags_are_counted_by_their_part_of_speech_if_that_is_needed():
    assert lists_of("upos", TRAIN) == {PRIOR: LINES}
    assert lists_of("chunk", TRAIN) == {}
    assert lists_of("upos", TRAIN[3:]) == {}


def test_what_the_first_model_has_counted_is_added():
    before = {PRIOR: ["NOUN\tNN\t7", "X\tFW\t2"]}
    added = ["DET\tDT\t1", "NOUN\tNN\t9", "PROPN\tNN\t1", "VERB\tVBZ\t1", "X\tFW\t2"]
    assert lists_of("upos", TRAIN, before) == {PRIOR: added}
    names = ["PROPN", "NOUN", "DET", "VERB"]  # X is no tag of this model
    assert not Prior(added, names)([["FW"]]).any()


def test_a_prior_is_the_logarithm_of_shares():
    names = ["PROPN", "NOUN", "DET", "VERB", "ADP"]
    given = Prior(LINES, names)([["NN", "DT"], [], ["UH"]])
    nouns = 3 + 5 * UNSEEN
    expected = [SHARE * math.log((n + UNSEEN) / nouns) for n in (1, 2, 0, 0, 0)]
    np.testing.assert_allclose(given[0], expected, rtol=1e-6)
    assert given.dtype == np.float32 and given[1].argmax() == 2
    assert not given[2].any()  # nothing is known of a part of speech that training did not have


def test_a_strict_prior_rules_out_what_was_never_seen_together():
    names = ["PROPN", "NOUN", "DET", "VERB", "ADP", "PART"]
    lines = [*LINES, "ADP\tIN\t9", "PART\tTO\t4"]
    nouns, to, unknown = Prior(lines, names, strict=True)([["NN", "TO", "UH"]])
    assert [name for name, score in zip(names, nouns, strict=True) if score > -100] == names[:2]
    # Treebanks differ: some have TO for the preposition *to*, too.
    assert [name for name, score in zip(names, to, strict=True) if score > -100] == names[4:]
    assert not unknown.any()


def test_a_model_adds_its_prior_to_the_scores(tmp_path):
    folder = toys.model(tmp_path / "model", "upos", network=NETWORK)
    assert (folder / f"upos.{PRIOR}").is_file()
    text = Text(load(folder), [["the", "dog"], ["runs"]])
    head: Any = load(folder).heads["upos"]
    tags = [["DT", "NN"], ["VBZ"]]
    plain = head.emissions(text.x, text.block)
    block = text.block._replace(earlier={"pos": tags})
    raised = head.emissions(text.x, block) - plain
    np.testing.assert_allclose(raised, head.prior(tags), atol=1e-5)


def test_universal_tags_and_features_do_not_contradict_parts_of_speech():
    path = shipped()["upos"]
    model = read_model(path)
    seen = {tuple(line.split("\t")[:2]) for line in model.lines(f"upos.{PRIOR}")}
    words = [line.split() for line in open_text(CLAUSES) if line.strip()]
    answers = Pipeline.load(["pos", "upos", "feats"]).annotate(words)
    for tags, parts, feats in zip(*answers.values(), strict=True):
        assert all(
            tag == "TO" or (part, tag) in seen for tag, part in zip(tags, parts, strict=True)
        )
        assert all(map(may_have, feats, parts))


def test_answers_do_not_depend_on_the_tasks_that_are_asked_for():
    words = [["They", "run", "a", "school", "run", "."]]
    alone = Pipeline.load(["upos"]).annotate(words)
    assert alone == {"upos": Pipeline.load(["pos", "upos", "lemma"]).annotate(words)["upos"]}
