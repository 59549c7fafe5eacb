#!/usr/bin/env bash
# doccano 1.8.4: a fresh install of the annotation tool.
#
# Its requirements have upper bounds (environs below 10, pandas below 2), so a good guess is that
# what pip chooses works together. Seen: environs 9.5.0 sets no bound on marshmallow and reads
# marshmallow.__version_info__, which marshmallow 4 no longer has: `doccano --help` ends with
# AttributeError. With marshmallow below 4 importing its parsers fails next, because pandas 1.5.3
# was built for NumPy 1 and sets no bound. With numpy below 2 as well they read JSON lines.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf -- "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -qq doccano==1.8.4 "setuptools<80" marshmallow==4.4.0 numpy==2.4.6
cd "$folder"
cat > read.py <<'END'
import importlib.util
import os
import sys
from pathlib import Path

import django

sys.path.insert(0, str(Path(importlib.util.find_spec("backend").origin).parent))
os.environ.update(DJANGO_SETTINGS_MODULE="config.settings.base", DATABASE_URL="sqlite:///a.db")
django.setup()
from data_import.pipeline.parsers import JSONLParser

Path("a.jsonl").write_text('{"text": "Ann left.", "label": [[0, 3, "PER"]]}\n', encoding="utf-8")
print([row["label"] for row in JSONLParser("utf_8").parse("a.jsonl")])
END
last() {
    "$folder/venv/bin/python" read.py 2>&1 | tail -n 1 || true
}
found="$(last)"
echo "$found"
[[ "$found" == *"module 'marshmallow' has no attribute '__version_info__'"* ]]
"$folder/venv/bin/pip" install -qq "marshmallow<4"
found="$(last)"
echo "$found"
[[ "$found" == *"numpy.dtype size changed"* ]]
"$folder/venv/bin/pip" install -qq "numpy<2"
found="$(last)"
echo "$found"
[[ "$found" == "[[[0, 3, 'PER']]]" ]]
