"""Every scalar function and its slopes over the whole of both formats, against arbitrary precision.

Compiled and interpreted: zeros, subnormals (which count as zero), the smallest and largest numbers, infinities, and
what lies between. Where a slope has a kink, anything between its sides will do.
"""

import mpmath
import numpy as np
import pytest
from codegen.exact_functions import EXACT, exact
from mpmath import mpf

from mochac import ActivationLayer, InputLayer, Net, Neurons
from mochac.ir import GraphBuilder, TensorType, run
from mochac.ir.scalar import FUNCTIONS
from mochac.ir.types import DTYPES
from mochac.lowering.run_graph import run_graph
from mochac.nets.trace import trace

DIGITS = {"f32": 50, "f64": 340}
"""Smaller numbers are 0 in the format."""
TOP = {"f32": 110.0, "f64": 800.0}
"""From here on, powers of e are 0 or inf."""
UNCLEAR = {"select", "to_f32", "to_f64"}
"""Functions without an error: one of the arguments, or a number in another format."""
PARAMETERS = {"clip", "elu", "huber", "log_above", "lrelu", "prelu", "relu_eps", "sigmoid_cross_entropy"}
"""Functions whose arguments after the first are drawn from their domain; those of others are any numbers."""
ABSOLUTE = {
    "cospi": 4, "elu": 4, "erf": 3, "gated": 2, "gelu": 3, "gelu_slope": 4, "gelu_tanh": 40, "hard_sigmoid": 1,
    "hard_swish": 4, "mish": 8, "sigmoid": 3, "sigmoid_cross_entropy": 4, "silu": 24, "softplus": 3, "softsign": 3,
    "tanh": 4,
}  # fmt: skip
"""Errors in units of eps where a value or slope is smaller than 1: those of others are relative everywhere."""
STEEP = {("pow", "value"): 40, ("pow", "slope 0"): 800, ("pow", "slope 1"): 40}
"""Errors of powers in ulps: those of exponents of e up to 709 are multiplied by these, such as that of y - 1."""


def whole_range(dtype: str, rng: np.random.Generator, count: int) -> np.ndarray:
    """Numbers of every size, of both signs."""
    f = np.finfo(DTYPES[dtype])
    tiny, largest = float(f.tiny), float(f.max)
    edges = [0, float(f.smallest_subnormal), tiny / 2, tiny, 1.5 * tiny, 1, 2, 3, 0.5, largest, np.inf]
    sizes = np.concatenate([
        edges, np.exp(rng.uniform(np.log(tiny), np.log(largest), count)), rng.uniform(0, 10, count),
        rng.uniform(0, TOP[dtype], count),
    ])  # fmt: skip
    return np.concatenate([sizes, -sizes]).astype(DTYPES[dtype])


def arguments(name: str, dtype: str, count: int, seed: int) -> list[np.ndarray]:
    row, rng = FUNCTIONS[name], np.random.default_rng(seed)
    x = whole_range(dtype, rng, count)
    domains = (row.domain * row.arity)[1 : row.arity]
    if name in PARAMETERS:
        return [x, *(rng.uniform(*d, len(x)).astype(x.dtype) for d in domains)]
    return [x, *(np.where(rng.random(len(x)) < 0.7, rng.permutation(x), rng.uniform(*d, len(x))).astype(x.dtype)
                 for d in domains)]  # fmt: skip


def results(name: str, dtype: str, arrays: list[np.ndarray]) -> list[list[np.ndarray | None]]:
    """The function and its slopes, compiled and interpreted."""
    row = FUNCTIONS[name]
    type = TensorType(dtype, arrays[0].shape)
    b = GraphBuilder("whole")
    args = tuple(b.input(f"x{k}", type) for k in range(row.arity))
    y = b.op(name, *args)
    slopes = row.derivative(b, b.input("dy", type), args, y) if row.derivative else (None,) * row.arity
    graph = b.finish([y, *(s for s in slopes if s is not None)])
    feeds = {**{f"x{k}": a for k, a in enumerate(arrays)}, "dy": np.ones_like(arrays[0])}
    feeds = {i.name: feeds[i.name] for i in graph.inputs}
    found = (run_graph(graph, feeds, dtype=dtype), run(graph, feeds).values)
    return [[values[y.name], *(None if s is None else values[s.name] for s in slopes)] for values in found]


def error(got: float, want: mpf, name: str, dtype: str, first: float) -> float:
    """In ulps of the larger of the two, or in eps of 1 where that is what the function promises."""
    f = np.finfo(DTYPES[dtype])
    if np.isnan(got):
        return np.inf
    if abs(want) > mpf(float(f.max)) * (1 - mpf(float(f.eps)) * 64):
        return 0.0 if mpmath.sign(want) == np.sign(got) and abs(got) > float(f.max) * 0.99 else np.inf
    if np.isinf(got):
        return np.inf
    scale = abs(first) if name == "gated" else 1.0
    floor = mpf(float(f.tiny)) * 2000 * max(scale, 1)
    excess = max(mpf(0), abs(mpf(got) - want) - floor)
    excess = max(mpf(0), excess - mpf(float(f.eps)) * ABSOLUTE.get(name, 0) * max(scale, 1))
    return float(excess / (max(abs(want), mpf(float(f.tiny))) * mpf(float(f.eps))))


def is_defined(name: str, args: list[float], eps: float, tiny: float) -> bool:
    """Not where several numbers have no limit together, products of the smallest are zero, or y - 1 is rounded to y."""
    if len(args) == 1:
        return True
    if name in PARAMETERS:
        return not 0 < abs(args[0]) < 4 * tiny
    return not any(map(np.isinf, args)) and not (name == "pow" and args[0] < 0 and abs(args[1]) > 0.5 / eps)


def faults(name: str, dtype: str, count: int, seed: int) -> list[str]:
    """Where a value or slope is wrong."""
    row, arrays, found = FUNCTIONS[name], arguments(name, dtype, count, seed), []
    tiny = float(np.finfo(DTYPES[dtype]).tiny)
    both = results(name, dtype, arrays)
    for i in range(len(arrays[0])):
        args = [float(a[i]) for a in arrays]
        subnormal = any(0 < abs(x) < tiny for x in args)
        args = [0.0 if abs(x) < tiny else x for x in args]
        if not is_defined(name, args, float(np.finfo(DTYPES[dtype]).eps), tiny):
            continue
        for k, (low, high) in enumerate(exact(name, args, DIGITS[dtype])):
            if low is None or high is None or (name == "log_above" and k and args[0] <= args[1]):
                continue
            what = f"slope {k - 1}" if k else "value"
            for values, how in zip(both, ("compiled", "interpreted"), strict=True):
                rounds_twice = name == "fma" and dtype == "f64"
                if values[k] is None or (how == "interpreted" and (subnormal or rounds_twice)):
                    continue
                got = float(values[k][i])
                allowed = STEEP.get((name, what), 3 * row.ulp + 2)
                close = min(error(got, want, name, dtype, args[0]) for want in (low, high)) <= allowed
                overflows = (
                    name == "pow"
                    and k == 1
                    and abs(low) > abs(mpf(args[1])) * mpf(float(np.finfo(values[k].dtype).max))
                )
                close |= overflows and np.isinf(got)
                if not close and not min(low, high) <= got <= max(low, high):
                    found.append(f"{what} at {args} is {got}, {how}; right: {mpmath.nstr(low, 9)}")
    return found


OF_REALS = [n for n, row in FUNCTIONS.items() if n not in UNCLEAR and (row.derivative or n in EXACT)]


@pytest.mark.sampled(16)
@pytest.mark.parametrize("dtype", ["f32", "f64"])
@pytest.mark.parametrize("name", OF_REALS)
def test_values_and_slopes_over_the_whole_range(name, dtype):
    assert faults(name, dtype, 15, 11) == []


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("dtype", ["f32", "f64"])
@pytest.mark.parametrize("name", OF_REALS)
def test_more_numbers(name, dtype, seed):
    assert faults(name, dtype, 300, seed) == []


@pytest.mark.parametrize("neuron", [v for n, v in vars(Neurons).items() if not n.startswith("_")])
def test_every_neuron_is_made_of_these_functions(neuron):
    layers = [InputLayer(name="x", shape=(4, 2)), ActivationLayer(bottoms=["x"], tops=["y"], neuron=neuron())]
    made = trace(Net("n", layers))
    assert {node.op for node in made.graph.nodes} <= {*OF_REALS, "fill", "reshape", "slice"}
