"""Convolutions of every stride, padding, group and kernel: tuned schedules, right results, no spills in inner loops."""

from __future__ import annotations

import random
import re

import numpy as np
import pytest
from codegen.kernels import kernel_of

from mochac.codegen.analysis.weight_gradient import weight_gradient
from mochac.codegen.cpu.module import print_kernel, print_module
from mochac.codegen.cpu.schedules import choose, weight_gradients
from mochac.codegen.cpu.schedules.weight_gradient_blocks import GradientTile, blocks_of
from mochac.codegen.cpu.target import CpuTarget
from mochac.codegen.prediction.prediction import predicted
from mochac.ir.applying import apply
from mochac.ir.kernel import Kernel
from mochac.ir.kernel_interp import run_kernel
from mochac.ir.kernel_verify import verify_kernel
from mochac.ir.passes.assign_layout import assign_layout
from mochac.ir.passes.fuse import fuse
from mochac.ir.passes.to_kernels import to_kernels
from mochac.ir.text import parse
from mochac.runtime.cpu import compiler
from mochac.runtime.cpu.cpuinfo import named_cpu

WIDE, AVX2, SSE2 = CpuTarget.of("skylake-avx512", 64), CpuTarget.of("haswell", 32), CpuTarget.of("x86-64", 16, False)
NEON = CpuTarget("neoverse-v2", 16, arch="aarch64")
SPILLED = {"skylake-avx512": 0.0, "haswell": 0.4}
"""Vectors moved to the stack and back, for a multiply-add of an inner loop: all 16 registers are in use."""
PASSES = ("fwd", "dx", "dw")
SPREAD = {
    "alexnet-1": (3, 96, 227, 11, 4, 0, 1),
    "alexnet-2": (96, 256, 27, 5, 1, 2, 2),
    "alexnet-3": (256, 384, 13, 3, 1, 1, 1),
    "pointwise": (256, 64, 14, 1, 1, 0, 1),
    "halving": (128, 128, 56, 3, 2, 1, 1),
    "half-pointwise": (256, 512, 56, 1, 2, 0, 1),
    "resnet": (3, 64, 224, 7, 2, 3, 1),
    "lenet": (20, 50, 12, 5, 1, 0, 1),
    "depthwise": (32, 32, 28, 3, 1, 1, 32),
    "wide depthwise": (32, 32, 16, 7, 1, 3, 32),
}


def naive(what: str, layer: tuple[int, ...], batch: int, lanes: int, dtype: str = "f32") -> Kernel:
    """The kernel of one convolution or gradient of it, on blocked operands."""
    channels, filters, side, k, stride, pad, group = layer
    out = (side + 2 * pad - k) // stride + 1
    attrs = f"stride = [{stride},{stride}], pad = [{pad},{pad}], group = {group}"
    x, y = (f"{dtype}[b{batch},{c},{n},{n}]" for c, n in ((channels, side), (filters, out)))
    w = f"{dtype}[{filters},{channels // group},{k},{k}]"
    text = {
        "fwd": f"(%x: {x}, %w: {w}) {{ %r: {y} = conv(%x, %w) {{{attrs}}}",
        "dx": f"(%d: {y}, %w: {w}) {{ %r: {x} = conv_dx(%d, %w) {{{attrs}, shape = [{x[len(dtype) + 2 : -1]}]}}",
        "dw": f"(%x: {x}, %d: {y}) {{ %r: {w} = conv_dw(%x, %d) {{{attrs}, kernel = [{k},{k}]}}",
    }
    graph = fuse(assign_layout(parse(f"graph @g{text[what]} return %r }}"), lanes))
    return next(kernel for kernel in to_kernels(graph) if kernel.root.startswith("conv"))


def check(what: str, layer: tuple[int, ...], batch: int, target: CpuTarget, dtype: str = "f32") -> str:
    """The chosen schedule keeps the results; returns its name."""
    return keeps(naive(what, layer, batch, target.lanes(dtype), dtype), target, dtype)


def keeps(kernel: Kernel, target: CpuTarget, dtype: str = "f32") -> str:
    """The chosen schedule's name, after its results were compared."""
    schedule = choose(kernel, target)
    scheduled = apply(schedule, kernel)
    verify_kernel(scheduled, printable=True)
    rng = np.random.default_rng(5)
    kind = np.float32 if dtype == "f32" else np.float64
    feeds = {b.name: rng.standard_normal(b.type.shape).astype(kind) for b in kernel.inputs}
    want, got = run_kernel(kernel, feeds), run_kernel(scheduled, feeds)
    for name, value in want.items():
        np.testing.assert_allclose(got[name].reshape(value.shape), value, rtol=1e-4, atol=1e-4, err_msg=str(schedule))
    return schedule.name


def random_layer(rng: random.Random) -> tuple[int, ...]:
    group = rng.choice((1, 1, 2, 3))
    k = rng.choice((1, 2, 3, 5))
    layer = (group * rng.randint(1, 3), group * rng.randint(1, 6), rng.randint(max(k, 3), 8), k)
    return (*layer, rng.choice((1, 2, 3, 4)), rng.randint(0, k - 1), group)


@pytest.mark.parametrize("what", PASSES)
def test_a_stride_and_groups_take_the_tuned_schedule(what: str) -> None:
    assert check(what, (4, 6, 5, 3, 2, 1, 2), 4, SSE2).endswith(("blocked", "mixed"))


def test_a_stride_along_one_axis_takes_the_tuned_schedule() -> None:
    attrs = {"stride": (1, 2), "pad": (1, 1), "group": 1, "shape": (4, 3, 6, 7)}
    assert keeps(kernel_of("conv_dx", ("f32[b4,5,6,4]", "f32[5,3,3,3]"), 4, **attrs), SSE2) == "conv_dx.blocked"


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8))
def test_random_layers_keep_their_results(seed: int) -> None:
    rng = random.Random(seed)
    layer, target, dtype = random_layer(rng), rng.choice((WIDE, AVX2, SSE2)), rng.choice(("f32", "f32", "f64"))
    lanes = target.lanes(dtype)
    for what in PASSES:
        name = check(what, layer, rng.choice((lanes, 2 * lanes, lanes + 1)), target, dtype)
        assert name.startswith("conv"), (what, layer)


def steps(what: str, layer: tuple[int, ...], batch: int) -> list[str]:
    """The steps of the schedule for 64-byte vectors."""
    return [str(step) for step in choose(naive(what, layer, batch, 16), WIDE).steps]


def test_images_under_one_tap_are_lines() -> None:
    first = [step.split("(")[0] for step in steps("fwd", (8, 6, 14, 1, 1, 0, 1), 16)[:4]]
    assert first == ["flatten", "flatten", "merge", "split"]
    assert "merge" not in str(steps("fwd", (8, 6, 14, 1, 1, 0, 1), 15))


@pytest.mark.parametrize(("channels", "size", "order"), [(16, 32, "oh, co, ow"), (512, 48, "oh, ow, co")])
def test_rows_of_results_are_written_whole_unless_the_image_would_come_from_far_again(channels, size, order) -> None:
    assert f"reorder(loops=(n, {order}))" in steps("fwd", (channels, 16, size, 3, 1, 1, 1), 16)


def test_results_from_beyond_l2_are_prefetched() -> None:
    large, small = (steps("fwd", (16, 16, size, 3, 1, 1, 1), 64) for size in (32, 8))
    assert [s for s in large if s.startswith("prefetch_epilogue")] and not any("prefetch" in s for s in small)


def test_results_under_one_tap_are_prefetched_with_turns_of_terms() -> None:
    large, small = (steps("fwd", (32, 64, size, 1, 1, 0, 1), 16) for size in (32, 4))
    turns = [
        "split(loop=ci, factor=2, outer=ci_o, inner=ci_i, tail=cut)",
        "prefetch_epilogue(buffer=r, inside=ci_o, lane=n_i)",
    ]
    assert set(turns) <= set(large) and not set(turns) & set(small)


@pytest.mark.parametrize(("target", "columns", "fenced"), [(WIDE, 14, False), (AVX2, 14, True), (NEON, 14, False)])
def test_a_depthwise_row_has_accumulators_for_all_units(target, columns, fenced) -> None:
    """Where the columns that the next tap reads again do not fit beside them, they are loaded again instead of kept."""
    kernel = naive("fwd", (2, 2, 28, 7, 1, 3, 2), target.lanes("f32"), target.lanes("f32"))
    schedule = choose(kernel, target)
    assert f"split(loop=ow, factor={columns}," in str(schedule)
    assert ("fence" in print_kernel(apply(schedule, kernel), target).text) == fenced


def near(layer: tuple[int, ...], batch: int, tile: GradientTile) -> bool:
    form = weight_gradient(naive("dw", layer, batch, 16))
    assert form is not None
    return blocks_of(form, tile, WIDE)[0].batch_inner


def test_a_gradient_goes_over_the_batch_in_its_tiles_if_that_is_near() -> None:
    assert [near((20, 50, 12, 5, 1, 0, 1), batch, GradientTile(4, 1, 5, 2)) for batch in (16, 64)] == [True, False]
    assert not near((64, 64, 56, 3, 1, 1, 1), 64, GradientTile(4, 2, 3, 2))


def inner_loops(assembly: str) -> list[str]:
    """Blocks that jump to their own label."""
    blocks = re.split(r"^(?=\.LBB\w+:|# %bb)", assembly, flags=re.MULTILINE)
    return [b for b in blocks if (label := b.split(":")[0]).startswith(".LBB") and re.search(rf"\tj\w+\t{label}\b", b)]


@pytest.mark.sampled(0, test=3)
@pytest.mark.parametrize("target", [WIDE, AVX2], ids=["avx512", "avx2"])
@pytest.mark.parametrize("name", SPREAD)
def test_inner_loops_spill_no_vector_or_few_where_registers_are_few(name: str, target: CpuTarget) -> None:
    for what in PASSES:
        kernel = naive(what, SPREAD[name], target.lanes("f32"), target.lanes("f32"))
        code = print_kernel(apply(choose(kernel, target), kernel), target)
        loops = inner_loops(compiler.assembly(print_module([code]), named_cpu(target.name)))
        assert loops, what
        for loop in loops:
            moved = re.findall(rf"{target.vector_bytes}-byte (?:Folded )?(?:Spill|Reload)", loop)
            assert len(moved) <= SPILLED[target.name] * loop.count("vfmadd"), f"{what}: {loop}"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("layer", "batch"), [((23, 16, 17, 7, 1, 0, 1), 7), ((175, 8, 10, 5, 1, 0, 1), 6), ((11, 94, 22, 8, 1, 0, 1), 1)]
)
def test_tiles_of_ragged_batches_are_weighed(layer: tuple[int, ...], batch: int) -> None:
    """Masks take registers, and samples that are packed lie across lines: with the tiles that are best for whole
    vectors, these kernels took 1.7 to 3.6 times as long (Zen 3)."""
    kernel = naive("dw", layer, batch, AVX2.lanes("f32"))
    first = weight_gradients.rule(kernel, AVX2)
    assert first is not None
    own, usual = (predicted(apply(s, kernel), AVX2.machine).cycles for s in (choose(kernel, AVX2), first))
    assert own < 0.8 * usual


@pytest.mark.slow
@pytest.mark.parametrize("op", ["conv", "conv_dx", "conv_dw"])
def test_images_that_are_constants_are_computed_too(op: str) -> None:
    """A fill is inlined where it is read: the kernel then has one image, or none."""
    how = "pad = (0,0), stride = (1,1)"
    text = {
        "conv": f"%y: f32[b3,10,6,1] = conv(%one, %w) {{{how}}}",
        "conv_dx": f"%y: f32[b3,1,6,1] = conv_dx(%ten, %w) {{{how}, shape = (3,1,6,1)}}",
        "conv_dw": f"%y: f32[10,1,1,1] = conv_dw(%one, %dy) {{{how}, kernel = (1,1)}}",
    }
    graph = parse(f"""
    graph @g(%dy: f32[b3,10,6,1], %w: f32[10,1,1,1] param) {{
      %one: f32[b3,1,6,1] = fill() {{batch = true, dtype = "f32", shape = (3,1,6,1), value = 1.0}}
      %ten: f32[b3,10,6,1] = fill() {{batch = true, dtype = "f32", shape = (3,10,6,1), value = 2.0}}
      {text[op]}
      return %y
    }}
    """)
    for target in (WIDE, AVX2, SSE2):
        for kernel in to_kernels(fuse(assign_layout(graph, target.lanes("f32")))):
            if kernel.root == op:
                keeps(kernel, target)
                print_kernel(apply(choose(kernel, target), kernel), target)
