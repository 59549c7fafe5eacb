"""Fine-tune a pretrained encoder on gold corpora, and label text with it for `senna train`.

usage: python recipe/teacher/teach.py --encoder DIR --config configs/teacher/names.toml --out DIR
           [--text FILE]... [--words 6e6] [--least 60] [--open 0] [--set KEY=VALUE]...
           [--corpus demo] [--device cuda]

DIR of --encoder is a local folder for `transformers`: config.json, tokenizer.json and
model.safetensors. configs/teacher has names.toml, syntax.toml and roles.toml; a configuration of
your own needs `criterion = "word"`. Dev scores are printed after each epoch. Text is split as
`senna tag` splits it; its labels are written to DIR/TASK.xz, in the formats that `senna train`
reads. A sentence is left out if it has fewer than 3 or more than 60 words, or if the probability of
a tag of its least certain word is below --least (of 255). Of sentences without a name, ner.xz has
one in five; those with a MISC name and a probability below --open go to ner-open.xz without their
MISC names. Roles are labelled where the model of `predicates` in the package finds verbs.
"""

import argparse
import lzma
import random
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import torch
from encoder import TABLE, TeacherNetwork, subword_table
from unpack import Writers, formatted, write_named

import senna
from senna.annotation.predicates import Predicate
from senna.annotation.trees import Tree, constituents, tree_of
from senna.corpora.store import demo_data, obtain
from senna.files import resource
from senna.tasks import TASKS
from senna.training import build as building
from senna.training.config import override, read_config
from senna.training.examples.batches import Batches
from senna.training.examples.corpora import Example, read_corpora
from senna.training.examples.encode import Numbering, TaskSets
from senna.training.loop import device_of
from senna.training.optimisers import Descent
from senna.training.trainer import Trainer

SIZES = range(3, 61)  # words of a sentence that is labelled
GROUP = 2_000  # sentences labelled together
ENCODER_RATE = 5e-5
WARM_UP = 0.1  # share of the steps in which the rate rises


class TeacherDescent(Descent):
    """AdamW with a rate of its own for the encoder, and a warm-up."""

    def begin(self, share: float = 1.0) -> None:
        encoder = list(self.model.encoder.parameters())
        known = {id(self.model.inputs.word), *map(id, encoder)}
        rest = [weights for weights in self.model.parameters() if id(weights) not in known]
        self.rates = [[ENCODER_RATE * share, self.train.learning_rate * share]]
        pairs = zip((encoder, rest), self.rates[0], strict=True)
        groups = [{"params": weights, "lr": rate} for weights, rate in pairs]
        self.optimisers = [torch.optim.AdamW(groups, weight_decay=0.01)]
        self.regularised = []

    def prepare(self, done: float, step: int) -> None:
        share = min(done / WARM_UP, (1 - done) / (1 - WARM_UP))
        for group, rate in zip(self.optimisers[0].param_groups, self.rates[0], strict=True):
            group["lr"] = rate * share
        self.optimisers[0].zero_grad(set_to_none=True)


class TeacherTrainer(Trainer):
    """Learns by that descent."""

    DESCENT = TeacherDescent


def teach(config: Any, folder: Path, out: Path, device: torch.device) -> tuple[Any, Trainer]:
    """Train; returns what was built and the trainer with the best weights."""
    obtain(config.data, None, print)
    corpora = read_corpora(config.tasks, config.data, None, config.features)
    building.LEARNERS = {config.network.kind: partial(TeacherNetwork, folder)}
    setup = building.build(config, corpora, torch.device("cpu"))
    setup.numbered.ids[TABLE] = subword_table(folder, list(setup.numbered.forms))
    setup.model.to(device)
    batches = Batches(setup.numbered, device, 0.0)
    trainer = TeacherTrainer(config.train, setup.model, batches, out, print)
    trainer.run()
    return setup, trainer


# --------------------------------------------------------------------------- labels


def read_sentences(paths: Iterable[Path]) -> Iterator[list[str]]:
    """The sentences of text files, split as `senna tag` splits them."""
    nlp = senna.load(tasks="pos")
    for path in paths:
        opened = lzma.open if path.suffix == ".xz" else open
        with opened(path, "rt", encoding="utf-8") as lines:
            for doc in nlp.pipe(line.strip() for line in lines if line.strip()):
                for sentence in doc.sentences:
                    words = [token.text for token in sentence]
                    if len(words) in SIZES:
                        yield words


def label(
    setup: Any, trainer: Trainer, folder: Path, sentences: Sequence[list[str]]
) -> dict[str, list[Any]]:
    """The answers of each task for sentences, as `Example.gold`; their probabilities as `sure`."""
    answers: dict[str, list[Any]] = {"sure": [255] * len(sentences)}
    places = predicates_of(sentences) if "srl" in setup.config.tasks else None
    for sets in setup.numbered.tasks:
        task, numbering = sets.name, Numbering(setup.collected)
        gold = [empty(task, words, places and places[i]) for i, words in enumerate(sentences)]
        examples = [Example(words, answer) for words, answer in zip(sentences, gold, strict=True)]
        encoded = numbering.encode(task, examples)
        ids = setup.collected.features.ids(list(numbering.forms))
        numbered = replace(setup.numbered, forms=numbering.forms, ids=ids)
        ids["words"] = ids["words"] * 0  # no word table is read
        ids[TABLE] = subword_table(folder, list(numbering.forms))
        batches = trainer.examples.batches
        trainer.examples.batches = Batches(numbered, batches.device, 0.0)
        answers[task] = trainer.predict(sets, encoded)
        if TASKS[task].is_tagging:
            for i, sure in enumerate(least_sure(trainer, sets, encoded)):
                answers["sure"][i] = min(answers["sure"][i], sure)
    return answers


def empty(task: str, words: list[str], places: Sequence[int] | None) -> Any:
    """An answer of the right form for a sentence that has none."""
    if places is not None:
        return [Predicate(place, ["O"] * len(words)) for place in places]
    if task == "psg":
        return tree_of([], [Tree("", word=word) for word in words])
    return ["O"] * len(words) if TASKS[task].is_tagging else []


def predicates_of(sentences: Sequence[list[str]]) -> list[list[int]]:
    """The verbs of sentences, by the package's model."""
    nlp = senna.load(tasks="predicates")
    found = nlp.tag(sentences)["predicates"]
    return [[i for i, tag in enumerate(tags) if tag != "O"] for tags in found]


@torch.no_grad()
def least_sure(trainer: Trainer, sets: TaskSets, encoded: Sequence[Any]) -> Iterator[int]:
    """255 times the probability of the tag of each sentence's least certain word."""
    for start in range(0, len(encoded), 64):
        batch = trainer.examples.batches.batch(sets.name, encoded[start : start + 64])
        best = trainer.model(sets.name, batch).float().softmax(-1).amax(-1)
        inside = torch.arange(best.shape[1], device=best.device) < batch.lengths[:, None]
        yield from (255 * best.masked_fill(~inside, 1.0).amin(1)).int().tolist()


def written(task: str, words: list[str], of: dict[str, Any]) -> str:
    """One sentence in the format that `senna train` reads for a task, from a network's answers."""
    answer = of[task]
    if task == "psg":
        answer = [tuple(constituent) for constituent in constituents(answer)]
    elif task == "predicates":
        answer = [i for i, tag in enumerate(answer) if tag != "O"]
    return formatted(task, words, of | {task: answer})


def write(
    tasks: Sequence[str],
    words: list[str],
    of: dict[str, Any],
    chosen: argparse.Namespace,
    draw: random.Random,
    out: Writers,
) -> int:
    """Write one sentence to the files of its tasks; returns how many words the longest got."""
    if of["sure"] < chosen.least:
        return 0
    counts = [0]
    for task in tasks:
        if task == "ner":
            counts.append(write_named(words, of["ner"], of["sure"], chosen, draw, out))
        else:
            out.write(task, written(task, words, of))
            counts.append(len(words))
    return max(counts)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--encoder", type=Path, required=True)
    parser.add_argument("--config", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--text", type=Path, action="append", default=[])
    parser.add_argument("--words", type=float, default=6e6, help="labelled at most")
    parser.add_argument("--least", type=int, default=60)
    parser.add_argument("--open", type=int, default=0)
    parser.add_argument("--set", action="append", default=[])
    parser.add_argument("--corpus", choices=["demo"], help="the small corpus of the package")
    parser.add_argument("--device", default="cpu")
    chosen = parser.parse_args()
    chosen.out.mkdir(parents=True, exist_ok=True)
    config = override(read_config(chosen.config), chosen.set)
    if chosen.corpus:
        demo = resource("data/demo")
        config = replace(config, data={task: demo_data(task, demo) for task in config.tasks})
    setup, trainer = teach(config, chosen.encoder, chosen.out, device_of(chosen.device))
    sentences, n, draw = read_sentences(chosen.text), 0, random.Random(1)
    with ExitStack() as held:
        out = Writers(chosen.out, held)
        while n < chosen.words and (group := list(islice(sentences, GROUP))):
            answers = label(setup, trainer, chosen.encoder, group)
            for i, words in enumerate(group):
                of = {name: found[i] for name, found in answers.items()}
                n += write(config.tasks, words, of, chosen, draw, out)
    print(f"{n:,} words labelled")


if __name__ == "__main__":
    main()
