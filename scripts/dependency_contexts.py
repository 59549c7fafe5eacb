"""Words and their contexts in dependency trees, as a text of pairs for `senna pretrain`.

usage: senna tag --format conllu TEXT > trees.conllu
       python scripts/dependency_contexts.py trees.conllu > pairs.txt
       senna pretrain pairs.txt --input tokens --objective skipgram --window 3 --out runs/contexts
       senna neighbors --vectors runs/contexts queen

The contexts of Levy and Goldberg 2014 ("Dependency-based word embeddings"): a word has each of its
dependents with the relation (`discovers/nsubj` beside `scientist`), and its head with the inverse
relation. A preposition becomes part of the relation (`discovers`, `telescope/obl:with`), and
punctuation is left out. Each pair is a line, a sentence of two words: skip-gram predicts each from
the other, and a word's vector from what stands around it in the tree, not in the text.
"""

import sys
from collections.abc import Iterator

from common import command, parser_of

import senna
from senna.document.parts import Token

NO_CONTEXT = ("case", "punct")  # relations whose words have and are none


def pairs(sentence: senna.Sentence) -> Iterator[tuple[str, str]]:
    """Each word with a context, both ways along each relation."""
    for token in sentence.tokens:
        head = token.head
        if head is None or token.deprel in NO_CONTEXT:
            continue
        word, above = token.text.lower(), head.text.lower()
        name = relation(token)
        yield above, f"{word}/{name}"
        yield word, f"{above}/{name}-of"


def relation(token: Token) -> str:
    """The relation to the head, with the first preposition of the token if it has one."""
    prepositions = (child.text.lower() for child in token.children if child.deprel == "case")
    preposition = next(prepositions, "")
    return f"{token.deprel}:{preposition}" if preposition else token.deprel


@command
def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("files", nargs="+", metavar="FILE")
    for path in parser.parse_args().files:
        for document in senna.read(path):
            for sentence in document.sentences:
                sys.stdout.writelines(f"{word} {context}\n" for word, context in pairs(sentence))


if __name__ == "__main__":
    sys.exit(main())
