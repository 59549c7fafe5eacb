"""The lines of docs/elsewhere.md read all words that senna writes; its last column is right."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import pytest

import senna

PAGE = Path(__file__).parents[2] / "docs" / "elsewhere.md"
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)
TEXT = 'Tom Lee met NA and None ; " null " is a word .\nIt did n\'t rain in Paris .\n'
WORDS, NAMES = TEXT.split(), [("Tom Lee", "PER"), ("Paris", "LOC")]
FILES = {"tsv": "columns", "conll": "conll", "iob2": "conll", "conllu": "conllu"}
LIBRARIES = "nltk|pandas|polars|duckdb|pyarrow|conllu|pyconll|udapi|ufal|spacy|pybrat|iobes"


@pytest.fixture(autouse=True)
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The files that the page names, in the working directory."""
    monkeypatch.chdir(tmp_path)
    Path("letter.txt").write_text(TEXT, encoding="utf-8")
    for ending, format_ in FILES.items():
        scheme = "iob2" if ending == "iob2" else "iobes"
        parts = senna.convert("letter.txt", format_, tasks="pos,ner", input="tokens", scheme=scheme)
        Path(f"tagged.{ending}").write_bytes(b"".join(parts))
    Path("folder").mkdir()
    shutil.copy("letter.txt", "folder")
    parts = senna.convert("letter.txt", "brat", tasks="ner", input="tokens")
    Path("folder/letter.ann").write_bytes(b"".join(parts))


def columns(file: str) -> list[tuple[str, ...]]:
    """The columns of a file that senna has written."""
    lines = Path(file).read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines if line and not line.startswith("#")]
    return list(zip(*rows, strict=True))


def library_of(block: str) -> str:
    found = re.search(rf"(?m)^(?:import|from) ({LIBRARIES})", block)
    assert found, block
    return found[1]


@pytest.mark.parametrize("block", BLOCKS, ids=library_of)
def test_every_word_is_read(block: str) -> None:
    pytest.importorskip(library_of(block))
    found: dict[str, Any] = {}
    before = [other for other in BLOCKS if "to_disk" in other and "from_disk" in block]
    for lines in [*before, block]:
        exec(compile(lines, str(PAGE), "exec"), found)
    assert {"words", "names"} & found.keys() or Path("tagged.spacy").exists()
    assert found.get("words", WORDS) == WORDS
    assert found.get("names", NAMES) == NAMES


def test_the_page_has_its_readers() -> None:
    assert {library_of(block) for block in BLOCKS} == set(LIBRARIES.split("|"))


# --- without the options ------------------------------------------------------------------------


def test_pandas_takes_a_word_for_a_heading_and_two_quotes_for_one_cell() -> None:
    pandas = pytest.importorskip("pandas")
    table = pandas.read_csv("tagged.tsv", sep="\t")
    assert table.columns[0] == WORDS[0] and len(table) == len(WORDS) - 3
    assert "null\tJJ\tO" in table.iloc[6, 0]
    assert table.iloc[:, 0].isna().tolist()[:6] == [False, False, True, False, True, False]
    Path("tagged.tsv").write_text('Tom\tNNP\n"\t``\nran\tVBD\n', encoding="utf-8")
    with pytest.raises(pandas.errors.ParserError):
        pandas.read_csv("tagged.tsv", sep="\t")


def test_pyarrow_takes_a_word_for_a_heading_and_two_quotes_for_one_cell() -> None:
    csv = pytest.importorskip("pyarrow.csv")
    options = csv.ParseOptions(delimiter="\t")
    table = csv.read_csv("tagged.tsv", parse_options=options)
    assert table.column_names[0] == WORDS[0] and len(table) == len(WORDS) - 3
    assert "null\tJJ\tO" in table[0][6].as_py()
    Path("tagged.tsv").write_text('Tom\tNNP\n"\t``\nran\tVBD\n', encoding="utf-8")
    with pytest.raises(ValueError, match="columns"):
        csv.read_csv("tagged.tsv", parse_options=options)


def test_polars_takes_a_word_for_a_heading_and_blank_lines_for_rows() -> None:
    polars = pytest.importorskip("polars")
    table = polars.read_csv("tagged.tsv", separator="\t", quote_char=None)
    assert table.columns[0] == WORDS[0]
    assert table.to_series(0).null_count() == 2
    table = polars.read_csv("tagged.tsv", separator="\t", ignore_errors=True)
    assert table.to_series(0).drop_nulls().to_list() != WORDS[1:]


def test_duckdb_takes_a_word_for_a_heading_and_a_tag_for_null() -> None:
    duckdb = pytest.importorskip("duckdb")
    table = duckdb.sql("FROM read_csv('tagged.tsv')")
    assert table.columns[0] == WORDS[0]
    assert None in [row[1] for row in table.fetchall()]


def test_nltk_reads_no_other_folder() -> None:
    reader = pytest.importorskip("nltk.corpus.reader")
    if pytest.importorskip("nltk").__version__ < "3.10":
        pytest.skip("the check is new in 3.10")
    with pytest.raises(PermissionError):
        reader.ConllCorpusReader(str(Path.cwd()), "tagged.conll", ("words",), separator=" ")


def test_spacy_takes_each_word_of_a_name_for_a_name() -> None:
    converters = pytest.importorskip("spacy.training.converters")
    text = Path("tagged.conll").read_text(encoding="utf-8")
    docs = converters.conll_ner_to_docs(text, no_print=True)
    assert [name.text for doc in docs for name in doc.ents] == ["Tom", "Lee", "Paris"]


def test_udapi_writes_heads() -> None:
    udapi = pytest.importorskip("udapi")
    udapi.Document("tagged.conllu").store_conllu("stored.conllu")
    assert set(columns("tagged.conllu")[6]) == {"_"}
    assert set(columns("stored.conllu")[6]) == {"0"}


def test_pyconll_sorts() -> None:
    pyconll = pytest.importorskip("pyconll")
    line = "1\tTom\t_\t_\tNNP\t_\t_\t_\t_\tner=S-PER|SpaceAfter=No|chunk=S-NP\n\n"
    [sentence] = pyconll.load_from_string(line)
    assert sentence.conll().split("\t")[-1].strip() == "chunk=S-NP|ner=S-PER|SpaceAfter=No"


def test_iobes_leaves_out_what_another_scheme_lacks() -> None:
    iobes = pytest.importorskip("iobes")
    found = iobes.parse_spans_bio(list(columns("tagged.tsv")[2]))
    assert [(span.start, span.end) for span in found] == [(0, 1)]
