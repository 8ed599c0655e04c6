"""Rewrites a net: what a layer reads goes through others that leave it as it is, and layers are in another order."""

from __future__ import annotations

import random
from collections.abc import Callable
from math import prod
from typing import Any

from mochac import (
    ActivationLayer,
    ConcatLayer,
    ConvolutionLayer,
    DeconvolutionLayer,
    ElementWiseFunctors,
    ElementWiseLayer,
    FunctionLayer,
    IdentityLayer,
    InnerProductLayer,
    NarrowLayer,
    Net,
    Neurons,
    PadLayer,
    PermuteLayer,
    PoolingLayer,
    PowerLayer,
    ReshapeLayer,
    SliceLayer,
    SplitLayer,
)
from mochac.nets.layers.base import DataLayer, Layer

Shape = tuple[int, ...]
Detour = Callable[["NetRewriter", str, Shape, str], list[Any] | None]
WITH_NEURONS = (ConvolutionLayer, DeconvolutionLayer, InnerProductLayer, PoolingLayer)


def rewritten(net: Net, seed: int) -> Net:
    """A net of the same function and parameters."""
    return NetRewriter(net, random.Random(seed)).net()


class NetRewriter:
    """Changes a list of layers step by step."""

    def __init__(self, net: Net, rng: random.Random) -> None:
        self.original, self.rng, self.layers = net, rng, list(net.layers)

    def net(self) -> Net:
        """With one to six changes."""
        self.in_place = {b for layer in self.layers for b in layer.tops if b in layer.bottoms or not layer.tops}
        self.in_place |= {b for layer in self.layers if layer.in_place and not layer.tops for b in layer.bottoms}
        for k in range(self.rng.randint(1, 6)):
            self.change(k)
        if not self.in_place:  # what replaces a blob keeps its place in the list
            self.rng.shuffle(self.layers)
        return Net(self.original.name, self.layers)

    def change(self, k: int) -> None:
        """A detour in front of some bottom, or a neuron in a layer of its own."""
        at = self.rng.randrange(len(self.layers))
        layer = self.layers[at]
        if isinstance(layer, WITH_NEURONS) and layer.neuron != Neurons.Identity() and self.rng.random() < 0.4:
            self.part_neuron(at, layer, f"apart{k}")
            return
        places = [i for i, blob in enumerate(layer.bottoms) if self.may_change(layer, i, blob)]
        if not places:
            return
        place = self.rng.choice(places)
        blob, top = layer.bottoms[place], f"same{k}"
        shape = self.original.blobs[blob].shape[1:]
        more = self.rng.choice(DETOURS)(self, blob, shape, top)
        if more:
            bottoms = [top if i == place else b for i, b in enumerate(layer.bottoms)]
            self.layers[at] = layer.replace(bottoms=bottoms)
            self.layers += more

    def may_change(self, layer: Layer, place: int, blob: str) -> bool:
        """Whether a bottom holds samples of the net's own blobs, and the layer does not write into it."""
        if blob not in self.original.blobs or blob in self.in_place or isinstance(layer, DataLayer):
            return False
        if (layer.is_loss and place) or (layer.in_place and not layer.tops):
            return False
        kind = self.original.blobs[blob]
        return bool(kind.batch) and len(kind.shape) > 1 and kind.shape[0] == self.original.batch

    def part_neuron(self, at: int, layer: Any, name: str) -> None:
        tops = [f"{name}.{i}" for i, _ in enumerate(layer.tops)]
        if any(top in self.in_place for top in layer.tops):
            return
        for mine, theirs in zip(tops, layer.tops, strict=True):
            self.layers.append(ActivationLayer(name=f"{mine}.a", neuron=layer.neuron, bottoms=[mine], tops=[theirs]))
        self.layers[at] = layer.replace(neuron=Neurons.Identity(), tops=tops)

    # -- detours: layers that make `top`, equal to `blob` --------------------------------------------------------------

    def identity(self, blob: str, shape: Shape, top: str) -> list[Any] | None:
        return [IdentityLayer(name=top, bottoms=[blob])]

    def split(self, blob: str, shape: Shape, top: str) -> list[Any] | None:
        return [SplitLayer(name=f"{top}.s", bottoms=[blob], tops=[top, f"{top}.unread"])]

    def sliced(self, blob: str, shape: Shape, top: str) -> list[Any] | None:
        """Cut and joined along an axis."""
        axis = self.rng.randint(1, len(shape))
        if shape[axis - 1] < 2:
            return None
        parts = self.rng.randint(2, min(shape[axis - 1], 4))
        points = tuple(sorted(self.rng.sample(range(1, shape[axis - 1]), parts - 1)))
        tops = [f"{top}.{i}" for i in range(parts)]
        cut = SliceLayer(name=f"{top}.cut", axis=axis, points=points, bottoms=[blob], tops=tops)
        return [cut, ConcatLayer(name=top, axis=axis, bottoms=tops)]

    def narrowed(self, blob: str, shape: Shape, top: str) -> list[Any] | None:
        """Two parts of an axis, each taken by itself, joined."""
        axis = self.rng.randint(1, len(shape))
        extent = shape[axis - 1]
        if extent < 2:
            return None
        at = self.rng.randint(1, extent - 1)
        one = NarrowLayer(name=f"{top}.0", axis=axis, start=0, length=at, bottoms=[blob])
        two = NarrowLayer(name=f"{top}.1", axis=axis, start=at, length=extent - at, bottoms=[blob])
        return [one, two, ConcatLayer(name=top, axis=axis, bottoms=[one.name, two.name])]

    def reshaped(self, blob: str, shape: Shape, top: str) -> list[Any] | None:
        other = self.rng.choice(((prod(shape),), shape[::-1], (1, prod(shape)), (prod(shape), 1)))
        there = ReshapeLayer(name=f"{top}.r", shape=other, bottoms=[blob])
        return [there, ReshapeLayer(name=top, shape=shape, bottoms=[there.name])]

    def permuted(self, blob: str, shape: Shape, top: str) -> list[Any] | None:
        order = (0, *self.rng.sample(range(1, len(shape) + 1), len(shape)))
        there = PermuteLayer(name=f"{top}.p", order=order, bottoms=[blob])
        back = tuple(order.index(axis) for axis in range(len(order)))
        return [there, PermuteLayer(name=top, order=back, bottoms=[there.name])]

    def padded(self, blob: str, shape: Shape, top: str) -> list[Any] | None:
        """Zeros around an image, and back."""
        if len(shape) < 2:
            return None
        before, after = ([self.rng.randint(0, 2) for _ in shape[1:]] for _ in "ab")
        pad = PadLayer(name=f"{top}.pad", before=tuple(before), after=tuple(after), bottoms=[blob])
        layers: list[Any] = [pad]
        for axis, (start, length) in enumerate(zip(before, shape[1:], strict=True), 2):
            name = top if axis == len(shape) else f"{top}.n{axis}"
            how: dict[str, Any] = {"axis": axis, "start": start, "length": length, "bottoms": [layers[-1].name]}
            layers.append(NarrowLayer(name=name, **how))
        return layers

    def halves(self, blob: str, shape: Shape, top: str) -> list[Any] | None:
        add = ElementWiseFunctors.Add()
        return [ElementWiseLayer(name=top, operation=add, coefficients=(0.5, 0.5), bottoms=[blob, blob])]

    def doubled(self, blob: str, shape: Shape, top: str) -> list[Any] | None:
        twice = PowerLayer(name=f"{top}.2", scale=2.0, bottoms=[blob])
        return [twice, PowerLayer(name=top, scale=0.5, bottoms=[twice.name])]

    def negated(self, blob: str, shape: Shape, top: str) -> list[Any] | None:
        there = FunctionLayer(name=f"{top}.n", function="neg", bottoms=[blob])
        return [there, FunctionLayer(name=top, function="neg", bottoms=[there.name])]


DETOURS: tuple[Detour, ...] = (
    NetRewriter.identity,
    NetRewriter.split,
    NetRewriter.sliced,
    NetRewriter.narrowed,
    NetRewriter.reshaped,
    NetRewriter.permuted,
    NetRewriter.padded,
    NetRewriter.halves,
    NetRewriter.doubled,
    NetRewriter.negated,
)
