"""Names read off an entity layer, in made-up sentences."""

import re

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
    """Lines of CoNLL-U from `form|XPOS|head|relation|entity` words, the last part optional.

    An entity opens as `(1-person`, or `(1-person-ARTICLE` with the title of its article.
    """
    text = re.sub(r"\((\d-[a-z]+)", r"(\1-new-nnnnn-cf1-1-sgl", text)
    rows = (row.rpartition("|") if row.count("|") > 3 else (row, "", "") for row in text.split())
    return conllu(*(f"{row}|Discourse=x;Entity={e}" if e else row for row, _, e in rows)).replace(
        ";", "|"
    )


def names(text: str) -> list[str]:
    """The names of a sentence as "PER Ada Byron"."""
    [[tokens]] = read_gum_documents("# newdoc id = x\n" + sentence(text)).values()
    return [
        f"{label} " + " ".join(token.form for token in tokens[start:end])
        for start, end, label in names_of(tokens, LEXICON)
    ]


# Of each rule an example: its names, and below them its words.
EXAMPLES = """\
a title is no part of a name: PER Ada Byron
    Dr.|NNP|2|nmod:desc|(1-person Ada|NNP|0|root Byron|NNP|2|flat|1)
a title that hangs flat is cut off: PER Ada
    Princess|NNP|0|root|(1-person Ada|NNP|1|flat|1)
a title alone is no name:
    the|DT|2|det|(1-person Mayor|NNP|0|root|1)
a number of a king: PER Odo II
    King|NNP|2|nmod:desc|(1-person Odo|NNP|0|root II|CD|2|flat|1)
flat on a common noun: PER Ada Byron
    painter|NN|0|root|(1-person Ada|NNP|1|flat Byron|NNP|2|flat|1)
a common noun is no name:
    the|DT|2|det|(1-person painter|NN|0|root|1)
hyphens to both sides: LOC Upper - Oxmoor - Mill
    Upper|NNP|3|compound|(1-place -|HYPH|3|punct Oxmoor|NNP|0|root -|HYPH|3|punct Mill|NNP|3|flat|1)
an owner in the article's title: ORG Byron 's Mill
    Byron|NNP|3|nmod:poss|(1-organization-Byron%27s_Mill 's|POS|1|case Mill|NNP|0|root|1)
an owner otherwise: ORG Mill
    Byron|NNP|3|nmod:poss|(1-organization 's|POS|1|case Mill|NNP|0|root|1)
an apposition: LOC Oxmoor
    Oxmoor|NNP|0|root|(1-place Yorkshire|NNP|1|appos|1)
two parts: ORG Oxmoor Chapel Choir and Music Hall
    Oxmoor|NNP|2|compound|(1-organization Chapel|NNP|0|root Choir|NNP|2|flat and|CC|6|cc
    Music|NNP|6|compound Hall|NNP|2|conj|1)
two persons: PER Ada Byron; PER Odo
    Ada|NNP|0|root|(1-person Byron|NNP|1|flat and|CC|4|cc Odo|NNP|1|conj|(2-person)1)
a numbered thing: MISC Comet 12
    Comet|NNP|0|root|(1-object 12|CD|1|nummod|1)
a year: MISC Comet
    Comet|NNP|0|root|(1-object 1912|CD|1|nummod|1)
of, after a word that asks for it: ORG University of Oxmoor
    University|NNP|0|root|(1-organization of|IN|3|case Oxmoor|NNP|1|nmod|(2-place)1)
of, before another name: ORG Friends; LOC Oxmoor
    Friends|NNPS|0|root|(1-organization of|IN|3|case Oxmoor|NNP|1|nmod|(2-place)1)
of, in the article's title: ORG Friends of Oxmoor
    Friends|NNPS|0|root|(1-organization-Friends_of_Oxmoor of|IN|3|case Oxmoor|NNP|1|nmod|(2-place)1)
for, in an organization: ORG Fund for the Moors
    Fund|NNP|0|root|(1-organization for|IN|4|case the|DT|4|det Moors|NNPS|1|nmod|1)
a people: MISC Olmi
    the|DT|2|det|(1-person Olmi|NNP|0|root|1)
a plural of persons: MISC Oxmoorers
    Oxmoorers|NNPS|0|root|(1-person)
an organization that is its place: LOC Oxmoor
    Oxmoor|NNP|0|root|(1-organization-Oxmoor)
an organization in a place: ORG Oxmoor
    Oxmoor|NNP|0|root|(1-organization-Oxmoor_Rovers)
letters of a country: LOC U.S.
    U.S.|NNP|0|root|(1-organization)
a thing pointed at:
    Figure|NNP|0|root|(1-abstract 2|CD|1|nummod|1)
an office:
    President|NNP|0|root|(1-organization)
a general term:
    Rain|NNP|0|root|(1-abstract)
a general term with an article: MISC Rain
    Rain|NNP|0|root|(1-abstract-R)
a thing in lower case:
    odes|NNP|0|root|(1-object)
a citation: PER Byron
    Byron|NNP|0|root|(1-abstract(2-person) 1850|CD|1|dep|1)
a time:
    Lammas|NNP|0|root|(1-time)
a word of a people: MISC Leedsish
    Leedsish|JJ|2|amod cakes|NNS|0|root
with a prefix: MISC South Roman
    South|NNP|2|amod Roman|JJ|0|root
with a hyphen before: MISC Anglo - Leedsish
    Anglo|JJ|3|amod -|HYPH|1|punct Leedsish|JJ|0|root
with a hyphen after: MISC Roman - Leedsish
    Roman|JJ|3|amod -|HYPH|1|punct Leedsish|JJ|0|root
a tongue: MISC Olmi
    a|DT|3|det|(1-abstract Olmi|NNP|3|compound language|NN|0|root|1)
a name with the article's title: LOC Ox - Moor
    Ox|NNP|4|compound|(1-place-Ox_Moor_%28hills%29 -|HYPH|1|punct Moor|NNP|1|flat
    hills|NNS|0|root|1)
a name that is another's modifier:
    Ox|NNP|2|compound|(1-place hills|NNS|0|root|1)
of a place: LOC Foo
    isle|NN|0|root|(1-place of|IN|3|case Foo|NNP|1|nmod|1)
a country before a noun: LOC U.S.
    U.S.|NNP|2|compound ships|NNS|0|root
a common word:
    Ada|NNP|2|compound|(1-abstract language|NN|0|root|1)
no mention at all:
    Foo|NNP|0|root ,|,|1|punct %|NNP|1|dep
"""
CASES = re.findall(r"(?m)^(\S.*)\n((?:    .*\n)+)", EXAMPLES)


@pytest.mark.parametrize(("rule", "text"), CASES, ids=[rule for rule, _ in CASES])
def test_names_their_extent_and_type(rule, text):
    assert "; ".join(names(text)) == rule.partition(":")[2].strip()


def test_mentions_nest_and_stray_brackets_are_passed_over():
    text = sentence(
        "The|DT|2|det|(1-place-Ox%2FMoor_%28hills%29 hills|NNS|0|root"
        " near|IN|4|case Leeds|NNP|2|nmod|(2-place)1) rise|VB|2|dep|3)(4-x"
    )
    ((name, (tokens,)),) = read_gum_documents(text.rstrip("\n")).items()
    inner, outer = mentions_of(tokens)
    assert name == ""
    assert (inner.start, inner.end, outer.start, outer.end) == (3, 4, 0, 4)
    assert outer.article == "Ox/Moor (hills)"
    assert outer.article_words == {"ox", "moor", "hills"}
    assert (inner.kind, inner.article) == ("place", "")
    assert head_of(tokens, outer) == 1
    assert below(tokens, 1, outer) == {0, 1, 2, 3}
    assert below(tokens, 3, outer) == {2, 3}


def test_documents_of_free_genres_in_the_order_of_names(tmp_path, monkeypatch):
    person = sentence("Ada|NNP|0|root|(1-person) sings|VBZ|1|dep")
    multiword = person.replace("1\tAda", "1-2\tAdasings" + "\t_" * 8 + "\n1\tAda")
    rain = "Rain|NNP|2|compound|(1-abstract language|NN|0|root|1)"
    people = sentence("Leedsish|JJ|2|amod cakes|NNS|0|root") + sentence(rain)
    ids = ("voyage_b", "fiction_a", "court_carpet", "academic_a")
    rains = sentence("rain|NN|0|root")
    texts = (people, person + rains, person, f"# text = x\n{multiword}{person}")
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


def test_hashed_words_are_known_beside_those_of_the_list():
    assert LEXICON.is_people("Roman") and LEXICON.is_people("Leedsish")
    assert not LEXICON.is_people("Rain")
