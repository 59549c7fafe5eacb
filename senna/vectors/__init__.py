"""Reading tables of word vectors."""
