"""What hypothesis draws: texts, words and entries of vocabularies."""

from __future__ import annotations

from hypothesis import strategies as st

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
