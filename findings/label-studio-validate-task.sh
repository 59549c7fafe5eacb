#!/usr/bin/env bash
# label-studio-sdk 2.1.2: validating a task that has predictions.
#
# LabelInterface.validate_task says whether a task fits a template, and validate_prediction the same
# of one prediction. A good guess is that a task whose only prediction is valid is valid. Seen: any
# task with the key "predictions", or "annotations", raises TypeError, because validate_task calls
# validate_prediction without the prediction. Without the key it says True. validate_prediction
# itself compares labels with the template, and takes a span whose end lies before its start.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf -- "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -qq label-studio-sdk==2.1.2
cd "$folder"
"$folder/venv/bin/python" - <<'END'
from label_studio_sdk.label_interface import LabelInterface

template = LabelInterface(
    '<View><Labels name="label" toName="text"><Label value="PER"/></Labels>'
    '<Text name="text" value="$text"/></View>'
)


def prediction(start, end, label):
    value = {"start": start, "end": end, "text": "Ann", "labels": [label]}
    region = {"from_name": "label", "to_name": "text", "type": "labels", "value": value}
    return {"result": [region]}


data, valid = {"text": "Ann left."}, prediction(0, 3, "PER")
assert template.validate_prediction(valid) is True
assert template.validate_task({"data": data}) is True
for key in ("predictions", "annotations"):
    try:
        template.validate_task({"data": data, key: [valid]})
    except TypeError as error:
        print(key, error)
        assert "missing 1 required positional argument" in str(error)
    else:
        raise AssertionError("the task is read")
assert template.validate_prediction(prediction(0, 3, "ORG")) is False
assert template.validate_prediction(prediction(5, 2, "PER")) is True
END
