"""Every vjp rule against central differences in float64, on every sample of every op."""

import numpy as np
import pytest

from mochac.ir import GraphBuilder, run, verify
from mochac.ir.op import OPS
from mochac.ir.pullback import gradients
from mochac.ir.samples import draw

STEP = 1e-5


def positions(op, sample):
    """Operands to differentiate by; none where the result is no float."""
    case = draw(op, sample, "f64")
    if op.infer(*case.types, **case.attrs)[0].dtype != "f64":
        return ()
    floats = tuple(k for k, t in enumerate(case.types) if t.dtype == "f64")
    return floats if sample.differentiable is None else sample.differentiable


NAMES = [
    name
    for name, op in OPS.items()
    if op.vjp is not None and name != "to_f32"  # rounding to float32 has no useful difference quotient
    and any(positions(op, sample) for sample in op.samples)
]  # fmt: skip
CONSTANT = [name for name, op in OPS.items() if op.vjp is not None and all(s.differentiable == () for s in op.samples)]


def differentiated(case, wrt):
    """loss = sum of the first output times fixed random weights, and its gradients."""
    b = GraphBuilder("check")
    operands = [b.input(f"x{k}", t) for k, t in enumerate(case.types)]
    y = b.ops(case.op.name, *operands, **case.attrs)[0]
    weights = b.input("weights", y.type)
    loss = b.op("reduce_sum", b.op("mul", y, weights), axes=tuple(range(len(y.type.shape))))
    found = gradients(b, loss, [operands[k] for k in wrt])
    graph = b.finish([loss, *(found[f"x{k}"] for k in wrt)])
    verify(graph)
    return graph, y.type.shape


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_vjp_equals_central_differences(name):
    op = OPS[name]
    for k, sample in enumerate(op.samples):
        print(f"{name} sample {k}")
        if wrt := positions(op, sample):
            check(draw(op, sample, "f64"), wrt)


def check(case, wrt):
    graph, shape = differentiated(case, wrt)
    rng = np.random.default_rng(1)
    feeds = {**case.feeds(), "weights": rng.standard_normal(shape)}
    result = run(graph, feeds)
    for position, output in zip(wrt, graph.outputs[1:], strict=True):
        x = feeds[f"x{position}"]
        assert result[output].shape == x.shape
        for _ in range(3):
            direction = rng.standard_normal(x.shape)
            high, low = (
                float(run(graph, {**feeds, f"x{position}": x + sign * STEP * direction})[graph.outputs[0]])
                for sign in (1, -1)
            )
            slope = float(np.sum(result[output] * direction))
            scale = max(1.0, abs(slope), float(np.abs(result[output]).max(initial=0)))
            assert abs((high - low) / (2 * STEP) - slope) <= 2e-7 * scale * max(1.0, float(np.abs(x).max(initial=0)))


@pytest.mark.parametrize("name", CONSTANT)
def test_no_gradient_flows_through(name):
    """argmax, onehot, stop_gradient and their like: the gradient is zero, whatever a difference quotient would be."""
    for sample in OPS[name].samples:
        case = draw(OPS[name], sample, "f64")
        graph, shape = differentiated(case, (0,))
        result = run(graph, {**case.feeds(), "weights": np.ones(shape)})
        np.testing.assert_array_equal(result[graph.outputs[1]], np.zeros(case.types[0].shape))
