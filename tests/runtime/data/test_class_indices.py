"""ClassIndices: which labels are legal, alone and for several layers."""

import numpy as np
import pytest

from mochac.runtime.data.targets import ClassIndices


@pytest.mark.parametrize(
    ("left", "right", "both"),
    [
        (ClassIndices(10), ClassIndices(4), ClassIndices(4)),
        (ClassIndices(10, frozenset({255})), ClassIndices(4), ClassIndices(4)),
        (ClassIndices(10, frozenset({255})), ClassIndices(4, frozenset({255})), ClassIndices(4, frozenset({255}))),
        (ClassIndices(10, frozenset({255})), ClassIndices(4, frozenset({-1})), ClassIndices(4)),
        (ClassIndices(10), ClassIndices(4, frozenset({7})), ClassIndices(4, frozenset({7}))),
    ],
)
def test_what_two_layers_both_take(left, right, both):
    assert left.shared(right) == right.shared(left) == both
    assert [v for v in range(-2, 300) if v in left and v in right] == [v for v in range(-2, 300) if v in both]


@pytest.mark.parametrize(
    ("values", "bad"),
    [([0, 1, 2], None), ([0, 255, -1], None), ([0, 3], 1), ([254.5], 0), ([np.nan], 0), ([-np.inf], 0), ([0.5], 0)],
)
def test_the_first_illegal_value(values, bad):
    found = ClassIndices(3, frozenset({255, -1})).first_bad(np.array(values, np.float32))
    assert (None if found is None else int(found[0])) == bad
