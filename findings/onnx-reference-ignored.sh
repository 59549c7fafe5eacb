#!/usr/bin/env bash
# onnx 1.23.2: the loss of a sentence by ReferenceEvaluator, where padding has the label -1.
#
# NegativeLogLikelihoodLoss leaves out the words whose label is ignore_index. A good guess is that it does not
# matter which number this is. Seen: with -100 the mean is over the two words that count, with -1 over all
# three, so that the loss is smaller the more padding there is. Weights of 1 make it right, and so does
# SoftmaxCrossEntropyLoss, with -1 too.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf -- "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -qq onnx==1.23.2 numpy==2.4.6
cd "$folder"
"$folder/venv/bin/python" - <<'END'
import numpy as np
from onnx import TensorProto, helper
from onnx.reference import ReferenceEvaluator

probabilities = np.array([[0.5, 0.5], [0.9, 0.1], [0.25, 0.75]], dtype="f")


def loss(kind: str, padding: int, weights: bool = False) -> float:
    """The mean loss of padding and two words, whose labels have 0.9 and 0.75."""
    given = {
        "scores": np.log(probabilities),
        "labels": np.array([padding, 0, 1]),
        "weights": np.ones(2, dtype="f"),
    }
    if not weights:
        del given["weights"]
    node = helper.make_node(kind, list(given), ["loss"], ignore_index=padding)
    values = [
        helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(value.dtype), value.shape)
        for name, value in given.items()
    ]
    result = helper.make_tensor_value_info("loss", TensorProto.FLOAT, [])
    graph = helper.make_graph([node], "loss", values, [result])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 22)])
    [mean] = ReferenceEvaluator(model).run(None, given)
    return float(mean)


right = -(np.log(0.9) + np.log(0.75)) / 2
for padding in (-100, -2, -1, 7):
    print(padding, loss("NegativeLogLikelihoodLoss", padding))
    seen = right * 2 / 3 if padding == -1 else right
    assert abs(loss("NegativeLogLikelihoodLoss", padding) - seen) < 1e-6
    assert abs(loss("NegativeLogLikelihoodLoss", padding, weights=True) - right) < 1e-6
    assert abs(loss("SoftmaxCrossEntropyLoss", padding) - right) < 1e-6
END
