"""scripts/check_clients.py: which packages are tried."""

import importlib.util
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "scripts" / "check_clients.py"

specification = importlib.util.spec_from_file_location("check_clients", SCRIPT)
assert specification is not None
assert specification.loader is not None
check_clients = importlib.util.module_from_spec(specification)
specification.loader.exec_module(check_clients)


def test_every_client_has_a_lowest_version() -> None:
    clients = check_clients.clients(ROOT / "pyproject.toml")
    assert clients and all(
        re.fullmatch(r"[\w-]+(\[\w+\])?>=\d+(\.\d+)+", client) for client in clients
    )
    names = {re.split(r"\W", client)[0] for client in clients}
    assert names == {"duckdb", "nltk", "polars", "pyspark", "spacy"}
