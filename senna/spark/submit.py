"""Tag Parquet, JSON lines or text with Apache Spark, on all its machines.

    spark-submit submit.py [options] INPUT... OUTPUT

Every row of INPUT is a document. OUTPUT is a folder; it gets the rows with a column `sentences`
(see docs/spark.md), or with --sentences a row a sentence. Example, on this machine alone:

    python -m senna.spark.submit --task pos,ner articles.parquet tagged.parquet
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from py4j.protocol import Py4JError
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession, functions

import senna.spark
from senna.errors import SennaError
from senna.text import CONVENTIONS, LINE_BREAKS, SPLITS
from senna.text.schemes import SCHEMES

READERS: dict[str, Callable[[SparkSession, list[str]], DataFrame]] = {
    "parquet": lambda spark, paths: spark.read.parquet(*paths),
    "jsonl": lambda spark, paths: spark.read.json(paths),
    "lines": lambda spark, paths: spark.read.text(paths).toDF("text"),
    "files": lambda spark, paths: (
        spark.read.text(paths, wholetext=True)
        .toDF("text")
        .withColumn("file", functions.input_file_name())
    ),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program; one line on stderr and 2 for what the user can mend."""
    chosen = _parser().parse_args(arguments)
    # Spark's own guess, python3, may be one without senna.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    spark = SparkSession.builder.appName("senna").getOrCreate()
    try:
        run(spark, chosen)
    except (PySparkException, Py4JError) as error:
        line = next(iter(str(error).splitlines()), "")
        sys.stderr.write(f"senna: Spark says: {line or type(error).__name__}\n")
        return 2
    except SennaError as error:
        sys.stderr.write(f"senna: {error}\n")
        return 2
    finally:
        spark.stop()
    return 0


def run(spark: SparkSession, chosen: argparse.Namespace) -> None:
    """Read, tag and write as the options say."""
    df = READERS[chosen.input](spark, chosen.inputs)
    if chosen.partitions:
        df = df.repartition(chosen.partitions)
    path = Path(chosen.predicates)
    tagged = senna.spark.tag(
        df,
        chosen.column,
        chosen.task or None,
        model=chosen.model or None,
        scheme=chosen.scheme,
        convention=chosen.convention,
        line_breaks=chosen.line_breaks,
        unit=chosen.unit,
        predicates=chosen.predicates if chosen.predicates in ("auto", "pos") else path,
    )
    if chosen.sentences:
        tagged = sentences_of(tagged, chosen.column)
    writer = tagged.write.mode("overwrite" if chosen.overwrite else "error")
    (writer.json if chosen.format == "jsonl" else writer.parquet)(chosen.output)


def sentences_of(tagged: DataFrame, column: str) -> DataFrame:
    """A row a sentence, with its document's other columns before its own."""
    rows = tagged.drop(column).withColumn("sentences", functions.explode("sentences"))
    names = rows.select("sentences.*").columns
    if twice := sorted(set(rows.columns) & set(names)):
        mend = f"A sentence has {', '.join(names)}: rename yours."
        raise SennaError("a column that sentences have too", where=twice[0], mend=mend)
    return rows.select("*", "sentences.*").drop("sentences")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="senna.spark.submit",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("inputs", nargs="+", metavar="INPUT", help="files or folders, as Spark names them")
    add("output", metavar="OUTPUT", help="a folder that Spark makes")
    add("--input", choices=READERS, default="parquet", help="lines: a document a line; "
        "files: a document a file, its name in the column file")  # fmt: skip
    add("--column", default="text", metavar="NAME", help="the column of text (default: text)")
    add("--task", default="", metavar="LIST", help="tasks, as pos,ner; default: all that ship")
    add("--model", default="", metavar="NAME|DIR", help="one of ours, as ner, or your own")
    add("--scheme", choices=SCHEMES, default="iobes", help="how phrases are written")
    add("--predicates", default="auto", metavar="auto|pos|DIR", help="how srl finds them")
    add("--convention", choices=CONVENTIONS, default="modern", help="how words are cut")
    add("--line-breaks", choices=LINE_BREAKS, default="auto", help="what a line break is")
    add("--unit", choices=SPLITS, default="sentence", help="what gets one label")
    add("--format", choices=("parquet", "jsonl"), default="parquet", help="of the output")
    add("--sentences", action="store_true", help="a row a sentence, as senna tag prints them")
    add("--partitions", type=int, default=0, metavar="N", help="spread the rows over N tasks")
    add("--overwrite", action="store_true", help="replace OUTPUT")
    return parser


if __name__ == "__main__":
    sys.exit(main())
