"""Learn senna/text/words.txt: short words that end in a full stop only where a sentence ends.

    python recipe/learn_words.py

Reads the open text, $SENNA_DATA/text/*.txt.xz, and the train parts of EWT and GUM in
$SENNA_DATA/tokenization. The tokenizer takes a short word before a full stop for an abbreviation if
it is not in this list and a small letter or a number follows. A word is listed if the open text has
it often without a full stop, or if it ends a sentence of the treebanks. Kiss and Strunk 2006,
"Unsupervised Multilingual Sentence Boundary Detection", compare the two frequencies in the text at
hand; here the text may be one sentence.
"""

import re
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import islice

from scripts.common import command, data_folder, parser_of, tokenized
from senna.atomic import put_text
from senna.files import open_text
from senna.text.tokenizer import SHORT, WORDS

LEAST, LEAST_LAST = 200, 2  # times in 72 million words; as the last word of a sentence
_BARE = re.compile(r"(?<!\S)[\"'(\u201c\u2018]?([A-Za-z][a-z]+)(?=[\s,;:!?)])")


@command
def main() -> None:
    parser_of(__doc__).parse_args()
    data = data_folder()
    counts: Counter[str] = Counter()
    for path in sorted((data / "text").glob("*.txt.xz")):
        with open_text(path) as lines:
            while text := "".join(islice(lines, 10_000)):
                counts.update(_BARE.findall(text))
    often = {form.lower() for form, n in counts.items() if n >= LEAST}
    often |= {form.lower() for form, n in Counter(last_words()).items() if n >= LEAST_LAST}
    words = sorted(filter(SHORT.fullmatch, often))
    put_text(WORDS, "\n".join(words) + "\n")
    print(f"{len(words):,} words")


def last_words() -> Iterator[str]:
    """The words before the full stop of a sentence of EWT and GUM."""
    for name in ("ewt-train", "gum-train"):
        for document in tokenized(name):
            text, tokens = document["text"], dict(map(reversed, document["tokens"]))
            for _, end in document["sentences"]:
                if text[end - 1] == "." and (before := tokens.get(end - 1)) is not None:
                    yield text[before : end - 1]


if __name__ == "__main__":
    sys.exit(main())
