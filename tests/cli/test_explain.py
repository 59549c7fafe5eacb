"""`senna explain`: a line per meaning; an unknown tag is an error before anything is printed."""

import senna as package


def test_each_tag_has_a_line(senna):
    done = senna("explain", "AM-DIS", "nsubj:pass", "WP$")
    lines = done.out.decode().splitlines()
    assert done.code == 0
    assert [line.split(" ")[0] for line in lines] == ["AM-DIS", "nsubj:pass", "WP$"]
    assert lines[1] == ("nsubj:pass (dep): subject of a passive. For example: The [boat] was sold.")


def test_an_unknown_tag_is_reported_after_the_others(senna):
    done = senna("explain", "nsub:pass", "NP", "xyzzy")
    assert done.code == 2 and done.out.startswith(b"NP (chunk)")
    assert done.err.count("\n") == 2 and "Close to it: nsubj:pass" in done.err


def test_without_a_tag_all_of_a_task_are_printed(senna):
    done = senna("explain", "--task", "ner")
    assert [line.split(" ")[0] for line in done.out.decode().splitlines()] == [
        "O", "LOC", "MISC", "ORG", "PER"
    ]  # fmt: skip
    every = senna("explain").out.decode().splitlines()
    assert every == [str(own) for own in package.explain()]
