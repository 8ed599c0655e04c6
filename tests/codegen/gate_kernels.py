"""Steps of recurrent layers, as graphs: a product, and the gates that read equal parts of its columns."""

from __future__ import annotations

import numpy as np

from mochac.ir.graph import Graph
from mochac.ir.kernel import Kernel
from mochac.ir.passes.fuse import fuse
from mochac.ir.passes.join_kernels import Staged
from mochac.ir.passes.join_products import join_gates
from mochac.ir.passes.to_kernels import to_kernels
from mochac.ir.text import parse

LSTM = """graph @lstm(%h: f32[bN,F], %w: WEIGHT, %c: f32[bN,U], %x: f32[bN,4U]) {
  %p: f32[bN,4U] = PRODUCT(%h, %w)
  %q: f32[bN,4U] = add(%p, %x)
  %s0: f32[bN,U] = slice(%q) {start = (0,0), shape = (N,U)}
  %s1: f32[bN,U] = slice(%q) {start = (0,U), shape = (N,U)}
  %s2: f32[bN,U] = slice(%q) {start = (0,2U), shape = (N,U)}
  %s3: f32[bN,U] = slice(%q) {start = (0,3U), shape = (N,U)}
  %i: f32[bN,U] = sigmoid(%s0)
  %f: f32[bN,U] = sigmoid(%s1)
  %g: f32[bN,U] = tanh(%s2)
  %o: f32[bN,U] = sigmoid(%s3)
  %kept: f32[bN,U] = mul(%f, %c)
  %added: f32[bN,U] = mul(%i, %g)
  %c2: f32[bN,U] = add(%kept, %added)
  %t: f32[bN,U] = tanh(%c2)
  %h2: f32[bN,U] = mul(%o, %t)
  return RESULTS
}"""


def lstm(batch: int, units: int, features: int = 0, turned: bool = False, results: str = "%h2, %c2") -> Graph:
    """A step of an LSTM, fused; `turned`: its weight lies along the gates."""
    features = features or units
    shape = (features, 4 * units) if turned else (4 * units, features)
    text = LSTM.replace("WEIGHT", f"f32[{shape[0]},{shape[1]}]").replace("RESULTS", results)
    text = text.replace("PRODUCT", "inner_product_dx" if turned else "inner_product")
    for k in (4, 3, 2):
        text = text.replace(f"{k}U", str(k * units))
    for name, extent in (("bN", f"b{batch}"), ("N", batch), ("F", features), ("U", units)):
        text = text.replace(f"{name},", f"{extent},").replace(f",{name}", f",{extent}")
    return fuse(parse(text))


def apart_and_joined(graph: Graph) -> tuple[tuple[Kernel, ...], Kernel]:
    """The kernels of a step, and the one that does the same."""
    apart = to_kernels(graph)
    (joined,) = join_gates(Staged(graph, apart), lambda parts, whole: "").kernels
    return apart, joined


def given(graph: Graph) -> dict[str, np.ndarray]:
    """Inputs of a graph."""
    rng = np.random.default_rng(1)
    return {i.name: rng.standard_normal(i.type.shape).astype(np.float32) for i in graph.inputs}


def lstm_by_numpy(inputs: dict[str, np.ndarray], turned: bool) -> dict[str, np.ndarray]:
    """What a step computes, in float64."""
    h, w, c, x = (inputs[name].astype(np.float64) for name in ("h", "w", "c", "x"))
    i, f, g, o = np.split(h @ (w if turned else w.T) + x, 4, axis=1)
    new = c / (1 + np.exp(-f)) + np.tanh(g) / (1 + np.exp(-i))
    return {"c2": new, "h2": np.tanh(new) / (1 + np.exp(-o))}
