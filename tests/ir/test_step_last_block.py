"""LastBlock: two grids in one launch, what is launched then, and which kernels are refused."""

from __future__ import annotations

import numpy as np
import pytest

from mochac.codegen.cuda.module import print_kernel
from mochac.codegen.cuda.target import CudaTarget
from mochac.ir import apply
from mochac.ir.grids import counter_of, grids, launches
from mochac.ir.kernel_interp import run_kernel
from mochac.ir.kernel_text import parse_kernel
from mochac.ir.kernel_verify import kernel_problems, verify_kernel
from mochac.ir.schedule import ScheduleError, parse_schedule

SUMS = parse_kernel("""
kernel @sums(%x: f32[3,40]) -> (%y: f32[3]) root reduce_sum ops (reduce_sum) {
  local %acc: f32[] register
  each a in 0..3 {
    %acc[] = 0.0:f32
    sum k in 0..40 {
      %t = %x[a, k]
      %acc[] = add(%t, %acc[])
    }
    %s = %acc[]
    %y[a] = %s
  }
}""")
SPLIT = ["split(loop=k, factor=10, outer=p, inner=i, tail=guard)", "split_sum(locals=(acc), loop=p)"]
BLOCKS, ITEMS = ["threads(loops=(i), count=32)", "blocks(loops=(p, a))"], ["parallel(loops=(a.s))"]


def scheduled(*steps: str):
    return apply(parse_schedule("\n  ".join(["schedule example", *steps])), SUMS)


def test_one_launch_of_two_grids() -> None:
    two, one = scheduled(*SPLIT, *BLOCKS, *ITEMS), scheduled(*SPLIT, *BLOCKS, *ITEMS, "last_block()")
    verify_kernel(one, printable=True)
    assert parse_kernel(str(one)) == one
    assert counter_of(two) is None and launches(two) == grids(two) and len(grids(one)) == 2
    (launch,) = launches(one)
    assert [b.name for b in launch.outputs] == ["y", "y.parts", "y.blocks"] and launch.inputs == SUMS.inputs
    x = np.random.default_rng(0).standard_normal((3, 40)).astype("f4")
    np.testing.assert_array_equal(run_kernel(one, {"x": x})["y"], run_kernel(two, {"x": x})["y"])
    np.testing.assert_allclose(run_kernel(one, {"x": x})["y"], x.sum(1), rtol=1e-5)


def test_the_last_block_goes_on() -> None:
    (grid,) = print_kernel(scheduled(*SPLIT, *BLOCKS, *ITEMS, "last_block()"), CudaTarget(90)).grids
    assert (grid.grid, grid.block, grid.symbol) == (12, 32, "mochac_sums")
    sums, ends = grid.text.split("if (!mochac_last_block(y_blocks, 12)) return;")
    assert "y_parts[p * 3 + a] =" in sums and "for (int a_s = threadIdx.x; a_s < 3; a_s += 32)" in ends
    assert "last_block" in grid.helpers


@pytest.mark.parametrize("steps", [[], SPLIT, [*SPLIT, *BLOCKS], [*SPLIT, *BLOCKS, *ITEMS, "last_block()"]])
def test_other_kernels_are_refused(steps) -> None:
    with pytest.raises(ScheduleError, match="is not a grid of blocks and one of items"):
        scheduled(*steps, "last_block()")


def test_the_rule_of_one_launch() -> None:
    one = scheduled(*SPLIT, *BLOCKS, *ITEMS, "last_block()")
    serial = parse_kernel(str(one).replace("each a.s in 0..3 parallel", "each a.s in 0..3"))
    used = parse_kernel(str(one).replace("%y[a.s] = %s", "%y.blocks[] = 1:u32\n      %y[a.s] = %s"))
    for kernel, message in ((serial, "is for a grid of blocks, and one of items"), (used, "is used by a statement")):
        problem = next(kernel_problems(kernel, printable=True))
        assert problem.rule == "one-launch" and message in problem.text
