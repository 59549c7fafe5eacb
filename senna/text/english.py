"""Words of English that the rules of tokenizer and sentence splitter know: common knowledge."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

# First parts of a compound that keep their hyphen in modern text (`e-mail`, `non-profit`).
PREFIXES = frozenset(
    "e non re anti pre co pro mid cross post over counter multi ex sub semi mini psycho socio inter"
    " intra micro macro ultra un de bi tri pseudo proto super trans extra hyper infra meta"
    " mono poly sino techno electro geo bio nano arch thermo hydro".split()
)

# Titles and the like, before a name: their point never ends a sentence.
TITLES = frozenset(
    "mr mrs ms mx dr prof gen sen sens rep reps gov govs capt cpt lt col sgt cpl pvt maj cmdr adm"
    " rev revs hon messrs mme mlle fr supt insp st ste mt ft vs v cf approx attn viz eg ie ca e.g"
    " i.e".split()
)

# Abbreviations that may stand at the end of a sentence.
ABBREVIATIONS = frozenset(
    "jr sr jnr snr esq bros inc corp cos ltd plc dept dist est assn assoc univ govt intl natl"
    " jan feb apr jun jul aug sept sep oct nov dec tue tues thu thur thurs etc al a.m p.m"
    " ave blvd rd hwy pkwy sq bldg apt calif conn penn tenn ariz colo okla minn tex wis wyo mich"
    " fla esp incl excl misc tel avg yrs yr hrs hr mins lbs lb oz mfg mgr eds ibid adj adv"
    " arrv arr dep orig cert conf div mi co tbsp tbs tsp gal qt doz pkg civ crim evid supp cir proc"
    " acad rte bps".split()
)

# Names that are written with a mark.
WITH_MARK = frozenset(("Yahoo", "Jeopardy"))

# The same, but words of the language when they have no capital: `He was ill.`
CAPITALISED = frozenset(
    "mon wed fri sat sun mar ala ark ill ind kan mass miss neb nev ore va wash ed ph gen rep hon"
    " col sen rev fr ky pa md ga mo la vt del".split()
)

# Abbreviations only where a number or a small letter follows: `No. 5`, but `He said no.`
BEFORE_NUMBERS = frozenset(
    "no nos p pp fig figs eq eqs sec secs vol vols ch chap art arts par para pt pts ver op ln n b c"
    " d m ex ext min max temp trans pub mob spec ste fed reg".split()
)

# Words with a capital before small letters that begin a sentence even where no point is before.
SENTENCE_WORDS = frozenset(
    "The He She We They You It This These There If What Please Thanks Here How".split()
)

# The last word of a closing formula: `Best regards, Anna`.
FORMULAS = frozenset("thanks thx regards best sincerely cheers love wishes you luck yours".split())

# Those that may go on with whom they address: `Thank you, Maria.`
THANKS = frozenset("thanks thx cheers you luck".split())

# The first word of a greeting, where it is no name: `Hi all,`
GREETINGS = frozenset("dear hi hello hey greetings".split())

# First words of a caption: `Figure 3. Rainfall`.
CAPTIONS = frozenset(("Figure", "Fig.", "Table", "Chart", "Map", "Exhibit", "Plate"))

# Words written without their apostrophe or space, and where they are cut.
CONTRACTIONS: dict[str, tuple[int, ...]] = {
    "cannot": (3,), "gonna": (3,), "wanna": (3,), "gotta": (3,), "gimme": (3,), "lemme": (3,),
    "dunno": (2, 3), "whatcha": (4,), "alot": (1,), "im": (1,), "ive": (1,), "youre": (3,),
    "youve": (3,), "youll": (3,), "theyre": (4,), "theyve": (4,), "theyll": (4,), "weve": (2,),
    "thats": (4,), "whats": (4,), "theres": (5,), "heres": (4,), "hes": (2,), "shes": (3,),
    "itll": (2,), "dont": (2,), "cant": (2,), "wont": (2,), "didnt": (3,), "doesnt": (4,),
    "isnt": (2,), "arent": (3,), "wasnt": (3,), "werent": (4,), "hasnt": (3,), "havent": (4,),
    "'ma": (2,), "y'all": (2,), "'tis": (2,), "'twas": (2,),
    "outta": (3,), "hadnt": (3,), "couldnt": (5,), "wouldnt": (5,), "shouldnt": (6,), "aint": (2,),
}  # fmt: skip

# Words that follow no possessive: before them `its` is written for `it's`.
NOT_OWNED = frozenset(
    "a an the not in on at for from to with about because been going getting like really just so"
    " also still simply definitely always now this that my your called".split()
)

# What is written at the end of another word, whose apostrophe may be curly.
CLITICS = frozenset("n't 's 'm 're 've 'll 'd".split())

# Units that are cut from the number before them; other letters stay (`3G`, `747s`, `4x4`).
UNITS_OF_MEASURE = (
    "mm|cm|km|m|ft|in|yds?|mi|kms?|miles?|mg|kg|kgs|(?-i:g|l)|lbs?|oz|ml|cc|gb|mb|kb|tb|ghz|mhz|khz|hz"
    "|kw|mw|kwh|mph|mpg|rpm|psi|dpi|k|bn|mn|mil|hrs?|hours?|mins?|minutes?|secs?|ms"
    "|yrs?|years?|yo|days?|weeks?|wks?|months?|mos?|pm|am|p\\.m\\.|a\\.m\\.|pcs?|\u00ba[cf]?"
)

# Words that, written with a capital, begin a sentence rather than go on with a name:
# `in the U.S. The`, but `the U.S. Senate`.
STARTERS = frozenset(
    "the a an this that these those he she it we they you i my your his her its our their there"
    " here in on at for with from by to of as if when while after before since during although"
    " though because but and or so yet however what who why how where which is are was were do"
    " does did can could would will should please no yes not now then also some many most all"
    " both each every any other another let just even once until unless despite according thanks"
    " thank i'm i've i'll i'd it's he's she's we're we've they're you're that's there's"
    " don't".split()
)

# Those of them that go on more often, where the capital of the next word tells nothing.
GOING_ON = frozenset(
    "and or but to of from by with for in on at as that which while when if because since during"
    " is are was were do does did can could would will should not".split()
)

# A line that ends in one of these, or in a title, reads on.
UNFINISHED = frozenset(
    "the a an of and or to in for with by from at on as that his her their its my our your".split()
)

# With which spans of a sentence end.
_PUNCTUATION = frozenset(". , ; : ! ? ... -- - ) ]".split()) | frozenset("\u2013\u2014\u2026")


def span_lengths(words: Sequence[str]) -> list[int]:
    """How many words the spans between punctuation have; a span ends with the signs behind it.

    >>> span_lengths("Well , it works ( now ) .".split())
    [2, 6]
    """
    signs = [word in _PUNCTUATION for word in words]
    inner = [i + 1 for i, pair in enumerate(pairwise(signs)) if pair == (True, False)]
    return [end - start for start, end in pairwise([0, *inner, len(words)]) if words]


def contractions(words: Sequence[str], joined: Sequence[bool]) -> list[tuple[int, int]]:
    """Which words [first, last) are written as one, as a tokenizer has cut them.

    joined: of each word whether no space follows it.

    >>> contractions("They do n't , I can not .".split(), [0, 1, 1, 0, 0, 1, 1, 0])
    [(1, 3), (5, 7)]
    """
    spans: list[tuple[int, int]] = []
    for i in range(1, len(words)):
        if not joined[i - 1] or not _is_rest(words[i - 1].lower(), words[i].lower()):
            continue
        first = spans.pop()[0] if spans and spans[-1][1] == i else i - 1
        spans.append((first, i + 1))
    return spans


def _is_rest(before: str, word: str) -> bool:
    """Whether a word, in lower case, is the rest of a contraction that another begins."""
    if word.replace("\u2019", "'") in CLITICS:
        return before[-1].isalnum() or before[-1] == "."
    return (before, word) in _CUT


def _pieces(form: str, cuts: tuple[int, ...]) -> list[tuple[str, str]]:
    edges = [0, *cuts, len(form)]
    return list(pairwise(form[start:end] for start, end in pairwise(edges)))


_CUT = frozenset(pair for form, cuts in CONTRACTIONS.items() for pair in _pieces(form, cuts))
