"""The rows of the tables of Collobert et al. 2011, and the trainings that stand beside them."""

from __future__ import annotations

from dataclasses import dataclass, replace

TITLES = {
    "4": "Supervised networks alone (section 3.5)",
    "8": "Word vectors from unlabelled text (section 4)",
    "9": "Several tasks in one model (section 5)",
    "10": "Features made for the tasks (sections 6.1 to 6.3)",
    "11": "Ensembles of ten (section 6.4)",
    "12": "Parse trees as features of roles (section 6.5)",
    "13": "Fixed vectors, Brown clusters, and linear networks (section 6.6)",
    "15": "The released program (section 6.7)",
    "criteria": "Criteria, decoding and cells on chunks",
    "units": "Hidden units on chunks (figure 4)",
    "causes": "Why figures with word vectors are below the paper's",
}
TESTS = {  # of each task, the set that its scores are of
    "pos": "pos/ewt test",
    "chunk": "research/conll2000 test",
    "ner": "research/conll2003 testb",
    "srl": "srl/ewt test",
    "pt0": "pt0/ewt test",
}
CORPORA = {
    "pos": "EWT and GUM; the paper: Wall Street Journal",
    "chunk": "CoNLL-2000, as the paper",
    "ner": "CoNLL-2003, as the paper",
    "srl": "EWT and MASC, test EWT; the paper: CoNLL-2005",
    "pt0": "EWT and MASC, test EWT; the paper: Wall Street Journal",
}
WINDOW = ("pos", "chunk", "ner")


@dataclass(frozen=True)
class Training:
    """A configuration with settings over it; `slow`: hours for each seed.

    An `ensemble`, "vote" or "join", is of seeds 1 to `MEMBERS` of another training, whose
    configuration and settings these are.
    """

    config: str
    settings: tuple[str, ...] = ()
    slow: bool = False
    ensemble: str = ""
    of: str = ""


@dataclass(frozen=True)
class Row:
    """A figure of a table; with a `pick`, the worst, mean or best of `MEMBERS` seeds."""

    table: str
    name: str  # as the paper has it
    task: str
    published: float  # 0: the paper has none
    training: str
    pick: str = ""


# The paper's own descent overfits vectors of 150 numbers: chunks have 92.7 on dev, with these 93.7.
ADAM = (
    "train.optimiser=adam",
    "train.learning_rate=0.001",
    "train.schedule=linear",
    "train.batch=16",
    "train.epochs=12",
    "train.clip=5.0",
    "train.average=0.998",
    "train.dropout_input=0.4",
    "train.dropout_hidden=0.2",
)
VECTORS = (
    "features.word.embeddings=base",
    "features.word.size=0",
    "features.word.scale=0",
    "features.word.rare=0",
    *ADAM,
)
DESCENT = (  # the paper's own, as configs/paper have it
    "train.optimiser=sgd",
    "train.learning_rate=0.01",
    "train.schedule=constant",
    "train.batch=4",
    "train.epochs=40",
    "train.clip=0",
    "train.average=0",
    "train.dropout_input=0",
    "train.dropout_hidden=0",
)
TWO_LAYERS = ("network.window.widths=[5, 3]", "network.window.hidden=[300, 300]")
FEATURES = {  # of table 10: the best for each task
    "pos": ("features.suffix.size=5", "features.suffix.lengths=[2]"),
    "chunk": ("features.tags.pos.size=5", "features.tags.pos.source=column"),
    "ner": (
        "features.gazetteer.size=5",
        'features.gazetteer.files=["gazetteers"]',
        "features.gazetteer.coding=on_off",
    ),
    "srl": ("features.tags.pt0.size=5",),
}
SENTENCE = ("network.kind=sentence", "network.sentence.hidden=500")
PT0 = (
    'tasks=["pt0"]',
    *(f'data.pt0.{split}=["pt0/ewt"]' for split in ("dev", "test")),
    'data.pt0.train=["pt0/ewt", "pt0/masc"]',
    "features.tags.pos.size=5",
)
ROLES_BY_WINDOWS = (  # without the maximum over the sentence, which is not convex
    "network.kind=window",
    "network.window.hidden=[]",
    "train.dropout_hidden=0",
)
NO_WORDS = ("features.word.size=0", "features.word.rare=0")
BROWN = {  # clusters of words in the place of the words, made as paper_tables.py says
    name: (*NO_WORDS, f"features.clusters.file=runs/paper/{file}.txt")
    for name, file in (("brown", "clusters"), ("brown-all", "clusters-all"))
}
LEVELS = "features.levels.size=5"
EWT, MASC = (f'{{corpus="srl/{name}", levels="pt0/{name}"}}' for name in ("ewt", "masc"))
GOLD = (  # levels of the corpora's own trees
    LEVELS,
    "features.levels.source=column",
    f"data.srl.train=[{EWT}, {MASC}]",
    f"data.srl.dev=[{EWT}]",
    f"data.srl.test=[{EWT}]",
)
MEMBERS = 10  # seeds in an ensemble
CONSTRAINED = "network.constrained=true"
NEWSWIRE = "features.word.embeddings=runs/paper/newswire"
# Small and short, so that all can be run: only what stands beside is compared.
QUICK = (
    *VECTORS,
    *FEATURES["chunk"],
    CONSTRAINED,
    "train.epochs=8",
    "train.patience=0",
)
CAUSES = {  # of table "causes": the name of a row, and what it changes in TASK-sentence-vectors
    "likelihood": (
        "50 numbers, of the likelihood objective",
        ("features.word.embeddings=runs/paper/likelihood",),
    ),
    "skipgram": (
        "100 numbers, of skip-gram",
        ("features.word.embeddings=runs/paper/skipgram",),
    ),
    "newswire": (
        "50 numbers, of the likelihood objective, that have read newswire too",
        (NEWSWIRE,),
    ),
    "descent": ("the paper's descent", DESCENT),
    "likelihood-descent": (
        "50 numbers, of the likelihood objective, by the paper's descent",
        (*DESCENT, "features.word.embeddings=runs/paper/likelihood"),
    ),
    "no-dropout": ("no dropout", ("train.dropout_input=0", "train.dropout_hidden=0")),
    "more-dropout": (
        "dropout 0.5 of features and of units",
        ("train.dropout_input=0.5", "train.dropout_hidden=0.5"),
    ),
    "no-average": ("no running mean of the weights", ("train.average=0",)),
    "long": ("24 epochs", ("train.epochs=24",)),
    "narrow": ("100 hidden units", ("network.window.hidden=[100]",)),
    "wide": ("600 hidden units", ("network.window.hidden=[600]",)),
    "constrained": ("only transitions that IOBES allows", (CONSTRAINED,)),
    "newswire-constrained": (
        "these transitions, and 50 numbers that have read newswire",
        (CONSTRAINED, NEWSWIRE),
    ),
    "rare": ("words seen once are RARE half of the time", ("features.word.rare=0.5",)),
    "large": ("vectors of deviation 0.5, not 0.12", ("features.word.scale=0.5",)),
    "whole": ("all of the training set but 2 %, not 10 %", ("data.chunk.dev_share=0.02",)),
}
UNITS = (10, 25, 50, 100, 300, 900)  # of the table "units"
GREEDY = ("train.criterion=greedy",)
CELLS = ("elman", "irnn", "lstm", "gru")
CRITERIA = {  # of table "criteria": the name of a row, and its settings
    "sentence": ("sentence likelihood, Viterbi", ()),
    "word": ("word likelihood, each word by itself", ("train.criterion=word",)),
    "greedy": ("likelihood after the last tag, greedy", GREEDY),
    "greedy-2": ("likelihood after the last two tags, greedy", (*GREEDY, "network.history=2")),
    "beam": ("likelihood after the last tag, beam of 8", (*GREEDY, "network.beam=8")),
    "beam-2": (
        "likelihood after the last two tags, beam of 8",
        (*GREEDY, "network.history=2", "network.beam=8"),
    ),
    "state": ("sentence likelihood, transitions by state", ("network.transitions=state",)),
    "hinge": ("structured hinge, Viterbi", ("train.criterion=hinge",)),
    "perceptron": ("structured perceptron, Viterbi", ("train.criterion=perceptron",)),
    "word-hinge": ("hinge of words", ("train.criterion=word-hinge",)),
    "word-binary": ("hinge of each tag of words", ("train.criterion=word-binary",)),
    "word-log": ("log loss of words", ("train.criterion=word-log",)),
    **{
        cell: (
            f"sentence likelihood, two directions of {cell} cells",
            ("network.kind=recurrent", f"network.recurrent.cell={cell}"),
        )
        for cell in CELLS
    },
    "lstm-state": (
        "the same of lstm cells, transitions by state",
        ("network.kind=recurrent", "network.transitions=state"),
    ),
}
FIXED = "features.word.fixed=true"


def _tasks_of(cause: str) -> tuple[str, ...]:
    """The tasks that a row of table "causes" is trained for."""
    return ("chunk",) if cause == "whole" else ("chunk", "ner")  # names have a dev set of their own


def trainings() -> dict[str, Training]:
    """Every training that a row needs, by name."""
    named = {}
    for task in (*WINDOW, "srl"):
        config, slow = f"configs/paper/{task}.toml", task == "srl"
        for criterion in ("word", "sentence"):
            setting = f"train.criterion={criterion}"
            named[f"{task}-{criterion}"] = Training(config, (setting,), slow)
            named[f"{task}-{criterion}-vectors"] = Training(config, (*VECTORS, setting), slow)
        best = (*VECTORS, *FEATURES[task])
        named[f"{task}-best"] = Training(config, best, slow)
        if task != "srl":
            named[f"{task}-two-layers"] = Training(config, (*VECTORS, *TWO_LAYERS))
            named[f"{task}-best-fixed"] = Training(config, (*best, FIXED))
            linear = ("network.window.hidden=[]", "train.dropout_hidden=0")
            named[f"{task}-best-linear"] = Training(config, (*best, *linear, FIXED))
            convex = (*best, *linear, FIXED, "features.one_hot=true")
            named[f"{task}-best-convex"] = Training(config, convex)
            for name, clusters in BROWN.items():
                brown = (*FEATURES[task], *clusters)
                named[f"{task}-{name}"] = Training(config, brown)
                # Rates by fan-in are too small for so many inputs: F1 is 32 after two epochs.
                one_hot = (*brown, *ADAM, *linear, "features.one_hot=true")
                named[f"{task}-{name}-linear"] = Training(config, one_hot)
            named[f"{task}-convolution"] = Training(config, (*VECTORS, *SENTENCE), slow=True)
    for task in WINDOW:
        for kind in ("vote", "join"):
            best = named[f"{task}-best"]
            named[f"{task}-{kind}"] = replace(best, slow=True, ensemble=kind, of=f"{task}-best")
    for name, (_, settings) in CRITERIA.items():
        named[f"criteria-{name}"] = Training("configs/paper/chunk.toml", (*QUICK, *settings))
    for name, (_, settings) in CAUSES.items():
        for task in _tasks_of(name):
            start = named[f"{task}-sentence-vectors"]
            changed = replace(start, settings=(*start.settings, *settings))
            named[f"{task}-{name}"] = changed
    for n in UNITS:
        sizes = (*QUICK, f"network.window.hidden=[{n}]")
        named[f"units-{n}"] = Training("configs/paper/chunk.toml", sizes)
    pos = ("features.tags.pos.size=5", "features.tags.pos.source=column")
    named["ner-pos"] = Training("configs/paper/ner.toml", (*VECTORS, *pos))
    chunks = ("features.tags.chunk.size=5",)
    named["srl-chunk"] = Training("configs/paper/srl.toml", (*VECTORS, *chunks), slow=True)
    for last in range(5):
        levels = (*VECTORS, f"features.levels.last={last}")
        for suffix, setting in (("", (LEVELS,)), ("-gold", GOLD)):
            settings = (*levels, *setting)
            named[f"srl-level-{last}{suffix}"] = Training("configs/paper/srl.toml", settings, True)
    fixed = (*named["srl-level-4"].settings, FIXED)
    named["srl-level-4-fixed"] = Training("configs/paper/srl.toml", fixed, slow=True)
    linear = ("network.sentence.hidden=0", "train.dropout_hidden=0")
    named["srl-level-4-linear"] = Training("configs/paper/srl.toml", (*fixed, *linear), slow=True)
    convex = (*fixed, *ROLES_BY_WINDOWS, "features.one_hot=true")
    named["srl-level-4-convex"] = Training("configs/paper/srl.toml", convex)
    for name, clusters in BROWN.items():
        brown = (LEVELS, "features.levels.last=4", *clusters)
        named[f"srl-{name}"] = Training("configs/paper/srl.toml", brown, slow=True)
        named[f"srl-{name}-linear"] = Training("configs/paper/srl.toml", (*brown, *linear), True)
    named["pt0-best"] = Training("configs/paper/chunk.toml", (*VECTORS, *PT0))
    several = "configs/paper/multitask.toml"
    named["multitask"] = Training(several, VECTORS)
    named["multitask-all"] = Training(several, (*VECTORS, "train.draw=all"))
    four = ('tasks=["pos", "chunk", "ner", "srl"]', "network.transitions=full")
    named["multitask-convolution"] = Training(several, (*VECTORS, *SENTENCE, *four), slow=True)
    return named


def rows() -> list[Row]:
    """The rows of all tables, in the paper's order."""
    tasks = (*WINDOW, "srl")
    table: list[Row] = []

    def add(number: str, name: str, published: str, suffix: str, pick: str = "") -> None:
        """A line of the paper; "-" where it has no figure."""
        for task, figure in zip(tasks, published.split(), strict=True):
            if figure != "-":
                training = suffix.replace("TASK", task)
                table.append(Row(number, name, task, float(figure), training, pick))

    add("4", "NN+WLL", "96.31 89.13 79.53 55.40", "TASK-word")
    add("4", "NN+SLL", "96.37 90.33 81.47 70.99", "TASK-sentence")
    add("8", "NN+WLL+LM1", "97.05 91.91 85.68 58.18", "TASK-word-vectors")
    add("8", "NN+SLL+LM1", "97.10 93.65 87.58 73.84", "TASK-sentence-vectors")
    add("8", "NN+WLL+LM2", "97.14 92.04 86.96 58.34", "TASK-word-vectors")
    add("8", "NN+SLL+LM2", "97.20 93.63 88.67 74.15", "TASK-sentence-vectors")
    newswire = "NN+SLL+LM2, 50 numbers that have read newswire"
    add("8", newswire, "- 93.63 88.67 -", "TASK-newswire")
    add("8", "two hidden layers (not in the paper)", "0 0 0 -", "TASK-two-layers")
    add("9", "Window: NN+SLL+LM2", "97.20 93.63 88.67 -", "TASK-sentence-vectors")
    add("9", "Window: NN+SLL+LM2+MTL", "97.22 94.10 88.62 -", "multitask")
    add("9", "the same, tasks drawn by size (not in the paper)", "0 0 0 -", "multitask-all")
    add("9", "Sentence: NN+SLL+LM2", "97.12 93.37 88.78 -", "TASK-convolution")
    add("9", "Sentence: NN+SLL+LM2", "- - - 74.15", "TASK-sentence-vectors")
    add("9", "Sentence: NN+SLL+LM2+MTL", "97.22 93.75 88.27 74.29", "multitask-convolution")
    add("10", "NN+SLL+LM2+Suffix2", "97.29 - - -", "TASK-best")
    add("10", "NN+SLL+LM2+Gazetteer", "- - 89.59 -", "TASK-best")
    add("10", "NN+SLL+LM2+POS", "- 94.32 - -", "TASK-best")
    add("10", "NN+SLL+LM2+POS", "- - 88.67 -", "TASK-pos")
    add("10", "NN+SLL+LM2+CHUNK", "- - - 74.72", "TASK-chunk")
    for pick, figures in (
        ("worst", "97.29 93.99 89.35 -"),
        ("mean", "97.31 94.17 89.65 -"),
        ("best", "97.35 94.32 89.86 -"),
    ):
        add("11", f"its members: the {pick}", figures, "TASK-best", pick)
    add("11", "voting ensemble", "97.37 94.34 89.70 -", "TASK-vote")
    add("11", "joined ensemble", "97.30 94.35 89.67 -", "TASK-join")
    add("12", "NN+SLL+LM2", "- - - 74.15", "TASK-sentence-vectors")
    for last, figure in enumerate((75.65, 75.81, 76.05, 75.89, 76.06)):
        add("12", f"+ Charniak level 0 to {last}", f"- - - {figure}", f"srl-level-{last}")
    for last in range(5):
        add("12", f"+ gold level 0 to {last}", "- - - 0", f"srl-level-{last}-gold")
    add("12", "+ CHUNK", "- - - 74.72", "TASK-chunk")
    add("12", "+ PT0", "- - - 75.49", "TASK-best")
    add("13", "LM2 (non-linear NN)", "97.29 94.32 89.59 -", "TASK-best")
    add("13", "LM2 (non-linear NN)", "- - - 76.06", "srl-level-4")
    add("13", "LM2 (non-linear NN, fixed)", "97.10 94.45 88.79 -", "TASK-best-fixed")
    add("13", "LM2 (non-linear NN, fixed)", "- - - 72.24", "srl-level-4-fixed")
    add("13", "Brown (non-linear NN, 130K words)", "96.92 94.35 87.15 72.09", "TASK-brown")
    add("13", "Brown (non-linear NN, all words)", "96.81 94.21 86.68 71.44", "TASK-brown-all")
    add("13", "LM2 (linear NN, fixed)", "96.69 93.51 86.64 -", "TASK-best-linear")
    convex = "LM2 (linear NN, fixed; other tables one-hot, eq. 18)"
    add("13", convex, "96.69 93.51 86.64 -", "TASK-best-convex")
    add("13", convex, "- - - 59.11", "TASK-level-4-convex")
    add("13", "LM2 (linear NN, fixed)", "- - - 59.11", "TASK-level-4-linear")
    add("13", "Brown (linear NN, 130K words)", "96.56 94.20 86.46 -", "TASK-brown-linear")
    add("13", "Brown (linear NN, 130K words)", "- - - 51.54", "TASK-brown-linear")
    add("13", "Brown (linear NN, all words)", "96.28 94.22 86.63 56.42", "TASK-brown-all-linear")
    add("15", "SENNA", "97.29 94.32 89.59 75.49", "TASK-best")
    table.append(Row("15", "SENNA", "pt0", 92.25, "pt0-best"))
    for training, (name, _) in CRITERIA.items():
        table.append(Row("criteria", name, "chunk", 0.0, f"criteria-{training}"))
    for task in ("chunk", "ner"):
        table.append(Row("causes", "NN+SLL+LM2", task, 0.0, f"{task}-sentence-vectors"))
    for training, (name, _) in CAUSES.items():
        for task in _tasks_of(training):
            table.append(Row("causes", name, task, 0.0, f"{task}-{training}"))
    table += [Row("units", f"{n} hidden units", "chunk", 0.0, f"units-{n}") for n in UNITS]
    return table
