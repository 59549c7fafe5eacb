"""The original's options, and how it refuses others; each is in the recorded runs."""

import pytest

from senna.extras.classic.lines import FatalError, Options, StrayArgumentError, parse


def test_the_order_of_options_does_not_matter():
    options = parse(["-psg", "-ner", "-pos", "-pos", "-path", "a/", "-path", "b/", "-offsettags"])
    assert options == Options(tasks=("pos", "ner", "psg"), path="b/", offsets=True)


@pytest.mark.parametrize("stray", ["--pos", "-po", "-pos=1", "file.txt", "-", "", "-all"])
def test_other_arguments_are_stray(stray):
    with pytest.raises(StrayArgumentError) as raised:
        parse(["-pos", stray])
    assert raised.value.line == f"invalid argument: {stray}"


def test_a_missing_list_of_verbs_is_told_first(tmp_path):
    with pytest.raises(FatalError, match="unable to open file <none>"):
        parse(["-usrvbs", "none", "-nonsense"])
    with pytest.raises(FatalError, match="unable to open file"):
        parse(["-usrvbs", str(tmp_path)])
