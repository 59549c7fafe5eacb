"""Configurations: to TOML and back, ranges, overrides, and what a file builds on."""

import dataclasses
import itertools
import math
import re
import shlex
import tomllib
import typing
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna.errors import SennaError
from senna.files import resource
from senna.inference.networks.settings import WindowConfig
from senna.pretraining.config import Pretraining
from senna.registry import LEARNERS, NETWORK_SETTINGS, NETWORKS
from senna.settings import Option, fields_of, to_toml
from senna.training.config import (
    Config,
    NetworkConfig,
    Source,
    default_config,
    from_table,
    override,
    read_config,
)
from senna.training.start_from import fine_tuning, origin_of
from tests import strategies

# --------------------------------------------------------------------------- ranges


# Settings, and what is said of them: lines of `key=value ... | message`.
REFUSED = """
trian.epochs=3 | unknown key 'trian'; did you mean 'train'?
train.epochs=five | train.epochs = 'five' is not of type int
train.epochs | not of the form key=value: 'train.epochs'
extends=ner | extends is read from files only
features.tags.srl={} | unknown key 'features.tags.srl'; known: pos,
features.suffix.lengths=[2,2] | features.suffix.lengths = [2, 2] has one
tasks=["ner","ner"] | tasks = ['ner', 'ner'] has one twice
tasks=["nre"] | tasks[0] = 'nre' is not one of pos,
network.window.widths=[5,5] | widths has more entries than
network.window.hidden=[] train.dropout_hidden=0.5 | 0.5 needs network.window.hidden
network.window.hidden=[] network.window.widths=[5,1] | widths has more entries
network.window.shared=2 | network.window.shared is more than the layers
features.characters.kind=recurrent features.characters.filters=5 | must be even for two directions
network.kind=gated network.label.pooling=["mean","last"] | = "last" needs network.kind = "recurrent"
network.label.pooling=["ends"] | needs network.kind = "recurrent"
network.kind=gated network.label.pooling=["ends"] | = "ends" needs network.kind = "recurrent"
network.label.pooling=["1-max"] | [0] = '1-max' is not one of mean, max
network.label.pooling=["10-max"] | [0] = '10-max' is not one of mean, max
network.label.pooling=["2-mean"] | [0] = '2-mean' is not one of mean, max
network.label.pooling=["2-last"] | [0] = '2-last' is not one of mean, max
tasks=["label"] network.window.hidden=[] | labels of sentences need hidden layers
tasks=["label","pos"] network.recurrent.spans=true | true needs tasks whose output is
features.word.size=0 features.caps.size=0 | needs vectors or another table (caps
features.states=lm features.joined=sum features.word.size=5 | = "lm" needs features.joined = concat
features.one_hot=true features.characters.filters=4 | neither characters.filters nor ngrams.buckets
features.one_hot=true features.ngrams.buckets=9 | neither characters.filters nor ngrams.buckets
features.one_hot=true features.joined=sum | needs features.joined = concatenate
features.word.size=0 features.ngrams.buckets=9 | features.ngrams.buckets = 9 needs
features.word.size=0 features.joined=sum | needs features.word.size or features
features.ngrams.least=5 features.ngrams.most=4 | least is more than features.ng
data.label.labels=0=a,1 | is not of the form 0=bad,1=good,2=
# keys of earlier versions
network.hidden=[3] | did you mean 'network.window.hidden' or 'network.sentence
network.window=[5] | network.window = [5] must be a table, of widths, hidden
features.pt0.size=5 features.pt0.folds=x | did you mean 'features.tags.pt0'?
# once accepted in silence, or a traceback later
train.seed=9223372036854775808 | train.seed = 9223372036854775808 must be from 0 to 9
train.learning_rate=1e200 | train.learning_rate = 1e+200 must be from 1e-09 to
features.word.rare=7 | features.word.rare = 7.0 must be from 0 to 1
features.characters.width=2 | features.characters.width = 2 must be odd
data.pos.fold=six | data.pos.fold = 'six' is not of the form 2/5
data.pos.fold="2" | data.pos.fold = '2' is not of the form 2/5
data.pos.fold=a/b | data.pos.fold = 'a/b' is not of the form 2/5
data.pos.fold=3/3 | data.pos.fold = '3/3' is not of the form 2/5
data.pos.fold=-1/3 | data.pos.fold = '-1/3' is not of the form 2/5
data.pos.fold=0/0 | data.pos.fold = '0/0' is not of the form 2/5
data.pos.train=[{sentences="1-x"}] | is not of the form 1-200,300-
data.ner.dev_share=5 | data.ner.dev_share = 5.0 must be from 0 to 0.9999
""".strip().split("\n")


@pytest.mark.parametrize("line", [line for line in REFUSED if line[0] != "#"])
def test_refused(line):
    settings, _, message = line.partition(" | ")
    with pytest.raises(SennaError) as caught:
        override(Config(), settings.split())
    assert message in str(caught.value) and "\n" not in str(caught.value)
    assert "--set" in caught.value.line


def test_a_file_is_named_in_what_is_refused():
    with pytest.raises(SennaError, match=r"my\.toml: unknown key 'trian'; did you mean 'train'\?"):
        from_table({"trian": {}}, where="my.toml")


def fields(kind: Any, path: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Dotted key, type and `Option` of every value of a dataclass."""
    hints, known = typing.get_type_hints(kind), fields_of(kind)
    for item in dataclasses.fields(kind):
        key, hint, setting = f"{path}{item.name}", hints[item.name], known[item.name].option
        inner = [own for own in (hint, *typing.get_args(hint)) if dataclasses.is_dataclass(own)]
        name = next(iter(setting.names), None)
        if not inner:
            yield key, hint, setting
        elif typing.get_origin(hint) is not tuple:
            yield from fields(inner[0], f"{key}.{name}." if name else f"{key}.")


VALUES = [*fields(Config)]


@pytest.mark.parametrize("kind", [Config, Source, Pretraining])
def test_every_number_has_a_range(kind):
    bare = [
        key
        for key, hint, setting in fields(kind)
        if hint in (int, float, tuple[int, ...], tuple[float, ...])
        if not setting.wanted
    ]
    assert bare == []


@pytest.mark.parametrize("key", [key for key, _, setting in VALUES if setting.wanted])
def test_values_out_of_range_name_the_key(key):
    for value in (-1, -0.5, math.nan, math.inf, 10**30, "neither", [-3]):
        said = ""
        try:
            override(Config(), values={key: value})
        except SennaError as error:
            said = str(error)
        assert key in said or (not said and value == 10**30), "some have no upper bound"


ANY = (
    st.integers() | st.floats() | st.booleans() | st.text(max_size=3)
    | st.lists(st.integers() | st.floats(), max_size=3) | st.just({}) | st.just({"a": 1})
)  # fmt: skip
PLAIN = {
    bool: st.booleans(),
    int: st.integers(0, 300),
    float: st.floats(0, 1),
    str: strategies.any_text,
}
SOURCES = st.lists(st.fixed_dictionaries({"corpus": strategies.any_text}), max_size=2)


def fitting(hint: Any, setting: Option) -> st.SearchStrategy[Any]:
    """Values that a setting takes, if the others allow them."""
    [kind, *more] = typing.get_args(hint) or [hint]
    _, _, choices = setting.wanted.partition("is not one of ")
    own = st.sampled_from(choices.split(", ")) if choices else PLAIN[kind]
    own = own.filter(setting.fits)
    lists = st.lists(own, min_size=not setting.empty, max_size=3, unique=setting.distinct)
    return lists if more else own


FITTING = [st.tuples(st.just(key), fitting(hint, setting)) for key, hint, setting in VALUES]
KEYS = st.sampled_from([key for key, _, _ in VALUES])


@given(
    st.lists(st.one_of(FITTING), max_size=6), st.lists(st.tuples(KEYS, ANY), max_size=1), SOURCES
)
def test_any_values_make_a_configuration_that_survives_toml_or_an_error(good, odd, sources):
    try:
        config = override(Config(), values=dict([("data.ner.train", sources), *good, *odd]))
    except SennaError:
        return
    table = tomllib.loads(to_toml(dataclasses.asdict(config)))
    assert from_table(table, where="again") == config


def test_tags_are_used_in_the_order_of_the_tasks():
    settings = [
        "features.tags.pt0.size=2",
        "features.tags.chunk.size=0",
        "features.tags.pos.size=3",
    ]
    features = override(Config(), settings).features
    assert list(features.tag_sizes.items()) == [("pos", 3), ("pt0", 2)]


def test_later_layers_see_one_word_where_no_width_is_given():
    window = override(Config(), ["network.window.hidden=[300, 200]"]).network.window
    assert window.completed(2) == WindowConfig((5, 1), (300, 200), 1)
    assert window.completed(1).shared == 2


def test_each_kind_of_network_has_its_table_its_module_and_its_twin():
    names = [item.name for item in dataclasses.fields(NetworkConfig)]
    kinds = (
        fields_of(NetworkConfig)["kind"].option.wanted.removeprefix("is not one of ").split(", ")
    )
    assert names[-len(kinds) :] == kinds
    assert [*NETWORK_SETTINGS] == [*LEARNERS] == kinds
    for kind in kinds:
        assert NETWORK_SETTINGS[kind].__name__ == f"{kind.title()}Config"
        assert LEARNERS[kind].__name__ == f"{kind.title()}Network"
        assert NETWORKS[kind].__name__ in (f"{kind.title()}Network", "TorchNetwork")


# --------------------------------------------------------------------------- settings


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_a_short_file_builds_on_the_default_of_its_task_and_says_so(tmp_path):
    """Once it trained from random vectors, without letters."""
    said: list[str] = []
    mine = write(tmp_path / "mine.toml", 'tasks = ["ner"]\n[train]\nepochs = 2\n')
    config = read_config(mine, say=said.append)
    expected = override(default_config(["ner"]), ["train.epochs=2"])
    assert config == expected
    assert config.features.word.embeddings == "base"
    assert said == [f'{mine} has no "extends": it builds on the default of ner']
    other = write(tmp_path / "other.toml", "[train]\nepochs = 2\n")
    assert read_config(other, ["ner"]) == expected
    both = read_config(other, ["pos", "chunk"])
    assert both == override(default_config(["pos", "chunk"]), ["train.epochs=2"])
    assert both.tasks == ("pos", "chunk")
    assert set(both.data) == {"pos", "chunk"}
    with pytest.raises(SennaError, match=r"other\.toml: names no tasks. Add task"):
        read_config(other)


def test_a_file_says_what_it_builds_on(tmp_path):
    said: list[str] = []
    write(tmp_path / "base.toml", 'extends = "chunk"\n[train]\nepochs = 2\nbatch = 3\n')
    mine = write(
        tmp_path / "sub" / "mine.toml",
        'extends = "../base.toml"\ntasks = ["ner"]\n[data.ner]\ntrain = ["x"]\n'
        "[train]\nbatch = 7\n[features.prefix]\nlengths = [5]\n",
    )
    config = read_config(mine, say=said.append)
    chunk = default_config(["chunk"])
    assert said == []
    assert config.tasks == ("ner",)
    assert config.data == chunk.data | {"ner": dataclasses.replace(chunk.data["chunk"],
        train=(Source("x"),), dev=(), test=())}  # fmt: skip
    assert (config.train.epochs, config.train.batch) == (2, 7)
    assert config.features.prefix.lengths == (5,), "lists are replaced"
    assert config.features.prefix.size == chunk.features.prefix.size
    assert config.features.tags == chunk.features.tags


def test_a_file_that_builds_on_nothing(tmp_path):
    said: list[str] = []
    mine = write(tmp_path / "mine.toml", 'extends = ""\n[train]\nepochs = 2\n')
    assert read_config(mine, say=said.append) == override(Config(), ["train.epochs=2"])
    assert read_config(mine, ["ner"]).tasks == ("ner",)
    assert said == []


def test_what_a_file_cannot_build_on(tmp_path):
    one, two = tmp_path / "one.toml", tmp_path / "two.toml"
    write(one, 'extends = "two.toml"\n')
    write(two, 'extends = "./one.toml"\n')
    for path in (one, two):
        with pytest.raises(SennaError, match=r"(one|two)\.toml: its extends leads back to itself"):
            read_config(path)
    for name in ("nre", "none.toml", "../none", "ner,nre"):
        write(one, f'extends = "{name}"\n')
        with pytest.raises(
            SennaError, match=r"one\.toml: extends = .* is not a task, and .* is not a file"
        ):
            read_config(one)
    write(one, "extends = 3\n")
    with pytest.raises(SennaError, match=r"one\.toml: extends = 3 is not of type str"):
        read_config(one)
    write(one, 'extends = "two.toml"\n')
    write(two, 'extends = ""\n[train]\nepochs = 0\n')
    with pytest.raises(SennaError, match=r"two\.toml: train.epochs = 0 must be 1 or more"):
        read_config(one)


# --------------------------------------------------------------------------- what ships


CONFIGS = [p for p in sorted(resource("configs").rglob("*.toml")) if p.parent.name != "pretrain"]


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.name)
def test_the_configurations_that_ship_are_valid_and_complete(path):
    """Those that continue the training of a model are complete with that model's settings."""
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    base = None if "extends" in table else fine_tuning(origin_of(table["tasks"][0]), table["tasks"])
    config = read_config(path, say=pytest.fail, base=base)
    assert config.tasks or path.name == "multitask.toml"  # --task says which
    # Labels are the users' own: there are no corpora of them, but for research.
    has_corpora = path.name != "label.toml"
    assert all(bool(config.data[task].train) == has_corpora for task in config.tasks)
    assert base or table["extends"] or config == from_table(table, where="")


PAGES = [*CONFIGS, resource("docs/training.md"), resource("docs/results.md")]


def commands(page: Path) -> Iterator[list[str]]:
    """The arguments of the `senna train` commands on a page."""
    text = page.read_text(encoding="utf-8").replace("\n#", "\n").replace("\\\n", " ")
    for found in re.findall(r"(?m)\bsenna train ((?:'[^']*'|[^\n`'&#])*)", text):
        yield shlex.split(found.replace("$k", "0"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_documented_settings_are_right(page):
    """Every --task, --config and --set of the commands that documents show."""
    for words in commands(page):
        pairs = list(itertools.pairwise(words))
        tasks = [task for option, own in pairs if option == "--task" for task in own.split(",")]
        path = next((own for option, own in pairs if option == "--config"), None)
        if path and not path.startswith("configs/"):
            path = None  # the reader's own
        if path or tasks:
            config = read_config(resource(path), tasks) if path else default_config(tasks)
            override(config, [own for option, own in pairs if option == "--set"])
