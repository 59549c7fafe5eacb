"""`senna.convert`: Parquet, CoNLL-U, options and files that cannot be."""

import io
import re
from pathlib import Path
from typing import Any

import pytest

import senna
from senna.errors import SennaError
from senna.inference.features.settings import TagFeature
from senna.pipeline.files import completed
from senna.pipeline.options import Options
from tests import toys

TEXTS = ("Anna flew to Lisbon.\n", "It rained in Basel. Bob left.\n", "Who knows?\n")


def written(folder: Path) -> list[Path]:
    """Three files with text."""
    paths = [folder / f"{name}.txt" for name in "abc"]
    for path, text in zip(paths, TEXTS, strict=True):
        path.write_text(text, encoding="utf-8")
    return paths


@pytest.fixture
def files(tmp_path) -> list[Path]:
    return written(tmp_path)


def rows_of(parts: Any) -> list[dict[str, Any]]:
    parquet = pytest.importorskip("pyarrow.parquet")
    rows: list[dict[str, Any]] = parquet.read_table(io.BytesIO(b"".join(parts))).to_pylist()
    return rows


def test_rows_of_a_table_keep_their_columns(tmp_path, as_file):
    pytest.importorskip("pyarrow")
    file = as_file("t.csv", 'id,text\n7,"Anna flew. Bob left."\n8,\n9\n')
    rows = rows_of(senna.convert(file, "parquet", tasks="ner"))
    assert [(row["id"], row["text"]) for row in rows] == [
        ("7", "Anna flew. Bob left."),
        ("8", ""),
        ("9", None),
    ]
    assert [row["sentences"] and len(row["sentences"]) for row in rows] == [2, [], None]
    again = tmp_path / "t.parquet"
    again.write_bytes(b"".join(senna.convert(file, "parquet", tasks="ner")))
    with pytest.raises(SennaError, match="sentences: the table has this column already"):
        rows_of(senna.convert(again, "parquet", tasks="ner"))
    with pytest.raises(SennaError, match="format: 2 tables do not make one"):
        senna.convert([file, file], "parquet")


def test_a_named_task_that_the_format_does_not_show_is_refused(files):
    with pytest.raises(
        SennaError, match="format conll2012: has no place for chunk. Leave chunk out"
    ):
        senna.convert(files, "conll2012", tasks="ner,chunk")


def test_fewer_than_one_process(files):
    with pytest.raises(SennaError, match="jobs 0: expected at least 1"):
        list(senna.convert(files, jobs=0))


def test_files_are_checked_before_the_first_is_tagged(files, tmp_path):
    for start in (b"caf\xe9 ", b'{"text": "Anna ran."}\n', b"Anna\tNNP\nran\tVBD\n\n"):
        files[1].write_bytes(start)
        with pytest.raises(SennaError, match=r"b\.txt"):
            list(senna.convert_each(files, tmp_path / "out", tasks="ner"))
        assert not (tmp_path / "out").exists()
        with pytest.raises(SennaError, match=r"b\.txt"):
            next(senna.convert(files, tasks="ner"))


@pytest.mark.parametrize(
    "form", ["columns", "conll", "conllu", "conll2012", "jsonl", "trees", "spans", "props"]
)
def test_its_own_output_is_not_tagged_as_text(form, tmp_path):
    text, tagged = tmp_path / "a.txt", tmp_path / "tagged"
    text.write_text("Anna Lee ran home.\nShe met Bob Ray.\n", encoding="utf-8")
    tasks = {"trees": "psg", "props": "srl", "spans": "ner"}.get(form, "pos,ner")
    tagged.write_bytes(b"".join(senna.convert(text, form, tasks=tasks)))
    with pytest.raises(SennaError, match="not like text"):
        b"".join(senna.convert(tagged, tasks="ner"))
    assert b"".join(senna.convert(tagged, tasks="ner", input="text"))


def test_conllu_has_the_fields_for_which_there_are_models(tmp_path):
    asked = Options(format="conllu")
    whole = ("pos", "lemma", "upos", "feats", "chunk", "ner", "srl", "dep")
    assert completed(asked).tasks == whole
    toys.model(tmp_path / "upos-dep", "upos", "dep", network=toys.TREES.network)
    named = Options(format="conllu", model={"dep": tmp_path / "upos-dep"})
    assert completed(named).tasks == whole
    assert completed(Options()).tasks is None
    own = Options(format="conllu", model=tmp_path / "upos-dep")
    assert completed(own).run() == ["upos", "dep"]
    chosen = Options("ner", format="conllu")
    assert completed(chosen).tasks == ("ner",)


GIVEN = """\
# sent_id = s-1
# text = Anna don't walk
# note = mine
1\tAnna\tANNA\tPROPN\tNN\tA=B\t3\told\t3:old\tx=y
2-3\tdon't\t_\t_\t_\t_\t_\t_\t_\tz=z
2\tdo\tDO\tAUX\tVBZ\t_\t0\troot\t_\t_
3\tn't\tNOT\tPART\t.\t_\t2\told\t_\t_
3.1\tadded\tadd\tVERB\t_\t_\t_\t_\t2:conj\t_
4\twalk\tWALK\tVERB\tNN\t_\t2\told\t_\t_

"""


def test_a_parser_on_gold_tags_changes_trees_alone(tmp_path):
    features = toys.with_tags(toys.SMALL.features, pos=TagFeature(6, "column"))
    own = {"features": features, "network": toys.TREES.network}
    model, file = toys.model(tmp_path / "model", "dep", **own), tmp_path / "x.conllu"
    trees = set()
    for tags in ("NN VBZ .", "VBZ NN NN", "DT . VBZ", ". . ."):
        given = GIVEN
        for old, new in zip(("Anna", "DO", "NOT"), tags.split(), strict=True):
            given = re.sub(rf"({old}\t[A-Z]+)\t\S+", rf"\1\t{new}", given, flags=re.I)
        file.write_text(given, encoding="utf-8")
        found = b"".join(senna.convert(file, "conllu", model=model)).decode()
        rows = [[line.split("\t") for line in text.splitlines()] for text in (given, found)]
        for row in (row for side in rows for row in side if row[0].isdigit()):
            row[6:8] = []
        assert rows[0] == rows[1]
        assert [row[2] for row in rows[1] if row[0].isdigit()] == ["ANNA", "DO", "NOT", "WALK"]
        trees.add(tuple(tuple(line.split("\t")[6:8]) for line in found.splitlines()))
    assert len(trees) > 1  # the tags count


@pytest.mark.parametrize("kind", ["string", "large_string", "string_view", "dictionary"])
@pytest.mark.parametrize("form", ["parquet", "jsonl"])
def test_every_kind_of_text_in_parquet(kind, form, tmp_path):
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    text = arrow.array(["Ann left.", None])
    text = text.dictionary_encode() if kind == "dictionary" else text.cast(getattr(arrow, kind)())
    file, plain = tmp_path / "t.parquet", tmp_path / "plain.parquet"
    parquet.write_table(arrow.table({"text": text}), file)
    parquet.write_table(arrow.table({"text": ["Ann left.", None]}), plain)
    out, expected = (b"".join(senna.convert(f, form, tasks="ner")) for f in (file, plain))
    if form == "parquet":
        out, expected = (parquet.read_table(arrow.BufferReader(b)) for b in (out, expected))
        assert out.column("sentences").to_pylist() == expected.column("sentences").to_pylist()
    else:
        assert out.replace(b"/t.parquet", b"/plain.parquet") == expected


def test_a_column_that_is_no_text_is_named_with_its_file(tmp_path):
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    file = tmp_path / "t.parquet"
    parquet.write_table(arrow.table({"n": [1], "text": ["a"], "sentences": [2]}), file)
    with pytest.raises(SennaError, match=r"t\.parquet: column n: is not text"):
        b"".join(senna.convert(file, "parquet", tasks="ner", column="n"))
    with pytest.raises(SennaError, match=r"t\.parquet: column sentences: .* Rename it"):
        b"".join(senna.convert(file, "parquet", tasks="ner"))


def test_texts_whose_annotations_brat_could_not_tell_apart_are_refused(tmp_path):
    files = written(tmp_path)
    with pytest.raises(SennaError, match="one file of annotations per text.*output_dir"):
        senna.convert(files, "brat")
    assert b"".join(senna.convert(files[:1], "brat")).startswith(b"T")
    assert len(list(senna.convert_each(files, tmp_path / "out", "brat"))) == len(files)
