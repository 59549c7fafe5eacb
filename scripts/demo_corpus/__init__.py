"""The made-up language of the demonstration corpus (see scripts/make_demo_corpus.py)."""
