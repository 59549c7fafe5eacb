"""What hypothesis draws: texts, words, entries of vocabularies and trees."""

from hypothesis import strategies as st

from senna.annotation.trees import Tree

# Any Unicode that UTF-8 can write: no surrogates.
characters = st.characters(exclude_categories=["Cs"])
any_text = st.text(characters, max_size=12)
any_word = st.text(characters, min_size=1, max_size=30)
ascii_word = st.text("abcdeABC019.-'\\/*`", min_size=1, max_size=8)
words = ascii_word | any_word
sentences = st.lists(words, min_size=1, max_size=12)
# An entry of a vocabulary stands on one line.
entries = st.lists(
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n"), max_size=6),
    max_size=12,
    unique=True,
)


def parents(children: st.SearchStrategy[Tree], *labels: str) -> st.SearchStrategy[Tree]:
    """Constituents of one to four children."""
    return st.builds(Tree, st.sampled_from(labels), st.lists(children, min_size=1, max_size=4))


def trees(
    leaves: st.SearchStrategy[Tree], *labels: str, max_leaves: int = 100
) -> st.SearchStrategy[Tree]:
    """Trees of any depth, a single word among them."""
    return st.recursive(leaves, lambda inner: parents(inner, *labels), max_leaves=max_leaves)
