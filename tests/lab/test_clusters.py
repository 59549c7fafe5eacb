"""Files of word clusters."""

from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna.errors import SennaError
from senna.lab.form_features import read_clusters, write_clusters

WORDS = st.text(st.characters(codec="utf-8", exclude_characters="\t\r\n\ufeff"), min_size=1)
PATHS = st.text("01", min_size=1, max_size=20)


@given(st.dictionaries(WORDS, st.tuples(PATHS, st.integers(0, 10**9)), min_size=1))
def test_what_was_written_is_read(tmp_path_factory, entries):
    path = tmp_path_factory.getbasetemp() / "clusters"
    paths = {word: bits for word, (bits, _) in entries.items()}
    with path.open("wb") as file:
        write_clusters(file, paths, {word: count for word, (_, count) in entries.items()})
    assert read_clusters(path) == paths


def test_lines_are_sorted_by_path_count_and_word():
    file = BytesIO()
    counts = {"the": 9, "of": 5, "an": 2, "a": 2}
    write_clusters(file, {"of": "1", "an": "01", "the": "01", "a": "01"}, counts)
    assert file.getvalue() == b"01\tthe\t9\n01\ta\t2\n01\tan\t2\n1\tof\t5\n"


def test_line_ends_and_empty_lines(tmp_path):
    path = tmp_path / "paths"
    path.write_bytes(b"\xef\xbb\xbf01\tthe\t9\r\n\r\n1\tof\t5\r\n1\tof\t5")
    assert read_clusters(path) == {"the": "01", "of": "1"}


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("0110 dog 3", "expected path, tab, word, tab, count"),
        ("0110\tdog", "expected path, tab, word, tab, count"),
        ("0110\tdog\t3\t4", "expected path, tab, word, tab, count"),
        ("0110\t\t3", "expected path, tab, word, tab, count"),
        ("0110\tdog\tx", "expected path, tab, word, tab, count"),
        ("\tdog\t3", "a path is digits 0 and 1, not ''"),
        ("012\tdog\t3", "a path is digits 0 and 1, not '012'"),
        ("1\tcat\t3", "two paths for 'cat': 00 and 1"),
    ],
)
def test_a_bad_line(tmp_path, line, what):
    path = tmp_path / "paths"
    path.write_text(f"00\tcat\t5\n{line}\n")
    with pytest.raises(SennaError) as error:
        read_clusters(path)
    assert (error.value.where, error.value.what) == (f"{path}:2", what)


def test_no_clusters(tmp_path):
    (tmp_path / "paths").write_text("\n")
    with pytest.raises(SennaError, match="no clusters in it"):
        read_clusters(tmp_path / "paths")
    with pytest.raises(SennaError, match="no such file"):
        read_clusters(tmp_path / "none")
