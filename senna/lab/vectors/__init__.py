"""Tables of word vectors joined, compared, drawn and written in other formats."""

FORMS = ("word2vec", "binary", "glove", "npz", "folder")  # output formats
METHODS = ("pca", "tsne")  # reductions to two dimensions
MEASURES = ("cosine", "euclidean")  # of distance
