"""The table of roles that a model gets."""

from add_inventory import irregular_forms, roles_of_verbs, table

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
    roles = roles_of_verbs(INVENTORY.splitlines(keepends=True))
    assert roles == {"abase": {"A0", "A1"}, "give": {"A0", "A1", "A2"}, "rain": set()}
    forms = irregular_forms(CORPUS.splitlines(keepends=True))
    assert forms == {"gave": {"give"}}
    assert table(roles, forms) == ["A0 A1\tabase", "A0 A1 A2\tgave give"]
