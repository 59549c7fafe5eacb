"""`senna explain`: a line per meaning; an unknown tag is reported after the others."""

import senna as package


def test_each_tag_has_a_line_and_an_unknown_one_is_reported_after_them(senna):
    done = senna("explain", "nsub:pass", "nsubj:pass", "xyzzy")
    line = b"nsubj:pass (dep): subject of a passive. For example: The [boat] was sold.\n"
    assert (done.code, done.out) == (2, line)
    assert done.err.count("\n") == 2 and "Close to it: nsubj:pass" in done.err


def test_without_a_tag_all_are_printed(senna):
    every = senna("explain").out.decode().splitlines()
    assert every == [str(own) for own in package.explain()]
