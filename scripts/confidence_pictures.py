"""The pictures of docs/confidence.md, as SVG: reliability, and precision against coverage."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

Item = tuple[float, bool]  # the probability of something found, and whether it is right
Curve = tuple[str, Sequence[Item], Sequence[Item]]  # a task, its items before and after fitting

SIZE, GAP, LEFT, TOP = 190, 34, 46, 34  # of panels, in pixels
COLOURS = ("#0072b2", "#56b4e9", "#d55e00", "#009e73", "#cc79a7", "#000000")  # for all eyes
DASHES = ("", "12 3", "7 3", "2 3", "9 3 2 3", "4 2")
GREY = "#888888"
STYLE = "text{font:12px sans-serif;fill:#222}.axis{stroke:#999;fill:none}"
ABOUT = {
    "reliability": "Of what has some probability, how much is right: before (hollow), after (full)",
    "coverage": "How much of what is left is right, when the least certain is left out",
}


def reliability(curves: Sequence[Curve], bins: int) -> str:
    """One panel per task: the share of right ones over the mean probability of each bin."""
    marks = []
    for number, (task, before, after) in enumerate(curves):
        x = LEFT + number * (SIZE + GAP)
        marks += panel(x, task, (0.0, 1.0), (0.0, 1.0), "probability", "" if number else "right")
        marks.append(line([(x, TOP + SIZE), (x + SIZE, TOP)], GREY, "4 4"))
        for items, colour, fill in ((before, GREY, "none"), (after, COLOURS[0], COLOURS[0])):
            for mean, right in points(items, bins):
                place = f'cx="{x + SIZE * mean:.1f}" cy="{TOP + SIZE * (1 - right):.1f}"'
                marks.append(f'<circle {place} r="4" stroke="{colour}" fill="{fill}"/>')
    return svg(LEFT + len(curves) * (SIZE + GAP), marks, ABOUT["reliability"])


def coverage(curves: Sequence[Curve], bins: int) -> str:
    """One panel: the share of right ones among the most probable, over how many these are."""
    scale, low = 2, 0.7
    marks = list(panel(LEFT, "", (0.0, 1.0), (low, 1.0), "share that stays", "right", scale))
    for number, (task, _, items) in enumerate(curves):
        colour, dash = COLOURS[number % len(COLOURS)], DASHES[number % len(DASHES)]
        path = [
            (LEFT + scale * SIZE * share, TOP + SIZE * (1 - (right - low) / (1 - low)))
            for share, right in kept(items)
            if right >= low
        ]
        marks.append(line(path, colour, dash))
        x, y = LEFT + scale * SIZE + 12, TOP + 14 + 20 * number
        marks.append(line([(x, y - 4), (x + 26, y - 4)], colour, dash))
        marks.append(f'<text x="{x + 32}" y="{y}">{task}</text>')
    return svg(LEFT + scale * SIZE + 130, marks, ABOUT["coverage"])


def points(items: Sequence[Item], bins: int) -> Iterator[tuple[float, float]]:
    """The mean probability and the share of right ones of each bin with ten items or more."""
    for number in range(bins):
        inside = [item for item in items if min(int(item[0] * bins), bins - 1) == number]
        if len(inside) >= 10:
            yield sum(p for p, _ in inside) / len(inside), sum(r for _, r in inside) / len(inside)


def kept(items: Sequence[Item], n: int = 60) -> Iterator[tuple[float, float]]:
    """Shares of the items, the most probable first, and how many of these are right."""
    ordered = sorted(items, reverse=True)
    for number in range(3, n + 1):
        most = ordered[: max(1, len(ordered) * number // n)]
        yield len(most) / len(ordered), sum(right for _, right in most) / len(most)


# --------------------------------------------------------------------------- marks


def panel(
    x: float,
    title: str,
    xs: tuple[float, float],
    ys: tuple[float, float],
    below: str,
    beside: str,
    scale: int = 1,
) -> Iterator[str]:
    """A frame with the ends of its axes."""
    width, bottom = scale * SIZE, TOP + SIZE
    yield f'<rect class="axis" x="{x}" y="{TOP}" width="{width}" height="{SIZE}"/>'
    yield text(x + width / 2, TOP - 10, title, "middle")
    yield text(x + width / 2, bottom + 30, below, "middle")
    for value, place in zip(xs, (x, x + width), strict=True):
        yield text(place, bottom + 15, f"{value:g}", "middle")
    for value, place in zip(ys, (bottom, TOP + 8), strict=True):
        yield text(x - 5, place, f"{value:g}", "end")
    yield text(x - 5, TOP + SIZE / 2, beside, "end")


def text(x: float, y: float, words: str, anchor: str) -> str:
    return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}">{words}</text>'


def line(points: Sequence[tuple[float, float]], colour: str, dash: str) -> str:
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    return f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"{dashes}/>'


def svg(width: float, marks: Sequence[str], title: str) -> str:
    height = TOP + SIZE + 40
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" role="img">'
    paper = f'<rect width="{width:g}" height="{height:g}" fill="#ffffff"/>'
    return "\n".join(
        [head, f"<title>{title}</title><style>{STYLE}</style>", paper, *marks, "</svg>\n"]
    )
