"""docs/scorers.md has the figures of scripts/compare_scorers.py."""

from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pytest

from scripts import compare_scorers as script

PAGE = (Path(__file__).parents[2] / "docs" / "scorers.md").read_text(encoding="utf-8")
OURS = (("conlleval",), ("senna eval",))


def rows(heading: str) -> dict[str, list[str]]:
    """The rows of the table that begins with a column."""
    lines = PAGE.partition(f"|  | {heading}")[2].partition("\n\n")[0].splitlines()[2:]
    cells = [line.strip("| ").split(" | ") for line in lines]
    return {name: others for name, *others in cells}


def test_names_have_the_scores_of_the_page():
    shown = rows("conlleval | senna eval")
    found = script.names_table(OURS)
    assert len(found) == 12 and list(shown) == [row.name for row in script.TAGGINGS]
    assert [cells[:2] for cells in shown.values()] == found
    assert {cell for cells in found for cell in cells} == {"0", "100"}


@pytest.mark.parametrize(
    "table", [(script.TREES, script.OF_TREES), (script.DEPENDENCIES, script.OF_ARCS)]
)
def test_trees_have_the_scores_of_the_page(table):
    pairs, (ours, *_) = table
    shown = rows(ours)
    assert list(shown) == [row.name for row in pairs]
    found = script.pairs_table(pairs, {ours: table[1][ours]})
    assert [cells[:1] for cells in shown.values()] == found


def test_the_page_has_what_the_script_prints():
    for package in script.PACKAGES:
        try:
            version(package)
        except PackageNotFoundError:
            pytest.skip(f"no {package}")
    _, *tables = script.blocks()  # the first has the versions
    assert all(table.strip() in PAGE for table in tables)
