"""Small nets around the examples that layers state: data, parameters before every bottom, the layer, a loss behind it.

test_catalogue.py runs and breaks them. It knows no layer by name but those that it puts around the one in question.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from mochac import (
    ConstantInitializer,
    GaussianInitializer,
    InnerProductLayer,
    MemoryDataLayer,
    Net,
    ParameterLayer,
    ReshapeLayer,
    SquareLossLayer,
)
from mochac.nets.layers.base import LAYERS, Layer
from mochac.nets.layers.config import config
from mochac.nets.layers.examples import BATCH, Blob, Example
from mochac.nets.layers.initializers import Initializer

SAMPLES = 2 * BATCH + 1
NAME = "tested"


@config
class Almost(Initializer):
    """The unit matrix with a little of everything, so that a bottom is nearly the data that the example asks for."""

    def fill(self, shape: tuple[int, ...], dtype: Any, generator: np.random.Generator) -> np.ndarray:
        return (np.eye(shape[0], shape[1]) + 0.01 * generator.standard_normal(shape)).astype(dtype)


def drawn(blob: Blob, rng: np.random.Generator) -> np.ndarray:
    """Data for a bottom: (SAMPLES, *shape)."""
    shape = (SAMPLES, *(blob.shape or (1,)))
    if blob.classes:
        return rng.integers(0, blob.classes, shape).astype(float)
    if blob.signs:
        return rng.choice((-1.0, 1.0), shape)
    if blob.sum_over is not None:
        weights = rng.uniform(0.2, 1.0, shape)
        return weights / weights.sum(axis=blob.sum_over, keepdims=True)
    return rng.uniform(blob.low, blob.high, shape)


def before(k: int, blob: Blob) -> list[Layer]:
    """Layers that make the bottom b<k> from the data d<k>."""
    if blob.shape is None:
        return [SquareLossLayer(name=f"l{k}", bottoms=[f"d{k}", f"d{k}"], tops=[f"b{k}"])]
    if blob.classes or blob.signs or not blob.learned:
        return []
    flat = InnerProductLayer(
        name=f"ip{k}", output_dim=math.prod(blob.shape), weight_init=Almost(), bias_init=ConstantInitializer(0.0),
        bottoms=[f"d{k}"],
    )  # fmt: skip
    return [flat, ReshapeLayer(name=f"r{k}", shape=blob.shape, bottoms=[f"ip{k}"], tops=[f"b{k}"])]


def around(example: Example, seed: int) -> list[Layer]:
    """The layers before the tested one: data, parameters, and what must stand near."""
    rng = np.random.default_rng(seed)
    layers: list[Layer] = []
    arrays: dict[str, np.ndarray] = {"target": rng.uniform(-1, 1, (SAMPLES, 2))}
    for k, blob in enumerate(example.bottoms):
        found = before(k, blob)
        arrays[f"d{k}" if found else f"b{k}"] = drawn(blob, rng)
        layers += found
    data = MemoryDataLayer(name="in", data=[*arrays.values()], tops=[*arrays], batch_size=BATCH)
    return [data, *layers, *(made(kind, fields) for kind, fields in example.near)]


def made(kind: str, fields: Any) -> Layer:
    """A layer of the registry."""
    return LAYERS[kind](**fields)


def tested(kind: str, example: Example) -> Layer:
    """The layer that the example is about."""
    bottoms = {"bottoms": [f"b{k}" for k in range(len(example.bottoms))]} if LAYERS[kind].n_bottoms[1] != 0 else {}
    return made(kind, {"name": NAME, **bottoms, **example.fields})


def behind(layer: Layer, blobs: dict[str, Any]) -> list[Layer]:
    """A loss on every top of the tested layer: the square of two random projections."""
    found: list[Layer] = []
    for k, top in enumerate(layer.tops or (layer.bottoms if layer.in_place else ())):
        rows = blobs[top].shape[:1]
        if not blobs[top].batch and not rows:
            continue  # the value of a loss
        projected = InnerProductLayer(
            name=f"out{k}", output_dim=2, weight_init=GaussianInitializer(std=0.5), bottoms=[top]
        )
        target = "target" if blobs[top].batch else f"target{k}"
        if not blobs[top].batch:
            found.append(ParameterLayer(name=target, shape=(rows[0], 2)))
        found += [projected, SquareLossLayer(name=f"loss{k}", weight=0.5 + k, bottoms=[f"out{k}", target])]
    return found


def built(kind: str, example: Example, seed: int = 0, batch: int = BATCH) -> Net:
    """The whole net.

    Raises:
        MochacError: what the layer or the net refuses.
    """
    front = [*around(example, seed), tested(kind, example)]
    blobs = Net(f"{kind} so far", front).blobs
    front[0] = front[0].replace(batch_size=batch)
    return Net(kind, [*front, *behind(front[-1], blobs)])
