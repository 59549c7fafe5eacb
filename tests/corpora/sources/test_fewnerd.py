"""Few-NERD: which types its names get, and which of its sentences have all their names."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from senna.corpora.sources import fewnerd
from senna.corpora.tagged import TaggedWords, hashed

NATIONALITIES = {hashed("Welsh")}


def sentence(text: str) -> TaggedWords:
    """ "Ada/B-person_other sings" as pairs; what has no tag is O."""
    cells = (cell.partition("/") for cell in text.split())
    return [(word, tag or "O") for word, _, tag in cells]


def flat(tagged: TaggedWords) -> str:
    return " ".join(f"{word}/{tag}" for word, tag in tagged)


def test_sentences_are_read_and_ampersands_mended() -> None:
    text = "Byron\tB-x\n&\tI-x\namp\tI-x\n;\tI-x\nSons\tI-x \n\n\n\nNo\tO\n;\tO\n"
    assert [flat(tagged) for tagged in fewnerd.read_sentences(text)] == [
        "Byron/B-x &/I-x amp/I-x Sons/I-x".replace(" amp/I-x", ""),
        "No/O ;/O",
    ]


@pytest.mark.parametrize(
    ("kind", "name", "label"),
    [
        ("person_artist/author", "Ada", "PER"),
        ("other_god", "Thor", "PER"),
        ("location_GPE", "Leeds", "LOC"),
        ("location_GPE", "Welsh", "MISC"),
        ("location_GPE", "South Welsh", "MISC"),
        ("location_GPE", "Old Welsh", "LOC"),
        ("building_airport", "Leeds Airport", "LOC"),
        ("building_hospital", "Leeds Infirmary", "ORG"),
        ("organization_politicalparty", "Whigs", "MISC"),
        ("organization_politicalparty", "Whigs United", "ORG"),
        ("organization_company", "Whigs", "ORG"),
        ("product_food", "cheddar", None),
        ("product_food", "Cheddar", "MISC"),
        ("other_law", "act 5", "MISC"),
        ("other_disease", "Gout", None),
        ("other_currency", "Euro", None),
    ],
)
def test_fine_types(kind: str, name: str, label: str | None) -> None:
    assert fewnerd.type_of(kind, name.split(), NATIONALITIES) == label


def test_names_have_no_quotation_marks_at_their_ends() -> None:
    typed = fewnerd.with_types(sentence("``/B-art_film Ode/I-art_film ''/I-art_film is"), set())
    assert flat(typed) == "``/O Ode/B-MISC ''/O is/O"
    alone = fewnerd.with_types(sentence('"/B-person_other'), set())
    assert flat(alone) == '"/B-PER'


@pytest.mark.parametrize(
    ("text", "covered"),
    [
        ("the river", True),
        ("The river near Leeds/B-location_GPE", True),
        ("The river near Leeds", False),
        ("Rare words open", False),
        ("He said : `` The river", True),
        ("the The", False),
        ("in May Mr. Ada/B-person_other", True),
        ("( The/B-art_film The", False),
    ],
)
def test_sentences_whose_capitals_are_all_labelled(text: str, covered: bool) -> None:
    counts = Counter({"the": 5, "he": 9, "rare": 4})
    assert fewnerd.is_covered(sentence(text), counts) == covered


def test_whole_sentences_are_train_and_the_others_partial(tmp_path: Path) -> None:
    def written(name: str, *texts: str) -> Path:
        path = tmp_path / name
        rows = ["".join(f"{word}\t{tag}\n" for word, tag in sentence(tagged)) for tagged in texts]
        path.write_text("\n".join(rows), encoding="utf-8")
        return path

    place = "near Leeds/B-location_GPE"
    splits = fewnerd.fewnerd(
        {
            "big_test": written(
                "big_test", "Ada/B-person_other", "of Leeds", "a Sudanese one", "Bea", "of Leeds !"
            ),
            "test": written("test", *(f"{place} {i}" for i in range(15)), "near Bea"),
            "dev": written("dev", "ada", "1 2"),
        }
    )
    assert [flat(tagged_sentence) for tagged_sentence in splits["train"][0][:3]] == [
        "Ada/B-PER",
        "Bea/O",  # no frequent place
        "near/O Leeds/B-LOC 0/O",
    ]
    assert len(splits["train"][0]) == 2 + 15 + 1  # "ada" differs from "Ada" by its case alone
    assert [flat(tagged_sentence) for tagged_sentence in splits["partial"][0]] == [
        "of/O Leeds/O",  # "of Leeds !" differs by its mark alone
        "a/O Sudanese/O one/O",
        "near/O Bea/O",
    ]
