#!/usr/bin/env bash
# datasets 5.2.0: cast_column between two lists of label names.
#
# A ClassLabel holds the names of labels; texts that are cast to it become numbers by name, and
# concatenate_datasets refuses two lists of names that differ. A good guess is that a cast from one list
# to another goes by name, or is refused. Seen: the numbers stay and get other names, without a message:
# B-PER and I-PER are exchanged where the lists differ in order. A cast to texts gives "0", "1", "2".
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf -- "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -qq datasets==5.2.0
cd "$folder"
"$folder/venv/bin/python" - <<'END'
from datasets import ClassLabel, Dataset, List, Value, concatenate_datasets

ours, theirs = List(ClassLabel(names=["O", "B-PER", "I-PER"])), List(ClassLabel(names=["O", "I-PER", "B-PER"]))
texts = Dataset.from_dict({"tags": [["B-PER", "I-PER", "O"]]})


def names(dataset: Dataset) -> list[str]:
    return dataset.features["tags"].feature.int2str(dataset["tags"][0])


tagged, other = texts.cast_column("tags", ours), texts.cast_column("tags", theirs)
assert names(tagged) == names(other) == ["B-PER", "I-PER", "O"]
cast = tagged.cast_column("tags", theirs)
print(names(cast))
assert names(cast) == ["I-PER", "B-PER", "O"]
assert tagged.cast_column("tags", List(Value("string")))["tags"][0] == ["1", "2", "0"]
try:
    concatenate_datasets([tagged, other])
except ValueError as error:
    assert "can't be aligned" in str(error)
else:
    raise AssertionError("they are concatenated")
END
