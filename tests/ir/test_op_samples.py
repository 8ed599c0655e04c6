"""Every op's samples as one-node graphs: they verify, survive the text round trip, and simplify keeps their values."""

import numpy as np
import pytest

from mochac.ir import GraphBuilder, parse, parse_type, run, verify
from mochac.ir.op import OPS
from mochac.ir.passes import run as run_pass


def graph_of(name, sample):
    b = GraphBuilder(name)
    inputs = [b.input(f"x{k}", parse_type(t)) for k, t in enumerate(sample.types)]
    return b.finish(b.ops(name, *inputs, **sample.attrs))


def arrays_of(graph, sample, rng):
    found = {}
    for k, i in enumerate(graph.inputs):
        low, high = sample.integers.get(k, (0, 2))
        drawn = (
            rng.uniform(*sample.domain, i.type.shape) if i.type.dtype[0] == "f" and k not in sample.integers else None
        )
        found[i.name] = rng.integers(low, high, i.type.shape) if drawn is None else drawn
    return found


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", list(OPS))
def test_samples(name):
    for k, sample in enumerate(OPS[name].samples):
        print(f"{name} sample {k}")
        check(name, sample)


def check(name, sample):
    graph = graph_of(name, sample)
    verify(graph)
    assert parse(str(graph)) == graph
    simpler = run_pass("simplify", graph)
    verify(simpler)
    assert simpler.outputs == graph.outputs
    inputs = arrays_of(graph, sample, np.random.default_rng(5))
    for dtype in (None, "f64"):
        wanted, got = run(graph, inputs, dtype), run(simpler, inputs, dtype)
        for out in graph.nodes[0].outputs:
            assert wanted[out.name].shape == out.type.shape
            np.testing.assert_array_equal(got[out.name], wanted[out.name])
