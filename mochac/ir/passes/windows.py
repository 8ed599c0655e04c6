"""windows: what passes ask about pools: whether their windows overlap, whether they lie inside the image, and whether
an image of their gradient stays near the weight gradient that reads it."""

from __future__ import annotations

from math import prod

from mochac.ir.graph import Attr, Node
from mochac.ir.op import OPS
from mochac.ir.types import TensorType

GRADIENT = 1
"""Position of the gradient among the operands of a weight gradient."""
MOST_CELLS = 2048
"""Maximum elements of an image that a kernel computes before it reads it: a few channels, in vectors, should stay in
L2."""
MOST_TAPS = 13
"""Maximum taps in a row of a filter: as many accumulators as fit into 16 registers beside two operands."""


def is_pool(node: Node) -> bool:
    """Whether a node is a pooling op (not a gradient)."""
    return OPS[node.op].kind == "window" and "stride" in node.attr and "shape" not in node.attr


def is_pool_gradient(node: Node) -> bool:
    """Whether a node is the gradient of a pooling whose windows all count the same number of cells."""
    gradient = OPS[node.op].kind == "window" and {"stride", "shape"} <= set(node.attr)
    return gradient and node.attr.get("divisor", "kernel") == "kernel"


def whole_windows(node: Node, x: TensorType) -> bool:
    """Whether every element is in at most one window of a pool, and no window touches padding or the image's edge."""
    return is_partition(node) and is_full(node, x)


def is_partition(node: Node) -> bool:
    """Whether every element is in at most one window of a pool, and no window touches padding."""
    attr = node.attr
    return attr.get("stride") == attr.get("kernel") and not any(sizes(attr["pad"]))


def is_full(node: Node, x: TensorType) -> bool:
    """Whether all windows of a partition lie inside the image. Not of many nets, whose pools have one axis more and are
    kernels of their own."""
    windows, image = (_image(node, t) for t in (node.outputs[0].type, x))
    kernel = sizes(node.attr["kernel"])
    if len(windows) != len(kernel):
        return False
    return all(count * size <= extent for count, size, extent in zip(windows, kernel, image, strict=True))


def _image(node: Node, t: TensorType) -> tuple[int, ...]:
    """The extents of images that a pool reads or makes."""
    sizes = list(t.shape[1:])
    if sizes:
        del sizes[OPS[node.op].channels]
    return tuple(sizes)


def is_dense(node: Node) -> bool:
    """Whether neighbouring results of a convolution read neighbouring elements of all channels of its input."""
    attr = node.attr
    return attr.get("group", 1) == 1 and "dilation" not in attr and set(sizes(attr.get("stride", ()))) == {1}


def stays_near(x: TensorType) -> bool:
    """Whether a kernel may compute blocked images one by one, before it reads them."""
    return bool(x.lanes) and prod(x.shape[2:]) <= MOST_CELLS


def sums_images(node: Node) -> bool:
    """Whether a node is the weight gradient of a convolution with a filter narrow enough that a row of its taps fits
    into registers. It reads each image of the gradient many times."""
    if OPS[node.op].kind != "contraction" or not {"stride", "kernel"} <= set(node.attr):
        return False
    return sizes(node.attr["kernel"])[-1] <= MOST_TAPS


def sums_each_image(node: Node, x: TensorType) -> bool:
    """Whether a node adds up each image of x: a number for every sample and channel."""
    return node.op == "reduce_sum" and x.batch and node.attr.get("axes") == tuple(range(2, len(x.shape)))


def sizes(attr: Attr) -> tuple[int, ...]:
    """An attribute with one number per spatial axis."""
    assert isinstance(attr, tuple)
    return tuple(size for size in attr if isinstance(size, int))
