"""fast_convolutions: compute convolutions by tiles, with fewer multiplications (Winograd; ops/_winograd.py).

    %y = conv(%x, %w, %b)    ->    %y.filter = winograd_filter(%w) {tile = (4,4)}
                                   %y.tiles = winograd_input(%x) {tile = (4,4), kernel = (3,3), pad = (1,1), ..}
                                   %y.products = winograd_product(%y.tiles, %y.filter) {flops = ..}
                                   %y = winograd_output(%y.products, %b) {tile = (4,4), ..}

A data gradient, conv_dx, is the same with flipped filters. Only float32 convolutions of blocked images change, with
stride 1, one group and neighbouring taps, where the target finds tiles faster. The last three nodes become one kernel.
The pipeline runs it after assign_layout; as a named pass it uses tiles of 4 results along every axis that has room.
"""

from __future__ import annotations

from collections.abc import Callable

from mochac.ir.graph import BoundNode, Graph, Value
from mochac.ir.op import OPS
from mochac.ir.rewrite import Rewriter, rewrite
from mochac.ops._correlation import Correlation
from mochac.passes import graph_pass

TileOf = Callable[[BoundNode], tuple[int, ...]]
"""Results of a tile along each axis of a convolution's image; () to leave it direct."""


def fast_convolutions(graph: Graph, tile_of: TileOf) -> Graph:
    """Replace the convolutions and data gradients for which `tile_of` returns a tile."""
    return rewrite(graph, lambda r, bound: _by_tiles(r, bound, tile_of))


@graph_pass("fast_convolutions")
def _by_four(graph: Graph) -> Graph:
    def tile_of(bound: BoundNode) -> tuple[int, ...]:
        c = Correlation.of(bound)
        return () if c is None else tuple(4 if 1 < r <= 5 else 2 if 5 < r <= 7 else 1 for r in c.kernel)

    return fast_convolutions(graph, tile_of)


def _by_tiles(r: Rewriter, bound: BoundNode, tile_of: TileOf) -> tuple[Value, ...] | None:
    c = Correlation.of(bound)
    if c is None or bound.inputs[0].type.dtype != "f32" or not c.lanes:
        return None
    tile = tile_of(bound)
    if max(tile, default=1) == 1:
        return None
    (x, w, *bias), name = bound.inputs, bound.outputs[0].name
    sizes = {"tile": tile, "kernel": c.kernel, "out": c.out}
    flipped = {"flipped": True} if c.flipped else {}
    u = r.op("winograd_filter", w, name=f"{name}.filter", tile=tile, **flipped)
    v = r.op("winograd_input", x, name=f"{name}.tiles", pad=c.pad, **sizes)
    nominal = OPS[bound.node.op].flops
    m = r.op("winograd_product", v, u, name=f"{name}.products", flops=nominal(bound) if nominal else 0)
    return (r.op("winograd_output", m, *bias, name=name, **sizes),)
