"""The recurrent network at tagging time: see `senna.training.networks.recurrent`."""

from __future__ import annotations

from typing import ClassVar

from senna.errors import SennaError
from senna.infer.heads import TagHead
from senna.infer.labels import LabelHead
from senna.infer.lookup import WordTable
from senna.infer.network import Network
from senna.infer.networks.gated import GatedConfig, GatedRoles
from senna.infer.products import Floats
from senna.infer.recurrence import CellLayer, RecurrentConfig
from senna.infer.workspace import Block, Workspace
from senna.model.folder import ModelFolder
from senna.model.schema import AGAIN


def role_layers(settings: RecurrentConfig) -> GatedConfig:
    """The layers of roles above: those of the gated network, without its convolutions."""
    units = settings.directions * settings.units
    return GatedConfig(units, distance=settings.distance, pair=settings.pair, pair_dilations=())


class RecurrentNetwork(Network):
    """Recurrent layers, and a head a task."""

    SETTINGS: ClassVar = RecurrentConfig

    def __init__(self, folder: ModelFolder, words: WordTable, settings: RecurrentConfig) -> None:
        if settings.wrong:
            raise SennaError(settings.wrong, where=str(folder.path / "model.toml"), mend=AGAIN)
        units = settings.directions * settings.units
        super().__init__(folder, words, 1, settings.gates * units)
        self.layers = [  # what words give to the gates of the first layer is in `FirstLayer`
            CellLayer(folder, f"layer-{i}", settings, units if i else None)
            for i in range(settings.layers)
        ]
        self.add_heads(
            tags=lambda folder, task: TagHead(folder, task, units),
            roles=lambda folder, task: GatedRoles(folder, task, role_layers(settings)),
            labels=lambda folder, task: LabelHead(folder, task, units),
        )

    def encode(self, block: Block, space: Workspace) -> Floats:
        x = self.first(block, space)
        for layer in self.layers:
            x = layer(x, block.lengths)
        return x
