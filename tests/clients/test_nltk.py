"""NLTK's wrappers of SENNA, with a folder of stand-ins."""

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from senna.extras.classic.program import install
from senna.lab.form_features import stem

nltk = pytest.importorskip("nltk")

BASE = Path(__file__).parents[2] / "senna" / "models" / "base" / "words.txt"

# The examples of NLTK's documentation, and what the original found.
QUESTION = "What is the airspeed of an unladen swallow ?".split()
CENTER = "Dusseldorf is an international business center".split()
POS = [(QUESTION, "WP VBZ DT NN IN DT NN NN ."), (CENTER, "NNP VBZ DT JJ NN NN")]
CHUNKS = [
    (QUESTION, "B-NP B-VP B-NP I-NP B-PP B-NP I-NP I-NP O"),
    (CENTER, "B-NP B-VP B-NP I-NP I-NP I-NP"),
]
NAMES = [
    ("Shakespeare theatre was in London .".split(), "B-PER O O O B-LOC O"),
    ("UN headquarters are in NY , USA .".split(), "B-ORG O O O B-LOC O B-LOC O"),
    (CENTER, "B-LOC O O O O O"),
]


@pytest.fixture(scope="module")
def folder() -> Iterator[str]:
    """A folder of stand-ins that NLTK trusts: nobody else may write on the way to it."""
    from nltk.tag import SennaTagger

    with tempfile.TemporaryDirectory(prefix=".senna-nltk-", dir=Path.home()) as name:
        install(Path(name))
        try:
            SennaTagger(name).tag(["Tea"])
        except LookupError as error:
            if "trusted" not in str(error):
                raise
            pytest.skip(f"no folder that NLTK trusts: {error}")
        yield name


def share(
    tagged: Sequence[Sequence[tuple[str, str]]], expected: list[tuple[list[str], str]]
) -> float:
    """The share of words with the expected tags."""
    assert [[word for word, _ in own] for own in tagged] == [words for words, _ in expected]
    found = [tag for own in tagged for _, tag in own]
    wanted = [tag for _, tags in expected for tag in tags.split()]
    return sum(map(str.__eq__, found, wanted)) / len(wanted)


@pytest.mark.parametrize(("tagger", "expected"), [("Senna", POS), ("SennaNER", NAMES)])
def test_parts_of_speech_and_names(folder, tagger, expected):
    own = getattr(nltk.tag, f"{tagger}Tagger")(folder)
    assert share(own.tag_sents([words for words, _ in expected]), expected) >= 0.9


def test_chunks(folder):
    tagger = nltk.tag.SennaChunkTagger(folder)
    tagged = tagger.tag_sents([words for words, _ in CHUNKS])
    assert share(tagged, CHUNKS) >= 0.9
    assert list(tagger.bio_to_chunks(tagged[0], "NP")) == [
        ("What", "0"),
        ("the airspeed", "2-3"),
        ("an unladen swallow", "5-6-7"),
    ]


def test_several_at_once_with_the_environments_folder(folder, tmp_path, monkeypatch):
    monkeypatch.setenv("SENNA", folder)
    pipeline = nltk.classify.Senna(str(tmp_path), ["ner", "pos", "chk"])
    assert [token["word"] for token in pipeline.tag(CENTER)] == CENTER
    assert {tuple(sorted(token)) for token in pipeline.tag(CENTER)} == {
        ("chk", "ner", "pos", "word")
    }
    assert [token["pos"] for token in pipeline.tag(CENTER)] == [
        tag for _, tag in nltk.tag.SennaTagger(folder).tag(CENTER)
    ]


def test_a_sentence_longer_than_the_originals_lines(folder):
    long = ["antidisestablishmentarianism"] * 100
    [tagged] = nltk.tag.SennaTagger(folder).tag_sents([long])
    assert [word for word, _ in tagged] == long


def test_stems_of_all_words_of_the_base_table():
    from nltk.stem.porter import PorterStemmer

    stemmer = PorterStemmer(mode="ORIGINAL_ALGORITHM")
    words = sorted({word.lower() for word in BASE.read_text(encoding="utf-8").split("\n")})
    assert len(words) > 100_000
    differ = [word for word in words if stem(word) != stemmer.stem(word, to_lowercase=False)]
    assert not differ
