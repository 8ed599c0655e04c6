"""join_items: which kernels become one, what they store, what is computed again; the same results."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from mochac.ir.graph import Graph
from mochac.ir.kernel import Kernel
from mochac.ir.kernel_interp import run_kernel
from mochac.ir.kernel_text import parse_kernel
from mochac.ir.kernel_verify import verify_kernel
from mochac.ir.notes import JoinedItems, Recomputed, SeparateKernels, parse_note
from mochac.ir.passes.fuse import fuse
from mochac.ir.passes.group_graph import FusionTarget
from mochac.ir.passes.join_items import AGAIN, join_items
from mochac.ir.passes.join_kernels import Staged
from mochac.ir.passes.recompute import recompute
from mochac.ir.passes.to_kernels import to_kernels
from mochac.ir.text import parse

ATTENTION = """
graph @attention(%q: f32[bB,T,H,4], %k: f32[bB,T,H,4], %v: f32[bB,T,H,4]) {
  %s: f32[bB,H,T,T] = einsum(%q, %k) {spec = "bqhd,bkhd->bhqk"}
  %w: f32[bB,H,T,T] = softmax(%s) {axis = 3}
  %y: f32[bB,T,H,4] = einsum(%w, %v) {spec = "bhqk,bkhd->bqhd"}
  %flat: f32[bB,N] = reshape(%y) {shape = (B,N)}
  %loss: f32[bB,N] = softmax(%flat) {axis = 1}
  %dy: f32[bB,T,H,4] = reshape(%loss) {shape = (B,T,H,4)}
  %dv: f32[bB,T,H,4] = einsum(%w, %dy) {spec = "bhqk,bqhd->bkhd"}
  %dw: f32[bB,H,T,T] = einsum(%dy, %v) {spec = "bqhd,bkhd->bhqk"}
  %p: f32[bB,H,T,T] = mul(%dw, %w)
  %t: f32[bB,H,T] = reduce_sum(%p) {axes = (3,)}
  %u: f32[bB,H,T,T] = broadcast(%t) {axes = (0,1,2), batch = true, shape = (B,H,T,T)}
  %c: f32[bB,H,T,T] = sub(%dw, %u)
  %ds: f32[bB,H,T,T] = mul(%c, %w)
  %dq: f32[bB,T,H,4] = einsum(%ds, %k) {spec = "bhqk,bkhd->bqhd"}
  %dk: f32[bB,T,H,4] = einsum(%ds, %q) {spec = "bhqk,bqhd->bkhd"}
  return RESULTS
}
"""
DROPPED = {
    "%v: f32[bB,T,H,4])": "%v: f32[bB,T,H,4], %m: bool[bB,H,T,T])",
    "  %y: f32[bB,T,H,4] = einsum(%w, %v)": """\
  %zero: f32[bB,H,T,T] = fill() {batch = true, dtype = "f32", shape = (B,H,T,T), value = 0.0}
  %wd: f32[bB,H,T,T] = select(%m, %w, %zero)
  %y: f32[bB,T,H,4] = einsum(%wd, %v)""",
    "einsum(%w, %dy)": "einsum(%wd, %dy)",
    "  %dw: f32[bB,H,T,T] = einsum(%dy, %v)": "  %dd: f32[bB,H,T,T] = einsum(%dy, %v)",
    "  %p: f32": """\
  %dw: f32[bB,H,T,T] = select(%m, %dd, %zero)
  %p: f32""",
}
"""What dropping some of the weights changes."""
FORWARD, BACKWARD = ["einsum", "softmax", "einsum.1"], ["einsum.3", "reduce_sum+mul+sub", "einsum.4", "einsum.5"]


def attention(
    results: str = "%y, %dq, %dk, %dv", batch: int = 3, heads: int = 3, time: int = 6, dropped: bool = False
) -> Graph:
    text = ATTENTION
    for before, after in DROPPED.items() if dropped else ():
        assert before in text
        text = text.replace(before, after)
    extents = {"RESULTS": results, "T": time, "N": time * heads * 4, "bB": f"b{batch}", "B": batch, "H": heads}
    for name, value in extents.items():
        text = text.replace(name, str(value))
    return fuse(recompute(parse(text)), target=FusionTarget(near_bytes=1 << 20))


def joined(graph: Graph, most_kept: int = 1 << 30) -> Staged:
    return join_items(Staged.of(graph), most_kept=most_kept)


def teams(found: Staged) -> list[list[str]]:
    return [list(note.kernels) for note in found.graph.notes if isinstance(note, JoinedItems)]


def results(graph: Graph, kernels: Sequence[Kernel]) -> dict[str, np.ndarray]:
    """What the graph returns, by running its kernels."""
    rng = np.random.default_rng(0)
    values = {
        i.name: rng.random(i.type.shape) < 0.7
        if i.type.dtype == "bool"
        else rng.standard_normal(i.type.shape).astype(np.float32)
        for i in graph.inputs
    }
    renamed = {"flat": "y", "dy": "loss"}
    for kernel in kernels:
        for b in kernel.inputs:
            if b.name in renamed:
                values[b.name] = values[renamed[b.name]].reshape(b.type.shape)
        verify_kernel(kernel)
        assert parse_kernel(str(kernel)) == kernel
        values.update(run_kernel(kernel, {b.name: values[b.name] for b in kernel.inputs}))
    return {name: values[name] for name in graph.outputs}


def stored(found: Staged) -> set[str]:
    return {b.name for kernel in found.kernels for b in kernel.outputs}


def test_attention_is_one_kernel_and_its_gradient_another():
    graph = attention()
    found = joined(graph)
    assert teams(found) == [FORWARD, BACKWARD]
    assert stored(found) == {"w", "y", "loss", "dv", "dq", "dk"}
    want = results(graph, to_kernels(graph))
    for name, got in results(graph, found.kernels).items():
        np.testing.assert_array_equal(got, want[name])


def test_notes_say_what_stays_apart_and_why():
    found = joined(attention(batch=3, heads=1))
    assert teams(found) == [FORWARD, BACKWARD[:3]]
    apart = [note for note in found.graph.notes if isinstance(note, SeparateKernels)]
    why = {note.kernels: note.why for note in apart}
    assert why[BACKWARD[1], BACKWARD[3]] == "they have 3 items in common, fewer than 4"
    assert all(parse_note(str(note)) == note for note in apart)


def test_what_takes_too_much_memory_is_computed_again():
    graph = attention()
    found = joined(graph, most_kept=0)
    assert stored(found) == {"y", "loss", "dv", "dq", "dk"}
    assert sorted(map(len, teams(found))) == [3, 7]
    assert [note for note in found.graph.notes if isinstance(note, Recomputed)] == [Recomputed("w", 1296)]
    assert sum(kernel.flops for kernel in found.kernels) == sum(kernel.flops for kernel in to_kernels(graph))
    want = results(graph, to_kernels(graph))
    for name, got in results(graph, found.kernels).items():
        np.testing.assert_array_equal(got, want[name])


def test_weights_and_what_is_left_of_them_are_computed_again_together():
    """Gradients read both the weights of attention and the dropped ones."""
    graph = attention(dropped=True)
    assert stored(joined(graph)) == {"w", "wd", "y", "loss", "dv", "dq", "dk"}
    found = joined(graph, most_kept=0)
    assert stored(found) == {"y", "loss", "dv", "dq", "dk"}
    assert sorted(map(len, teams(found))) == [3, 7]
    assert sum(isinstance(note, Recomputed) for note in found.graph.notes) == 2
    want = results(graph, to_kernels(graph))
    for name, got in results(graph, found.kernels).items():
        np.testing.assert_array_equal(got, want[name])


def test_a_result_is_stored_and_never_computed_again():
    found = joined(attention("%y, %dq, %dk, %dv, %w"), most_kept=0)
    assert "w" in stored(found) and not any(
        AGAIN in name for kernel in found.kernels for name in kernel.name.split("+")
    )


def test_notes_leave_out_what_is_one_kernel_now():
    graph = attention("%y")
    assert any("%s -> %w" in str(note) for note in graph.notes)
    assert not any("%s -> %w" in str(note) for note in joined(graph).graph.notes)


@pytest.mark.parametrize("sizes", [{"batch": 1, "heads": 2}, {"batch": 3, "heads": 1}])
def test_sums_over_the_rows_of_few_items_stay_apart(sizes):
    assert teams(joined(attention(**sizes))) == [FORWARD, BACKWARD[:3]]


def test_few_rows_of_few_items_stay_apart():
    graph = attention("%y", batch=1, heads=1, time=3)
    assert joined(graph).kernels == to_kernels(graph)


def test_rows_without_a_product_stay_apart():
    graph = fuse(
        parse("""
graph @rows(%x: f32[b9,3,8]) {
  %a: f32[b9,3,8] = softmax(%x) {axis = 2}
  %y: f32[b9,3,8] = softmax(%a) {axis = 2}
  return %y
}""")
    )
    assert joined(graph).kernels == to_kernels(graph)


def test_dense_layers_share_no_items():
    graph = fuse(
        parse("""
graph @dense(%x: f32[b9,8], %u: f32[8,8], %w: f32[8,8]) {
  %a: f32[b9,8] = inner_product(%x, %u)
  %y: f32[b9,8] = inner_product(%a, %w)
  return %y
}""")
    )
    assert joined(graph).kernels == to_kernels(graph)


def test_a_kernel_between_two_keeps_them_apart():
    """The second product waits for a kernel of other rows, which waits for the first."""
    graph = fuse(
        parse(
            """
graph @between(%q: f32[b9,5,4], %k: f32[b9,5,4], %w: f32[4,4]) {
  %s: f32[b9,5,5] = einsum(%q, %k) {spec = "bqd,bkd->bqk"}
  %t: f32[b9,5] = reduce_sum(%s) {axes = (1,)}
  %r: f32[5] = reduce_sum(%t) {axes = (0,)}
  %v: f32[5,4] = einsum(%r, %w) {spec = "k,de->kd"}
  %y: f32[b9,5,4] = einsum(%s, %v) {spec = "bqk,kd->bqd"}
  return %y
}""".replace('einsum(%r, %w) {spec = "k,de->kd"}', "broadcast(%r) {axes = (0,), shape = (5,4)}")
        )
    )
    assert all(len(team) < 3 for team in teams(joined(graph)))


def test_a_value_under_another_name_keeps_kernels_apart():
    graph = fuse(
        parse("""
graph @alias(%q: f32[b9,5,4], %k: f32[b9,5,4], %v: f32[b9,5,4]) {
  %s: f32[b9,5,5] = einsum(%q, %k) {spec = "bqd,bkd->bqk"}
  %r: f32[b9,25] = reshape(%s) {shape = (9,25)}
  %z: f32[b9,5,5] = reshape(%r) {shape = (9,5,5)}
  %y: f32[b9,5,4] = einsum(%z, %v) {spec = "bqk,bkd->bqd"}
  return %y
}""")
    )
    assert joined(graph).kernels == to_kernels(graph)
