"""Word vectors: reading and writing tables of them, joining, comparing, drawing."""

FORMS = ("word2vec", "binary", "glove", "npz", "folder")  # what vectors are written as
METHODS = ("pca", "tsne")  # how vectors are brought to two dimensions
MEASURES = ("cosine", "euclidean")  # of what is near
