"""Figure 3 of the paper: which words the maximum takes its numbers from, as docs/maxima.svg.

    python scripts/paper_maxima.py runs/maxima/model

The model is one of task srl whose network is "sentence": docs/paper.md has the command that trained
it. For a predicate and a word to tag, each unit of the convolution gives its maximum over the
sentence (eq. 7). A bar is the number of units whose maximum is at this word; the bars of a panel
add up to the number of units.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import numpy as np
from confidence_pictures import COLOURS, GREY, SIZE, STYLE, TOP, text
from numpy.typing import NDArray

import senna

SENTENCE = "The small firm often said that it would report its profits every month ."
PREDICATE, WORDS = "report", ("firm", "month")  # the verb, and the words to tag
STEP, BAR, LEFT, FOOT = 40, 24, 16, 84  # of bars, and below them, in pixels

Floats = NDArray[np.float32]
Counts = NDArray[np.int64]


class Recorder:
    """Stands in the place of a layer, and keeps what it last read."""

    words: Floats

    def __init__(self, layer: Any) -> None:
        self.layer = layer

    def __call__(self, words: Floats, lengths: Any) -> Floats:
        self.words = words.copy()
        result: Floats = self.layer(words, lengths)
        return result


def chosen(model: Path, sentence: Sequence[str], predicate: int) -> list[Counts]:
    """For each word to tag, how many units have their maximum at each word of the sentence."""
    nlp = senna.load(model=str(model), predicates="given")
    head: Any = nlp.pipeline.owners["srl"].heads["srl"]
    if not hasattr(getattr(head, "layer", None), "near"):
        raise SystemExit(f"paper_maxima: {model} is no sentence network for task srl")
    head.layer = Recorder(head.layer)
    nlp.roles([sentence], [[predicate]])
    words, near = head.layer.words, head.layer.layer.near
    return [counts(words, near, place) for place in range(len(sentence))]


def counts(words: Floats, near: Floats, place: int) -> Counts:
    """The number of units whose maximum for the word at `place` is at each word, (n_words,).

    words (n_words, units): what words give; near (2 reach + 1, units): what distances give.
    """
    reach = len(near) // 2
    away = np.clip(np.arange(len(words)) - place, -reach, reach) + reach
    highest = (words + near[away]).argmax(0)
    return np.bincount(highest, minlength=len(words))


def picture(sentence: Sequence[str], predicate: int, panels: dict[int, Counts]) -> str:
    """A panel of bars for each word to tag, as SVG; the verb and the word are in colour."""
    wide = 2 * LEFT + STEP * len(sentence)
    high = TOP + SIZE + FOOT
    title = "The number of units whose maximum over the sentence is at each word"
    box = f'viewBox="0 0 {wide} {high * len(panels)}" role="img"'
    marks = [f'<svg xmlns="http://www.w3.org/2000/svg" {box}>']
    marks.append(f"<title>{title}</title><style>{STYLE}</style>")
    marks.append(f'<rect width="{wide}" height="{high * len(panels)}" fill="#ffffff"/>')
    for number, (place, values) in enumerate(panels.items()):
        marks += bars(number * high, sentence, predicate, place, values)
    return "\n".join([*marks, "</svg>\n"])


def bars(
    top: int, sentence: Sequence[str], predicate: int, place: int, values: Counts
) -> Iterator[str]:
    """The marks of one panel."""
    bottom = top + TOP + SIZE
    about = escape(f"tagged: {sentence[place]}; verb: {sentence[predicate]}")
    yield text(LEFT, top + 16, about, "start")
    yield f'<path class="axis" d="M{LEFT} {bottom}h{STEP * len(sentence)}"/>'
    for i, (word, value) in enumerate(zip(sentence, values.tolist(), strict=True)):
        middle, height = LEFT + STEP * (i + 0.5), SIZE * value / max(values.max(), 1)
        colour = {predicate: COLOURS[0], place: COLOURS[2]}.get(i, GREY)
        place_of = f'x="{middle - BAR / 2:g}" y="{bottom - height:.1f}"'
        yield f'<rect {place_of} width="{BAR}" height="{height:.1f}" fill="{colour}"/>'
        yield text(middle, bottom - height - 4, f"{value}", "middle")
        start = f'x="{middle:g}" y="{bottom + 16}"'
        turned = f'transform="rotate(-45 {middle:g} {bottom + 16})"'
        yield f'<text {start} text-anchor="end" {turned}>{escape(word)}</text>'


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("model", type=Path)
    parser.add_argument("--sentence", default=SENTENCE, help="its words, with spaces between them")
    parser.add_argument("--predicate", default=PREDICATE)
    parser.add_argument("--words", nargs="+", default=WORDS, help="those to tag")
    parser.add_argument("--write", type=Path, default=Path("docs/maxima.svg"))
    asked = parser.parse_args(arguments)
    sentence = asked.sentence.split()
    missing = [word for word in (asked.predicate, *asked.words) if word not in sentence]
    if missing:
        raise SystemExit(f"paper_maxima: the sentence has no word {missing[0]!r}")
    predicate = sentence.index(asked.predicate)
    every = chosen(asked.model, sentence, predicate)
    panels = {place: every[place] for place in map(sentence.index, asked.words)}
    asked.write.write_text(picture(sentence, predicate, panels), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
