"""Generated sentences with roles: their spans, their verbs, and how roles are counted."""

from __future__ import annotations

import lzma
import re
from collections import Counter, defaultdict
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"
FRAMES = SCRIPTS.parent / "tests" / "quality" / "frames"


@pytest.fixture(autouse=True)
def scripts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(SCRIPTS))
    monkeypatch.syspath_prepend(str(SCRIPTS / "experiments"))


@pytest.fixture
def writer() -> Any:
    """A writer whose few verbs need no corpora."""
    from role_senses import Sense, Senses
    from role_sentences import Roles

    things, people = ("spoon", "spoons", "oil"), ("PEOPLE",)
    senses = Senses.__new__(Senses)
    senses.forms = defaultdict(lambda: defaultdict(Counter))
    verbs = "munch juggl squash mail jump melt amaz claim hop forc take give have make do pay hold"
    for verb in verbs.split():
        senses.forms[verb]["VBD"][f"{verb}ed"] += 1
    senses.shapes = defaultdict(Counter, {"jump.03": Counter({"A0 _": 3})})
    senses.objects = [
        Sense(roleset, ("A0", "A1"), things) for roleset in ("munch.01", "juggl.01", "squash_up.02")
    ]
    senses.gifts = [Sense("mail.01", ("A0", "A2", "A1"), things)]
    senses.alone = [
        Sense("jump.03", ("A0",), people, "AM-LOC", "AM-DIR"),
        Sense("melt.01", ("A1",), things, "AM-LOC"),
    ]
    senses.stirring = [Sense("amaz.01", ("A0", "A1"))]
    senses.speech = senses.thinking = [Sense("claim.01", ("A0", "A1"))]
    senses.wanting = [Sense("hop.01", ("A0", "A1"))]
    senses.told = [Sense("forc.01", ("A0", "A1", "A2"))]
    lexicon: Any = SimpleNamespace(first=["Ola"], places=["Marburgh"], last=[], firms=[])
    return Roles(lexicon, senses, "seed")


def test_each_predicate_has_one_verb_and_arguments_that_do_not_overlap(writer: Any) -> None:
    from demo_corpus import columns
    from role_senses import arguments

    seen: Counter[str] = Counter()
    for _ in range(1500):
        rows = columns.srl_rows(writer.sentence())
        assert rows[0][1][0].isupper() or rows[1][1][0].isupper()
        predicates = [i for i, row in enumerate(rows) if row[4] != "-"]
        for column, at in enumerate(predicates, start=6):
            spans = arguments([row[column] for row in rows])
            assert all(one[1] <= other[0] for one, other in pairwise(spans))
            assert [(start, end) for start, end, role in spans if role == "V"] == [(at, at + 1)]
            if rows[at][5] != "v":
                assert len(spans) == 1
            texts = [" ".join(row[1] for row in rows[start:end]) for start, end, _ in spans]
            assert not any(re.search(r"^[\",.!?]|[\",.!?]$", text) for text in texts)
            seen.update(role for *_, role in spans)
    kinds = "A0 A1 A2 C-V R-A0 R-A1 AM-TMP AM-LOC AM-DIR AM-DIS AM-MOD AM-NEG AM-ADV".split()
    assert all(seen[role] > 20 for role in kinds)


def test_arguments_of_an_inner_verb_lie_within_the_clause_that_is_an_argument(writer: Any) -> None:
    from demo_corpus.tree import number

    for _ in range(100):
        tree = number(writer.subject_clause())
        verbs = [leaf for leaf in tree.leaves() if leaf.predicate and leaf.predicate.kind == "v"]
        [outer] = [verb for verb in verbs if verb.predicate.roleset == "amaz.01"]
        clause = dict(outer.predicate.arguments)["A0"]
        assert clause.start == 0 and clause.end <= outer.start
        inner = [verb for verb in verbs if verb.start < clause.end]
        assert inner and all(
            node.end <= clause.end for verb in inner for _, node in verb.predicate.arguments
        )


def test_light_verbs_are_no_predicates_and_no_tested_pair_occurs(writer: Any) -> None:
    lines = [
        set(line.split())
        for path in FRAMES.glob("*.txt")
        for line in path.read_text("utf-8").lower().split("\n")
    ]
    assert any({"took", "walk"} <= line for line in lines)
    assert ("take", "nap") in writer.light and ("take", "walk") not in writer.light
    assert ("take.01", "book") in writer.full and ("have.03", "brother") not in writer.full
    for _ in range(200):
        leaves = list(writer.light_verb().leaves())
        light = [leaf for leaf in leaves if leaf.predicate and leaf.predicate.kind == "lv"]
        assert len(light) == 1 and light[0].predicate.arguments == []
        full = [leaf.predicate for leaf in writer.full_verb().leaves() if leaf.predicate]
        assert not any(predicate.kind == "lv" for predicate in full)


ROWS = {
    "ewt": """
She juggled/VBD/juggle.01/A0_A1 lamps
He juggled/VBD/juggle.01/A0_A1 lamps
We juggle/VB/juggle.01/A0_A1 lamps
Lamps juggled/VBN/juggle.01/A1_A0 us
He hung/VBD/hang.01/A0_A1 coats
We hang/VB/hang.01/A0_A1 coats
She paints/VBZ/paint.02/A0_A1 walls
Walls painted/VBD/paint.02/A1_A0 us
We paint/VB/paint.02/A0_A1 walls
""",
    "masc": "We juggle/VB/juggle.01/A0_A1 lamps\n",
    "frames": "Ice melted/-/melt.01/A1_AM-LOC inside\nWe melt/-/melt.01/A1_A2 to\n",
}


def test_roles_are_counted_in_active_clauses_and_used_where_they_agree(tmp_path: Path) -> None:
    from role_senses import Senses

    for corpus, text in ROWS.items():
        name = "frames/verbs" if corpus == "frames" else f"{corpus}/train"
        path = tmp_path / f"srl/{name}.xz"
        path.parent.mkdir(parents=True)
        path.write_bytes(lzma.compress("".join(map(block, text.split("\n"))).encode()))
    senses = Senses(tmp_path)
    assert senses.shapes["juggle.01"] == {"A0 _ A1": 4}
    assert senses.shapes["melt.01"] == {"A1 _ AM-LOC": 1, "A1 _ A2:to": 1}
    [clear] = senses.clear("juggle.01", "A0 _ A1", r"A\d _ A\d", 3, ["lamp"])
    assert clear.roles == ("A0", "A1") and clear.nouns == ("lamp",)
    for roleset in ("hang.01", "paint.02"):  # one stands in tests/quality/frames, one is unclear
        assert not list(senses.clear(roleset, "A0 _ A1", r"A\d _ A\d", 1, []))
    assert [senses.form("juggle", tag) for tag in ("VBZ", "VBG")] == ["juggles", "juggling"]


def block(line: str) -> str:
    """The rows of a sentence of three words."""
    if not line:
        return ""
    front, verb, behind = line.split()
    form, tag, roleset, roles = verb.split("/")
    first, last = roles.split("_")
    cells = [(front, "-", "-", "-", f"({first}*)"), (form, tag, roleset, "v", "(V*)")]
    cells.append((behind, "-", "-", "-", f"({last}*)"))
    return (
        "".join(
            f"{i}\t{word}\t{tag}\t-\t{roleset}\t{kind}\t{cell}\n"
            for i, (word, tag, roleset, kind, cell) in enumerate(cells, start=1)
        )
        + "\n"
    )
