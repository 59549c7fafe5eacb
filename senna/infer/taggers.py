"""Which network a model folder is for."""

from __future__ import annotations

from senna.errors import SennaError
from senna.infer.first_layer import Forms
from senna.infer.gated import GatedTagger
from senna.infer.lookup import WordTable
from senna.infer.model_folder import ModelFolder
from senna.infer.network import Tagger, WindowTagger
from senna.infer.sentence import SentenceTagger


def load_tagger(folder: ModelFolder, words: WordTable, forms: Forms) -> Tagger:
    """The network of a model folder, of the kind that its model.toml names."""
    kind = folder.meta["network"].get("kind", "window")
    if kind == "window":
        return WindowTagger(folder, words, forms)
    if kind == "gated":
        return GatedTagger(folder, words, forms)
    if kind == "sentence":
        return SentenceTagger(folder, words, forms)
    raise SennaError(
        f"a network of the kind {kind!r}", where=str(folder.path), mend="Install a newer senna."
    )
