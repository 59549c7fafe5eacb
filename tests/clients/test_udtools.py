"""Trees and features of Universal Dependencies as the validator of their treebanks sees them."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import senna
from senna.corpora.store import find, split_file
from senna.errors import SennaError
from tests.processes import ROOT

TASKS = "pos,lemma,upos,feats,dep"
MAIN = "import sys; from udtools.cli import main; sys.exit(main())"


def errors_of(path: Path, folder: Path, source: str) -> int:
    """The number of errors that the validator finds in what is written of a file."""
    pytest.importorskip("udtools")
    tagged = folder / "tagged.conllu"
    tagged.write_bytes(b"".join(senna.convert(path, "conllu", tasks=TASKS, input=source)))
    command = [sys.executable, "-c", MAIN, "--lang", "en", "--no-warnings", str(tagged)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    print(done.stdout, done.stderr)  # shown if the test fails
    if "*** PASSED ***" in done.stdout + done.stderr:
        return 0
    found = re.search(r"FAILED \*\*\* with (\d+) errors", done.stdout + done.stderr)
    assert found, "the validator did not run"
    return int(found[1])


@pytest.mark.slow
def test_plain_text_has_valid_trees(tmp_path):
    assert errors_of(ROOT / "data" / "sample.txt", tmp_path, "text") == 0


@pytest.mark.slow
@pytest.mark.parametrize(("corpus", "most"), [("ud/ewt", 18), ("ud/gum", 10)])
def test_trees_of_treebanks_are_valid_but_for_some(tmp_path, corpus, most):
    try:
        path = split_file(find(corpus), "dev")
    except SennaError as error:
        pytest.skip(str(error))
    assert errors_of(path, tmp_path, "conllu") <= most
