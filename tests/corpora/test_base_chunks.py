"""Chunks of self-made trees, one for each rule."""

from __future__ import annotations

import pytest

from senna.corpora.base_chunks import base_chunks
from senna.text.trees import read_trees


def chunked(text: str) -> str:
    """ "[NP She] [VP sings] ." """
    (tree,) = read_trees(text, "text")
    words = [leaf.word or "" for leaf in tree.leaves()]
    for start, end, label in base_chunks(tree):
        words[start] = f"[{label} {words[start]}"
        words[end - 1] += "]"
    return " ".join(words)


NOUNS = {
    "the head ends it": (
        "(NP (NP (DT the) (NN cup)) (PP (IN of) (NP (NN tea))))",
        "[NP the cup] [PP of] [NP tea]",
    ),
    "a possessive begins one": (
        "(NP (NP (DT the) (NN cook) (POS 's)) (NN cup))",
        "[NP the cook] [NP 's cup]",
    ),
    "words before a possessive": (
        "(NP (PDT all) (NP (PRP$ her) (NN cook) (POS 's)) (NNS cups))",
        "all [NP her cook] [NP 's cups]",
    ),
    "a possessive without what it has": ("(NP (NN cook) (POS 's))", "[NP cook] [NP 's]"),
    "an adverb phrase of two words": (
        "(NP (ADVP (IN at) (JJS least)) (CD two) (NNS cups))",
        "[ADVP at least] [NP two cups]",
    ),
    "modifiers are part of it": (
        "(NP (ADJP (RB very) (JJ old)) (NML (NN tea) (NN cup)) (NNS lids))",
        "[NP very old tea cup lids]",
    ),
    "a flat phrase before a noun": ("(NP (NP (DT a) (NN day)) (NN trip))", "[NP a day trip]"),
    "a coordination of phrases": (
        "(NP (NP (NN tea)) (CC and) (NP (NN milk)))",
        "[NP tea] and [NP milk]",
    ),
    "a coordination of words": ("(NP (NN tea) (CC and) (NN milk))", "[NP tea and milk]"),
    "quotation marks around": ("(NP (`` ``) (DT the) (NN cup) ('' ''))", "`` [NP the cup] ''"),
    "quotation marks within": ("(NP (`` ``) (JJ old) ('' '') (NN tea))", "[NP `` old '' tea]"),
}

VERBS = {
    "through the infinitive": (
        "(S (VP (MD may) (RB not) (VP (VB want) (S (VP (TO to) (VP (VB sing)))))))",
        "[VP may not want to sing]",
    ),
    "be and its clause": (
        "(S (NP (NN goal)) (VP (VBZ is) (S (VP (TO to) (VP (VB sing))))))",
        "[NP goal] [VP is] [VP to sing]",
    ),
    "not before something else": (
        "(S (VP (VBZ is) (RB n't) (NP (DT a) (NN cup))))",
        "[VP is] n't [NP a cup]",
    ),
    "adverbs before the verb": (
        "(S (VP (ADVP (RB slowly)) (VBD sang) (ADVP (RB on))))",
        "[VP slowly sang] [ADVP on]",
    ),
    "adverbs between verbs": (
        "(S (VP (VBZ has) (ADVP (RB just)) (VP (VBN sung))))",
        "[VP has just sung]",
    ),
    "adverbs before an infinitive": (
        "(S (VP (VBD wanted) (S (RB not) (VP (TO to) (VP (VB sing))))))",
        "[VP wanted not to sing]",
    ),
    "verbs that are joined": ("(S (VP (VBD sang) (CC and) (VBD drank)))", "[VP sang and drank]"),
    "verb phrases that are joined": (
        "(S (VP (VP (VBD sang)) (CC and) (VP (VBD drank))))",
        "[VP sang] and [VP drank]",
    ),
    "a subject in between": (
        "(S (VP (VBD saw) (S (NP (PRP her)) (VP (VB sing)))))",
        "[VP saw] [NP her] [VP sing]",
    ),
    "a verb with the tag of a noun": (
        "(S (VP (NN sing) (NP (NNS songs))))",
        "[VP sing] [NP songs]",
    ),
    "an inverted question": (
        "(SQ (VBZ does) (NP (PRP she)) (VP (VB sing)))",
        "does [NP she] [VP sing]",
    ),
}

OTHERS = {
    "a preposition alone": ("(PP (IN in) (NP (NN tea)))", "[PP in] [NP tea]"),
    "prepositions that are joined": (
        "(PP (PP (IN from) (NP (NN home))) (CC and) (PP (IN from) (NP (NN sea))))",
        "[PP from] [NP home] [PP and] [PP from] [NP sea]",
    ),
    "a complementizer": (
        "(SBAR (ADVP (RB even)) (IN if) (S (NP (PRP she)) (VP (VBZ sings))))",
        "[SBAR even if] [NP she] [VP sings]",
    ),
    "in order": (
        "(SBAR (IN in) (NN order) (S (VP (TO to) (VP (VB sing)))))",
        "[SBAR in] order [VP to sing]",
    ),
    "a clause without complementizer": (
        "(SBAR (S (NP (PRP she)) (VP (VBZ sings))))",
        "[NP she] [VP sings]",
    ),
    "an adjective and its adverb": (
        "(ADJP (ADVP (RB very)) (JJ old) (PP (IN for) (NP (NN tea))))",
        "[ADJP very old] [PP for] [NP tea]",
    ),
    "a measure before an adverb": (
        "(ADVP (NP (CD two) (NNS days)) (RB ago))",
        "[NP two days] [ADVP ago]",
    ),
    "a list item keeps its point": ("(LST (LS 1) (. .))", "[LST 1 .]"),
    "others": (
        "(S (INTJ (UH Oh)) (, ,) (VP (VB sing) (PRT (RP along))) (CONJP (RB as) (RB well)) (. .))",
        "[INTJ Oh] , [VP sing] [PRT along] [CONJP as well] .",
    ),
    "a word": ("(UH Oh)", "Oh"),
}


@pytest.mark.parametrize(
    ("tree", "expected"),
    [*NOUNS.values(), *VERBS.values(), *OTHERS.values()],
    ids=[*NOUNS, *VERBS, *OTHERS],
)
def test_chunks(tree: str, expected: str) -> None:
    assert chunked(tree) == expected
