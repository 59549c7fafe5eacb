"""Measure `senna serve` against `nlp(text)` in a loop and a process per text.

usage: python scripts/measure_serve.py [--rounds 3] [--mixed 10000]

Texts have 200 words, tasks are the default ones. Clients share the machine with the server. Each
round runs everything anew; medians of the rounds are printed, and the ratios to compare with those
of other machines. CPU is that of the server and its workers alone. Memory is the proportional share
(PSS), in which pages that processes share count once. The mixed part draws options of the interface
at random, most of all formats and tasks, and compares each answer with that to the same request
alone; with --rounds 0 it is the only part.
"""

import argparse
import http.client
import json
import os
import random
import statistics
import subprocess
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlencode

from common import OURS, Program

ROOT = Path(__file__).resolve().parents[1]
WORDS = (ROOT / "data" / "sample.txt").read_text(encoding="utf-8").split()
CLIENTS = 20
REQUESTS = 200
PLAIN = """
import time, senna
from measure_serve import texts
some, nlp = texts(), senna.load()
nlp(some[0])
began, used = time.perf_counter(), time.process_time()
for text in some:
    nlp(text)
wall = time.perf_counter() - began
print(len(some) / wall, len(some) / (time.process_time() - used), flush=True)
input()
"""


def texts(n: int = REQUESTS) -> list[str]:
    """Texts of 200 words, each another part of the sample."""
    return [" ".join((WORDS * 2)[7 * i % len(WORDS) :][:200]) for i in range(n)]


# --------------------------------------------------------------------------- processes


@contextmanager
def running(*arguments: str, program: Program = OURS) -> Iterator[subprocess.Popen[str]]:
    """A process of Python."""
    command = [program.python, *arguments]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    where = program.folder
    process = subprocess.Popen(command, **pipes, text=True, env=program.environment, cwd=where)
    try:
        yield process
    finally:
        process.terminate()
        process.communicate(timeout=20)


class Server:
    """A server process, its workers, and what they use."""

    def __init__(self, process: subprocess.Popen[str], workers: int) -> None:
        self.pid = process.pid
        self.port = int(line_of(process).rpartition(":")[2])
        ready = set[int]()
        while len(ready) < workers:
            ready.add(json.loads(ask(self.port, "GET", "/health")[1])["process"])

    @property
    def pids(self) -> list[int]:
        return processes_of(self.pid)

    @property
    def cpu(self) -> float:
        return cpu_of(self.pid)


def processes_of(pid: int) -> list[int]:
    """A process and its children."""
    return [pid, *map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())]


def cpu_of(pid: int) -> float:
    """Seconds of a process and its children."""
    ticks = 0
    for one in processes_of(pid):
        fields = Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


@contextmanager
def serving(workers: int, program: Program = OURS) -> Iterator[Server]:
    """A server whose workers are ready."""
    options = ("--port", "0", "--quiet", "--jobs", str(workers))
    with running("-m", "senna", "serve", *options, program=program) as process:
        yield Server(process, workers)


def line_of(process: subprocess.Popen[str]) -> str:
    """The next line that a process prints."""
    assert process.stdout is not None
    return process.stdout.readline()


def pss(pid: int) -> float:
    """Megabytes of a process; pages that it shares with others in part."""
    rows = (line.split() for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines())
    return next(int(row[1]) / 1_000 for row in rows if row[0] == "Pss:")


def ask(port: int, method: str, path: str, body: bytes | None = None) -> tuple[int, bytes]:
    """The status and the body of an answer."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request(method, path, body, {"content-type": "text/plain"} if body else {})
    answer = connection.getresponse()
    data = answer.read()
    connection.close()
    return answer.status, data


# --------------------------------------------------------------------------- speed and memory


def process_per_text(some: list[str]) -> float:
    """Texts per second of a process for each."""
    began = time.perf_counter()
    for text in some:
        with running("-m", "senna", "tag", "--format", "jsonl") as process:
            process.communicate(text)
    return len(some) / (time.perf_counter() - began)


def load(server: Server, some: list[str], clients: int) -> dict[str, float]:
    """Requests per second of time and of the server's CPU, and the times of answers in ms."""

    def client(own: list[str]) -> list[float]:
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
        times = []
        for text in own:
            began = time.perf_counter()
            connection.request("POST", "/v1/tag", text.encode(), {"content-type": "text/plain"})
            answer = connection.getresponse()
            answer.read()
            assert answer.status == 200
            times.append((time.perf_counter() - began) * 1_000)
        connection.close()
        return times

    for _ in range(3):
        client(some[:2])
    cpu, began = server.cpu, time.perf_counter()
    with ThreadPoolExecutor(clients) as pool:
        shares = [some[i::clients] for i in range(clients)]
        times = sorted(one for own in pool.map(client, shares) for one in own)
    wall, used = time.perf_counter() - began, server.cpu - cpu
    return {
        "per second": len(some) / wall,
        "per second of CPU": len(some) / used,
        "median": statistics.median(times),
        "99th": times[int(len(times) * 0.99) - 1],
    }


def figures() -> dict[str, float]:
    """One round of all that is about speed and memory."""
    some, began = texts(), time.perf_counter()
    with serving(1) as server:
        assert ask(server.port, "POST", "/v1/tag", b"Anna flew to Rome.")[0] == 200
        first = time.perf_counter() - began
        one = load(server, some, 1)
    with serving(2) as server:
        many = load(server, some * 2, CLIENTS)
        ours = sum(map(pss, server.pids))
    with running("-c", PLAIN) as process:
        alone, of_cpu = map(float, line_of(process).split())
    with running("-c", PLAIN) as process, running("-c", PLAIN) as other:
        line_of(process), line_of(other)
        theirs = pss(process.pid) + pss(other.pid)
    return {
        "start to first answer, s": first,
        "nlp(text) in a loop, per second": alone,
        "nlp(text) in a loop, per second of CPU": of_cpu,
        "a process per text, per second": process_per_text(some[:5]),
        **{f"1 client, --jobs 1: {name}": value for name, value in one.items()},
        **{f"{CLIENTS} clients, --jobs 2: {name}": value for name, value in many.items()},
        "RATIO 1 client over nlp(text)": one["per second"] / alone,
        "RATIO 1 client over nlp(text): per second of CPU": one["per second of CPU"] / of_cpu,
        **{
            f"RATIO {CLIENTS} clients over 1: {name}": many[name] / one[name]
            for name in ("per second of CPU", "per second")
        },
        "server with --jobs 2, MB": ours,
        "two plain processes, MB": theirs,
        "RATIO memory": ours / theirs,
    }


# --------------------------------------------------------------------------- mixed requests


def drawn(random_: random.Random, options: dict[str, list[str]]) -> tuple[str, bytes]:
    """The path and the text of a request with some options, also wrong combinations."""
    start = random_.randrange(len(WORDS))
    text = " ".join((WORDS * 2)[start : start + random_.randrange(1, 40)])
    often = ("format", "tasks")
    given = {
        name: random_.choice(values)
        for name, values in options.items()
        if random_.random() < (0.7 if name in often else 0.1)
    }
    return f"/v1/tag?{urlencode(given)}", text.encode()


def mixed(requests: int) -> dict[str, float]:
    """Requests of some clients at once: how many answers differ from those to each alone."""
    random_ = random.Random(1)
    with serving(2) as server:
        about = json.loads(ask(server.port, "GET", "/openapi.json")[1])
        schemas = {
            option["name"]: option["schema"]
            for option in about["paths"]["/v1/tag"]["post"]["parameters"]
        }
        options = {
            name: schema.get("enum") or schema.get("items", {}).get("enum") or ["true", "false"]
            for name, schema in schemas.items()
            if schema["type"] in ("boolean", "array") or "enum" in schema
        }
        different = [drawn(random_, options) for _ in range(max(requests // 10, 1))]
        alone = [ask(server.port, "POST", *request) for request in different]
        rows = [random_.randrange(len(different)) for _ in range(requests)]

        def differs(row: int) -> bool:
            return ask(server.port, "POST", *different[row]) != alone[row]

        with ThreadPoolExecutor(CLIENTS) as pool:
            wrong = sum(pool.map(differs, rows))
    return {
        f"mixed requests of {CLIENTS} clients": requests,
        "different requests among them": len(set(different)),
        "of these refused with an error": sum(400 <= status < 500 for status, _ in alone),
        "of these that the server fails at": sum(status >= 500 for status, _ in alone),
        "answers that differ from single ones": wrong,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--mixed", type=int, default=10_000)
    chosen = parser.parse_args()
    rounds = [figures() for _ in range(chosen.rounds)]
    for name in rounds[0] if rounds else ():
        values = [one[name] for one in rounds]
        print(f"{name}\t{statistics.median(values):.2f}\t({min(values):.2f} to {max(values):.2f})")
    for name, value in mixed(chosen.mixed).items() if chosen.mixed else ():
        print(f"{name}\t{value:.2f}")


if __name__ == "__main__":
    main()
