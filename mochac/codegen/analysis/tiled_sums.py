"""Sums of products between transforms of tiles, and over samples of products of two transforms."""

from __future__ import annotations

from mochac.base.records import record
from mochac.ir.kernel import Accum, Body, Kernel, Load, Loop, Stmt, loaded_buffers, multiply_adds, walk, written_buffers
from mochac.ir.nest import band


@record
class TransformNest:
    """The nest of a transform: the loop over channels or filters, the one over tiles of a row ("" if tiles overlap),
    and the loops over lines of a tile, which are inside of it."""

    channel: str
    column: str
    lines: tuple[str, ...]

    @classmethod
    def of(cls, nest: Stmt) -> TransformNest | None:
        """The nest of a transform of tiles side by side; None if it is none."""
        outer = band((nest,), kind="each")
        return cls(outer[0].var, outer[1].var, _loops_in(outer[1].body)) if len(outer) > 1 else None


@record
class TiledSum:
    """Such a kernel, with its loops by their roles.

    each n { each th {                                                      batch n, rows (th)
      each c { each tw { .. v[.., c, tw] = f(x[n, c, ..]) } }               channel, column of `image`
      each q { each f { each tw { acc = 0; sum c { acc += v[q, c, tw] * u[q, f, c] }; m[q, f, tw] = acc } } }
      each f { each tw { y[n, f, ..] = g(m[.., f, tw]) } }                  `results`
    } }

    Where results of tiles overlap, those of all rows are added to an image, in near memory, before it is stored:

    each n {
      each th { each c { .. }  each q { .. } }                              rows `inner`
      each f { image[..] = 0; sum th { sum tw { image[..] += g(m[.., f, th, tw]) } }; y[n, f, ..] = image[..] }
    }

    Attributes:
        batch, rows: the loops around all: over samples, and over rows of tiles (of images with one axis, none).
        image: what is transformed.
        factors: the transformed filters, by which tiles are multiplied.
        tiles, products: the locals with transformed tiles and with sums of their products; axis 0 counts products.
        input, output: the transforms.
        number, filter, column, term: the loops of the product.
        small: locals of the transforms, which hold lines of a tile.
        inner: loops over rows that are not around all: before the schedule, around the first transform and the product;
            then inside of the transforms, while `column` goes over the tiles of these rows, too.
    """

    batch: str
    rows: tuple[str, ...]
    image: str
    factors: str
    tiles: str
    products: str
    input: TransformNest
    output: TransformNest
    number: str
    filter: str
    column: str
    term: str
    small: tuple[str, ...]
    inner: tuple[str, ...] = ()


def tiled_sum(kernel: Kernel) -> TiledSum | None:
    """The kernel as such a sum; None if it is none."""
    outer = band(kernel.body, kind="each")
    parts = outer[-1].body if outer else ()
    inner = band(parts[:1], kind="each") if len(parts) == 2 else []
    parts = (*inner[-1].body, *parts[1:]) if inner else parts
    nests = [s for s in parts if isinstance(s, Loop)]
    if not len(parts) == len(nests) == 3:
        return None
    first, middle, last = nests
    loops = band((middle,), kind="each")
    sums = [s for s in walk((middle,)) if isinstance(s, Loop) and s.kind == "sum"]
    if len(loops) != 3 or len(sums) != 1 or not multiply_adds(sums[0].body):
        return None
    locals_ = {b.name for b in kernel.locals}
    tiles = written_buffers((first,)) & loaded_buffers((middle,)) & locals_
    products = written_buffers((middle,)) & loaded_buffers((last,)) & locals_
    images, factors = (loaded_buffers((nest,)) - locals_ for nest in (first, middle))
    if not len(tiles) == len(products) == len(images) == len(factors) == 1:
        return None
    input_nest, output_nest = TransformNest.of(first), TransformNest.of(last) or _overlapping(last)
    if input_nest is None or output_nest is None or (inner and output_nest.column):
        return None
    added = {s.buffer for s in walk((last,)) if isinstance(s, Accum)}
    small = written_buffers((first, last)) & locals_ - tiles - products - added
    number, filter, column = (loop.var for loop in loops)
    return TiledSum(
        outer[0].var,
        tuple(loop.var for loop in outer[1:]),
        images.pop(),
        factors.pop(),
        tiles.pop(),
        products.pop(),
        input_nest,
        output_nest,
        number,
        filter,
        column,
        sums[0].var,
        tuple(b.name for b in kernel.locals if b.name in small),
        tuple(loop.var for loop in inner),
    )


def _overlapping(nest: Loop) -> TransformNest | None:
    """The nest that sets an image to 0, adds tiles to it and stores it."""
    parts = nest.body if nest.kind == "each" else ()
    tiles = band(parts[1:2], kind="sum") if len(parts) == 3 else []
    return TransformNest(nest.var, "", _loops_in(tiles[-1].body)) if tiles else None


def _loops_in(body: Body) -> tuple[str, ...]:
    return tuple(dict.fromkeys(s.var for s in walk(body) if isinstance(s, Loop)))


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

    each p {                                                                            group
      each q { each f { each c { s[q, f, c] = 0 } } }                                   sums s
      sum n { sum th {                                                                  batch n, rows (th)
        each c { each tw { .. v[.., c, tw] = g(x[n, c, ..]) } }                         image
        each f { each tw { .. e[.., f, tw] = h(dy[n, f, ..]) } }                        gradient
        each q { each f { each c { sum tw { s[q, f, c] += e[q, f, tw] * v[q, c, tw] } } } }
      } }
      each f { each q { each c { m[p, f, q, c] = s[q, f, c] } } }
    }

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
    outputs, images = written_buffers((stmt,)) & read & locals_, loaded_buffers((stmt,)) - locals_
    if nest is None or not len(outputs) == len(images) == 1:
        return None
    return TransformedFactor(images.pop(), outputs.pop(), nest)
