"""sum_by_sample: which sums it splits, which stay whole; the kernels that add them up beside rows are right."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from functools import partial

import numpy as np
import pytest

from mochac.codegen.cpu.schedules import choose
from mochac.codegen.cpu.target import CpuTarget
from mochac.ir import Graph, parse, run, verify
from mochac.ir.applying import apply
from mochac.ir.kernel_interp import run_kernel
from mochac.ir.kernel_verify import verify_kernel
from mochac.ir.passes.assign_layout import assign_layout
from mochac.ir.passes.fuse import fuse
from mochac.ir.passes.group_graph import FusionTarget
from mochac.ir.passes.groups import grouped
from mochac.ir.passes.recompute import recompute
from mochac.ir.passes.sums import sum_by_sample
from mochac.ir.passes.to_kernels import to_kernels
from mochac.tools.testing import simulate_caches

NEAR = 1 << 20
GRADIENTS = """
  %s: f32[ROWS] = reduce_sum(%x) {axes = SUMMED}
  %k: f32[ROWS] = fill() {batch = true, dtype = "f32", shape = COUNT, value = 0.01}
  %m: f32[ROWS] = mul(%s, %k)
  %mb: f32[WHOLE] = broadcast(%m) {axes = KEPT, batch = true, shape = DIMS}
  %d: f32[WHOLE] = sub(%x, %mb)
  %q: f32[WHOLE] = mul(%d, %dy)
  %v: f32[ROWS] = reduce_sum(%q) {axes = SUMMED}
  %vb: f32[WHOLE] = broadcast(%v) {axes = KEPT, batch = true, shape = DIMS}
  %dx: f32[WHOLE] = add(%dy, %vb)
  %scale: f32[PARAMS] = reduce_sum(%q) {axes = OVER}
  %shift: f32[PARAMS] = reduce_sum(%dy) {axes = OVER}
"""
"""What a gradient of a normalization computes: sums of rows, what reads them, and two sums over all samples."""
CASES: dict[str, tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]] = {
    "layer": ((136, 5, 18), (0, 1), (2,)),
    "layers": ((130, 3, 4, 20), (0, 1), (2, 3)),
    "positions": ((129, 3, 4, 20), (0, 1, 2), (3,)),
    "instance": ((33, 9, 2, 7), (0, 1), (1,)),
    "group": ((33, 4, 3, 2, 9), (0, 1), (1, 2)),
}
"""Shape of x, axes of the rows, axes of scale and shift."""
TARGETS = (CpuTarget.of("skylake-avx512", 64), CpuTarget.of("haswell", 32))


def gradients(dims: tuple[int, ...], rows: tuple[int, ...], params: tuple[int, ...], lanes: int = 0) -> Graph:
    def type_of(axes: tuple[int, ...], batch: str) -> str:
        return batch + ",".join(str(dims[a]) for a in axes)

    every = tuple(range(len(dims)))
    names = {
        "ROWS": type_of(rows, "b"),
        "WHOLE": type_of(every, "b"),
        "PARAMS": type_of(params, ""),
        "SUMMED": text(a for a in every if a not in rows),
        "OVER": text(a for a in every if a not in params),
        "COUNT": text(dims[a] for a in rows),
        "KEPT": text(rows),
        "DIMS": text(dims),
    }
    body = GRADIENTS
    for name, value in names.items():
        body = body.replace(name, value)
    whole = names["WHOLE"]
    kind, at = f"f32[{whole}]", ".natural" if lanes else ""
    blocked = [f"%{x}: {kind} = relayout(%{x}.natural) {{lanes = {lanes}}}\n" for x in ("x", "dy")]
    nodes = "".join(blocked if lanes else []) + body
    graph = parse(f"graph @g(%x{at}: {kind}, %dy{at}: {kind}) {{{nodes} return %dx, %scale, %shift }}")
    laid = assign_layout(graph, lanes)
    verify(laid)
    return recompute(laid)


def text(numbers: object) -> str:
    return str(tuple(numbers)).replace(" ", "")


def fusion(near: int = NEAR) -> Callable[[Graph], Graph]:
    return partial(fuse, target=FusionTarget(near_bytes=near))


def split(graph: Graph, near: int = NEAR) -> Graph:
    found = sum_by_sample(graph, fusion(near))
    assert fusion(near)(found) == found
    verify(found)
    grouped(found)
    return found


@pytest.mark.parametrize("lanes", [0, 16])
@pytest.mark.parametrize("name", CASES)
def test_one_kernel_goes_over_the_rows_and_two_small_ones_finish(name: str, lanes: int) -> None:
    graph = split(gradients(*CASES[name], lanes))
    (main,) = (group.outputs for group in grouped(graph) if "dx" in group.outputs)
    assert set(main) == {"dx", "scale.each", "shift.each"}
    assert {"scale", "shift"} <= {name for group in grouped(graph) for name in group.outputs}


def test_sums_stay_whole_where_they_would_not_join_a_kernel() -> None:
    few = gradients((64, 5, 18), (0, 1), (2,), 16)
    assert sum_by_sample(few, fusion()) == fusion()(few)  # four items of 16 samples would leave threads without work
    long = gradients(*CASES["layer"])
    assert sum_by_sample(long, fusion(0)) == fusion(0)(long)  # there is no cache in which rows stay
    samples = gradients((32, 24), (0,), (1,))
    assert sum_by_sample(samples, fusion()) == fusion()(samples)  # a sample is a row


def test_a_bias_before_a_pooling_is_summed_beside_the_weight_gradient() -> None:
    text = """graph @g(%x: f32[b32,1,6,6] blocked(16), %p: f32[b32,3,3,3] blocked(16), %y: f32[b32,3,6,6] blocked(16)) {
      %e: f32[b32,3,6,6] blocked(16) = mean_pool_dx(%p) POOL
      %d: f32[b32,3,6,6] blocked(16) = mul(%e, %y)
      %w: f32[3,1,3,3] = conv_dw(%x, %d) {group = 1, kernel = (3,3), pad = (1,1), stride = (1,1)}
      %b: f32[3] = reduce_sum(%d) {axes = (0,2,3)}
      return %w, %b
    }""".replace("POOL", "{shape = (32,3,6,6), kernel = (2,2), pad = (0,0), stride = (2,2)}")
    graph = split(parse(text))
    assert [set(group.outputs) for group in grouped(graph)] == [{"w", "b.each"}, {"b"}]
    read = parse(text.replace("return %w, %b", "return %w, %b, %d"))
    assert sum_by_sample(read, fusion()) == fusion()(read)  # the image is stored anyway


def test_numbers_of_all_rows_are_not_read_before_they_are_there() -> None:
    graph = parse("""graph @g(%x: f32[b32,5,18]) {
      %m: f32[b32,5] = reduce_sum(%x) {axes = (2,)}
      %mb: f32[b32,5,18] = broadcast(%m) {axes = (0,1), batch = true, shape = (32,5,18)}
      %d: f32[b32,5,18] = mul(%x, %mb)
      %c: f32[b32,18] = reduce_sum(%x) {axes = (1,)}
      %cb: f32[b32,5,18] = broadcast(%c) {axes = (0,2), batch = true, shape = (32,5,18)}
      %y: f32[b32,5,18] = add(%d, %cb)
      return %y
    }""")
    found = fusion()(graph)
    assert all({"m", "c"} != set(group.outputs) for group in grouped(found))
    check_kernels(found, TARGETS[0])


def check_kernels(graph: Graph, target: CpuTarget) -> None:
    """Run what is scheduled beside the graph."""
    rng = np.random.default_rng(1)
    values = {i.name: rng.standard_normal(i.type.shape).astype(np.float32) for i in graph.inputs}
    want = run(graph, values, dtype="f64")
    for kernel in to_kernels(graph):
        scheduled = apply(choose(kernel, target), kernel)
        verify_kernel(scheduled, printable=True)
        values.update(run_kernel(scheduled, {b.name: values[b.name].reshape(b.type.shape) for b in kernel.inputs}))
    for out in graph.outputs:
        np.testing.assert_allclose(values[out].reshape(want[out].shape), want[out], rtol=1e-4, atol=1e-3)


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("name", "blocked", "target"), [c for c in itertools.product(CASES, (False, True), TARGETS)], ids=str
)
def test_kernels_compute_what_the_interpreter_says(name: str, blocked: bool, target: CpuTarget) -> None:
    check_kernels(split(gradients(*CASES[name], target.lanes("f32") if blocked else 0)), target)


@pytest.mark.parametrize("target", TARGETS, ids=str)
def test_every_blob_comes_from_memory_once(target: CpuTarget) -> None:
    dims = (128, 24, 96)
    graph = split(gradients(dims, (0, 1), (2,), target.lanes("f32")), target.machine.l2.n_bytes)
    kernel = next(k for k in to_kernels(graph) if any(b.name == "dx" for b in k.outputs))
    scheduled = apply(choose(kernel, target), kernel)
    traffic = simulate_caches(scheduled, target.machine)
    lines = 128 * 24 * 96 * 4 // 64
    blobs = [b.name for b in kernel.inputs if len(b.type.shape) == 3]
    assert len(blobs) == 2
    assert all(traffic.levels[1].fetched[name] <= 1.05 * lines for name in blobs)
    again = traffic.levels[1].fetched["scale.each"]
    assert again <= 1.05 * 128 * 96 * 4 // 64  # what is added up stays near
