"""Tables of the package's parts by name: networks, criteria, heads, formats, scorers, commands.

A part is imported when its name is asked for. The leaves of the package add their parts when they
are imported, which happens once a name is not known or all names are listed: so no other module
names a leaf.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from senna.errors import SennaError

LEAVES = ("formats", "scoring", "corpora", "drawing", "extras", "serve", "pretraining", "lab")
# The small build, without CUDA.
PYTORCH = "pip install torch -i https://download.pytorch.org/whl/cpu"
_KNOWN = set[str]()  # the modules of all places of all tables, and those that are no parts


class Table(Mapping[str, Any]):
    """The parts of one sort. `table[name]` imports a part; KeyError for an unknown name.

    A part is what a module has by the name `attribute`, or the entry of its name if that is a
    dictionary; the module itself if `attribute` is empty. `places` has the module of each part; a
    module in one of `packages` that it does not name is found by a search, if it has the attribute.
    """

    def __init__(self, attribute: str, *packages: str, **places: str) -> None:
        self.attribute, self.packages, self.places = attribute, [*packages], dict[str, str]()
        self.add(**places)

    def add(self, *packages: str, **places: str) -> None:
        """Add packages, and parts by their modules; underscores in names stand for hyphens."""
        self.packages += packages
        self.places |= {name.replace("_", "-"): place for name, place in places.items()}
        _KNOWN.update(places.values())

    def __getitem__(self, name: str) -> Any:
        if name not in self:
            raise KeyError(name)
        part = self._part(self.places[name])
        return part[name] if isinstance(part, dict) else part

    def __contains__(self, name: object) -> bool:
        if name not in self.places:
            import_leaves()
        if name not in self.places:
            self._search()
        return name in self.places

    def __iter__(self) -> Iterator[str]:
        import_leaves()
        self._search()
        return iter(sorted(self.places, key=self._leaf))  # whichever leaf was imported first

    def _leaf(self, name: str) -> int:
        """The number of the leaf that a part is in; 0 for the rest of the package."""
        package = self.places[name].split(".")[1]
        return LEAVES.index(package) + 1 if package in LEAVES else 0

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __bool__(self) -> bool:
        return True

    def _search(self) -> None:
        for package in self.packages:
            for module in iter_modules(import_module(package).__path__, f"{package}."):
                stem = module.name.rpartition(".")[2]
                part = None if module.name in _KNOWN else self._part(module.name)
                names = part if isinstance(part, dict) else [stem.replace("_", "-")]
                self.places |= dict.fromkeys(names if part else (), module.name)

    def _part(self, place: str) -> Any:
        """Import a module and return its part; SennaError if it needs PyTorch, which is missing."""
        try:
            module = import_module(place)
        except ModuleNotFoundError as error:
            if error.name != "torch":
                raise
            what = f"{place} needs PyTorch, which is not installed"
            raise SennaError(what, remedy=PYTORCH) from None
        return getattr(module, self.attribute, None) if self.attribute else module


def import_leaves() -> None:
    """Let the leaves add their parts."""
    for leaf in LEAVES:
        import_module(f"senna.{leaf}")


def no_parts(package: str, *names: str) -> None:
    """Spare a search the import of modules that hold what several parts share."""
    _KNOWN.update(f"{package}.{name}" for name in names)


def places(package: str, *names: str) -> dict[str, str]:
    """Parts whose modules in a package have their names."""
    return {name: f"{package}.{name}" for name in names}


_KINDS = ("window", "sentence", "gated")
# Networks by `network.kind`: in NumPy, in PyTorch, and the classes of their settings.
NETWORKS = Table(
    "NETWORK", "senna.inference.networks", **places("senna.inference.networks", *_KINDS)
)
LEARNERS = Table("NETWORK", "senna.training.networks", **places("senna.training.networks", *_KINDS))
NETWORK_SETTINGS = Table(
    "SETTINGS",
    "senna.inference.networks",
    **dict.fromkeys(_KINDS, "senna.inference.networks.settings"),
)
CRITERIA = Table("CRITERIA", **dict.fromkeys(("sentence", "word"), "senna.training.criteria"))
# Optimisers and schedules of the learning rate by their settings, and the first weights of a layer.
OPTIMISERS = Table("OPTIMISERS", **dict.fromkeys(("adam", "sgd"), "senna.training.optimisers"))
SCHEDULES = Table("SCHEDULES", **dict.fromkeys(("constant", "linear"), "senna.training.optimisers"))
THAWING = Table("THAWING")  # which weights learn in a phase, by `train.thawing`
MONITORS = Table("")  # what is told of training data, and measured after each epoch
FIRST_WEIGHTS = Table("FIRST_WEIGHTS", small="senna.training.layers.weights")
# Heads by `Task.head`, in NumPy and in PyTorch.
_HEADS = ("tags", "roles", "trees", "dependencies", "lemmas", "labels")
HEADS = Table("head", "senna.kinds", **{name: f"senna.kinds.{name}.head" for name in _HEADS})
LEARNER_HEADS = Table("head", "senna.training.heads", **places("senna.training.heads", *_HEADS))
LEARNER_HEADS.add(lemmas="senna.training.heads.tags")
# In place of a task's usual head, by a criterion, transitions or a parser: in PyTorch, and how a
# model's tags or trees are found in NumPy.
OTHER_HEADS = Table("HEADS")
# How the words of a sentence are pooled, in NumPy and in PyTorch.
POOLING = Table("POOLING", **dict.fromkeys(("mean", "max"), "senna.kinds.labels.head"))
TORCH_POOLING = Table("POOLING", **dict.fromkeys(("mean", "max"), "senna.training.heads.labels"))
ARC_LOSSES = Table("ARC_LOSSES", heads="senna.training.heads.dependencies")
DECODERS = Table("DECODERS")
# Lookup tables of forms by their arrays.
_FORMS = ("caps", "prefix", "suffix", "letters")
FORM_TABLES = Table(
    "TABLES",
    "senna.inference.features",
    **dict.fromkeys(_FORMS, "senna.inference.features.forms"),
)
LETTERS = Table("LETTERS")  # layers over letters and their n-grams in NumPy
# Layers over the letters of forms by `features.characters.kind`, and over their n-grams.
FORM_LAYERS = Table("LAYERS", convolution="senna.training.layers.lookup")
SENTENCE_FEATURES = Table("FEATURES")  # vectors that depend on the sentence, by their settings
SOFT_LABELS = Table("")  # how probabilities of tags are learnt
TRIMMED = Table("")  # levels of trees as tags of words
LABELLED_TREES = Table("")  # how labels of the nodes of trees are read
STARTS = Table("")  # parts of another network that a new one starts with
SERIES = Table("")  # several runs of one configuration
# Kinds of answers by `Task.output`.
OUTPUTS = Table(
    "OUTPUTS",
    "senna.kinds",
    **dict.fromkeys(("tags", "phrases", "segments", "values"), "senna.kinds.tags.answer"),
    **dict.fromkeys(("roles", "marks"), "senna.kinds.roles.answer"),
    **{n: f"senna.kinds.{n}.answer" for n in ("trees", "dependencies", "lemmas", "labels")},
)
RULES = Table("")  # that find the answers of a task, by its name
SEARCH = Table("")  # patterns of words and tags, and their matches
VECTORS = Table("")  # files of word vectors
INPUTS = Table("INPUTS", text="senna.formats.text")  # formats that are read
READERS = Table("")  # of gold sentences, tagged files, pages, CoNLL-U and lists of predicates
FORMATS = Table("FORMATS", columns="senna.formats.columns")  # formats that are written
CORPORA = Table("")  # the catalogue of public corpora, and the store of those obtained
SCORERS = Table("", "senna.scoring")  # of other programs: their figures and reports
REPORTS = Table("REPORTS", "senna.kinds")  # of `senna eval`, by `Task.output`
DRAWINGS = Table("")
COMMANDS = Table("", **places("senna.cli", "tag", "explain", "train", "eval", "models"))
MODEL_COMMANDS = Table("")  # of `senna models`, beside those of senna.cli.models
