"""Sentences and tokens of short texts: the share that is cut right, for measure_quality.py --cuts.

Each file of tests/quality/cuts has a kind of text, one per line: `|` stands where a sentence ends
and `\\n` for a line break; in tokens.txt a tab is followed by the tokens.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from senna.files import open_text
from senna.text.sentences import split
from senna.text.tokenizer import tokenize

TEXTS = Path(__file__).resolve().parents[1] / "tests" / "quality" / "cuts"


def report(models: Sequence[str], errors: bool) -> Iterator[str]:
    """A line for each kind, and with `errors` one for each text that is cut wrongly."""
    del models  # none is needed
    yield "| kind | texts | right |\n|---|---:|---:|"
    for path in sorted(TEXTS.glob("*.txt")):
        with open_text(path) as file:
            lines = file.read().splitlines()
        wrong = [(line, found) for line in lines if (found := cut(line)) != line]
        yield f"| {path.stem} | {len(lines)} | {len(lines) - len(wrong)} |"
        if errors:
            yield from (f"{line}\n  cut as: {found}" for line, found in wrong)


def cut(line: str) -> str:
    """The line as it would be if it showed what the splitter or the tokenizer does."""
    text, tab, _ = line.partition("\t")
    if tab:
        return f"{text}\t{' '.join(token.text for token in tokenize(text))}"
    text = line.replace(" |", "").replace("\\n", "\n")
    marked, after = "", 0
    for sentence in split(text)[:-1]:
        end = sentence[-1].end
        marked, after = marked + text[after:end] + " |", end
    return (marked + text[after:]).replace("\n", "\\n").replace("\\n |", " |\\n")
