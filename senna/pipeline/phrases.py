"""A user's own phrases: what they add to the lists of models, and names wherever they occur."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from senna.errors import SennaError
from senna.inference.networks.base import Network
from senna.tasks import TASKS
from senna.text.gazetteer import Gazetteer

Lists = Mapping[str, Sequence[str]]  # phrases by their types


def always(lists: Lists) -> Gazetteer:
    """The phrases that are names wherever they occur."""
    return Gazetteer(tuple(lists), ()).extended(lists)


def with_phrases(networks: Sequence[Network], lists: Lists, force: bool) -> Gazetteer | None:
    """Add a user's phrases to the lists of models just loaded; or (`force`) what fixes them.

    Each type must be one of which some model has a list; with `force` it may be new.
    """
    where = "--gazetteer"
    if not lists:
        raise SennaError(f"it needs {where}, the phrases", where="--force")
    for kind in lists:
        if not kind or str(kind).split() != [kind]:
            what = f"{kind!r} is not the name of a type" if kind else "a type has no name"
            raise SennaError(what, where=where, remedy="For example PER.")
    if force:
        if not any(TASKS[task].names for network in networks for task in network.tasks):
            raise SennaError("no model of names is loaded", where="--force", remedy="Add task ner.")
        return always(lists)
    layers = [layer for network in networks for layer in network.lists]
    known = {kind for layer in layers if layer.gazetteer for kind in layer.gazetteer.types}
    for kind in lists:
        if kind not in known:
            remedy = f"Known: {', '.join(sorted(known)) or 'none'}; other types need --force."
            raise SennaError(f"no model has phrases of type {kind!r}", where=where, remedy=remedy)
    for layer in layers:
        if layer.gazetteer is not None:
            layer.gazetteer = layer.gazetteer.extended(lists)
    return None
