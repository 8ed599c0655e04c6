"""Neurons beside PyTorch's, over random shapes and settings."""

import numpy as np
import pytest

pytest.importorskip("torch")

from torch.nn import functional
from torch_kit import compare

from mochac import ActivationLayer, Neurons, PReLULayer

SEEDS = range(4)


def drawn(seed, even=False):
    """A random generator, and numbers up to about 10 in size, of 2 to 4 axes."""
    rng = np.random.default_rng(seed)
    shape = [int(rng.integers(1, 20)), int(rng.integers(1, 7)), *map(int, rng.integers(1, 6, int(rng.integers(0, 3))))]
    shape[1] *= 1 + even
    return rng, rng.standard_normal(shape) * 4


def leaky(slope):
    return Neurons.LReLU(slope=slope), lambda x: functional.leaky_relu(x, slope)


def elu(alpha):
    return Neurons.ELU(alpha=alpha), lambda x: functional.elu(x, alpha)


PAIRS = {
    "gelu": lambda rng: (Neurons.GELU(), functional.gelu),
    "gelu_tanh": lambda rng: (Neurons.GELU(approximate=True), lambda x: functional.gelu(x, approximate="tanh")),
    "silu": lambda rng: (Neurons.SiLU(), functional.silu),
    "elu": lambda rng: elu(rng.uniform(0, 2)),
    "selu": lambda rng: (Neurons.SELU(), functional.selu),
    "softplus": lambda rng: (Neurons.Softplus(), lambda x: functional.softplus(x, threshold=1e9)),
    "softsign": lambda rng: (Neurons.Softsign(), functional.softsign),
    # the gradient of functional.hardsigmoid has 1 / 6 as a float32
    "hard_sigmoid": lambda rng: (Neurons.HardSigmoid(), lambda x: (x / 6 + 0.5).clamp(0, 1)),
    "hard_swish": lambda rng: (Neurons.HardSwish(), functional.hardswish),
    "mish": lambda rng: (Neurons.Mish(), functional.mish),
    "lrelu": lambda rng: leaky(rng.uniform(-1, 1)),
    "glu": lambda rng: (Neurons.GLU(), lambda x: functional.glu(x, dim=1)),
}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", PAIRS)
def test_neuron(name, seed):
    rng, x = drawn(seed, even=name == "glu")
    neuron, theirs = PAIRS[name](rng)
    layer = ActivationLayer(name="n", bottoms=["x"], tops=["y"], neuron=neuron)
    compare(layer, {"x": x}, lambda bottoms, params: theirs(bottoms[0]), seed=seed)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("shared", [False, True])
def test_prelu(shared, seed):
    _, x = drawn(seed)
    layer = PReLULayer(name="n", bottoms=["x"], shared=shared)
    compare(layer, {"x": x}, lambda bottoms, params: functional.prelu(bottoms[0], params["slope"]), seed=seed)
