"""Word vectors: reading and writing tables of them, joining, comparing, drawing."""

FORMS = ("word2vec", "binary", "glove", "npz", "folder")  # output formats
METHODS = ("pca", "tsne")  # reductions to two dimensions
MEASURES = ("cosine", "euclidean")  # of distance
