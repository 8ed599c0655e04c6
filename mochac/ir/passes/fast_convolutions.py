"""fast_convolutions: compute convolutions by tiles, with fewer multiplications (Winograd; ops/_winograd.py).

    %y = conv(%x, %w, %b)      ->    %y.transformed = winograd_filter(%w) {tile = (4,4)}
                                     %y.tiles = winograd_input(%x) {tile = (4,4), kernel = (3,3), pad = (1,1), ..}
                                     %y.products = winograd_product(%y.tiles, %y.transformed) {flops = ..}
                                     %y = winograd_output(%y.products, %b) {tile = (4,4), ..}

A data gradient, conv_dx, is the same with flipped filters, or the adjoint, whose tiles are those of %dy:

    %dx = conv_dx(%dy, %w)     ->    %dx.gradients = winograd_gradient(%dy) {..}
                                     %dx.products = winograd_product(%dx.gradients, %y.transformed) {swapped = true, ..}
                                     %dx = winograd_input_dx(%dx.products) {pad = (0,0), image = (12,12), ..}

In a weight gradient, conv_dw, transformed images meet transformed gradients:

    %dw = conv_dw(%x, %dy)     ->    %dw.tiles = winograd_input(%x) {..}
                                     %dw.gradients = winograd_gradient(%dy) {..}
                                     %dw.products = winograd_product_dw(%dw.gradients, %dw.tiles) {group_size = 32, ..}
                                     %dw = winograd_filter_dw(%dw.products) {..}

Only float32 convolutions of blocked images change, with stride 1, one group and neighbouring taps, where the target
finds tiles faster. All but the transforms of filters become one kernel. The pipeline runs it after assign_layout; as a
named pass it uses tiles of 4 results along every axis that has room.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod

from mochac.ir.build import Rewriter, rewrite
from mochac.ir.graph import BoundNode, Graph, Value
from mochac.ir.op import OPS
from mochac.ir.ops._window import Correlation, Tiles
from mochac.ir.ops._winograd import Tiling
from mochac.ir.passes import graph_pass

TilesOf = Callable[[BoundNode], Tiles | None]
"""How to compute a convolution by tiles; None to leave it direct."""

MIN_GROUPS = 4
"""Minimum items of a weight gradient: each adds up its own group of samples."""
SUMS = 4
"""Beyond that, all sums together have at most 1 / SUMS of the elements that are read, since they are read again."""


def fast_convolutions(graph: Graph, tiles_of: TilesOf) -> Graph:
    """Replace the convolutions and gradients for which `tiles_of` returns tiles."""
    return rewrite(graph, lambda r, bound: _by_tiles(r, bound, tiles_of))


@graph_pass("fast_convolutions")
def _by_four(graph: Graph) -> Graph:
    def tiles_of(bound: BoundNode) -> Tiles | None:
        c = Correlation.of(bound)
        return None if c is None else Tiles(tuple(4 if 1 < r <= 5 else 2 if 5 < r <= 7 else 1 for r in c.kernel))

    return fast_convolutions(graph, tiles_of)


def _by_tiles(r: Rewriter, bound: BoundNode, tiles_of: TilesOf) -> tuple[Value, ...] | None:
    c = Correlation.of(bound)
    if c is None or bound.inputs[0].type.dtype != "f32" or not c.lanes:
        return None
    tiles = tiles_of(bound)
    if tiles is None or max(tiles.sizes) == 1:
        return None
    nodes = _weight_gradient if c.made == "weights" else _adjoint if tiles.adjoint else _results
    return (nodes(r, bound, c, tiles.sizes),)


def _results(r: Rewriter, bound: BoundNode, c: Correlation, tile: tuple[int, ...]) -> Value:
    """The nodes of a convolution or of a data gradient."""
    (x, w, *bias), name = bound.inputs, bound.outputs[0].name
    sizes = {"tile": tile, "kernel": c.kernel, "out": c.out}
    flipped = {"flipped": True} if c.made == "data" else {}
    u = _filters(r, w, name, tile=tile, **flipped)
    v = r.op("winograd_input", x, name=f"{name}.tiles", pad=c.pad, **sizes)
    m = r.op("winograd_product", v, u, name=f"{name}.products", flops=_nominal(bound))
    return r.op("winograd_output", m, *bias, name=name, **sizes)


def _adjoint(r: Rewriter, bound: BoundNode, c: Correlation, tile: tuple[int, ...]) -> Value:
    """The nodes of a data gradient as the adjoint of its convolution, with the same transformed filters."""
    (dy, w), name = bound.inputs, bound.outputs[0].name
    sizes = {"tile": tile, "kernel": c.kernel}
    pad = tuple(k - 1 - p for k, p in zip(c.kernel, c.pad, strict=True))
    u = _filters(r, w, name, tile=tile)
    e = r.op("winograd_gradient", dy, name=f"{name}.gradients", **sizes)
    m = r.op("winograd_product", e, u, name=f"{name}.products", swapped=True, flops=_nominal(bound))
    return r.op("winograd_input_dx", m, name=name, pad=pad, image=c.out, **sizes)


def _weight_gradient(r: Rewriter, bound: BoundNode, c: Correlation, tile: tuple[int, ...]) -> Value:
    """The nodes of a weight gradient: transformed images and gradients, sums over samples and tiles, filters."""
    (x, dy), name = bound.inputs, bound.outputs[0].name
    sizes = {"tile": tile, "kernel": c.kernel}
    v = r.op("winograd_input", x, name=f"{name}.tiles", pad=c.pad, out=c.out, **sizes)
    e = r.op("winograd_gradient", dy, name=f"{name}.gradients", **sizes)
    m = r.op(
        "winograd_product_dw", e, v, name=f"{name}.products", group_size=group_size(c, tile), flops=_nominal(bound)
    )
    return r.op("winograd_filter_dw", m, name=name, **sizes)


def _filters(r: Rewriter, w: Value, name: str, **attrs: object) -> Value:
    """Transformed filters, which a convolution and its data gradient may share."""
    for node in r.nodes:
        if (node.op, node.inputs, dict(node.attrs)) == ("winograd_filter", (w.name,), attrs):
            return r.values[node.outputs[0].name]
    return r.op("winograd_filter", w, name=f"{name}.transformed", **attrs)


def _nominal(bound: BoundNode) -> int:
    flops = OPS[bound.node.op].flops
    return flops(bound) if flops else 0


def group_size(c: Correlation, tile: tuple[int, ...]) -> int:
    """How many samples an item of a weight gradient adds up; a multiple of the lanes. It depends on sizes alone, so the
    number of threads or ranks never changes a sum.

    >>> layer = Correlation(128, 16, 16, (32, 32), (32, 32), (3, 3), (1, 1), 16, "weights")
    >>> group_size(layer, (4, 4))
    16
    """
    sums = Tiling(tile, c.kernel).products * c.filters * c.channels
    read = c.batch * (c.channels * prod(c.image) + c.filters * prod(c.out))
    blocks = -(-c.batch // c.lanes)
    groups = min(blocks, max(MIN_GROUPS, read // (SUMS * sums)))
    return -(-blocks // groups) * c.lanes
