"""Rules of fuse about operands: a kernel computes what it reads, so that a large value is never stored.

    pull           a pool takes in the convolution, a reduction the maps that it reads
    pull_gradient  a weight gradient takes in the gradient of a pool, and sums of each image beside it
    pull_tiles     the product of a fast convolution takes in the transforms of its tiles

Pools with whole, disjoint windows and reductions do so if they are the only reader; other pools do so if the image of a
channel is blocked and stays in cache, and then read back what is stored for other readers.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import prod

from mochac.ir.graph import Attr, Node
from mochac.ir.op import OPS
from mochac.ir.passes.fuse_maps import SEPARATE_RANDOM
from mochac.ir.passes.group_graph import OTHER_READERS, NodeGroups
from mochac.ir.types import TensorType

GRADIENT = 1
"""Position of the gradient among the operands of a weight gradient."""
MAX_CELLS = 2048
"""Maximum elements of an image that a kernel computes before it reads it: a few channels, in vectors, should stay in
L2."""
MAX_TAPS = 13
"""Maximum taps in a row of a filter: as many accumulators as fit into 16 registers beside two operands."""
Refuse = Callable[[NodeGroups, int, int, int], str]
"""Why the group of the maker of an operand and the node that reads it should not merge, by the numbers of maker, node
and group; "" if they should."""
OVERLAPPING = "its windows overlap or touch padding: elements would be computed more than once"


def pull(g: NodeGroups, i: int) -> None:
    """Merge a pool or a reduction, but not a gradient of a pool, with what computes its operand."""
    if g.kind(i) == "reduce" or (g.kind(i) == "window" and "shape" not in g.nodes[i].attr):
        _pull(g, i, 0, _refuse_pool if is_pool(g.nodes[i]) else _refuse_reduction)


def pull_gradient(g: NodeGroups, i: int) -> None:
    """Merge a weight gradient, which stays the root, with the gradient of a pool and with sums of each image."""
    if sums_images(g.nodes[i]) and _pull(g, i, GRADIENT, _refuse_gradient):
        g.root[g.of[i]] = g.nodes[i]
        for beside in _image_sums(g, g.maker[g.nodes[i].inputs[GRADIENT]]):
            g.join(g.of[i], g.of[beside])


def pull_tiles(g: NodeGroups, i: int) -> None:
    """Merge a contraction of tiles with the transforms that make its operands, and a transform with the contraction
    of tiles that it reads: a kernel transforms a few tiles, multiplies them and transforms the products, while all of
    them are near. A transform also reads images that other contractions make, and makes images that others read."""
    for operand, name in enumerate(g.nodes[i].inputs):
        pair = {i, g.maker.get(name, i)}
        by_tiles = any(OPS[g.nodes[m].op].of_tiles for m in pair) and any(g.kind(m) == "transform" for m in pair)
        if by_tiles and _pull(g, i, operand, _refuse_tiles):
            g.root[g.of[i]] = g.nodes[i]


def _pull(g: NodeGroups, i: int, operand: int, refuse: Refuse) -> bool:
    """Merge the group of node i, which keeps its domain, with the one that computes an operand. Returns whether they
    were merged."""
    maker = g.maker.get(g.nodes[i].inputs[operand])
    if maker is None or g.of[maker] == g.of[i] or OPS[g.nodes[i].op].alone:
        return False
    domain = g.domain[g.of[i]]
    joined = g.join(g.of[maker], g.of[i], partial(_refuse, g, maker, i, refuse), edges=[(maker, i)])
    if joined:
        g.domain[g.of[i]] = domain
    return joined


def _refuse(g: NodeGroups, maker: int, i: int, refuse: Refuse, a: int, _: int) -> str:
    placed = sorted(g.placing & g.members[a])
    stored = f"{g.nodes[placed[0]].op} stores several elements of its result at once" if placed else ""
    return g.never(maker) or stored or refuse(g, maker, i, a)


def _refuse_pool(g: NodeGroups, maker: int, i: int, a: int) -> str:
    """Why a pool may not take in group a; "" if it may."""
    node, members = g.nodes[i], g.members[a]
    x, kinds = g.types[node.inputs[0]], set(map(g.kind, members))
    if any(map(g.is_separate_random, members)):
        return SEPARATE_RANDOM
    if "contraction" not in kinds or "window" in kinds:
        return "a pool can take in only a contraction and its epilogue"
    if "transform" in kinds:
        return "the convolution is computed by tiles, whose results are stored several at a time"
    if _read_again(g, a, i):
        return _refuse_stored(g, maker, i, a) or _refuse_plane(g, a, node)
    if OPS[node.op].channels and x.shape[0] > 1:
        return "its channels lie side by side in several samples: vectors of them hold one sum of a window"
    return "" if whole_windows(node, x) else _refuse_plane(g, a, node)


def _refuse_reduction(g: NodeGroups, maker: int, i: int, a: int) -> str:
    """Why a reduction, or another window, may not take in group a; "" if it may."""
    if any(map(g.is_separate_random, g.members[a])):
        return SEPARATE_RANDOM
    if g.kind(i) == "window":
        return OVERLAPPING
    root = g.root[a]
    if root is not None:
        return f"a reduction can take in only elementwise work, not {root.op}"
    return OTHER_READERS if _read_again(g, a, i) else ""


def _read_again(g: NodeGroups, a: int, i: int) -> bool:
    """Whether a value of a group is needed by others than node i."""
    return any(g.leaves(m, g.members[a] | {i}) for m in g.members[a])


def _refuse_plane(g: NodeGroups, a: int, node: Node) -> str:
    """Why a pool may not take in a convolution plane by plane; "" if it may."""
    x, root = g.types[node.inputs[0]], g.root[a]
    if not x.lanes or root is None or not is_dense(root) or "shape" in root.attr:
        if not is_partition(node):
            return OVERLAPPING
        return "its last windows extend beyond the image: the contraction could not run in whole tiles"
    if x != g.domain[a].with_(dtype=x.dtype) or not stays_near(x):
        return "planes of the image would not stay in cache until they are pooled"
    return ""


def _refuse_stored(g: NodeGroups, maker: int, i: int, a: int) -> str:
    """Why a pool may not take in a convolution whose results others read, too; "" if it may read the stored results
    back."""
    x = g.types[g.nodes[i].inputs[0]]
    others = any(g.leaves(m, g.members[a] | {i}) for m in g.members[a] if m != maker)
    if others or not x.lanes or len(g.nodes[maker].outputs) > 1:
        return OTHER_READERS
    return "" if x.shape[0] % x.lanes == 0 else f"{OTHER_READERS}, and its samples fill no whole blocks"


def _refuse_gradient(g: NodeGroups, maker: int, i: int, a: int) -> str:
    """Why a weight gradient may not take in group a; "" if it may."""
    x, root = g.types[g.nodes[i].inputs[GRADIENT]], g.root[a]
    if root is None or not is_pool_gradient(root):
        return own_loops(g.nodes[i])
    if any(g.leaves(m, g.members[a] | {i} | _image_sums(g, maker)) for m in g.members[a]):
        return OTHER_READERS
    if not is_dense(g.nodes[i]) or not stays_near(x):
        return "planes of the image would not stay in cache while they are read"
    if x.lanes < g.target.lanes:
        return "samples fill a part of a vector: the weight gradient packs images, which planes are not"
    return ""


def _refuse_tiles(g: NodeGroups, maker: int, i: int, a: int) -> str:
    """Why a contraction of tiles and a transform of theirs may not merge; "" if they may."""
    if not g.nodes[maker].outputs[0].type.batch:
        return "it is the same for all samples, and computed once"
    return OTHER_READERS if g.leaves(maker, {i}) else ""


def _image_sums(g: NodeGroups, maker: int) -> set[int]:
    """The nodes that add up each image of a value, which a weight gradient may do while the image is near. Samples must
    fill whole blocks, since a tail is packed only for the weight gradient itself."""
    x = g.nodes[maker].outputs[0].type
    if not x.lanes or x.shape[0] % x.lanes:
        return set()
    return {r for r in g.readers_of(maker) if sums_each_image(g.nodes[r], x)}


def own_loops(node: Node) -> str:
    """Why an op with loops of its own does not compute what it reads."""
    if OPS[node.op].kind == "contraction":
        return f"{node.op} reads each element more than once: storing them is cheaper than recomputing"
    return f"{node.op} has loops of its own, in which this value cannot be computed"


# What passes ask about pools and weight gradients.


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
    return bool(x.lanes) and prod(x.shape[2:]) <= MAX_CELLS


def sums_images(node: Node) -> bool:
    """Whether a node is the weight gradient of a convolution with a filter narrow enough that a row of its taps fits
    into registers. It reads each image of the gradient many times."""
    if OPS[node.op].kind != "contraction" or not {"stride", "kernel"} <= set(node.attr):
        return False
    return sizes(node.attr["kernel"])[-1] <= MAX_TAPS


def sums_each_image(node: Node, x: TensorType) -> bool:
    """Whether a node adds up each image of x: a number for every sample and channel."""
    return node.op == "reduce_sum" and x.batch and node.attr.get("axes") == tuple(range(2, len(x.shape)))


def sizes(attr: Attr) -> tuple[int, ...]:
    """An attribute with one number per spatial axis."""
    assert isinstance(attr, tuple)
    return tuple(size for size in attr if isinstance(size, int))
