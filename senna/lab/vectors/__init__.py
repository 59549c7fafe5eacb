"""Tables of word vectors joined, compared, drawn and written in other formats."""

FORMS = ("word2vec", "binary", "glove", "npz", "folder")  # output formats
METHODS = ("pca", "tsne")  # reductions to two dimensions
MEASURES = ("cosine", "euclidean")  # of distance
SOURCE = "A file, a folder or a model; base is the package's table."  # of the help
