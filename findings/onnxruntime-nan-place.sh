#!/usr/bin/env bash
# onnxruntime 1.32.0 and onnx 1.23.2: the best score of words, one of which is NaN.
#
# A good guess is that ReduceMax gives NaN, as Max of two, ReferenceEvaluator of onnx and NumPy do, or passes over
# NaN wherever it stands. Seen: NaN if it is first, else the greatest number. ArgMax goes with ReduceMax, while TopK
# takes NaN for the greatest. Unique drops NaN that comes after a number, and counts it as this number.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf -- "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -qq onnxruntime==1.32.0 onnx==1.23.2 numpy==2.4.6
cd "$folder"
"$folder/venv/bin/python" - <<'END'
from math import nan

import numpy as np
import onnxruntime
from onnx import TensorProto, helper
from onnx.reference import ReferenceEvaluator

FLOAT, INT64 = TensorProto.FLOAT, TensorProto.INT64


def results(kind: str, scores: list[float], types: list[int], runtime: bool = True) -> list:
    given = {"scores": np.array(scores, dtype="f")}
    values = [helper.make_tensor_value_info("scores", FLOAT, ["words"])]
    if kind == "TopK":
        given["k"] = np.array([1])
        values.append(helper.make_tensor_value_info("k", INT64, [1]))
    outputs = [helper.make_tensor_value_info(f"o{i}", type, [None]) for i, type in enumerate(types)]
    node = helper.make_node(kind, list(given), [output.name for output in outputs])
    graph = helper.make_graph([node], "best", values, outputs)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 22)], ir_version=10)
    if runtime:
        session = onnxruntime.InferenceSession(model.SerializeToString())
    else:
        session = ReferenceEvaluator(model)
    return [value.ravel().tolist() for value in session.run(None, given)]


for scores, best, place in (([nan, 1, 3], nan, 0), ([1, nan, 3], 3, 2), ([1, 3, nan], 3, 1)):
    [[highest]], [[index]] = results("ReduceMax", scores, [FLOAT]), results("ArgMax", scores, [INT64])
    print(scores, highest, index, results("TopK", scores, [FLOAT, INT64]))
    np.testing.assert_equal(highest, best)
    assert index == place
    np.testing.assert_equal(results("TopK", scores, [FLOAT, INT64]), [[nan], [scores.index(nan)]])
    np.testing.assert_equal(results("ReduceMax", scores, [FLOAT], runtime=False), [[nan]])

numbers, first, inverse, counts = results("Unique", [1, nan, 3], [FLOAT, INT64, INT64, INT64])
print(numbers, inverse, counts)
assert numbers == [1, 3] and inverse == [0, 0, 1] and counts == [2, 1]
END
