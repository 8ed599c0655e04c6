"""join_gates: which kernels become one, what the notes say, and the same results."""

from __future__ import annotations

import numpy as np
import pytest

from mochac.ir.kernel_interp import run_kernel
from mochac.ir.kernel_verify import verify_kernel
from mochac.ir.notes import NotFused, WithGates
from mochac.ir.passes.fuse import fuse
from mochac.ir.passes.join_kernels import Staged
from mochac.ir.passes.join_products import ANOTHER, SEVERAL, join_gates
from mochac.ir.passes.to_kernels import to_kernels
from mochac.ir.text import parse

PAIR = """
  %p: f32[b4,12] = inner_product(%x, %w)
  %a: f32[b4,6] = slice(%p) {start = (0,0), shape = (4,6)}
  %b: f32[b4,6] = slice(%p) {start = (0,6), shape = (4,6)}
  %t: f32[b4,6] = tanh(%a)
  %s: f32[b4,6] = sigmoid(%b)
  %y: f32[b4,6] = mul(%t, %s)
"""


def graph_of(text, results="%y"):
    return fuse(
        parse(
            f"graph @g(%x: f32[b4,5], %u: f32[b4,5], %w: f32[12,5] param, %v: f32[b4,6]) {{ {text} return {results} }}"
        )
    )


def joined(graph, why=""):
    found = join_gates(Staged.of(graph), lambda parts, whole: why)
    return found.graph, found.kernels


def test_a_product_and_its_gates_are_one_kernel():
    graph = graph_of(PAIR)
    apart = to_kernels(graph)
    after, (kernel,) = joined(graph)
    verify_kernel(kernel)
    assert [b.name for b in kernel.outputs] == ["y"] and kernel.root == "inner_product" and not kernel.members
    assert kernel.flops == sum(k.flops for k in apart) > 0
    assert after.notes == (WithGates(tuple(k.name for k in apart)),)
    rng = np.random.default_rng(2)
    x, w = (rng.standard_normal(shape).astype("f4") for shape in ((4, 5), (12, 5)))
    a, b = np.split(x.astype("f8") @ w.T, 2, axis=1)
    np.testing.assert_allclose(run_kernel(kernel, {"x": x, "w": w})["y"], np.tanh(a) / (1 + np.exp(-b)), rtol=1e-5)


def test_a_kernel_that_reads_two_products_joins_the_first():
    """As a GRU written by hand: the gates of the input, and those of the state."""
    graph = graph_of("""
  %p: f32[b4,12] = inner_product(%x, %w)
  %q: f32[b4,12] = inner_product(%u, %w)
  %a: f32[b4,6] = slice(%p) {start = (0,0), shape = (4,6)}
  %b: f32[b4,6] = slice(%p) {start = (0,6), shape = (4,6)}
  %c: f32[b4,6] = slice(%q) {start = (0,0), shape = (4,6)}
  %d: f32[b4,6] = slice(%q) {start = (0,6), shape = (4,6)}
  %ac: f32[b4,6] = add(%a, %c)
  %bd: f32[b4,6] = add(%b, %d)
  %y: f32[b4,6] = mul(%ac, %bd)
""")
    after, kernels = joined(graph)
    assert [[b.name for b in kernel.outputs] for kernel in kernels] == [["q"], ["y"]]
    assert NotFused("q", "y", "gates", ANOTHER) in after.notes
    for kernel in kernels:
        verify_kernel(kernel)
    rng = np.random.default_rng(2)
    x, u, w = (rng.standard_normal(shape).astype("f4") for shape in ((4, 5), (4, 5), (12, 5)))
    values = {"x": x, "u": u, "w": w}
    for kernel in kernels:
        values |= run_kernel(kernel, {b.name: values[b.name] for b in kernel.inputs})
    a, b = np.split((x.astype("f8") + u) @ w.T, 2, axis=1)
    np.testing.assert_allclose(values["y"], a * b, rtol=1e-4, atol=1e-5)


def test_a_backend_may_refuse():
    graph = graph_of(PAIR)
    after, kernels = joined(graph, "for a reason")
    assert kernels == to_kernels(graph)
    assert after.notes == (*graph.notes, NotFused("p", "y", "gates", "for a reason"))


def test_the_backend_sees_both_parts_and_the_whole():
    graph, seen = graph_of(PAIR), []
    join_gates(Staged.of(graph), lambda *kernels: seen.append(kernels) or "no")
    (((product, reader), whole),) = seen
    assert (product, reader) == to_kernels(graph) and whole.outputs == reader.outputs


@pytest.mark.parametrize(
    ("text", "results"),
    [
        (PAIR, "%y, %p"),
        (PAIR.replace("start = (0,6)", "start = (0,5)"), "%y"),
        (
            PAIR.replace(
                "%y: f32[b4,6] = mul(%t, %s)", "%u: f32[b4,6] = mul(%t, %s) %y: f32[b4] = reduce_sum(%u) {axes = (1,)}"
            ),
            "%y",
        ),
        (PAIR.replace("inner_product(%x, %w)", "concat(%v, %v) {axis = 1}"), "%y"),
    ],
    ids=["a result", "other columns", "a reader with a sum", "no product"],
)
def test_what_stays_apart(text, results):
    graph = graph_of(text, results)
    assert joined(graph) == (graph, to_kernels(graph))


def test_a_product_with_several_readers_stays_apart():
    graph = graph_of(PAIR + "%z: f32[b4,5] = inner_product_dx(%p, %w)", "%y, %z")
    after, kernels = joined(graph)
    assert kernels == to_kernels(graph)
    assert after.notes[-1] == NotFused("p", "y", "gates", SEVERAL)


def test_notes_of_a_loop_say_what_is_joined_in_its_body():
    body = """graph @step(%h: f32[b4,6], %w: f32[12,6]) {
      %p: f32[b4,12] = inner_product(%h, %w)
      %a: f32[b4,6] = slice(%p) {start = (0,0), shape = (4,6)}
      %b: f32[b4,6] = slice(%p) {start = (0,6), shape = (4,6)}
      %t: f32[b4,6] = tanh(%a)
      %y: f32[b4,6] = mul(%t, %b)
      return %y, %b
    }"""
    loop = f"scan(%h, %w) {{body = {body}, carried = 1, length = 3, sliced = 0}}"
    names = "%last: f32[4,6], %after: f32[3,4,6], %before: f32[3,4,6], %bs: f32[3,4,6]"
    graph = parse(f"graph @g(%h: f32[4,6], %w: f32[12,6]) {{ {names} = {loop} return %last, %bs }}")
    graph = graph.with_(nodes=tuple(node.with_bodies(fuse) for node in graph.nodes))
    (node,) = graph.nodes
    assert any(str(note).startswith("%p -> %b") for note in node.bodies["body"].notes)
    after, kernels = joined(graph)
    assert [k.name for k in kernels if "inner_product" in k.name] == ["inner_product+slice"]
    assert not any(str(note).startswith("%p -> ") for note in after.nodes[0].bodies["body"].notes)
    assert isinstance(after.notes[-1], WithGates)
