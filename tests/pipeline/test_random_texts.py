"""No text ends in an exception or a warning, whatever stands in it: all tasks, many texts."""

import random
from collections.abc import Iterator

import pytest

import senna

PIECES = (
    "the He Ann's don't w/ U.S. No. Inc. in. id. e. g. etc. ... . ! ?! : , ; \" ' “ ” ( ) [3] :-) "
    "> -- - – / ----- http://a.b a@b.org src/a.py self.x --no-cache end.The 01/25/2001 10:20 AM "
    "Thanks, é \u200b \ufeff \u2028 \x85 \xa0 \r \x00 12 1,000.5 ½ two hundred million 5th K M B % "
    "$ € minus ° C ft. 2 in km/h kg May Jan. 2021-05 31 30 Feb 8:30 am hours last ago few said "
    "running of by to not 😀 中文 हिन्दी ʼ &amp; <b> 0600 1.234,56 12,5 COVID -19 "
    "F-16 (555) 123-4567 -5 1999-2000 century half one"
).split(" ")
TOGETHER = 500  # as paragraphs of one document


def texts(rng: random.Random, n: int) -> Iterator[str]:
    for _ in range(n):
        pieces = rng.choices(PIECES, k=rng.randint(1, 8))
        yield "".join(piece + rng.choice(["", " ", " ", " ", "\n"]) for piece in pieces)


@pytest.mark.parametrize(
    "n",
    [
        pytest.param(2_000, marks=pytest.mark.slow),
        pytest.param(60_000, marks=pytest.mark.exhaustive),
    ],
)
def test_random_texts_are_tagged_by_all_tasks_without_an_exception_or_a_warning(n):
    nlp = senna.load("all,value")
    rng = random.Random(1)
    for _ in range(n // TOGETHER):
        text = "\n\n".join(texts(rng, TOGETHER))
        doc = nlp(text)
        assert all(span.value is not None for span in doc.spans("value"))
        record = doc.to_dict()
        assert senna.Document.from_dict(record) == doc
