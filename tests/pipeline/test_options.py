"""The list of tagging options: every reader of it has the same."""

import inspect
import pickle

import pytest

import senna
from senna.errors import SennaError
from senna.pipeline.models import finders_of
from senna.pipeline.options import Conversion, OptionError, Reading
from senna.settings import options_of
from senna.tasks import TASKS
from tests import toys


def test_load_takes_the_options_of_reading():
    known = {name: option.default for name, option in options_of(Reading).items()}
    parameters = inspect.signature(senna.load).parameters.values()
    assert {each.name: each.default for each in parameters} == known
    assert tuple(options_of(Reading)["predicates"].choices) == (*finders_of(TASKS), "given")
    with pytest.raises(TypeError, match=r"load\(\) got an unexpected keyword argument 'foo'"):
        senna.load(foo=1)


def test_every_option_says_what_it_does():
    for option in options_of(Conversion).values():
        assert option.help.endswith(".") and option.flag.startswith("--")
        assert not option.choices or option.default is None or option.default in option.choices


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ({"n_best": 1.5}, "n_best: 1.5 is not a whole number from 1 to 100"),
        ({"n_best": 0}, "n_best: 0 is not a whole number from 1 to 100"),
        ({"n_best": 101}, "n_best: 101 is not a whole number from 1 to 100"),
        ({"scores": "yes"}, "scores: 'yes' is not True or False"),
        ({"memory": "no"}, "memory: 'no' is not True or False"),
        ({"tasks": 3}, "tasks: 3 names no task"),
        ({"tasks": ""}, "tasks: a task has no name"),
        ({"tasks": ["pos", " "]}, "tasks: a task has no name"),
        ({"tasks": []}, "tasks: there is no task"),
        ({"gazetteer": {"DRUG": [3]}}, "gazetteer: the phrases of DRUG are [3], not a list of"),
        ({"gazetteer": {"PER": "Ann"}}, "gazetteer: the phrases of PER are 'Ann', not a list"),
        ({"gazetteer": {"PER": iter(["Ann"])}}, "gazetteer: the phrases of PER are <list_iterator"),
        ({"gazetteer": {"PER": None}}, "gazetteer: the phrases of PER are None, not a list"),
        ({"predicates": ["auto"]}, "predicates: ['auto'] is not a known value"),
        ({"model": 3}, "model: 3 is neither a name nor a path"),
        ({"model": {"ner": 3}}, "model: 3 is neither a name nor a path"),
    ],
)
def test_a_value_that_an_option_does_not_take(given, error):
    with pytest.raises(SennaError) as raised:
        Reading(**given)
    assert str(raised.value).startswith(error)
    again = pickle.loads(pickle.dumps(raised.value))
    assert str(again) == str(raised.value) and again.of_command().startswith("--")


def test_the_command_names_its_own_options():
    error = OptionError("not both", "n_best", "tasks", remedy="Choose.")
    assert str(error) == "n_best, tasks: not both. Choose."
    assert error.of_command() == "--nbest, --task: not both. Choose."


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
