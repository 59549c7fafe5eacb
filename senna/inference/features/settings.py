"""The settings of the features of a word: its lookup tables (section 3.2, eq. 2)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated

from senna.model.schema import NgramFeature, TreeFeature
from senna.settings import FAR, SIZE, Option, choice, number
from senna.tasks import N_LEVELS, PARSER, TAGGING, TREE_LEVELS, in_task_order


@dataclass(frozen=True)
class WordFeature:
    """The lookup table of words (section 3.2)."""

    # numbers per word; 0: as many as the vectors have, or without vectors no table of words
    size: Annotated[int, number(0, SIZE)] = 50
    embeddings: str = ""  # file or folder of vectors to start from; "base": the package's table
    # element deviation the vectors are brought to; 0 leaves them
    scale: Annotated[float, number()] = 0.12
    min_count: Annotated[int, number()] = 1  # rarer words without a vector are RARE
    fixed: bool = False  # leave the vectors as they are (table 13)
    # share of the words seen once that training replaces by RARE
    rare: Annotated[float, number(0, 1)] = 0.0

    @property
    def used(self) -> bool:
        """Whether words have a table."""
        return bool(self.size or self.embeddings)


@dataclass(frozen=True)
class CapsFeature:
    """The paper's four values of capitals (section 3.5).

    With a share above 0 the model learns to recognise sentences whose capitals carry no
    information, from copies of its sentences: so many of them for each sentence.
    """

    size: Annotated[int, number(0, SIZE)] = 5
    caseless: Annotated[float, number(0, FAR)] = 0.0  # copies that are read without capitals
    titled: Annotated[float, number(0, FAR)] = 0.0  # copies with a capital for every word

    @property
    def marks(self) -> bool:
        """Whether sentences are read as `senna.text.capitals` marks them."""
        return self.caseless > 0 or self.titled > 0


@dataclass(frozen=True)
class AffixFeature:
    """First or last letters of a word, one lookup table per length (section 6.1)."""

    size: Annotated[int, number(0, SIZE)] = 0  # numbers per affix; 0: feature not used
    lengths: Annotated[tuple[int, ...], number(1, 100, empty=True, distinct=True)] = (2,)
    min_count: Annotated[int, number()] = 3  # rarer affixes share one row


@dataclass(frozen=True)
class CharacterFeature:
    """A small convolution over a word's letters and the maximum over them, or the ends of LSTMs."""

    filters: Annotated[int, number(0, SIZE)] = 0  # numbers per word; 0: feature not used
    size: Annotated[int, number(1, SIZE)] = 25  # numbers per letter
    width: Annotated[int, number(1, FAR, odd=True)] = 3  # letters a filter sees
    # "recurrent": an LSTM from the first letter and one from the last, half of the numbers each
    kind: Annotated[str, choice("convolution", "recurrent")] = "convolution"


@dataclass(frozen=True)
class StemFeature:
    """The ending that Porter's stemmer strips from a word (section 6.1)."""

    size: Annotated[int, number(0, SIZE)] = 0  # numbers per ending; 0: feature not used
    min_count: Annotated[int, number()] = 3  # rarer endings share one row


@dataclass(frozen=True)
class ClusterFeature:
    """First branches of the paths of words' clusters, one lookup table per length (section 6.6)."""

    file: str = ""  # by `senna vectors cluster`; empty: feature not used
    size: Annotated[int, number(1, SIZE)] = 12  # numbers per table


@dataclass(frozen=True)
class TagFeature:
    """The tags of another task: of our own model, or of a column (sections 6.3 and 6.5)."""

    size: Annotated[int, number(0, SIZE)] = 0  # numbers per tag; 0: feature not used
    source: Annotated[str, choice("model", "column")] = (
        "model"  # predicted, or the corpus' own column
    )
    # folder of the task's model; empty: the one in the package
    model: str = ""
    # folder of fold-0, fold-1, ...: models that have not seen the sentence
    folds: str = ""


@dataclass(frozen=True)
class LevelFeature:
    """Levels of the parse tree, each with a lookup table of its tags (section 6.5)."""

    size: Annotated[int, number(0, SIZE)] = 0  # numbers per tag; 0: feature not used
    last: Annotated[int, number(0, N_LEVELS - 1)] = N_LEVELS - 1  # levels 0 to this one
    # of the tree that our own model predicts, or the corpus' own (`levels` of its sources)
    source: Annotated[str, choice("model", "column")] = "model"
    # folder of the parser's model; empty: the one in the package
    model: str = ""
    folds: str = ""  # as of tags

    @property
    def names(self) -> tuple[str, ...]:
        """Those of its levels, if it is used."""
        return TREE_LEVELS[: self.last + 1] if self.size else ()

    @property
    def of_model(self) -> bool:
        """Whether a parser makes them."""
        return self.size > 0 and self.source == "model"


@dataclass(frozen=True)
class GazetteerFeature:
    """Phrase lists, one per type, matched without regard to case (section 6.2)."""

    size: Annotated[int, number(0, SIZE)] = 0  # numbers per type; 0: feature not used
    files: tuple[str, ...] = ()  # <type>.txt, also .gz or .xz; or folders of them
    # "position": begin, inside, end, single; "on_off": the paper's
    coding: Annotated[str, choice("position", "on_off")] = "position"


@dataclass(frozen=True)
class Features:
    """All lookup tables of a word (eq. 2); a size of 0 leaves one out."""

    word: WordFeature = WordFeature()
    caps: CapsFeature = CapsFeature()
    prefix: AffixFeature = AffixFeature()
    suffix: AffixFeature = AffixFeature()
    stem: StemFeature = StemFeature()
    characters: CharacterFeature = CharacterFeature()
    clusters: ClusterFeature = ClusterFeature()
    ngrams: NgramFeature = NgramFeature()
    # by task
    tags: Annotated[dict[str, TagFeature], Option(names=TAGGING)] = field(default_factory=dict)
    levels: LevelFeature = LevelFeature()
    tree: TreeFeature = TreeFeature()
    gazetteer: GazetteerFeature = GazetteerFeature()
    # sum: of tables of one size
    joined: Annotated[str, choice("concatenate", "sum")] = "concatenate"
    # all tables but that of words are the identity (eq. 18); sizes above 0 say which are used
    one_hot: bool = False
    # folder of a recurrent language model whose states join a word's features; only PyTorch
    # computes them: for teachers, whose models `senna tag` refuses
    states: str = ""

    @property
    def tag_sizes(self) -> dict[str, int]:
        """Numbers per tag of the tasks and levels whose tags are used, as a layer's input has them.

        Tasks come in their order, then levels.
        """
        tasks = {name: self.tags[name].size for name in in_task_order(self.tags)}
        used = {name: size for name, size in tasks.items() if size}
        return used | dict.fromkeys(self.levels.names, self.levels.size)

    @property
    def wrong(self) -> str:
        """The errors of the sizes of tables."""
        forms = {
            "caps": self.caps.size,
            "prefix": self.prefix.size if self.prefix.lengths else 0,
            "suffix": self.suffix.size if self.suffix.lengths else 0,
            "stem": self.stem.size,
            "characters": self.characters.filters,
            "clusters": self.clusters.size if self.clusters.file else 0,
        }
        if not self.word.used and not any(forms.values()):
            return f"features.word.size = 0 needs vectors or another table ({', '.join(forms)})"
        sizes = forms | {"gazetteer": self.gazetteer.size} | self.tag_sizes
        for name, size in sizes.items() if self.joined == "sum" and self.word.size else ():
            if size not in (0, self.word.size):
                what = f"words have {self.word.size} numbers, {name} {size}"
                return f'features.joined = "sum" needs tables of one size: {what}'
        return ""

    @property
    def of_models(self) -> dict[str, TagFeature | TreeFeature | LevelFeature]:
        """The features that a model of another task makes, by that task.

        Levels are those of the same trees as the tree, if that is used.
        """
        used: dict[str, TagFeature | TreeFeature | LevelFeature] = {
            name: self.tags[name]
            for name in in_task_order(self.tags)
            if self.tags[name].size and self.tags[name].source == "model"
        }
        if self.tree.used:
            used[PARSER] = self.tree
        elif self.levels.of_model:
            used[PARSER] = self.levels
        return used
