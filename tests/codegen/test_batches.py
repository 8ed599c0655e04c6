"""Any batch, with anything around a convolution: no kernel falls back to the generic rule, or costs much more than with
whole vectors of samples."""

from __future__ import annotations

import random

import numpy as np
import pytest

import mochac
from mochac import (
    BatchNormLayer,
    ConvolutionLayer,
    DropoutLayer,
    ElementWiseFunctors,
    ElementWiseLayer,
    InnerProductLayer,
    MemoryDataLayer,
    Net,
    Neurons,
    Pooling,
    PoolingLayer,
    SoftmaxLossLayer,
)
from mochac.base.options import CompileOptions, Options
from mochac.codegen.cpu.target import CpuTarget
from mochac.codegen.prediction.prediction import predicted
from mochac.lowering.backends import open_backend
from mochac.lowering.main_plan import lowered_net

CPU = "skylake-avx512"
MACHINE = CpuTarget.of(CPU, 64).machine
ROOTS = ("conv", "conv_dx", "conv_dw", "winograd_product", "winograd_product_dw")
BATCHES = (1, 3, 7, 33, 40, 47, 50, 63)
LANES = 16
WORST, WORST_BELOW = 1.42, 1.5
"""Predicted cycles, beside those of the next multiple of the lanes; those of fewer samples than lanes."""
COVERING = (24, 30, 50)
"""Seeds whose nets once fell back to the generic rule."""

SOAKS = [pytest.param(seed, marks=pytest.mark.soak) for seed in range(200) if seed not in COVERING]


def drawn(seed: int, batch: int) -> Net:
    """A chain of convolutions with norms, residuals and dropout between them; the batch changes nothing else."""
    rng = random.Random(seed)
    channels, size = rng.choice((8, 16, 24)), rng.choice((6, 8, 9, 12))
    data = [np.zeros((batch, channels, size, size)), np.zeros(batch)]
    layers = [MemoryDataLayer(data=data, batch_size=batch)]
    blobs = ["data"]

    def put(kind, name, *others, **fields):
        layers.append(kind(name=name, bottoms=[blobs[-1], *others], tops=[name], **fields))
        blobs.append(name)

    for k in range(rng.randint(2, 4)):
        taps = rng.choice((1, 3, 3, 5))
        neuron = rng.choice((Neurons.Identity(), Neurons.ReLU(), Neurons.GELU()))
        put(ConvolutionLayer, f"c{k}", n_filter=channels, kernel=taps, pad=taps // 2, neuron=neuron)
        if rng.random() < 0.6:
            put(BatchNormLayer, f"b{k}", neuron=rng.choice((Neurons.Identity(), Neurons.ReLU(), Neurons.SiLU())))
        if rng.random() < 0.6:
            how = rng.choice((ElementWiseFunctors.Add(), ElementWiseFunctors.Multiply()))
            put(ElementWiseLayer, f"s{k}", rng.choice(blobs[:-1]), operation=how)
        if rng.random() < 0.3:
            put(DropoutLayer, f"d{k}", ratio=0.3)
    if rng.random() < 0.5:
        put(PoolingLayer, "p", kernel=2, stride=2, pooling=rng.choice((Pooling.Max(), Pooling.Mean())))
    put(InnerProductLayer, "ip", output_dim=10)
    return Net(f"net{seed}", [*layers, SoftmaxLossLayer(name="loss", bottoms=["ip", "label"])])


def cycles(seed: int, batch: int) -> dict[str, float]:
    """Predicted cycles of the kernels of convolutions in a training step, by the model of the CPU alone: what was
    measured of this machine differs from run to run."""
    backend = open_backend(CompileOptions(backend="cpu"), Options.from_env(), run=False)
    kernels = [k for k in lowered_net(drawn(seed, batch), backend).kernels if k.staged.root in ROOTS]
    assert not [k for k in kernels if k.schedule.name.startswith("generic")]
    return {k.naive.name: predicted(k.scheduled, MACHINE).slowest(1) for k in kernels}


@pytest.mark.slow
@pytest.mark.parametrize("seed", [*COVERING, *SOAKS])
def test_any_batch_costs_as_much_as_the_next_whole_one(seed, compile_for):
    compile_for(CPU)
    batch = random.Random(seed + 1).choice(BATCHES)
    print(f"seed {seed}, batch {batch}")
    found, whole = cycles(seed, batch), cycles(seed, -(-batch // LANES) * LANES)
    most = WORST if batch > LANES else WORST_BELOW
    for name in found.keys() & whole.keys():
        assert found[name] <= most * whole[name], name


@pytest.mark.slow
@pytest.mark.parametrize("batch", [1, 3, 47, 50])
def test_a_residual_around_a_batch_norm(batch, compile_for):
    """Zeros cannot stand for the borders of an image that is normalized as it is read, so no tail is packed."""
    compile_for(CPU)
    layers = [
        MemoryDataLayer(data=[np.zeros((batch, 16, 8, 8)), np.zeros(batch)], batch_size=batch),
        ConvolutionLayer(name="conv1", n_filter=16, kernel=3, pad=1, bottoms=["data"]),
        BatchNormLayer(name="bn1", neuron=Neurons.ReLU(), bottoms=["conv1"]),
        ConvolutionLayer(name="conv2", n_filter=16, kernel=3, pad=1, bottoms=["bn1"]),
        ElementWiseLayer(name="sum", bottoms=["conv2", "bn1"]),
        InnerProductLayer(name="ip", output_dim=3, bottoms=["sum"]),
        SoftmaxLossLayer(name="loss", bottoms=["ip", "label"]),
    ]
    with mochac.compile(Net("residual", layers), threads=1) as program:
        (kernel,) = (k for k in program.kernels if "conv2" in k.layers and k.scheduled.staged.root == "conv")
    assert kernel.schedule.name == "conv.blocked"
