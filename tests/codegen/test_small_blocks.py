"""Batches smaller than a vector: how they are stored, that vectors are full, and that kernels compute the same."""

from __future__ import annotations

import random

import numpy as np
import pytest
from codegen.kernels import kernel_of

from mochac.codegen.cpu.schedules import choose
from mochac.codegen.cpu.target import CpuTarget
from mochac.codegen.prediction.prediction import predicted
from mochac.ir import parse
from mochac.ir.applying import apply
from mochac.ir.kernel import Kernel
from mochac.ir.kernel_interp import run_kernel
from mochac.ir.kernel_text import parse_kernel
from mochac.ir.kernel_verify import verify_kernel
from mochac.ir.passes.assign_layout import assign_layout
from mochac.ir.passes.fuse import fuse
from mochac.ir.passes.group_graph import FusionTarget
from mochac.ir.passes.to_kernels import to_kernels
from mochac.ir.types import DTYPES

AVX512, AVX2, NEON = CpuTarget.of("znver5", 64), CpuTarget.of("haswell", 32), CpuTarget.of("neoverse-v2", 16)


def correlation(
    op: str, batch: int, channels: int, filters: int, size: int, k: int, stride: int, pad: int, lanes: int = 16
) -> Kernel:
    """A convolution of square images, or one of its gradients. The transposed convolution is conv_dx."""
    out = (size + 2 * pad - k) // stride + 1
    x, y = f"f32[b{batch},{channels},{size},{size}]", f"f32[b{batch},{filters},{out},{out}]"
    attrs: dict[str, object] = {"stride": (stride, stride), "pad": (pad, pad), "group": 1}
    if op == "conv_dx":
        w = f"f32[{filters},{channels},{k},{k}]"
        return kernel_of(op, (y, w), lanes, **attrs, shape=(batch, channels, size, size))
    if op == "conv_dw":
        return kernel_of(op, (x, y), lanes, **attrs, kernel=(k, k))
    return kernel_of(op, (x, f"f32[{filters},{channels},{k},{k}]", f"f32[{filters}]"), lanes, **attrs)


def check(kernel: Kernel, target: CpuTarget) -> str:
    """Compare a kernel with its schedule; the name of the schedule."""
    schedule = choose(kernel, target)
    scheduled = apply(schedule, kernel)
    verify_kernel(scheduled, printable=True)
    assert parse_kernel(str(scheduled)) == scheduled
    rng = np.random.default_rng(3)
    feeds = {b.name: rng.standard_normal(b.type.shape).astype(DTYPES[b.type.dtype]) for b in kernel.inputs}
    want, got = run_kernel(kernel, feeds), run_kernel(scheduled, feeds)
    for name in want:
        np.testing.assert_allclose(
            got[name].reshape(want[name].shape), want[name], rtol=1e-4, atol=1e-4, err_msg=str(schedule)
        )
    return schedule.name


@pytest.mark.parametrize(
    ("batch", "lanes", "block"), [(1, 16, 1), (2, 16, 2), (3, 16, 4), (5, 16, 8), (8, 16, 8), (9, 16, 16), (20, 16, 16)]
)
def test_blocks_have_the_next_power_of_two(batch: int, lanes: int, block: int) -> None:
    kernel = kernel_of("conv_dw", (f"f32[b{batch},2,4,4]", f"f32[b{batch},2,2,2]"), lanes, stride=(1, 1), pad=(0, 0),
                       group=1, kernel=(3, 3))  # fmt: skip
    assert {b.type.lanes for b in kernel.inputs} == {block}


def test_all_ranks_choose_the_block_of_a_part() -> None:
    whole = parse("""graph @g(%x: f32[b8,2,3,3] data, %w: f32[2,2,1,1] param) {
      %a: f32[b2,2,3,3] = part(%x) {count = 2, first = 2}
      %y: f32[b2,2,3,3] = conv(%a, %w) {group = 1, pad = (0,0), stride = (1,1)}
      return %y
    }""")
    types = [out.type for node in assign_layout(whole, 16).nodes for out in node.outputs if node.op == "conv"]
    assert [t.lanes for t in types] == [2]


@pytest.mark.sampled(0, test=5)
@pytest.mark.parametrize("op", ["conv", "conv_dx", "conv_dw"])
@pytest.mark.parametrize("batch", [1, 2, 3, 4, 7, 8])
@pytest.mark.parametrize(("k", "stride", "pad"), [(3, 1, 1), (2, 2, 0), (4, 2, 1), (3, 2, 1), (1, 1, 0), (3, 3, 0)])
def test_convolutions_compute_the_same(op: str, batch: int, k: int, stride: int, pad: int) -> None:
    check(correlation(op, batch, 3, 5, 12, k, stride, pad), AVX512)


@pytest.mark.slow
@pytest.mark.parametrize("target", [AVX2, NEON], ids=["avx2", "neon"])
@pytest.mark.parametrize("op", ["conv", "conv_dx", "conv_dw"])
def test_other_vectors(op: str, target: CpuTarget) -> None:
    for batch in (1, 2, 3, 4):
        check(correlation(op, batch, 4, 3, 8, 2, 2, 0, target.lanes("f32")), target)


@pytest.mark.sampled(0, test=6)
@pytest.mark.parametrize("seed", range(150))
def test_random_convolutions_compute_the_same(seed: int) -> None:
    rng = random.Random(seed)
    k, stride = rng.randint(1, 4), rng.randint(1, 4)
    size, pad = rng.randint(k, 11), rng.randint(0, k - 1)
    op, target = rng.choice(["conv", "conv_dx", "conv_dw"]), rng.choice([AVX512, AVX2, NEON])
    kernel = correlation(op, rng.randint(1, 16), rng.randint(1, 9), rng.randint(1, 9), size, k, stride, pad,
                         target.lanes("f32"))  # fmt: skip
    check(kernel, target)


@pytest.mark.sampled(0, test=5)
@pytest.mark.parametrize("op", ["conv", "conv_dx", "conv_dw"])
@pytest.mark.parametrize("batch", [1, 2, 4, 8])
@pytest.mark.parametrize(("k", "stride", "pad"), [(3, 1, 1), (2, 2, 0), (4, 2, 1)])
def test_vectors_are_full(op: str, batch: int, k: int, stride: int, pad: int) -> None:
    """A U-Net's convolutions, and those that enlarge its images, take less than twice the cycles of their
    multiply-adds (of one sample, whose results lie apart, three times)."""
    kernel = correlation(op, batch, 32, 64, 32, k, stride, pad)
    scheduled = apply(choose(kernel, AVX512), kernel)
    assert predicted(scheduled, AVX512.machine).cycles < (2 if batch > 1 else 3) * kernel.flops / 64


GROUPS = """graph @g(%x: f32[b{batch},6,{size},{size}] data, %b: f32[6] param) {{
  %s: f32[6] = reduce_sum(%x) {{axes = (0,2,3)}}
  %c: f32[b{batch},6,{size},{size}] = broadcast(%b) {{shape = ({batch},6,{size},{size}), axes = (1,), batch = true}}
  %m: f32[b{batch},6,{size},{size}] = mul(%x, %c)
  %k: f32[b{batch},12,{size},{size}] = concat(%m, %x) {{axis = 1}}
  %t: f32[b{batch}] = reduce_sum(%m) {{axes = (1,2,3)}}
  return %s, %k, %t
}}"""


@pytest.mark.slow
@pytest.mark.parametrize("batch", [1, 2, 3, 4, 6, 8])
@pytest.mark.parametrize("size", [1, 2, 5, 16])
def test_columns_and_samples_are_one_axis(batch: int, size: int) -> None:
    graph = assign_layout(parse(GROUPS.format(batch=batch, size=size)), 16)
    names = [check(kernel, AVX512) for kernel in to_kernels(fuse(graph)) if kernel.root != "relayout"]
    if size == 16 and batch in (1, 2, 4, 8):
        assert {"generic.row-partials", "generic.last-axis-lanes"} <= set(names)


def test_batch_normalization_goes_over_lines_of_columns_and_samples() -> None:
    graph = assign_layout(
        parse("""graph @g(%x: f32[b4,20,9,9] data) {
          %s: f32[20] = reduce_sum(%x) {axes = (0,2,3)}
          %c: f32[b4,20,9,9] = broadcast(%s) {shape = (4,20,9,9), axes = (1,), batch = true}
          %d: f32[b4,20,9,9] = sub(%x, %c)
          %q: f32[b4,20,9,9] = square(%d)
          %v: f32[20] = reduce_sum(%q) {axes = (0,2,3)}
          return %d, %v
        }"""),
        16,
    )
    kernels = [k for k in to_kernels(fuse(graph, target=FusionTarget(near_bytes=1 << 20))) if k.root == "reduce_sum"]
    assert [check(kernel, AVX512) for kernel in kernels] == ["rows.natural"]
