#!/usr/bin/env bash
# pytorch-crf 0.7.2 and torch 2.13.0: a mask with a gap, such as one that leaves out the second subwords.
#
# CRF takes a mask whose first word must be on. A good guess is that other words which are off are skipped,
# in the loss and in decoding, or refused. Seen: the sum over all paths skips them, but the score of the
# right path has the transition from the tag that stands in the gap, so that the log likelihood depends on
# this tag and can be above 0. decode goes back through the first steps instead of those that are on, and
# misses a tag that nothing speaks against. With the gap cut out before the call both are right.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf -- "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -qq pytorch-crf==0.7.2 torch==2.13.0 --extra-index-url https://download.pytorch.org/whl/cpu numpy==2.4.6
cd "$folder"
"$folder/venv/bin/python" - <<'END'
import torch
from torchcrf import CRF

crf = CRF(3, batch_first=True)
with torch.no_grad():
    crf.start_transitions.zero_()
    crf.end_transitions.zero_()
    crf.transitions.zero_()
    crf.start_transitions[0] = -10
    crf.transitions[0, 1] = 5
mask = torch.tensor([[True, False, True]])
scores = torch.zeros(1, 3, 3)


def likelihood(gap: int) -> float:
    return crf(scores, torch.tensor([[1, gap, 1]]), mask).item()


whole = crf(scores[:, mask[0]], torch.tensor([[1, 1]])).item()
print(likelihood(0), likelihood(1), whole)
assert likelihood(0) > 3 and abs(likelihood(1) - whole) < 1e-6 and whole < -1

mask = torch.tensor([[True, False, True, True]])
scores = torch.zeros(1, 4, 3)
for place, tag in ((0, 1), (2, 2), (3, 2)):
    scores[0, place, tag] = 20
found, cut = crf.decode(scores, mask), crf.decode(scores[:, mask[0]])
print(found, cut)
assert cut == [[1, 2, 2]] and found == [[1, 1, 2]]
END
