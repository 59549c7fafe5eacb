"""What a document remembers of its names, and names by rule."""

import math
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna.annotation.schemes import Phrase, phrases_of, tags_of
from senna.decoding.requests import Scored
from senna.pipeline import memory as module
from senna.pipeline.memory import Memory
from senna.pipeline.models import always
from tests.oracles import remembered

Sentence = tuple[list[str], list[Phrase]]


def names(bracketed: str) -> Sentence:
    """A sentence such as "PER:Ann_Lee met Bo", with its names."""
    words: list[str] = []
    phrases = []
    for cell in bracketed.split():
        label, _, text = cell.rpartition(":")
        start = len(words)
        words += text.split("_")
        if label:
            phrases.append(Phrase(start, len(words), label))
    return words, phrases


def amended(document: Sequence[Sentence], memory: Memory | None = None) -> list[list[Phrase]]:
    memory = memory or Memory()
    return [
        phrases_of(memory.amended(words, tags_of(phrases, len(words), "iobes")), "iobes")
        for words, phrases in document
    ]


def last(*bracketed: str, memory: Memory | None = None) -> str:
    """The last sentence as memory has it, bracketed as it came."""
    document = [names(sentence) for sentence in bracketed]
    words, phrases = document[-1][0], amended(document, memory)[-1]
    cells = [*words]
    for start, end, label in reversed(phrases):
        cells[start:end] = [f"{label}:{'_'.join(words[start:end])}"]
    return " ".join(cells)


# Sentences of a document, and the last one as memory has it: `SENTENCE | SENTENCE => LAST`.
LAST = """
# a name has the type that it had most often; one each: the model's
ORG:Shell fell | ORG:Shell rose | LOC:Shell won => ORG:Shell won
ORG:Shell fell | LOC:Shell won => LOC:Shell won
ORG:Shell fell | LOC:Shell rose | ORG:Shell won | LOC:Shell is => LOC:Shell is
# a name is found again
LOC:New_Ulm lay | in New Ulm Bo => in LOC:New_Ulm Bo
LOC:New_Ulm lay | in New LOC:Ulm => in LOC:New_Ulm
LOC:Ulm and LOC:New_Ulm | in New Ulm => in LOC:New_Ulm
LOC:New_Ulm lay | in ORG:New_Ulm_Bank => in ORG:New_Ulm_Bank
ORG:Ulm_Bank lay | in LOC:New_Ulm Bank => in LOC:New_Ulm Bank
# a short word, or a small letter, is not
PER:Bo and ORG:ebay and LOC:Rio | Bo ebay Rio => Bo ebay LOC:Rio
# a name has a capital, except in text of one case
PER:van_Dyck and ORG:bell_labs | van Dyck of bell labs => PER:van_Dyck of bell labs
ORG:ebay of LOC:new_ulm | in new ulm ebay fell => in LOC:new_ulm ORG:ebay fell
PER:ann_may came | it may rain => it may rain
# the last name of a person is a name too
PER:Ann_Lee came | Then Lee and Ann left => Then PER:Lee and Ann left
PER:Ann_Lee PER:Bo_Lee came | and Bo | LOC:Lee left => LOC:Lee left
ORG:Ann_Lee came | Lee left => Lee left
PER:A_B_C_D_E_F_Gee came | A B C D E F Gee met Gee => A B C D E F Gee met PER:Gee
# a last name that was never alone may be another word
PER:Ann_King came | long live the King => long live the King
PER:Ann_King came | we like King Size => we like King Size
PER:Ann_King came | we saw Queen King => we saw Queen King
PER:ann_king came | we saw king => we saw king
PER:Ann_King Came Here | We Saw King => We Saw King
PER:ann_king and PER:king came | we saw king => we saw PER:king
PER:Ann_King and PER:King came | so the King => so the PER:King
# the capital of a first word says nothing
PER:Ann_Young came | Young people left => Young people left
PER:Ann_Young came | " Young people left => " Young people left
PER:Ann_Young came | PER:Young left | Young came => PER:Young came
PER:Young left | PER:Ann_Young came | Young came => PER:Young came
# a month or day is a name only where the model sees one
PER:Ann_May and PER:May came | it rained in May => it rained in May
PER:Ann_May came | and PER:May left => and PER:May left
# the model counts, and not what memory amended
ORG:Ulm | LOC:Ulm | Ulm | Ulm | ORG:Ulm | ORG:Ulm | LOC:Ulm => ORG:Ulm
""".strip().split("\n")


@pytest.mark.parametrize("line", [line for line in LAST if line[0] != "#"])
def test_what_is_remembered(line):
    document, _, expected = line.partition(" => ")
    assert last(*document.split(" | ")) == expected


WORDS = st.sampled_from(
    ["Ann", "Lee", "lee", "Ulm", "ulm", "Bo", "of", "the", "New", "May", "may", '"']
)
CELLS = st.tuples(st.sampled_from(["", "", "PER:", "LOC:"]), st.lists(WORDS, min_size=1))
SENTENCES = st.lists(CELLS.map(lambda cell: cell[0] + "_".join(cell[1])), max_size=5)


@given(st.lists(SENTENCES.map(" ".join).map(names), max_size=8))
def test_memory_is_what_a_slow_reader_knows(document):
    assert amended(document) == remembered(document)


def test_documents_do_not_know_of_each_other():
    sentences = [["Ulm", "lay"], ["in", "Ulm"], ["Of", "Ulm"]]
    for opens, expected in (
        ([True, False, False], ["S-LOC", "S-LOC"]),
        ([True, False, True], ["S-LOC", "O"]),
        ([True, True, False], ["O", "O"]),
    ):
        answers = {"ner": [["S-LOC", "O"], ["O", "O"], ["O", "O"]], "pos": [["X", "X"]] * 3}
        Memory().recall(sentences, opens, answers)
        assert [tags[1] for tags in answers["ner"][1:]] == expected
        assert answers["pos"] == [["X", "X"]] * 3


def test_so_many_names_are_remembered():
    memory = Memory()
    for i in range(module.MOST + 5):
        memory.amended(
            ["Ulm", f"Name{i}", f"City{i}", "Hall"], ["S-LOC", "S-PER", "B-LOC", "E-LOC"]
        )
        assert len(memory.firsts) <= len(memory.names) <= module.MOST
    assert len(memory.names) == module.MOST
    left = (module.MOST - 1) // 2  # beside Ulm, which each sentence has
    newest = module.MOST + 4
    for i, tag in ((newest, "S-PER"), (newest - left + 1, "S-PER"), (newest - left - 1, "O")):
        assert memory.amended([f"Name{i}"], ["O"]) == [tag]
    assert memory.amended(["Ulm"], ["O"]) == ["S-LOC"]
    assert sum(count for count, _ in memory.firsts.values()) == len(memory.names)


def test_names_that_a_user_fixed_stay():
    document = "PER:Ulm came", "PER:Ulm went", "LOC:Ulm lay"
    assert last(*document) == "PER:Ulm lay"
    assert last(*document, memory=Memory(always({"LOC": ["Ulm"]}))) == "LOC:Ulm lay"


def test_probabilities_are_those_of_the_mentions():
    def scored(tags: list[str], chances: list[float]) -> Scored:
        logs = [math.log(chance) for chance in chances]
        return Scored(tags, chances, logs, [0.0] * len(tags))

    memory = Memory()
    memory.amended(["Ulm"], scored(["S-LOC"], [0.9]))
    memory.amended(["Ulm"], scored(["S-LOC"], [0.5]))
    tags = memory.amended(["Bo", "met", "Ulm"], scored(["S-PER", "O", "O"], [0.8, 0.7, 0.6]))
    assert isinstance(tags, Scored)
    assert tags == ["S-PER", "O", "S-LOC"]
    assert [round(chance, 6) for chance in tags.scores] == [0.8, 0.7, 0.7]
    assert [round(chance, 6) for chance in tags.spans] == [0.8, 0.7]
    alone = Scored(["O"], (), [-1.0], [0.0])
    again = memory.amended(["Ulm"], alone)
    assert isinstance(again, Scored)
    assert (again, again.scores) == (["S-LOC"], [])
    assert round(again.spans[0], 6) == 0.7


def test_types_that_are_no_proper_names_are_not_remembered():
    memory = Memory()
    assert memory.amended(["Add", "Miso", "."], ["O", "S-FOOD", "O"])[1] == "S-FOOD"
    assert memory.amended(["The", "Miso", "burnt"], ["O"] * 3) == ["O"] * 3
    memory.amended(["Add", "Miso", "."], ["O", "S-MISC", "O"])
    assert memory.amended(["The", "Miso", "burnt"], ["O"] * 3) == ["O", "S-MISC", "O"]


@pytest.mark.parametrize(
    ("sentence", "tags", "expected"),
    [
        ("Sammy Davis , Jr. sang", "B-PER E-PER O S-PER O", "B-PER I-PER I-PER E-PER O"),
        ("Sammy Davis , Jr. sang", "B-PER E-PER O O O", "B-PER I-PER I-PER E-PER O"),
        ("Sammy Davis Jr. sang", "B-PER E-PER O O", "B-PER I-PER E-PER O"),
        ("Ann Lee , MD , spoke", "B-PER E-PER O S-LOC O O", "B-PER E-PER O O O O"),
        ("in Rockville , MD today", "O S-LOC O S-LOC O", "O S-LOC O S-LOC O"),
        ("at Johnson & Johnson .", "O S-PER O S-PER O", "O B-ORG I-ORG E-ORG O"),
        ("by Smith & Wesson .", "O S-PER O S-PER O", "O B-ORG I-ORG E-ORG O"),
        ("Procter & Gamble rose", "S-ORG O S-PER O", "B-ORG I-ORG E-ORG O"),
        ("Tom & Ann left", "S-PER O S-PER O", "S-PER O S-PER O"),
        ("Ann Lee & Bob Day left", "B-PER E-PER O B-PER E-PER O", "B-PER E-PER O B-PER E-PER O"),
        ("Henry VIII , II", "B-LOC E-LOC O O", "B-LOC E-LOC O O"),
        ("R & D", "O O O", "O O O"),
        ("Bob ,", "S-PER O", "S-PER O"),
    ],
)
def test_names_by_rule(sentence, tags, expected):
    assert module.amended(sentence.split(), tags.split()) == expected.split()


def test_probabilities_stay_with_names_that_stay():
    tags = Scored("B-PER E-PER O S-PER O S-LOC".split(), [0.9, 0.8, 1.0, 0.5, 1.0, 0.7])
    new = module.amended("Sammy Davis , Jr. in Rome".split(), tags)
    assert new == "B-PER I-PER I-PER E-PER O S-LOC".split()
    assert isinstance(new, Scored) and new.scores[-1] == 0.7
