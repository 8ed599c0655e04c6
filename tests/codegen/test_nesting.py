"""nesting: which steps put the nests of a staged kernel into each other; the interpreter compares every form."""

from __future__ import annotations

import numpy as np
import pytest

from mochac.codegen.nesting import Nested
from mochac.ir import Graph, parse
from mochac.ir.kernel import Kernel
from mochac.ir.kernel_interp import run_kernel
from mochac.ir.kernel_verify import verify_kernel
from mochac.ir.passes.assign_layout import assign_layout
from mochac.ir.passes.fuse import fuse
from mochac.ir.passes.to_kernels import to_kernels

CONV = "%c: f32[b4,2,6,6] = conv(%x, %w) {group = 1, pad = (1,1), stride = (1,1)} %r: f32[b4,2,6,6] = relu(%c)"
PLAIN = "%c: f32[b4,2,4,4] = conv(%x, %w) {group = 1, pad = (0,0), stride = (1,1)} %r: f32[b4,2,4,4] = relu(%c)"
POOL = "%p: f32[b4,2,3,3], %i: i8[b4,2,3,3] = max_pool(%r) {kernel = KERNEL, stride = (2,2), pad = (0,0)}"
PADDED, OVERLAPPING = (f"{CONV} {POOL.replace('KERNEL', k)} return %p, %i" for k in ("(2,2)", "(3,3)"))
WHOLE = f"{PLAIN} {POOL.replace('KERNEL', '(2,2)').replace('3,3', '2,2')} return %p, %i"
GRADIENT = """%d: f32[b4,2,6,6] = max_pool_dx(%dp, %i) {kernel = (2,2), stride = (2,2), pad = (0,0), shape = (4,2,6,6)}
  %e: f32[b4,2,6,6] = mul(%d, %m)
  %g: f32[2,3,3,3] = conv_dw(%x, %e) {group = 1, kernel = (3,3), pad = (1,1), stride = (1,1)}
  %n: f32[2,3,3,3] = sub(%w, %g)
  return %n"""
REDUCED = """%s: f32[b4,3,6,6] = exp(%x)
  %t: f32[b4,3,6,6] = mul(%s, %x)
  %u: f32[3] = reduce_sum(%t) {axes = (0,2,3)}
  return %u"""
ROWS = """%s: f32[b4,3,6,6] = softmax(%x) {axis = 1}
  %t: f32[b4,3,6,6] = mul(%s, %x)
  return %s, %t"""
HEAD = "graph @g(%x: f32[b4,3,6,6], %w: f32[2,3,3,3] param, %m: f32[b4,2,6,6], %dp: f32[b4,2,3,3], %i: i8[b4,2,3,3]) {"

CASES = {
    "whole windows": (WHOLE, "conv", ["inline(values=(conv, relu))"]),
    "whole windows of a padded sum": (
        PADDED,
        "conv",
        ["fuse(root=conv, values=(relu))", "compute_at(value=relu, loop=c)"],
    ),
    "overlapping windows": (
        OVERLAPPING,
        "conv",
        ["fuse(root=conv, values=(relu))", "compute_at(value=relu, loop=c)"],
    ),
    "whole windows of a sum that is stored": (
        WHOLE.replace("return %p", "return %r, %p"),
        "conv",
        ["fuse(root=conv, values=(r))", "compute_at(value=r, loop=c)"],
    ),
    "weight gradient": (
        GRADIENT,
        "conv_dw",
        ["fuse(root=max_pool_dx, values=(mul))", "fuse(root=conv_dw, values=(n))", "compute_at(value=mul, loop=n)"],
    ),
    "weight gradient and sums of its images": (
        GRADIENT.replace("%g:", "%s: f32[b4,2] = reduce_sum(%e) {axes = (2,3)} %g:").replace("return", "return %s,"),
        "conv_dw",
        [
            "fuse(root=max_pool_dx, values=(mul))",
            "fuse(root=conv_dw, values=(n))",
            "compute_at(value=mul, loop=a1)",
            "compute_at(value=mul, loop=n)",
        ],
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
    graph = parse("""graph @g(%x: f32[b4,6]) {
      %s: f32[b4,6] = exp(%x)  group 0
      %f: i32[] = fill() {batch = false, dtype = "i32", shape = (), value = 1}
      %t: f32[b4,6] = mirror(%s, %f) {axis = 1}  group 0
      %u: f32[b4,6] = add(%s, %t)  group 0
      return %u
    }""")
    (kernel,) = to_kernels(graph)
    staged, naive = both(kernel)
    assert list(map(str, Nested.of(kernel).steps)) == ["inline(values=(exp))", "fuse(root=mirror, values=(u))"]
    assert len(naive.body) == 1
    x = np.random.default_rng(3).standard_normal((4, 6)).astype(np.float32)
    for form in (staged, naive):
        np.testing.assert_allclose(run_kernel(form, {"x": x})["u"], np.exp(x) + np.exp(x)[:, ::-1], rtol=1e-5)


def test_gates_are_computed_where_they_are_read() -> None:
    """Equal parts of a product's columns, in a kernel that fusion does not make; see passes/join_products.py."""
    graph = parse("""graph @g(%x: f32[b4,5], %w: f32[6,5], %b: f32[b4,6]) {
      %p: f32[b4,6] = inner_product(%x, %w)  group 0
      %q: f32[b4,6] = add(%p, %b)  group 0
      %l: f32[b4,3] = slice(%q) {start = (0,0), shape = (4,3)}
      %r: f32[b4,3] = slice(%q) {start = (0,3), shape = (4,3)}
      %t: f32[b4,3] = tanh(%r)  group 0
      %y: f32[b4,3] = mul(%l, %t)  group 0
      return %y
    }""")
    (kernel,) = to_kernels(graph)
    staged, naive = both(kernel)
    assert list(map(str, Nested.of(kernel).steps)) == [
        "fuse(root=inner_product, values=(add))",
        "fuse(root=tanh, values=(y))",
        "compute_at(value=add, loop=a1)",
    ]
    assert len(naive.body) == 1 and "each o in 0..2" in str(naive)
    rng = np.random.default_rng(3)
    feeds = {b.name: rng.standard_normal(b.type.shape).astype(np.float32) for b in kernel.inputs}
    left, right = np.split(feeds["x"].astype(np.float64) @ feeds["w"].T + feeds["b"], 2, axis=1)
    for form in (staged, naive):
        np.testing.assert_allclose(run_kernel(form, feeds)["y"], left * np.tanh(right), rtol=1e-4, atol=1e-6)
