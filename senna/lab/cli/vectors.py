"""`senna neighbors`; `senna vectors`: convert, join, evaluate and draw vectors; cluster words."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from senna.cli.options import FILES, Program, say
from senna.errors import SennaError, counted
from senna.lab.vectors import FORMS, MEASURES, METHODS, SOURCE
from senna.pretraining.cli import IDS, KIND, TEXTS
from senna.settings import Option, switch

# `senna --help` imports this file: what the commands need is imported in them.
if TYPE_CHECKING:
    from senna.formats.vectors import Vectors

ABOUT = "Convert, join, evaluate and draw word vectors; cluster words."
vectors_app = Program(help=ABOUT, no_args_is_help=True)
neighbors_app = Program()

TO = Option(
    "The format of OUT. Default: by its suffix: .txt .vec (word2vec) .glove, with .gz or .xz; .bin "
    ".npz; without a suffix, a folder.",
    choices=FORMS,
)
FORCE = switch("Replace an existing file.")
SIZE = Option("Read only the first N words.", int, least=1)
Source = Annotated[str, typer.Argument(metavar="V", help=SOURCE)]

NEIGHBORS = {
    "vectors": Option(SOURCE, metavar="V", default="base"),
    "by": Option(
        "The measure of distance (the paper: euclidean).", choices=MEASURES, default="cosine"
    ),
    "number": Option("The number of neighbours per word.", int, least=1, short="-n", default=10),
    "distances": switch("Add the cosines or distances."),
    "format": Option(
        "An aligned table, tab-separated columns, or JSON with one word per line.",
        choices=("table", "tsv", "jsonl"),
        default="table",
    ),
}


@neighbors_app.command(
    "neighbors",
    NEIGHBORS,
    epilog="Example: senna neighbors france jesus xbox reddish scratched megabits",
)
def neighbors_command(
    words: Annotated[
        list[str], typer.Argument(metavar="WORD", help="A word of the table.", show_default=False)
    ],
    *,
    vectors: str,
    by: str,
    number: int,
    **shown: Any,
) -> None:
    """Print the nearest words of each WORD: one column per word, below its rank in the table.

    A word is looked up as given, then in lower case with each run of digits replaced by 0.
    """
    from senna.formats.vectors import load_vectors
    from senna.lab.vectors.neighbours import aligned, as_json, as_table, nearest

    table = load_vectors(vectors)
    neighbours = nearest(table, words, number, by, where=vectors)
    if shown["format"] == "jsonl":
        lines = [as_json(table, item, by) for item in neighbours]
    else:
        rows = as_table(table, neighbours, shown["distances"])
        lines = aligned(rows) if shown["format"] == "table" else list(map("\t".join, rows))
    typer.echo("".join(line + "\n" for line in lines).encode("utf-8"), nl=False)


@vectors_app.command(
    "convert",
    {"to": TO, "size": SIZE, "force": FORCE},
    epilog="Example: senna vectors convert glove.6B.100d.txt glove100 --size 100000",
)
def convert_vectors(
    source: Annotated[str, typer.Argument(metavar="IN", help=SOURCE)],
    out: Annotated[Path, typer.Argument(metavar="OUT", help="The new file or folder.")],
    *,
    size: int | None,
    **written: Any,
) -> None:
    """Read vectors in one format and write them in another."""
    from senna.formats.vectors import load_vectors

    _write(out, written, lambda: load_vectors(source, exact=True, limit=size))


def _write(out: Path, written: dict[str, Any], make: Callable[[], Vectors]) -> None:
    """Write vectors to a file whose name is checked before they are made."""
    from senna.lab.vectors.write import output_form, write_vectors

    form = output_form(out, written["to"], force=written["force"])
    vectors = make()
    write_vectors(vectors, out, form, force=written["force"])
    typer.echo(f"{out}: {counted(len(vectors.words), 'word')} of {vectors.table.shape[1]} numbers")


@vectors_app.command(
    "join",
    {
        "to": TO,
        "keep_scale": switch("Do not scale the parts to one standard deviation."),
        "force": FORCE,
    },
    epilog="Example: senna vectors join ours skipgram both.npz",
)
def join_vectors(
    names: Annotated[
        list[str], typer.Argument(metavar="V", help=f"{SOURCE} The last one is the output.")
    ],
    *,
    keep_scale: bool,
    **written: Any,
) -> None:
    """Join the vectors of the words that all files have, in the word order of the first."""
    from senna.formats.vectors import load_vectors
    from senna.lab.vectors.write import join

    *sources, last = names
    if len(sources) < 2:
        raise SennaError("join needs at least two files of vectors and the name of the output")

    def joined() -> Vectors:
        parts = [load_vectors(source, exact=True) for source in sources]
        result = join(parts, keep_scale=keep_scale)
        kept = len(result.words)
        for source, n in zip(sources, (len(part.words) for part in parts), strict=True):
            if kept < n:
                shared = f"{100 * kept / n:.1f} % are in all files"
                say(f"senna: {source}: {n - kept:,} of {n:,} words dropped, {shared}")
        return result

    _write(Path(last), written, joined)


@vectors_app.command(
    "similarity", epilog="Example: senna vectors similarity base wordsim353.tsv simlex999.tsv"
)
def score_similarity(
    source: Source,
    lists: Annotated[
        list[Path], typer.Argument(metavar="LIST", help="Lines of word, tab, word, tab, score.")
    ],
) -> None:
    """Compare cosines with human scores: Spearman's rank correlation over the known pairs."""
    from senna.formats.vectors import load_vectors
    from senna.lab.vectors.evaluation import read_pairs, score_pairs
    from senna.lab.vectors.neighbours import aligned

    pairs = {path.stem: read_pairs(path) for path in lists}
    vectors = load_vectors(source)
    rows = {word: row for row, word in enumerate(vectors.words)}
    table = [["list", "known", "all", "Spearman"]]
    for name, word_pairs in pairs.items():
        known, every, correlation = score_pairs(vectors, rows, word_pairs)
        shown = "-" if math.isnan(correlation) else f"{correlation:.3f}"
        table.append([name, str(known), str(every), shown])
    typer.echo("\n".join(aligned(table)))


@vectors_app.command(
    "analogies", {"size": SIZE}, epilog="Example: senna vectors analogies base questions-words.txt"
)
def score_analogies(
    source: Source,
    path: Annotated[
        Path, typer.Argument(metavar="FILE", help="Four words per line; ': name' begins a section.")
    ],
    *,
    size: int | None,
) -> None:
    """Answer analogies such as man : woman = king : queen, by the cosine with woman - man + king.

    The accuracy is that of the questions whose words all have vectors.
    """
    from senna.formats.vectors import load_vectors
    from senna.lab.vectors.evaluation import Answers, answer, read_questions
    from senna.lab.vectors.neighbours import aligned

    sections = read_questions(path)
    answers = answer(load_vectors(source, limit=size), sections)
    answers["all"] = Answers(*map(sum, zip(*answers.values(), strict=True)))
    rows = [[name, *map(str, part), part.accuracy] for name, part in answers.items()]
    typer.echo("\n".join(aligned([["section", "right", "known", "all", "accuracy"], *rows])))


CLUSTER = {
    "out": Option(
        "The output: lines of path, tab, word, tab, count.", Path, short="-o", metavar="FILE"
    ),
    "also": Option(
        "Another text file, all of whose words are clustered, however rare; it may be given "
        "several times.",
        FILES,
        metavar="TEXT",
    ),
    "size": Option(
        "Cluster the N most frequent words.", int, least=2, most=1_000_000, default=30_000
    ),
    "clusters": Option("The number of leaves of the tree.", int, least=2, most=5_000, default=500),
    "kind": KIND,
    "cased": switch("Keep capitals."),
    "ids": IDS,
    "jobs": Option("The number of processes that tokenise. Default: all cores.", int),
    "force": FORCE,
}


@vectors_app.command(
    "cluster",
    CLUSTER,
    epilog="Example: senna vectors cluster news.txt.xz -o paths.txt --clusters 500",
)
def cluster_words(
    sources: Annotated[list[Path] | None, typer.Argument(metavar="TEXT", help=TEXTS)] = None,
    *,
    out: Path | None,
    **options: Any,
) -> None:
    """Cluster words by their neighbours in text, for features.clusters."""
    from senna.pretraining.clusters import cluster_text

    if out is None or str(out) == "-":
        raise SennaError("no output file is given", where="--out", remedy="Give its name.")
    if not sources and options["ids"] is None:
        raise SennaError("no text is given", where="TEXT")
    cluster_text(sources or (), out, say=say, **options)


@vectors_app.command(
    "map",
    {
        "words_file": Option(
            "A file of words, one per line.", Path, flag="--words", metavar="FILE"
        ),
        "out": Option(
            "The picture: .svg or .png.", Path, short="-o", metavar="FILE", default=Path("map.svg")
        ),
        "method": Option(
            "Principal components, or t-SNE, which keeps neighbours near each other.",
            choices=METHODS,
            default="pca",
        ),
    },
    epilog="Example: senna vectors map base france spain jesus god --out map.svg",
)
def map_words(
    source: Source,
    words: Annotated[
        list[str] | None, typer.Argument(metavar="WORD", help="A word to draw.")
    ] = None,
    *,
    words_file: Path | None,
    out: Path,
    method: str,
) -> None:
    """Draw words in two dimensions (pip install matplotlib scikit-learn)."""
    from senna.files import open_text
    from senna.formats.vectors import load_vectors
    from senna.lab.vectors.neighbours import write_map

    asked = list(words or [])
    if words_file is not None:
        with open_text(words_file) as lines:
            asked += [line.strip() for line in lines if line.strip()]
    write_map(load_vectors(source), asked, out, method=method, where=source)
