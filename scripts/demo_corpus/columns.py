"""The columns of each task, read off one numbered tree.

The rules are those of the open corpora's prepared files: base chunks as in CoNLL-2000 (Tjong Kim
Sang and Buchholz 2000), parse-tree level 0 as in Collobert et al. 2011 (section 6.5), roles as in
CoNLL-2005.
"""

from __future__ import annotations

from collections.abc import Iterator

from demo_corpus.tree import Node, Predicate

Segment = tuple[int, int, str]  # start, end (half-open), label

PUNCTUATION = {",", ".", ":", "``", "''", "-LRB-", "-RRB-"}
VERBS = {"VB", "VBD", "VBG", "VBN", "VBP", "VBZ", "MD", "TO"}
HEADED = {"PP": "PP", "SBAR": "SBAR", "ADJP": "ADJP", "ADVP": "ADVP", "WHADVP": "ADVP"}
HEADED |= {"PRT": "PRT", "INTJ": "INTJ"}


def iob2(segments: list[Segment], length: int) -> list[str]:
    """Tags of segments that do not overlap."""
    tags = ["O"] * length
    for start, end, label in segments:
        tags[start:end] = [f"B-{label}"] + [f"I-{label}"] * (end - start - 1)
    return tags


def iobes(segments: list[Segment], length: int) -> list[str]:
    """Tags of segments that do not overlap."""
    tags = ["O"] * length
    for start, end, label in segments:
        inside = [f"I-{label}"] * (end - start - 2)
        tags[start:end] = (
            [f"B-{label}", *inside, f"E-{label}"] if end - start > 1 else [f"S-{label}"]
        )
    return tags


def entities(root: Node) -> list[Segment]:
    """The names."""
    segments: list[Segment] = []
    previous = None
    for item in root.leaves():
        if item.entity and item.entity is previous:
            start, _, label = segments[-1]
            segments[-1] = (start, item.end, label)
        elif item.entity:
            segments.append((item.start, item.end, item.entity.kind))
        previous = item.entity
    return segments


# ------------------------------------------------------------------ base chunks


def chunks(root: Node) -> list[Segment]:
    """A constituent's words up to and including its head; what follows makes its own chunks."""
    leaves = list(root.leaves())
    segments = []
    for start, end, label in _chunks(root):
        while start < end and leaves[start].label in PUNCTUATION:
            start += 1
        while start < end and leaves[end - 1].label in PUNCTUATION:
            end -= 1
        if start < end:
            segments.append((start, end, label))
    return segments


def _chunks(node: Node) -> Iterator[Segment]:
    if node.word:
        return
    if node.label in ("NP", "WHNP"):
        yield from _noun_chunks(node)
    elif node.label == "VP":
        yield from _verb_chunks(node)
    elif node.label in HEADED and any(child.word for child in node.children):
        yield from _headed_chunks(node)
    else:
        for child in node.children:
            yield from _chunks(child)


def _possessive(node: Node) -> bool:
    return node.label == "NP" and [*node.leaves()][-1].label == "POS"


def _noun_chunks(node: Node) -> Iterator[Segment]:
    """The words of a flat noun phrase; a possessive marker opens the chunk of what is owned."""
    if node.children[0].label == "NP" and not _possessive(node.children[0]):
        for child in node.children:  # a noun phrase with what follows it, or a coordination
            yield from _chunks(child)
        return
    first, start = node.children[0], node.start
    if _possessive(first):
        start = first.end - 1
        inner = Node(first.label, first.children[:-1], start=first.start, end=start)
        yield from _noun_chunks(inner)
    yield (start, node.end, "NP")


def _verb_group(node: Node) -> int:
    """The end of the run of verbs, with the adverbs among them, that opens this verb phrase."""
    end = node.start
    for child in node.children:
        if child.label in VERBS:
            end = child.end
        elif child.label == "VP" and end == child.start:
            return _verb_group(child)
        elif child.label in ("RB", "ADVP"):
            later = [other for other in node.children if other.start >= child.end]
            if not (later and later[0].label in {*VERBS, "VP"}):
                return end
            end = child.end
        elif child.label == "S" and end == child.start and child.children[0].label == "VP":
            return _verb_group(child.children[0])  # plans [to open]
        else:
            return end
    return end


def _verb_chunks(node: Node) -> Iterator[Segment]:
    if node.children[0].label == "VP":  # a coordination
        for child in node.children:
            yield from _chunks(child)
        return
    end = _verb_group(node)
    yield (node.start, end, "VP")
    yield from _after(node, end)


def _after(node: Node, position: int) -> Iterator[Segment]:
    """The chunks of everything below the node that lies behind the position."""
    for child in node.children:
        if child.start >= position:
            yield from _chunks(child)
        elif child.end > position:
            yield from _after(child, position)


def _headed_chunks(node: Node) -> Iterator[Segment]:
    """The words of the phrase with their modifiers: *very late*, but *two years* before *ago*."""
    heads = [child for child in node.children if child.word or child.label in ("ADVP", "QP")]
    for child in node.children:
        if child.end <= heads[0].start:
            yield from _chunks(child)
    yield (heads[0].start, heads[-1].end, HEADED[node.label])
    yield from _after(node, heads[-1].end)


# ------------------------------------------------------------ parse-tree level 0


def level_zero(root: Node) -> list[Segment]:
    """Maximal runs of sister words, under their constituent's label; under S and TOP none."""
    segments: list[Segment] = []

    def visit(node: Node) -> None:
        run: list[Node] = []
        for child in [*_without_nml(node), None]:
            if child and child.word:
                run.append(child)
                continue
            if run and node.label not in ("S", "TOP"):
                segments.append((run[0].start, run[-1].end, node.label))
            run = []
            if child:
                visit(child)

    visit(root)
    return sorted(segments)


def _without_nml(node: Node) -> Iterator[Node]:
    """The children, those of a multi-word modifier in place of it."""
    for child in node.children:
        if child.label == "NML":
            yield from _without_nml(child)
        else:
            yield child


# ------------------------------------------------------------------------ roles


def predicates(root: Node) -> list[tuple[Node, Predicate]]:
    """The predicates with their words, in the order of the sentence."""
    return [(item, item.predicate) for item in root.leaves() if item.predicate]


def role_column(verb: Node, predicate: Predicate, length: int) -> list[str]:
    """One bracket column: ``(A0*``, ``*``, ``*)``, ``(V*)``."""
    column = ["*"] * length
    for role, node in [("V", verb), *predicate.arguments]:
        column[node.start] = f"({role}" + column[node.start]
        column[node.end - 1] += ")"
    return column


# -------------------------------------------------------------- rows of a sentence


def pos_rows(root: Node) -> list[list[str]]:
    """word, tag"""
    return [[item.word, item.label] for item in root.leaves()]


def chunk_rows(root: Node) -> list[list[str]]:
    """word, tag, chunk (IOB2)"""
    return [*map(list.__add__, pos_rows(root), _column(iob2(chunks(root), root.end)))]


def ner_rows(root: Node) -> list[list[str]]:
    """word, entity (IOB2)"""
    tags = iob2(entities(root), root.end)
    return [[item.word, tag] for item, tag in zip(root.leaves(), tags, strict=True)]


def pt0_rows(root: Node) -> list[list[str]]:
    """word, tag, level 0 (IOBES)"""
    return [*map(list.__add__, pos_rows(root), _column(iobes(level_zero(root), root.end)))]


def srl_rows(root: Node) -> list[list[str]]:
    """index, word, tag, level 0, roleset, kind of predicate, one bracket column per predicate"""
    columns = [role_column(*pair, root.end) for pair in predicates(root)]
    rows = []
    for i, (item, row) in enumerate(zip(root.leaves(), pt0_rows(root), strict=True)):
        target = item.predicate
        kind = [target.roleset, target.kind] if target else ["-", "-"]
        rows.append([str(i + 1), *row, *kind, *(column[i] for column in columns)])
    return rows


def _column(tags: list[str]) -> list[list[str]]:
    return [[tag] for tag in tags]
