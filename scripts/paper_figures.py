"""Figure 4 of the paper: hidden units and F1 of chunks, as docs/hidden-units.svg.

    python scripts/tables.py paper --table units --seeds 5
    python scripts/paper_figures.py

The points are the means over seeds of the table "units", the bars their standard deviations.
"""

from __future__ import annotations

import argparse
import math
import statistics
from collections.abc import Iterator, Sequence
from pathlib import Path

from confidence_pictures import COLOURS, LEFT, SIZE, TOP, line, panel, svg, text
from tables import Result, read_rows

UNITS = (10, 25, 50, 100, 300, 900)  # of the rows of the table "units"
TEST = "research/conll2000 test"
SCALE = 2  # how wide the panel is, over its height
Point = tuple[int, float, float]  # hidden units, mean F1, standard deviation


def points(results: Sequence[Result]) -> Iterator[Point]:
    """The sizes that were trained; one seed has no deviation."""
    for n in UNITS:
        lines = [line for line in results if line["training"] == f"units-{n}"]
        scores = [line["scores"]["chunk"][TEST] for line in lines]
        if scores:
            spread = statistics.stdev(scores) if len(scores) > 1 else 0.0
            yield n, statistics.mean(scores), spread


def hidden_units(curve: Sequence[Point]) -> str:
    """F1 over the logarithm of the number of hidden units, as SVG."""
    low = math.floor(min(mean - spread for _, mean, spread in curve))
    high = math.ceil(max(mean + spread for _, mean, spread in curve))
    least, most = UNITS[0], UNITS[-1]

    def place(n: int, score: float) -> tuple[float, float]:
        share = math.log(n / least) / math.log(most / least)
        return LEFT + SCALE * SIZE * share, TOP + SIZE * (high - score) / (high - low)

    ends = (float(least), float(most)), (float(low), float(high))
    marks = list(panel(LEFT, "", *ends, "hidden units", "F1", SCALE))
    marks.append(line([place(n, mean) for n, mean, _ in curve], COLOURS[0], ""))
    for n, mean, spread in curve:
        bar = [place(n, mean - spread), place(n, mean + spread)]
        x, y = place(n, mean)
        marks.append(line(bar, COLOURS[0], ""))
        marks.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{COLOURS[0]}"/>')
        if n not in ends[0]:
            marks.append(text(x, TOP + SIZE + 15, f"{n}", "middle"))
    title = "F1 of chunks by the number of hidden units: means and standard deviations"
    return svg(LEFT + SCALE * SIZE + 20, marks, title)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--out", type=Path, default=Path("runs/paper"), help="of tables.py")
    parser.add_argument("--write", type=Path, default=Path("docs/hidden-units.svg"))
    chosen = parser.parse_args()
    curve = list(points(read_rows("paper", chosen.out).results()))
    if len(curve) < 2:
        raise SystemExit("paper_figures: run python scripts/tables.py paper --table units first")
    chosen.write.write_text(hidden_units(curve), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
