"""Build the open phrase lists that `files = ["gazetteers"]` of a configuration names.

usage: python recipe/build_lists.py [--data DIR]

Brings the sources of recipe/open_sources/sources.toml to DIR/sources/open and writes
DIR/gazetteers/{per,loc,org,misc}.txt.xz, one phrase per line. By default DIR is the user's cache.

Single words that are ordinary ones ("Young", "March") are left out: those that open NER corpora
have in lower case three times or more, and more than a quarter as often as with a capital. One of
these corpora has no stated terms, so the hashes of the words stand in ordinary-words.txt.
"""

import lzma
import sys
from pathlib import Path

from open_sources import phrases
from open_sources.bring import TABLE, bring, read_sources

from scripts.common import command, parser_of
from senna.atomic import make_folder, replacing
from senna.corpora.store import cache_folder


def ordinary_words() -> set[str]:
    """Hashes of the ordinary words."""
    lines = (TABLE.parent / "ordinary-words.txt").read_text(encoding="utf-8").split("\n")
    return {line for line in lines if line and not line.startswith("#")}


@command
def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("--data", type=Path, help="data folder; the user's cache by default")
    data = parser.parse_args().data or cache_folder()
    sources = read_sources("phrases").items()
    folders = {name: bring(source, data / "sources" / "open")[0] for name, source in sources}
    lists = phrases.Lists(folders)
    ordinary = ordinary_words()
    make_folder(data / "gazetteers")
    for kind, find in phrases.TYPES.items():
        kept = phrases.usable(find(lists), kind, ordinary)
        text = "".join(f"{phrase}\n" for phrase in kept)
        packed = lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME)
        with replacing(data / "gazetteers" / f"{kind}.txt.xz") as place:
            place.write_bytes(packed)
        print(f"{kind}: {len(kept)} phrases, {len(packed)} bytes")


if __name__ == "__main__":
    sys.exit(main())
