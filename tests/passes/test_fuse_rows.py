"""fuse_rows: which sums and maps share a kernel, which do not and why; the same results and traffic once."""

from __future__ import annotations

import itertools

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
from mochac.ir.passes.to_kernels import to_kernels
from mochac.tools.testing import simulate_caches

NEAR = 1 << 20
CENTRED = """
  %s: f32[KEPT] = reduce_sum(%x) {axes = SUMMED}
  %k: f32[KEPT] = fill() {batch = BATCH, dtype = "f32", shape = (SHAPE), value = 0.01}
  %m: f32[KEPT] = mul(%s, %k)
  %mb: f32[WHOLE] = broadcast(%m) {axes = AXES, batch = true, shape = DIMS}
  %d: f32[WHOLE] = sub(%x, %mb)
  %q: f32[WHOLE] = square(%d)
  %v: f32[KEPT] = reduce_sum(%q) {axes = SUMMED}
  %r: f32[KEPT] = sqrt(%v)
  %rb: f32[WHOLE] = broadcast(%r) {axes = AXES, batch = true, shape = DIMS}
  %y: f32[WHOLE] = div(%d, %rb)
"""
"""Mean, variance and what is normalized by them."""


def normalized(dims: tuple[int, ...], axes: tuple[int, ...]) -> str:
    """CENTRED for rows along these axes."""
    kept = tuple(dims[a] for a in axes)
    batch = 0 in axes
    text = CENTRED.replace("WHOLE", "b" + ",".join(map(str, dims)))
    text = text.replace("KEPT", ("b" if batch else "") + ",".join(map(str, kept))).replace("BATCH", str(batch).lower())
    text = text.replace("SHAPE", ",".join(map(str, kept)) + ",").replace("DIMS", _tuple(dims))
    return text.replace("AXES", _tuple(axes)).replace("SUMMED", _tuple([a for a in range(len(dims)) if a not in axes]))


def _tuple(numbers: object) -> str:
    return "(" + ",".join(map(str, numbers)) + ("," if len(list(numbers)) == 1 else "") + ")"


def graph_of(body: str, head: str, results: str, lanes: int = 0) -> Graph:
    graph = parse(f"graph @g({head}) {{{body} return {results} }}")
    laid = assign_layout(graph, lanes)
    verify(laid)
    return recompute(laid)


def fused(graph: Graph, near: int = NEAR) -> Graph:
    result = fuse(graph, target=FusionTarget(near_bytes=near))
    verify(result)
    grouped(result)
    return result


def groups(graph: Graph) -> list[tuple[str, ...]]:
    """What each kernel stores."""
    return [group.outputs for group in grouped(graph)]


def reasons(graph: Graph) -> str:
    return "\n".join(map(str, graph.notes))


def norm(dims: tuple[int, ...], axes: tuple[int, ...], lanes: int = 0) -> Graph:
    whole = f"f32[b{','.join(map(str, dims))}]"
    if not lanes:
        return graph_of(normalized(dims, axes), f"%x: {whole}", "%y, %m")
    blocked = f"%x: {whole} = relayout(%x.natural) {{lanes = {lanes}}}\n"
    return graph_of(blocked + normalized(dims, axes), f"%x.natural: {whole}", "%y, %m", lanes)


def test_mean_variance_and_map_are_one_kernel() -> None:
    assert groups(fused(norm((32, 8, 4, 4), (1,)))) == [("m", "y")]
    assert groups(fused(norm((32, 24), (0,)))) == [("m", "y")]


def test_without_a_cache_every_sum_is_a_kernel() -> None:
    assert len(groups(fused(norm((32, 8, 4, 4), (1,)), near=0))) == 3


def test_rows_beyond_the_cache_keep_kernels_of_their_own() -> None:
    graph = fused(norm((32, 8, 4, 4), (1,)), near=32 * 16 * 4 - 1)
    assert len(groups(graph)) == 3
    assert "a row of what they read, 2048 bytes of each value, would not stay in cache" in reasons(graph)
    assert groups(fused(norm((32, 8, 4, 4), (1,)), near=32 * 16 * 4)) == [("m", "y")]


def test_few_rows_are_no_group() -> None:
    assert len(groups(fused(norm((32, 7, 4, 4), (1,))))) == 3


def test_the_samples_of_a_vector_are_one_row() -> None:
    def sums(batch: int) -> list[int]:
        graph = fused(norm((batch, 24), (0,), 16))
        return [node.group for node in graph.nodes if node.op == "reduce_sum"]

    assert len(set(sums(64))) == 2  # four rows
    assert len(set(sums(128))) == 1


SIBLINGS = """
  %p: f32[b32,8,4,4] = mul(%x, %z)
  %s: f32[8] = reduce_sum(%x) {axes = (0,2,3)}
  %t: f32[8] = reduce_sum(%p) {axes = (0,2,3)}
"""
TWO = "%x: f32[b32,8,4,4], %z: f32[b32,8,4,4]"


def test_sums_of_one_operand_read_it_once() -> None:
    assert groups(fused(graph_of(SIBLINGS, TWO, "%s, %t"))) == [("s", "t")]
    assert groups(fused(graph_of(SIBLINGS, TWO, "%s, %t"), near=1)) == [("s", "t")]  # however long the row
    apart = SIBLINGS.replace("mul(%x, %z)", "mul(%z, %z)")
    assert groups(fused(graph_of(apart, TWO, "%s, %t"))) == [("t",), ("s",)]
    other = SIBLINGS.replace(
        "%t: f32[8] = reduce_sum(%p) {axes = (0,2,3)}", "%t: f32[b32] = reduce_sum(%p) {axes = (1,2,3)}"
    )
    assert len(groups(fused(graph_of(other, TWO, "%s, %t")))) == 2


def test_what_a_cheap_map_stores_for_others_is_stored_by_the_group() -> None:
    text = SIBLINGS + "%u: f32[b32,8,4,4] = exp(%p)"
    assert groups(fused(graph_of(text, TWO, "%s, %t, %p"))) == [("p", "s", "t")]


COSTLY = """
  %e: f32[b32,24] = exp(%x)
  %s: f32[b32] = reduce_sum(%e) {axes = (1,)}
  %sb: f32[b32,24] = broadcast(%s) {axes = (0,), batch = true, shape = (32,24)}
  %y: f32[b32,24] = div(%e, %sb)
"""


def test_what_is_expensive_is_not_computed_twice() -> None:
    graph = fused(graph_of(COSTLY, "%x: f32[b32,24]", "%y"))
    assert len(groups(graph)) >= 2
    assert sum(node.op == "exp" for node in graph.nodes) == 1


def test_a_new_state_is_not_stored_before_the_old_one_was_read() -> None:
    graph = parse("""graph @g(%w: f32[16,24] param, %d: f32[16,24]) {
      %n: f32[16,24] = sub(%w, %d)
      %q: f32[16,24] = square(%n)
      %s: f32[16] = reduce_sum(%q) {axes = (1,)}
      %sb: f32[16,24] = broadcast(%s) {axes = (0,), batch = false, shape = (16,24)}
      %y: f32[16,24] = div(%n, %sb)
      return %s
      update %w = %y
    }""")
    found = fused(graph)
    assert any("y" in group and "s" not in group for group in groups(found))
    assert "it stores a new state in place of the old one" in reasons(found)


def test_another_kernel_between_keeps_them_apart() -> None:
    text = """
      %s: f32[b32] = reduce_sum(%x) {axes = (1,)}
      %i: f32[b32,1] = reshape(%s) {shape = (32,1)}
      %p: f32[b32,1] = inner_product(%i, %w)
      %r: f32[b32] = reshape(%p) {shape = (32,)}
      %rb: f32[b32,24] = broadcast(%r) {axes = (0,), batch = true, shape = (32,24)}
      %sb: f32[b32,24] = broadcast(%s) {axes = (0,), batch = true, shape = (32,24)}
      %d: f32[b32,24] = sub(%x, %rb)
      %y: f32[b32,24] = mul(%d, %sb)
    """
    graph = fused(graph_of(text, "%x: f32[b32,24], %w: f32[1,1] param", "%y"))
    assert len(groups(graph)) == 3
    assert "another kernel lies between them" in reasons(graph)


SHAPES = {
    "channels": ((37, 8, 3, 5), (1,)),
    "samples": ((130, 19), (0,)),
    "groups": ((33, 9, 2, 7), (0, 1)),
    "features": ((20, 40), (1,)),
    "inner": ((24, 3, 10), (0, 2)),
}
TARGETS = (CpuTarget.of("skylake-avx512", 64), CpuTarget.of("haswell", 32))


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("name", "blocked", "target"), [c for c in itertools.product(SHAPES, (False, True), TARGETS)], ids=str
)
def test_rows_compute_what_the_interpreter_says(name: str, blocked: bool, target: CpuTarget) -> None:
    dims, axes = SHAPES[name]
    graph = fused(norm(dims, axes, target.lanes("f32") if blocked else 0))
    values = {graph.inputs[0].name: np.random.default_rng(1).standard_normal(dims).astype(np.float32)}
    want = run(graph, values)
    names = set()
    for kernel in to_kernels(graph):
        schedule = choose(kernel, target)
        scheduled = apply(schedule, kernel)
        verify_kernel(scheduled, printable=True)
        values.update(run_kernel(scheduled, {b.name: values[b.name].reshape(b.type.shape) for b in kernel.inputs}))
        names.add(schedule.name.split(".")[0])
    assert "rows" in names
    for out in graph.outputs:
        np.testing.assert_allclose(values[out].reshape(want[out].shape), want[out], rtol=2e-5, atol=2e-5)


@pytest.mark.parametrize("target", TARGETS, ids=str)
def test_a_row_comes_from_memory_once(target: CpuTarget) -> None:
    """A channel of 58 kB fits L2, the blob of 3.7 MB does not: three passes fetch each line of x once."""
    dims, lanes = (64, 64, 15, 15), target.lanes("f32")
    graph = fused(norm(dims, (1,), lanes), near=target.machine.l2.n_bytes)
    kernel = next(k for k in to_kernels(graph) if k.root == "reduce_sum")
    traffic = simulate_caches(apply(choose(kernel, target), kernel), target.machine)
    lines = 64 * 64 * 225 * 4 // 64
    (x,) = (b.name for b in kernel.inputs if len(b.type.shape) == 4)
    assert traffic.levels[1].fetched[x] <= 1.05 * lines
    assert traffic.levels[0].fetched[x] >= 2.9 * lines


RANKED = """
  %tb: f32[b32,8,8] = broadcast(%s) {axes = AXES, batch = true, shape = (32,8,8)}
  %y: f32[b32,8,8] = mul(%tb, %x)
  %v: f32[b32,8] = reduce_sum(%y) {axes = (2,)}
"""


@pytest.mark.parametrize(("axes", "kernels"), [((0, 1), 1), ((0, 2), 2)])
def test_sums_of_other_rows_are_computed_before(axes: tuple[int, ...], kernels: int) -> None:
    """A row reads its own sum, or those of all rows, as the elements of a sorted axis read the ranks of all."""
    text = "%s: f32[b32,8] = reduce_sum(%x) {axes = (2,)}" + RANKED.replace("AXES", _tuple(axes))
    graph = fused(graph_of(text, "%x: f32[b32,8,8]", "%v, %y"))
    assert len(groups(graph)) == kernels
    assert ("one reads what the other sums up in other rows" in reasons(graph)) is (kernels > 1)


@pytest.mark.parametrize(("order", "kernels"), [((0, 1), 1), ((1, 0), 2)])
def test_sums_that_meet_transposed_sums_are_computed_after_them(order: tuple[int, ...], kernels: int) -> None:
    """As the scores of DeBERTa's relative positions: sums of one operand, of which one is added to the transpose of the
    other."""
    text = """
      %s: f32[12,12] = reduce_sum(%x) {axes = (2,)}
      %q: f32[12,12,64] = square(%x)
      %v: f32[12,12] = reduce_sum(%q) {axes = (2,)}
      %t: f32[12,12] = permute(%v) {order = ORDER}
      %m: f32[12,12] = mul(%t, %z)
      %y: f32[12,12] = add(%s, %m)
    """
    graph = fused(graph_of(text.replace("ORDER", _tuple(order)), "%x: f32[12,12,64], %z: f32[12,12]", "%y"))
    assert len(groups(graph)) == kernels
    feeds = {"x": np.random.default_rng(1).standard_normal((12, 12, 64)), "z": np.ones((12, 12))}
    values = {name: array.astype(np.float32) for name, array in feeds.items()}
    want = run(graph, values)["y"]
    for kernel in to_kernels(graph):
        scheduled = apply(choose(kernel, TARGETS[0]), kernel)
        found = run_kernel(scheduled, {b.name: values[b.name] for b in kernel.inputs})
        values |= {b.name: found[b.name].reshape(b.type.shape) for b in kernel.outputs}
    np.testing.assert_allclose(values["y"], want, rtol=2e-5)


SUMS_BOTH_WAYS = """
  %wb: f32[b31,24,6] = broadcast(%w) {axes = (2,), batch = true, shape = (31, 24, 6)}
  %m: f32[b31,24,6] = mul(%x, %wb)
  %p: f32[b31,24,6] = mul(%x, %y)
  %a: f32[b31,6] = reduce_sum(%p) {axes = (1,)}
  %gb: f32[b31,24,6] = broadcast(%g) {axes = (0, 1), batch = true, shape = (31, 24, 6)}
  %n: f32[b31,24,6] = mul(%m, %gb)
  %q: f32[b31,24,6] = mul(%m, %z)
  %b: f32[b31,24] = reduce_sum(%q) {axes = (2,)}
"""
"""Sums over different axes beside a map that reads neither."""


def test_sums_that_no_map_reads_are_not_added_up_beside_each_other():
    """Nothing says which of them has the rows; `mochac fuzz` found it, in the gradient of an RMS norm."""
    head = "%x: f32[b31,24,6], %y: f32[b31,24,6], %w: f32[6], %g: f32[b31,24], %z: f32[b31,24,6]"
    graph = fused(graph_of(SUMS_BOTH_WAYS, head, "%a, %n, %b"))
    kernels = to_kernels(graph)
    assert not any({"a", "b"} <= {b.name for b in kernel.outputs} for kernel in kernels)
    for kernel in kernels:
        schedule = choose(kernel, CpuTarget())
        verify_kernel(apply(schedule, kernel))
