"""senna classic: the original's options reach it, and its own."""

from pathlib import Path


def test_options_with_one_hyphen_are_the_originals(senna):
    done = senna("classic", "-notokentags", "-usrtokens", "-pos", "-chk", data=b"Anna flew\n")
    assert (done.code, done.err) == (0, "")
    assert [len(line.split(b"\t")) for line in done.out.split(b"\n")] == [3, 3, 1, 1]
    assert senna("classic", "-pos", "-path", ".", data=b"a").out.startswith(b"              a\t")


def test_help(senna):
    assert b"--install DIR" in senna("classic", "--help").out
    own = senna("classic", "-h")
    assert own.code == 0 and b"-brackettags" in own.out


def test_a_fault(senna):
    done = senna("classic", "-path")
    assert done == (255, b"", "FATAL ERROR: please provide a path for the -path option\n")


def test_stand_ins(senna, tmp_path):
    done = senna("classic", "--install", tmp_path / "own")
    assert (done.code, done.err) == (0, "")
    for line in done.out.decode().splitlines():
        assert Path(line).parent == tmp_path / "own" and Path(line).is_file()
    in_a_file = senna("classic", "--install", done.out.decode().split("\n")[0])
    assert "cannot be made" in in_a_file.error
