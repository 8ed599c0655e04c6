"""planes: kernels that compute a whole image plane and read it while it is in cache.

    each n, c:   each oh, ow { plane[oh, ow] = conv }  each ph, pw { pool over plane }
    each co, ci, kh, kw:   sum n { each ih, iw { plane[ih, iw] = gradient of a pool }  sum oh, ow { x * plane } }

fuse uses it to decide which nodes may share such a kernel; to_kernels uses it to write the loops. A pool with whole,
disjoint windows needs no plane: its windows are computed where they are pooled.
"""

from __future__ import annotations

from collections.abc import Mapping

from mochac.ir.graph import Attr, BoundNode, Node
from mochac.ir.kernel_build import KernelBuilder, Nest
from mochac.ir.op import OPS, lowering
from mochac.ir.types import TensorType
from mochac.passes.groups import Group

GRADIENT = 1
"""Position of the gradient among the operands of a weight gradient."""
MOST_CELLS = 2048
"""Largest size of a plane: a few channels of it, in vectors, should stay in the L2 cache."""


MOST_TAPS = 13
"""Most taps in a row of a filter: as many accumulators as fit into 16 registers, with two operands."""


def is_pool(node: Node) -> bool:
    """Whether a node is a pooling op (not a gradient)."""
    return OPS[node.op].kind == "window" and "stride" in node.attr and "shape" not in node.attr


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
    sides = zip(windows, _pair(node.attr["kernel"]), x.shape[2:], strict=True)
    return all(count * size <= extent for count, size, extent in sides)


def _pair(attr: Attr) -> tuple[int, int]:
    """A (height, width) attribute."""
    assert isinstance(attr, tuple)
    height, width = attr
    assert isinstance(height, int) and isinstance(width, int)
    return height, width


def plane_pool(group: Group, types: Mapping[str, TensorType]) -> Node | None:
    """The pool of a group that computes planes; None if there is no pool or its windows are computed in place."""
    own = {out.name for node in group.nodes for out in node.outputs}
    pool = next((node for node in group.nodes if is_pool(node) and node.inputs[0] in own), None)
    return None if pool is None or whole_windows(pool, types[pool.inputs[0]]) else pool


def plane_body(k: KernelBuilder, group: Group, pool: Node, types: Mapping[str, TensorType]) -> None:
    """Loops n, c around the loops that fill the plane and those of the pool. Only the pool's results are stored."""
    source = types[pool.inputs[0]]
    samples, channels, *image = source.shape
    with k.each("n", samples) as n, k.each("c", channels) as c:
        plane = k.local("plane", source.dtype, shape=tuple(image))
        with k.each("oh", image[0]) as oh, k.each("ow", image[1]) as ow:
            k.set(plane, k.value(pool.inputs[0], (n, c, oh, ow)), oh, ow)
        k.planes[pool.inputs[0]] = plane
        sizes = pool.outputs[0].type.shape[2:]
        with k.each("ph", sizes[0]) as ph, k.each("pw", sizes[1]) as pw:
            index = (n, c, ph, pw)
            values = [(name, k.value(name, index)) for name in group.outputs]  # before any store: see in_place
            for name, value in values:
                k.store(name, index, value)


def reads_planes(node: Node) -> bool:
    """Whether a node is the weight gradient of a convolution with a filter narrow enough that a row of its taps fits
    into registers. It reads each plane of the gradient many times."""
    if OPS[node.op].kind != "contraction" or not {"stride", "kernel"} <= set(node.attr):
        return False
    return _pair(node.attr["kernel"])[1] <= MOST_TAPS


def makes_planes(node: Node) -> bool:
    """Whether an op can compute its result plane by plane."""
    lower = lowering(node)
    return isinstance(lower, Nest) and lower.plane is not None


def plane_makers(group: Group, root: Node, bound: Mapping[str, BoundNode]) -> dict[str, BoundNode]:
    """The gradient that the root of a group reads plane by plane -> the node of the group that computes it."""
    own = {out.name for node in group.nodes for out in node.outputs}
    maker = next((node for node in group.nodes if makes_planes(node)), None)
    if maker is None or not reads_planes(root) or root.inputs[GRADIENT] not in own:
        return {}
    return {root.inputs[GRADIENT]: bound[maker.outputs[0].name]}
