"""Chunks of self-made trees, one for each rule."""

import pytest

from senna.corpora.base_chunks import base_chunks
from senna.formats.brackets import read_trees


def chunked(text: str) -> str:
    """ "[NP She] [VP sings] ." """
    (tree,) = read_trees(text, "text")
    words = [leaf.word or "" for leaf in tree.leaves()]
    for start, end, label in base_chunks(tree):
        words[start] = f"[{label} {words[start]}"
        words[end - 1] += "]"
    return " ".join(words)


# Of each rule an example: its chunks, and below them its tree.
EXAMPLES = """\
the head ends it: [NP the cup] [PP of] [NP tea]
    (NP (NP (DT the) (NN cup)) (PP (IN of) (NP (NN tea))))
a possessive begins one: [NP the cook] [NP 's cup]
    (NP (NP (DT the) (NN cook) (POS 's)) (NN cup))
words before a possessive: all [NP her cook] [NP 's cups]
    (NP (PDT all) (NP (PRP$ her) (NN cook) (POS 's)) (NNS cups))
a possessive without what it has: [NP cook] [NP 's]
    (NP (NN cook) (POS 's))
an adverb phrase of two words: [ADVP at least] [NP two cups]
    (NP (ADVP (IN at) (JJS least)) (CD two) (NNS cups))
modifiers are part of it: [NP very old tea cup lids]
    (NP (ADJP (RB very) (JJ old)) (NML (NN tea) (NN cup)) (NNS lids))
a flat phrase before a noun: [NP a day trip]
    (NP (NP (DT a) (NN day)) (NN trip))
a coordination of phrases: [NP tea] and [NP milk]
    (NP (NP (NN tea)) (CC and) (NP (NN milk)))
a coordination of words: [NP tea and milk]
    (NP (NN tea) (CC and) (NN milk))
quotation marks around: `` [NP the cup] ''
    (NP (`` ``) (DT the) (NN cup) ('' ''))
quotation marks within: [NP `` old '' tea]
    (NP (`` ``) (JJ old) ('' '') (NN tea))
through the infinitive: [VP may not want to sing]
    (S (VP (MD may) (RB not) (VP (VB want) (S (VP (TO to) (VP (VB sing)))))))
be and its clause: [NP goal] [VP is] [VP to sing]
    (S (NP (NN goal)) (VP (VBZ is) (S (VP (TO to) (VP (VB sing))))))
not before something else: [VP is] n't [NP a cup]
    (S (VP (VBZ is) (RB n't) (NP (DT a) (NN cup))))
adverbs before the verb: [VP slowly sang] [ADVP on]
    (S (VP (ADVP (RB slowly)) (VBD sang) (ADVP (RB on))))
adverbs between verbs: [VP has just sung]
    (S (VP (VBZ has) (ADVP (RB just)) (VP (VBN sung))))
adverbs before an infinitive: [VP wanted not to sing]
    (S (VP (VBD wanted) (S (RB not) (VP (TO to) (VP (VB sing))))))
verbs that are joined: [VP sang and drank]
    (S (VP (VBD sang) (CC and) (VBD drank)))
verb phrases that are joined: [VP sang] and [VP drank]
    (S (VP (VP (VBD sang)) (CC and) (VP (VBD drank))))
a subject in between: [VP saw] [NP her] [VP sing]
    (S (VP (VBD saw) (S (NP (PRP her)) (VP (VB sing)))))
a verb with the tag of a noun: [VP sing] [NP songs]
    (S (VP (NN sing) (NP (NNS songs))))
an inverted question: does [NP she] [VP sing]
    (SQ (VBZ does) (NP (PRP she)) (VP (VB sing)))
a preposition alone: [PP in] [NP tea]
    (PP (IN in) (NP (NN tea)))
prepositions that are joined: [PP from] [NP home] [PP and] [PP from] [NP sea]
    (PP (PP (IN from) (NP (NN home))) (CC and) (PP (IN from) (NP (NN sea))))
a complementizer: [SBAR even if] [NP she] [VP sings]
    (SBAR (ADVP (RB even)) (IN if) (S (NP (PRP she)) (VP (VBZ sings))))
in order: [SBAR in] order [VP to sing]
    (SBAR (IN in) (NN order) (S (VP (TO to) (VP (VB sing)))))
a clause without complementizer: [NP she] [VP sings]
    (SBAR (S (NP (PRP she)) (VP (VBZ sings))))
an adjective and its adverb: [ADJP very old] [PP for] [NP tea]
    (ADJP (ADVP (RB very)) (JJ old) (PP (IN for) (NP (NN tea))))
a measure before an adverb: [NP two days] [ADVP ago]
    (ADVP (NP (CD two) (NNS days)) (RB ago))
a list item keeps its point: [LST 1 .]
    (LST (LS 1) (. .))
others: [INTJ Oh] , [VP sing] [PRT along] [CONJP as well] .
    (S (INTJ (UH Oh)) (, ,) (VP (VB sing) (PRT (RP along))) (CONJP (RB as) (RB well)) (. .))
a word: Oh
    (UH Oh)
"""
_LINES = EXAMPLES.splitlines()
CASES = dict(zip(_LINES[::2], _LINES[1::2], strict=True))


@pytest.mark.parametrize("rule", CASES)
def test_chunks(rule):
    assert chunked(CASES[rule]) == rule.partition(": ")[2]
