"""TiledGradient: a sum over samples of products of two transforms, a row of tiles at a time (ops/_winograd.py).

each p {                                                                            group
  each q { each f { each c { s[q, f, c] = 0 } } }                                   sums s
  sum n { sum th {                                                                  batch n, rows (th)
    each c { each tw { .. v[.., c, tw] = g(x[n, c, ..]) } }                         image
    each f { each tw { .. e[.., f, tw] = h(dy[n, f, ..]) } }                        gradient
    each q { each f { each c { sum tw { s[q, f, c] += e[q, f, tw] * v[q, c, tw] } } } }
  } }
  each f { each q { each c { m[p, f, q, c] = s[q, f, c] } } }
}
"""

from __future__ import annotations

from mochac.base.records import record
from mochac.codegen.analysis.tiled_sum import TransformNest
from mochac.ir.kernel import Kernel, Load, Loop, Stmt, loaded_buffers, multiply_adds, walk, written_buffers
from mochac.ir.nest import band


@record
class TransformedFactor:
    """A factor of the products, which a nest transforms.

    Attributes:
        buffer: what is transformed.
        tiles: the local with its transformed tiles.
        nest: the loops that transform it.
    """

    buffer: str
    tiles: str
    nest: TransformNest


@record
class TiledGradient:
    """Such a kernel, with its loops by their roles.

    Attributes:
        group, batch, rows: the loops around all: over groups of samples, samples of a group and rows of tiles (of
            images with one axis, none).
        even: whether all groups have the same number of samples.
        image, gradient: the factors.
        image_first: which of them is computed first.
        sums: the local with the sums.
        number, filter, channel, column: the loops of the products.
        ends: the loops over channels that set the sums to 0, and that store them.
        over_filters: all loops over filters.
        small: locals of the transforms, which hold lines of a tile.
    """

    group: str
    batch: str
    rows: tuple[str, ...]
    even: bool
    image: TransformedFactor
    gradient: TransformedFactor
    image_first: bool
    sums: str
    number: str
    filter: str
    channel: str
    column: str
    ends: tuple[str, str]
    over_filters: tuple[str, ...]
    small: tuple[str, ...]


def tiled_gradient(kernel: Kernel) -> TiledGradient | None:
    """The kernel as such a sum; None if it is none."""
    outer = band(kernel.body, kind="each")
    parts = outer[0].body if len(outer) == 1 else ()
    if len(parts) != 3:
        return None
    ends = [band((s,), kind="each") for s in (parts[0], parts[2])]
    around = band((parts[1],), kind="sum")
    body = around[-1].body if around else ()
    if len(body) != 3 or {len(loops) for loops in ends} != {3}:
        return None
    products, sums = band(body[2:], kind="each"), [s for s in walk(body[2:]) if isinstance(s, Loop) and s.kind == "sum"]
    adds = multiply_adds(body[2:])
    locals_ = {b.name for b in kernel.locals}
    sides = [side for s in body[:2] if (side := _side(s, loaded_buffers(body[2:]), locals_)) is not None]
    if len(products) != 3 or not len(sums) == len(adds) == 1 or len(sides) != 2:
        return None
    number, filter, channel = (loop.var for loop in products)
    loads = {s.buffer: s for s in walk(body[2:]) if isinstance(s, Load)}
    moved = [{v for i in loads[side.tiles].index for v in i.vars} & {filter, channel} for side in sides]
    if sorted(moved, key=sorted) != sorted(({filter}, {channel}), key=sorted):
        return None
    image_first = moved[0] == {channel}
    image, gradient = sides if image_first else sides[::-1]
    small = written_buffers(body[:2]) & locals_ - {image.tiles, gradient.tiles}
    return TiledGradient(
        outer[0].var,
        around[0].var,
        tuple(loop.var for loop in around[1:]),
        around[0].extent is not None,
        image,
        gradient,
        image_first,
        adds[0].buffer,
        number,
        filter,
        channel,
        sums[0].var,
        (ends[0][-1].var, ends[1][-1].var),
        (ends[0][1].var, gradient.nest.channel, filter, ends[1][0].var),
        tuple(b.name for b in kernel.locals if b.name in small),
    )


def _side(stmt: Stmt, read: set[str], locals_: set[str]) -> TransformedFactor | None:
    """The nest that computes one of the locals in `read`."""
    nest = TransformNest.of(stmt)
    made, images = written_buffers((stmt,)) & read & locals_, loaded_buffers((stmt,)) - locals_
    if nest is None or not len(made) == len(images) == 1:
        return None
    return TransformedFactor(images.pop(), made.pop(), nest)
