#!/usr/bin/env bash
# safetensors 0.8.0 and numpy 2.4.6: word vectors whose array has the order of columns, as a transposed one.
#
# Two arrays with equal numbers may lie in memory by rows or by columns; numpy.save keeps the numbers of
# both. A good guess is that safetensors does so, too, or refuses the second, as it does with tensors of
# torch. Seen: it writes the numbers as they lie in memory, and the file says only the shape, so that
# what is read has the right shape and the numbers in other places, without a message. A copy by rows,
# numpy.ascontiguousarray, is right.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf -- "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -qq safetensors==0.8.0 numpy==2.4.6
cd "$folder"
"$folder/venv/bin/python" - <<'END'
import numpy as np
from safetensors.numpy import load_file, save_file

rows = np.array([[1, 2, 3], [4, 5, 6]], dtype="f")
columns = np.asfortranarray(rows)
assert np.array_equal(rows, columns)
save_file({"rows": rows, "columns": columns, "copy": np.ascontiguousarray(columns)}, "vectors")
read = load_file("vectors")
print(read)
assert np.array_equal(read["rows"], rows) and np.array_equal(read["copy"], rows)
assert read["columns"].tolist() == [[1, 4, 2], [5, 3, 6]]
END
