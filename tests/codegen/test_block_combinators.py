"""Combinators for blocks of threads, applied to a product: the loops that they make, and the same results."""

from __future__ import annotations

import numpy as np
import pytest

from mochac.codegen.combinators.caches import panels
from mochac.codegen.combinators.sums import block_reduction
from mochac.codegen.combinators.tiles import ThreadTile, hold, unroll_inner
from mochac.ir.kernel import Kernel
from mochac.ir.kernel_interp import run_kernel
from mochac.ir.kernel_text import parse_kernel
from mochac.ir.kernel_verify import verify_kernel
from mochac.ir.nest import band, loops
from mochac.ir.schedule_builder import ScheduleBuilder
from mochac.ir.steps.merge import Distribute
from mochac.ir.steps.run import Blocks, Threads
from mochac.ir.steps.threads import Exchange

PRODUCT = parse_kernel("""kernel @product(%x: f32[20,24], %w: f32[10,24]) -> (%y: f32[20,10]) {
  local %acc: f32[] register
  each n in 0..20 {
    each o in 0..10 {
      %acc[] = 1.0:f32
      sum f in 0..24 {
        %t = %x[n, f]
        %u = %w[o, f]
        %acc[] = fma(%t, %u, %acc[])
      }
      %v = %acc[]
      %y[n, o] = %v
    }
  }
}""")


def check(kernel: Kernel, printable: bool = True) -> None:
    """The kernel computes the product, and can be printed."""
    verify_kernel(kernel, printable=printable)
    x, w = np.random.default_rng(13).standard_normal((2, 20, 24)).astype(np.float32)
    np.testing.assert_allclose(run_kernel(kernel, {"x": x, "w": w[:10]})["y"], x @ w[:10].T + 1, rtol=1e-4)


@pytest.mark.parametrize(
    ("threads", "held", "run", "place"),
    [
        (4, 1, 1, "n_i + 4*n_o"),
        (1, 4, 1, "n_i + 4*n_o"),
        (4, 2, 1, "n_i_i + 4*n_i_o + 8*n_o"),
        (4, 2, 2, "n_i_i + 2*n_i_o + 8*n_o"),
        (2, 8, 4, "n_i_i_i + 4*n_i_i_o + 8*n_i_o + 16*n_o"),
    ],
)
def test_a_thread_holds_neighbours_or_every_so_many_results(threads: int, held: int, run: int, place: str) -> None:
    b, tile = ScheduleBuilder(PRODUCT), ThreadTile()
    sample, output = b.loops()
    tile.cut(b, sample, threads, held, run)
    tile.cut(b, output, 1, 1)
    tile.nest(b)
    assert f"= %x[{place}, f]" in str(b.kernel)
    assert b.loops() == (*tile.blocks, *tile.threads, *tile.registers)
    assert tile.blocks == ["n_o", "o"] and sorted(tile.order) == sorted((*tile.threads, *tile.registers))
    assert np.prod([b.extent(loop) for loop in tile.threads]) == threads
    check(b.kernel, printable=False)


def built(groups: int, double: bool) -> Kernel:
    """The product in tiles of 8 x 4 results, a thread holding two of a column; panels of 8 terms."""
    b, tile = ScheduleBuilder(PRODUCT), ThreadTile()
    sample, output = b.loops()
    tile.cut(b, sample, 4, 2)
    tile.cut(b, output, 4, 1)
    panel, term = b.split("f", 8)
    group: tuple[str, ...] = ()
    if groups > 1:
        first, term = b.split(term, 8 // groups)
        b.partial("acc", first)
        group = (first,)
    tile.nest(b)
    tile.finish_in_memory_order(b, 2, 16 * groups)
    hold(b, *tile.registers, past=(panel, *group, term))
    b.add(*(Distribute(loop, (panel, *group)) for loop in reversed(tile.threads)))
    panels(b, panel, 16 * groups, (*group, *tile.threads), double)
    b.add(Threads((*group, *tile.threads), 16 * groups), Exchange("acc"), Blocks(tuple(tile.blocks)))
    return b.kernel


@pytest.mark.parametrize("groups", [1, 2])
@pytest.mark.parametrize("double", [False, True])
def test_panels_groups_and_results_that_other_threads_finish(groups: int, double: bool) -> None:
    kernel = built(groups, double)
    check(kernel)
    shared = {x.name for x in kernel.locals if x.space == "shared"}
    assert shared == {"x.panel", "w.panel", "acc.parts"}
    last = [loop.var for loop in band(band(kernel.body, run="blocks")[-1].body[-1:], run="threads")]
    assert last == ["n_i_o.second", "n_i_i.second", "o_i.second"]


def test_a_single_panel_is_not_fetched_ahead() -> None:
    b = ScheduleBuilder(PRODUCT)
    whole, _ = b.split("f", 24)
    b.add(Distribute("o", (whole,)), Distribute("n", (whole,)))
    panels(b, whole, 32, ("n", "o"), False)
    assert [step.split("(")[0].strip() for step in str(b.schedule("one")).splitlines()[-2:]] == ["distribute", "panels"]


def test_threads_share_a_sum() -> None:
    b = ScheduleBuilder(PRODUCT)
    block_reduction(b, ("f",), 32)
    b.add(Blocks(b.loops()))
    check(b.kernel)


@pytest.mark.parametrize(
    ("most", "copies", "unrolled"), [(100, 1, ["f"]), (240, 1, ["f", "o"]), (24, 2, []), (24, 1, ["f"])]
)
def test_inner_loops_are_unrolled_while_the_code_is_short(most: int, copies: int, unrolled: list[str]) -> None:
    b = ScheduleBuilder(PRODUCT)
    unroll_inner(b, b.all_loops(), most, copies)
    assert sorted(v for v, loop in loops(b.kernel).items() if loop.run == "unroll") == unrolled
