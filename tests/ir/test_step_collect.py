"""Collect: loads and stores of neighbours become copies of vectors; results stay; what it refuses."""

import numpy as np
import pytest

from mochac.ir.applying import apply
from mochac.ir.kernel_interp import run_kernel
from mochac.ir.kernel_text import parse_kernel
from mochac.ir.kernel_verify import verify_kernel
from mochac.ir.schedule import Schedule, ScheduleError, parse_step

TEXT = """kernel @k(%x: f32[6,8], %b: f32[6]) -> (%y: f32[6,8]) {
  each a in 0..6 {
    each c in 0..8 {
      %s = %b[a]
      %t = %x[a, c]
      %u = mul(%t, %s)
      %v = add(%u, %t)
      %y[a, c] = %v
    }
  }
}"""
SPLIT = ("split(loop=c, factor=4, outer=ci, inner=v, tail=guard)", "unroll(loop=v)")


def collected(*steps, text=TEXT):
    kernel = parse_kernel(text)
    done = apply(Schedule("test", tuple(map(parse_step, steps))), kernel)
    verify_kernel(done, printable=True)
    rng = np.random.default_rng(11)
    inputs = {b.name: rng.standard_normal(b.type.shape).astype(np.float32) for b in kernel.inputs}
    np.testing.assert_array_equal(run_kernel(done, inputs)["y"], run_kernel(kernel, inputs)["y"])
    return str(done)


def test_vectors_in_and_out():
    text = collected(*SPLIT, "collect(buffer=x, loop=v)", "collect(buffer=y, loop=v)", "parallel(loops=(a, ci))")
    assert text.count("each v in 0..4 vector {") == 2 and text.count("each v in 0..4 unroll {") == 1
    assert text.index("%x[a, 4*ci + v]") < text.index("unroll") < text.index("%y[a, 4*ci + v]")


@pytest.mark.parametrize(
    ("steps", "message"),
    [
        (("collect(buffer=z, loop=c)",), "has no parameter 'z'"),
        (("collect(buffer=x, loop=m)",), "has no loop 'm'"),
        (("collect(buffer=x, loop=a)",), "must be used at one index, outside of inner loops and conditions"),
        (("split(loop=c, factor=3, outer=ci, inner=v, tail=guard)", "collect(buffer=x, loop=v)"), "outside of inner"),
        ((*SPLIT, "collect(buffer=x, loop=v)", "collect(buffer=x, loop=v)"), "no loop 'v' uses 'x'"),
    ],
)
def test_refusals(steps, message):
    with pytest.raises(ScheduleError, match=message):
        collected(*steps)
