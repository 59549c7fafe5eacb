"""Stems, endings and files of clusters; tests/clients compares 150,000 stems with NLTK's."""

from collections import Counter
from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna.errors import SennaError
from senna.inference.features.forms import FormFeatures
from senna.inference.features.settings import Features, StemFeature
from senna.lab.form_features import ending, measure, read_clusters, stem, write_clusters
from senna.text.vocabulary import PADDING, PADDING_FORM, RARE

STEMS = """
glasses glass | berries berri | dress dress | lamps lamp | breed breed | indeed inde | decreed decre
painted paint | shed shed | rowing row | ring ring | inflated inflat | doubled doubl | prized prize
batting bat | welling well | buzzed buzz | kissing kiss | hoping hope | boxing box | tidy tidi
try try | sayings sai | by by | as a | national nation | vocational vocat | rationally ration
vibrancy vibranc | organizer organ | nobly nobli | mentally mental | gently gentli | freely freeli
famously famous | civilization civil | narration narrat | creator creator | fatalism fatal
massiveness massiv | usefulness us | curiousness curious | brutality brutal | activity activ
visibility visibl | complicate complic | talkative talk | realize realiz | publicity public
musical music | kindness kind | arrival arriv | guidance guidanc | absence absenc | baker baker
historic histor | readable readabl | edible edibl | pleasant pleasant | statement statement
amusement amus | student student | excitement excit | erosion eros | station station
tourism tourism | delicate delic | vigorous vigor | massive massiv | atomize atom | debate debat
file file | tree tree | appease appeas | excell excel | ball ball | yearly yearli | syzygy syzygi
"""  # words and their stems, by the rules of the article by hand


@pytest.mark.parametrize("pair", STEMS.strip().replace("\n", " | ").split(" | "))
def test_stems(pair):
    word, expected = pair.split()
    assert stem(word) == expected


@pytest.mark.parametrize(
    ("words", "m"),
    [("tr ee tree y by", 0), ("trouble oats trees ivy", 1), ("troubles private oaten orrery", 2)],
)
def test_measures_of_the_article(words, m):
    assert {word: measure(word) for word in words.split()} == dict.fromkeys(words.split(), m)


@pytest.mark.parametrize(
    ("word", "expected"),
    [("walk", ""), ("walks", "s"), ("hoping", "ing"), ("hopping", "ping"), ("happy", "y")],
)
def test_endings(word, expected):
    assert ending(word) == expected


@given(st.text(max_size=12) | st.text("aeiousltzydingb", max_size=12))
def test_any_text_has_an_ending(word):
    assert word.endswith(ending(word))
    assert stem(word).startswith(word[: len(word) - len(ending(word))])


FORMS = Counter("Walks walks talks Walking talking tower walk 1999 xs".split())


def test_endings_as_features():
    features = FormFeatures.learn(Features(stem=StemFeature(2, min_count=2)), FORMS)
    [table] = [table for table in features.tables if table.array == "stem"]
    assert table.saved() == {"stem.txt": ["-s", "-", "-ing"]}
    rows = features.ids(["Jumps", "JUMP", "sing", "moping", "tower", "12", PADDING_FORM, "quickly"])
    assert rows["stem"].tolist() == [2, 3, 3, 4, 3, 3, PADDING, RARE]
    assert table.load("stem", lambda name: table.saved()[name], {}).n_rows == table.n_rows == 5


# --------------------------------------------------------------------------- clusters

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
        *(
            (line, "expected path, tab, word, tab, count")
            for line in ("0110 dog 3", "0 \tdog", "0\tdog\t3\t4", "0\t\t3", "0\tdog\tx")
        ),
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
