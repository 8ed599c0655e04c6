"""Whatever constants, broadcasts and unit extents leave of a kernel, some rule of either backend takes it, and results
are the interpreter's."""

from itertools import cycle, islice

import numpy as np
import pytest
from codegen.odd_operands import ROOTS, OddGraph, replaced

import mochac
from mochac import (
    SGD,
    ConvolutionLayer,
    InnerProductLayer,
    LRNLayer,
    LRPolicy,
    MemoryDataLayer,
    Net,
    Pooling,
    PoolingLayer,
    PowerLayer,
    SoftmaxLossLayer,
    ir,
)
from mochac.codegen.cpu.generator import CpuGenerator
from mochac.codegen.cpu.target import CpuTarget
from mochac.codegen.cuda.generator import CudaGenerator
from mochac.codegen.cuda.target import CudaTarget
from mochac.ir.kernel_verify import verify_kernel
from mochac.lowering.pipeline import lower
from mochac.lowering.run_graph import run_graph

GENERATORS = {
    "avx512": CpuGenerator(CpuTarget.of("skylake-avx512", 64)),
    "avx2": CpuGenerator(CpuTarget.of("haswell", 32)),
    "sse2": CpuGenerator(CpuTarget.of("x86-64", 16, False)),
    "cuda-small": CudaGenerator(CudaTarget(90, multiprocessors=1)),
    "cuda": CudaGenerator(CudaTarget(90)),
}
TOLERANCE = {"f32": 2e-4, "f64": 1e-11}


def lowers(fed, generator, dtype="f32"):
    """Every kernel of the graph is scheduled and printed."""
    lowered = lower(fed.graph, generator, scalars={}, named={}, dtype=dtype)
    for kernel in lowered.kernels:
        verify_kernel(kernel.scheduled, printable=True)
    return lowered


def computes(fed, dtype="f32"):
    """Compiled for this CPU, the graph gives what the interpreter does in float64."""
    wanted, got = ir.run(fed.graph, fed.feeds, dtype="f64"), run_graph(fed.graph, fed.feeds, dtype=dtype)
    for name in fed.graph.outputs:
        near = TOLERANCE[dtype] * max(1.0, float(np.abs(wanted[name]).max(initial=0)))
        np.testing.assert_allclose(
            got[name], wanted[name], rtol=TOLERANCE[dtype], atol=near, err_msg=f"{fed.name} {name}"
        )


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    "target", [pytest.param(t, id=n) for n, t in GENERATORS.items() if n in ("avx512", "cuda-small")]
)
@pytest.mark.parametrize("op", [name for name in ROOTS if name.startswith(("conv", "inner_product"))])
def test_products_of_constants_are_scheduled(op, target):
    for fed in [f for f in replaced(op) if f.name.endswith("fill")][:2]:
        lowers(fed, target)


SOAK = pytest.mark.soak


@pytest.mark.slow
@pytest.mark.parametrize("op", ROOTS)
def test_every_op_of_constants_is_scheduled(op):
    """Every third choice of operands, for the targets in turns."""
    for fed, target in zip(islice(replaced(op), 1, None, 3), cycle(GENERATORS.values()), strict=False):
        lowers(fed, target)


@SOAK
@pytest.mark.parametrize("target", GENERATORS)
@pytest.mark.parametrize("op", ROOTS)
def test_every_op_of_constants_is_scheduled_for_every_target(op, target):
    for fed in replaced(op):
        lowers(fed, GENERATORS[target])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("dtype", "every"), [("f32", 3), pytest.param("f32", 1, marks=SOAK), pytest.param("f64", 1, marks=SOAK)]
)
@pytest.mark.parametrize("op", ROOTS)
def test_every_op_of_constants_is_computed(op, dtype, every):
    for fed in islice(replaced(op, dtype), None, None, every):
        computes(fed, dtype)


@pytest.mark.parametrize("seed", range(3))
def test_odd_operands_are_computed(seed):
    computes(OddGraph(seed).fed)


def seeds(first, last, step, quick):
    """Ranges of seeds; those from `quick` on are a soak."""
    starts = range(first, last, step)
    return [pytest.param(range(k, k + step), id=str(k), marks=[SOAK] if k >= quick else []) for k in starts]


@pytest.mark.slow
@pytest.mark.parametrize("dtype", ["f32", "f64"])
@pytest.mark.parametrize("drawn", seeds(100, 500, 20, quick=120))
def test_many_odd_operands_are_computed(drawn, dtype):
    for seed in drawn:
        computes(OddGraph(seed, dtype).fed, dtype)


@pytest.mark.slow
@pytest.mark.parametrize("target", list(GENERATORS))
@pytest.mark.parametrize("drawn", seeds(1000, 1400, 40, quick=1040))
def test_many_odd_operands_are_scheduled(drawn, target):
    for seed in drawn:
        lowers(OddGraph(seed).fed, GENERATORS[target])


def constant_net(layers, **power):
    """A net whose last layers see a PowerLayer's constant."""
    rng = np.random.default_rng(3)
    data = MemoryDataLayer(data=[rng.normal(size=(5, 2, 6, 5)), rng.integers(0, 3, 5)], batch_size=5)
    return Net(
        "constant",
        [
            data,
            ConvolutionLayer(name="first", n_filter=4, kernel=1, bottoms=["data"]),
            PowerLayer(name="flat", bottoms=["first"], **power),
            *layers,
            InnerProductLayer(name="ip", output_dim=3, bottoms=[layers[-1].tops[0] if layers else "flat"]),
            SoftmaxLossLayer(name="loss", bottoms=["ip", "label"]),
        ],
    )


def behind(kind):
    """Layers between the constant and the inner product."""
    x = {"bottoms": ["flat"]}
    return {
        "conv": [ConvolutionLayer(name="c", n_filter=3, kernel=(3, 2), **x)],
        "grouped": [ConvolutionLayer(name="c", n_filter=4, kernel=3, stride=2, pad=1, n_group=2, **x)],
        "pooled": [
            ConvolutionLayer(name="c", n_filter=3, kernel=3, pad=1, **x),
            PoolingLayer(name="p", kernel=2, stride=2, bottoms=["c"]),
        ],
        "overlapping": [
            ConvolutionLayer(name="c", n_filter=3, kernel=3, pad=1, **x),
            PoolingLayer(name="p", kernel=3, stride=2, pooling=Pooling.Mean(), bottoms=["c"]),
        ],
        "max": [PoolingLayer(name="p", kernel=2, stride=1, **x)],
        "lrn": [LRNLayer(name="n", **x)],
        "ip": [],
    }[kind]


KINDS = ("conv", "grouped", "pooled", "overlapping", "max", "lrn", "ip")


NETS = [
    *((kind, {"power": 0.0}) for kind in KINDS),
    *((kind, {"scale": 0.0, "shift": 0.5}) for kind in ("conv", "max")),
]


@pytest.mark.sampled(0, test=2)
@pytest.mark.parametrize(("kind", "power"), NETS, ids=lambda part: part if isinstance(part, str) else "-".join(part))
def test_nets_with_a_constant_blob_train(kind, power):
    """One step is w - rate * gradient, and the gradients are those of central differences."""
    net = constant_net(behind(kind), **power)
    assert mochac.check_gradients(net, samples=4).ok
    with mochac.compile(net, dtype="float64", threads=1) as program:
        before = {name: np.array(value) for name, value in program.parameters().items()}
        program.forward()
        program.backward()
        grads = {f"{p.key}___{p.name}": (p.lr_mult, program.grads[p.key][p.name]) for p in net.params}
        program.train(SGD(lr_policy=LRPolicy.Fixed(0.1)), max_iter=1, regu_coef=0.0)
        for name, after in program.parameters().items():
            factor, gradient = grads[name]
            np.testing.assert_allclose(
                after, before[name] - 0.1 * factor * gradient, rtol=1e-9, atol=1e-11, err_msg=name
            )
