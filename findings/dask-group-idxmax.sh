#!/usr/bin/env bash
# dask 2026.8.0 and pandas 3.1.1: the best row of each group, in a table of several parts.
#
# A good guess is that groupby().idxmax() gives the row of the greatest score, as pandas does. Seen: the rows are
# found in each part, and of these the first part's row is taken: of the scores 1 to 6 in three parts, group a gets
# the row of 2, not that of 5. In a table of one part, for a whole column without groups, and as
# groupby().max(), it is right.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf -- "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -qq "dask[dataframe]==2026.8.0" pandas==3.1.1 pyarrow==26.0.1 numpy==2.4.6
cd "$folder"
"$folder/venv/bin/python" - <<'END'
import dask.dataframe as dd
import pandas as pd

table = pd.DataFrame({"group": ["b", "a", "c", "b", "a", "c"], "score": [1, 2, 3, 4, 5, 6]})


def best(parts: int) -> dict[str, int]:
    divided = dd.from_pandas(table, npartitions=parts)
    assert divided.npartitions == parts
    assert divided.score.idxmax().compute() == 5
    assert divided.groupby("group").score.max().compute().to_dict() == {"a": 5, "b": 4, "c": 6}
    return dict(sorted(divided.groupby("group").score.idxmax().compute().to_dict().items()))


print(best(1), best(3))
assert best(1) == table.groupby("group").score.idxmax().to_dict() == {"a": 4, "b": 3, "c": 5}
assert best(3) == {"a": 1, "b": 0, "c": 2}
END
