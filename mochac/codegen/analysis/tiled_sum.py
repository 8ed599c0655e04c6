"""TiledSum: a sum of products between two transforms of tiles, one row of tiles after another (ops/_winograd.py).

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
"""

from __future__ import annotations

from mochac.base.records import record
from mochac.ir.kernel import Accum, Body, Kernel, Loop, Stmt, loaded_buffers, multiply_adds, walk, written_buffers
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
