"""scripts/check_prose.py: which docstrings are refused."""

import pytest

from scripts.check_prose import faults


@pytest.mark.parametrize(
    ("docstring", "words"),
    [
        ("What a line is.", ["What"]),
        ("Rates that the user told, beside others.", ["told", "beside"]),
        ("Print the words *said* in it.", ["said"]),
        ('Refuse "What is told" and `beside`.', []),
        ("The rates of all layers.", []),
    ],
)
def test_docstrings_of_functions(docstring, words):
    source = f"def f():\n    '''{docstring}'''\n"
    assert [word for _, word in faults(source)] == words


def test_lines_are_those_of_classes_and_functions():
    assert list(faults("'''Tell it.\n\nWhat is told.'''\n\nclass A:\n    '''What.'''\n")) == [
        (1, "told"),
        (5, "What"),
    ]
