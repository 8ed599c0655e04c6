"""The kernel interpreter: meaning of loops, conditions, locals and padded storage, and what it refuses."""

from __future__ import annotations

import kernel_kit as kit
import numpy as np
import pytest

from mochac.ir import kernel_interp
from mochac.ir.kernel_interp import KernelRunError, run_kernel
from mochac.ir.kernel_text import parse_kernel


def run(text: str, **inputs) -> dict[str, np.ndarray]:
    return run_kernel(parse_kernel(text), {k: np.asarray(v) for k, v in inputs.items()})


def test_convolution_equals_its_definition() -> None:
    kernel = kit.conv(batch=3, pad=1, stride=2, size=7)
    feeds = kit.random_inputs(kernel)
    x, w, b = feeds["x"], feeds["w"], feeds["b"]
    padded = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1))).astype(np.float64)
    windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), (2, 3))[:, :, ::2, ::2]
    want = np.maximum(np.einsum("nchwij,ocij->nohw", windows, w) + b[:, None, None], 0)
    np.testing.assert_allclose(run_kernel(kernel, feeds)["y"], want, rtol=1e-4, atol=1e-5)


@pytest.mark.slow
@pytest.mark.parametrize("lanes", [1, 50, 1000])
def test_results_do_not_depend_on_how_many_iterations_run_together(monkeypatch, lanes: int) -> None:
    kernel = kit.conv_pool(batch=5, channels=2, size=6, filters=2)
    feeds = kit.random_inputs(kernel)
    want = run_kernel(kernel, feeds)
    monkeypatch.setattr(kernel_interp, "LANES", lanes)
    got = run_kernel(kernel, feeds)
    for name in want:
        np.testing.assert_array_equal(got[name], want[name])


def test_pad_rows_of_blocked_buffers_are_garbage() -> None:
    text = """kernel @k(%x: f32[b3] blocked(4)) -> (%y: f32[4]) {
      each n in 0..4 {
        %t = %x[n]
        %y[n] = %t
      }
    }"""
    y = run(text, x=np.ones(3, np.float32))["y"]
    np.testing.assert_array_equal(y, [1, 1, 1, np.nan])


def test_blocked_outputs_are_cropped() -> None:
    text = """kernel @k(%x: f32[b3] blocked(4)) -> (%y: f32[b3] blocked(4)) {
      each n in 0..4 {
        %t = %x[n]
        %y[n] = %t
      }
    }"""
    np.testing.assert_array_equal(run(text, x=np.float32([1, 2, 3]))["y"], [1, 2, 3])


def test_locals_start_as_garbage() -> None:
    text = """kernel @k() -> (%y: f32[2], %z: i32[2]) {
      local %a: f32[] register
      local %b: i32[] register
      each n in 0..2 {
        if n - 1 >= 0 {
          %a[] = 5.0:f32
          %b[] = 5:i32
        }
        %t = %a[]
        %y[n] = %t
        %u = %b[]
        %z[n] = %u
      }
    }"""
    result = run(text)
    np.testing.assert_array_equal(result["y"], [np.nan, 5])
    assert result["z"][0] != 0 and result["z"][1] == 5


def test_dynamic_ranges_and_strided_limits() -> None:
    text = """kernel @k() -> (%y: i32[6]) {
      local %a: i32[] register
      each n in 0..6 {
        %a[] = 0:i32
        sum i in max(0, n - 3)..min(5, ceil((n + 3) / 2)) {
          %a[] = add(i, %a[])
        }
        %t = %a[]
        %y[n] = %t
      }
    }"""
    want = [sum(range(max(0, n - 3), min(5, -(-(n + 3) // 2)))) for n in range(6)]
    np.testing.assert_array_equal(run(text)["y"], want)


def test_ordered_loops_carry_values() -> None:
    text = """kernel @k(%x: f32[4]) -> (%y: f32[4]) {
      local %a: f32[] register
      %a[] = 0.0:f32
      for i in 0..4 {
        %t = %x[i]
        %a[] = add(%t, %a[])
        %u = %a[]
        %y[i] = %u
      }
    }"""
    np.testing.assert_array_equal(run(text, x=np.float32([1, 2, 3, 4]))["y"], [1, 3, 6, 10])


def test_masked_iterations_may_point_outside() -> None:
    text = """kernel @k(%x: f32[3]) -> (%y: f32[3]) {
      each i in 0..3 {
        %y[i] = 0.0:f32
        if i - 1 >= 0 {
          %t = %x[i - 1]
          %y[i] = %t
        }
      }
    }"""
    np.testing.assert_array_equal(run(text, x=np.float32([1, 2, 3]))["y"], [0, 1, 2])


@pytest.mark.parametrize("index", ["i - 1", "i + 1", "2*i"])
def test_an_index_out_of_range_is_refused(index: str) -> None:
    text = f"""kernel @k(%x: f32[3]) -> (%y: f32[3]) {{
      each i in 0..3 {{
        %t = %x[{index}]
        %y[i] = %t
      }}
    }}"""
    with pytest.raises(KernelRunError, match=r"out of range 0\.\.2, axis 0 of %x"):
        run(text, x=np.zeros(3, np.float32))


def test_iterations_that_write_one_element_are_refused() -> None:
    text = """kernel @k(%x: f32[3]) -> (%y: f32[1]) {
      each i in 0..3 {
        %t = %x[i]
        %y[0] = %t
      }
    }"""
    with pytest.raises(KernelRunError, match="'each' loop write the same element of %y"):
        run(text, x=np.zeros(3, np.float32))


def test_a_wrong_shape_is_refused() -> None:
    with pytest.raises(KernelRunError, match=r"input %x: expected shape \(3,\), got \(4,\)"):
        run("kernel @k(%x: f32[3]) -> () {\n}", x=np.zeros(4, np.float32))
