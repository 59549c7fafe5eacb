"""recipe/teacher: labels of a teacher as files, and a tiny encoder that teaches."""

import json
import lzma
from pathlib import Path

import numpy as np
import pytest

from tests.processes import ROOT
from tests.script import run

TAGS = {
    "ner": ["O", "B-PER", "E-PER", "S-LOC"],
    "pos": ["NNP", "VBD", "."],
    "chunk": ["O", "B-NP", "E-NP", "S-VP"],
    "pt0": ["O", "B-NP", "E-NP", "S-VP"],
    "upos": ["PROPN", "VERB", "PUNCT"],
    "feats": ["_", "Tense=Past"],
    "predicates": ["O", "V"],
    "srl": ["O", "B-A0", "E-A0", "S-V", "S-A1"],
    "relation": ["root", "nsubj", "flat", "obj", "punct"],
    "bracket": ["none", "S", "NP", "VP"],
}
WORDS = "Ann Lee saw Rome .".split()


def read(path: Path) -> str:
    with lzma.open(path, "rt", encoding="utf-8") as file:
        return file.read()


def save_labels(folder: Path) -> None:
    """Labels of one sentence, whose first two words are a person and A0 of *saw*."""
    with lzma.open(folder / "text.xz", "wt", encoding="utf-8") as file:
        file.write(" ".join(WORDS) + "\n")
    (folder / "report.json").write_text(json.dumps({"tags": TAGS}), encoding="utf-8")
    numbers = {
        "ner": {"ner": [1, 2, 0, 3, 0], "sure_ner": [90]},
        "tags": {
            "pos": [0, 0, 1, 0, 2],
            "chunk": [1, 2, 3, 0, 0],
            "pt0": [1, 2, 3, 0, 0],
            "upos": [0, 0, 1, 0, 2],
            "feats": [0, 0, 1, 0, 0],
            "predicates": [0, 0, 1, 0, 0],
            "sure_pos": [90],
            "sure_predicates": [90],
        },
        "dep": {"head": [3, 1, 0, 3, 3], "relation": [1, 2, 0, 3, 4], "sure_dep": [80]},
        "psg": {
            "sure_psg": [90],
            "bracket_count": [2],
            "bracket_start": [0, 0],
            "bracket_end": [5, 2],
            "bracket_label": [1, 2],
        },
        "srl": {"srl": [1, 2, 3, 4, 0], "sure_srl": [90]},
    }
    for name, arrays in numbers.items():
        np.savez(folder / f"{name}.npz", **{k: np.array(v, np.uint8) for k, v in arrays.items()})


def unpack(labels: Path, out: Path, *more: str) -> None:
    done = run("recipe/teacher/unpack.py", "--labels", labels, "--out", out, *more)
    assert done.returncode == 0, done.stderr


def test_labels_become_files_to_train_from(tmp_path):
    save_labels(tmp_path)
    unpack(tmp_path, tmp_path / "out")
    names = ("ner", "chunk", "pt0", "dep", "srl")
    files = {name: read(tmp_path / "out" / f"{name}.xz") for name in names}
    assert files["ner"] == "Ann\tB-PER\nLee\tI-PER\nsaw\tO\nRome\tB-LOC\n.\tO\n\n"
    assert files["chunk"].splitlines()[1] == "Lee\tI-NP"
    assert files["pt0"].splitlines()[1] == "Lee\tE-NP"
    assert files["dep"].splitlines()[2] == "3\tsaw\t_\tVERB\tVBD\tTense=Past\t0\troot\t_\t_"
    assert files["srl"] == "Ann\t-\t(A0*\nLee\t-\t*)\nsaw\tsaw\t(V*)\nRome\t-\t(A1*)\n.\t-\t*\n\n"
    tree = "(TOP (S (NP (NNP Ann) (NNP Lee)) (VBD saw) (NNP Rome) (. .)))\n"
    assert read(tmp_path / "out" / "psg.xz") == tree


def test_uncertain_sentences_are_left_out(tmp_path):
    save_labels(tmp_path)
    unpack(tmp_path, tmp_path / "out", "--least", "85")
    assert read(tmp_path / "out" / "ner.xz")
    assert not (tmp_path / "out" / "dep.xz").exists()  # its least certain arc has 80


def save_encoder(folder: Path) -> None:
    """A random encoder of one layer, whose subwords are letters."""
    import transformers
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    letters = [chr(i) for i in range(33, 127)]
    entries = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *letters, *(f"##{x}" for x in letters)]
    vocabulary = {entry: i for i, entry in enumerate(entries)}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    ends = [("[CLS]", 2), ("[SEP]", 3)]
    tokenizer.post_processor = processors.TemplateProcessing("[CLS] $A [SEP]", special_tokens=ends)
    folder.mkdir()
    tokenizer.save(str(folder / "tokenizer.json"))
    settings = transformers.BertConfig(
        vocab_size=len(entries),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
    )
    transformers.BertModel(settings).save_pretrained(folder, safe_serialization=True)


@pytest.mark.slow
@pytest.mark.parametrize("config", ["names", "roles", "syntax"])
def test_a_tiny_encoder_teaches(tmp_path, config):
    pytest.importorskip("transformers")
    save_encoder(tmp_path / "encoder")
    text = tmp_path / "text.txt"
    text.write_text("Ann Lee saw Rome in May.\n\nShe went home early.\n", encoding="utf-8")
    paths = ["--encoder", tmp_path / "encoder", "--out", tmp_path / "out", "--text", text]
    options = ["--config", ROOT / f"configs/teacher/{config}.toml", "--corpus", "demo"]
    more = ["--least", "0", "--set", "train.epochs=1"]
    done = run("recipe/teacher/teach.py", *paths, *options, *more)
    assert done.returncode == 0, done.stderr
    assert "dev" in done.stdout and "words labelled" in done.stdout
    for path in (tmp_path / "out").glob("*.xz"):
        if config != "names":  # of sentences without a name, some are left out
            assert len(read(path).strip().split("\n\n")) == (1 if path.stem == "psg" else 2)
