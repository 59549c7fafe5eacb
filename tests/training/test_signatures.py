"""A function takes the settings that it uses: few see the whole configuration of a run."""

import ast
from collections.abc import Iterator
from pathlib import Path

import senna

PACKAGE = Path(senna.__file__).parent

# By module, the functions that may take a whole `Config`.
WHOLE = {
    "training.config": {
        "read_config",
        "override",
        "_whole",
        "_wrong",
        "_needs",
    },  # read, merge, check
    "training.build": {
        "check_names",  # looks at what five tables say beside each other
        "build",  # the steps from corpora to a network, for `Collected.config`
        "build_from",  # the same, from a model
    },
    "training.examples.vocabularies": {"collect"},  # completes it: the model folder has it whole
    "training.run": {"train", "_train", "_begin"},  # a run: its steps, its config.toml
    # runs of one file
    "lab.repetition": {"train", "repeat", "trained", "learning_curve"},
    "training.start": {"with_corpora"},  # from one of these to the next
    "training.start_from": {"collected_of"},  # as `collect`
}


def names_config(annotation: ast.expr) -> bool:
    """Whether an annotation says `Config`, alone or as a part of another type."""
    said = (vars(node).get(key) for node in ast.walk(annotation) for key in ("id", "attr", "value"))
    return "Config" in said


def taking_config(code: str) -> Iterator[str]:
    """The names of the functions and methods that take a `Config`."""
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            known = node.args
            every = [*known.posonlyargs, *known.args, known.vararg, *known.kwonlyargs, known.kwarg]
            said = [one.annotation for one in every if one and one.annotation]
            if any(map(names_config, said)):
                yield node.name


def test_functions_that_take_a_whole_configuration():
    found: dict[str, set[str]] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        module = ".".join(path.relative_to(PACKAGE).with_suffix("").parts)
        code = path.read_text(encoding="utf-8")
        if "Config" in code and (names := {*taking_config(code)}):
            found[module] = names
    new = {module: names - WHOLE.get(module, set()) for module, names in found.items()}
    assert not {m: n for m, n in new.items() if n}, "take what they use of it, or list them above"
    gone = {module: names - found.get(module, set()) for module, names in WHOLE.items()}
    assert not {m: n for m, n in gone.items() if n}, "they take it no longer: leave them out above"
