"""MASC's stand-off names become tags of words."""

from __future__ import annotations

import gzip
import zipfile
from pathlib import Path

import pytest

from senna.corpora.sources import masc_names
from senna.corpora.sources.masc_names import FOLDER, join_apostrophes, split_token, trimmed

TEXT = "Mr. Lee likes New York-based IBM. He is é Bob’s."
TOKENS = [(0, 3), (4, 7), (8, 13), (14, 17), (18, 28), (29, 32), (32, 33), (34, 36), (37, 39)]
TOKENS += [(40, 41), (42, 45), (45, 46), (46, 47), (47, 48)]
SENTENCES = [(0, 33), (34, 48)]
NAMES = [((0, 1), "person"), ((3,), "location"), ((5,), "org"), ((2,), "date"), ((10,), "person")]
NAMES += [((3, 4), "location"), ((6, 7), "org")]
GRAF = '<graph xmlns="http://www.xces.org/ns/GrAF/1.0/">{}</graph>'


def layers() -> dict[str, str]:
    regions = "".join(
        f'<region xml:id="r{i}" anchors="{start} {end}"/>' for i, (start, end) in enumerate(TOKENS)
    )
    tokens = "".join(
        f'<node xml:id="t{i}"><link targets="r{i}"/></node><a label="tok" ref="t{i}"/>'
        for i in range(len(TOKENS))
    )
    sentences = "".join(
        f'<region xml:id="s{i}" anchors="{start} {end}"/><node xml:id="n{i}">'
        f'<link targets="s{i}"/></node><a label="s" ref="n{i}"/>'
        for i, (start, end) in enumerate(SENTENCES)
    )
    names = "".join(
        f'<a label="{label}" ref="e{i}"/>'
        + "".join(f'<edge from="e{i}" to="t{place}"/>' for place in places)
        for i, (places, label) in enumerate(NAMES)
    )
    return {"seg": regions, "penn": tokens + '<node xml:id="x"/>', "s": sentences, "ne": names}


@pytest.fixture
def sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Path]:
    monkeypatch.setattr(masc_names, "resource_lines", lambda _: ["written/a"])
    paths = {name: tmp_path / name for name in ("ewt-train", "gum-train")}
    for path in paths.values():
        path.write_text("# newdoc id = GUM_bio_x\n1\tE-mail\t_\t_\tNN\t_\t0\troot\t_\t_\n")
    with zipfile.ZipFile(tmp_path / "data.zip", "w") as files:
        files.writestr("written/a.txt.gz", gzip.compress(TEXT.encode()))
        for name, content in layers().items():
            whole = GRAF.format(content)
            files.writestr(f"written/a-{name}.xml.gz", gzip.compress(whole.encode()))
    return paths | {FOLDER: tmp_path / "data.zip"}


def test_names_of_a_document(sources: dict[str, Path]) -> None:
    ((first, second),) = masc_names.masc_names(sources)["train"]
    assert " ".join(f"{word}/{tag}" for word, tag in first) == (
        "Mr./O Lee/B-PER likes/O New/B-LOC York/I-LOC -/I-LOC based/I-LOC IBM/B-ORG ./O"
    )
    assert " ".join(f"{word}/{tag}" for word, tag in second) == "He/O is/O é/O Bob/B-PER ’s/O ./O"


@pytest.mark.parametrize(
    ("word", "pieces"),
    [
        ("crime-ridden", "crime - ridden"),
        ("e-mail", "e-mail"),
        ("1-2", "1-2"),
        ("a--b", "a--b"),
        ("it's", "it 's"),
        ("don’t", "do n’t"),
        ("'s", "'s"),
        ("O'Neill", "O'Neill"),
    ],
)
def test_tokens_are_split_as_in_other_corpora(word: str, pieces: str) -> None:
    spans = split_token(f"x{word}", (1, len(word) + 1), {"e-mail"})
    assert " ".join(f"x{word}"[slice(*span)] for span in spans) == pieces


@pytest.mark.parametrize(
    ("tokens", "joined"),
    [
        ("Bob|’|s", "Bob|’s"),
        ("wasn|’|t", "was|n’t"),
        ("n|’|t", "n|’|t"),
        ("x|’|y", "x|’|y"),
        ("’|s", "’|s"),
        ("dogs|’", "dogs|’"),
    ],
)
def test_apostrophes_are_joined(tokens: str, joined: str) -> None:
    spans, start = [], 0
    for token in tokens.split("|"):
        spans.append((start, start + len(token)))
        start += len(token)
    text = tokens.replace("|", "")
    assert "|".join(text[slice(*span)] for span in join_apostrophes(text, spans)) == joined


@pytest.mark.parametrize(
    ("tags", "expected"),
    [
        ("President/B-PER Ada/I-PER ./I-PER", "President/O Ada/B-PER ./O"),
        ("Mr./B-PER Shell/B-ORG", "Mr./O Shell/B-PER"),
        ("President/B-PER Shell/B-ORG", "President/O Shell/B-ORG"),
        ("Mr./B-PER of/O Shell/B-ORG", "Mr./O of/O Shell/B-ORG"),
        ("von/B-PER Ada/I-PER", "von/B-PER Ada/I-PER"),
        ('"/B-LOC Ulm/I-LOC', '"/O Ulm/B-LOC'),
    ],
)
def test_titles_and_punctuation_are_no_part_of_names(tags: str, expected: str) -> None:
    sentence = [(word, tag) for word, _, tag in (pair.rpartition("/") for pair in tags.split())]
    assert " ".join(f"{word}/{tag}" for word, tag in trimmed(sentence)) == expected
