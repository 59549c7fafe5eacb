"""senna match: patterns in text and in tagged files, with context, as JSON and as counts."""

import gzip
import json
from pathlib import Path

import pytest

from senna import load, read, search

CONLLU = """\
# newdoc
# text = Anna Weber saw Bob and Bob slept.
1	Anna	Anna	PROPN	NNP	_	_	_	_	ner=B-PER|srl=3:B-A0
2	Weber	Weber	PROPN	NNP	_	_	_	_	ner=I-PER|srl=3:I-A0
3	saw	see	VERB	VBD	_	_	_	_	srl=3:B-V
4	Bob	Bob	PROPN	NNP	_	_	_	_	ner=B-PER|srl=3:B-A1
5	and	and	CCONJ	CC	_	_	_	_	_
6	Bob	Bob	PROPN	NNP	_	_	_	_	ner=B-PER|srl=7:B-A0
7	slept	sleep	VERB	VBD	_	_	_	_	srl=7:B-V|SpaceAfter=No
8	.	.	PUNCT	.	_	_	_	_	_

"""


@pytest.fixture
def tagged(as_file) -> Path:
    path = as_file("a.conllu", CONLLU)
    return path


@pytest.fixture
def slept(as_file) -> Path:
    path = as_file("a.txt", "Bob slept.\n")
    return path


def test_a_match_stands_between_its_contexts(senna, tagged):
    done = senna("match", "<ner=PER> <pos=VBD>", tagged, "--context", 9)
    assert done.err == "" and done.out.decode().splitlines() == [
        f"{tagged}:1\t         \tAnna Weber saw\tBob and B",
        f"{tagged}:1\tw Bob and\tBob slept\t.",
    ]
    assert senna("match", "saw", tagged, "--context", 0).out.split(b"\t")[1] == b""


def test_counts_begin_with_the_most_frequent(senna, tagged):
    done = senna("match", "<ner=PER>", tagged, "--format", "counts")
    assert done.out == b"2\tBob\n1\tAnna Weber\n"


def test_json_has_the_parts_of_a_match(senna, tagged):
    [line] = senna("match", "<ner=PER> <pos=FW>? saw", tagged, "--format", "jsonl").out.splitlines()
    record = json.loads(line)
    name = {"text": "Anna Weber", "label": "PER"}
    assert record["parts"] == [name, None, {"text": "saw", "label": ""}]
    assert (record["file"], record["line"], record["start"]) == (str(tagged), 1, 0)


BARE = """\
1	It	it	PRON	PRP	_	2	nsubj	_	_
2	rains	rain	VERB	VBZ	_	0	root	_	_

1	Anna	Anna	PROPN	NNP	Number=Sing	2	nsubj	_	ner=S-PER|srl=2:S-A0
2	saw	see	VERB	VBD	_	0	root	_	srl=2:S-V
3	it	it	PRON	PRP	_	2	obj	_	_

"""


@pytest.mark.parametrize(
    ("pattern", "texts"),
    [
        ("<ner=PER>", ["Anna"]),
        ("<srl=V>", ["saw"]),
        ("<feats=Number=Sing>", ["Anna"]),
        ("<ner=O> <srl=V>?", ["It", "rains", "saw", "it"]),
        ("<upos=PRON> <obj <upos=VERB>", ["saw it"]),
    ],
)
def test_a_sentence_of_conllu_in_which_nothing_was_found_stops_no_search(
    senna, tmp_path, pattern, texts
):
    (tmp_path / "bare.conllu").write_text(BARE, encoding="utf-8")
    done = senna("match", pattern, tmp_path / "bare.conllu", "--format", "jsonl")
    assert (done.err, [json.loads(line)["text"] for line in done.out.splitlines()]) == ("", texts)


def test_a_relation_that_no_tagged_sentence_has_is_reported(senna, tmp_path):
    (tmp_path / "bare.conllu").write_text(BARE, encoding="utf-8")
    done = senna("match", "<> <objj <>", tmp_path / "bare.conllu")
    what = "dep is never 'objj' in these files. Known: nsubj, obj, root."
    assert (done.code, done.out, done.err) == (1, b"", f"senna: pattern: {what}\nsenna: no match\n")


@pytest.mark.usefixtures("shipped")
def test_standard_input_may_be_tagged_lines_of_json_or_text(senna):
    text = b"Anna Vedard flew to Marburgh.\nWhy did Bob?\n"
    tagged = senna("tag", "--format", "jsonl", "--task", "pos", data=text).out
    plain = senna("match", "<pos=*> <>", "-", "--format", "counts", data=text)
    assert plain.code == 0 and plain.out
    assert senna("match", "<pos=*> <>", "-", "--format", "counts", data=tagged) == plain
    assert senna("match", "<pos=*>", data=b"").err == "senna: no match\n"


def test_values_which_no_model_gives(senna, as_file):
    path = as_file("letter.txt", "It rained on 3 May 2021.\n")
    done = senna("match", "<value=DATE>", path, "--format", "counts")
    assert done.out == b"1\t3 May 2021\n"
    assert "DATE" in senna("match", "<value=DAY>", path).error


def test_tagged_files_beside_text_are_refused(senna, tagged, tmp_path):
    (tmp_path / "b.txt").write_text("Anna ran.", encoding="utf-8")
    error = senna("match", "<ner=PER>", tagged, tmp_path / "b.txt").error
    assert error.startswith(f"{tagged} is tagged already, and other files are not.")


def test_a_task_that_a_file_lacks_is_named(senna, tagged):
    error = senna("match", "<chunk=NP>", tagged).error
    assert error.startswith(f"{tagged}: no phrases of task 'chunk'.")


def test_without_a_match_it_says_so_as_grep_does(senna, slept):
    for format_ in ("context", "jsonl", "counts"):
        done = senna("match", "dog", slept, "--format", format_)
        assert (done.code, done.out, done.err) == (1, b"", "senna: no match\n")


def test_large_text_is_better_tagged_once(senna, slept, monkeypatch):
    monkeypatch.setattr("senna.extras.search.cli.LARGE", 5)
    assert "Tag the files once with senna tag --format jsonl" in senna("match", "bob", slept).err
    assert senna("match", "bob", slept, "--quiet").err == ""


def test_control_characters_of_a_file_are_escapes(senna, as_file):
    record = {"file": "\x1b[31m", "text": "\x1b[2J", "tokens": [{"text": "\x1b[2J"}], "tags": {}}
    path = as_file("a.jsonl", json.dumps(record) + "\n")
    assert b"\x1b" not in senna("match", "*", path).out
    record["start"] = "5"
    path.write_text(json.dumps(record) + "\n", encoding="utf-8")
    assert f"{path}:1" in senna("match", "*", path).error


def test_files_are_searched_as_they_are_read(tmp_path):
    """Blank lines, a byte order mark, whole documents, and packed or capital names."""
    doc = load("ner")("Ann Lee left. Bob ran.")
    lines = "\n".join(["\ufeff" + doc.to("jsonl"), doc.to_json(), ""])
    forms = {"a.jsonl": lines, "A.JSONL": lines, "a.jsonl.gz": lines}
    forms |= {"a.conllup": doc.to("conllup"), "a.CoNLLU": doc.to("conllu")}
    for name, text in forms.items():
        path = tmp_path / name
        data = text.encode()
        path.write_bytes(gzip.compress(data) if name.endswith("gz") else data)
        found = [span.text for one in read(path) for span in one.spans("ner")]
        assert found == ["Ann Lee", "Bob"] * (2 if text is lines else 1), name
        hits = [*search("<ner=PER>", path)]
        assert [hit.match.text for hit in hits] == found, name
        if text is lines:
            assert [hit.start for hit in hits] == [0, 14, 0, 14]


@pytest.mark.parametrize("name", ["notes.jsonl.txt", "my.conllu.md"])
def test_an_ending_inside_a_name_says_nothing(senna, as_file, name):
    path = as_file(name, "Anna Weber left.")
    done = senna("match", "Weber", path, "--model", "pos", "--format", "counts")
    assert (done.code, done.out) == (0, b"1\tWeber\n")
