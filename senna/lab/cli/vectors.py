"""`senna vectors`: convert, join, evaluate and draw word vectors; cluster words."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from senna.cli.options import KindOption, Program, choice, say
from senna.errors import SennaError, plain
from senna.lab.vectors import FORMS, METHODS

# `senna --help` imports this file: what the commands need is imported in them.

ABOUT = "Convert, join, evaluate and draw word vectors; cluster words."
vectors_app = Program(help=ABOUT, no_args_is_help=True)

ToOption = Annotated[
    str | None,
    choice(
        FORMS,
        "--to",
        help="The format of OUT. Default: by its suffix: .txt .vec (word2vec) .glove, with .gz "
        "or .xz; "
        ".bin .npz; without a suffix, a folder.",
        show_default=False,
    ),
]
ForceOption = Annotated[bool, typer.Option("--force", help="Replace an existing file.")]
SizeOption = Annotated[
    int | None,
    typer.Option(
        "--size", min=1, metavar="N", help="Read only the first N words.", show_default=False
    ),
]
SOURCE = "A file, a folder or a model; base is the package's table."


@vectors_app.command(
    "convert", epilog="Example: senna vectors convert glove.6B.100d.txt glove100 --size 100000"
)
def convert_vectors(
    source: Annotated[str, typer.Argument(metavar="IN", help=SOURCE)],
    out: Annotated[Path, typer.Argument(metavar="OUT")],
    to: ToOption = None,
    size: SizeOption = None,
    force: ForceOption = False,
) -> None:
    """Read vectors in one format and write them in another."""
    from senna.lab.vectors.write import output_form, write_vectors
    from senna.vectors.read import load_vectors

    form = output_form(out, to, force=force)
    vectors = load_vectors(source, exact=True, limit=size)
    write_vectors(vectors, out, form, force=force)
    typer.echo(f"{out}: {len(vectors.words):,} words of {vectors.table.shape[1]} numbers")


@vectors_app.command("join", epilog="Example: senna vectors join ours skipgram both.npz")
def join_vectors(
    names: Annotated[
        list[str], typer.Argument(metavar="V", help=f"{SOURCE} The last one is the output.")
    ],
    to: ToOption = None,
    keep_scale: Annotated[
        bool, typer.Option("--keep-scale", help="Do not scale the parts to one standard deviation.")
    ] = False,
    force: ForceOption = False,
) -> None:
    """Join the vectors of the words that all files have, in the word order of the first."""
    from senna.lab.vectors.join import join
    from senna.lab.vectors.write import output_form, write_vectors
    from senna.vectors.read import load_vectors

    *sources, last = names
    if len(sources) < 2:
        raise SennaError("join needs at least two files of vectors and the name of the output")
    out = Path(last)
    form = output_form(out, to, force=force)
    parts = [load_vectors(source, exact=True) for source in sources]
    joined = join(parts, keep_scale=keep_scale)
    kept = len(joined.words)
    for source, part in zip(sources, parts, strict=True):
        n = len(part.words)
        if kept < n:
            shared = f"{100 * kept / n:.1f} % are in all files"
            line = f"senna: {source}: {n - kept:,} of {n:,} words dropped, {shared}"
            typer.echo(plain(line), err=True)
    write_vectors(joined, out, form, force=force)
    typer.echo(f"{out}: {kept:,} words of {joined.table.shape[1]} numbers")


@vectors_app.command(
    "similarity", epilog="Example: senna vectors similarity base wordsim353.tsv simlex999.tsv"
)
def score_similarity(
    source: Annotated[str, typer.Argument(metavar="V", help=SOURCE)],
    lists: Annotated[
        list[Path], typer.Argument(metavar="LIST", help="Lines of word, tab, word, tab, score.")
    ],
) -> None:
    """Compare cosines with human scores: Spearman's rank correlation over the known pairs."""
    from senna.lab.vectors.neighbours import aligned
    from senna.lab.vectors.similarity import read_pairs, score_pairs
    from senna.vectors.read import load_vectors

    pairs = [read_pairs(path) for path in lists]
    vectors = load_vectors(source)
    rows = {word: row for row, word in enumerate(vectors.words)}
    table = [["list", "known", "all", "Spearman"]]
    for path, word_pairs in zip(lists, pairs, strict=True):
        similarity = score_pairs(vectors, rows, word_pairs)
        shown = (
            "-"
            if similarity.correlation != similarity.correlation
            else f"{similarity.correlation:.3f}"
        )
        table.append([path.stem, str(similarity.known), str(similarity.all), shown])
    for line in aligned(table):
        typer.echo(line)


@vectors_app.command(
    "analogies", epilog="Example: senna vectors analogies base questions-words.txt"
)
def score_analogies(
    source: Annotated[str, typer.Argument(metavar="V", help=SOURCE)],
    path: Annotated[
        Path,
        typer.Argument(metavar="FILE", help="Four words per line; ': name' begins a section."),
    ],
    size: SizeOption = None,
) -> None:
    """Answer analogies such as man : woman = king : queen, by the cosine with woman - man + king.

    The accuracy is that of the questions whose words all have vectors.
    """
    from senna.lab.vectors.analogies import Answers, answer, read_questions
    from senna.lab.vectors.neighbours import aligned
    from senna.vectors.read import load_vectors

    sections = read_questions(path)
    answers = answer(load_vectors(source, limit=size), sections)
    together = Answers(*map(sum, zip(*answers.values(), strict=True)))
    table = [["section", "right", "known", "all", "accuracy"]]
    for name, part in (*answers.items(), ("all", together)):
        table.append([name, *map(str, part), part.accuracy])
    for line in aligned(table):
        typer.echo(line)


@vectors_app.command(
    "cluster", epilog="Example: senna vectors cluster news.txt.xz -o paths.txt --clusters 500"
)
def cluster_words(
    sources: Annotated[
        list[Path] | None,
        typer.Argument(metavar="TEXT", help="Text files; they may be compressed (.xz, .gz, .bz2)."),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            metavar="FILE",
            help="The output: lines of path, tab, word, tab, count.",
        ),
    ] = None,
    also: Annotated[
        list[Path] | None,
        typer.Option(
            "--also",
            metavar="TEXT",
            help="Another text file, all of whose words are clustered, however rare; it may be "
            "given several times.",
            show_default=False,
        ),
    ] = None,
    size: Annotated[
        int,
        typer.Option(min=2, max=1_000_000, metavar="N", help="Cluster the N most frequent words."),
    ] = 30_000,
    clusters: Annotated[
        int, typer.Option(min=2, max=5_000, metavar="N", help="The number of leaves of the tree.")
    ] = 500,
    kind: KindOption = "text",
    cased: Annotated[bool, typer.Option("--cased", help="Keep capitals.")] = False,
    ids: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="The folder of the tokenised text, which is reused if it exists.",
        ),
    ] = None,
    jobs: Annotated[
        int,
        typer.Option(
            metavar="N",
            help="The number of processes that tokenise. Default: all cores.",
            show_default=False,
        ),
    ] = 0,
    force: ForceOption = False,
) -> None:
    """Cluster words by their neighbours in text, for features.clusters (Brown et al. 1992)."""
    from senna.lab.pretraining.clusters import cluster_text

    if out is None or str(out) == "-":
        raise SennaError("no output file is given", where="--out", mend="Give its name.")
    if not sources and ids is None:
        raise SennaError("no text is given", where="TEXT")
    case = "keep" if cased else "lower"
    cluster_text(
        sources or (), out, also=also or (), size=size, n_clusters=clusters, ids=ids, kind=kind,
        case=case, jobs=jobs, force=force, say=say,
    )  # fmt: skip


@vectors_app.command(
    "map", epilog="Example: senna vectors map base france spain jesus god --out map.svg"
)
def map_words(
    source: Annotated[str, typer.Argument(metavar="V", help=SOURCE)],
    words: Annotated[list[str] | None, typer.Argument(metavar="WORD")] = None,
    words_file: Annotated[
        Path | None,
        typer.Option(
            "--words", metavar="FILE", help="A file of words, one per line.", show_default=False
        ),
    ] = None,
    out: Annotated[
        Path,
        typer.Option(
            "--out",
            "-o",
            metavar="FILE",
            help="The picture: .svg or .png.",
        ),
    ] = (Path("map.svg")),
    method: Annotated[
        str,
        choice(
            METHODS,
            help="Principal components, or t-SNE, which keeps neighbours near each other.",
        ),
    ] = "pca",
) -> None:
    """Draw words in two dimensions (pip install matplotlib scikit-learn)."""
    from senna.files import open_text
    from senna.lab.vectors.map import write_map
    from senna.vectors.read import load_vectors

    asked = list(words or [])
    if words_file is not None:
        with open_text(words_file) as lines:
            asked += [line.strip() for line in lines if line.strip()]
    write_map(load_vectors(source), asked, out, method=method, where=source)
