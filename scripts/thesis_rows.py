"""The rows of docs/sentences.md, and the trainings that stand beside published figures."""

from __future__ import annotations

from paper_rows import Row, Training

TREE = "configs/sst/tree-{}.toml"
LABEL = "configs/label.toml"
SPLITS = ("train", "dev", "test")
NAMES = {  # of SST's labels, by table
    "binary": "0=negative,1=negative,2=,3=positive,4=positive",
    "five-way": "0=0,1=1,2=2,3=3,4=4",
}
PUBLISHED = {"binary": {"gru": 85.61, "lstm": 84.43}, "five-way": {"gru": 46.43, "lstm": 45.71}}
SPREAD = {"binary": {"gru": 0.93, "lstm": 0.35}, "five-way": {"gru": 0.98, "lstm": 0.55}}
MAIN = ("gru", "lstm")  # the two that the thesis compares
# Not the thesis': the mean of weights is kept, and seeds do not stop at a chance fall on dev.
MEAN = ("train.average=0.99", "train.patience=4")
# Nor is this: word vectors are trained, too. Without it cells that have no gates learn little.
TRAINED = ("features.word.fixed=false",)
TREES = {  # settings of recursive networks, by name
    "gru": ("Tree-GRU", ()),
    "lstm": ("Tree-LSTM", ()),
    "gru-mean": ("Tree-GRU, mean of weights", MEAN),
    "lstm-mean": ("Tree-LSTM, mean of weights", MEAN),
    "gru-words": ("Tree-GRU, trained vectors", TRAINED),
    "lstm-words": ("Tree-LSTM, trained vectors", TRAINED),
    "lstm-sum": ("child-sum Tree-LSTM", ()),
    "standard": ("standard (eq. 3.16), trained vectors", TRAINED),
    "matrix-vector": (
        "matrix-vector (eq. 3.19), trained vectors",
        (*TRAINED, "network.recursive.units=10", "train.learning_rate=0.02"),
    ),
    "tensor": (
        "tensor (eq. 3.20), trained vectors",
        (*TRAINED, "network.recursive.units=10", "train.learning_rate=0.01"),
    ),
}
FLAT: dict[
    str, tuple[str, tuple[str, ...]]
] = {  # of networks that see no tree, and learn the labels of whole sentences only
    "gated": ("gated, pooled", ()),
    "recurrent-lstm": ("LSTM, both ends", ("network.recurrent.cell=lstm",)),
    "recurrent-gru": ("GRU, both ends", ("network.recurrent.cell=gru",)),
    "recurrent-spans": (
        "LSTM, both ends, spans first",
        ("network.recurrent.cell=lstm", "network.recurrent.spans=true"),
    ),
    "bag": ("bag, mean", ("network.kind=bag", 'network.label.pooling=["mean", "max"]')),
    "bag-tf-idf": (
        "bag, mean by TF-IDF",
        (
            "network.kind=bag",
            "network.bag.weights=tf-idf",
            'network.label.pooling=["mean", "max"]',
        ),
    ),
    "convolution-stages": (
        "convolution, two stages",
        (
            "network.kind=convolution",
            "network.convolution.pools=[2]",
            'network.label.pooling=["max"]',
        ),
    ),
    "convolution": ("convolution", ("network.kind=convolution", 'network.label.pooling=["max"]')),
}
ENDS = ("network.kind=recurrent", 'network.label.pooling=["ends"]')
SETS = {"mr": "MR", "subj": "Subj", "cr": "CR", "mpqa": "MPQA"}  # in ten folds
TREC = ",".join(f"{name}:*={name}" for name in ("ABBR", "DESC", "ENTY", "HUM", "LOC", "NUM"))
N_FOLDS = 10


def trainings() -> dict[str, Training]:
    """Every training, by name."""
    named = {}
    for table, names in NAMES.items():
        labels = f"data.label.labels={names}"
        for name, (_, settings) in TREES.items():
            cell = name.removesuffix("-mean").removesuffix("-words")
            config = TREE.format(cell if cell in MAIN else "gru")
            chosen = (labels, f"network.recursive.cell={cell}", *settings)
            named[f"{table}-{name}"] = Training(config, chosen)
        corpus = tuple(f'data.label.{split}=["research/sst"]' for split in SPLITS)
        for name, (_, settings) in FLAT.items():
            more = ENDS if name.startswith("recurrent") else ()
            named[f"{table}-{name}"] = Training(LABEL, (labels, *corpus, *more, *settings))
    for name in SETS:
        files = (f'data.label.{split}=["FOLDS/{name}-SEED-{split}.tsv"]' for split in SPLITS)
        named[name] = Training(LABEL, tuple(files))
    trec = ('data.label.train=["research/sentences/trec"]',)
    trec += ("data.label.dev_share=0.1", 'data.label.test=["research/sentences/trec"]')
    named["trec"] = Training(LABEL, (*trec, f"data.label.labels={TREC}"))
    return named


def rows() -> list[Row]:
    """The rows in the order of the page."""
    every = []
    for table in NAMES:
        for cell, (name, _) in (TREES | FLAT).items():
            published = PUBLISHED[table].get(cell, 0.0)
            every.append(Row(table, name, "label", published, f"{table}-{cell}"))
    every += [Row("sets", title, "label", 0.0, name) for name, title in SETS.items()]
    every.append(Row("sets", "TREC, six labels", "label", 0.0, "trec"))
    return every
