"""Tails of batches: which convolutions compute them exactly, and that they compute the same."""

import random
import re
from math import prod

import numpy as np
import pytest
from codegen.kernels import kernel_of
from codegen.user_ops import USER_OPS

from mochac.codegen.cpu.module import print_kernel
from mochac.codegen.cpu.schedules import choose, tail_cost, weight_gradient_blocks
from mochac.codegen.cpu.target import CpuTarget
from mochac.ir import parse
from mochac.ir.applying import apply
from mochac.ir.kernel import Accum, Kernel, Load, Loop, walk
from mochac.ir.kernel_interp import run_kernel
from mochac.ir.kernel_verify import verify_kernel
from mochac.ir.passes.assign_layout import assign_layout
from mochac.ir.passes.fuse import fuse
from mochac.ir.passes.to_kernels import to_kernels
from mochac.ir.types import DTYPES

AVX512, AVX2, SSE2 = (CpuTarget.of(*t) for t in (("skylake-avx512", 64), ("haswell", 32), ("x86-64", 16)))


def conv(
    op: str,
    batch: int,
    size: int,
    channels: int,
    filters: int,
    k: int,
    pad: int,
    lanes: int = 16,
    group: int = 1,
    stride: int = 1,
):
    out = (size + 2 * pad - k) // stride + 1
    x, y = f"f32[b{batch},{channels},{size},{size}]", f"f32[b{batch},{filters},{out},{out}]"
    w = f"f32[{filters},{channels // group},{k},{k}]"
    attrs: dict[str, object] = {"stride": (stride, stride), "pad": (pad, pad), "group": group}
    if op == "conv_dx":
        return kernel_of(op, (y, w), lanes, **attrs, shape=(batch, channels, size, size))
    if op == "conv_dw":
        return kernel_of(op, (x, y), lanes, **attrs, kernel=(k, k))
    return kernel_of(op, (x, w, f"f32[{filters}]"), lanes, **attrs)


def exact(kernel: Kernel, target: CpuTarget = AVX512) -> bool:
    return "pack(" in str(choose(kernel, target))


@pytest.mark.parametrize(
    ("batch", "size", "channels", "filters", "k", "pad", "expected"),
    [
        (100, 16, 32, 32, 5, 2, True),
        (96, 16, 32, 32, 5, 2, False),  # no lane idles
        (111, 16, 32, 32, 5, 2, False),  # hardly one does
        (250, 14, 64, 64, 3, 1, True),
        (4, 8, 32, 64, 5, 2, True),
        (100, 32, 1, 1, 1, 0, False),  # a copied element is used too seldom
    ],
)
def test_blocks_with_idle_lanes_are_packed_where_it_pays(batch, size, channels, filters, k, pad, expected):
    assert exact(conv("conv", batch, size, channels, filters, k, pad)) == expected


@pytest.mark.slow
@pytest.mark.parametrize("op", ["conv", "conv_dx", "conv_dw"])
@pytest.mark.parametrize(("k", "pad", "stride"), [(5, 2, 2), (3, 1, 2), (11, 0, 4)])
def test_tails_of_strided_convolutions_are_packed(op, k, pad, stride):
    assert exact(conv(op, 20, 27, 32, 64, k, pad, stride=stride))


def check(kernel: Kernel, target: CpuTarget) -> bool:
    """Compare what the schedule computes with the naive kernel; returns whether the last block is exact."""
    schedule = choose(kernel, target)
    scheduled = apply(schedule, kernel)
    verify_kernel(scheduled, printable=True)
    rng = np.random.default_rng(3)
    feeds = {b.name: rng.standard_normal(b.type.shape).astype(DTYPES[b.type.dtype]) for b in kernel.inputs}
    want, got = run_kernel(kernel, feeds), run_kernel(scheduled, feeds)
    for name in want:
        np.testing.assert_allclose(
            got[name].reshape(want[name].shape), want[name], rtol=1e-4, atol=1e-4, err_msg=str(schedule)
        )
    return "pack(" in str(schedule)


@pytest.mark.slow
def test_a_tail_prefetches_filters_from_beyond_l2():
    kernel = conv("conv_dx", 12, 4, 128, 64, 3, 1, lanes=8)
    assert "prefetch_tile" in str(choose(kernel, AVX2))
    assert check(kernel, AVX2)


@pytest.fixture
def always(monkeypatch):
    """Last blocks are packed whatever it costs."""
    for rules in (tail_cost, weight_gradient_blocks):
        monkeypatch.setattr(rules, "WORTH", 1e6)


def pooled(
    batch: int,
    size: int,
    channels: int,
    filters: int,
    k: int,
    pad: int,
    window: int,
    op: str,
    lanes: int = 16,
    stride: int = 2,
):
    """A convolution, a maximum or mean of windows, and relu, as one kernel."""
    rows = size + 2 * pad - k + 1
    out = -(-(rows - window) // stride) + 1
    x, w, z, y = (
        "f32[" + ",".join(map(str, shape)) + "]"
        for shape in (
            (f"b{batch}", channels, size, size),
            (filters, channels, k, k),
            (f"b{batch}", filters, rows, rows),
            (f"b{batch}", filters, out, out),
        )
    )
    places = f", %i: {y.replace('f32', 'i8')}" if op == "max_pool" else ""
    graph = parse(
        f"graph @g(%x: {x} data, %w: {w} param, %b: f32[{filters}] param) {{ "
        f"%z: {z} = conv(%x, %w, %b) {{stride=[1,1], pad=[{pad},{pad}], group=1}} "
        f"%y: {y}{places} = {op}(%z) {{kernel=[{window},{window}], stride=[{stride},{stride}], pad=[0,0]}} "
        f"%r: {y} = relu(%y) return %r }}"
    )
    kernels = to_kernels(fuse(assign_layout(graph, lanes)))
    return next(k for k in kernels if k.root == "conv")


@pytest.mark.parametrize(
    ("window", "op", "expected"),
    [
        (2, "max_pool", "conv.planes"),
        (3, "max_pool", "conv.planes"),
        pytest.param(3, "mean_pool", "conv.planes", marks=pytest.mark.slow),
    ],
)
@pytest.mark.parametrize("batch", [4, pytest.param(21, marks=pytest.mark.slow)])
def test_fused_pools(batch, window, op, expected, always):
    kernel = pooled(batch, 6, 2, 5, 3, 1, window, op)
    assert choose(kernel, AVX512).name == expected
    assert check(kernel, AVX512)


@pytest.mark.parametrize("window", [2, pytest.param(4, marks=pytest.mark.slow)])
def test_a_mean_of_whole_windows_of_a_few_samples_is_packed(window, always):
    kernel = pooled(5, 10, 2, 5, 3, 0, window, "mean_pool", stride=window)
    assert choose(kernel, AVX512).name == "conv.averaged"
    assert check(kernel, AVX512)


@pytest.mark.parametrize("window", [2, 4])
@pytest.mark.parametrize("op", ["max_pool", "mean_pool"])
def test_vectors_of_one_image_are_loaded_along_its_rows(op, window):
    kernel = pooled(1, 34, 2, 5, 3, 0, window, op, lanes=0, stride=window)
    assert check(kernel, AVX512)
    scheduled = apply(choose(kernel, AVX512), kernel)
    image = {s.name for s in walk(scheduled.body) if isinstance(s, Load) and s.buffer.startswith("x")}
    products = [s for s in walk(scheduled.body) if isinstance(s, Accum) and s.fn == "fma"]
    assert products
    for loop in (s for s in walk(scheduled.body) if isinstance(s, Loop) and s.run == "vector"):
        loads = [s for s in walk(loop.body) if isinstance(s, Load) and s.name in image]
        assert all(s.index[-1].coefficient(loop.var) == 1 for s in loads), str(scheduled)
    in_lanes = {
        id(s)
        for loop in walk(scheduled.body)
        if isinstance(loop, Loop) and loop.run == "vector"
        for s in walk(loop.body)
    }
    assert all(id(s) in in_lanes for s in products)


def residual(batch: int, op: str = "conv", window: int = 0) -> Kernel:
    """A convolution to whose finished sums its own image is added, and perhaps a pool."""
    x, w, y = f"f32[b{batch},4,6,6]", "f32[4,4,3,3]", f"f32[b{batch},4,3,3]"
    how = "stride=[1,1], pad=[1,1], group=1" + (f", shape=[{batch},4,6,6]" if op == "conv_dx" else "")
    text = f"graph @g(%x: {x} data, %w: {w} param) {{ %c: {x} = {op}(%x, %w) {{{how}}} %s: {x} = add(%c, %x) "
    places = f"%m: {y}, %i: {y.replace('f32', 'i8')}"
    pool = f"{places} = max_pool(%s) {{kernel=[2,2], stride=[2,2], pad=[0,0]}} return %m }}"
    kernels = to_kernels(fuse(assign_layout(parse(text + (pool if window else "return %s }")), 16)))
    kernel = next(k for k in kernels if k.root == op)
    assert {op, "add"} <= set(kernel.ops)
    return kernel


@pytest.mark.parametrize("op", ["conv", "conv_dx"])
@pytest.mark.parametrize("batch", [3, 21])
def test_an_image_that_the_epilogue_adds_is_packed_for_the_sum_only(batch, op, always):
    assert check(residual(batch, op), AVX512)


@pytest.mark.slow
def test_an_image_that_a_pool_adds_is_not_packed(always):
    assert not check(residual(3, window=2), AVX512)


def random_case(rng: random.Random) -> tuple[Kernel, CpuTarget]:
    target = rng.choice([AVX512, AVX2, SSE2])
    k = rng.choice([1, 2, 3, 5])
    pad = rng.randint(0, k - 1)
    size = rng.randint(max(k - 2 * pad, 3), 6)
    group = rng.choice([1, 1, 2])
    channels, filters = group * rng.randint(1, 3), group * rng.randint(2, 8)
    lanes = target.lanes("f32")
    batch = rng.choice([rng.randint(1, lanes), lanes + rng.randint(1, lanes)])
    op = rng.choice(["conv", "conv_dx", "conv_dw", "max_pool", "mean_pool"])
    if op.endswith("pool") and size + 2 * pad - k >= 3:
        return pooled(batch, size, channels, filters, k, pad, rng.choice([2, 3]), op, lanes), target
    op, stride = rng.choice(["conv", "conv_dx", "conv_dw"]), rng.choice([1, 2, 3])
    return conv(op, batch, size, channels, filters, k, pad, lanes, group, stride), target


@pytest.mark.parametrize("op", ["conv", "conv_dx", "conv_dw"])
@pytest.mark.parametrize(
    ("size", "k", "pad", "stride"),
    [
        (6, 3, 1, 2),  # the columns of an image are no multiple of the stride
        pytest.param(7, 5, 2, 2, marks=pytest.mark.slow),
        pytest.param(9, 4, 0, 3, marks=pytest.mark.slow),  # a last column that no tap reads
        pytest.param(7, 1, 0, 2, marks=pytest.mark.slow),  # phases that no tap reaches
    ],
)
def test_tails_of_strided_convolutions(op, size, k, pad, stride, always):
    for batch in (3, 21):
        assert check(conv(op, batch, size, 3, 5, k, pad, stride=stride), AVX512) or k == 1


def test_a_weight_gradient_with_many_channels_keeps_its_sums_in_registers():
    """Packing the gradient stands before the sums' beginning, so that these need no place for every channel."""
    kernel = conv("conv_dw", 8, 7, 8, 6, 3, 0)
    scheduled = apply(choose(kernel, AVX512), kernel)
    *tile, lanes = {b.name: b.type.shape for b in scheduled.locals}["acc"]
    assert lanes == 16
    assert prod(tile) <= AVX512.registers
    assert "fma" in print_kernel(scheduled, AVX512).text


@pytest.mark.slow
def test_tiles_of_filters_share_packed_images(always):
    kernel = conv("conv_dw", 3, 4, 16, 34, 3, 1)
    assert check(kernel, AVX512)
    scheduled = str(apply(choose(kernel, AVX512), kernel))
    packed = re.search(r"%x1\.blocked\.pack: f32\[(\d+),", scheduled)
    assert packed and int(packed[1]) > 4 and re.search(r"acc: f32\[[\d,]+,16\] register", scheduled)


@pytest.mark.slow
def test_full_blocks_keep_their_order_beside_a_tail():
    for batch, size, channels, k, inner in ((100, 16, 32, 5, False), (20, 8, 32, 5, True)):
        kernel = conv("conv_dw", batch, size, channels, channels, k, k // 2)
        assert exact(kernel)
        assert ("detach(loops=(co_i, ci_i, kh, kw), after=1" in str(choose(kernel, AVX512))) != inner


@pytest.mark.slow
def test_a_batch_smaller_than_a_block_keeps_its_sums_in_registers(always):
    kernel = conv("conv_dw", 5, 5, 2, 6, 3, 1)
    assert check(kernel, AVX512)
    assert "acc: f32[3,2,3,16] register" in str(apply(choose(kernel, AVX512), kernel))


@pytest.mark.parametrize("op", ["conv", *(pytest.param(op, marks=pytest.mark.slow) for op in ("conv_dx", "max_pool"))])
def test_a_sample_has_the_same_bits_in_every_block(op, always):
    kernel = pooled(6, 5, 2, 3, 3, 1, 3, op, 4) if op == "max_pool" else conv(op, 6, 5, 2, 3, 3, 1, 4)
    rng = np.random.default_rng(5)
    feeds = {b.name: rng.standard_normal(b.type.shape).astype(np.float32) for b in kernel.inputs}
    images = feeds[kernel.inputs[0].name]
    images[5] = images[0]
    for result in run_kernel(apply(choose(kernel, SSE2), kernel), feeds).values():
        assert result[5].tobytes() == result[0].tobytes()


@pytest.mark.parametrize("seed", [0, *(pytest.param(s, marks=pytest.mark.slow) for s in range(1, 6))])
def test_random_convolutions_with_tails(seed, always):
    rng = random.Random(f"ragged {seed}")
    found = [check(*random_case(rng)) for _ in range(4 if seed else 1)]
    assert any(found)


@pytest.mark.parametrize(
    ("op", "types", "attrs"),
    [
        ("conv1d", ("f32[b{n},3,20]", "f32[8,3,5]"), {"stride": 1, "pad": 2}),
        ("conv3d", ("f32[b{n},2,4,4,5]", "f32[4,2,3,3,3]"), {"stride": 1, "pad": 1}),
    ],
)
@pytest.mark.parametrize("batch", [3, 21])
def test_users_convolutions_have_tails_too(op, types, attrs, batch, always):
    assert check(kernel_of(op, tuple(t.format(n=batch) for t in types), **attrs), AVX512)


@pytest.mark.parametrize("op", USER_OPS)
def test_users_contractions_run_in_tiles_over_the_batch(op):
    types, attrs = USER_OPS[op]
    kernel = kernel_of(op, tuple(t.replace("b4,", "b32,") for t in types), **attrs)
    schedule = choose(kernel, AVX512)
    assert schedule.name == f"{op}.blocked"
    assert not check(kernel, AVX512)


def test_rows_of_an_item_share_filters_from_beyond_l2():
    """The data gradient of AlexNet's third convolution reads its filters row by row, the next ones ahead."""
    kernel = conv("conv_dx", 4, 13, 256, 384, 3, 1)
    scheduled = str(apply(choose(kernel, AVX512), kernel))
    tiles, rows, terms = (scheduled.index(f"{loop} in 0..") for loop in ("ci_o", "ih_i", "sum co"))
    assert tiles < rows < terms < scheduled.index("prefetch %x1[co, 6*ci_o + 6, 0, 0]")
    assert "prefetch" not in str(choose(conv("conv_dx", 4, 13, 16, 24, 3, 1), AVX512))
