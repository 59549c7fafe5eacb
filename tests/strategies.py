"""What hypothesis draws: words, sentences, tag sets and whole configurations."""

from __future__ import annotations

from hypothesis import strategies as st

from senna.config import Config, DataConfig, Export, NetworkConfig, Source, Training
from senna.features.affixes import AffixFeature
from senna.features.caps import CapsFeature
from senna.features.letters import CharacterFeature
from senna.features.settings import (
    ClusterFeature,
    Features,
    GazetteerFeature,
    LevelFeature,
    NgramFeature,
    StemFeature,
    TagFeature,
    WordFeature,
)
from senna.heads.settings import TreeConfig
from senna.lab.networks.settings import RecurrentConfig
from senna.networks.settings import GatedConfig, SentenceConfig, WindowConfig
from senna.tasks import LEARNT, TAGGING

# Any Unicode that UTF-8 can write: no surrogates.
characters = st.characters(exclude_categories=["Cs"])
any_text = st.text(characters, max_size=12)
any_word = st.text(characters, min_size=1, max_size=30)
ascii_word = st.text("abcdeABC019.-'\\/*`", min_size=1, max_size=8)
words = ascii_word | any_word
sentences = st.lists(words, min_size=1, max_size=12)
# An entry of a vocabulary stands on one line.
entries = st.lists(
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n"), max_size=6),
    max_size=12,
    unique=True,
)

fractions = st.floats(0, 0.9999)
numbers = st.floats(0, 1e6)
sizes = st.integers(0, 100)
counts = st.integers(1, 100)
odd = st.integers(0, 4).map(lambda k: 2 * k + 1)
names = st.lists(any_text, max_size=3).map(tuple)
lengths = st.lists(st.integers(1, 5), min_size=1, max_size=3, unique=True).map(tuple)

sources = st.builds(
    Source,
    corpus=any_text,
    split=st.sampled_from(["", "train", "dev", "test"]),
    columns=any_text,
    weight=st.floats(0, 1000),
    unlabelled=names,
)
source_lists = st.lists(sources, max_size=3).map(tuple)
data_configs = st.builds(
    DataConfig,
    train=source_lists,
    dev=source_lists,
    test=source_lists,
    merge_to=st.booleans(),
    dev_share=fractions,
    fold=st.sampled_from(["", "0/1", "2/5"]),
)
affixes = st.builds(AffixFeature, size=sizes, lengths=lengths, min_count=sizes)
features = st.builds(
    Features,
    word=st.builds(
        WordFeature,
        size=st.integers(1, 300),
        embeddings=any_text,
        scale=numbers,
        min_count=sizes,
        fixed=st.booleans(),
        rare=fractions,
    ),
    caps=st.builds(CapsFeature, size=sizes),
    prefix=affixes,
    suffix=affixes,
    stem=st.builds(StemFeature, size=sizes, min_count=sizes),
    characters=st.builds(CharacterFeature, filters=sizes, size=counts, width=odd),
    clusters=st.builds(ClusterFeature, file=any_text, size=counts),
    tags=st.dictionaries(
        st.sampled_from(TAGGING),
        st.builds(
            TagFeature,
            size=sizes,
            source=st.sampled_from(["model", "column"]),
            model=any_text,
            folds=any_text,
        ),
        max_size=3,
    ),
    ngrams=st.builds(NgramFeature, buckets=sizes, least=st.integers(1, 3), most=st.integers(3, 9)),
    levels=st.builds(LevelFeature, size=sizes, last=st.integers(0, 4), source=st.just("column")),
    gazetteer=st.builds(
        GazetteerFeature, size=sizes, files=names, coding=st.sampled_from(["position", "on_off"])
    ),
)


far = st.lists(counts, max_size=3).map(tuple)


@st.composite
def windows(draw: st.DrawFn) -> WindowConfig:
    """One to three hidden layers, the last ones perhaps without a width of their own."""
    n = draw(st.integers(1, 3))
    return WindowConfig(
        widths=tuple(draw(st.lists(odd, min_size=1, max_size=n))),
        hidden=tuple(draw(st.lists(st.integers(1, 500), min_size=n, max_size=n))),
        shared=draw(st.integers(1, n)),
        unit=draw(st.sampled_from(["hardtanh", "tanh", "sigmoid", "relu", "cube", "tanh-cube"])),
    )


trees = st.builds(
    TreeConfig,
    parser=st.sampled_from(["spans", "levels"]),
    units=counts,
    labels=counts,
    node=counts,
    node_dilations=far,
)
networks = st.builds(
    NetworkConfig,
    tree=trees,
    kind=st.sampled_from(["window", "sentence", "gated", "recurrent"]),
    constrained=st.booleans(),
    initial=st.sampled_from(["small", "deviation", "variance", "xavier", "he"]),
    window=windows(),
    sentence=st.builds(
        SentenceConfig,
        width=odd,
        units=counts,
        hidden=counts,
        distance=counts,
        distance_size=counts,
    ),
    recurrent=st.builds(
        RecurrentConfig,
        cell=st.sampled_from(["elman", "irnn", "lstm", "gru", "scrn"]),
        units=counts,
        layers=counts,
        skip=st.booleans(),
        distance=counts,
    ),
    gated=st.builds(
        GatedConfig,
        units=counts,
        width=odd,
        dilations=st.lists(counts, min_size=1, max_size=3).map(tuple),
        distance=counts,
        pair=counts,
        pair_dilations=far,
    ),
)
trainings = st.builds(
    Training,
    criterion=st.sampled_from(["sentence", "word"]),
    optimiser=st.sampled_from(["adam", "sgd", "nesterov", "adadelta"]),
    learning_rate=st.floats(1e-9, 10),
    schedule=st.sampled_from(["constant", "linear", "cosine"]),
    batch=st.integers(1, 1000),
    epochs=st.integers(1, 1000),
    patience=sizes,
    l2=fractions,
    dropout_input=fractions,
    dropout_hidden=fractions,
    clip=numbers,
    average=fractions,
    seed=st.integers(0, 2**31),
)
configs = st.builds(
    Config,
    tasks=st.lists(st.sampled_from(list(LEARNT)), max_size=3, unique=True).map(tuple),
    notes=names,
    data=st.dictionaries(st.sampled_from(list(LEARNT)), data_configs, max_size=2),
    features=features,
    network=networks,
    train=trainings,
    export=st.builds(
        Export, numbers=st.sampled_from(["float32", "float16", "int8"]), base=any_text
    ),
)
