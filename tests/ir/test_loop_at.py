"""Loops that run at a number that is data: text, meaning, rules, and schedules."""

import numpy as np
import pytest

from mochac.ir.kernel_interp import run_kernel
from mochac.ir.kernel_text import parse_kernel
from mochac.ir.kernel_verify import KernelVerifyError, verify_kernel
from mochac.ir.schedule import ScheduleError
from mochac.ir.steps.merge import Distribute, Reorder
from mochac.ir.steps.run import Parallel, Unroll, Vector
from mochac.ir.steps.split import Split

LOOKUP = parse_kernel("""
kernel @lookup(%w: f32[5,3], %ids: f32[4]) -> (%y: f32[4,3]) {
  local %picked: f32[] register
  each n in 0..4 {
    %id = %ids[n]
    each d in 0..3 {
      %picked[] = 0.0:f32
      sum v in 0..5 at %id {
        %t = %w[v, d]
        %picked[] = add(%t, %picked[])
      }
      %r = %picked[]
      %y[n, d] = %r
    }
  }
}
""")
W = np.arange(15, dtype=np.float32).reshape(5, 3)


def looked_up(kernel):
    ids = np.array([4, 0.5, np.nan, -1], np.float32)
    return run_kernel(kernel, {"w": W, "ids": ids})["y"]


def test_text_and_meaning():
    assert parse_kernel(str(LOOKUP)) == LOOKUP
    verify_kernel(LOOKUP)
    np.testing.assert_array_equal(looked_up(LOOKUP), [W[4], [0] * 3, [0] * 3, [0] * 3])


def test_lanes_go_inside_where_the_number_is_theirs_all():
    moved = Vector("d").apply(Distribute("d", ("*",)).apply(LOOKUP))
    verify_kernel(moved, printable=True)
    np.testing.assert_array_equal(looked_up(moved), looked_up(LOOKUP))


@pytest.mark.parametrize(
    ("step", "why"),
    [
        (Distribute("n", ("*",)), "differs along 'n'"),
        (Split("v", 2, "a", "b", "cut"), "constant limits"),
        (Reorder(("v", "d")), "not perfectly nested"),
    ],
)
def test_steps_that_would_change_the_meaning_are_refused(step, why):
    with pytest.raises(ScheduleError, match=why):
        step.apply(LOOKUP)


@pytest.mark.parametrize("step", [Unroll("v"), Parallel(("v",)), Vector("v")])
def test_such_a_loop_is_serial(step):
    with pytest.raises((ScheduleError, KernelVerifyError)):
        verify_kernel(step.apply(LOOKUP), printable=True)


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        (str(LOOKUP).replace("at %id", "at %nothing"), "names-in-scope"),
        (str(LOOKUP).replace("0..5 at", "0..5 unroll at"), "loop-words"),
    ],
)
def test_rules(text, rule):
    with pytest.raises(KernelVerifyError) as error:
        verify_kernel(parse_kernel(text))
    assert error.value.rule == rule
