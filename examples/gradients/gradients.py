"""Compare derived gradients with central differences: one net with seven losses, then a faulty operation.

    python gradients.py

Mocha's examples/test-gradients.jl did this for one net. check_gradients runs the interpreter in float64, changes single
elements of every parameter by epsilon in both directions, and compares the slope of the total loss with the derived
gradient. Then it compares the gradients that generated code computes.
"""

from __future__ import annotations

import argparse
import sys

import numpy as np

import mochac
from mochac import *
from mochac.ir.op import Op, register
from mochac.nets.layers import Layer, layer

CLASSES = 3


def data(batch_size: int) -> MemoryDataLayer:
    """Random images, class indices, signs, and class probabilities: four blobs of the same samples."""
    rng = np.random.default_rng(7)
    arrays = {
        "image": rng.uniform(0, 1, (20, 1, 6, 6)),
        "class": rng.integers(0, CLASSES, 20),
        "sign": rng.choice([-1, 1], 20),
        "share": rng.dirichlet(np.ones(CLASSES), 20),
    }
    return MemoryDataLayer(data=[*arrays.values()], tops=[*arrays], batch_size=batch_size)


def encoder() -> list[Layer]:
    """image -> code (6,), scores (CLASSES,) and belief, their softmax."""
    return [
        ConvolutionLayer(name="conv", n_filter=3, kernel=3, neuron=Neurons.Tanh(), bottoms=["image"]),
        PoolingLayer(name="pool", kernel=2, stride=2, pooling=Pooling.Mean(), bottoms=["conv"]),
        InnerProductLayer(name="code", output_dim=6, neuron=Neurons.Sigmoid(), bottoms=["pool"]),
        InnerProductLayer(name="scores", output_dim=CLASSES, bottoms=["code"]),
        SoftmaxLayer(name="belief", bottoms=["scores"]),
    ]


def losses() -> list[Layer]:
    """Seven losses with different weights; autodiff sums their gradients."""
    return [
        SoftmaxLossLayer(name="softmax", bottoms=["scores", "class"], weights=[1, 2, 3]),
        MultinomialLogisticLossLayer(name="logistic", bottoms=["belief", "class"], weight=0.5),
        SoftlabelSoftmaxLossLayer(name="soft", bottoms=["scores", "share"], weight=0.3),
        WassersteinLossLayer(
            name="moved", bottoms=["belief", "share"], M=1 - np.eye(CLASSES), lambda_=5, sinkhorn_iter=200
        ),
        InnerProductLayer(name="margin", output_dim=1, bottoms=["code"]),
        HingeLossLayer(name="hinge", bottoms=["margin", "sign"], weight=0.7),
        InnerProductLayer(name="decoded", output_dim=36, neuron=Neurons.Sigmoid(), bottoms=["code"]),
        BinaryCrossEntropyLossLayer(name="pixels", bottoms=["decoded", "image"], weight=0.1),
        SquareLossLayer(name="again", bottoms=["decoded", "image"], weight=0.1),
    ]


net = Net("gradients", [data(5), *encoder(), *losses()])


def cube_gradient(b, bound, dy):
    """dy * x^2, which forgets the factor 3."""
    return (b.op("mul", dy, b.op("square", bound.inputs[0])),)


CUBE = Op(
    name="cube", infer=lambda x: (x,), reference=lambda x: x**3, vjp=cube_gradient, lower=None, samples=()
)  # the interpreter needs no loop nest


@layer
class CubeLayer(Layer):
    """x^3 of every element, by an operation whose gradient is wrong."""

    def emit(self, ctx, bottoms):
        return [ctx.op("cube", bottoms[0])]


def wrong() -> Net:
    """A net whose gradients are right after CubeLayer and wrong before it."""
    register(CUBE)
    cube = CubeLayer(name="cube", bottoms=["code"])
    out = InnerProductLayer(name="out", output_dim=CLASSES, bottoms=["cube"])
    loss = SoftmaxLossLayer(name="loss", bottoms=["out", "class"])
    return Net("wrong", [data(5), *encoder()[:3], cube, out, loss])


def main() -> int:
    parser = argparse.ArgumentParser(description="Compare derived gradients with central differences.")
    parser.add_argument("--samples", type=int, default=20, help="elements checked in each parameter")
    parser.add_argument("--epsilon", type=float, default=1e-6)
    args = parser.parse_args()
    found = mochac.check_gradients(net, samples=args.samples, epsilon=args.epsilon)
    print(found)
    print("\nnow with an operation whose gradient is wrong")
    print(mochac.check_gradients(wrong(), samples=args.samples, epsilon=args.epsilon, native=False))
    return 0 if found.ok else 1


if __name__ == "__main__":
    sys.exit(main())
