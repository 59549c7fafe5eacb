"""The table of meanings: it has every tag that the package's models give, and examples fit."""

import re

import pytest

import senna
from senna.errors import SennaError
from senna.extras.glossary import meaning
from senna.model.folder import shipped
from senna.tasks import TASKS

WITHOUT = {"lemma"}  # its tags are rules, which no output shows


@pytest.mark.parametrize("task", sorted(shipped()))
def test_each_tag_that_the_package_gives_has_a_meaning(task):
    lines = (shipped()[task] / f"{task}.tags.txt").read_text(encoding="utf-8").split("\n")
    tags = [line for line in lines if line]
    assert tags
    if task not in WITHOUT:
        assert [tag for tag in tags if not meaning(tag, task)] == []


def test_each_example_marks_a_word_and_each_meaning_is_a_few_words():
    every = senna.explain()
    assert len(every) > 250
    for own in every:
        assert re.search(r"\[[^][]+\]", own.example), own
        assert 0 < len(own.meaning) < 80 and not own.meaning.endswith("."), own


def test_a_tag_of_several_tasks_has_a_meaning_of_each():
    assert [own.task for own in senna.explain("NP")] == ["chunk", "psg"]
    assert [own.task for own in senna.explain("NP", task="pt0")] == ["pt0"]


def test_prefixes_add_to_the_meaning():
    [whole], [first] = senna.explain("A1", task="srl"), senna.explain("B-A1", task="srl")
    assert first.meaning == f"{whole.meaning}; the first word of the phrase"
    assert first.example == whole.example
    [further] = senna.explain("I-C-A1")
    assert "further piece" in further.meaning and "inside" in further.meaning
    assert further.example != whole.example


def test_tags_of_several_parts_are_explained_part_by_part():
    assert [own.tag for own in senna.explain("Case=Nom|Poss=Yes")] == ["Case=Nom", "Poss=Yes"]
    assert [own.tag for own in senna.explain("S+VP")] == ["S", "VP"]
    assert meaning("NP+NOTAG", "psg") == ""


@pytest.mark.parametrize(
    ("tag", "task", "said"),
    [
        ("am-dsi", "", "unknown tag 'am-dsi'. Close to it: AM-DIS"),
        ("A1", "pos", "unknown tag 'A1' of task pos"),
        ("X-NP", "", "unknown tag 'X-NP'"),
        ("chunk", "", "unknown tag 'chunk'. It is a task: `senna explain --task chunk`"),
        ("|", "", "unknown tag"),
        ("A1", "roles", "unknown task 'roles'"),
        ("", "lemma", "task lemma has no tags that are always the same"),
    ],
)
def test_unknown_tags_are_refused(tag, task, said):
    with pytest.raises(SennaError, match=re.escape(said)):
        senna.explain(tag, task)


def test_a_tooltip_of_an_unknown_tag_is_empty():
    assert [meaning("DRUG", task) for task in TASKS] == [""] * len(TASKS)
