"""Build the open running text that vectors and silver data are made from.

usage: python recipe/build_text.py [--data DIR]

Brings the sources of recipe/open_sources/sources.toml (about 3 GB) to DIR/sources/open, cleans
each into DIR/sources/open/NAME.txt, and mixes them to DIR/text/text-00.txt.xz ... text-07.txt.xz:
one paragraph per line, a blank line between documents. Files that exist are not made again. DIR
is the user's cache by default.

Text that was kept for tests is left out, and so are paragraphs that have a sentence of a test set:
of those in the table, and for the last two shards of CoNLL-2003 too, where a data folder has it.
"""

import lzma
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from pathlib import Path

from open_sources import exclusion, mixing, prose, releases
from open_sources.bring import Source, bring, read_sources
from open_sources.prose import Documents

from scripts.common import command, parser_of
from senna.atomic import make_folder, replacing
from senna.corpora.store import cache_folder, lookup
from senna.files import open_text

READERS: dict[str, Callable[[Path], Documents]] = {
    "wikipedia-core": prose.wikipedia_core,
    "wikipedia-recent": prose.wikipedia_recent,
    "senate": prose.senate,
    "europarl": prose.europarl,
    "novels": prose.novels,
    "standardebooks": prose.standardebooks,
    "digitalgov": prose.markdown,
    "18f": prose.markdown,
    "wikinews": prose.wikinews,
    "milestones": prose.milestones,
    "plos": prose.plos,
    "presidents": prose.presidents,
    "nasa": releases.nasa,
    "fed": releases.fed,
    "whitehouse-releases": partial(
        releases.whitehouse,
        kinds="statements-releases briefings-statements releases fact-sheets presidential-actions",
    ),
    "whitehouse-remarks": partial(releases.whitehouse, kinds="speeches-remarks remarks"),
}
# Books, debates and the like, which are cut so that shards stay mixed.
LONG = "wikipedia-core europarl novels standardebooks presidents whitehouse-remarks fed".split()
FILTERS = [
    {
        "id": lzma.FILTER_LZMA2,
        "preset": 9 | lzma.PRESET_EXTREME,
        "dict_size": 1 << 26,
        "lc": 4,
        "lp": 0,
        "pb": 0,
    }
]


class Builder:
    """The folders of a build."""

    def __init__(self, data: Path) -> None:
        self.text, self.sources = data / "text", data / "sources" / "open"
        self.excluded = cache(self.find_excluded)

    def find_excluded(self, kind: str) -> set[bytes]:
        """Keys of the sentences that are left out of "text" or "news"."""
        keys = set[bytes]()
        for source in read_sources("tests").values():
            for folder in bring(source, self.sources):
                keys |= exclusion.keys_of(exclusion.test_sentences(folder))
        corpus = lookup("research/conll2003", self.text.parent) if kind == "news" else None
        for split in ("testa", "testb") if corpus else ():
            keys |= exclusion.keys_of(exclusion.column_sentences(corpus / f"{split}.xz"))
        return keys

    def cleaned(self, source: Source, kind: str) -> Path:
        """The file with a source's cleaned documents."""
        path = self.sources / f"{source.name}.txt"
        if not path.is_file():
            reader = READERS.get(source.name) or partial(releases.doj, intact=self.intact())
            folders = bring(source, self.sources)
            raw = (document for folder in folders for document in reader(folder))
            cleaned_texts = mixing.clean(raw, self.excluded(kind), source.name in LONG)
            make_folder(self.sources)
            with replacing(path) as place:
                mixing.write_documents(cleaned_texts, place)
            print(path, file=sys.stderr)
        return path

    def shard(self, number: int) -> Path:
        """Where a shard goes."""
        return self.text / f"text-{number:02}.txt.xz"

    def lines(self, *numbers: int) -> Iterator[str]:
        """The lines of some shards."""
        for number in numbers:
            with open_text(self.shard(number)) as file:
                yield from (line.rstrip("\n") for line in file if line != "\n")

    def intact(self) -> Counter[str]:
        """Counts of endings, for the reader of damaged releases."""
        return releases.endings(self.lines(0, 1))

    def write(self, shards: Iterable[list[mixing.Lines]], first: int) -> None:
        """Write shards, numbered from `first`."""
        for number, documents in enumerate(shards, first):
            text = "\n".join("\n".join(lines) + "\n" for lines in documents)
            packed = lzma.compress(text.encode(), lzma.FORMAT_XZ, filters=FILTERS)
            make_folder(self.text)
            with replacing(self.shard(number)) as place:
                place.write_bytes(packed)
            print(self.shard(number), len(packed))

    def build(self) -> None:
        """Both parts: the second needs the first."""
        text, news = read_sources("text"), read_sources("news")
        parts = {name: self.cleaned(source, "text") for name, source in text.items()}
        if not all(self.shard(i).is_file() for i in range(mixing.SHARDS)):
            self.write(mixing.mix(parts, words_of(text)), 0)
        others = {name: self.cleaned(source, "news") for name, source in news.items()}
        if not all(self.shard(mixing.SHARDS + i).is_file() for i in range(mixing.NEWS_SHARDS)):
            old = self.lines(*range(mixing.SHARDS))
            wikipedia = parts["wikipedia-core"]
            shards = mixing.mix_news(others, words_of(news), wikipedia, old, self.excluded("news"))
            self.write(shards, mixing.SHARDS)


def words_of(sources: dict[str, Source]) -> dict[str, float]:
    """How many words to take of each."""
    return {name: source.words or float("inf") for name, source in sources.items()}


@command
def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("--data", type=Path, help="data folder; the user's cache by default")
    Builder(parser.parse_args().data or cache_folder()).build()


if __name__ == "__main__":
    sys.exit(main())
