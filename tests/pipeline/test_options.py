"""The list of tagging options: every reader of it has the same."""

import inspect
import pickle

import pytest

import senna
from senna.errors import SennaError
from senna.pipeline.models import finders_of
from senna.pipeline.options import FINDERS, SPLIT_BY_LOAD, chosen, loading
from senna.tasks import TASKS
from tests import toys


def test_load_takes_the_options_of_text():
    known = {name: option.default for name, option in loading().items()}
    parameters = inspect.signature(senna.load).parameters.values()
    assert {each.name: each.default for each in parameters} == known
    assert (*finders_of(TASKS), "given") == FINDERS
    for given in ({"foo": 1}, {"offsets": True}):
        with pytest.raises(TypeError, match=r"load\(\) got an unexpected keyword argument"):
            senna.load(**given)


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ({"n_best": 1.5}, "n_best = 1.5 is not of type int"),
        ({"n_best": 0}, "n_best = 0 must be from 1 to 100"),
        ({"n_best": 101}, "n_best = 101 must be from 1 to 100"),
        ({"scores": "yes"}, "scores = 'yes' is not of type bool"),
        ({"memory": "no"}, "memory = 'no' is not of type bool"),
        ({"n_best": 2, "memory": True}, "n_best, memory: these options cannot be combined"),
        ({"tasks": 3}, "tasks = 3 is not a list of names"),
        ({"keep": [1]}, "keep = [1] is not a list of names"),
        ({"tasks": ""}, "tasks = '' names no task"),
        ({"tasks": ["pos", " "]}, "tasks = ['pos', ' '] names no task"),
        ({"tasks": []}, "tasks = [] names no task"),
        ({"gazetteer": {"DRUG": [3]}}, "gazetteer: the phrases of DRUG are [3], not a list of"),
        ({"gazetteer": {"PER": "Ann"}}, "gazetteer: the phrases of PER are 'Ann', not a list"),
        ({"gazetteer": {"PER": iter(["Ann"])}}, "gazetteer: the phrases of PER are <list_iterator"),
        ({"gazetteer": {"PER": None}}, "gazetteer: the phrases of PER are None, not a list"),
        ({"gazetteer": "a.txt"}, "gazetteer = 'a.txt' are not phrases by type"),
        ({"predicates": ["auto"]}, "predicates = ['auto'] is not one of auto, pos, given"),
        ({"input": "csv"}, "input = 'csv' is not one of text, html"),
        ({"model": 3}, "model = 3 is neither a name nor a path"),
        ({"model": {"ner": 3}}, "model = 3 is neither a name nor a path"),
        ({"taks": "pos"}, "unknown key 'taks'; did you mean 'tasks'?"),
        ({"whole": True}, "unknown key 'whole'"),
    ],
)
def test_a_value_that_an_option_does_not_take(given, error):
    with pytest.raises(SennaError) as raised:
        chosen(given, SPLIT_BY_LOAD)
    assert str(raised.value).startswith(error)


def test_models_of_ones_own_beside_those_of_the_package(tmp_path):
    """The package's ner stands for one's own, also where it knows more than is asked of it."""
    mine = toys.model(tmp_path / "mine", "pos", "ner", seed=4)
    text = "Anna Weber flew to Lisbon."
    usual, alone = senna.load(), senna.load("ner", mine)
    nlp = senna.load(model={"ner": mine})
    assert nlp.tasks == usual.tasks
    assert nlp(text).tags("pos") == usual(text).tags("pos")
    assert nlp(text).frames == usual(text).frames
    assert nlp(text).tags("ner") == alone(text).tags("ner") != usual(text).tags("ner")
    assert pickle.loads(pickle.dumps(nlp))(text) == nlp(text)
    with pytest.raises(SennaError, match="no model for task 'chunk'. It has pos, ner"):
        senna.load(model={"chunk": mine})
    with pytest.raises(SennaError, match="unknown task 'names'"):
        senna.load(model={"names": mine})
