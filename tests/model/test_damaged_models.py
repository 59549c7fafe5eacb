"""Damaged model folders: each is refused in one line, or tags as if nothing were wrong."""

import copy
import hashlib
import io
import os
import random
import shutil
import tomllib
from collections.abc import Callable, Iterator
from operator import delitem, setitem
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from senna.errors import SennaError
from senna.formats.vectors import model_vectors
from senna.pipeline.pipeline import Pipeline
from senna.settings import to_toml
from senna.text.vocabulary import normalise
from senna.training.run import factorise
from tests import toys

FORMS = [["Anna", "Weber", "walks", "quickly", "unknown", "12"], ["x"]]
GIVEN = {"pt0": [["S-NP"] * 6, ["O"]], "pos": [["NN"] * 6, ["DT"]]}
PLACES = [[0, 2], []]
N = 12  # mutations of each kind and model: all of them would take a minute

Change = Callable[[Path, dict[str, Any]], None]  # of a copy of the folder, of its model.toml


def make(place: Path, tasks: str, *settings: str) -> None:
    toys.exported(toys.setup(toys.small(tasks, *settings)), place / "model")


def window(place: Path) -> None:
    (place / "per.txt").write_text("Anna Weber\nMcKay\nthe walks quickly\n", encoding="utf-8")
    (place / "loc.txt").write_text("Anna\nwalks the\nx\n", encoding="utf-8")
    (place / "paths").write_text("0\tthe\t9\n11\twalks\t2\n10\tx\t1\n", encoding="utf-8")
    features = (
        "features.prefix={size=2, lengths=[1], min_count=1}",
        "features.tags.pos={size=2, source='column'}",
        f"features.gazetteer={{size=2, files=['{place}']}}",
        f"features.clusters={{size=2, file='{place / 'paths'}'}}",
    )
    layers = "network.window={widths=[5,3], hidden=[8,6]}"
    make(place, "chunk,ner", layers, "export.numbers=int8", *features)


def overlay(place: Path) -> None:
    """Rows of its own on a base table."""
    words = list(dict.fromkeys(normalise(word) for word in toys.WORDS[:-4]))
    table = np.random.default_rng(7).normal(0, 0.1, (len(words), 6)).astype(np.float32)
    toys.write_base(words, table, place / "base", "float16")
    (place / "vectors").mkdir()
    (place / "vectors" / "words.txt").write_text("\n".join(words) + "\n", encoding="utf-8")
    np.save(place / "vectors" / "table.npy", model_vectors(place / "base").table)
    vectors, base = place / "vectors", place / "base"
    export = ("export.numbers=int8", f"export.base={base}")
    make(place, "ner", f"features.word.embeddings={vectors}", *export)


def roles(kind: str, table: str, *features: str) -> Callable[[Path], None]:
    network = (f"network.kind={kind}", f"network.{kind}={{{table}}}", "export.numbers=float16")
    pt0 = "features.tags.pt0={size=2, source='column'}"
    return lambda place: make(place, "srl", pt0, *network, *features)


LETTERS = "features.characters={filters=4, kind='recurrent'}"
MAKERS: dict[str, Callable[[Path], None]] = {
    "window": window,
    "overlay": overlay,
    "gated": roles("gated", "units=8, dilations=[1,2], pair=8, pair_dilations=[1], distance=3"),
    "sentence": roles("sentence", "width=3, units=8, hidden=6, distance=2"),
    "recurrent": roles("recurrent", "cell='lstm', units=6, layers=2", LETTERS),
    "skip": roles("recurrent", "cell='gru', units=6, layers=2, skip=true", LETTERS),
}


@pytest.fixture(
    scope="module",
    params=[pytest.param(n, marks=[pytest.mark.exhaustive] * (n == "skip")) for n in MAKERS],
)
def folder(request, tmp_path_factory) -> Path:
    """A small whole model; not to be changed."""
    place = tmp_path_factory.mktemp(request.param)
    MAKERS[request.param](place)
    return place / "model"


def write(path: Path, content: bytes) -> None:
    """In place of a file, not into it: it may be a link to one of the whole model's."""
    path.unlink()
    path.write_bytes(content)


def tag(path: Path) -> dict[str, Any]:
    return Pipeline.load(None, path, predicates="given").annotate(FORMS, GIVEN, PLACES)


def outcome(folder: Path, change: Change) -> str:
    """What is said of a changed copy, "" where it tags; any error but SennaError gets through."""
    path = folder.parent / "copy"
    shutil.rmtree(path, ignore_errors=True)
    shutil.copytree(folder, path, copy_function=os.link)
    meta = tomllib.loads((path / "model.toml").read_text(encoding="utf-8"))
    change(path, meta)
    write(path / "model.toml", to_toml(meta).encode())
    try:
        found = tag(path)
    except SennaError as error:
        said = str(error)
        assert "\n" not in said
        assert len(said) < 600
        return said
    for rows in found.values():
        assert [len(row) for row in rows] in ([6, 1], [2, 0])
    return ""


def try_all(folder: Path, changes: list[tuple[str, Change]], n: int = N) -> list[str]:
    """Try some of the changes; what is said of them."""
    chosen = random.Random(7).sample(changes, min(n, len(changes)))
    said = []
    for name, change in chosen:
        try:
            said.append(outcome(folder, change))
        except Exception as error:
            raise AssertionError(f"{name}: {error!r}") from error
    return said


def test_the_models_are_whole(folder):
    """So that the tests below can fail."""
    assert outcome(folder, lambda path, meta: None) == ""
    assert any(tag != "O" for own in tag(folder).values() for row in own for tag in row)


# --------------------------------------------------------------------------- model.toml

VALUES = (
    True, -1, 0, 1, 2, 3, 10**6, 2**40, 10**30, 0.5, float("nan"), float("inf"), "", "x", "a\0b",
    "window", "gated", [], [0], [3], [-1], [10**9], [True], ["x"], [[1]], [1] * 3_000, {}, {"x": 1},
    {"x": {"y": [{}]}},
)  # fmt: skip


def keys_of(table: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where the values of nested tables and lists are."""
    if path:
        yield path
    inner = table.items() if isinstance(table, dict) else ()
    inner = enumerate(table) if isinstance(table, list) else inner
    for key, value in inner:
        if path or key != "files":  # their turn comes with the arrays
            yield from keys_of(value, (*path, key))


def inner(meta: Any, path: tuple[Any, ...]) -> Any:
    """What keys lead to, one after the other."""
    return inner(meta[path[0]], path[1:]) if path else meta


def set_to(path: tuple[Any, ...], value: Any) -> Change:
    return lambda _, meta: setitem(inner(meta, path[:-1]), path[-1], copy.deepcopy(value))


def without(path: tuple[Any, ...]) -> Change:
    return lambda _, meta: delitem(inner(meta, path[:-1]), path[-1])


def again(path: tuple[Any, ...]) -> Change:
    """A list with its last entry twice."""

    def change(_: Path, meta: Any) -> None:
        value = inner(meta, path)
        if isinstance(value, list) and value:
            value.append(value[-1])

    return change


def of_tables(folder: Path) -> list[tuple[str, Change]]:
    meta = tomllib.loads((folder / "model.toml").read_text(encoding="utf-8"))
    paths = list(keys_of(meta))
    some = sorted(meta["files"])[::7]
    paths += [p for name in some for p in keys_of(meta["files"][name], ("files", name))]
    made = [(f"{path} = {value!r:.40}", set_to(path, value)) for path in paths for value in VALUES]
    made += [(f"no {path}", without(path)) for path in paths]
    return made + [(f"twice {path}", again(path)) for path in paths]


def test_any_key_of_model_toml(folder):
    said = try_all(folder, of_tables(folder), 2 * N)
    assert len([one for one in said if one]) > N


# --------------------------------------------------------------------------- arrays


def put(path: Path, meta: dict[str, Any], name: str, content: bytes) -> None:
    """Another content of a file, of which model.toml knows all but the shape."""
    write(path / name, content)
    digest = hashlib.sha256(content).hexdigest()
    meta["files"][name] |= {"bytes": len(content), "sha256": digest}


def other(name: str, make: Callable[[Any], Any]) -> Change:
    """An array in place of another, model.toml put right."""

    def change(path: Path, meta: dict[str, Any]) -> None:
        with np.errstate(all="ignore"):
            array = np.ascontiguousarray(make(np.load(path / name)))
        content = io.BytesIO()
        np.save(content, array)
        put(path, meta, name, content.getvalue())
        meta["files"][name] |= {"dtype": array.dtype.str, "shape": list(array.shape)}

    return change


def limits(x: Any) -> Any:
    return (np.finfo if x.dtype.kind == "f" else np.iinfo)(x.dtype)


ARRAYS: dict[str, Callable[[Any], Any]] = {
    "transposed": lambda x: x.T,
    "flat": lambda x: x.ravel(),
    "deeper": lambda x: x[None],
    "no dimension": lambda x: np.float32(1).reshape(()),
    "a row less": lambda x: x[:-1],
    "a row more": lambda x: np.concatenate([x, x[:1]]),
    "a column less": lambda x: x[..., :-1],
    "a column more": lambda x: np.concatenate([x, x[..., :1]], axis=-1),
    "no rows": lambda x: x[:0],
    "no columns": lambda x: x[..., :0],
    "one": lambda x: x[:1],
    "backwards": lambda x: x[::-1],
    "zeros": np.zeros_like,
    "nan": lambda x: x * np.float32("nan"),
    "infinite": lambda x: np.full_like(x, np.inf if x.dtype.kind == "f" else 127),
    "largest": lambda x: np.full_like(x, limits(x).max),
    "least": lambda x: np.full_like(x, limits(x).min),
    "tiny": lambda x: np.full_like(x, 1e-45),
    **{
        dtype: lambda x, dtype=dtype: x.astype(dtype)
        for dtype in ("<f8", "<f4", "<f2", "|i1", "|u1", "<i4", ">f4", "?")
    },
}
BYTES: dict[str, Callable[[bytes], bytes]] = {
    "cut": lambda content: content[:-1],
    "longer": lambda content: content + b"\0",
    "half": lambda content: content[: len(content) // 2],
    "eight": lambda content: content[:8],
    "empty": lambda content: b"",
    "noise": lambda content: bytes(i * 37 % 256 for i in range(len(content))),
    "no magic": lambda content: b"x" + content[1:],
    "long header": lambda content: content[:8] + b"\xff\xff" + content[10:],
}


def with_bytes(name: str, make: Callable[[bytes], bytes]) -> Change:
    return lambda path, meta: put(path, meta, name, make((path / name).read_bytes()))


def of_arrays(folder: Path) -> list[tuple[str, Change]]:
    names = [path.name for path in sorted(folder.glob("*.npy"))]
    made = [(f"{n} {what}", other(n, make)) for n in names for what, make in ARRAYS.items()]
    made += [(f"{n} {what}", with_bytes(n, make)) for n in names for what, make in BYTES.items()]
    return made


def test_any_array(folder):
    said = try_all(folder, of_arrays(folder), 2 * N)
    assert len([one for one in said if one]) > N


# --------------------------------------------------------------------------- lists

LISTS: dict[str, Callable[[bytes], bytes]] = {
    **BYTES,
    "a line less": lambda content: content[: content[:-1].rfind(b"\n") + 1],
    "a line more": lambda content: content + b"new\n",
    "no last line feed": lambda content: content.rstrip(b"\n"),
    "first lines alike": lambda content: content.split(b"\n")[0] + b"\n" + content,
    "all alike": lambda content: b"x\n" * content.count(b"\n"),
    "blank": lambda content: b"\n" * content.count(b"\n"),
    "long": lambda content: content.replace(b"\n", b"y" * 999 + b"\n", 1),
    "upside down": lambda content: b"".join(reversed(content.splitlines(keepends=True))),
    "binary": lambda content: b"\0\xff\n" * content.count(b"\n"),
    "tabs": lambda content: content.replace(b"\n", b"\t\n"),
    "no tabs": lambda content: content.replace(b"\t", b" "),
    "no bits": lambda content: content.replace(b"\t", b"\tx"),
    "negative bits": lambda content: content.replace(b"\t", b"\t-"),
    "very many bits": lambda content: content.replace(b"\t", b"\t" + b"9" * 5_000, 1),
    "other digits": lambda content: content.replace(b"\t1", "\t\u0661".encode()),
    "carriage returns": lambda content: content.replace(b"\n", b"\r\n"),
    "marked": lambda content: b"\xef\xbb\xbf" + content,
    "high": lambda content: content.replace(content[:1], "\U0010ffff".encode(), 1),
}


def of_lists(folder: Path) -> list[tuple[str, Change]]:
    names = [path.name for path in sorted(folder.glob("*.txt"))]
    return [(f"{n} {what}", with_bytes(n, make)) for n in names for what, make in LISTS.items()]


def test_any_list(folder):
    said = try_all(folder, of_lists(folder))
    assert len([one for one in said if one]) > N // 4


SAID = {
    "gazetteer.txt": (
        ("long", "no tabs", "tabs", "no bits", "negative bits", "very many bits", "other digits"),
        "lines that are no phrase, tab, bits",
    ),
    "letters.txt": (("long", "blank", "tabs"), "an entry is not one letter"),
    "chunk.tags.txt": (("first lines alike", "all alike", "marked", "tabs"), "no tags for phrases"),
    "srl.tags.txt": (("a line less", "upside down", "tabs", "blank"), "no tags for roles"),
}


@pytest.mark.parametrize("name", SAID)
def test_what_is_said_of_a_list(folder, name):
    """Of damages that a sample may miss."""
    damages, expected = SAID[name]
    for damage in damages if (folder / name).exists() else ():
        said = outcome(folder, with_bytes(name, LISTS[damage]))
        assert expected in said and name in said, damage


def test_more_words_than_vectors(folder):
    said = outcome(folder, with_bytes("words.txt", LISTS["first lines alike"]))
    assert "vector" in said
    # Words beyond the base with rows for some of them only.
    more = with_bytes("words.txt", lambda content: content + b"new\nnewer\n")
    assert "vector" in outcome(folder, more)


def test_a_table_that_is_none(folder):
    for path in (("features", "gazetteer"), ("features",), ("network",), ("files",), ("use",)):
        for value in (True, "x", 1, []):
            said = outcome(folder, set_to(path, value))
            missing = path[-1] == "gazetteer" and not (folder / "gazetteer.txt").exists()
            assert "must be a table" in said or missing


def test_what_numpy_takes_and_the_kernel_does_not_is_refused_by_both(tmp_path):
    made = toys.setup(toys.small("pos", *toys.GATED))
    factorise(made.model, made.batches, 2)
    folder = toys.exported(made, tmp_path / "model")
    assert not outcome(folder, lambda path, meta: None)
    without = other("gated-0.down.weight.npy", lambda x: x[:, :0])
    assert "gated-0.down.weight.npy: factors of rank 0" in outcome(folder, without)
    size = np.load(folder / "letters.npy").shape[1]
    even = other("characters.weight.npy", lambda x: x[: 2 * size])
    assert "filters of an even number of letters" in outcome(folder, even)


# --------------------------------------------------------------------------- models it needs


@pytest.fixture
def plain(tmp_path) -> Path:
    """A model of parts of speech that needs none."""
    return toys.model(tmp_path / "plain", "pos")


def using(source: Path, path: Path, **use: Any) -> Path:
    """A copy of a model that needs others."""
    shutil.copytree(source, path)
    meta = tomllib.loads((path / "model.toml").read_text(encoding="utf-8"))
    (path / "model.toml").write_text(to_toml(meta | {"use": use}), encoding="utf-8")
    return path


def test_models_that_need_each_other(plain, tmp_path):
    using(plain, tmp_path / "self", pos=".")
    using(plain, tmp_path / "a", pos="../b")
    using(plain, tmp_path / "b", chunk="../c/../c")
    using(plain, tmp_path / "c", ner="../../" + tmp_path.name + "/a")
    for name in "self", "a", "b", "c":
        with pytest.raises(SennaError, match="the models need each other in a circle"):
            tag(tmp_path / name)


def test_a_model_that_two_others_need_is_no_circle(plain, tmp_path):
    using(plain, tmp_path / "a", pos="../plain")
    using(plain, tmp_path / "b", chunk="../a", pos="../plain")
    assert tag(tmp_path / "b")["pos"] == tag(plain)["pos"]


NOWHERE = [*"none words.txt loop fifo / ~".split(), "", "\n"]
NOWHERE += ["x" * 5_000, "../" * 3_000, "x/" * 999]


@pytest.mark.parametrize("where", NOWHERE, ids=lambda where: f"{where!r:.12}")
@pytest.mark.parametrize("name", ["pos", "base"])
def test_a_model_that_needs_what_is_no_model(plain, tmp_path, name, where):
    path = using(plain, tmp_path / "copy", **{name: where, "base_sha256": "0" * 64})
    (path / "loop").symlink_to("loop")
    os.mkfifo(path / "fifo")
    with pytest.raises(SennaError) as error:
        tag(path)
    assert "\n" not in str(error.value)
