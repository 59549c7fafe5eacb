"""Numbers of forms, and where words stand among paddings."""

import numpy as np

from senna.inference.workspace import Workspace, places_of


def test_places_of():
    assert places_of(np.array([2, 0, 1], np.int64), 2).tolist() == [2, 3, 8]
    assert places_of(np.array([2, 1], np.int64), 0).tolist() == [0, 1, 2]
    assert places_of(np.array([], np.int64), 3).tolist() == []


def test_equal_forms_have_one_number_and_paddings_none_of_theirs():
    space = Workspace()
    flat, places = space.number([["a", "B"], [], ["B", "a", "c"]], 1)
    assert flat.tolist() == [0, 1, 2, 0, 0, 2, 1, 3, 0]
    assert flat[places].tolist() == [1, 2, 2, 1, 3]
    assert [own.form for own in space.spelt] == ["", "a", "B", "c"]
    again, _ = space.number([["c", "d"]], 0)
    assert again.tolist() == [3, 4]
