"""TOML to dataclasses and back: types, ranges, and lines that name the key."""

import math
import tomllib
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna.errors import SennaError
from senna.settings import Option, choice, make, number, read_table, to_toml
from senna.training.config import Config, merged, override, read_config, with_settings, write_config
from tests import strategies

TABLES = st.recursive(
    st.booleans()
    | st.integers(-(2**62), 2**62)
    | st.floats(allow_nan=False)
    | strategies.any_text
    | st.lists(st.integers(), max_size=3),
    lambda inner: st.dictionaries(strategies.any_text, inner, max_size=3),
    max_leaves=8,
)


@dataclass(frozen=True)
class Part:
    SHORT: ClassVar = "name"

    name: str = ""
    share: Annotated[float, number(0, 0.9)] = 0.0


@dataclass(frozen=True)
class Whole:
    part: Part = Part()
    parts: tuple[Part, ...] = ()
    named: Annotated[dict[str, Part], Option(names=("one", "two"))] = field(default_factory=dict)
    rate: Annotated[float, number(0.5)] = 1.0
    widths: Annotated[tuple[int, ...], number(1, 9, odd=True, distinct=True)] = (3,)
    more: Annotated[tuple[int, ...], number(empty=True)] = ()
    colour: Annotated[str, choice("red", "blue")] = "red"


def made(table: dict[str, Any]) -> Whole:
    return make(Whole, table, where="x.toml")


@given(st.dictionaries(strategies.any_text, TABLES, max_size=4))
def test_any_table_survives_toml(table):
    assert tomllib.loads(to_toml(table)) == table


def test_a_name_that_is_no_utf_8_comes_back(tmp_path):
    """TOML may not hold such bytes, names of files may: a resumed run wants the same file."""
    path = tmp_path / "config.toml"
    config = override(Config(), values={"features.word.embeddings": "v\udcff"})
    write_config(path, config)
    assert b'"v\xff"' in path.read_bytes()
    assert read_config(path) == config


def test_tables_within_tables():
    found = made({"parts": ["a", {"share": 0}], "named": {"two": {"name": "b"}}, "widths": [5, 1]})
    assert found.parts == (Part("a"), Part(share=0.0))
    assert found.named == {"two": Part("b")}
    assert found.widths == (5, 1)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"rate": 0.0}, "rate = 0.0 must be 0.5 or more"),
        ({"rate": math.inf}, "rate = inf must be 0.5 or more"),
        ({"rate": math.nan}, "rate = nan must be 0.5 or more"),
        ({"rate": 10**400}, "rate = inf must be 0.5 or more"),
        ({"rate": True}, "rate = True is not of type float"),
        ({"part": {"share": 1.0}}, "part.share = 1.0 must be from 0 to 0.9"),
        ({"parts": [{"share": -0.1}]}, "parts[0].share = -0.1 must be from 0"),
        ({"widths": [3, 2]}, "widths[1] = 2 must be odd, from 1 to 9"),
        ({"widths": [11]}, "widths[0] = 11 must be odd"),
        ({"widths": []}, "widths must not be empty"),
        ({"widths": [3, 3]}, "widths = [3, 3] has one twice"),
        ({"widths": 3}, "widths = 3 is not of type list"),
        ({"widths": [0x10**5000]}, "widths[0] = that must be odd"),
        ({"more": [-1]}, "more[0] = -1 must be 0 or more"),
        ({"colour": "green"}, "colour = 'green' is not one of red, blue"),
        ({"part": 5}, "part = 5 must be a table, of name, share"),
        ({"named": []}, "named = [] must be a table, of one, two"),
        ({"SHORT": "x"}, "unknown key 'SHORT'"),
        ({"rat": 1}, "unknown key 'rat'; did you mean 'rate'?"),
        ({"zzz": 1}, "unknown key 'zzz'; known: part, parts, named, rate, "),
        ({"part": {"nmae": "x"}}, "unknown key 'part.nmae'; did you mean 'part.name'?"),
        ({"named": {"too": {}}}, "unknown key 'named.too'; did you mean 'named.two'?"),
        # A key that stands deeper now: all places that it may have gone to.
        (
            {"name": "x"},
            "'name'; did you mean 'part.name' or 'named.one.name' or 'named.two.name'?",
        ),
        ({"one": {"share": 0}}, "unknown key 'one'; did you mean 'named.one.share'?"),
    ],
)
def test_refused(table, message):
    with pytest.raises(SennaError) as caught:
        made(table)
    assert message in str(caught.value)
    assert str(caught.value).startswith("x.toml: ")


@given(st.dictionaries(st.sampled_from([*Whole.__dataclass_fields__, "x"]), TABLES, max_size=3))
def test_whatever_stands_there_it_is_built_or_refused(table):
    with suppress(SennaError):
        found = made(table)
        assert 0 < found.rate < math.inf
        assert all(width % 2 for width in found.widths)


def test_tables_merge_by_key_and_lists_are_replaced():
    base = {"a": {"b": [1, 2], "c": 3, "d": {"e": 4}}, "f": 5}
    own = {"a": {"b": [6], "d": {"g": 7}}, "h": 8}
    whole = {"a": {"b": [6], "c": 3, "d": {"e": 4, "g": 7}}, "f": 5, "h": 8}
    assert merged(base, own) == whole
    assert base["a"]["b"] == [1, 2], "neither of the two changes"


def test_settings_are_toml_or_bare_words_and_stand_over_values():
    settings = ["a.b=[1, 2]", "c=some words", "d = 1e-3", "e=", "a = {f = true}", "g=2"]
    found = with_settings({"a": {"x": 0}}, settings, {"g": "300", "a.y": 1})
    assert found == {
        "a": {"x": 0, "y": 1, "b": [1, 2], "f": True},
        "c": "some words", "d": 0.001, "e": "", "g": 2,
    }  # fmt: skip
    assert with_settings({}, [], {"a.b": "300"}) == {"a": {"b": "300"}}, "not read as a number"


@pytest.mark.parametrize(
    "setting",
    [
        "rate=" + "[" * 5_000,
        "rate=" + "9" * 5_000,
        "a" + ".a" * 5_000 + "=1",
        "rate=" + "{a=" * 900,
    ],
)
def test_settings_that_no_one_writes(setting):
    with pytest.raises(SennaError) as caught:
        made(with_settings({}, [setting], {}))
    assert len(str(caught.value)) < 20_000


@given(st.lists(st.text(max_size=20), max_size=3))
def test_any_setting_is_taken_or_refused(settings):
    with suppress(SennaError):
        assert isinstance(made(with_settings({}, settings, {})), Whole)


@pytest.mark.parametrize(
    "text", ["a = [", "\udcff = 1", "a = " + "[" * 9_000, "a = " + "9" * 9_000, "a = 1\na = 2"]
)
def test_files_that_are_no_toml(tmp_path, text):
    path = tmp_path / "bad.toml"
    path.write_text(text, encoding="utf-8", errors="surrogateescape")
    with pytest.raises(SennaError, match=r"bad\.toml: not readable as TOML"):
        read_table(path)
    with pytest.raises(SennaError, match="not readable as TOML"):
        read_table(tmp_path)
    with pytest.raises(SennaError, match="no such configuration"):
        read_table(tmp_path / "none.toml")
