"""The original's options, and how it refuses others."""

from __future__ import annotations

from pathlib import Path

import pytest

from senna.classic.options import FatalError, Options, StrayArgumentError, parse


def test_none_is_all_tasks_and_the_folder_at_hand() -> None:
    assert parse([]) == Options()


def test_the_order_of_options_does_not_matter() -> None:
    options = parse(["-psg", "-ner", "-pos", "-pos", "-path", "a/", "-path", "b/", "-offsettags"])
    assert options == Options(tasks=("pos", "ner", "psg"), path="b/", offsets=True)


def test_every_switch(tmp_path: Path) -> None:
    verbs = tmp_path / "verbs"
    verbs.touch()
    switches = "-verbose -notokentags -usrtokens -posvbs -chk -srl -h -usrvbs"
    assert parse([*switches.split(), str(verbs)]) == Options(
        tasks=("chk", "srl"),
        tokens=False,
        user_tokens=True,
        pos_verbs=True,
        verbs_file=str(verbs),
        verbose=True,
        help=True,
    )


@pytest.mark.parametrize(
    ("given", "scheme"),
    [("-iobtags", "iob"), ("-brackettags", "bracket"), ("-iobtags -brackettags", "iob")],
)
def test_schemes(given: str, scheme: str) -> None:
    assert parse(given.split()).scheme == scheme


@pytest.mark.parametrize("stray", ["--pos", "-po", "-pos=1", "file.txt", "-", "", "-all"])
def test_other_arguments_are_stray(stray: str) -> None:
    with pytest.raises(StrayArgumentError) as raised:
        parse(["-pos", stray])
    assert raised.value.of_command() == f"invalid argument: {stray}"


@pytest.mark.parametrize("given", ["-path", "-usrvbs"])
def test_values_may_not_be_missing(given: str) -> None:
    with pytest.raises(FatalError, match=f"please provide a .* for the {given} option"):
        parse([given])


def test_a_missing_list_of_verbs_is_told_first(tmp_path: Path) -> None:
    with pytest.raises(FatalError, match="unable to open file <none>"):
        parse(["-usrvbs", "none", "-nonsense"])
    with pytest.raises(FatalError, match="unable to open file"):
        parse(["-usrvbs", str(tmp_path)])
