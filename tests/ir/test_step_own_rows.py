"""OwnRows: iterations with rows of their own add what they added before, and nothing that two of them could add."""

import numpy as np
import pytest

from mochac.ir.kernel_interp import run_kernel
from mochac.ir.kernel_text import parse_kernel
from mochac.ir.kernel_verify import verify_kernel
from mochac.ir.schedule import ScheduleError
from mochac.ir.steps.split_body import OwnRows

ADDED = """
kernel @added(%x: f32[6,3], %ids: f32[6]) -> (%w: f32[7,3]) {
  each d in 0..3 {
    each v in 0..7 {
      %w[v, d] = 0.5:f32
    }
    for n in 0..6 {
      %id = %ids[n]
      each u in 0..7 at %id {
        %t = %x[n, d]
        %w[u, d] = add(%t, %w[u, d])
      }
    }
  }
}
"""
IDS = np.array([6, 2, 2, 0.5, -1, 2], np.float32)


def added(kernel):
    x = np.arange(18, dtype=np.float32).reshape(6, 3)
    return run_kernel(kernel, {"x": x, "ids": IDS})["w"]


@pytest.mark.parametrize("rows", [1, 2, 3, 7, 9])
def test_rows_are_divided(rows):
    kernel = parse_kernel(ADDED)
    owned = OwnRows(("v", "u"), rows, "own").apply(kernel)
    verify_kernel(owned)
    assert parse_kernel(str(owned)) == owned
    assert owned.body[0].extent == -(-7 // rows)
    np.testing.assert_array_equal(added(owned), added(kernel))
    np.testing.assert_array_equal(added(owned)[2], 0.5 + np.array([3 + 6 + 15, 4 + 7 + 16, 5 + 8 + 17]))


@pytest.mark.parametrize(
    ("loops", "own", "text", "why"),
    [
        (("v", "m"), "own", ADDED, "there must be loops v, m"),
        (("v", "u"), "n", ADDED, "already has a loop 'n'"),
        (("u",), "own", ADDED, "%w is not accessed by rows of u alone"),
        (("v", "u"), "own", ADDED.replace("add(%t, %w[u, d])", "add(%t, %w[u, d])\n%w[0, d] = %t"), "by rows of v, u"),
        (("v", "u"), "own", ADDED.replace("v in 0..7", "v in 0..6"), "over one constant range"),
        (("v", "u"), "own", ADDED.replace("in 0..7", "in 1..7"), "must begin at 0"),
        (("v", "n"), "own", ADDED, "must be 'each' loops"),
    ],
)
def test_refusals(loops, own, text, why):
    with pytest.raises(ScheduleError, match=why):
        OwnRows(loops, 2, own).apply(parse_kernel(text))
