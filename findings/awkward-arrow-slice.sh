#!/usr/bin/env bash
# awkward 2.14.0 and pyarrow 26.0.1: a slice of an Arrow array that has nulls, as the later rows of a table of
# tokens.
#
# A slice shares the memory of the whole array and says where it begins. A good guess is that from_arrow gives
# the rows of the slice; its help says that it always preserves the values. Seen: the values are those of the
# slice, and the nulls those of the first rows of the whole array, without a message: [None, 3, 4], the end of
# [1, None, 3, 4], becomes [0, None, 4]. It is so with texts, lists, records and dictionaries, also in tables.
# Without nulls, and after a copy by take, it is right.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf -- "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -qq awkward==2.14.0 pyarrow==26.0.1 numpy==2.4.6
cd "$folder"
"$folder/venv/bin/python" - <<'END'
import awkward as ak
import pyarrow as pa

columns = {
    "heads": (pa.array([1, None, 3, 4]), [0, None, 4]),
    "words": (pa.array(["Ann", None, "in", "Rome"]), ["", None, "Rome"]),
    "names": (pa.array([["A"], None, ["B", "C"], []]), [[], None, []]),
    "tags": (pa.array(["O", None, "PER", "O"]).dictionary_encode(), ["O", None, "O"]),
    "records": (pa.array([{"i": 1}, None, {"i": 3}, {"i": 4}]), [{"i": 0}, None, {"i": 4}]),
}
for name, (column, seen) in columns.items():
    end = column[1:]
    copy = end.take(pa.array([0, 1, 2]))
    print(name, end.to_pylist(), ak.from_arrow(end).to_list())
    assert ak.from_arrow(column).to_list() == column.to_pylist()
    assert ak.from_arrow(copy).to_list() == end.to_pylist() == column.to_pylist()[1:]
    assert ak.from_arrow(end).to_list() == seen != end.to_pylist()
    table = pa.table({name: column}).slice(1)
    assert ak.from_arrow(table)[name].to_list() == seen
assert ak.from_arrow(pa.array([1, 2, 3, 4])[1:]).to_list() == [2, 3, 4]
END
