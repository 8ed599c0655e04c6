"""Random nets evaluated and asked for predictions, against the interpreter on all samples at once.

The program sees the samples in batches of its own, the last of them partial; what it says must not show that.
"""

import itertools

import numpy as np
import pytest

import mochac
from mochac import RandomNormalLayer, ir
from mochac.nets.trace import trace
from mochac.tools.fuzzing.drawer import Drawer

TOLERANCE = {"float32": 2e-4, "float64": 1e-10}
BLOBS = 3
"""Blobs that are predicted, drawn from all: each is a plan of its own."""


SEEDS = [*range(300, 312), *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(312, 330))]


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_evaluated_and_predicted(seed):
    check(seed, "float64" if seed % 3 else "float32")


def drawn(seed):
    """The first net from this seed on in which a sample's values do not depend on its place in the batch."""
    for again in itertools.count():
        case = Drawer(seed + 1000 * again).draw(0)
        random = any(isinstance(layer, RandomNormalLayer) for layer in case.net.layers)
        if not random and not trace(case.net, "test").crosses_samples:
            return case


def check(seed, dtype):
    case = drawn(seed)
    print(f"seed {seed}, {dtype}, batch {case.batch}\n{case.net}")
    same = {"rtol": TOLERANCE[dtype], "atol": TOLERANCE[dtype]}
    with mochac.compile(case.net, dtype=dtype, seed=seed, threads=1 + seed % 3) as program:
        params = {name: array.astype(np.float64) for name, array in program.parameters().items()}
        traced, wanted = interpreted(case, dtype, params)
        found = program.evaluate()
        for record in (r for r in traced.losses if case.net.layer(r.layer).is_loss):  # a product of means is no mean
            np.testing.assert_allclose(found[record.layer], wanted[record.value], err_msg=record.layer, **same)
        per_sample = [blob for blob, t in case.net.blobs.items() if t.batch and blob not in case.arrays]
        for blob in np.random.default_rng(seed).permutation(per_sample)[:BLOBS]:
            array = program.predict(case.arrays, blob)
            np.testing.assert_allclose(array, wanted[traced.blobs[blob]], err_msg=blob, **same)


def interpreted(case, dtype, params):
    """The test graph on every sample, and its values; losses as means."""
    n = len(next(iter(case.arrays.values())))
    traced = trace(case.net, "test", dtype, batch=n)
    values = {p.value: params[f"{p.key}___{p.name}"] for p in (*traced.params, *traced.states)}
    values |= {f.value: case.arrays[f.top].astype(dtype) for f in traced.feeds}
    values |= {name: np.asarray(table, np.float64) for name, table in traced.tables.items()}
    values |= {i.name: n if i.name == "n_valid" else 0 for i in traced.graph.inputs if i.role == "hyper"}
    graph = traced.graph.with_(outputs=tuple(dict.fromkeys([*traced.graph.outputs, *traced.blobs.values()])))
    result = ir.run(graph, {i.name: values[i.name] for i in graph.inputs}, dtype="f64")
    means = {record.value: float(result[record.value]) / n for record in traced.losses}
    return traced, {**{v: np.asarray(result[v]) for v in traced.blobs.values()}, **means}
