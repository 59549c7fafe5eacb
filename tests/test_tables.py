"""Tables without what the extra `spark` brings: told in a line."""

import sys
from importlib import import_module

import pytest

from senna.errors import SennaError


@pytest.mark.parametrize(("module", "missing"), [("tables", "pyarrow"), ("spark", "pyarrow")])
def test_what_to_install_is_told(module, missing, monkeypatch):
    monkeypatch.setitem(sys.modules, missing, None)
    for name in ("senna.tables", "senna.spark"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    with pytest.raises(SennaError, match="pip install pyarrow"):
        import_module(f"senna.{module}")
