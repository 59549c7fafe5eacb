"""Word lists of our own for reading names off GUM's entity layer.

They are cut to the words that decide something in the documents of `pos/gum`. All are in lower
case but PEOPLES and PEOPLE_PREFIXES.
"""

from __future__ import annotations

# A title or an office: never a name by itself, and no part of the name it stands before.
TITLES = frozenset(
    """
    administrator baron captain ceo chair chairman chief colonel commissioner counsel count crown
    daddy dame dean director doctor duke earl emperor empress father first general honor justice
    king lady lord major manager marquis mayor members minister ph.d. phd pope president princess
    professor queen representative secretary senator senators solicitor speaker tsar
    undersecretary vice widow
    """.split()
)

# Capitalised things that are numbered or pointed at, not named.
NOT_NAMES = frozenset(
    """
    article bay building chapter city country court covid earth east economics extract extracts
    factor figure friday government internet nation north northeast ok room rule sat south
    southeast southwest state study sun volume web west
    """.split()
)

# What a name may start with whose second part is a name as well: "University of Leeds".
OF_HEADS = frozenset("conference corps council court society states university".split())

# Small words inside names.
CONNECTORS = frozenset("of for and the a an at from in on to - 's".split())

# Peoples, tongues, creeds and parties, as nouns and adjectives.
PEOPLES = frozenset(
    """
    Afghan African American Americans Arab Argentine Armenian Asian Aztec Baptist British Buddhist
    Calvinist Caribbean Catholic Christian Christians Cuban Democrat Democratic Dutch English
    Estonian European Evangelical Grecian Hebrew Hegelian Hellenic Hindu Hispanic Illyrian Inuit
    Iraqi Islamic Jew Jewish Latin Latino Maori Maya Mayan Mesoamerican Mexican Moriori Muslim
    Muslims Nazi Nazis Olmec Ottoman Pachomian Persian Persians Polish Protestant Republican
    Republicans Roman Saudi Scottish Slovenian Soviet Swiss Tarahumara Viking
    """.split()
)
PEOPLE_PREFIXES = frozenset("Anglo East Eastern North South West".split())
