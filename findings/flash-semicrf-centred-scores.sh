#!/usr/bin/env bash
# flash-semicrf 0.2.0: five words that all score 10 for label 1 and 0 for label 0.
#
# SemiMarkovCRFHead takes scores of labels, word by word, and lengths. A good guess is that it finds
# label 1 and gives it nearly all probability, whatever else is in the batch. Seen: the mean over the
# sentence is taken off each label's scores, so what holds for all words does not count: label 0 is
# found, and both labels have one loss. The mean includes the padding, so with a longer sentence in the
# batch the same words get label 1. The labels of a sentence depend on its neighbours.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf -- "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -qq flash-semicrf==0.2.0 torch==2.13.0 --extra-index-url https://download.pytorch.org/whl/cpu numpy==2.4.6
cd "$folder"
"$folder/venv/bin/python" - <<'END'
import torch
from flash_semicrf import SemiMarkovCRFHead

head = SemiMarkovCRFHead(num_classes=2, max_duration=3, init_scale=0.0)
scores = torch.zeros(2, 9, 2)
scores[0, :5, 1] = 10


def labels(batch: torch.Tensor, lengths: list[int]) -> list[int]:
    result = head.decode_with_traceback(batch, torch.tensor(lengths), use_triton=False)
    return [
        segment.label for segment in result.segments[0] for _ in range(segment.start, segment.end + 1)
    ]


def loss(label: int) -> float:
    gold = torch.full((1, 5), label)
    return head.compute_loss(scores[:1, :5], torch.tensor([5]), gold, use_triton=False).item()


alone, padded = labels(scores[:1, :5], [5]), labels(scores, [5, 9])
print(alone, padded, loss(0), loss(1))
assert alone == [0] * 5 and padded == [1] * 5
assert loss(0) == loss(1) > 1
END
