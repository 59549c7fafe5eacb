"""recipe/add_lists.py: lemmas of forms that no treebank has, by what open text attests."""

from collections import Counter

import add_lists as script

from senna.text.lemmas import LemmaTable, apply_rule

# A form, its tag and its lemma; that of the last is an error of its annotators.
KNOWN = [
    tuple(words.split())
    for words in (
        "sang VBD sing|made VBD make|spoke VBD speak|trod VBD tread|rode VBD ride|spelt VBD spell|"
        "freed VBD fre"
    ).split("|")
]
# How often open text has a form with a tag; "bids" too seldom.
SEEN = {
    (form, tag): int(n)
    for form, tag, n in map(
        str.split,
        (
            "swim VB 9|swam VBD 3|ride VB 3|stride VB 3|strode VBD 2|stroke VB 1|free VB 9|"
            "freed VBD 9|dwell VB 3|dwelt VBN 3|reset VBD 4|reseat VB 4|watch VB 9|watches VBZ 9|"
            "bids VBZ 1|bid VB 9|speak VB 9|spoken VBN 9|tread VB 9|trodden VBN 3|zzz NN 1|"
            "zzzs NNS 1"
        ).split("|"),
    )
}
VERBS = frozenset("swim stride stroke free dwell reset reseat watch sing make speak tread".split())


def test_forms_get_the_lemma_that_text_attests():
    words = script.by_evidence(LemmaTable.learn(KNOWN), Counter(SEEN), VERBS)
    assert {form: lemma for form, _, lemma in words} == {
        "swam": "swim",
        "trodden": "tread",  # as "trod"
        "spoken": "speak",
        "strode": "stride",  # as "rode"; not "stroke", as if it were made like "made"
        "freed": "free",  # the known lemma does not occur
        "dwelt": "dwell",
        "watches": "watch",
    }  # "reset" is a verb itself; "zzz" occurs once


def test_the_table_has_forms_of_treebanks_and_of_text():
    lines = script.lemmas(
        KNOWN, [("sang", "VBD", "sang"), ("ran", "VBD", "run")], [], Counter(SEEN), VERBS
    )
    table = LemmaTable.of_lines(lines)
    found = {form: apply_rule(table.known[form, "VBD"], form) for form in ("sang", "ran", "swam")}
    assert found == {"sang": "sing", "ran": "run", "swam": "swim"}
    assert apply_rule(table.known["freed", "VBD"], "freed") == "free"


def test_listed_forms_stand_over_those_of_a_table():
    old = LemmaTable.learn([("snuck", "VBN", "snack"), ("leaves", "NNS", "leave"), *KNOWN])
    table = script.with_listed(old)
    words = [("snuck", "VBN"), ("leaves", "NNS"), ("oxen", "NNS"), ("sang", "VBD"), ("sha", "MD")]
    found = [apply_rule(table.known[word], word[0]) for word in words]
    assert found == ["sneak", "leaf", "ox", "sing", "shall"]
    assert table.endings == old.compact().endings
    assert script.with_listed(table).lines() == table.lines()
    # A form has one lemma.
    pairs = [(form, tag) for form, tag, _ in script.listed()]
    assert len(pairs) == len({*pairs})


INVENTORY = """\
abase.01\tabase:v abasement:n\tA0 A1
give.01\tgive:v\tA0 A1 A2
give_up.02\tgive_up:l\tA0 A1 AM-TMP
abbreviated.01\tabbreviated:j\tA4
rain.01\train:v\t
"""
CORPUS = (
    "1\tGave\t_\t_\tgive.01\tv\tO\n2\tgives\t_\t_\tgive.01\tv\tO\n3\tgift\t_\t_\tgive.01\tn\tO\n\n"
)


def test_words_by_the_roles_that_they_may_have():
    roles = script.roles_of_verbs(INVENTORY.splitlines(keepends=True))
    assert roles == {"abase": {"A0", "A1"}, "give": {"A0", "A1", "A2"}, "rain": set()}
    forms = script.irregular_forms(CORPUS.splitlines(keepends=True))
    assert forms == {"gave": {"give"}}
    assert script.inventory_table(roles, forms) == ["A0 A1\tabase", "A0 A1 A2\tgave give"]
