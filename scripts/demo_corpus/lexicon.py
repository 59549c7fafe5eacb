"""The common words of the demonstration corpus and their inflection."""

from __future__ import annotations

from typing import NamedTuple

# Many words are here in two classes on purpose: plan, report, offer, visit, open, close, May, Will.

_NOUNS = {
    "person": """mayor minister teacher engineer player driver doctor judge farmer student worker
        official director guide nurse pilot baker writer neighbor tourist""",
    "group": "company council government union court committee bank airline ministry agency school",
    "building": """bridge factory station museum school hospital library hotel stadium airport
        office bank market theater road harbor tunnel""",
    "document": "report letter book map guide article record poem notice answer",
    "plan": "plan proposal offer strike change project visit cut deal reform work claim",
    "event": "match race election festival concert meeting trial party game vote",
    "amount": "price profit rent wage sale export fare share cost tax",
    "work": "film novel song play opera",
    "place": "town village city valley region port island country capital border",
}
NOUNS = {kind: names.split() for kind, names in _NOUNS.items()}

MODIFIERS = """new old local public official small large early quiet open close young former main
    cheap long second empty final light last first busy famous secret""".split()
NOUN_MODIFIERS = "trade health steel city school bank road music summer winter state".split()
PREDICATE_ADJECTIVES = """ready late happy angry empty open small cheap quiet certain famous close
    ill tired busy clear""".split()
COMPARATIVES = "larger/JJR cheaper/JJR older/JJR smaller/JJR more/RBR_expensive/JJ".split()
MANNER = "quickly slowly quietly carefully suddenly early easily".split()
BEFORE_VERB = {
    "past": "also finally never often only".split(),
    "present": "also still often".split(),
}
LINKS = {"however": "AM-DIS", "meanwhile": "AM-TMP", "still": "AM-DIS", "perhaps": "AM-ADV"}

DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
MONTHS = """January February March April May June July August September October November
    December""".split()
UNITS = "hour day week month year".split()
NUMBERS = "two three four five six seven eight nine ten twelve twenty".split()
TITLES = {True: ["Mrs.", "Ms.", "Dr."], False: ["Mr.", "Dr."]}
OFFICES = "President Minister Mayor Judge Professor Captain Inspector".split()
MODALS = "will may could would should can must might".split()


class Verb(NamedTuple):
    """A sense of a verb: who does what, and how the rest of its phrase looks."""

    roleset: str
    frame: str
    subjects: tuple[str, ...]
    objects: tuple[str, ...] = ()
    preposition: str = ""
    subject_role: str = "A0"
    object_role: str = "A1"
    content_role: str = "A1"

    @property
    def base(self) -> str:
        return self.roleset.partition(".")[0].partition("_")[0]

    @property
    def particle(self) -> str:
        return self.roleset.partition(".")[0].partition("_")[2]


_TRANSITIVE = """
open.01 person,group building        close.01 person,group building
build.01 group building              repair.01 person,group building
visit.01 person place,building,person   leave.01 person place,building,group
buy.01 person,group building,group   sell.01 person,group building,group
criticize.01 person,group plan,person,group   praise.01 person,group plan,person,work
support.01 person,group plan         reject.01 group,person plan
approve.01 group plan                change.01 group,person plan
sign.01 person document,plan         publish.01 group,person document
write.01 person document,work        read.01 person document
win.01 club,person event             beat.03 club club
join.01 person group,club            lead.02 person group,club
delay.01 group plan,event            report.01 group,person plan
record.01 person work                watch.01 person work,event
answer.01 person,group document      cut.02 group amount
call_off.05 group event,plan         set_up.03 person,group group
turn_down.10 person,group plan       take_over.12 group group
draw_up.02 person,group plan         find.01 person document
visit.01 person place                meet.02 person person
claim.01 club,person event           help.01 group person
"""
_OTHER = """
give person,group give.01 person,group document,plan
give group send.01 person document
give group,person offer.01 person,group plan,building
give person show.01 person document,building
prepositional person live.01 place in A0 AM-LOC
prepositional person,club,group move.01 place to A1 A2
prepositional person,club arrive.01 place in A1 A4
prepositional person work.01 group for A0 A2
prepositional person,group talk.01 plan,event about A0 A1
prepositional person,group vote.01 plan against A0 A1
prepositional person,group wait.01 document,plan for A1 A2
prepositional club,person play.01 club against A0 A2
prepositional person travel.01 place to A0 A4
prepositional group agree.01 plan on A0 A1
prepositional club lose.03 club to A0 A2
intransitive person die.01 A1
intransitive event,plan begin.01 A1
intransitive plan,building fail.01 A1
intransitive person work.01 A0
intransitive event end.01 A1
level amount rise.01
level amount fall.01
level amount grow.01
infinitive person,group plan.01
infinitive person,group,club want.01
infinitive person,group,club hope.01
infinitive person,group promise.01
infinitive person,group refuse.01
infinitive person,group decide.01
infinitive person,group,club try.01
infinitive group offer.01
control person,group ask.02 person,group A2 A1
control person,group urge.01 person,group A1 A2
control group force.01 person,group A1 A2
control person persuade.01 person A1 A2
clausal person,group say.01
clausal person,group claim.01
clausal person,group announce.01
clausal person think.01
clausal person know.01
clausal person,group report.01
clausal person,group expect.01
"""
LIGHT = {  # noun -> light verb, roleset of the noun
    "promise": ("make", "promise.01"),
    "decision": ("make", "decide.01"),
    "offer": ("make", "offer.01"),
    "walk": ("take", "walk.01"),
    "visit": ("pay", "visit.01"),
}


def _other_verb(line: str) -> Verb:
    frame, first, second, *rest = line.split()
    if frame == "give":
        receivers, gifts = rest
        return Verb(second, frame, _kinds(first), _kinds(gifts), content_role=receivers)
    if frame == "prepositional":
        kinds, preposition, subject_role, object_role = rest
        return Verb(
            second, frame, _kinds(first), _kinds(kinds), preposition, subject_role, object_role
        )
    if frame == "control":
        return Verb(second, frame, _kinds(first), _kinds(rest[0]), "", "A0", rest[1], rest[2])
    if frame == "level":
        return Verb(second, frame, _kinds(first), subject_role="A1")
    return Verb(second, frame, _kinds(first), subject_role=rest[0] if rest else "A0")


def _kinds(text: str) -> tuple[str, ...]:
    return tuple(text.split(","))


def _all_verbs() -> list[Verb]:
    fields = _TRANSITIVE.split()
    triples = zip(fields[::3], fields[1::3], fields[2::3], strict=True)
    verbs = [Verb(sense, "transitive", _kinds(a), _kinds(b)) for sense, a, b in triples]
    return verbs + [_other_verb(line) for line in _OTHER.strip().splitlines()]


VERBS = _all_verbs()

# ------------------------------------------------------------------- inflection

IRREGULAR = """beat beat beaten|build built built|buy bought bought|sell sold sold|win won won
leave left left|lead led led|cut cut cut|set set set|give gave given|send sent sent|find found found
show showed shown|meet met met|fall fell fallen|rise rose risen|grow grew grown|say said said
know knew known|think thought thought|begin began begun|make made made|take took taken
read read read|pay paid paid|become became become|write wrote written|draw drew drawn|lose lost lost
have had had|do did done"""
PAST = {row.split()[0]: row.split()[1:] for row in IRREGULAR.replace("\n", "|").split("|")}
DOUBLED = {"plan", "cut", "set", "win", "begin"}
BE = {"VB": "be", "VBG": "being", "VBN": "been"}
BE |= {"singular VBZ": "is", "plural VBP": "are", "I VBP": "am"}
BE |= {"singular VBD": "was", "plural VBD": "were", "I VBD": "was"}


def plural(noun: str) -> str:
    """The plural of a noun of the lists above."""
    if noun.endswith("y") and noun[-2] not in "aeiou":
        return noun[:-1] + "ies"
    return noun + ("es" if noun.endswith(("s", "x", "ch", "sh")) else "s")


def inflect(base: str, tag: str, agreement: str = "singular") -> str:
    """The form of a verb under a tag."""
    if base == "be":
        return BE.get(tag) or BE[f"{agreement} {tag}"]
    if tag == "VBZ":
        return {"have": "has", "do": "does"}.get(base) or plural(base)
    if tag in ("VBD", "VBN") and base in PAST:
        return PAST[base][tag == "VBN"]
    if tag not in ("VBD", "VBN", "VBG"):
        return base
    ending = "ing" if tag == "VBG" else "ed"
    if base == "die":
        return "dying" if tag == "VBG" else "died"
    if base in DOUBLED:
        return base + base[-1] + ending
    if base.endswith("e"):
        return base[:-1] + ending
    if ending == "ed" and base.endswith("y") and base[-2] not in "aeiou":
        return base[:-1] + "ied"
    return base + ending
