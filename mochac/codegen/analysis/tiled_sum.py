"""TiledSum: a sum of products between two transforms of tiles, one row of tiles after another (ops/_winograd.py).

each n { each th {                                                      batch n, rows (th)
  each c { each tw { .. v[.., c, tw] = f(x[n, c, ..]) } }               channel, column of `image`
  each q { each f { each tw { acc = 0; sum c { acc += v[q, c, tw] * u[q, f, c] }; m[q, f, tw] = acc } } }
  each f { each tw { y[n, f, ..] = g(m[.., f, tw]) } }                  `results`
} }
"""

from __future__ import annotations

from dataclasses import dataclass

from mochac.ir.kernel import Accum, Kernel, Loop, loaded_buffers, walk, written_buffers
from mochac.ir.nest import band


@dataclass(frozen=True)
class TransformNest:
    """The nest of a transform: the loop over channels or filters, the one over tiles of a row, and the loops over lines
    of a tile, which are inside of it."""

    channel: str
    column: str
    lines: tuple[str, ...]


@dataclass(frozen=True)
class TiledSum:
    """Such a kernel, with its loops by their roles.

    Attributes:
        batch, rows: the loops around all: over samples, and over rows of tiles (of images with one axis, none).
        image: what is transformed.
        tiles, products: the locals with transformed tiles and with sums of their products; axis 0 counts products.
        input, output: the transforms.
        number, filter, column, term: the loops of the product.
        small: locals of the transforms, which hold lines of a tile.
        inner: the loops over rows inside of the transforms, if several rows are computed together; `column` then goes
            over the tiles of all of them.
    """

    batch: str
    rows: tuple[str, ...]
    image: str
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
    if len(parts) != 3 or not all(isinstance(s, Loop) for s in parts):
        return None
    first, middle, last = parts
    loops = band((middle,), kind="each")
    sums = [s for s in walk((middle,)) if isinstance(s, Loop) and s.kind == "sum"]
    if len(loops) != 3 or len(sums) != 1 or not any(isinstance(s, Accum) and s.fn == "fma" for s in sums[0].body):
        return None
    locals_ = {b.name for b in kernel.locals}
    tiles = written_buffers((first,)) & loaded_buffers((middle,)) & locals_
    products = written_buffers((middle,)) & loaded_buffers((last,)) & locals_
    images = loaded_buffers((first,)) - locals_
    if not len(tiles) == len(products) == len(images) == 1:
        return None
    input_nest, output_nest = _transform((first,)), _transform((last,))
    if input_nest is None or output_nest is None:
        return None
    (tile,), (product,), (image,) = tiles, products, images
    around = written_buffers((first, last)) & locals_ - {tile, product}
    return TiledSum(
        outer[0].var,
        tuple(loop.var for loop in outer[1:]),
        image,
        tile,
        product,
        input_nest,
        output_nest,
        *(loop.var for loop in loops),
        sums[0].var,
        tuple(b.name for b in kernel.locals if b.name in around),
    )


def _transform(body: tuple[Loop, ...]) -> TransformNest | None:
    outer = band(body, kind="each")
    if len(outer) < 2:
        return None
    inner = tuple(dict.fromkeys(s.var for s in walk(outer[1].body) if isinstance(s, Loop)))
    return TransformNest(outer[0].var, outer[1].var, inner)
