"""side_by_side: members with schedules of their own in one grid; what it refuses, and what the verifier does."""

from __future__ import annotations

import numpy as np
import pytest
from step_kit import applied

from mochac.codegen.cuda.module import print_kernel
from mochac.codegen.cuda.target import CudaTarget
from mochac.ir.kernel_interp import run_kernel
from mochac.ir.kernel_text import parse_kernel
from mochac.ir.kernel_verify import verify_kernel
from mochac.ir.schedule import ScheduleError

TWO = """kernel @two(%x: f32[70,4], %v: f32[90]) -> (%y: f32[4], %z: f32[]) members reduce_sum 1, reduce_sum 4 {
  local %acc: f32[] register
  local %acc.1: f32[] register
  each c in 0..4 {
    %acc[] = 0.0:f32
    sum n in 0..70 {
      %t = %x[n, c]
      %acc[] = add(%t, %acc[])
    }
    %s = %acc[]
    %y[c] = %s
  }
  %acc.1[] = 0.0:f32
  sum n in 0..90 {
    %t = %v[n]
    %acc.1[] = add(%t, %acc.1[])
  }
  %s.1 = %acc.1[]
  %z[] = %s.1
}"""
STEPS = "side_by_side(schedules=((blocks(loops=(c)), threads(loops=(n), count=64)), (threads(loops=(n), count=96))))"


def two():
    return parse_kernel(TWO)


def test_each_block_works_for_one_member():
    """Loops, values and locals of the same name are told apart; all blocks have the threads of the largest."""
    done = applied(two(), STEPS)
    verify_kernel(done, printable=True)
    assert parse_kernel(str(done)) == done
    assert done.threads == (96,) and not done.members
    assert [loop.var for loop in done.body] == ["c", "one"]
    rng = np.random.default_rng(2)
    inputs = {b.name: rng.standard_normal(b.type.shape).astype("f4") for b in done.inputs}
    got, want = run_kernel(done, inputs), run_kernel(two(), inputs)
    for name in ("y", "z"):
        np.testing.assert_allclose(got[name], want[name], rtol=1e-5, atol=1e-5)
    (grid,) = print_kernel(done, CudaTarget(90)).grids
    assert (grid.grid, grid.block) == (5, 96)
    assert "if ((int)blockIdx.x < 4) {" in grid.text
    assert "if ((int)blockIdx.x >= 4 && (int)blockIdx.x < 5) {" in grid.text


@pytest.mark.parametrize(
    ("step", "message"),
    [
        ("side_by_side(schedules=((blocks(loops=(c)), threads(loops=(n), count=64))))", "1 schedules for 2 members"),
        (
            "side_by_side(schedules=((parallel(loops=(c))), (threads(loops=(n), count=64))))",
            "must be one grid of blocks",
        ),
        (
            "side_by_side(schedules=((blocks(loops=(m))), (threads(loops=(n), count=64))))",
            "'m' is not the next outermost",
        ),
    ],
)
def test_refused(step, message):
    with pytest.raises(ScheduleError, match=message):
        applied(two(), step)


SHARING = """kernel @sharing(%x: f32[4]) -> (%y: f32[4], %z: f32[4]) threads 32 {
  each a in 0..4 blocks {
    %t = %x[a]
    %y[a] = %t
  }
  each b in 0..4 blocks {
    %u = %y[b]
    %z[b] = %u
  }
}"""


def test_blocks_side_by_side_do_not_wait_for_each_other():
    with pytest.raises(Exception, match="%y is used by blocks side by side, which do not wait for each other"):
        verify_kernel(parse_kernel(SHARING), printable=True)
