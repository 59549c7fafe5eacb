"""One made-up file in each source format."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from senna.corpora import convert, tagged
from senna.corpora.catalogue import Columns, Corpus, read_catalogue
from senna.corpora.sources import docred, litbank, ud, uner
from senna.corpora.sources.column_sets import column_set, read_columns
from senna.corpora.tagged import (
    TaggedDocument,
    TaggedWords,
    fingerprint,
    hashed,
    map_labels,
    render,
    without,
)

WELSH = ("Welsh", "Sudanese")  # whose hashes stand in the list of nationalities
SAME: dict[str, str | None] = {"PER": "PER", "LOC": "LOC", "ORG": "ORG", "MISC": "MISC"}


def flat(sentence: TaggedWords) -> str:
    """ "Ada/B-PER sings/O", short to write and to read."""
    return " ".join(f"{word}/{tag}" for word, tag in sentence)


def flats(documents: list[TaggedDocument]) -> list[list[str]]:
    return [[flat(sentence) for sentence in document] for document in documents]


def sources(folder: Path, **texts: str) -> dict[str, Path]:
    """Files with these texts, by name; `_` stands for "-" in names."""
    paths = {}
    for name, text in texts.items():
        path = folder / name
        path.write_text(text, encoding="utf-8", newline="")
        paths[name.replace("_", "-")] = path
    return paths


# ------------------------------------------------------------------ what all have in common


def test_labels_are_mapped_dropped_and_handles_are_no_names() -> None:
    words = "@ ada met Ada Byron in Leeds".split()
    tags = ["B-PER", "I-PER", "O", "I-PER", "I-PER", "O", "B-LOC"]
    converted = map_labels(words, tags, {"PER": "PER", "LOC": None})
    assert flat(converted) == "@/O ada/O met/O Ada/B-PER Byron/I-PER in/O Leeds/O"


def test_words_of_nothing_but_invisible_characters_go() -> None:
    words = ["New", "\u200b", "Le eds", "\ufe0f", "\u00a0x"]
    tags = ["B-LOC", "I-LOC", "I-LOC", "O", "O"]
    assert flat(map_labels(words, tags, SAME)) == "New/B-LOC Leeds/I-LOC x/O"


def test_a_phrase_whose_first_word_goes_still_begins_with_b() -> None:
    assert flat(map_labels(["\u200d", "Leeds"], ["B-LOC", "I-LOC"], SAME)) == "Leeds/B-LOC"


def test_only_long_sentences_are_excluded_whatever_their_case() -> None:
    long, short = [(word, "O") for word in "She went home by the sea".split()], [("Yes", "O")]
    excluded = {fingerprint("SHE went home by the SEA".split()), fingerprint(["yes"])}
    assert without([[long, short], [long]], excluded) == [[short]]
    assert without([[long]], set()) == [[long]]


def test_rendering() -> None:
    documents: list[TaggedDocument] = [[[("a", "O")], [("b", "O")]], [[("c", "O")]]]
    assert render(documents, marks=False) == "a\tO\n\nb\tO\n\nc\tO\n\n"
    assert render(documents, marks=False, last_blank=False).endswith("c\tO\n")
    assert render(documents[1:], marks=True) == "-DOCSTART-\tO\n\nc\tO\n\n"
    assert render([], marks=True) == ""


# ------------------------------------------------------------------ Universal Dependencies


def conllu(*rows: str) -> str:
    """Lines "id form tag" as CoNLL-U."""
    lines = []
    for row in rows:
        number, form, tag = row.split()
        lines.append("\t".join([number, form, "_", "_", tag, *"_____"]))
    return "\n".join(lines) + "\n\n"


CAN_NOT = conllu("1-2 Don't _", "1 Do VBP", "2 n't RB", "2.1 you PRP", "3 go VB")
YES = conllu("1 Yes UH")


def test_ud_words_are_the_syntactic_ones() -> None:
    text = f"# newdoc id = one\n# text = Don't go\n{CAN_NOT}{YES}# newdoc id = two\n{YES}"
    assert [(name, flats([document])) for name, document in ud.read_conllu(text)] == [
        ("one", [["Do/VBP n't/RB go/VB", "Yes/UH"]]),
        ("two", [["Yes/UH"]]),
    ]


def test_a_last_sentence_without_blank_line_is_read() -> None:
    assert flats([dict(ud.read_conllu(YES.rstrip("\n")))[""]]) == [["Yes/UH"]]


GUM = "".join(
    f"# newdoc id = GUM_{name}\n{text}"
    for name, text in [
        ("voyage_b", CAN_NOT),
        ("fiction_a", YES),
        ("court_carpet", YES),
        ("academic_a", YES + CAN_NOT),
    ]
)


def test_gum_keeps_free_genres_in_the_order_of_names(tmp_path) -> None:
    converted = ud.tagged(sources(tmp_path, train=GUM), only_free=True)
    assert flats(converted["train"]) == [["Yes/UH", "Do/VBP n't/RB go/VB"], ["Do/VBP n't/RB go/VB"]]


# ------------------------------------------------------------------ Universal NER


def iob2(sentence: str) -> str:
    rows = [word.rpartition("/") for word in sentence.split()]
    return "".join(f"{i}\t{word}\t{tag}\t-\n" for i, (word, _, tag) in enumerate(rows, 1)) + "\n"


FIRST = (
    f"# newdoc id = x\n# text = ...\n{iob2('Ada/B-PER likes/O Welsh/B-OTH cakes/B-O')}"
    f"# newdoc id = y\n{iob2('The/B-OTH Leeds/I-OTH Cup/I-OTH')}"
)


def test_uner_other_names_are_misc_or_nothing() -> None:
    assert flats(uner.read_iob2(FIRST, misc=True)) == [
        ["Ada/B-PER likes/O Welsh/B-MISC cakes/O"],
        ["The/B-MISC Leeds/I-MISC Cup/I-MISC"],
    ]
    assert flats(uner.read_iob2(FIRST, misc=False))[1] == ["The/O Leeds/O Cup/O"]


def test_uner_misc_is_added_where_no_other_name_is(tmp_path) -> None:
    released = iob2("Ada/O likes/O Welsh/O cakes/B-ORG") + iob2("The/O Leeds/B-LOC Cup/O")
    files = sources(tmp_path, train=FIRST, dev=released, test="", dev_first=FIRST, test_first="")
    converted = uner.ewt_misc(files)
    assert flats(converted["dev"]) == [
        ["Ada/O likes/O Welsh/B-MISC cakes/B-ORG", "The/O Leeds/B-LOC Cup/O"]
    ]
    assert converted["test"] == []
    assert flats(uner.ewt(files)["dev"])[0][0] == "Ada/O likes/O Welsh/O cakes/B-ORG"


def test_uner_repeated_sentences_are_matched_in_order() -> None:
    plain, other = [("Welsh", "O")], [("Welsh", "B-MISC")]
    assert uner.add_misc([[plain, plain, plain]], [[plain, other]]) == [[plain, other, other]]


# ------------------------------------------------------------------ DocRED


def test_docred_keeps_the_longest_mention_and_makes_nationalities_misc() -> None:
    def mention(start: int, end: int, label: str, sentence: int = 0) -> dict[str, object]:
        return {"pos": [start, end], "type": label, "sent_id": sentence}

    item = {
        "sents": [["The", "Welsh", "painter", "Ada", "Byron", "of", "Welsh"], ["In", "1850"]],
        "vertexSet": [
            [mention(3, 5, "PER"), mention(4, 5, "LOC"), mention(3, 5, "PER")],
            [mention(1, 2, "LOC"), mention(6, 9, "LOC")],
            [mention(1, 2, "TIME", 1)],
        ],
    }
    converted = docred.read_document(item, {hashed("Welsh")})
    assert flats([converted]) == [
        [
            "The/O Welsh/B-MISC painter/O Ada/B-PER Byron/I-PER of/O Welsh/O",
            "In/O 1850/O",
        ]
    ]
    assert flat(docred.read_document(item, set())[0]).startswith("The/O Welsh/B-LOC")


def test_docred_splits(tmp_path) -> None:
    def items(prefix: str, n: int) -> str:
        return json.dumps([{"sents": [[f"{prefix}{i}"]], "vertexSet": []} for i in range(n)])

    files = sources(tmp_path, dev_revised=items("a", 2), test_revised=items("b", 400))
    converted = docred.docred({name.replace("-", "_"): path for name, path in files.items()})
    train = [flat(document[0]) for document in converted["train"]]
    dev = [flat(document[0]) for document in converted["dev"]]
    assert train[:3] == ["a0/O", "a1/O", "b0/O"] and train[-1] == "b249/O"
    assert (dev[0], dev[-1]) == ("b250/O", "b349/O")


def test_docred2_is_all_train_and_knows_more_nationalities(tmp_path) -> None:
    mention = {"pos": [0, 1], "type": "LOC", "sent_id": 0}
    text = json.dumps([{"sents": [[word, "tea"]], "vertexSet": [[mention]]} for word in WELSH])
    converted = docred.docred2(sources(tmp_path, test=text))
    assert flats(converted["train"]) == [["Welsh/B-MISC tea/O"], ["Sudanese/B-MISC tea/O"]]


# ------------------------------------------------------------------ columns


def test_column_files_with_all_their_oddities() -> None:
    text = "Ada\tB-PER\r\n\t\nat\tO\nSt Ives\tB-LOC\nno tag\t\nBye\tO\nalone\nend\tO"
    assert flats(read_columns(text, Columns())) == [
        ["Ada/B-PER", "at/O StIves/B-LOC", "Bye/O", "end/O"]
    ]


def test_documents_of_column_files() -> None:
    text = "-DOCSTART- O\n\nAda I-PER\n\n-DOCSTART- O\n\nBye O\n"
    assert flats(read_columns(text, Columns(delimiter=""))) == [["Ada/B-PER"], ["Bye/O"]]


def converted(name: str, sources: dict[str, Path]) -> dict[str, list[TaggedDocument]]:
    """The splits that have all of their files."""
    columns = read_catalogue()[name].columns
    assert columns is not None
    splits = read_catalogue()[name].splits
    whole = [s for s in splits if {*columns.files.get(s, s).split()} <= sources.keys()]
    return column_set(columns, whole, sources)


def test_wikigold_is_every_other_document(tmp_path) -> None:
    text = "".join(f"w{i} O\n\n-DOCSTART- O\n\n" for i in range(5))
    found = converted("ner/wikigold", sources(tmp_path, wikigold=text))
    assert flats(found["dev"]) == [["w0/O"], ["w2/O"], ["w4/O"]]


def test_crossner_types_and_domains(tmp_path) -> None:
    text = "Ada\tB-politician\nwrote\tO\nodes\tB-poem\nOdes\tB-poem\nin\tO\njazz\tB-musicgenre\n"
    files = {
        f"{domain}_{split}": text if domain == "science" else f"{domain}\tO\n"
        for domain in ("politics", "science", "music", "literature", "ai")
        for split in ("train", "dev", "test")
    }
    found = converted("ner/crossner", sources(tmp_path, **files))
    assert [*found] == ["train", "dev", "test"]
    assert flats(found["dev"]) == [
        ["politics/O"],
        ["Ada/B-PER wrote/O odes/O Odes/B-MISC in/O jazz/O"],
        ["music/O"],
        ["literature/O"],
        ["ai/O"],
    ]


def test_wnut_and_tweebank_and_btc(tmp_path) -> None:
    text = "Ode\tB-creative-work\nFoo\tB-group\n"
    found = converted("ner/wnut17", sources(tmp_path, dev=text))
    assert flats(found["dev"]) == [["Ode/B-MISC Foo/B-ORG"]]
    found = converted("ner/tweebank", sources(tmp_path, test="Leeds\tB-LOC\n"))
    assert flats(found["test"]) == [["Leeds/B-LOC"]]
    texts = {name: f"{name}\tO\n" for name in "abegfh"}
    found = converted("ner/btc", sources(tmp_path, **texts))
    assert flats(found["train"]) == [["a/O"], ["b/O"], ["e/O"], ["g/O"]]
    assert (flats(found["dev"]), flats(found["test"])) == ([["h/O"]], [["f/O"]])


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
def test_names_in_mentions(mention: str, label: str, name: str | None) -> None:
    words = ["said", *mention.split(), "Then"]
    span = litbank.name_in(words, 1, len(words) - 1, label)
    assert (" ".join(words[slice(*span)]) if span else None) == name


def test_litbank_offsets_overlaps_and_underscores(tmp_path) -> None:
    text = "_ Mrs. Ada Byron _\nwent  to York .\n\n"
    annotation = "\n".join(
        [
            "T1\tPROP_PER 2 16\tMrs. Ada Byron",
            "T2\tPROP_PER 7 10\tAda",
            f"T3\tPROP_GPE {text.index('York')} 0\tYork",
            "T4\tNOM_PER 0 1\t_",
            "T5\tPROP_GPE 1 5\tYork",
            "R1\tCoref Arg1:T1 Arg2:T2",
        ]
    )
    converted = litbank.read_document(text, annotation)
    assert flats([converted]) == [["Mrs./O Ada/B-PER Byron/I-PER", "went/O to/O York/B-LOC ./O"]]


def test_litbank_every_tenth_book_is_dev(tmp_path) -> None:
    files = {}
    for i in range(20):
        for end, text in (("txt", f"w{i:02}"), ("ann", "")):
            path = tmp_path / f"{i:02}.{end}"
            path.write_text(text, encoding="utf-8")
            files[path.name] = path
    converted = litbank.litbank(files)
    assert flats(converted["dev"]) == [["w09/O"], ["w19/O"]]
    assert len(converted["train"]) == 18


# ------------------------------------------------------------------ all together


def test_convert_leaves_excluded_sentences_out(tmp_path, monkeypatch) -> None:
    words = "She went home by the sea".split()
    text = "".join(f"{word}\tO\n" for word in words) + "\nYes\tO\n"
    line = f"ner/tiny train {fingerprint(words)}"
    monkeypatch.setattr(tagged, "resource_lines", lambda name: [line])
    splits = ("train", "dev")
    corpus = Corpus("ner/tiny", ("ner",), splits, "", "", "", False, (), Columns())
    converted = convert.convert(corpus, sources(tmp_path, train=text, dev=text))
    assert converted["train"] == "Yes\tO\n\n"
    assert converted["dev"].startswith("She\tO\n")
