"""Names read off an entity layer, in made-up sentences."""

from __future__ import annotations

from pathlib import Path

import pytest

from senna.corpora.sources import gum_names
from senna.corpora.sources.gum_names import (
    Lexicon,
    below,
    head_of,
    mentions_of,
    names_of,
    read_gum_documents,
)
from senna.corpora.tagged import hashed
from tests.corpora.made import conllu, written

LEXICON = Lexicon(common={"rain", "ada"}, peoples={hashed("Leedsish")}, places={hashed("Oxmoor")})


def sentence(text: str) -> str:
    """Lines of CoNLL-U from `form|XPOS|head|relation|entity` words, the last part optional."""
    rows = (row.rpartition("|") if row.count("|") > 3 else (row, "", "") for row in text.split())
    return conllu(*(f"{row}|Discourse=x;Entity={e}" if e else row for row, _, e in rows)).replace(
        ";", "|"
    )


def opening(number: int, kind: str, article: str = "") -> str:
    """An opening bracket, of a thing with a Wikipedia article if one is named."""
    return f"({number}-{kind}-new-nnnnn-cf1-1-sgl" + (f"-{article}" if article else "")


def single(kind: str, article: str = "") -> str:
    return opening(1, kind, article) + ")"


def names(text: str) -> list[str]:
    """The names of a sentence as "PER Ada Byron"."""
    ((_, (tokens,)),) = read_gum_documents("# newdoc id = x\n" + sentence(text))
    return [
        f"{label} " + " ".join(token.form for token in tokens[start:end])
        for start, end, label in names_of(tokens, LEXICON)
    ]


PER, LOC, ORG, THING = (
    opening(1, kind) for kind in ("person", "place", "organization", "abstract")
)

# How far a name goes.
SPANS = {
    "a title is no part of a name": (
        f"Dr.|NNP|2|nmod:desc|{PER} Ada|NNP|0|root Byron|NNP|2|flat|1)",
        ["PER Ada Byron"],
    ),
    "a title that hangs flat is cut off": (
        f"Princess|NNP|0|root|{PER} Ada|NNP|1|flat|1)",
        ["PER Ada"],
    ),
    "a title alone is no name": (f"the|DT|2|det|{PER} Mayor|NNP|0|root|1)", []),
    "a number of a king": (
        f"King|NNP|2|nmod:desc|{PER} Odo|NNP|0|root II|CD|2|flat|1)",
        ["PER Odo II"],
    ),
    "flat on a common noun": (
        f"painter|NN|0|root|{PER} Ada|NNP|1|flat Byron|NNP|2|flat|1)",
        ["PER Ada Byron"],
    ),
    "a common noun is no name": (f"the|DT|2|det|{PER} painter|NN|0|root|1)", []),
    "hyphens to both sides": (
        f"Upper|NNP|3|compound|{LOC} -|HYPH|3|punct Oxmoor|NNP|0|root -|HYPH|3|punct"
        " Mill|NNP|3|flat|1)",
        ["LOC Upper - Oxmoor - Mill"],
    ),
    "an owner in the article's title": (
        f"Byron|NNP|3|nmod:poss|{opening(1, 'organization', 'Byron%27s_Mill')} 's|POS|1|case"
        " Mill|NNP|0|root|1)",
        ["ORG Byron 's Mill"],
    ),
    "an owner otherwise": (
        f"Byron|NNP|3|nmod:poss|{ORG} 's|POS|1|case Mill|NNP|0|root|1)",
        ["ORG Mill"],
    ),
    "an apposition": (f"Oxmoor|NNP|0|root|{LOC} Yorkshire|NNP|1|appos|1)", ["LOC Oxmoor"]),
    "two parts": (
        f"Oxmoor|NNP|2|compound|{ORG} Chapel|NNP|0|root Choir|NNP|2|flat and|CC|6|cc"
        " Music|NNP|6|compound Hall|NNP|2|conj|1)",
        ["ORG Oxmoor Chapel Choir and Music Hall"],
    ),
    "two persons": (
        f"Ada|NNP|0|root|{PER} Byron|NNP|1|flat and|CC|4|cc"
        f" Odo|NNP|1|conj|{opening(2, 'person')})1)",
        ["PER Ada Byron", "PER Odo"],
    ),
    "a numbered thing": (
        f"Comet|NNP|0|root|{opening(1, 'object')} 12|CD|1|nummod|1)",
        ["MISC Comet 12"],
    ),
    "a year": (f"Comet|NNP|0|root|{opening(1, 'object')} 1912|CD|1|nummod|1)", ["MISC Comet"]),
    "of, after a word that asks for it": (
        f"University|NNP|0|root|{ORG} of|IN|3|case Oxmoor|NNP|1|nmod|{opening(2, 'place')})1)",
        ["ORG University of Oxmoor"],
    ),
    "of, before another name": (
        f"Friends|NNPS|0|root|{ORG} of|IN|3|case Oxmoor|NNP|1|nmod|{opening(2, 'place')})1)",
        ["ORG Friends", "LOC Oxmoor"],
    ),
    "of, in the article's title": (
        f"Friends|NNPS|0|root|{opening(1, 'organization', 'Friends_of_Oxmoor')} of|IN|3|case"
        f" Oxmoor|NNP|1|nmod|{opening(2, 'place')})1)",
        ["ORG Friends of Oxmoor"],
    ),
    "for, in an organization": (
        f"Fund|NNP|0|root|{ORG} for|IN|4|case the|DT|4|det Moors|NNPS|1|nmod|1)",
        ["ORG Fund for the Moors"],
    ),
}


# Of which type it is.
TYPES = {
    "a people": (f"the|DT|2|det|{PER} Olmi|NNP|0|root|1)", ["MISC Olmi"]),
    "a plural of persons": (f"Oxmoorers|NNPS|0|root|{single('person')}", ["MISC Oxmoorers"]),
    "an organization that is its place": (
        f"Oxmoor|NNP|0|root|{single('organization', 'Oxmoor')}",
        ["LOC Oxmoor"],
    ),
    "an organization in a place": (
        f"Oxmoor|NNP|0|root|{single('organization', 'Oxmoor_Rovers')}",
        ["ORG Oxmoor"],
    ),
    "letters of a country": (f"U.S.|NNP|0|root|{single('organization')}", ["LOC U.S."]),
    "a thing pointed at": (f"Figure|NNP|0|root|{THING} 2|CD|1|nummod|1)", []),
    "an office": (f"President|NNP|0|root|{single('organization')}", []),
    "a general term": (f"Rain|NNP|0|root|{single('abstract')}", []),
    "a general term with an article": (f"Rain|NNP|0|root|{single('abstract', 'R')}", ["MISC Rain"]),
    "a thing in lower case": (f"odes|NNP|0|root|{single('object')}", []),
    "a citation": (
        f"Byron|NNP|0|root|{THING}{opening(2, 'person')}) 1850|CD|1|dep|1)",
        ["PER Byron"],
    ),
    "a time": (f"Lammas|NNP|0|root|{single('time')}", []),
}


# Names that are no mention of their own.
OTHERS = {
    "a word of a people": ("Leedsish|JJ|2|amod cakes|NNS|0|root", ["MISC Leedsish"]),
    "with a prefix": ("South|NNP|2|amod Roman|JJ|0|root", ["MISC South Roman"]),
    "with a hyphen before": (
        "Anglo|JJ|3|amod -|HYPH|1|punct Leedsish|JJ|0|root",
        ["MISC Anglo - Leedsish"],
    ),
    "with a hyphen after": (
        "Roman|JJ|3|amod -|HYPH|1|punct Leedsish|JJ|0|root",
        ["MISC Roman - Leedsish"],
    ),
    "a tongue": (f"a|DT|3|det|{THING} Olmi|NNP|3|compound language|NN|0|root|1)", ["MISC Olmi"]),
    "a name with the article's title": (
        f"Ox|NNP|4|compound|{opening(1, 'place', 'Ox_Moor_%28hills%29')} -|HYPH|1|punct"
        " Moor|NNP|1|flat hills|NNS|0|root|1)",
        ["LOC Ox - Moor"],
    ),
    "a name that is another's modifier": (f"Ox|NNP|2|compound|{LOC} hills|NNS|0|root|1)", []),
    "of a place": (f"isle|NN|0|root|{LOC} of|IN|3|case Foo|NNP|1|nmod|1)", ["LOC Foo"]),
    "a country before a noun": ("U.S.|NNP|2|compound ships|NNS|0|root", ["LOC U.S."]),
    "a common word": (f"Ada|NNP|2|compound|{THING} language|NN|0|root|1)", []),
    "no mention at all": ("Foo|NNP|0|root ,|,|1|punct %|NNP|1|dep", []),
}


CASES = SPANS | TYPES | OTHERS


@pytest.mark.parametrize("case", CASES)
def test_names_their_extent_and_type(case: str) -> None:
    text, expected = CASES[case]
    assert names(text) == expected


def test_mentions_nest_and_stray_brackets_are_passed_over() -> None:
    text = sentence(
        f"The|DT|2|det|{opening(1, 'place', 'Ox%2FMoor_%28hills%29')} hills|NNS|0|root"
        f" near|IN|4|case Leeds|NNP|2|nmod|{opening(2, 'place')})1) rise|VB|2|dep"
        f"|3){opening(4, 'x')}"
    )
    ((name, (tokens,)),) = read_gum_documents(text.rstrip("\n"))
    inner, outer = mentions_of(tokens)
    assert name == ""
    assert (inner.start, inner.end, outer.start, outer.end) == (3, 4, 0, 4)
    assert outer.article == "Ox/Moor (hills)"
    assert outer.article_words == {"ox", "moor", "hills"}
    assert (inner.kind, inner.article) == ("place", "")
    assert head_of(tokens, outer) == 1
    assert below(tokens, 1, outer) == {0, 1, 2, 3}
    assert below(tokens, 3, outer) == {2, 3}


def test_documents_of_free_genres_in_the_order_of_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    person = sentence(f"Ada|NNP|0|root|{single('person')} sings|VBZ|1|dep")
    multiword = person.replace("1\tAda", "1-2\tAdasings" + "\t_" * 8 + "\n1\tAda")
    rain = f"Rain|NNP|2|compound|{opening(1, 'abstract')} language|NN|0|root|1)"
    people = sentence("Leedsish|JJ|2|amod cakes|NNS|0|root") + sentence(rain)
    ids = ("voyage_b", "fiction_a", "court_carpet", "academic_a")
    texts = (
        people,
        person + sentence("rain|NN|0|root"),
        person,
        "# text = x\n" + multiword + person,
    )
    train = "".join(f"# newdoc id = GUM_{name}\n{t}" for name, t in zip(ids, texts, strict=True))
    monkeypatch.setattr(gum_names, "resource_lines", lambda name: [f"people {hashed('Leedsish')}"])
    sings = [("Ada", "B-PER"), ("sings", "O")]
    assert gum_names.ner(written(tmp_path, {"train": train}))["train"] == [
        [sings, sings],
        [  # a word that is common in another document is no name
            [("Leedsish", "B-MISC"), ("cakes", "O")],
            [("Rain", "O"), ("language", "O")],
        ],
    ]


def test_hashed_words_are_known_beside_those_of_the_list() -> None:
    assert LEXICON.is_people("Roman") and LEXICON.is_people("Leedsish")
    assert not LEXICON.is_people("Rain")
