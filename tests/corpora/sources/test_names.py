"""Few-NERD: which types its names get, and which of its sentences have all their names."""

from collections import Counter

import pytest

from senna.corpora.sources import names
from senna.corpora.tagged import hashed
from tests.corpora.made import flat, flats, tagged, written

NATIONALITIES = {hashed("Welsh")}


def test_sentences_are_read_and_ampersands_mended():
    text = "Byron\tB-x\n&\tI-x\namp\tI-x\n;\tI-x\nSons\tI-x \n\n\n\nNo\tO\n;\tO\n"
    assert flats([names.read_sentences(text)]) == [["Byron/B-x &/I-x Sons/I-x", "No ;"]]


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
def test_fine_types(kind, name, label):
    assert names.type_of(kind, name.split(), NATIONALITIES) == label


def test_names_have_no_quotation_marks_at_their_ends():
    typed = names.with_types(tagged("``/B-art_film Ode/I-art_film ''/I-art_film is"), set())
    assert flat(typed) == "`` Ode/B-MISC '' is"
    alone = names.with_types(tagged('"/B-person_other'), set())
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
def test_sentences_whose_capitals_are_all_labelled(text, covered):
    counts = Counter({"the": 5, "he": 9, "rare": 4})
    assert names.is_covered(tagged(text), counts) == covered


def test_whole_sentences_are_train_and_the_others_partial(tmp_path):
    def columns(*texts: str) -> str:
        rows = ("".join(f"{word}\t{tag}\n" for word, tag in tagged(text)) for text in texts)
        return "\n".join(rows)

    places = (f"near Leeds/B-location_GPE {i}" for i in range(15))
    big = columns("Ada/B-person_other", "of Leeds", "a Sudanese one", "Bea", "of Leeds !")
    files = {"big_test": big, "test": columns(*places, "near Bea"), "dev": columns("ada", "1 2")}
    splits = names.fewnerd(written(tmp_path, files))
    [train], [partial] = (flats(splits[split]) for split in ("train", "partial"))
    # "Bea" is no frequent place; "ada" differs from "Ada", "of Leeds !" from "of Leeds" by little.
    assert train[:3] == ["Ada/B-PER", "Bea", "near Leeds/B-LOC 0"] and len(train) == 2 + 15 + 1
    assert partial == ["of Leeds", "a Sudanese one", "near Bea"]
