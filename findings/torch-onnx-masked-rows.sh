#!/usr/bin/env bash
# torch 2.13.0, onnxscript 0.7.2 and onnxruntime 1.32.0: attention exported to ONNX, where one word may
# attend to nothing, as those of an empty sentence.
#
# torch gives such a word zeros. A good guess is that the exported network does so, too. Seen: by default
# (opset 20) it gets the mean of all words, which are masked: minus infinity is written as the smallest
# number of float32, of which softmax makes equal shares. With opset_version=23, and by the older exporter
# (dynamo=False), it gets zeros. Words that attend to something are right in each.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf -- "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -qq torch==2.13.0 --extra-index-url https://download.pytorch.org/whl/cpu numpy==2.4.6 \
    onnx==1.23.2 onnxscript==0.7.2 onnxruntime==1.32.0
cd "$folder"
"$folder/venv/bin/python" -W ignore - 2>/dev/null <<'END'
import onnxruntime
import torch
from torch.nn.functional import scaled_dot_product_attention


class Attention(torch.nn.Module):
    def forward(self, words: torch.Tensor, allowed: torch.Tensor) -> torch.Tensor:
        return scaled_dot_product_attention(words, words, words, attn_mask=allowed)


words = torch.tensor([[[[1.0, 2.0], [3.0, -4.0], [5.0, 8.0]]]])
allowed = torch.tensor([[True, True, False], [True, True, False], [False, False, False]])


def exported(**options) -> torch.Tensor:
    torch.onnx.export(Attention(), (words, allowed), "a.onnx", verbose=False, **options)
    session = onnxruntime.InferenceSession("a.onnx")
    names = [value.name for value in session.get_inputs()]
    [rows] = session.run(None, {names[0]: words.numpy(), names[1]: allowed.numpy()})
    return torch.from_numpy(rows)[0, 0]


ours, default = Attention()(words, allowed)[0, 0], exported()
print(ours.tolist(), default.tolist())
assert ours[2].tolist() == [0, 0]
assert torch.allclose(default[:2], ours[:2]) and torch.allclose(default[2], torch.tensor([3.0, 2.0]))
for options in ({"opset_version": 23}, {"dynamo": False}):
    assert torch.allclose(exported(**options), ours)
END
