"""One made-up file in each source format."""

import json

import pytest

from senna.corpora import convert
from senna.corpora import tagged as module
from senna.corpora.catalogue import Columns, Corpus, read_catalogue
from senna.corpora.convert import column_set, read_columns
from senna.corpora.sources import names, ud
from senna.corpora.tagged import fingerprint, hashed, map_labels, render, without
from tests.corpora.made import conllu, flat, flats, tagged, written

SAME: dict[str, str | None] = {"PER": "PER", "LOC": "LOC", "ORG": "ORG", "MISC": "MISC"}

# ------------------------------------------------------------------ what all have in common


@pytest.mark.parametrize(
    ("sentence", "labels", "expected"),
    [  # dropped labels and handles; words of nothing but invisible characters
        (
            "@/B-PER ada/I-PER met Ada/I-PER Byron/I-PER in Leeds/B-LOC",
            {"PER": "PER", "LOC": None},
            "@ ada met Ada/B-PER Byron/I-PER in Leeds",
        ),
        ("New/B-LOC \u200b/I-LOC Le\u200deds/I-LOC \ufe0f x", SAME, "New/B-LOC Leeds/I-LOC x"),
        ("\u200d/B-LOC Leeds/I-LOC", SAME, "Leeds/B-LOC"),
    ],
)
def test_labels_are_mapped_and_words_cleaned(sentence, labels, expected):
    words, tags = zip(*tagged(sentence), strict=True)
    assert flat(map_labels(words, tags, labels)) == expected


def test_only_long_sentences_are_excluded_whatever_their_case():
    long, short = tagged("She went home by the sea"), tagged("Yes")
    excluded = {fingerprint("SHE went home by the SEA".split()), fingerprint(["yes"])}
    assert without([[long, short], [long]], excluded) == [[short]]
    assert without([[long]], set()) == [[long]]


def test_rendering():
    documents = [[tagged("a"), tagged("b")], [tagged("c")]]
    assert render(documents, marks=False) == "a\tO\n\nb\tO\n\nc\tO\n\n"
    assert render(documents, marks=False, last_blank=False).endswith("c\tO\n")
    assert render(documents[1:], marks=True) == "-DOCSTART-\tO\n\nc\tO\n\n"
    assert render([], marks=True) == ""


def test_convert_leaves_excluded_sentences_out(tmp_path, monkeypatch):
    words = "She went home by the sea".split()
    text = "".join(f"{word}\tO\n" for word in words) + "\nYes\tO\n"
    line = f"ner/tiny train {fingerprint(words)}"
    monkeypatch.setattr(module, "resource_lines", lambda name: [line])
    splits = ("train", "dev")
    corpus = Corpus("ner/tiny", ("ner",), splits, "", "", "", False, (), Columns())
    converted = convert.convert(corpus, written(tmp_path, dict.fromkeys(splits, text)))
    assert converted["train"] == "Yes\tO\n\n"
    assert converted["dev"].startswith("She\tO\n")


# ------------------------------------------------------------------ Universal Dependencies

CAN_NOT = conllu("1-2 Don't", "Do|VBP", "n't|RB", "2.1 you|PRP", "go|VB")
YES = conllu("Yes|UH")


def test_ud_words_are_the_syntactic_ones():
    text = f"# newdoc id = one\n# text = Don't go\n{CAN_NOT}{YES}# newdoc id = two\n{YES}"
    documents = ud.tagged_documents(text.rstrip("\n"))
    assert {name: flats([document]) for name, document in documents.items()} == {
        "one": [["Do/VBP n't/RB go/VB", "Yes/UH"]],
        "two": [["Yes/UH"]],
    }


def test_gum_keeps_free_genres_in_the_order_of_names(tmp_path):
    texts = {"voyage_b": CAN_NOT, "fiction_a": YES, "court_carpet": YES}
    texts |= {"academic_a": YES + CAN_NOT}
    train = "".join(f"# newdoc id = GUM_{name}\n{text}" for name, text in texts.items())
    converted = ud.tagged(written(tmp_path, {"train": train}), only_free=True)
    assert flats(converted["train"]) == [["Yes/UH", "Do/VBP n't/RB go/VB"], ["Do/VBP n't/RB go/VB"]]


# ------------------------------------------------------------------ Universal NER


def iob2(sentence: str) -> str:
    rows = enumerate(tagged(sentence), 1)
    return "".join(f"{i}\t{word}\t{tag}\t-\n" for i, (word, tag) in rows) + "\n"


FIRST = (
    f"# newdoc id = x\n# text = ...\n{iob2('Ada/B-PER likes Welsh/B-OTH cakes/B-O')}"
    f"# newdoc id = y\n{iob2('The/B-OTH Leeds/I-OTH Cup/I-OTH')}"
)


def test_uner_other_names_are_misc_or_nothing():
    assert flats(names.read_iob2(FIRST, misc=True)) == [
        ["Ada/B-PER likes Welsh/B-MISC cakes"],
        ["The/B-MISC Leeds/I-MISC Cup/I-MISC"],
    ]
    assert flats(names.read_iob2(FIRST, misc=False))[1] == ["The Leeds Cup"]


def test_uner_misc_is_added_where_no_other_name_is(tmp_path):
    released = iob2("Ada likes Welsh cakes/B-ORG") + iob2("The Leeds/B-LOC Cup")
    texts = {"train": FIRST, "dev": released, "test": "", "dev-first": FIRST, "test-first": ""}
    files = written(tmp_path, texts)
    converted = names.ewt_misc(files)
    [dev] = flats(converted["dev"])
    assert dev == ["Ada likes Welsh/B-MISC cakes/B-ORG", "The Leeds/B-LOC Cup"]
    assert converted["test"] == []
    plain, other = tagged("Welsh"), tagged("Welsh/B-MISC")  # repeated ones, in order
    assert names.add_misc([[plain, plain, plain]], [[plain, other]]) == [[plain, other, other]]


# ------------------------------------------------------------------ DocRED


def test_docred_keeps_the_longest_mention_and_makes_nationalities_misc():
    def mention(start: int, end: int, label: str, sentence: int = 0) -> dict[str, object]:
        return {"pos": [start, end], "type": label, "sent_id": sentence}

    item = {
        "sents": ["The Welsh painter Ada Byron of Welsh".split(), ["In", "1850"]],
        "vertexSet": [
            [mention(3, 5, "PER"), mention(4, 5, "LOC"), mention(3, 5, "PER")],
            [mention(1, 2, "LOC"), mention(6, 9, "LOC")],
            [mention(1, 2, "TIME", 1)],
        ],
    }
    tagged = "painter Ada/B-PER Byron/I-PER of Welsh"
    converted = names.read_document(item, {hashed("Welsh")})
    assert flats([converted]) == [[f"The Welsh/B-MISC {tagged}", "In 1850"]]
    assert flat(names.read_document(item, set())[0]) == f"The Welsh/B-LOC {tagged}"


def test_docred_splits(tmp_path):
    def items(prefix: str, n: int) -> str:
        return json.dumps([{"sents": [[f"{prefix}{i}"]], "vertexSet": []} for i in range(n)])

    mention = {"pos": [0, 1], "type": "LOC", "sent_id": 0}
    welsh = json.dumps([{"sents": [["Sudanese", "tea"]], "vertexSet": [[mention]]}])
    files = {"dev_revised": items("a", 2), "test_revised": items("b", 400), "test": welsh}
    paths = written(tmp_path, files)
    converted = names.docred(paths)
    train, dev = ([flat(d[0]) for d in converted[split]] for split in ("train", "dev"))
    assert train[:3] == ["a0", "a1", "b0"] and train[-1] == "b249"
    assert (dev[0], dev[-1]) == ("b250", "b349")
    assert flats(names.docred2(paths)["train"]) == [["Sudanese/B-MISC tea"]]


# ------------------------------------------------------------------ columns


@pytest.mark.parametrize(
    ("text", "columns", "expected"),
    [
        (
            "Ada\tB-PER\r\n\t\nat\tO\nSt Ives\tB-LOC\nno tag\t\nBye\tO\nalone\nend\tO",
            Columns(),
            [["Ada/B-PER", "at StIves/B-LOC", "Bye", "end"]],
        ),
        (
            "-DOCSTART- O\n\nAda I-PER\n\n-DOCSTART- O\n\nBye O\n",
            Columns(delimiter=""),
            [["Ada/B-PER"], ["Bye"]],
        ),
    ],
)
def test_column_files_with_all_their_oddities(text, columns, expected):
    assert flats(read_columns(text, columns)) == expected


CROSSNER = "Ada\tB-politician\nwrote\tO\nodes\tB-poem\nOdes\tB-poem\nin\tO\njazz\tB-musicgenre\n"
WNUT = "Ode\tB-creative-work\nFoo\tB-group\n"
ADA = "Ada/B-PER wrote odes Odes/B-MISC in jazz"
SETS = {
    "wikigold": (  # every other document
        {"wikigold": "".join(f"w{i} O\n\n-DOCSTART- O\n\n" for i in range(5))},
        {"dev": [["w0"], ["w2"], ["w4"]]},
    ),
    "crossner": (  # five domains; no MISC in lower case
        {
            f"{domain}-dev": CROSSNER if domain == "science" else f"{domain}\tO\n"
            for domain in ("politics", "science", "music", "literature", "ai")
        },
        {"dev": [["politics"], [ADA], ["music"], ["literature"], ["ai"]]},
    ),
    "wnut17": ({"dev": WNUT}, {"dev": [["Ode/B-MISC Foo/B-ORG"]]}),
    "tweebank": ({"test": "Leeds\tB-LOC\n"}, {"test": [["Leeds/B-LOC"]]}),
    "btc": (
        {name: f"{name}\tO\n" for name in "abegfh"},
        {"train": [["a"], ["b"], ["e"], ["g"]], "dev": [["h"]], "test": [["f"]]},
    ),
}


@pytest.mark.parametrize("name", SETS)
def test_sets_of_columns(name, tmp_path):
    texts, expected = SETS[name]
    columns = read_catalogue()[f"ner/{name}"].columns
    found = column_set(columns, [*expected], written(tmp_path, texts))
    assert {split: flats(documents) for split, documents in found.items()} == expected


# ------------------------------------------------------------------ LitBank


@pytest.mark.parametrize(
    ("mention", "label", "name"),
    [
        ("poor Mrs. Ada Byron", "PER", "Ada Byron"),
        ("Ada of the Sea", "PER", "Ada"),
        ("Ada de la Mare", "PER", "Ada de la Mare"),
        ("the City of York and Leeds , far", "LOC", "City of York and Leeds"),
        ("The Isle - Dogs", "LOC", "Isle - Dogs"),
        ("Sir", "PER", None),
        ("Heaven", "PER", None),
        ("my house", "LOC", None),
        ("X", "LOC", None),
    ],
)
def test_names_in_mentions(mention, label, name):
    words = ["said", *mention.split(), "Then"]
    span = names.name_in(words, 1, len(words) - 1, label)
    assert (" ".join(words[slice(*span)]) if span else None) == name


def test_litbank_offsets_overlaps_and_underscores():
    text = "_ Mrs. Ada Byron _\nwent  to York .\n\n"
    rows = [
        "T1\tPROP_PER 2 16\tMrs. Ada Byron",
        "T2\tPROP_PER 7 10\tAda",
        f"T3\tPROP_GPE {text.index('York')} 0\tYork",
        "T4\tNOM_PER 0 1\t_",
        "T5\tPROP_GPE 1 5\tYork",
        "R1\tCoref Arg1:T1 Arg2:T2",
    ]
    converted = names.read_novel(text, "\n".join(rows))
    assert flats([converted]) == [["Mrs. Ada/B-PER Byron/I-PER", "went to York/B-LOC ."]]


def test_litbank_every_tenth_book_is_dev(tmp_path):
    texts = {f"{i:02}.txt": f"w{i:02}" for i in range(20)} | {f"{i:02}.ann": "" for i in range(20)}
    converted = names.litbank(written(tmp_path, texts))
    assert flats(converted["dev"]) == [["w09"], ["w19"]]
    assert len(converted["train"]) == 18
