"""Stems and endings; tests/clients compares the stems of 150,000 words with NLTK's."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna.inference.features.forms import FormFeatures
from senna.inference.features.settings import Features, StemFeature
from senna.lab.form_features import ending, measure, stem
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


@pytest.mark.parametrize("pair", STEMS.replace("\n", " | ").split(" | "))
def test_stems(pair):
    if pair.strip():
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
