"""Which rule takes which kernel, and that what rules choose is well formed for every width and shape."""

import itertools

import numpy as np
import pytest
from codegen.kernels import CASES, case, kernel_of

from mochac.codegen.analysis.nests import edge_tiles, may_pad
from mochac.codegen.cpu.schedules import choose
from mochac.codegen.cpu.schedules.tiles import RegisterTile, best_tile, total_cost
from mochac.codegen.cpu.schedules.weight_gradient_blocks import gradient_tiles
from mochac.codegen.cpu.target import CpuTarget
from mochac.codegen.machine import machine
from mochac.codegen.nesting import Nested
from mochac.ir import parse
from mochac.ir.applying import apply
from mochac.ir.kernel import Accum, Loop, walk
from mochac.ir.kernel_interp import run_kernel
from mochac.ir.kernel_verify import verify_kernel
from mochac.ir.ops._window import pool_size
from mochac.ir.passes.assign_layout import assign_layout
from mochac.ir.passes.fuse import fuse
from mochac.ir.passes.sums import sum_by_sample
from mochac.ir.passes.to_kernels import to_kernels
from mochac.ir.types import DTYPES

AVX512, AVX2 = CpuTarget.of("skylake-avx512", 64), CpuTarget.of("haswell", 32)

RULES = {
    "conv": "conv.blocked",
    "conv-padded": "conv.blocked",
    "conv-strided": "conv.blocked",
    "conv_dx": "conv_dx.blocked",
    "conv_dw": "conv_dw.blocked",
    "conv_dw-tail": "conv_dw.blocked",
    "inner_product": "inner_product.blocked",
    "inner_product-tail": "product.natural",
    "inner_product-packed": "product.natural",
    "inner_product-few": "product.natural",
    "inner_product_dx-tail": "contraction.column-lanes",
    "inner_product_dx": "inner_product_dx.blocked",
    "inner_product_dw": "contraction.column-lanes",
    "lrn_sum": "windows.blocked",
    "max_pool": "windows.blocked",
    "max_pool_dx": "windows.blocked",
    "mean_pool-overlapping": "windows.blocked",
    "mean_pool_dx-overlapping": "windows.blocked",
    "softmax_loss": "generic.batch-lanes.guard",
    "reduce_sum": "generic.batch-partials",
    "reduce_sum-rows": "generic.row-partials",
    "relayout": "relayout.tiles",
    "permute": "transposed.tiles",
}


@pytest.mark.parametrize("name", sorted(CASES))
def test_rule(name):
    assert choose(case(name), AVX512).name == RULES[name]


DEPTHWISE = {"stride": (1, 1), "pad": (1, 1), "group": 8}
WINDOWED = {
    # types of image, filter and result; attributes
    "one axis": (("f32[b32,3,20]", "f32[8,3,5]", "f32[b32,8,20]"), {"stride": (1,), "pad": (2,), "group": 1}),
    "three axes": (
        ("f32[b32,3,4,6,6]", "f32[8,3,2,3,3]", "f32[b32,8,3,6,6]"),
        {"stride": (1, 1, 1), "pad": (0, 1, 1), "group": 1},
    ),
    "dilated": (
        ("f32[b32,3,12,12]", "f32[8,3,3,3]", "f32[b32,8,12,12]"),
        {"stride": (1, 1), "pad": (2, 2), "dilation": (2, 2), "group": 1},
    ),
    "depthwise": (("f32[b32,8,9,9]", "f32[8,1,3,3]", "f32[b32,8,9,9]"), DEPTHWISE),
    "depthwise, halved": (("f32[b32,8,9,9]", "f32[8,1,3,3]", "f32[b32,8,5,5]"), {**DEPTHWISE, "stride": (2, 2)}),
    "two filters a channel": (("f32[b32,8,9,9]", "f32[16,1,3,3]", "f32[b32,16,9,9]"), DEPTHWISE),
}


@pytest.mark.parametrize("op", ["conv", "conv_dx", "conv_dw"])
@pytest.mark.parametrize("name", WINDOWED)
def test_convolutions_of_all_kinds_have_samples_as_lanes(name, op):
    """All multiply-adds are vectors of samples under a tuned rule, whatever the number of axes and groups."""
    (x, w, y), attrs = WINDOWED[name]
    shape = tuple(int(n) for n in x[5:-1].split(","))
    types = {"conv": (x, w), "conv_dx": (y, w), "conv_dw": (x, y)}[op]
    more = {"conv": {}, "conv_dx": {"shape": shape}, "conv_dw": {"kernel": tuple(map(int, w[4:-1].split(",")[2:]))}}[op]
    kernel = kernel_of(op, types, **attrs, **more)
    schedule = choose(kernel, AVX512)
    assert schedule.name == f"{op}.blocked"
    scheduled = apply(schedule, kernel)
    products = [s for s in walk(scheduled.body) if isinstance(s, Accum) and s.fn == "fma"]
    lanes = [loop for loop in walk(scheduled.body) if isinstance(loop, Loop) and loop.run == "vector"]
    assert products
    assert all(any(s is inner for loop in lanes for inner in walk(loop.body)) for s in products)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("target", [AVX512, AVX2], ids=lambda t: t.name)
@pytest.mark.parametrize("name", sorted(CASES))
def test_scheduled_kernels_are_printable(name, target):
    kernel = case(name, target.lanes("f32"))
    verify_kernel(apply(choose(kernel, target), kernel), printable=True)


def core(registers):
    return machine("cascadelake", 64) if registers == 32 else machine("haswell", 32)


@pytest.mark.parametrize("registers", [16, 32])
def test_tiles_obey_the_register_rule(registers):
    for rows, columns in itertools.product([1, 2, 5, 10, 20, 50, 97, 500], [1, 3, 4, 8, 13, 28]):
        tile = best_tile(rows, columns, core(registers))
        assert tile.rows * tile.columns + tile.columns + 1 <= registers, (rows, columns)
        assert tile.rows <= rows and tile.columns <= columns, (rows, columns)


def test_the_best_tile_is_the_cheapest():
    chosen = best_tile(50, 24, core(32))
    worse = (RegisterTile(2, 2), RegisterTile(12, 1), RegisterTile(7, 4))
    assert all(total_cost(50, 24, chosen, core(32)) <= total_cost(50, 24, other, core(32)) for other in worse)


def test_window_cells_count_as_columns():
    tile = best_tile(50, 4, core(32), max_columns=8, cells=4)
    assert (tile.rows + 1) * tile.columns * 4 + 1 <= 32


@pytest.mark.parametrize("model", [machine("haswell", 32), machine("cascadelake", 64)], ids=["haswell", "cascadelake"])
def test_tiles_of_a_weight_gradient_obey_the_register_rule(model):
    for taps in (1, 2, 3, 5, 7, 11):
        tiles = gradient_tiles(50, 20, taps, 8, model)
        assert tiles
        for tile in tiles:
            again = min(tile.filters, tile.images) if tile.columns == 1 else tile.filters + 1
            assert tile.filters * tile.images + again + 1 <= model.registers


def test_edge_tiles_are_those_that_meet_padding():
    kernel = kernel_of("conv", ("f32[b16,1,9,16]", "f32[1,1,3,5]"), stride=(1, 1), pad=(1, 2), group=1)
    assert edge_tiles(kernel, "ow", 4) == (1, 1)
    unpadded = kernel_of("conv", ("f32[b16,1,9,16]", "f32[1,1,3,5]"), stride=(1, 1), pad=(0, 0), group=1)
    assert edge_tiles(unpadded, "ow", 4) == (0, 0)


def test_pad_lanes_are_only_for_blocked_storage():
    assert may_pad(case("max_pool"), "n")
    assert not may_pad(case("softmax_loss"), "n")


POOLED = list(itertools.product((6, 7), ("[0,0]", "[1,1]", "[0,1]", "[2,2]"), ("max", "mean")))


@pytest.mark.parametrize(
    ("side", "pad", "pool"),
    [pytest.param(*case, marks=[pytest.mark.slow] if k % 3 else []) for k, case in enumerate(POOLED)],
)
def test_a_convolution_is_pooled_with_any_padding(side, pad, pool):
    rows, columns = side - 2 + 2 * int(pad[1]), side - 2 + 2 * int(pad[3])
    high, wide = -(-rows // 2), -(-columns // 2)
    window = "{kernel = [2,2], stride = [2,2], pad = [0,0]" + (', divisor = "kernel"}' if pool == "mean" else "}")
    results = f"%p: f32[b16,4,{high},{wide}]" + (f", %k: i8[b16,4,{high},{wide}]" if pool == "max" else "")
    graph = parse(
        f"graph @g(%x: f32[b16,2,{side},{side}] data, %w: f32[4,2,3,3] param) {{"
        f" %c: f32[b16,4,{rows},{columns}] = conv(%x, %w) {{stride = [1,1], pad = {pad}, group = 1}}"
        f" {results} = {pool}_pool(%c) {window} return %p }}"
    )
    (kernel,) = (k for k in to_kernels(fuse(assign_layout(graph, 16))) if k.root == "conv")
    schedule = choose(kernel, AVX512)
    kind = "planes" if pad != "[0,0]" else {"mean": "averaged", "max": "pooled"}[pool]
    assert side == 7 or schedule.name == f"conv.{kind}"
    agree(kernel, apply(schedule, kernel))


@pytest.mark.slow
@pytest.mark.parametrize("target", [AVX512, AVX2], ids=["avx512", "avx2"])
@pytest.mark.parametrize(("side", "window", "filters"), [(9, 9, 7), (14, 7, 5), (6, 2, 20)])
def test_neighbouring_cells_of_a_mean_are_computed_together(side, window, filters, target):
    """If windows are wider than there are windows in a row."""
    image, lanes, n = side + 2, target.lanes("f32"), side // window
    graph = parse(
        f"graph @g(%x: f32[b{lanes},3,{image},{image}] data, %w: f32[{filters},3,3,3] param) {{"
        f" %c: f32[b{lanes},{filters},{side},{side}] = conv(%x, %w) {{stride = [1,1], pad = [0,0], group = 1}}"
        f" %p: f32[b{lanes},{filters},{n},{n}] = mean_pool(%c)"
        f" {{kernel = [{window},{window}], stride = [{window},{window}], pad = [0,0]}} return %p }}"
    )
    (kernel,) = (k for k in to_kernels(fuse(assign_layout(graph, lanes))) if k.root == "conv")
    schedule = choose(kernel, target)
    assert schedule.name == "conv.averaged"
    assert ("split(loop=j," in str(schedule)) == (window > n) and ("split(loop=pw," in str(schedule)) == (window <= n)
    agree(kernel, apply(schedule, kernel))


@pytest.mark.parametrize(("target", "held"), [(AVX512, "(i, j)"), (AVX2, "(j)")], ids=["avx512", "avx2"])
def test_few_registers_hold_a_row_of_a_window_at_a_time(target, held):
    """Four sums of each of two channels would keep few units busy; two of each of six do, one row after the other."""
    graph = parse(
        "graph @g(%x: f32[b16,2,8,8] data, %w: f32[6,2,3,3] param) {"
        " %c: f32[b16,6,6,6] = conv(%x, %w) {stride = [1,1], pad = [0,0], group = 1}"
        " %p: f32[b16,6,3,3], %k: i8[b16,6,3,3] = max_pool(%c) {kernel = [2,2], stride = [2,2], pad = [0,0]}"
        " return %p }"
    )
    (kernel,) = (k for k in to_kernels(fuse(assign_layout(graph, target.lanes("f32")))) if k.root == "conv")
    schedule = choose(kernel, target)
    assert schedule.name == "conv.pooled" and f"detach(loops={held}, " in str(schedule)
    agree(kernel, apply(schedule, kernel))


PLANES = [("max", 3, 2, 0, 8), ("mean", 3, 2, 1, 7), ("max", 2, 2, 1, 5), ("mean", 4, 1, 2, 5)]


@pytest.mark.parametrize("target", [AVX512, AVX2], ids=["avx512", "avx2"])
@pytest.mark.parametrize(
    ("op", "kernel", "stride", "pad", "side", "axes"),
    [
        ("max", 3, 2, 0, 5, 2),
        ("max", 2, 2, 0, 9, 1),
        ("mean", 3, 1, 1, 9, 1),
        *(pytest.param(*case, 2, marks=pytest.mark.slow) for case in PLANES),
        pytest.param("max", 2, 1, 0, 4, 3, marks=pytest.mark.slow),
    ],
)
def test_a_convolution_is_pooled_over_its_planes(op, kernel, stride, pad, side, axes, target):
    def every(extent):
        return ",".join([str(extent)] * axes)

    size = every(pool_size(side, kernel, stride, pad))
    window = f"{{kernel = [{every(kernel)}], stride = [{every(stride)}], pad = [{every(pad)}]"
    window += ', divisor = "valid"}' if op == "mean" else "}"
    results = f"%p: f32[b15,7,{size}]" + (f", %k: i8[b15,7,{size}]" if op == "max" else "")
    graph = parse(
        f"graph @g(%x: f32[b15,2,{every(side)}] data, %w: f32[7,2,{every(3)}] param) {{"
        f" %c: f32[b15,7,{every(side)}] = conv(%x, %w) {{stride = [{every(1)}], pad = [{every(1)}], group = 1}}"
        f" {results} = {op}_pool(%c) {window} %y: f32[b15,7,{size}] = relu(%p) return %y }}"
    )
    (fused,) = (k for k in to_kernels(fuse(assign_layout(graph, target.lanes("f32")))) if k.root == "conv")
    schedule = choose(fused, target)
    assert schedule.name == "conv.planes"
    assert axes == 1 or "interleave(loop=p" in str(schedule)
    agree(fused, apply(schedule, fused))


@pytest.mark.slow
@pytest.mark.parametrize("target", [AVX512, AVX2], ids=["avx512", "avx2"])
@pytest.mark.parametrize(("op", "kernel", "axes"), [("mean", 3, 2), ("max", 2, 2), ("mean", 2, 1)])
def test_a_convolution_that_others_read_is_pooled_while_its_rows_are_near(op, kernel, axes, target):
    def every(extent):
        return ",".join([str(extent)] * axes)

    size = every(pool_size(7, kernel, 2, 0))
    window = f"{{kernel = [{every(kernel)}], stride = [{every(2)}], pad = [{every(0)}]}}"
    results = f"%p: f32[b32,5,{size}]" + (f", %k: i8[b32,5,{size}]" if op == "max" else "")
    graph = parse(
        f"graph @g(%x: f32[b32,2,{every(7)}] data, %w: f32[5,2,{every(3)}] param) {{"
        f" %c: f32[b32,5,{every(7)}] = conv(%x, %w) {{stride = [{every(1)}], pad = [{every(1)}], group = 1}}"
        f" %s: f32[b32,5,{every(7)}] = tanh(%c) {results} = {op}_pool(%s) {window} return %s, %p }}"
    )
    (fused,) = (k for k in to_kernels(fuse(assign_layout(graph, target.lanes("f32")))) if k.root == "conv")
    assert [b.name for b in fused.outputs][-1] == "p"
    schedule = choose(fused, target)
    assert schedule.name == "conv.planes" and "innermost" not in str(schedule)
    assert axes == 1 or "interleave(loop=p" in str(schedule)
    agree(fused, apply(schedule, fused))


DW_PLANES = [
    ("max", 3, 2, 0, 5, 9),
    ("mean", 3, 2, 1, 7, 9),
    ("max", 2, 2, 0, 6, 12),
    ("mean", 2, 1, 0, 5, 17),
    ("max", 3, 3, 0, 7, 9),
    ("mean", 3, 3, 0, 9, 9),
]


@pytest.mark.sampled(0, test=3)
@pytest.mark.parametrize("target", [AVX512, AVX2], ids=["avx512", "avx2"])
@pytest.mark.parametrize(("op", "kernel", "stride", "pad", "side", "batch"), DW_PLANES)
def test_a_weight_gradient_makes_the_planes_of_its_gradient(op, kernel, stride, pad, side, batch, target):
    size = pool_size(side, kernel, stride, pad)
    window = f"shape = [{batch},5,{side},{side}], kernel = [{kernel},{kernel}], stride = [{stride},{stride}], "
    window += f"pad = [{pad},{pad}]" + (', divisor = "kernel"' if op == "mean" else "")
    index = f", %i: i8[b{batch},5,{size},{size}]" if op == "max" else ""
    graph = parse(
        f"graph @g(%x: f32[b{batch},2,{side},{side}], %y: f32[b{batch},5,{side},{side}],"
        f" %dy: f32[b{batch},5,{size},{size}]{index}) {{"
        f" %d: f32[b{batch},5,{side},{side}] = {op}_pool_dx(%dy{', %i' if index else ''}) {{{window}}}"
        f" %r: f32[b{batch},5,{side},{side}] = mul(%d, %y)"
        f" %w: f32[5,2,3,3] = conv_dw(%x, %r) {{stride = [1,1], pad = [1,1], group = 1, kernel = [3,3]}} return %w }}"
    )
    (fused,) = (k for k in to_kernels(fuse(assign_layout(graph, target.lanes("f32")))) if k.root == "conv_dw")
    schedule = choose(fused, target)
    assert schedule.name == "conv_dw.blocked" and "unguard" in str(schedule)
    assert kernel != stride or pad or side % stride or "jam(" in str(schedule)  # a band reads what it computes
    agree(fused, apply(schedule, fused))


@pytest.mark.parametrize("target", [AVX512, AVX2], ids=["avx512", "avx2"])
@pytest.mark.parametrize(
    ("op", "kernel", "side", "batch", "taps", "channels", "axes"),
    [
        ("mean", 3, 5, 16, 3, 2, 2),
        ("mean", 2, 4, 16, 3, 1, 2),
        ("mean", 3, 9, 16, 3, 2, 1),
        pytest.param("max", 2, 6, 16, 1, 3, 2, marks=pytest.mark.slow),
        pytest.param("mean", 3, 5, 32, 1, 1, 2, marks=pytest.mark.slow),
        pytest.param("mean", 2, 2, 16, 3, 1, 3, marks=pytest.mark.slow),
    ],
)
def test_a_weight_gradient_adds_up_the_images_of_its_gradient(op, kernel, side, batch, taps, channels, axes, target):
    def every(extent):
        return ",".join([str(extent)] * axes)

    size = every(pool_size(side, kernel, 2, 0))
    window = f"shape = [{batch},5,{every(side)}], kernel = [{every(kernel)}], stride = [{every(2)}], pad = [{every(0)}]"
    window += ', divisor = "kernel"' if op == "mean" else ""
    index = f", %i: i8[b{batch},5,{size}]" if op == "max" else ""
    image = f"f32[b{batch},5,{every(side)}]"
    conv = f"stride = [{every(1)}], group = 1, pad = [{every(taps // 2)}], kernel = [{every(taps)}]"
    summed = ",".join(map(str, (0, *range(2, 2 + axes))))
    graph = parse(
        f"graph @g(%x: f32[b{batch},{channels},{every(side)}], %y: {image}, %dy: f32[b{batch},5,{size}]{index}) {{"
        f" %d: {image} = {op}_pool_dx(%dy{', %i' if index else ''}) {{{window}}} %r: {image} = mul(%d, %y)"
        f" %w: f32[5,{channels},{every(taps)}] = conv_dw(%x, %r) {{{conv}}}"
        f" %s: f32[5] = reduce_sum(%r) {{axes = [{summed}]}} return %w, %s }}"
    )
    laid_out = sum_by_sample(assign_layout(graph, target.lanes("f32")), fuse)
    (fused,) = (k for k in to_kernels(fuse(laid_out)) if k.root == "conv_dw")
    assert [b.name for b in fused.outputs] == ["w", "s.each"]
    verify_kernel(Nested.of(fused).kernel)
    schedule = choose(fused, target)
    assert schedule.name == "conv_dw.blocked"
    agree(fused, apply(schedule, fused))


def agree(naive, scheduled):
    """Both give the same results, by the interpreter, and the second can be printed."""
    verify_kernel(scheduled, printable=True)
    rng = np.random.default_rng(7)
    inputs = {b.name: rng.normal(scale=2, size=b.type.shape).astype(DTYPES[b.type.dtype]) for b in naive.inputs}
    want, got = run_kernel(naive, inputs), run_kernel(scheduled, inputs)
    for name in want:
        np.testing.assert_allclose(got[name].reshape(want[name].shape), want[name], rtol=1e-5, atol=1e-5)


def test_what_an_epilogue_reads_is_prefetched_while_the_sum_runs():
    graph = parse(
        """graph @g(%dy: f32[b32,4,6,6], %w: f32[4,2,3,3] param, %x: f32[b32,2,6,6]) {
          %d: f32[b32,2,6,6] = conv_dx(%dy, %w) {shape=(32,2,6,6), stride=(1,1), pad=(1,1), group=1}
          %y: f32[b32,2,6,6] = mul(%d, %x)
          return %y
        }"""
    )
    kernel = next(k for k in to_kernels(fuse(assign_layout(graph, 16))) if k.root == "conv_dx")
    text = str(apply(choose(kernel, AVX512), kernel))
    assert text.index("sum co") < text.index("prefetch %x.blocked[16*n_o, ") < text.index(" fma(") < text.index(" mul(")
    assert text.count("prefetch") == text.count("sum co")


@pytest.mark.parametrize(("shape", "axes", "together"), [("b32,6,20", (0, 1), True), ("b32,20,6", (0, 2), False)])
def test_sums_over_the_batch_of_neighbouring_elements_are_computed_together(shape, axes, together):
    kernel = kernel_of("reduce_sum", (f"f32[{shape}]",), axes=axes)
    schedule = choose(kernel, AVX512)
    assert schedule.name == "generic.batch-partials"
    assert ("split(loop=a0, factor=16, outer=a0_o, inner=a0_i, tail=cut)" in map(str, schedule.steps)) == together
