#!/usr/bin/env bash
# torch 2.13.0: MultiheadAttention where a whole sentence is masked, as an empty one in a batch is.
#
# A good guess is that its vectors are NaN in every mode, or in none. Seen: need_weights=True, the
# default, gives NaN; need_weights=False gives the bias of the output in training, and also in
# evaluation as long as gradients are recorded; under no_grad in evaluation NaN again. So training and
# its loss are sound, and the development score of the same sentences is computed with NaN.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf -- "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -qq torch==2.13.0 --extra-index-url https://download.pytorch.org/whl/cpu numpy==2.4.6
cd "$folder"
"$folder/venv/bin/python" - <<'END'
import torch

attention = torch.nn.MultiheadAttention(8, 2, batch_first=True)
texts = torch.randn(2, 3, 8)
masked = torch.tensor([[False, False, True], [True, True, True]])
found = {}
for training in (True, False):
    for weights in (True, False):
        for gradients in (True, False):
            attention.train(training)
            with torch.set_grad_enabled(gradients):
                vectors, _ = attention(
                    texts, texts, texts, key_padding_mask=masked, need_weights=weights
                )
            assert vectors[0].isfinite().all()
            found[training, weights, gradients] = vectors[1].isnan().all().item()
            assert found[training, weights, gradients] or vectors[1].isfinite().all()
print(found)
assert {mode for mode, value in found.items() if not value} == {
    (True, False, True), (True, False, False), (False, False, True)
}
END
