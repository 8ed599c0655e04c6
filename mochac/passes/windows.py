"""windows: what fuse and choose_library ask about pools: do their windows overlap, do they lie inside the image."""

from __future__ import annotations

from mochac.ir.graph import Attr, Node
from mochac.ir.op import OPS
from mochac.ir.types import TensorType


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
    return attr.get("stride") == attr.get("kernel") and attr.get("pad") == (0, 0)


def is_full(node: Node, x: TensorType) -> bool:
    """Whether all windows of a partition lie inside the image (sizes are rounded up)."""
    _, _, *windows = node.outputs[0].type.shape
    sides = zip(windows, pair(node.attr["kernel"]), x.shape[2:], strict=True)
    return all(count * size <= extent for count, size, extent in sides)


def pair(attr: Attr) -> tuple[int, int]:
    """A (height, width) attribute."""
    assert isinstance(attr, tuple)
    height, width = attr
    assert isinstance(height, int) and isinstance(width, int)
    return height, width
