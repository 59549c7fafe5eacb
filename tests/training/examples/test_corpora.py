"""From corpora to batches: columns, schemes, vocabularies, masks, order."""

import dataclasses
import lzma
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from senna.annotation.predicates import Predicate
from senna.annotation.trees import Tree
from senna.errors import SennaError
from senna.inference.features.forms import FormFeatures, Spellings
from senna.training.config import DataConfig, Source
from senna.training.examples.corpora import Example, TaskCorpus, read_source, tags_of
from senna.training.examples.encode import Numbering, number
from senna.training.examples.vocabularies import collect
from tests import toys


def write(path: Path, text: str, **settings: Any) -> Source:
    path.write_text(text, encoding="utf-8", newline="\n")
    return Source(str(path), **settings)


def read(source: Source, task: str = "ner", merge_to: bool = False) -> list[Example]:
    return read_source(source, "train", task, DataConfig(merge_to=merge_to), None)


# --------------------------------------------------------------------------- reading


@pytest.mark.parametrize(
    "tags",
    [
        ("I-PER", "I-PER", "B-PER", "O", "I-LOC"),  # IOB1
        ("B-PER", "I-PER", "B-PER", "O", "B-LOC"),  # IOB2
        ("B-PER", "E-PER", "S-PER", "O", "S-LOC"),  # IOBES
    ],
)
def test_any_scheme_becomes_iobes(tmp_path, tags):
    rows = "".join(f"w{i} {tag}\n" for i, tag in enumerate(tags))
    (found,) = read(write(tmp_path / "x", rows))
    assert found.forms == ["w0", "w1", "w2", "w3", "w4"]
    assert found.gold == ["B-PER", "E-PER", "S-PER", "O", "S-LOC"]
    assert found.tags == {}


@pytest.mark.parametrize(
    ("columns", "text"),
    [  # by number: the word first, the tag last, parts of speech second where there are three
        ("", "a DT x O\nb NN y B-X\n"),
        ("-, tag,word,pos", "1\tO\ta\tDT\tmore\n2\tB-X\tb\tNN\tmore\n"),
    ],
)
def test_columns_by_number_and_by_name(tmp_path, columns, text):
    (found,) = read(write(tmp_path / "x", text, columns=columns))
    assert (found.forms, found.tags) == (["a", "b"], {"pos": ["DT", "NN"]})
    assert found.gold == ["O", "S-X"]


def test_columns_of_other_tasks_may_be_features(tmp_path):
    text = "a DT B-NP O\nb NN I-NP B-X\n"
    (found,) = read(write(tmp_path / "x", text, columns="word,pos,chunk,tag"))
    assert found.tags == {"pos": ["DT", "NN"], "chunk": ["B-NP", "I-NP"]}


def test_columns_that_do_not_fit(tmp_path):
    for columns, what in (
        ("word", "have no .tag."),
        ("tag", "have no .word."),
        ("word,-", "have no .tag."),
        ("word,pos,x,y,tag", "do not fit 3 columns"),
    ):
        with pytest.raises(SennaError, match=rf"x: the .* {what}.*word,pos,-,tag"):
            read(write(tmp_path / "x", "a b O\n", columns=columns))
    with pytest.raises(SennaError, match="trees have no columns"):
        read(write(tmp_path / "x", "(UH Oh)", columns="word,tag"), "psg")


EMPTY = ": the file has no sentences"


@pytest.mark.parametrize(
    ("task", "text", "message"),
    [
        ("pos", "a\nb\n", "only one column"),
        ("ner", "a\nb\n", "only one column"),
        ("ner", "a O\n\nb NN O\n", ":3: 3 columns, expected 2"),
        ("ner", "a NN O\n\nb O\n", ":3: 2 columns, expected 3"),
        *(("ner", text, EMPTY) for text in ("", "\n\n", "-DOCSTART- O\n\n")),
        ("ner", "a B-X\nb M-X\n", ""),  # of no scheme
        ("ner", "a B-X\n\nb (NP*)\n", ""),  # of two
        *(("psg", text, EMPTY) for text in ("", "\n \n", "(NP (-NONE- *))\n")),
        ("psg", "(UH Oh)\n(S (NP (NN a))\n(UH no)\n", ":2: 1 brackets of the tree"),
        ("psg", "(UH Oh)\nShe sings\n", ":2: 'She' outside brackets"),
        ("psg", "(UH Oh)\n(S" + " (NN a)" * 501 + ")\n", ":2: a tree of 501 words, at most"),
    ],
)
def test_what_cannot_be_read_is_told_by_file_and_line(tmp_path, task, text, message):
    named = message if message.startswith("only") else rf"train\.txt.*{message}"
    with pytest.raises(SennaError, match=named):
        read(write(tmp_path / "train.txt", text), task)


def test_weights_and_unlabelled_types(tmp_path):
    text = "-DOCSTART- O\n\na O\n\nb O\n"
    first, second = read(write(tmp_path / "x", text, weight=0.5, unlabelled=("MISC",)))
    assert {(s.weight, s.unlabelled) for s in (first, second)} == {(0.5, ("MISC",))}


def test_merging_to(tmp_path):
    source = write(tmp_path / "x", "To IN\nto TO\nto RB\nof IN\n; ,\n; :\n, ,\n")
    (found,) = read(source, "pos", merge_to=True)
    assert found.gold == ["TO", "TO", "RB", "IN", ":", ":", ","]
    (found,) = read(source, "pos")
    assert found.gold == ["IN", "TO", "RB", "IN", ",", ":", ","]


def test_a_split_of_a_corpus(tmp_path, monkeypatch):
    folder = tmp_path / "ner" / "made"
    folder.mkdir(parents=True)
    with lzma.open(folder / "train.xz", "wt", encoding="utf-8") as file:
        file.write("a O\n")
    (folder / "dev.txt").write_text("b O\n", encoding="utf-8")
    monkeypatch.setattr("senna.corpora.store.find", lambda name, root: root / name)
    for split, form in (("", "a"), ("dev", "b")):
        (found,) = read_source(Source("ner/made", split), "train", "ner", DataConfig(), tmp_path)
        assert found.forms == [form]
    with pytest.raises(SennaError, match="no split 'test'"):
        read_source(Source("ner/made"), "test", "ner", DataConfig(), tmp_path)


# --------------------------------------------------------------------------- vocabularies


def test_tag_vocabulary_has_all_four_tags_of_a_type():
    sentences = [Example(["a", "b"], ["S-PER", "O"]), Example(["c"], ["S-A-B"])]
    assert tags_of("ner", sentences) == [
        "O", "B-A-B", "I-A-B", "E-A-B", "S-A-B", "B-PER", "I-PER", "E-PER", "S-PER",
    ]  # fmt: skip
    assert tags_of("pos", [Example(["a", "b"], ["NN", "DT"])]) == ["DT", "NN"]


# --------------------------------------------------------------------------- batches


def test_batches_hold_what_was_encoded():
    made = toys.setup(toys.SMALL)
    task = made.numbered.tasks[0]
    batch = made.batches.batch("ner", task.train)
    forms = list(made.numbered.forms)
    ids = made.numbered.ids
    for i, (sentence, gold) in enumerate(zip(task.train, made.corpora["ner"].train, strict=True)):
        n = len(gold.forms)
        assert [forms[row] for row in sentence.forms] == gold.forms
        assert [task.names[tag] for tag in sentence.gold[0]] == gold.gold
        assert batch.lengths[i] == n
        assert batch.gold[i, :n].tolist() == sentence.gold[0].tolist()
        rows = batch.tokens[i, :n]
        for name in ("words", "letters"):
            assert batch.forms[name][rows].tolist() == ids[name][sentence.forms].tolist()
        assert not batch.tokens[i, n:].any(), "padding after the sentence"
    assert batch.allowed is None


def test_words_are_rows_of_the_network_s_own_tables(tmp_path):
    vectors = tmp_path / "vectors.txt"
    vectors.write_text("Anna 1 2 3 4 5 6\nzürich 6 5 4 3 2 1\nx 1 1 1 1 1 2\n", encoding="utf-8")
    made = toys.setup(toys.small("ner", f"features.word.embeddings={vectors}"))
    inputs, collected, numbered = made.model.inputs, made.collected, made.numbered
    tables = torch.cat([inputs.word, inputs.fixed]).detach().numpy()
    for form, row in numbered.forms.items():
        vector = collected.table[collected.features.ids([form])["words"][0]]
        assert np.array_equal(tables[numbered.ids["words"][row]], vector.astype(np.float32)), form
    assert len(numbered.fixed), "a dev set has a word with a vector that training lacks"


@pytest.mark.parametrize("margin", [0, 2])
def test_a_network_pads_both_ends_of_a_sentence(margin):
    made = toys.setup(toys.SMALL)
    batch = made.batches.batch("ner", made.numbered.tasks[0].train[2:3])
    assert batch.tokens.shape == (1, 3)
    assert (batch.tokens > 0).all()
    assert not batch.forms["letters"][0].any(), "row 0 is padding even where none is needed"
    x = made.model.inputs(batch, margin)[0]
    padding = made.model.inputs.encode_forms(batch.forms)[0]
    assert len(x) == 3 + 2 * margin
    assert torch.equal(x[:margin], padding.expand(margin, -1))
    assert torch.equal(x[3 + margin :], padding.expand(margin, -1))
    assert torch.equal(x[margin : margin + 3], made.model.inputs(batch)[0])


def test_tags_and_labels_that_training_never_saw_can_only_be_missed():
    made, own = toys.setup(toys.SMALL), toys.setup(toys.TREES)
    (found,) = Numbering(made.collected).encode("ner", [Example(["x"], ["S-NEW"])])
    assert found.gold.tolist() == [[-1]]
    tree = Tree("TOP", [Tree("X", [Tree("NN", word="a"), Tree("NN", word="b")])])
    (found,) = Numbering(own.collected).encode("psg", [Example(["a", "b"], tree)])
    assert found.brackets.tolist() == [[0, 1, -1], [0, 0, 0], [1, 1, 0]]


def test_a_missing_part_of_speech():
    made = toys.setup(toys.small("ner", "features.tags.pos.size=2"))
    with pytest.raises(SennaError, match="features.tags.pos: a sentence has no column pos"):
        Numbering(made.collected).encode("ner", [Example(["x"], ["O"])])


def test_an_o_may_hide_an_unlabelled_type():
    made = toys.setup(toys.SMALL, n=40)
    examples = [
        Example(["a"] * 4, ["O", "B-PER", "E-PER", "S-MISC"], unlabelled=("MISC",)),
        Example(["a"] * 2, ["O", "S-PER"]),
        Example(["a"], ["O"], unlabelled=("MISC", "LOC")),
    ]
    sentences = Numbering(made.collected).encode("ner", examples)
    allowed = made.batches.batch("ner", sentences).allowed
    names = np.array(made.collected.tags["ner"])
    found = [[set(names[row.numpy()]) for row in sentence] for sentence in allowed]
    misc = {"O", "B-MISC", "I-MISC", "E-MISC", "S-MISC"}
    assert found[0] == [misc, {"B-PER"}, {"E-PER"}, {"S-MISC"}]
    assert found[1][:2] == [{"O"}, {"S-PER"}]
    assert found[2][0] == misc | {"B-LOC", "I-LOC", "E-LOC", "S-LOC"}


# --------------------------------------------------------------------------- roles, PT0


ROLES = (
    "1\tAnn\tNNP\tS-EDITED\t-\t-\t(A0*)\t(A1*)\n2\tgoes\tVBZ\tS-VP\tgo.01\tv\t(V*)\t*\n"
    "3\tbeing\tVBG\tS-VP\tbe.01\tbe\t(AM-ADV*)\t(V*)\n\n1\tYes\tUH\tO\t-\t-\n"
)


def test_roles_of_some_kinds(tmp_path):
    source = write(tmp_path / "x", ROLES)
    first, second = read(source, "srl")
    assert (first.gold, second.gold) == ([Predicate(1, ["S-A0", "S-V", "S-AM-ADV"])], [])
    assert (first.forms, first.tags["pos"]) == (["Ann", "goes", "being"], ["NNP", "VBZ", "VBG"])
    assert first.tags["pt0"] == ["O", "S-VP", "S-VP"], "EDITED is not one of PT0's types"
    for kinds, n in ((("v", "be"), 2), ((), 2), (("n",), 0)):
        found = read_source(source, "train", "srl", DataConfig(kinds=kinds), None)
        assert [len(s.gold) for s in found] == [n, 0]


def test_predicates_are_phrases_of_one_word(tmp_path):
    first, second = read(write(tmp_path / "x", ROLES), "predicates")
    assert (first.gold, second.gold) == (["O", "S-V", "O"], ["O"])
    assert tags_of("predicates", [first, second]) == ["O", "S-V"]


def test_roles_in_the_shared_tasks_form(tmp_path):
    source = write(tmp_path / "x", "Ann - (A0*)\ngoes go (V*)\n\nYes -\n")
    first, second = read(source, "srl")
    assert first.gold == [Predicate(1, ["S-A0", "S-V"])]
    assert (first.tags, second.gold) == ({}, [])
    names = tags_of("srl", [first, second])
    assert names == ["O", "B-A0", "I-A0", "E-A0", "S-A0", "B-V", "I-V", "E-V", "S-V"]
    named = dataclasses.replace(source, columns="predicate,word")
    with pytest.raises(SennaError, match="x:1: 2 predicates, but 1 column of roles"):
        read(named, "srl")


def test_pt0_without_the_types_it_lacks(tmp_path):
    (found,) = read(write(tmp_path / "x", "um UH B-META\nuh UH E-META\nAnn NNP S-NP\n"), "pt0")
    assert found.gold == ["O", "O", "S-NP"]


def test_some_sentences_of_a_source(tmp_path):
    source = write(tmp_path / "x", "".join(f"w{i} O\n\n" for i in range(1, 8)))
    for ranges, forms in (("2-3", "w2 w3"), ("1,6-", "w1 w6 w7"), ("7", "w7"), ("5 - 5", "w5")):
        found = read(dataclasses.replace(source, sentences=ranges))
        assert [s.forms[0] for s in found] == forms.split()
    for ranges in ("0-2", "3-2", "6-8", "x", "2-x", "-3", "1,"):
        what = r"x: sentences .* it has 1-7.*Ranges look like 1-200,300-"
        with pytest.raises(SennaError, match=what):
            read(dataclasses.replace(source, sentences=ranges))


# --------------------------------------------------------------------------- trees


def test_trees_over_lines_without_traces_and_functions(tmp_path):
    text = "( (S (NP-SBJ-1 (PRP She))\n (VP (VBZ sings) (NP (-NONE- *-1)))))\n"
    text += "(TOP (NP (-NONE- *))) (UH -LRB-)\n"
    sings, oh = read(write(tmp_path / "x", text, weight=2.0), "psg")
    assert str(sings.gold) == "(TOP (S (NP (PRP She)) (VP (VBZ sings))))"
    assert (sings.forms, sings.tags) == (["She", "sings"], {"pos": ["PRP", "VBZ"]})
    assert (str(oh.gold), oh.forms, oh.weight) == ("(UH -LRB-)", ["("], 2.0)


def test_trees_deeper_than_the_stack_can_be_learnt_from(tmp_path):
    deep = "(NP " * 5000 + "(NN a)" + ")" * 5000
    (made,) = read(write(tmp_path / "x", deep), "psg")
    assert str(made.gold) == "(NP (NN a))"
    assert tags_of("psg", [made]) == ["O", "NP"]
    wide = "(NP (DT a) " * 400 + "(NN x)" + ")" * 400
    (made,) = read(write(tmp_path / "x", wide), "psg")
    assert len(made.forms) == 401


def test_gold_of_conll2012_is_learnt_from(tmp_path):
    rows = ("Ann NNP (TOP(NP* - - - - (PERSON*", "Lee NNP *)) - - - - *)")
    body = "".join(f"x 0 {i} {row} -\n" for i, row in enumerate(rows))
    text = f"#begin document (x); part 000\n{body}\n#end document\n"
    [example] = read(write(tmp_path / "gold.conll", text))
    assert example.forms == ["Ann", "Lee"]
    assert example.gold == ["B-PERSON", "E-PERSON"]
    assert example.tags == {"pos": ["NNP", "NNP"]}


def test_forms_are_numbered_together_not_one_by_one(monkeypatch):
    """One look-up for 100,000 forms takes a fortieth of the time of as many look-ups."""
    random = np.random.default_rng(1)
    corpus = TaskCorpus([toys.example("pos", random, 8, toys.WORDS) for _ in range(9)], [])
    calls: list[int] = []
    real = FormFeatures.word_rows

    def counted(self: FormFeatures, spelt: Spellings) -> Any:
        calls.append(len(spelt))
        return real(self, spelt)

    monkeypatch.setattr(FormFeatures, "word_rows", counted)
    collected = collect(toys.small("pos"), {"pos": corpus})
    number(collected, {"pos": corpus})
    assert collected.coverage == 0 and len(calls) < 6 and max(calls) > 20
