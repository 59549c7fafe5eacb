"""Files in, a file for each of them in a folder out, and checks of the names of output files."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

from senna.atomic import make_folder, put_text, replacing_packed, sweep
from senna.errors import SennaError
from senna.files import ending, unpacked_name
from senna.pipeline.files import check_files, input_by_suffix, options_for, output
from senna.pipeline.format import Piece, n_words
from senna.pipeline.jobs import in_order
from senna.pipeline.options import Options
from senna.pipeline.pipeline import Pipeline

OPTIONS = ".senna.json"  # in the folder: the options of its files, for --resume
# Endings of the names of files, where they are not the formats' own names.
ENDINGS = {"columns": "tsv", "spans": "tsv", "trees": "txt", "ansi": "txt"}
# What the end of a file's name says that is in it: formats that may have it.
FORMATS_OF = {
    ".html": ("html",), ".htm": ("html",), ".conllu": ("conllu",), ".conllup": ("conllup",),
    ".jsonl": ("jsonl", "doccano"), ".json": ("jsonl", "label-studio"), ".ann": ("brat",),
    ".tsv": ("columns", "spans", "tsv"), ".csv": ("csv",),
    ".parquet": ("parquet",), ".feather": (), ".arrow": (), ".xlsx": (),
    ".xml": (), ".pdf": (), ".docx": (), ".db": (),
}  # fmt: skip


def convert_each(
    files: Sequence[str | Path],
    folder: str | Path,
    format: str | None = None,
    *,
    jobs: int = 1,
    resume: bool = False,
    tagged: Callable[[int], object] = lambda n_words: None,
    skip: Callable[[SennaError], object] | None = None,
    **options: Any,
) -> Iterator[Path]:
    """Tag each file into a file of its own in a folder, and give the paths as they are finished.

    The name of `in.txt` becomes that of the format, for example `in.conllu`. `jobs` processes take
    one file after another. With `resume` files that are there are left as they are, unless their
    input is newer. Each file is written whole or not at all. Raises SennaError for options that do
    not fit, or that are not those of the files that are left, for two files with one name, and for
    the first file that cannot be read. `tagged` is called with the number of words, roughly, of
    each file, and `skip` in the place of raising with the error of a file, which is left out.
    """
    place = Path(folder)
    names = {str(file): unpacked_name(Path(file).name) for file in files}
    format = format or options_for([*names][:1], options).format
    end = ENDINGS.get(format, format)
    targets = {f: place / f"{name.rpartition('.')[0] or name}.{end}" for f, name in names.items()}
    _check_targets(targets)
    given = {"format": format, **options}
    given = {name: str(value) for name, value in given.items() if value not in (None, {}, [])}
    if resume:
        _check_options(place / OPTIONS, given)
    waiting = [pair for pair in targets.items() if not (resume and _is_done(*pair))]
    readings = {
        input_by_suffix([file]): options_for([file], {**options, "format": format})
        for file, _ in waiting
    }
    for pair in [*waiting]:
        try:
            check_files([pair[0]], readings[input_by_suffix([pair[0]])])
        except SennaError as error:
            if skip is None:
                raise
            skip(error)
            waiting.remove(pair)
    make_folder(place)
    put_text(place / OPTIONS, json.dumps(given, indent=1, ensure_ascii=False) + "\n")

    def written() -> Iterator[Path]:
        try:
            with closing(in_order(partial(_file_tagger, readings), iter(waiting), jobs)) as results:
                for (_, path), n in results:
                    if isinstance(n, int):
                        tagged(n)
                        yield path
                    elif skip is None:
                        raise n
                    else:
                        skip(n)
        finally:
            left = {path.name.rsplit(".", 2)[0] for path in place.glob("*.tmp")}
            for path in targets.values():  # what processes that were ended have left
                if path.name in left:
                    sweep(path)

    return written()


def _file_tagger(readings: Mapping[str, Options]) -> Callable[[tuple[str, Path]], int | SennaError]:
    """A function that tags one file after another, with models that are loaded once.

    readings: the options for files by their input formats.
    """
    models: list[Pipeline] = []

    def tag(pair: tuple[str, Path]) -> int | SennaError:
        (file, target), words = pair, list[int]()

        def count(piece: Piece) -> None:
            words.append(n_words(piece.content))

        reading = readings[input_by_suffix([file])]
        if not models:
            models.append(Pipeline.of(reading))
        try:
            with replacing_packed(target) as out:
                out.writelines(output([file], reading, tagged=count, load=lambda: models[0]))
        except SennaError as error:
            return error
        return sum(words)

    return tag


def _is_done(file: str, target: Path) -> bool:
    """Whether the output of a file is there, and the file has not changed since."""
    changed = os.path.getmtime(file) if os.path.exists(file) else 0.0
    return target.exists() and changed <= target.stat().st_mtime


def _check_options(path: Path, given: Mapping[str, str]) -> None:
    """Raise SennaError where the files that are there were tagged with other options."""
    try:
        before = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):  # of an earlier release, or none
        return
    for name in sorted({*before, *given}):
        if before.get(name) != given.get(name):
            what = f"its files were tagged with {name}: {before.get(name, 'the default')}"
            what += f", not {given.get(name, 'the default')}"
            remedy = "Give the same options, another --output-dir, or leave out --resume."
            raise SennaError(what, where=str(path.parent), remedy=remedy)


def _check_targets(targets: Mapping[str, Path]) -> None:
    """Raise SennaError where a file would be written twice, or over an input."""
    taken: dict[Path, str] = {}
    for file, target in targets.items():
        if file == "-":
            raise SennaError("standard input has no name", remedy="Give files, or --output.")
        if target in taken:
            what = f"{taken[target]} and {file} would both be written there"
            raise SennaError(what, where=str(target), remedy="Tag them into different folders.")
        if target.exists() and Path(file).exists() and target.samefile(file):
            remedy = "Choose another --output-dir."
            raise SennaError("this is the input itself", where=str(target), remedy=remedy)
        taken[target] = file


def check_target(path: Path, format: str, inputs: Sequence[str]) -> None:
    """Refuse an output file whose name says another format, and one that is an input."""
    formats = FORMATS_OF.get(ending(path.name))
    if formats is not None and format not in formats:
        choices = " or ".join(f"--format {known}" for known in formats)
        remedy = f"Choose {choices}, or another name." if formats else "Choose another name."
        raise SennaError(
            f"its name says another format than {format}", where=str(path), remedy=remedy
        )
    if path.is_file() and any(os.path.exists(f) and path.samefile(f) for f in inputs):
        what = "the output would replace the input"
        raise SennaError(what, where=str(path), remedy="Choose another name.")
