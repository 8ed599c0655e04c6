"""Warns about images with channels last, and about images without an axis of channels.

A convolution would read the first as many narrow images, and the second as signals.

Net checks the shapes of its data here, and the tracer asks for the hint of an error. The check only guesses from the
shape of a sample, so it never rejects one.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence

from mochac.base.support.log import tell_once
from mochac.nets.layers._convolving import Convolving
from mochac.nets.layers.base import Layer
from mochac.nets.layers.pooling import PoolingLayer

CHANNELS = (1, 3, 4)
"""Channels of grey images, of colour images, and of colour images with transparency."""

TRANSPOSE = "X.transpose(0, 3, 1, 2)"
"""Expression that converts such images to NCHW."""

Shape = tuple[int, ...]


def warn(layers: Sequence[Layer], samples: Mapping[str, Shape]) -> None:
    """Log, once per process, the layers with a kernel that read such images from a data layer.

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
