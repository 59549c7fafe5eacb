"""What models find in text as PyTorch computes them: teachers that no model folder can tag with."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch

from senna.errors import SennaError
from senna.model.folder import ModelFolder
from senna.tasks import TAGGING
from senna.training.examples.corpora import TaskCorpus, annotated
from senna.training.examples.data import Example
from senna.training.loop import Trainer
from senna.training.origin import fine_tuning
from senna.training.start_from import setup_from


def annotate(
    folder: ModelFolder, task: str, sentences: Sequence[Sequence[str]], device: torch.device
) -> list[Any]:
    """The tags of a task that the model of a folder gives each sentence of forms.

    Raises SennaError for tasks other than tagging, and for a model that has not the task.
    """
    if task not in TAGGING:
        raise SennaError(f"a teacher tags words, not {task}", where=str(folder.path))
    config = fine_tuning(folder, [task])
    outside = folder.lines(f"{task}.tags.txt")[0]
    # The tags are read by nobody: the sentences are to be tagged.
    examples = [Example(list(forms), [outside] * len(forms)) for forms in sentences]
    corpora = annotated(config.features, {task: TaskCorpus([], [("text", examples)])})
    setup = setup_from(folder, config, corpora, device)
    [sets] = setup.numbered.tasks
    return Trainer(config.train, setup.model, setup.batches, Path()).predict(sets, sets.dev)
