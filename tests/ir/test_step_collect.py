"""Collect: loads and stores of neighbours become copies of vectors; results stay; what it refuses."""

import pytest
from step_kit import computed

from mochac.ir.kernel_text import parse_kernel
from mochac.ir.schedule import ScheduleError

ROWS = parse_kernel("""kernel @k(%x: f32[6,8], %b: f32[6]) -> (%y: f32[6,8]) {
  each a in 0..6 {
    each c in 0..8 {
      %s = %b[a]
      %t = %x[a, c]
      %u = mul(%t, %s)
      %v = add(%u, %t)
      %y[a, c] = %v
    }
  }
}""")
SPLIT = ("split(loop=c, factor=4, outer=ci, inner=v, tail=guard)", "unroll(loop=v)")


def test_vectors_in_and_out():
    text = str(
        computed(ROWS, *SPLIT, "collect(buffer=x, loop=v)", "collect(buffer=y, loop=v)", "parallel(loops=(a, ci))")
    )
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
        computed(ROWS, *steps)
