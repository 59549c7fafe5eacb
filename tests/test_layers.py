"""What may import what: the layers of pyproject.toml, and no torch where text is tagged."""

from pkgutil import iter_modules

from importlinter.cli import lint_imports

from tests.processes import ROOT, python


def test_contracts_of_import_linter(monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    status = lint_imports(config_filename=str(ROOT / "pyproject.toml"), no_cache=True)
    output = capsys.readouterr().out
    assert status == 0, output
    assert ", 0 broken" in output


def test_no_torch_outside_training():
    commands = ", ".join(f"senna.cli.{name}" for name in ("app", "tag", "eval", "train", "models"))
    others = "senna.document.document, senna.formats.vectors, senna.text.gazetteer, senna.corpora"
    names = "[getattr(senna, name) for name in senna.__all__]"
    found = _modules_after(f"import senna; {names}; import {commands}, {others}")
    assert "senna.cli.train" in found
    assert "torch" not in found


def test_no_module_hides_a_public_name():
    """An import of `senna.search` would put the module in the place of a function `search`."""
    import senna

    assert not {module.name for module in iter_modules(senna.__path__)} & {*senna.__all__}


def test_importing_senna_alone_is_cheap():
    found = _modules_after("import senna")
    assert not found & {"numpy", "typer", "tqdm", "torch", "rich"}


def _modules_after(code: str) -> set[str]:
    done = python("-c", f"import sys; {code}; print(*sys.modules)", check=True)
    return set(done.stdout.decode().split())
