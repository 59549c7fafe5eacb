"""From what a run is asked to do to one configuration."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from senna.config import Config, DataConfig, Source, default_config, override, read_config
from senna.errors import SennaError
from senna.files import resource

Say = Callable[[str], None]


def resolve(
    tasks: list[str],
    path: Path | None,
    settings: list[str],
    values: Mapping[str, object],
    own: dict[str, list[Path]],
    columns: str,
    corpus: str,
    data_dir: Path | None,
    say: Say,
) -> tuple[Config, str]:
    """The complete configuration of a run, and why it learns from the demonstration corpus if so.

    `values` are those of options, by dotted key; `settings`, as key=value, stand over them.
    Where the default corpora can be neither found nor downloaded, the demonstration corpus
    stands in for them; corpora that the user named must be there.
    """
    if not tasks and path is None:
        raise SennaError("which task?", where="--task", mend="Example: senna train --task ner")
    config = default_config(tasks) if path is None else read_config(path, tasks, say)
    config = override(config, settings, values)
    if any(own.values()):
        return replace(config, data=own_data(config, own, columns)), ""
    if corpus == "demo":
        return with_demo(config), "--corpus demo"
    if corpus:
        names = {t: DataConfig((Source(corpus),), (Source(corpus),)) for t in config.tasks}
        config = replace(config, data=names)
    from senna.training.run import obtain

    if corpus or path is not None or data_dir is not None:
        obtain(config, data_dir, say)
        return config, ""
    try:
        _reach_first(config)
        obtain(config, data_dir, say)
    except SennaError as error:
        return with_demo(config), str(error)
    return config, ""


def _reach_first(config: Config) -> None:
    """Ask for the first file that must be downloaded.

    Where it cannot be had, the demonstration corpus stands in before anything else is said.
    """
    from senna.corpora import store
    from senna.corpora.catalogue import entry_of, read_catalogue
    from senna.corpora.download import reach, stored_path

    catalogue = read_catalogue()
    for own in config.data.values():
        for used in (*own.train, *own.dev, *own.test):
            if Path(used.corpus).is_file() or store.lookup(used.corpus, catalogue=catalogue):
                continue
            for source in entry_of(used.corpus, catalogue).sources:
                if not stored_path(source, store.cache_folder() / "sources").is_file():
                    return reach(source)


def own_data(config: Config, own: dict[str, list[Path]], columns: str) -> dict[str, DataConfig]:
    """The user's own files as the data of the one task."""
    if len(config.tasks) != 1:
        raise SennaError("--train, --dev and --test are for one task", where="--task")
    if not own["train"]:
        raise SennaError("--dev or --test without --train", where="--train")
    for path in (path for paths in own.values() for path in paths):
        if not path.is_file():
            raise SennaError("no such file", where=str(path))
    train, dev, test = (
        tuple(Source(str(path), columns=columns) for path in own[split])
        for split in ("train", "dev", "test")
    )
    before = config.data.get(config.tasks[0], DataConfig())
    share = 0.0 if dev else 0.1
    made = replace(before, train=train, dev=dev, test=test, dev_share=share)
    return {config.tasks[0]: made}


def with_demo(config: Config) -> Config:
    """The same run on the demonstration corpus."""
    from senna.training.run import DEMO_NOTICE, demo_data

    folder = resource("data/demo")
    data = {task: demo_data(task, folder) for task in config.tasks}
    return replace(config, data=data, notes=(*config.notes, DEMO_NOTICE))
