"""samples_last: text before and after; what it computes; what it refuses."""

from __future__ import annotations

import numpy as np
import pytest
from step_kit import refuse

from mochac.ir.applying import after
from mochac.ir.kernel_interp import run_kernel
from mochac.ir.kernel_text import parse_kernel
from mochac.ir.kernel_verify import verify_kernel
from mochac.ir.schedule import parse_step

DOUBLE = """kernel @double(%x: f32[b3,2,5] blocked(4)) -> (%y: f32[b3,2,5] blocked(4)) {
  each n in 0..3 {
    each c in 0..2 {
      each w in 0..5 {
        %t = %x[n, c, w]
        %u = add(%t, %t)
        %y[n, c, w] = %u
      }
    }
  }
}
"""


def test_samples_last_describes_a_block_as_it_lies_in_memory() -> None:
    kernel = parse_kernel(DOUBLE)
    for buffer in ("x", "y"):
        kernel = after(parse_step(f"samples_last(buffer={buffer})"), kernel)
    header = "kernel @double(%x: f32[2,5,4] of f32[b3,2,5] blocked(4)) -> (%y: f32[2,5,4] of f32[b3,2,5] blocked(4)) {"
    assert str(kernel).splitlines()[0] == header
    assert "%t = %x[c, w, n]" in str(kernel) and "%y[c, w, n] = %u" in str(kernel)
    assert parse_kernel(str(kernel)) == kernel
    verify_kernel(kernel, printable=True)


def test_arrays_keep_their_logical_shape() -> None:
    kernel = after(parse_step("samples_last(buffer=x)"), parse_kernel(DOUBLE))
    kernel = after(parse_step("flatten(local=x, axis=1)"), after(parse_step("samples_last(buffer=y)"), kernel))
    x = np.random.default_rng(0).standard_normal((3, 2, 5)).astype(np.float32)
    np.testing.assert_array_equal(run_kernel(kernel, {"x": x})["y"], 2 * x)


@pytest.mark.parametrize(
    ("step", "message"),
    [
        ("samples_last(buffer=x)", "kernel 'k' has no blocked buffer 'x'"),
        ("samples_last(buffer=nowhere)", "kernel 'k' has no blocked buffer 'nowhere'"),
        ("samples_last(buffer=blocked)", "the 10 samples of 'blocked' lie in several blocks"),
    ],
)
def test_samples_last_refuses(step: str, message: str) -> None:
    refuse(step, "each n in 0..8 {\n%y[n, 0] = 0.0:f32\n}\n", message)
