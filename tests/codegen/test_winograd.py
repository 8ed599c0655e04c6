"""Convolutions by tiles, drawn at random: results beside float64, in every instruction set, and on threads."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

import numpy as np
import pytest

from mochac import ir
from mochac.codegen.analysis.tiled_sums import tiled_sum
from mochac.codegen.cpu.generator import CpuGenerator
from mochac.codegen.cpu.schedules import choose
from mochac.codegen.cpu.schedules.picking import replay
from mochac.codegen.cpu.schedules.winograd_cost import tiles_of
from mochac.codegen.cpu.target import CpuTarget
from mochac.codegen.nesting import Nested
from mochac.ir import apply
from mochac.ir.graph import BoundNode, Graph
from mochac.ir.interp import run
from mochac.ir.kernel import Kernel, Loop, multiply_adds, walk
from mochac.ir.kernel_interp import run_kernel
from mochac.ir.kernel_verify import verify_kernel
from mochac.ir.ops._window import Correlation, Tiles
from mochac.ir.passes.assign_layout import assign_layout
from mochac.ir.passes.fast_convolutions import fast_convolutions
from mochac.ir.passes.fuse import fuse
from mochac.ir.passes.to_kernels import to_kernels
from mochac.lowering.run_graph import run_graph

TARGETS = {
    "avx512": CpuTarget.of("znver4", 64),
    "avx512, 64 threads": replace(CpuTarget.of("znver4", 64), team=64),
    "avx2": CpuTarget.of("haswell", 32),
    "small-caches": CpuTarget("znver4", 64, 32, cache_bytes=(1 << 10, 2 << 10, 4 << 10)),
    "neon": CpuTarget("neoverse-v2", 16, 32, arch="aarch64"),
}


@dataclass(frozen=True)
class Drawn:
    """A convolution whose axes all differ, with what follows it, and its tiles."""

    graph: Graph
    tiles: Tiles

    def tiles_of(self, bound: BoundNode) -> Tiles:
        return self.tiles


def drawn(seed: int) -> Drawn:
    rng = random.Random(seed)
    axes = rng.choice((1, 2, 2, 2, 3))
    kernel = (*(rng.choice((1, 2, 3, 3, 5)) for _ in range(axes - 1)), rng.choice((2, 3, 5)))
    tile = tuple(rng.choice((2, 3, 4)) if r > 1 else 1 for r in kernel)
    pad = tuple(rng.randrange(r) for r in kernel)
    size = tuple(max(1, r - 2 * p) + rng.randrange(9 if axes < 3 else 4) for r, p in zip(kernel, pad, strict=True))
    batch, channels, filters = rng.choice((1, 2, 3, 5, 16, 19, 33)), rng.choice((1, 4, 7, 9, 35)), rng.randint(1, 18)
    out = tuple(n + 2 * p - r + 1 for n, p, r in zip(size, pad, kernel, strict=True))
    image, result = (f"f32[b{batch},{n},{','.join(map(str, s))}]" for n, s in ((channels, size), (filters, out)))
    w = f"f32[{filters},{channels},{','.join(map(str, kernel))}]"
    how = f"stride = {[1] * axes}, pad = {list(pad)}, group = 1"
    adjoint = False
    if rng.random() < 0.6:
        adjoint = rng.random() < 0.6
        shape = [batch, channels, *size]
        node, y, given = f"conv_dx(%x, %w) {{{how}, shape = {shape}}}", image, f"%x: {result} data, %w: {w} param"
    else:
        bias = rng.random() < 0.5
        node = f"conv(%x, %w{', %b' * bias}) {{{how}}}"
        y, given = result, f"%x: {image} data, %w: {w} param" + f", %b: f32[{filters}] param" * bias
    follows, value = "", "y"
    if rng.random() < 0.5:
        given += f", %r: {y} data"
        follows, value = f"%s: {y} = add(%y, %r)\n %z: {y} = relu(%s)", "z"
    return Drawn(
        ir.parse(f"graph @g({given}) {{ %y: {y} = {node}\n {follows}\n return %{value} }}"), Tiles(tile, adjoint)
    )


def inputs(graph: Graph, seed: int) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(seed)
    return {i.name: rng.standard_normal(i.type.shape, dtype=np.float32) for i in graph.inputs}


def exact(graph: Graph, given: dict[str, np.ndarray]) -> np.ndarray:
    (result,) = run(graph, given, dtype="f64").outputs.values()
    return result


@pytest.mark.sampled(0, test=4)
@pytest.mark.parametrize("name", TARGETS)
@pytest.mark.parametrize("seed", range(32))
def test_schedules_keep_results(seed, name):
    case, target = drawn(seed), TARGETS[name]
    blocked = assign_layout(case.graph, target.lanes("f32"))
    tiled = fuse(fast_convolutions(blocked, case.tiles_of))
    names = [kernel.root for kernel in to_kernels(tiled)]
    if case.graph.inputs[0].type.shape[0] == 1:  # a single sample stays natural, and direct
        assert "winograd_product" not in names
        return
    assert {*names} == {"winograd_filter", "winograd_product", "relayout"}  # what follows is in the kernel of products
    values = inputs(case.graph, seed)
    expected, types = exact(case.graph, values), tiled.types()
    for staged in to_kernels(tiled):
        schedule, options = replay(lambda staged=staged: choose(staged, target), (seed, seed // 2))
        scheduled = apply(schedule, staged)
        verify_kernel(scheduled, printable=True)
        if staged.root == "winograd_product":
            assert schedule.name == "winograd_product.tiles", schedule.annotated
            assert len(options) == 1 + (not case.tiles.adjoint)  # the register tile, and the block
        feeds = {b.name: values[b.name].reshape(b.type.shape) for b in staged.inputs}
        made = {name: x.reshape(types[name].shape) for name, x in run_kernel(scheduled, feeds).items()}
        values |= made
        naive = run_kernel(Nested.of(staged).kernel, feeds)
        for out, result in naive.items():
            own, atol = made[out].reshape(result.shape), 1e-5 * np.abs(result).max()
            np.testing.assert_allclose(own, result, rtol=1e-5, atol=atol)
    got = values[tiled.outputs[0]]
    assert np.abs(got - expected).max() < 1e-4 * max(1.0, np.sqrt(np.mean(expected**2)))


@pytest.mark.sampled(0, test=4)
@pytest.mark.parametrize("seed", range(40))
def test_compiled_code_has_the_same_bits_for_any_number_of_threads(seed, monkeypatch):
    case = drawn(seed)
    values = inputs(case.graph, seed)
    monkeypatch.setattr(CpuGenerator, "tiles_of", lambda self, node, paired: case.tiles)
    results = [run_graph(case.graph, values, threads=n, convolutions="auto") for n in (1, 2, 3)]
    (first, *others) = (x for found in results for x in found.values())
    assert all(np.array_equal(first, other) for other in others)
    expected = exact(case.graph, values)
    assert np.abs(first - expected).max() < 1e-4 * max(1.0, np.sqrt(np.mean(expected**2)))


LENET = """
graph @g(%x: f32[b64,20,12,12] data, %dy: f32[b64,50,8,8] data, %w: f32[50,20,5,5] param) {
  %y: f32[b64,50,8,8] = conv(%x, %w) {stride = [1,1], pad = [0,0], group = 1}
  %dx: f32[b64,20,12,12] = conv_dx(%dy, %w) {stride = [1,1], pad = [0,0], group = 1, shape = [64,20,12,12]}
  return %y, %dx
}"""


def test_a_convolution_shares_its_transformed_filters_with_an_adjoint_data_gradient():
    generator = CpuGenerator(TARGETS["avx512"])
    tiled = fast_convolutions(assign_layout(ir.parse(LENET), 16), generator.tiles_of)
    names = [node.op for node in tiled.nodes]
    assert names.count("winograd_filter") == 1 and names.count("winograd_input_dx") == 1


GRADIENTS = [(64, 50, 20, 8, 12, 5), (16, 50, 20, 8, 12, 5), (128, 64, 64, 8, 8, 3), (32, 512, 512, 7, 7, 3)]


@pytest.mark.parametrize("name", TARGETS)
@pytest.mark.parametrize(("batch", "filters", "channels", "size", "image", "taps"), GRADIENTS)
def test_tiles_and_so_bits_are_the_same_for_any_number_of_threads(batch, filters, channels, size, image, taps, name):
    target = TARGETS[name]
    pad = (image - size + taps - 1) // 2
    lanes = target.lanes("f32")
    square = [(n, n) for n in (size, image, taps, pad)]
    c = Correlation(batch, filters, channels, *square, lanes, "data")
    assert len({tiles_of(c, replace(target, team=team)) for team in (4, 8, 64)}) == 1


def staged(text: str, tiles: Tiles, target: CpuTarget) -> Kernel:
    """The kernel of products of a graph with one convolution."""
    graph = assign_layout(ir.parse(text), target.lanes("f32"))
    kernels = to_kernels(fuse(fast_convolutions(graph, lambda bound: tiles)))
    return next(kernel for kernel in kernels if kernel.root == "winograd_product")


FORWARD = """
graph @g(%x: f32[b5,3,8,8] data, %w: f32[4,3,3,3] param) {
  %y: f32[b5,4,8,8] = conv(%x, %w) {stride = [1,1], pad = [1,1], group = 1}
  return %y
}"""
BACKWARD = """
graph @g(%dy: f32[b5,4,8,8] data, %w: f32[4,3,3,3] param) {
  %dx: f32[b5,3,10,10] = conv_dx(%dy, %w) {stride = [1,1], pad = [0,0], group = 1, shape = [5,3,10,10]}
  return %dx
}"""


def test_loops_of_tiles_side_by_side_and_of_tiles_that_overlap():
    beside = tiled_sum(Nested.of(staged(FORWARD, Tiles((2, 2)), TARGETS["avx512"])).kernel)
    overlapping = tiled_sum(Nested.of(staged(BACKWARD, Tiles((2, 2), adjoint=True), TARGETS["avx512"])).kernel)
    assert beside and (beside.rows, beside.inner, beside.output.column) == (("th",), (), "tw2")
    assert overlapping and (overlapping.rows, overlapping.inner, overlapping.output.column) == ((), ("th",), "")


@pytest.mark.parametrize(("batch", "blocks"), [(16, 4), (5, 3)])
def test_blocks_of_any_size_have_the_same_bits(batch, blocks):
    """2 or 4 tiles of a row, 2 rows or all 4; with 8 lanes of samples, 4 tiles at least."""
    target = TARGETS["avx512"]
    kernel = staged(FORWARD.replace("b5", f"b{batch}"), Tiles((2, 2)), target)
    rng = np.random.default_rng(0)
    feeds = {b.name: rng.standard_normal(b.type.shape, dtype=np.float32) for b in kernel.inputs}
    (_, (count, _)) = replay(lambda: choose(kernel, target))
    schedules = [replay(lambda n=n: choose(kernel, target), (n,))[0] for n in range(count)]
    results = [run_kernel(apply(schedule, kernel), feeds) for schedule in schedules]
    assert len(set(map(str, schedules))) == count == blocks
    for name, first in results[0].items():
        assert all(np.array_equal(first, other[name]) for other in results)


@pytest.mark.parametrize(("batch", "lanes"), [(2, {2, 8}), (4, {4}), (7, {8, 2}), (16, {16})])
def test_samples_of_several_tiles_fill_a_vector(batch, lanes):
    """Products are computed in whole vectors, however few samples there are."""
    target = TARGETS["avx512"]
    kernel = staged(FORWARD.replace("b5", f"b{batch}").replace("8,8", "16,16"), Tiles((2, 2)), target)
    scheduled = apply(choose(kernel, target), kernel)
    around = [s for s in walk(scheduled.body) if isinstance(s, Loop) and s.run == "vector" and multiply_adds(s.body)]
    assert {loop.extent for loop in around} == lanes
    assert len(around) == (1 if batch == 16 else 2) * len(multiply_adds(scheduled.body))


LARGE = """
graph @g(%x: f32[b64,512,7,7] data, %w: f32[512,512,3,3] param) {
  %y: f32[b64,512,7,7] = conv(%x, %w) {stride = [1,1], pad = [1,1], group = 1}
  return %y
}"""


def test_large_filters_are_prefetched_and_read_for_several_rows_of_tiles():
    large, small = LARGE, LARGE.replace("512", "32")
    steps = [str(choose(staged(text, Tiles((4, 4)), TARGETS["avx512"]), TARGETS["avx512"])) for text in (large, small)]
    assert ["prefetch_tile(buffer=y.transformed" in text for text in steps] == [True, False]
    assert ["merge(outer=th_r, inner=tw1" in text for text in steps] == [True, False]


@pytest.mark.parametrize("made", ["results", "data", "weights"])
def test_tiles_in_float32_are_weighed_against_pairs_of_bfloat16(made: str) -> None:
    """On Zen 4, 0.56 of the cycles of the direct convolution in float32 are more than pairs take, 0.44 are fewer;
    without the instruction, pairs make no difference."""
    few, many = (
        Correlation(128, c, c, size, size, (3, 3), (1, 1), 16, made) for c, size in ((16, (32, 32)), (32, (16, 16)))
    )
    zen, skylake = CpuTarget.of("znver4", 64), CpuTarget.of("skylake-avx512", 64)
    zen = replace(zen, bfloat16=True)
    assert tiles_of(few, zen) is not None
    assert tiles_of(few, zen, paired=True) is None
    assert tiles_of(many, zen, paired=True) == tiles_of(many, zen) is not None
    assert tiles_of(few, skylake, paired=True) == tiles_of(few, skylake)
