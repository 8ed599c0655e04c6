"""Warnings about nets that are legal but probably not intended.

They concern values of fields (Layer.doubt), the order of layers, images whose channels are last or missing, and losses
whose bottom certainly holds another kind of numbers than they expect: a softmax before a loss that includes it, or
scores where probabilities are expected.

A convolution would read images with channels last as many narrow ones, and images without channels as signals. This is
guessed from the shape of a sample, so no net is rejected; the tracer adds the hint to an error that it finds.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence

from mochac.base.support.log import tell_once
from mochac.nets.layers._losses import Loss
from mochac.nets.layers.base import Layer
from mochac.nets.layers.convolution import Convolving
from mochac.nets.layers.element_wise import ActivationLayer, SoftmaxLayer
from mochac.nets.layers.inner_product import InnerProductLayer
from mochac.nets.layers.neurons import Identity, Sigmoid
from mochac.nets.layers.pooling import PoolingLayer
from mochac.nets.wiring import Placed, described


def warn_of_fields(net: str, layers: Sequence[Layer]) -> None:
    """Log doubtful layers of a net, once per process, in the order of the user's list."""
    for message in _overtaken(layers):
        tell_once(f"net {net!r}: {message}", logging.WARNING)
    for layer in layers:
        if layer.doubt:
            tell_once(f"net {net!r}: {described(layer)}: {layer.doubt}", logging.WARNING)


def _overtaken(layers: Sequence[Layer]) -> Iterator[str]:
    """Warnings about layers that are listed before an in-place layer with the same bottom, whose result they read."""
    for k, layer in enumerate(layers):
        if not _replaces(layer):
            continue
        for reader in layers[:k]:
            for blob in sorted(set(reader.reads) & set(layer.tops)):
                if not _replaces(reader):
                    yield (
                        f"{described(reader)} comes first, but reads the result of the in-place {described(layer)}, as "
                        f"all readers of blob {blob!r} do; give the in-place layer a top of its own to keep the blob"
                    )


def _replaces(layer: Layer) -> bool:
    """Whether a layer names its bottoms as its tops, as in Caffe."""
    return layer.in_place and bool(layer.tops) and tuple(layer.tops) == tuple(layer.bottoms)


CHANNELS = (1, 3, 4)
"""Channels of grey images, of colour images, and of colour images with transparency."""

TRANSPOSE = "X.transpose(0, 3, 1, 2)"
"""Expression that converts such images to NCHW."""

Shape = tuple[int, ...]


def warn_of_channels(layers: Sequence[Layer], samples: Mapping[str, Shape]) -> None:
    """Log layers with a kernel that seem to read images with channels last or missing, once per process.

    Args:
        samples: shape of one sample, by blob.
    """
    for layer in layers:
        for blob in suspects(layer, samples):
            words = f"layer {layer.name!r} ({layer.kind}): samples of blob {blob!r} have the shape {samples[blob]}"
            wanted = f"expected (batch, channels, height, width): {TRANSPOSE}"
            tell_once(f"{words}, which looks like (height, width, channels); {wanted}", logging.WARNING)
        for blob in layer.bottoms if slides(layer) and isinstance(_kernel(layer), int) else ():
            if looks_without_channels(shape := samples.get(blob, ())):
                words = f"layer {layer.name!r} ({layer.kind}): samples of blob {blob!r} have the shape {shape}"
                wanted = f"X[:, None] has one channel; kernel=({_kernel(layer)},) says that they are signals"
                looks = "which looks like (height, width) without an axis of channels"
                tell_once(f"{words}, {looks}; {wanted}", logging.WARNING)


def suspects(layer: Layer, samples: Mapping[str, Shape]) -> list[str]:
    """The bottoms of `layer` that look like images with channels last; empty if it has no kernel."""
    return [b for b in layer.bottoms if slides(layer) and looks_channels_last(samples.get(b, ()))]


def looks_channels_last(sample: Shape) -> bool:
    """Whether one sample looks like (height, width, channels).

    >>> [looks_channels_last(sample) for sample in [(28, 28, 1), (32, 48, 3), (3, 32, 32), (1, 4, 3), (64, 4, 4)]]
    [True, True, False, False, False]
    """
    return len(sample) == 3 and sample[2] in CHANNELS and min(sample[:2]) > sample[2]


def looks_without_channels(sample: Shape) -> bool:
    """Whether one sample looks like (height, width): a square, since signals rarely are as long as they have channels.

    >>> [looks_without_channels(sample) for sample in [(28, 28), (3, 128), (1, 28, 28), (2, 2)]]
    [True, False, False, False]
    """
    return len(sample) == 2 and sample[0] == sample[1] > max(CHANNELS)


def slides(layer: Layer) -> bool:
    """Whether it has a kernel wider than 1: under narrower ones, signals (channels, length, 1) are legal."""
    kernel = _kernel(layer)
    return (kernel if isinstance(kernel, int) else kernel[-1]) > 1


def _kernel(layer: Layer) -> int | tuple[int, ...]:
    """The kernel; 0 for a layer without one."""
    return layer.kernel if isinstance(layer, (Convolving, PoolingLayer)) else 0


def warn_of_scores(net: str, order: Sequence[Placed]) -> None:
    """Log losses whose bottom is of another kind than they expect, once per process, in the order of layers."""
    makers: dict[str, Layer] = {}
    for placed in order:
        layer = placed.layer
        maker = makers.get(layer.bottoms[0]) if isinstance(layer, Loss) else None
        if isinstance(layer, Loss) and maker is not None and (kind := _kind(maker)) in layer.unsuited:
            words = f"net {net!r}: {described(layer)}: {layer.unsuited[kind]}"
            tell_once(f"{words}; bottom {layer.bottoms[0]!r} is {WORDS[kind]} {maker.name!r}", logging.WARNING)
        makers.update(dict.fromkeys(placed.tops, layer))


WORDS = {"scores": "any numbers, of layer", "softmax": "the softmax of layer", "sigmoid": "the sigmoid of layer"}
"""Descriptions of the kinds, for messages."""


def _kind(layer: Layer) -> str:
    """The kind of numbers in a layer's tops, "" if it is not known."""
    if isinstance(layer, SoftmaxLayer):
        return "softmax"
    neuron = layer.neuron if isinstance(layer, (InnerProductLayer, Convolving, ActivationLayer)) else None
    if isinstance(neuron, Identity) and not isinstance(layer, ActivationLayer):
        return "scores"
    return "sigmoid" if isinstance(neuron, Sigmoid) else ""
