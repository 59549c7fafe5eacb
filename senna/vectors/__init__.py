"""Word vectors: reading and writing tables of them, joining, comparing, drawing."""

from __future__ import annotations

from enum import StrEnum


class Form(StrEnum):
    """What vectors are written as."""

    word2vec = "word2vec"
    binary = "binary"
    glove = "glove"
    npz = "npz"
    folder = "folder"


class Method(StrEnum):
    """How vectors are brought to two dimensions."""

    pca = "pca"
    tsne = "tsne"


class By(StrEnum):
    """What near means."""

    cosine = "cosine"
    euclidean = "euclidean"
