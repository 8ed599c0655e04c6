"""Every op's samples, compiled for this CPU, against the op's NumPy reference in float64.

The cases come from the registry, so a new op is tested without touching this file.
"""

import numpy as np
import pytest

from mochac.driver.machine import run_graph
from mochac.ir.graph import Graph, Input, Node, Value, make_attrs
from mochac.ir.op import OPS, Alias, Op, Sample, run_reference
from mochac.ir.types import DTYPES, TensorType, parse_type

SEED = 20261121


def typed(text: str, dtype: str) -> TensorType:
    found = parse_type(text).with_(lanes=0)
    return found.with_(dtype=dtype) if found.dtype == "f32" else found


def draw(op: Op, sample: Sample, types: list[TensorType], seed: int = SEED) -> list[np.ndarray]:
    rng = np.random.default_rng(seed)
    arrays = []
    for k, t in enumerate(types):
        if k in sample.integers:
            values = rng.integers(*sample.integers[k], size=t.shape)
        elif t.dtype == "bool":
            values = rng.integers(0, 2, size=t.shape)
        elif t.dtype in ("f32", "f64"):
            values = rng.uniform(*sample.domains.get(k, sample.domain), size=t.shape)
        else:
            values = rng.integers(0, 4, size=t.shape)
        arrays.append(np.asarray(values).astype(DTYPES[t.dtype]))
    return arrays


def one_op_graph(op: Op, types: list[TensorType], attrs: dict) -> Graph:
    inputs = tuple(Input(f"x{k}", t, "data" if t.shape else "hyper") for k, t in enumerate(types))
    outputs = tuple(Value(f"y{k}", t) for k, t in enumerate(op.infer(*types, **attrs)))
    node = Node(op.name, tuple(i.name for i in inputs), outputs, make_attrs(attrs))
    return Graph(op.name, inputs, (node,), tuple(o.name for o in outputs))


CASES = [
    pytest.param(name, k, dtype, id=f"{name}-{k}-{dtype}")
    for name, op in OPS.items()
    for k in range(len(op.samples))
    for dtype in ("f32", "f64")
]


def with_dtype(attrs: dict, dtype: str) -> dict:
    return {**attrs, "dtype": dtype} if attrs.get("dtype") == "f32" else dict(attrs)


@pytest.mark.parametrize(("name", "k", "dtype"), CASES)
def test_compiled_equals_reference(name, k, dtype):
    op = OPS[name]
    sample = op.samples[k]
    attrs = with_dtype(sample.attrs, dtype)
    types = [typed(t, dtype) for t in sample.types]
    if op.lower is None or isinstance(op.lower, Alias):
        pytest.skip("an alias has no code")
    arrays = draw(op, sample, types)
    graph = one_op_graph(op, types, attrs)
    results = run_graph(graph, {f"x{i}": a for i, a in enumerate(arrays)}, dtype=dtype)
    wide = tuple(a.astype(np.float64) if a.dtype.kind == "f" else a for a in arrays)
    expected = run_reference(op, wide, dict(make_attrs(with_dtype(sample.attrs, "f64"))))
    for i, want in enumerate(expected):
        got = results[f"y{i}"]
        scale = max(1.0, float(np.nanmax(np.abs(np.where(np.isfinite(want), want, 0)), initial=0.0)))
        tolerance = op.tolerance if dtype == "f32" else op.tolerance * 1e-7
        assert got.dtype == DTYPES[graph.nodes[0].outputs[i].type.dtype]
        np.testing.assert_allclose(got.astype(np.float64), want, rtol=tolerance, atol=tolerance * scale)
