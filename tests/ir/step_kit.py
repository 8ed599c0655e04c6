"""What the tests of schedule steps share: kernels of a few lines; a step checked, refused, applied and run."""

from __future__ import annotations

import textwrap

import numpy as np
import pytest

from mochac.ir.applying import apply
from mochac.ir.kernel import Kernel
from mochac.ir.kernel_interp import run_kernel
from mochac.ir.kernel_text import parse_kernel
from mochac.ir.kernel_verify import verify_kernel
from mochac.ir.schedule import Schedule, ScheduleError, parse_step

HEADER = """\
kernel @k(%x: f32[8,3,5], %w: f32[3,5], %blocked: f32[b10,3] blocked(4)) -> (%y: f32[8,3], %z: f32[b10,3] blocked(4)) {
"""

DOT = """
    local %acc: f32[] register
    each n in 0..8 {
      each c in 0..3 {
        %acc[] = 0.0:f32
        sum k in 0..5 {
          %a = %x[n, c, k]
          %b = %w[c, k]
          %acc[] = fma(%a, %b, %acc[])
        }
        %t = %acc[]
        %y[n, c] = %t
      }
    }
"""
"""A product of each row of x with the row of w of its channel."""

BAND = "each a in 0..4 {\neach b in 0..3 {\n%y[a, b] = 0.0:f32\n}\n}\n"

TILES = """
    local %p: f32[3,8] scratch
    each c in 0..3 {
      sum k in 0..5 {
        each n in 0..8 unroll {
          if -n + 6 >= 0 {
            %a = %x[n, c, k]
            %p[c, n] = add(%a, %p[c, n])
          }
        }
      }
    }
"""


def parse(body: str) -> Kernel:
    """The kernel of that body, with the buffers of HEADER."""
    return parse_kernel(HEADER + textwrap.dedent(body) + "}")


def whole(body: str) -> Kernel:
    """The kernel of a body that only computes y; z is zero."""
    return parse(body + "\neach n in 0..10 {\neach c in 0..3 {\n%z[n, c] = 0.0:f32\n}\n}\n")


def check(step: str, before: str, after: str) -> None:
    """The step makes `after` of the body `before`."""
    result = parse_step(step).apply(parse(before))
    got = textwrap.dedent("".join(str(result).splitlines(keepends=True)[1:-1]))
    assert got == textwrap.dedent(after).lstrip("\n")
    assert parse_kernel(str(result)) == result


def refuse(step: str, before: str, message: str) -> None:
    """The step refuses the body `before`, in these words (a pattern)."""
    with pytest.raises(ScheduleError, match=message):
        parse_step(step).apply(parse(before))


def applied(kernel: Kernel, *steps: str) -> Kernel:
    """The kernel after these steps."""
    return apply(Schedule("test", tuple(map(parse_step, steps))), kernel)


def computed(kernel: Kernel, *steps: str, tolerance: float = 0.0) -> Kernel:
    """The kernel after these steps: it is printable, parses back, and its y is the same within `tolerance`."""
    result = applied(kernel, *steps)
    verify_kernel(result, printable=True)
    assert parse_kernel(str(result)) == result
    rng = np.random.default_rng(11)
    inputs = {b.name: rng.standard_normal(b.type.shape).astype(np.float32) for b in kernel.inputs}
    want, got = run_kernel(kernel, inputs)["y"], run_kernel(result, inputs)["y"]
    np.testing.assert_allclose(got, want, rtol=tolerance, atol=tolerance)
    return result
