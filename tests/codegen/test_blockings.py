"""Blockings: results as the interpreter gives them, for any picks; orders of loops; tiles that fit."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from codegen.kernels import CONV, PADDED, kernel_of

from mochac.codegen.combinators.caches import loop_order
from mochac.codegen.cpu.module import print_kernel
from mochac.codegen.cpu.schedules import blockings
from mochac.codegen.cpu.schedules.picking import drawn, replay
from mochac.codegen.cpu.target import CpuTarget
from mochac.codegen.nesting import Nested
from mochac.ir.applying import apply
from mochac.ir.kernel import Accum, Kernel, Loop, Stmt, walk
from mochac.ir.kernel_interp import run_kernel
from mochac.ir.kernel_text import parse_kernel
from mochac.ir.kernel_verify import verify_kernel
from mochac.ir.schedule import Schedule, ScheduleError
from mochac.ir.schedule_builder import ScheduleBuilder

TARGET = CpuTarget.of("skylake-avx512", 64)
CASES = {
    "forward": ("inner_product", ("f32[b20,160]", "f32[48,160]"), {}),
    "data-gradient": ("inner_product_dx", ("f32[b20,160]", "f32[160,40]"), {}),
    "weight-gradient": ("inner_product_dw", ("f32[b20,40]", "f32[b20,24]"), {}),
    "blocked": ("inner_product", ("f32[b64,20]", "f32[12,20]"), {}),
    "conv": ("conv", ("f32[b32,2,6,6]", "f32[4,2,3,3]"), CONV),
    "padded": ("conv", ("f32[b32,2,6,6]", "f32[4,2,3,3]"), PADDED),
    "conv-dx": ("conv_dx", ("f32[b32,4,4,4]", "f32[4,2,3,3]"), {**CONV, "shape": (32, 2, 6, 6)}),
    "conv-dw": ("conv_dw", ("f32[b32,2,18,18]", "f32[b32,4,16,16]"), {**CONV, "kernel": (3, 3)}),
}


def some(kernel: Kernel, seed: int, tries: int, target: CpuTarget = TARGET) -> list[Schedule]:
    """Blockings that fit a kernel, of so many drawn."""
    nested, found = Nested.of(kernel), {}
    for picks in drawn(tries, seed):
        try:
            schedule = replay(lambda: nested.schedule(blockings.rule, target), picks)[0]
        except ScheduleError:
            continue
        if schedule is not None:
            found[schedule.steps] = schedule
    return list(found.values())


def check(name: str, tries: int, most: int) -> int:
    """Compare results of some blockings with the naive kernel's; how many were compared."""
    op, types, attrs = CASES[name]
    kernel = kernel_of(op, types, **attrs)
    rng = np.random.default_rng(0)
    inputs = {b.name: rng.standard_normal(b.type.shape).astype(np.float32) for b in kernel.inputs}
    want = run_kernel(kernel, inputs)
    schedules = some(kernel, 1, tries)[:most]
    for schedule in schedules:
        scheduled = apply(schedule, kernel)
        assert not verify_kernel(scheduled, printable=True), schedule
        print_kernel(scheduled, TARGET)
        for out, array in run_kernel(scheduled, inputs).items():
            np.testing.assert_allclose(array, want[out], rtol=1e-4, atol=1e-3, err_msg=str(schedule))
    return len(schedules)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["forward", "blocked"])
def test_results(name):
    assert check(name, 40, 2)


@pytest.mark.sampled(0, test=2)
@pytest.mark.parametrize("name", CASES)
def test_more_results(name):
    assert check(name, 120, 12) >= 2


def items(body: tuple[Stmt, ...]) -> int:
    """How many items threads share: those of all sibling nests."""
    parallel = [loop for loop in body if isinstance(loop, Loop) and loop.run == "parallel"]
    return sum(loop.extent * items(loop.body) for loop in parallel) or 1


@pytest.mark.parametrize("team", [4, 16])
def test_there_is_an_item_for_each_thread_of_a_team(team):
    """Also where a loop has a remainder, which is a nest of its own."""
    kernel = kernel_of("inner_product", ("f32[b100,64]", "f32[160,64]"))
    schedules = some(kernel, 1, 40, replace(TARGET, team=team))
    assert schedules
    assert min(items(apply(schedule, kernel).body) for schedule in schedules) >= team


def test_all_tiles_are_items_where_a_team_is_larger():
    kernel = kernel_of("inner_product", ("f32[b8,64]", "f32[64,64]"))
    schedules = some(kernel, 1, 40, replace(TARGET, team=64))
    assert schedules
    assert min(items(apply(schedule, kernel).body) for schedule in schedules) >= 2


PRODUCT = """
kernel @product(%x: f32[6,8], %w: f32[4,8]) -> (%y: f32[6,4]) {
  local %acc: f32[] register
  each n in 0..6 {
    each o in 0..4 {
      %acc[] = 0.0:f32
      sum f in 0..8 {
        %a = %x[n, f]
        %b = %w[o, f]
        %acc[] = fma(%a, %b, %acc[])
      }
      %s = %acc[]
      %y[n, o] = %s
    }
  }
}"""


def around_the_sum(body: tuple[Stmt, ...]) -> list[str]:
    """The loops around the only sum."""
    for stmt in body:
        if isinstance(stmt, Loop) and any(isinstance(s, Accum) for s in walk((stmt,))):
            return [stmt.var, *around_the_sum(stmt.body)]
    return []


@pytest.mark.parametrize(
    "order", [("o", "n", "f_o", "f_i"), ("n", "f_o", "o", "f_i"), ("f_o", "n", "o", "f_i"), ("f_o", "o", "n", "f_i")]
)
def test_loops_nest_in_the_order_given(order):
    kernel = parse_kernel(PRODUCT)
    b = ScheduleBuilder(kernel)
    outer, inner = b.split("f", 4)
    loop_order(b, "acc", ("n", "o"), (outer, inner), order)
    assert around_the_sum(b.kernel.body) == list(order)
    inputs = {name: np.arange(48 if name == "x" else 32, dtype=np.float32).reshape(-1, 8) for name in ("x", "w")}
    np.testing.assert_array_equal(run_kernel(b.kernel, inputs)["y"], run_kernel(kernel, inputs)["y"])


def test_what_is_no_contraction_has_no_blocking():
    kernel = kernel_of("max_pool", ("f32[b32,2,4,4]",), kernel=(2, 2), stride=(2, 2), pad=(0, 0))
    assert blockings.rule(Nested.of(kernel).kernel, TARGET) is None
