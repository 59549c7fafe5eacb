"""The algorithms of the paper, written the slow and obvious way."""

import itertools
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from senna.annotation.schemes import Phrase
from senna.text.capitals import CASELESS, kind_of

Array = NDArray[np.float32]
Path = tuple[int, ...]


def all_paths(n_words: int, n_tags: int) -> Iterator[Path]:
    """Every tagging of a sentence."""
    return itertools.product(range(n_tags), repeat=n_words)


def path_scores(emissions, transitions, initial, paths: Sequence[Path], moves=None):
    """The scores of paths (eq. 12), of arrays as of tensors; emissions (n_words, n_tags).

    moves: what each word has beside the transitions, (n_words, n_tags, n_tags).
    """
    tags = np.array(paths)
    words = np.arange(tags.shape[1])
    before, after = tags[:, :-1], tags[:, 1:]
    scores = initial[tags[:, 0]] + emissions[words, tags].sum(1)
    scores = scores + transitions[before, after].sum(1)
    return scores if moves is None else scores + moves[words[1:], before, after].sum(1)


def next_score(word, transitions, initial, earlier, before: Path, tag: int):
    """The score of a word's tag after the tags before it; word (n_tags,), earlier (n, ...)."""
    score = word[tag] + (transitions[before[-1], tag] if before else initial[tag])
    for d in range(len(earlier)):
        if len(before) > d + 1:
            score = score + earlier[d, before[-d - 2], tag]
    return score


def log_partition(
    emissions: Tensor, transitions: Tensor, initial: Tensor, allowed: Tensor | None = None
) -> Tensor:
    """Log of the summed exponentials of the scores of all (allowed) paths of one sentence."""
    paths = [
        path
        for path in all_paths(*emissions.shape)
        if allowed is None or all(allowed[word, tag] for word, tag in enumerate(path))
    ]
    return torch.logsumexp(path_scores(emissions, transitions, initial, paths), 0)


def best_path(emissions: Array, transitions: Array, initial: Array) -> Path:
    """The path of the highest score."""
    paths = list(all_paths(*emissions.shape))
    return paths[int(path_scores(emissions, transitions, initial, paths).argmax())]


def window_layer(
    x: Array, weights: Array, bias: Array, padding: Array | None = None, linear: bool = False
) -> Array:
    """HardTanh of a linear layer over the window of each word (eqs. 3 to 5), or the layer alone.

    x (n_words, size); weights (window * size, units); beyond the ends stands `padding` (size,),
    or zeros.
    """
    size = x.shape[1]
    half = len(weights) // size // 2
    beyond = np.zeros(size, x.dtype) if padding is None else padding
    out = np.zeros((len(x), len(bias)), np.float64)
    for word in range(len(x)):
        for column in range(len(bias)):
            total = float(bias[column])
            for place, other in enumerate(range(word - half, word + half + 1)):
                vector = x[other] if 0 <= other < len(x) else beyond
                for k in range(size):
                    total += float(vector[k]) * float(weights[place * size + k, column])
            out[word, column] = total if linear else max(-1.0, min(1.0, total))
    return out.astype(np.float32)


def characters(letters: Array, weights: Array, bias: Array) -> Array:
    """Convolution over one word's letter vectors, (n_letters, size), and maximum over places.

    weights (width * size, filters); zeros stand beyond the word's ends.
    """
    size = letters.shape[1]
    width = len(weights) // size
    best = np.full(len(bias), -np.inf)
    for start in range(len(letters)):
        for unit in range(len(bias)):
            total = float(bias[unit])
            for place in range(width):
                letter = start + place - width // 2
                if 0 <= letter < len(letters):
                    total += float(letters[letter] @ weights[place * size :][:size, unit])
            best[unit] = max(best[unit], total)
    return best.astype(np.float32)


def follows(left: str, right: str) -> bool:
    """Whether IOBES lets `right` stand after `left`; "" is the sentence's end on either side."""
    open_kind = left[2:] if left[:2] in ("B-", "I-") else None
    if right[:2] in ("I-", "E-"):
        return open_kind == right[2:]
    return open_kind is None


def is_valid(path: Path, names: Sequence[str]) -> bool:
    """Whether IOBES allows a path; names: of its tags."""
    tags = ["", *(names[i] for i in path), ""]
    return all(itertools.starmap(follows, itertools.pairwise(tags)))


def marks(words: Sequence[str], phrases: Sequence[str]) -> list[tuple[int, int]]:
    """Where phrases of one type stand: from the left, the longest, no overlaps; half-open."""
    lower = [word.lower() for word in words]
    listed = [phrase.lower().split(" ") for phrase in phrases]
    found, start = [], 0
    while start < len(words):
        fitting = [len(p) for p in listed if lower[start : start + len(p)] == p]
        if fitting:
            found.append((start, start + max(fitting)))
            start += max(fitting)
        else:
            start += 1
    return found


def sentence_maxima(words: Array, near: Array) -> Array:
    """For each word w and unit the maximum over words t of words[t] + near[t - w], clipped.

    words (n_words, units); near (2 reach + 1, units).
    """
    reach = len(near) // 2
    best = np.full(words.shape, -np.inf)
    for w in range(len(words)):
        for t in range(len(words)):
            away = max(-reach, min(reach, t - w))
            best[w] = np.maximum(best[w], words[t] + near[reach + away])
    return best.astype(np.float32)


def running_mean(values: Sequence[Tensor], decays: Sequence[float]) -> Tensor:
    """The first value; then, with a decay for each further one, decay * mean + the rest * value."""
    mean = values[0].double()
    for value, decay in zip(values[1:], decays, strict=True):
        mean = decay * mean + (1 - decay) * value.double()
    return mean.to(values[0].dtype)


def sentence_network(
    x: Array,
    weights: tuple[Array, Array],
    distances: Sequence[tuple[Array, Array, int | None]],
    hidden: tuple[Array, Array] | None,
    output: tuple[Array, Array],
) -> Array:
    """Emissions (n_words, n_tags) of the sentence network (section 3.3.2), word by word.

    x (margin + n_words + margin, size): features of the words and of the padding around them;
    weights: of the convolution, (width * size, units), width = 2 margin + 1, and its bias.
    distances: tables (2 clip + 1, size), their part of the convolution (width * size, units), and
    what is measured from, a predicate's place or None for the word being tagged.
    hidden and output: weights and bias of the layers; a linear network has no hidden one.
    """
    convolution, bias = weights
    size = x.shape[1]
    width = len(convolution) // size
    margin = width // 2
    n = len(x) - 2 * margin
    emissions = []
    for tagged in range(n):
        best = np.full(len(bias), -np.inf)
        for center in range(n):  # eq. 6: the same weights for the window of each word
            total = bias.astype(np.float64)
            for k in range(width):
                place = center + k - margin
                total = total + x[margin + place] @ convolution[k * size : (k + 1) * size]
                for table, part, origin in distances:
                    clip, columns = len(table) // 2, table.shape[1]
                    away = place - (tagged if origin is None else origin)
                    row = table[max(-clip, min(clip, away)) + clip]  # words on the right: positive
                    total = total + row @ part[k * columns : (k + 1) * columns]
            best = np.maximum(best, total)  # eq. 7
        units = best
        if hidden is not None:
            units = np.clip(best @ hidden[0] + hidden[1], -1, 1)  # eqs. 4 and 5
        emissions.append(units @ output[0] + output[1])
    return np.array(emissions, np.float32)


def normalised(x: Array) -> Array:
    """A vector with its mean taken off, divided by its standard deviation."""
    own = x.astype(np.float64) - x.mean(dtype=np.float64)
    found: Array = (own / np.sqrt((own * own).mean() + 1e-5)).astype(np.float32)
    return found


def gated_layers(x: Array, layers: Sequence[tuple[Array, Array, int]]) -> Array:
    """Gated convolutions over one sentence, x (n_words, units), and each word normalised at last.

    A layer is weights (width * units, 2 units), values before gates, bias and dilation. To each
    word it adds a value times the sigmoid of its gate, of the normalised words; zeros stand beyond
    the ends.
    """
    units = x.shape[1]
    for weights, bias, dilation in layers:
        width = len(weights) // units
        normal = [normalised(row) for row in x]
        made = []
        for word in range(len(x)):
            total = bias.astype(np.float64)
            for place in range(width):
                other = word + dilation * (place - width // 2)
                if 0 <= other < len(x):
                    total = total + normal[other] @ weights[place * units : (place + 1) * units]
            made.append(x[word] + total[:units] / (1 + np.exp(-total[units:])))
        x = np.array(made, np.float32).reshape(-1, units)
    return np.array([normalised(row) for row in x], np.float32).reshape(-1, units)


Span = tuple[int, int]  # first and last word, both within


def binary_trees(first: int, last: int) -> Iterator[list[Span]]:
    """The spans of each binary tree over words, those of one word too, each before its parts."""
    if first == last:
        yield [(first, last)]
    for cut in range(first, last):
        for left, right in itertools.product(binary_trees(first, cut), binary_trees(cut + 1, last)):
            yield [(first, last), *left, *right]


def tree_score(scores, spans: Sequence[Span]):
    """The sum of the scores of a tree's spans of two words and more; scores (n_words, n_words)."""
    return sum(scores[first, last] for first, last in spans if first < last)


def recurrent_cell(
    cell: str, x: Array, inputs: Array, bias: Array, weights: Array, peephole: Array | None = None
) -> Array:
    """The outputs of a cell after each word, gate by gate (Goldberg 2015, section 11).

    x (n_words, size), inputs (size, gates * units), weights (units, gates * units); peephole (3,
    units), of i, f and o.
    """
    p_i, p_f, p_o = np.zeros((3, len(weights))) if peephole is None else peephole
    if cell == "scrn":
        return _slow_and_fast(x, inputs, bias, weights)
    names = {
        "elman": "h",
        "irnn": "h",
        "gru": "zrh",
        "lstm": "fog" if cell == "lstm-tied" else "ifog",
    }[cell.partition("-")[0]]
    units = len(weights)
    wide = [array.astype(np.float64) for array in (inputs, bias, weights)]
    parts = {
        name: [array[..., k * units : (k + 1) * units] for array in wide]
        for k, name in enumerate(names)
    }
    s = c = np.zeros(units)
    outputs = []
    for word in x:

        def given(name: str, state: Array, word: Array = word) -> Array:
            """x W^x + s W^s + b of one gate."""
            w_x, b, w_s = parts[name]
            return word @ w_x + state @ w_s + b

        if cell == "elman":
            s = np.tanh(given("h", s))
        elif cell == "irnn":
            s = np.maximum(given("h", s), 0)
        elif cell == "gru":
            z, r = _sigmoid(given("z", s)), _sigmoid(given("r", s))
            s = (1 - z) * s + z * np.tanh(given("h", s * r))
        else:
            f = _sigmoid(given("f", s) + p_f * c)
            i = 1 - f if cell == "lstm-tied" else _sigmoid(given("i", s) + p_i * c)
            c = c * f + np.tanh(given("g", s)) * i
            o = _sigmoid(given("o", s) + p_o * c)
            s = np.tanh(c) * o
        outputs.append(s)
    return np.array(outputs, np.float32).reshape(-1, units)


def _slow_and_fast(x: Array, inputs: Array, bias: Array, weights: Array) -> Array:
    """Unit by unit: the first units // 2 change slowly and see no state but their own."""
    units, fast = weights.shape
    s = [0.0] * units
    outputs = []
    for word in x.astype(np.float64):
        sums = word @ inputs.astype(np.float64) + bias
        for k in range(units - fast):
            s[k] = 0.95 * s[k] + 0.05 * sums[k]
        before = list(s)
        for k in range(fast):
            place = units - fast + k
            recurrent = sum(value * float(weights[i, k]) for i, value in enumerate(before))
            s[place] = float(_sigmoid(sums[place] + recurrent))
        outputs.append(list(s))
    return np.array(outputs, np.float32).reshape(-1, units)


# --------------------------------------------------------------------------- labels of sentences


def convolved(
    x: Array, layers: Sequence[tuple[Array, Array]], pools: Sequence[int], wide: bool = False
) -> Array:
    """The outputs of filters over one sentence, place by place (Goldberg 2015, section 9).

    x (n_words, size); layers: weights (width, size, units) and biases (width, units) of the filters
    and of those above each pool; a place at the end of a short sentence has fewer than width words.
    Wide filters also have the places that reach beyond an end, where zeros stand.
    """
    for stage, (weights, bias) in enumerate(layers):
        if stage:
            pool = pools[stage - 1]
            x = np.array([x[i : i + pool].max(axis=0) for i in range(0, len(x), pool)])
        width, outputs = len(weights), []
        if wide:
            zeros = np.zeros((width - 1, x.shape[1]))
            x = np.concatenate([zeros, x, zeros])
        for place in range(max(len(x) - width + 1, 1)):
            seen = range(min(width, len(x) - place))
            outputs.append(sum(x[place + k] @ weights[k] + bias[k] for k in seen))
        x = np.maximum(np.array(outputs), 0)
    return x


def inverse_frequency(word: str, sentences: Sequence[Sequence[str]]) -> float:
    """ln((1 + n) / (1 + n_w)) + 1 of a word in n_w of n sentences."""
    having = [sentence for sentence in sentences if word in sentence]
    return float(np.log((1 + len(sentences)) / (1 + len(having))) + 1)


def spans_of(words: Sequence[str], signs: Sequence[str]) -> list[list[int]]:
    """The places of words from one sign of punctuation to the next; signs end a span."""
    spans: list[list[int]] = []
    for i, word in enumerate(words):
        ended = i > 0 and words[i - 1] in signs and word not in signs
        if not spans or ended:
            spans.append([])
        spans[-1].append(i)
    return spans


# --------------------------------------------------------------------------- recursive networks

Weights = dict[str, NDArray[np.float64]]  # of a model folder, by name
NodeTree = Any  # a word's vector (size,), or two such trees and the labels of node and parts


def _sigmoid(x: Array) -> Array:
    return 1 / (1 + np.exp(-x))


def _blocks(weights: Weights, name: str, rows: int, columns: int) -> list[list[Array]]:
    """A matrix as [row][column] of blocks, and after its rows the blocks of its bias."""
    parts = [np.split(row, columns, 1) for row in np.split(weights[f"{name}.weight"], rows)]
    return [*parts, np.split(weights[f"{name}.bias"], columns)]


def recursive_states(tree: NodeTree, cell: str, w: Weights) -> list[Array]:
    """The states of all nodes of one tree, each after its parts, by plain recursion.

    w: what the network's cell exports; of memories only h is given back.
    """
    states: list[Array] = []

    def visit(node: NodeTree) -> tuple[Array, Array]:
        if isinstance(node, list):
            *parts, rule = node
            h, c = _of_parts([visit(part) for part in parts], cell, w, rule)
        else:
            h, c = _of_word(node, cell, w)
        states.append(h)
        return h, c

    visit(tree)
    return states


def _of_word(x: Array, cell: str, w: Weights) -> tuple[Array, Array]:
    y = x @ w["layer-0.weight"] + w["layer-0.bias"]
    if cell in ("standard", "labels", "untied", "tensor"):
        return np.tanh(y), y
    if cell == "matrix-vector":
        units = w["parts.weight"].shape[1]
        matrix = np.eye(units) + y[units:].reshape(units, units)
        return np.tanh(y[:units]), np.clip(matrix, -8, 8)
    if cell == "gru":
        z, new = np.split(y, 2)
        return (1 - _sigmoid(z)) * np.tanh(new), y  # no parts: only what is new
    i, o, u = np.split(y, 3)
    c = _sigmoid(i) * np.tanh(u)
    return _sigmoid(o) * np.tanh(c), c


def _of_parts(
    parts: list[tuple[Array, Array]], cell: str, w: Weights, rule: tuple[int, int, int]
) -> tuple[Array, Array]:
    h, c = zip(*parts, strict=True)
    n = len(parts)
    each = range(n)
    if cell == "standard":  # eq. 3.16
        *u, [b] = _blocks(w, "parts", n, 1)
        new = np.tanh(sum(h[m] @ u[m][0] for m in each) + b)
        return new, new
    if cell in ("labels", "untied"):  # Goldberg 2015, section 12.1, for A -> B C
        (a, b, c_), both = rule, np.concatenate(h)
        total = both @ w["parts.weight"] + w["parts.bias"]
        if cell == "labels":
            total = total + w["above"][a] + w["first"][b]
        else:
            n_labels = round(len(w["untied.weight"]) ** 0.5)
            total = total + both @ w["untied.weight"][n_labels * b + c_]
        return np.tanh(total), np.tanh(total)
    if cell == "matrix-vector":  # eq. 3.19; c are the matrices
        (first, second), (one, other) = h, c
        vector = np.concatenate([other @ first, one @ second])
        matrix = np.clip(w["matrix.weight"].T @ np.concatenate([one, other]), -8, 8)
        return np.tanh(vector @ w["parts.weight"] + w["parts.bias"]), matrix
    if cell == "tensor":  # eq. 3.20
        x = np.concatenate(h)
        v = w["tensor.weight"].reshape(len(x), len(x), -1)
        forms = [sum(x[i] * x[j] * v[i, j, k] for i in range(len(x)) for j in range(len(x)))
                 for k in range(v.shape[2])]  # fmt: skip
        new = np.tanh(forms + x @ w["parts.weight"])
        return new, new
    if cell == "gru":
        *u, b = _blocks(w, "parts", n, 1 + n)
        *v, [d] = _blocks(w, "proposal", n, 1)
        z = _sigmoid(sum(h[m] @ u[m][0] for m in each) + b[0])  # eq. 3.34
        r = [_sigmoid(sum(h[m] @ u[m][1 + k] for m in each) + b[1 + k]) for k in each]  # 3.35
        new = np.tanh(sum((h[m] * r[m]) @ v[m][0] for m in each) + d)  # eq. 3.36
        state = (1 - z) * new + sum(z / n * h[m] for m in each)  # eq. 3.37
        return state, state
    if cell == "lstm":
        *u, b = _blocks(w, "parts", n, 3 + n)
        i, o, new = (sum(h[m] @ u[m][k] for m in each) + b[k] for k in range(3))  # 3.28, 3.30, 31
        f = [_sigmoid(sum(h[m] @ u[m][3 + k] for m in each) + b[3 + k]) for k in each]  # eq. 3.29
    else:
        *u, b = _blocks(w, "parts", 1, 3)
        i, o, new = (sum(h) @ u[0][k] + b[k] for k in range(3))  # eqs. 3.21, 3.22, 3.24, 3.25
        f = [_sigmoid(h[k] @ w["forget.weight"] + w["forget.bias"]) for k in each]  # eq. 3.23
    memory = _sigmoid(i) * np.tanh(new) + sum(f[m] * c[m] for m in each)  # eq. 3.32, 3.26
    return _sigmoid(o) * np.tanh(memory), memory  # eqs. 3.33, 3.27


def remembered(document: Sequence[tuple[Sequence[str], list[Phrase]]]) -> list[list[Phrase]]:
    """The names of a document's sentences in the light of all earlier ones, none forgotten."""
    amended = []
    for k, (words, names) in enumerate(document):
        earlier: list[tuple[tuple[str, ...], str]] = []
        alone = set()  # words that were a name by themselves
        for before, their_names in document[:k]:
            for start, end, label in their_names:
                if end == start + 1:
                    alone.add(before[start])
                if end - start <= 5:
                    earlier.append((tuple(before[start:end]), label))
                last = (before[end - 1],)
                if label == "PER" and end - start > 1 and last not in [form for form, _ in earlier]:
                    earlier.append((last, label))
        kept = list(names)
        taken: list[Phrase] = []
        for start in range(len(words)):
            for end in range(len(words), start, -1):
                known = [label for form, label in earlier if form == tuple(words[start:end])]
                free = all(end <= one.start or one.end <= start for one in taken)
                parts = any(
                    one.start < start < one.end or one.start < end < one.end for one in names
                )
                if not known or not free or parts:
                    continue
                same = [one.label for one in names if (one.start, one.end) == (start, end)]
                kind, beside = kind_of(words), [*words[max(start - 1, 1) : start], *words[end:][:1]]
                other = not any(word[0].isalnum() for word in words[:start])
                other = other or words[start - 1] in ("the", "The")
                other = other or any(word[0].isupper() for word in beside) or kind != ""
                lone = len(words[start]) >= 3 and words[start].capitalize() not in ("May", "Monday")
                lone = lone and (words[start] in alone or not other)
                told = any(word[0].isupper() for word in words[start:end]) or kind == CASELESS
                if not same and not (told and (end > start + 1 or lone)):
                    continue
                best = max(dict.fromkeys(known), key=known.count)
                if same and known.count(best) <= known.count(same[0]) + 1:
                    best = same[0]
                kept = [one for one in kept if one.end <= start or end <= one.start]
                taken.append(Phrase(start, end, best))
        amended.append(sorted([*kept, *taken]))
    return amended


@cache
def all_dependency_trees(n_words: int) -> list[tuple[int, ...]]:
    """The heads of the words, from 1, of every tree with one root, whose head is 0."""
    every = itertools.product(range(n_words + 1), repeat=n_words)
    return [heads for heads in every if heads.count(0) == 1 and all(climbs(heads))]


def climbs(heads: Sequence[int]) -> Iterator[bool]:
    """Of each word whether the way up from it ends at the root."""
    for word in range(1, len(heads) + 1):
        for _ in heads:
            word = heads[word - 1] if word else 0
        yield word == 0


def arcs_score(scores: Any, heads: Sequence[int]) -> Any:
    """The score of one tree, of arrays as of tensors; scores [word, head]."""
    return sum(scores[word, head] for word, head in enumerate(heads))
