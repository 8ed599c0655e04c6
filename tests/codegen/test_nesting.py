"""nesting: which steps put the nests of a staged kernel into each other; the interpreter compares every form."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from mochac.codegen.nesting import Nested
from mochac.ir import Graph, parse, run
from mochac.ir.kernel import Kernel
from mochac.ir.kernel_interp import run_kernel
from mochac.ir.kernel_verify import verify_kernel
from mochac.passes.assign_layout import assign_layout
from mochac.passes.fuse import fuse
from mochac.passes.simplify import simplify
from mochac.passes.to_kernels import to_kernels

sys.path.append(str(Path(__file__).parents[1] / "passes"))
from plan_kit import NetMaker, random_inputs

CONV = "%c: f32[b4,2,6,6] = conv2d(%x, %w) {pad = (1,1), stride = (1,1)} %r: f32[b4,2,6,6] = relu(%c)"
POOL = "%p: f32[b4,2,3,3], %i: i8[b4,2,3,3] = max_pool(%r) {kernel = KERNEL, stride = (2,2), pad = (0,0)}"
WHOLE, OVERLAPPING = (f"{CONV} {POOL.replace('KERNEL', k)} return %p, %i" for k in ("(2,2)", "(3,3)"))
GRADIENT = """%d: f32[b4,2,6,6] = max_pool_dx(%dp, %i) {kernel = (2,2), stride = (2,2), pad = (0,0), shape = (4,2,6,6)}
  %e: f32[b4,2,6,6] = mul(%d, %m)
  %g: f32[2,3,3,3] = conv2d_dw(%x, %e) {kernel = (3,3), pad = (1,1), stride = (1,1)}
  %n: f32[2,3,3,3] = sub(%w, %g)
  return %n"""
SHIFTED = """%s: f32[b4,3,6,6] = exp(%x)
  %t: f32[b4,3,6,6] = mirror(%s) {axes = (3,)}
  %u: f32[b4,3,6,6] = add(%s, %t)
  return %u"""
REDUCED = """%s: f32[b4,3,6,6] = exp(%x)
  %t: f32[b4,3,6,6] = mul(%s, %x)
  %u: f32[3] = reduce_sum(%t) {axes = (0,2,3)}
  return %u"""
ROWS = """%s: f32[b4,3,6,6] = softmax(%x) {axis = 1}
  %t: f32[b4,3,6,6] = mul(%s, %x)
  return %s, %t"""
HEAD = "graph @g(%x: f32[b4,3,6,6], %w: f32[2,3,3,3] param, %m: f32[b4,2,6,6], %dp: f32[b4,2,3,3], %i: i8[b4,2,3,3]) {"

CASES = {
    "whole windows": (WHOLE, "conv2d", ["inline(values=(conv2d, relu))"]),
    "overlapping windows": (
        OVERLAPPING,
        "conv2d",
        ["fuse(root=conv2d, values=(relu))", "compute_at(value=relu, loop=c)"],
    ),
    "weight gradient": (
        GRADIENT,
        "conv2d_dw",
        ["fuse(root=max_pool_dx, values=(mul))", "compute_at(value=mul, loop=n)", "fuse(root=conv2d_dw, values=(n))"],
    ),
    "reduction": (REDUCED, "reduce_sum", ["inline(values=(exp, mul))"]),
    "row": (ROWS, "softmax", ["fuse(root=s, values=(t))"]),
}


def graph_of(text: str, lanes: int = 4) -> Graph:
    """A case, laid out and fused."""
    text = HEAD.replace(", %i: i8[b4,2,3,3]", "") + text if "max_pool(" in text else HEAD + text
    return fuse(assign_layout(parse(text + "}"), lanes))


def both(kernel: Kernel) -> tuple[Kernel, Kernel]:
    """The staged and the naive kernel, verified."""
    naive = Nested.of(kernel).kernel
    for form in (kernel, naive):
        verify_kernel(form)
    return kernel, naive


@pytest.mark.parametrize("name", CASES)
def test_nests_are_put_into_each_other(name: str) -> None:
    text, root, steps = CASES[name]
    graph = graph_of(text)
    (kernel,) = (k for k in to_kernels(graph) if k.root == root)
    assert list(map(str, Nested.of(kernel).steps)) == steps
    staged, naive = both(kernel)
    assert len(staged.body) > 1 and len(naive.body) == 1
    rng = np.random.default_rng(3)
    feeds = {b.name: rng.standard_normal(b.type.shape).astype(np.float32) for b in kernel.inputs}
    feeds |= {b.name: rng.integers(0, 4, b.type.shape).astype(np.int8) for b in kernel.inputs if b.type.dtype == "i8"}
    want, got = run_kernel(staged, feeds), run_kernel(naive, feeds)
    for out, value in want.items():
        np.testing.assert_allclose(got[out], value, rtol=1e-5, atol=1e-6)


def test_a_value_that_is_read_elsewhere_is_computed_there() -> None:
    """fuse makes no such group, but a user may."""
    graph = parse(f"{HEAD} {SHIFTED} }}".replace("(%x)", "(%x) group 0", 1))
    graph = graph.with_(nodes=tuple(n.__class__(**{**vars_of(n), "group": 0}) for n in graph.nodes))
    (kernel,) = to_kernels(graph)
    staged, naive = both(kernel)
    assert len(naive.body) == 1
    x = np.random.default_rng(3).standard_normal((4, 3, 6, 6)).astype(np.float32)
    want = np.exp(x) + np.exp(x)[..., ::-1]
    for form in (staged, naive):
        np.testing.assert_allclose(run_kernel(form, {"x": x})["u"], want, rtol=1e-5)


def vars_of(node: object) -> dict[str, object]:
    """The fields of a record."""
    return {name: getattr(node, name) for name in node.__dataclass_fields__}  # type: ignore[attr-defined]


@pytest.mark.parametrize("seed", range(12))
def test_staged_and_naive_kernels_of_random_nets_compute_what_the_graph_does(seed: int) -> None:
    graph = NetMaker(seed).make()
    inputs = random_inputs(graph, seed)
    fused = fuse(assign_layout(simplify(graph), (0, 4)[seed % 2]))
    wanted = run(fused, inputs).values
    for kernel in to_kernels(fused):
        feeds = {b.name: wanted[b.name].reshape(b.type.shape) for b in kernel.inputs}
        for form in both(kernel):
            for name, value in run_kernel(form, feeds).items():
                np.testing.assert_allclose(
                    value.reshape(wanted[name].shape), wanted[name], rtol=1e-4, atol=1e-5, err_msg=f"{seed} {name}"
                )
