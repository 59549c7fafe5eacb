"""A process forked while another thread tags, as `multiprocessing` makes them on Linux."""

import importlib
import os
import pkgutil
import threading

import pytest

import senna
from tests.extras.test_upgrade import FORMER, upgraded
from tests.processes import ENVIRONMENT, python

# Prints how many children ended well; one that hangs is killed.
PROGRAM = """
import os, signal, sys, threading, time
import senna
from senna.document import nlp as nlp_module
from senna.pipeline import threads
from senna.text.vocabulary import Vocabulary

nlp = senna.load(model=sys.argv[1])
expected = nlp("Anna walks.").to_dict()
get = (threads._functions() or (lambda: 0, None))[0]
before = get(), sys.getswitchinterval()
free, held, done = threading.Event(), threading.Event(), []

class Waiting(list):
    def __getitem__(self, rows):
        held.set(); free.wait()

class Slow:
    def of(reading):
        if threading.current_thread() is not threading.main_thread():
            held.set(); free.wait()
        return nlp.pipeline

def hold():
    {hold}

def child():
    {child}

threading.Thread(target=hold, daemon=True).start()
held.wait()
pid = os.fork()
if not pid:
    os._exit(0 if child() else 1)
end = time.monotonic() + 20
while time.monotonic() < end and not done:
    done = [status for number, status in [os.waitpid(pid, os.WNOHANG)] if number]
    time.sleep(0.01)
if not done:
    os.kill(pid, signal.SIGKILL)
print({{0: "well", 256: "wrong"}}.get(done[0], done) if done else "hung")
"""
TAGS = 'return nlp("Anna walks.").to_dict() == expected'
CASES = {
    "the lock is held": ("with threads._lock:\n        held.set(); free.wait()", TAGS),
    "calls are at work": (
        "with threads.one_thread(), threads.one_thread():\n        held.set(); free.wait()",
        f"{TAGS} and (get(), sys.getswitchinterval()) == before",
    ),
    "models are loaded once a process": (
        "nlp_module.Pipeline = Slow; nlp_module.loaded(None)",
        "return nlp_module.loaded(None).tasks == nlp.tasks",
    ),
    "a property is computed": (
        "Vocabulary(Waiting()).rows",
        'return Vocabulary(("", "", "x")).rows == {"x": 2}',
    ),
}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.parametrize("case", CASES)
def test_a_child_forked_while_a_thread_tags_can_tag(case, tmp_path):
    hold, child = CASES[case]
    program = PROGRAM.format(hold=hold, child=child)
    env = ENVIRONMENT | {"OPENBLAS_NUM_THREADS": "2"}
    model = upgraded(FORMER / "window", tmp_path)
    done = python("-W", "ignore", "-c", program, model, env=env, timeout=100)
    assert done.stdout == b"well\n", done.stderr


def test_no_module_has_another_lock():
    """One that a child does not make anew is held for ever, if another thread had it."""
    kinds = (type(threading.Lock()), type(threading.RLock()), threading.Condition, threading.Event)
    locks = []
    for module in pkgutil.walk_packages(senna.__path__, "senna.", onerror=lambda _: None):
        try:
            names = vars(importlib.import_module(module.name))
        except (ImportError, senna.SennaError):  # of other programs, or the compiled kernel
            continue
        locks += [
            f"{module.name}.{name}" for name, value in names.items() if isinstance(value, kinds)
        ]
    assert locks == ["senna.lab.torch_tagger._lock", "senna.pipeline.threads._lock"]
