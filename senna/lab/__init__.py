"""Code that only reproduces a result of the papers or a comparison."""

from __future__ import annotations

from senna import registry

_FORWARD = ("convolution", "bag", "mlp")
_NETWORKS = ("recurrent", "recursive", *_FORWARD)
registry.LEARNERS.add(
    "senna.lab.networks",
    **registry.places("senna.lab.networks", "recurrent", "recursive"),
    **dict.fromkeys(_FORWARD, "senna.lab.networks.feedforward"),
)
registry.NETWORK_SETTINGS.add(**dict.fromkeys(_NETWORKS, "senna.lab.networks.settings"))
registry.NETWORKS.add(**dict.fromkeys((*_NETWORKS, "states"), "senna.lab.torch_tagger"))
registry.NETWORKS.add(**dict.fromkeys(("vote", "join"), "senna.lab.ensembles"))
_OPTIMISERS = ("adagrad", "momentum", "nesterov", "adadelta", "rmsprop")
registry.OPTIMISERS.add(**dict.fromkeys(_OPTIMISERS, "senna.lab.training"))
registry.SCHEDULES.add(**dict.fromkeys(("epoch", "bottou"), "senna.lab.training"))
_FIRST = ("variance", "xavier", "he")
registry.FIRST_WEIGHTS.add(**dict.fromkeys(_FIRST, "senna.lab.training"))
registry.THAWING.add(**dict.fromkeys(("gradual", "chain"), "senna.lab.training"))
registry.MONITORS.add(units="senna.lab.training")
_MARGINS = ("word_hinge", "word_binary", "word_log", "hinge", "perceptron")
registry.CRITERIA.add("senna.lab.criteria", **dict.fromkeys(_MARGINS, "senna.lab.criteria.margins"))
registry.CRITERIA.add(greedy="senna.lab.criteria.greedy")
registry.OTHER_HEADS.add(
    greedy="senna.lab.criteria.greedy",
    state="senna.lab.heads",
    levels="senna.lab.levels",
)
registry.DECODERS.add(states="senna.lab.state_transitions")
registry.DECODERS.add(greedy="senna.lab.criteria.greedy", levels="senna.lab.levels")
registry.FORM_TABLES.add(**dict.fromkeys(("stem", "cluster", "ngrams"), "senna.lab.form_features"))
_POOLS = ("last", "ends", "k_max", "k_regions")
registry.POOLING.add(**dict.fromkeys(_POOLS, "senna.lab.pooling"))
registry.TORCH_POOLING.add(**dict.fromkeys(_POOLS, "senna.lab.heads"))
registry.ARC_LOSSES.add(trees="senna.lab.heads")
registry.LETTERS.add(recurrent="senna.lab.networks.recurrent", ngrams="senna.lab.form_features")
registry.FORM_LAYERS.add(
    recurrent="senna.lab.networks.recurrent", ngrams="senna.lab.networks.feedforward"
)
registry.SOFT_LABELS.add(soft="senna.lab.soft_labels")
registry.TRIMMED.add(levels="senna.lab.trees")
registry.LABELLED_TREES.add(nodes="senna.lab.trees")
registry.SERIES.add(repetition="senna.lab.repetition")
registry.COMMANDS.add(
    runs="senna.lab.cli.runs",
    ensemble="senna.lab.cli.ensemble",
    neighbors="senna.lab.cli.vectors",
    vectors="senna.lab.cli.vectors",
)
