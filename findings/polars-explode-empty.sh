#!/usr/bin/env bash
# polars 2.1.0: Series.explode of lists of names, one of which is empty.
#
# help() shows the default empty_as_null=True. A good guess is that a sentence without names gives one
# row with null then, as a list that is missing does. Seen: it gives no row, as DataFrame.explode does, whose
# default is shown as False; explode(empty_as_null=True) gives the row. A list that is missing has its row in
# each case.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf -- "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -qq polars==2.1.0
cd "$folder"
"$folder/venv/bin/python" - <<'END'
import inspect

import polars as pl


def default(method) -> object:
    return inspect.signature(method).parameters["empty_as_null"].default


names = pl.Series("names", [["Ann"], [], None])
print(names.explode().to_list(), names.explode(empty_as_null=True).to_list())
assert default(pl.Series.explode) is True and default(pl.DataFrame.explode) is False
assert names.explode(empty_as_null=True).to_list() == ["Ann", None, None]
assert names.explode().to_list() == ["Ann", None]
assert names.to_frame().explode("names")["names"].to_list() == ["Ann", None]
END
