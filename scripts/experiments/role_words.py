"""The words of role_sentences.py: nouns that suit verbs, light verbs, people, times and places.

A verb stands here with the nouns that may be its object, or its subject. Its roles are counted in
the corpora; verbs without clear roles and those of tests/quality/frames are not used.
"""

from __future__ import annotations

OBJECTS = """
accept.01 approve.01 reject.01 propose.01 review.01 suggest.01 oppose.01 present.01 amend.01
    draft.01 condemn.01 support.01 discuss.01 withdraw.01 adopt.01: plan treaty proposal contract
    budget reform
purchase.01 return.02 claim.01 check.01 remove.01 grab.01 pick_up.04 keep.01 acquire.01
    retrieve.01 own.01 carry.01: parcel suitcase ticket coat lamp box camera blanket umbrella
describe.01 investigate.01 mention.01 recall.02 experience.01 detect.01: accident crime storm
    scandal fire
capture.01 release.01 protect.01 accommodate.01 defeat.01 contact.01 identify.01 reassure.01
    blame.01 insult.01 punish.01 thank.01 attack.01 interview.01: prisoner senator visitor
    champion thief stranger
repeat.01 explain.01 regret.01 confirm.01 deny.01 reveal.01 justify.01: mistake theory rumor claim
    error
enter.01 invade.01 conquer.01 raid.01 survey.01 rebuild.01 restore.01 reach.01 explore.01
    destroy.01: city castle valley island village province harbor temple
copy.01 delete.01 forward.01 correct.01 update.01 reread.01 fax.01 file.01 fill_out.03 sign.01
    read.01 publish.01 print.01 print_out.02: letter list form memo article report invoice
launch.01 develop.02 improve.01 create.01 operate.01 design.01: website ship factory program
    engine
earn.01 obtain.01 demand.01 request.01 seek.01 deserve.01 receive.01: medal permit pension prize
    reward
handle.01 solve.01 face.01 manage.01 avoid.01 address.02: problem crisis task dispute puzzle
spoil.01 ruin.01 disrupt.01 enjoy.01 attend.01 cancel.01 miss.02: party concert dinner picnic
    ceremony
tame.01 pet.01 love.01: horse wolf lion rabbit parrot
shatter.01 seal.01 clean.01 drop.05: window jar mirror bottle
set_up.03 conduct.01 arrange.01 perform.01 postpone.01 complete.01: interview trial experiment
    survey
check_out.05 track_down.02 seek_out.02 back_up.04 blow_up.06 throw_out.04 figure_out.05
    find_out.03 shut_down.05 carry_out.03 wrap_up.02: file address engine machine program plan
"""
ALONE = """
scream.01 shriek.01 apologize.01 participate.01 testify.01 breathe.01 dream.01 whistle.01
    respond.01 survive.01 work.01 smile.01 giggle.01 dine.01 lounge.01 pause.01 agree.01 vote.01
    act.02 cough.01 snore.01 blush.01 weep.01 fight.01 protest.01 surrender.01 retire.01 object.01
    run.02 march.01 jump.03 crawl.01 hop.01 sail.01 file.03 trot.01 escape.01: PEOPLE
die.01 return.01 recover.01 appear.01 vanish.01 disappear.01 shudder.01 rush.01: PEOPLE
arise.02 exist.01 occur.01 begin.02: problem conflict dispute crisis
crash.01: plane drone rocket helicopter
expire.01: license visa contract permit
flow.01 gush.02 leak.01: river lava oil water
flourish.01 thrive.01: city garden business village
collapse.01: roof tower tunnel wall
melt.01 evaporate.01 thaw.01: snow ice lake
fall.01 drop.01 plummet.01 increase.01: price temperature fare salary
deteriorate.01: situation weather
surface.01: submarine rumor whale
flicker.01: lamp candle torch
slide.01 slither.01: snake crate barrel
"""
GIFTS = """
charge.01: fee fine
send.01 give.01 show.01 mail.01 provide.01: parcel map ticket contract recipe copy
grant.01 deny.01 guarantee.01: license visa loan permit pension
throw.01 toss.01 fetch.01: rope towel bottle ball
"""
LIGHT = """
take: nap bath photo picture breath step trip ride bite sip stroll risk swim test vote photos
    pictures notes steps risks action advantage revenge part
give: kiss hug smile laugh sigh shout cry nod call answer lecture performance push kick
    explanation description wave shrug demonstration cough warning order estimate
have: chat swim argument discussion dream nap bath drink meeting conversation quarrel fight lunch
    breakfast fun
make: promise mistake attempt effort announcement comment suggestion offer request complaint call
    choice remark visit recommendation statement guess apology promises mistakes plans comments
    progress
pay: visit tribute compliment
do: research damage harm
hold: discussion meeting discussions meetings
"""
FULL = """
take.01: book bag umbrella box key hammer ladder basket coat lamp camera
give.01: coin key map basket candle book ticket flower apple stamp
have.03: car garden boat piano sister brother bicycle tent parrot farm
make.01: chair soup sandwich basket dress lamp fence candle hat kite
hold.01: rope baby candle basket lamp map umbrella flag ladder cup
pay.01: bill fine rent fee debt
do.02: laundry homework ironing shopping
"""
IRREGULAR = {  # their forms, but for -s and -ing
    "take": "took taken", "give": "gave given", "have": "has had", "make": "made made",
    "pay": "paid paid", "do": "does did done", "hold": "held held",
}  # fmt: skip
MASS = """fun action advantage revenge part lunch breakfast progress tribute research damage harm
    notes snow ice lava oil water weather laundry homework ironing shopping rent""".split()
PEOPLE = """artist actor lawyer pilot sailor soldier student engineer librarian plumber gardener
    manager tourist uncle grandmother tailor mechanic dentist butcher officer singer boss painter
    reporter secretary customer inspector patient hunter shepherd poet girl woman man boy
    child""".split()
CROWDS = """students soldiers tourists workers customers lawyers women men children villagers
    sailors reporters guests hunters girls boys engineers""".split()
RELATIVES = "sister brother uncle aunt son daughter wife husband boss roommate grandmother".split()
HUMAN = "old young tall tired famous rich new small strange blind nervous clever poor".split()
INANIMATE = "old new small strange big famous large second simple".split()
# These verbs stand before their subject when a place or direction is in front.
TURNED = """appear work survive dine lounge march sail jump run crawl hop file trot whistle smile
    die fight scream exist occur arise begin flourish collapse crash flow gush melt leak
    vanish""".split()
STIRRING = (
    "embarrass.01 bother.01 offend.01 anger.01 amaze.01 irritate.01 reassure.01 motivate.01".split()
)
SPEECH = """announce.01 claim.01 explain.01 admit.01 declare.01 repeat.01 remark.01 note.01
    insist.01 observe.01 suggest.01 concede.01 protest.02 argue.01 complain.01 add.01""".split()
WANTING = (
    "hope.01 decide.01 seek.01 attempt.01 manage.02 intend.01 expect.01 refuse.01 agree.01".split()
)
TOLD = "force.01 encourage.01 persuade.01 convince.01".split()
THINKING = """believe.01 suspect.01 realize.01 assume.02 doubt.01 regret.01 hope.01 note.01
    admit.01 announce.01 claim.01 insist.01""".split()
# Times of any tense, of the past and of the present.
TIMES = """today/NN;this/DT morning/NN;on/IN Monday/NNP;at/IN noon/NN;after/IN lunch/NN;again/RB;
    during/IN the/DT war/NN;before/IN the/DT match/NN;in/IN the/DT evening/NN;on/IN Friday/NNP;"""
PAST = """yesterday/NN;last/JJ week/NN;last/JJ year/NN;last/JJ summer/NN;in/IN May/NNP;
    in/IN 1987/CD"""
PRESENT = "every/DT day/NN;every/DT summer/NN;often/RB;on/IN Sundays/NNPS"
MANNERS = "quickly slowly quietly carefully suddenly calmly eagerly gladly politely".split()
WHERE = "in at near behind beside under".split()
PLACES = """harbor station market garden forest beach factory tower airport office kitchen cellar
    temple stadium hall yard barn tunnel ruins camp""".split()
SIDES = [
    "at/IN the/DT end/NN",
    "on/IN the/DT other/JJ side/NN",
    "in/IN front/NN",
    "to/IN the/DT right/NN",
]
WHITHER = "down up along across through into past over toward".split()
WAYS = "road street river stairs hill path field square corridor gate slope".split()
PARTICLES = "in out away down up off back".split()
MODALS = "will can must should may could would".split()
INTERJECTIONS = "well yes no oh hey".split()
FRONTS = {  # in front of an auxiliary
    "never/RB": "AM-NEG", "rarely/RB": "AM-TMP", "seldom/RB": "AM-TMP",
    "only/RB later/RB": "AM-TMP",
    "only/RB now/RB": "AM-TMP", "only/RB in/IN May/NNP": "AM-TMP", "at/IN no/DT time/NN": "AM-TMP",
    "in/IN no/DT way/NN": "AM-MNR", "not/RB until/IN Sunday/NNP": "AM-TMP",
    "only/RB after/IN lunch/NN": "AM-TMP", "on/IN no/DT account/NN": "AM-ADV",
    "only/RB with/IN difficulty/NN": "AM-MNR",
}  # fmt: skip
OPENERS = {"because": "AM-CAU", "when": "AM-TMP", "before": "AM-TMP", "after": "AM-TMP",
           "while": "AM-TMP", "if": "AM-ADV", "although": "AM-ADV"}  # fmt: skip


def table(text: str) -> dict[str, list[str]]:
    """Each word in front of a colon, with those behind it."""
    lines = [line.partition(":") for line in text.replace("\n    ", " ").strip().split("\n")]
    return {name: nouns.split() for names, _, nouns in lines for name in names.split()}
