"""Features of word forms: normalisation, capitals, affixes, letters, vocabularies."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna.inference.features.forms import NO_ENTRIES, FormFeatures, Letters, Prefix, letters_of
from senna.inference.features.settings import (
    AffixFeature,
    CharacterFeature,
    ClusterFeature,
    Features,
    WordFeature,
)
from senna.text.vocabulary import (
    N_CAPS,
    PADDING,
    PADDING_FORM,
    RARE,
    Spelling,
    Vocabulary,
    caps,
    normalise,
    spellings,
    without_digits,
)
from tests import strategies

EVERYTHING = Features(
    prefix=AffixFeature(size=2, lengths=(1, 2), min_count=1),
    suffix=AffixFeature(size=2, lengths=(2, 3), min_count=2),
    characters=CharacterFeature(filters=3),
)


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        ("PS12", "ps0"),
        ("1,234.50", "0,0.0"),
        ("2001", "0"),
        ("Über", "über"),
        ("١٢", "١٢"),  # only ASCII digits are folded
        ("", ""),
    ],
)
def test_normalise(form, expected):
    assert normalise(form) == expected


@given(strategies.any_word)
def test_normalise_folds_every_digit_and_is_stable(form):
    found = normalise(form)
    assert not set(found) & set("123456789")
    assert "00" not in found
    assert normalise(found) == found or found != found.lower()  # İ loses case in two steps


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("``", ["``", '"']),
        ("''", ["''", '"']),
        ("-lrb-", ["-lrb-", "(", "-Lrb-"]),
        ("-rcb-", ["-rcb-", "}", "-Rcb-"]),
        ("“", ["“", '"']),
        ("’", ["’", "'"]),
        ("n’t", ["n’t", "n't", "N’T"]),
        ("don´t", ["don´t", "don't", "Don´T"]),
        ("AT&amp;T", ["AT&amp;T", "at&amp;t", "at&t", "At&Amp;T"]),
        ("0\\/0", ["0\\/0", "0/0"]),
        ("a\\*b", ["a\\*b", "a*b", "A\\*B"]),
        ("cat", ["cat", "Cat"]),
        ("", [""]),
    ],
)
def test_spellings(word, expected):
    assert spellings(word) == expected


CAPS = {  # none, all, the first letter alone, and others
    1: "cat 12 ... ß 日本",
    2: "USA U.S. B2B ÀÉ",
    3: "A A1 Cat McDonald Éa İstanbul",
    4: "iPhone -A mIXED",
}


@pytest.mark.parametrize(
    ("form", "expected"),
    [("", 0), *((form, caps) for caps, forms in CAPS.items() for form in forms.split())],
)
def test_caps(form, expected):
    assert caps(form) == expected


@given(strategies.any_word)
def test_caps_of_any_word(form):
    assert 1 <= caps(form) < N_CAPS
    assert caps(form.lower()) == 1 or form.lower() != form.lower().lower()


@pytest.mark.parametrize(
    ("form", "longest", "expected"),
    [("Cat", 5, "Cat"), ("Abcdefgh", 6, "Abcfgh"), ("Abcdefgh", 5, "Abfgh"), ("abc", 1, "c")],
)
def test_letters_of(form, longest, expected):
    assert letters_of(form, longest) == expected


@given(strategies.any_word, st.integers(1, 30))
def test_letters_are_never_more_than_the_longest(form, longest):
    assert 1 <= len(letters_of(form, longest)) <= longest


def test_vocabulary_is_sorted_by_count_then_by_entry():
    made = Vocabulary.counted(Counter({"b": 2, "a": 2, "c": 5, "d": 1}), 2)
    assert made.entries == ("PADDING", "RARE", "c", "a", "b")
    assert len(made) == 5
    assert made.rows == {"c": 2, "a": 3, "b": 4}


def test_no_text_can_name_the_special_rows():
    assert "PADDING" not in Vocabulary.of(["x"]).rows
    assert Vocabulary.of(["RARE"]).rows == {"RARE": 2}


def row_of(made: FormFeatures, form: str) -> int:
    (row,) = made.rows_of([form]).tolist()
    return int(row)


def features_of(forms: dict[str, int], config: Features = EVERYTHING) -> FormFeatures:
    return FormFeatures.learn(config, Counter(forms))


def test_words_of_vectors_come_first_then_training_words_without_one():
    made = FormFeatures.learn(Features(), Counter({"The": 3, "zebra": 1}), ["the", "of"])
    assert made.words.entries[2:] == ("the", "of", "zebra")


def test_a_treebank_spelling_finds_the_vector_of_its_plain_form():
    made = FormFeatures.learn(Features(), Counter({"-LRB-": 4, "1\\/2": 1, "n’t": 1}), ["(", "0/0"])
    assert made.words.entries[2:] == ("(", "0/0", "n't")
    assert row_of(made, "-LRB-") == row_of(made, "(") == 2
    assert row_of(made, "7\\/16") == 3
    assert row_of(made, "N’T") == row_of(made, "n't") == 4


def test_a_known_spelling_wins_over_its_plain_form():
    made = FormFeatures.learn(Features(), Counter(), ['"', "``"])
    assert row_of(made, "``") == 3
    assert row_of(made, "''") == 2


def test_rare_words_share_one_row():
    config = Features(word=WordFeature(min_count=2))
    made = FormFeatures.learn(config, Counter({"often": 2, "once": 1}), ["vector"])
    assert made.words.entries[2:] == ("vector", "often")
    assert row_of(made, "once") == row_of(made, "never") == RARE


def test_words_are_looked_up_as_written_first():
    made = FormFeatures(Vocabulary.of(["may", "May", "Obama", "PS0", "Coca-Cola"]))
    rows = {form: row_of(made, form) for form in ("may", "May", "MAY")}
    assert rows == {"may": 2, "May": 3, "MAY": 2}
    assert row_of(made, "obama") == row_of(made, "OBAMA") == row_of(made, "Obama") == 4
    assert row_of(made, "PS12") == 5
    assert row_of(made, "ps12") == RARE
    assert row_of(made, "COCA-COLA") == 6


def test_different_spellings_are_counted_together():
    config = Features(word=WordFeature(min_count=3))
    made = FormFeatures.learn(config, Counter({"Cat": 1, "cat": 1, "CAT": 1}))
    assert made.words.entries[2:] == ("cat",)


def test_affixes():
    made = features_of({"Cat": 1, "cattle": 1, "bottle": 1})
    ids = made.ids(["CAT", "bottle", "throttle", "x", PADDING_FORM])
    tables = [table for table in made.tables if isinstance(table, Prefix)]
    columns = [[t.vocabulary.entries[row] for row in ids[t.array]] for t in tables]
    found = [list(row) for row in zip(*columns, strict=True)]
    assert found == [
        ["c", "ca", "RARE", "RARE"],  # "at" was seen once, two are asked for
        ["b", "bo", "le", "tle"],
        ["RARE", "RARE", "le", "tle"],
        ["RARE", "RARE", "RARE", "RARE"],
        ["PADDING", "PADDING", "PADDING", "PADDING"],
    ]


def test_letters():
    made = features_of({"aabb": 1, "c": 9})  # c in one form: a letter needs two
    table = made.tables[-1]
    assert isinstance(table, Letters)
    assert set(table.vocabulary.entries[2:]) == {"a", "b"}
    a, b = table.vocabulary.rows["a"], table.vocabulary.rows["b"]
    ids = made.ids(["abc", PADDING_FORM, "aaaabbbb"])
    expected = [[a, b, RARE], [], [a] * 4 + [b] * 4]
    assert ids["letters"].tolist() == [row + [0] * (20 - len(row)) for row in expected]


PATHS = "0000\ta\t9\n0001\tOf\t8\n01\tthe\t7\n1\t0\t6\n0001\tobama\t5\n0000\t'\t5\n"
LENGTHS = (1, 3, 4, 9)


@pytest.fixture
def clustered(tmp_path, monkeypatch) -> FormFeatures:
    """Features of forms that have clusters, of which three words occur in the training set."""
    monkeypatch.setattr("senna.lab.form_features.LENGTHS", LENGTHS)
    (tmp_path / "paths").write_text(PATHS, encoding="utf-8")
    chosen = ClusterFeature(str(tmp_path / "paths"), 2)
    return features_of({"The": 2, "A": 2, "Obama": 1}, Features(clusters=chosen))


@pytest.mark.parametrize(
    ("form", "path"),
    [
        ("a", "0000"), ("A", "0000"), ("Of", "0001"), ("The", "01"), ("1999", "1"), ("’", "0000"),
        ("OBAMA", "0001"), ("of", "0001"), ("a1", None), ("", None),
    ],
)  # fmt: skip
def test_clusters(clustered, form, path):
    paths = [line.partition("\t")[0] for line in sorted(PATHS.splitlines())]
    ids = clustered.ids([form])
    for n in LENGTHS:
        prefixes = list(dict.fromkeys(path[:n] for path in paths))
        expected = RARE if path is None else 2 + prefixes.index(path[:n])
        assert ids[f"cluster-{n}"].tolist() == [expected if form else PADDING]
    tables = [(table.n_rows, table.size) for table in clustered.tables[1:]]
    assert tables == [(4, 2), (5, 2), (6, 2), (6, 2)]


def test_clusters_are_stored_once_and_read_again(clustered):
    forms = ["The", "OBAMA", "x", "", "1", "A"]
    stored = ["0000\ta\t'", "0001\tOf\tobama", "01\tthe", "1\t0"]
    for table in clustered.tables[1:]:
        assert table.saved() == {"clusters.txt": stored}
        read = type(table).load(table.array, table.saved().__getitem__, {})
        assert read == replace(table, size=0)
        ids = FormFeatures(NO_ENTRIES, (read,)).ids(forms)[table.array]
        assert np.array_equal(ids, clustered.ids(forms)[table.array])


def test_padding_is_row_0_everywhere():
    ids = features_of({"cat": 3}).ids([PADDING_FORM])
    assert len(ids) > 4
    for name, rows in ids.items():
        assert not rows.any(), name


@given(st.lists(strategies.words, min_size=1, max_size=20), st.lists(strategies.words, max_size=20))
def test_any_unicode(training, tagging):
    made = FormFeatures.learn(EVERYTHING, Counter(training))
    ids = made.ids(tagging + training)
    n = len(tagging) + len(training)
    affixes = [rows for name, rows in ids.items() if "fix-" in name]
    assert len(affixes) == 4 and all(rows.shape == (n,) for rows in affixes)
    words, letters = ids["words"], ids["letters"]
    assert words.shape == ids["caps"].shape == (n,)
    assert letters.shape == (n, 20)
    assert (words < len(made.words)).all()
    assert (words > PADDING).all()
    assert (words[len(tagging) :] > RARE).all(), "a word of the training set is known"
    lengths = [min(len(without_digits(form)), 20) for form in tagging + training]
    assert ((letters > 0).sum(1) == lengths).all()
    assert all(rows.dtype == np.int32 for rows in ids.values())


def test_vocabularies_do_not_depend_on_the_order_of_counting():
    forms = {"cat": 2, "Dog": 2, "at": 1, "to": 1}
    assert features_of(forms) == features_of(dict(reversed(forms.items())))


def test_soft_hyphens_and_ligatures_are_not_seen():
    assert Spelling.of("Re\u00adturn") == Spelling.of("Return")
    assert Spelling.of("o\ufb03ce") == Spelling.of("office")
    assert Spelling.of("\u00ad").form == "\u00ad"  # not the padding


def test_an_emoji_is_read_as_an_emoticon_and_a_letter_beyond_is_not():
    for emoji in ("\U0001f602", "\u2764\ufe0f", "\u2605", "\U0001f1eb\U0001f1f7"):
        assert Spelling.of(emoji) == Spelling.of(":)")
    for other in ("\U00020000", "\u4e00", "\u00a7"):
        assert Spelling.of(other).form == other
