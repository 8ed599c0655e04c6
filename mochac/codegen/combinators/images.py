"""Lines, rows and columns of images, and the windows of a pooling."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mochac.codegen.analysis.batch_sum import BatchSum
from mochac.codegen.analysis.nests import edge_tiles, used_with
from mochac.codegen.combinators.tiles import lanes, register_tile
from mochac.ir.index import Index
from mochac.ir.kernel import If, Kernel, Let, Load, Loop, access, loops_named, walk
from mochac.ir.nest import extents
from mochac.ir.schedule_builder import Handle, ScheduleBuilder, Suffix, because
from mochac.ir.steps.clip import Clip
from mochac.ir.steps.jam import Interleave
from mochac.ir.steps.merge import Advance, Reorder
from mochac.ir.steps.run import Unroll
from mochac.ir.steps.split import Peel
from mochac.ir.steps.storage import Flatten, Permute

LONGEST = 64
"""Maximum length of a row."""


@because("longer rows make fewer tiles that are not full")
def lines(b: ScheduleBuilder, row: str, column: str) -> tuple[Handle, Handle]:
    """Cut the images over two neighbouring loops into better rows, unless the rows are good, or some image is not read
    in order.

        each row in 0..14 { each column in 0..14 {          each row in 0..7 { each column in 0..28 {
          y[n, c, row, column] = f(x[n, d, row, column])  ->  y[n, c, 28*row + column] = f(x[n, d, 28*row + column])
        } }                                                 } }

    For images under filters of one tap, rows get a length that whole register tiles fill.

    Returns:
        The loops over rows and columns.
    """
    image = (b.extent(row), b.extent(column))
    length, names = row_length(*image), _walked(b.kernel, row, column, image)
    if length == image[1] or not names:
        return Handle(row), Handle(column)
    b.add(*(Flatten(name, 2) for name in names))
    return b.split(b.merge(row, column), length, "cut")


def whole_image(b: ScheduleBuilder, row: str, column: str) -> Handle | None:
    """Make one loop of two neighbouring loops over images; None if some image is not read in order.

        each row in 0..7 { each column in 0..7 {            each place in 0..49 {
          y[c, row, column] = f(x[d, row, column])    ->      y[c, place] = f(x[d, place])
        } }                                                 }

    Rows that are shorter than a vector would leave lanes idle, each of them.
    """
    names = _walked(b.kernel, row, column, (b.extent(row), b.extent(column)))
    if not names:
        return None
    b.add(*(Flatten(name, 2) for name in names))
    return b.merge(row, column)


@because("axes that follow each other in memory are one: fewer rows leave lanes idle")
def merge_axes(b: ScheduleBuilder, longest: float) -> bool:
    """Make one loop of two nested ones, again and again, if all buffers that they index have their axes side by side.

        each h in 0..7 { each w in 0..7 { y[c, h, w] = f(x[c, h, w]) } }  ->  each p in 0..49 { y[c, p] = f(x[c, p]) }

    Args:
        longest: a loop over results that is this long is not merged with the one around it; sums are.

    Returns:
        Whether there were such loops.
    """
    merged = False
    while pair := next(_neighbouring(b.kernel, longest), None):
        outer, inner, names = pair
        b.add(*(Flatten(name, axis) for name, axis in names.items()))
        b.merge(outer, inner)
        merged = True
    return merged


def _neighbouring(kernel: Kernel, longest: float) -> Iterator[tuple[str, str, dict[str, int]]]:
    """(outer, inner, {buffer: axis of outer}) of nested loops over neighbouring axes, inner loops first."""
    for outer in reversed([s for s in walk(kernel.body) if isinstance(s, Loop)]):
        inner = outer.body[0] if len(outer.body) == 1 else None
        if not isinstance(inner, Loop) or inner.kind != outer.kind or inner.at or outer.at or inner.extent is None:
            continue
        if outer.extent is None or outer.kind == "for" or (inner.kind == "each" and inner.extent >= longest):
            continue
        names = _side_by_side(kernel, outer.var, inner.var, inner.extent)
        if names is not None:
            yield outer.var, inner.var, names


def _side_by_side(kernel: Kernel, outer: str, inner: str, extent: int) -> dict[str, int] | None:
    """The axis of each buffer that two loops index, which the next axis follows; None if they index anything else."""
    types, found = {name: buffer.type for name, buffer in kernel.buffers().items()}, dict[str, int]()
    for stmt in walk(kernel.body):
        name, index = access(stmt) or ("", ())
        used = [k for k, i in enumerate(index) if i.coefficient(outer) or i.coefficient(inner)]
        others = stmt.conds if isinstance(stmt, If) else stmt.args if isinstance(stmt, Let) else ()
        if any(isinstance(i, Index) and {outer, inner} & set(i.vars) for i in others):
            return None
        if not used:
            continue
        first, type = used[0], types[name]
        if index[first] == Index.var(outer) * extent + Index.var(inner):  # an earlier pass has made them one axis
            continue
        if index[first : first + 2] != (Index.var(outer), Index.var(inner)) or len(used) != 2:
            return None
        if type.shape[first + 1] != extent or (type.lanes and not first) or found.setdefault(name, first) != first:
            return None
    return found


def row_length(rows: int, columns: int) -> int:
    """The longest row of a few tiles of four columns that leaves at least half as many rows, else `columns`.

    >>> row_length(14, 14), row_length(56, 56), row_length(13, 13)
    (28, 64, 13)
    """
    fits = (n for n in range(4, LONGEST + 1, 4) if rows * columns % n == 0 and 2 * (rows * columns // n) >= rows)
    return max(fits, default=columns)


def _walked(kernel: Kernel, row: str, column: str, image: tuple[int, int]) -> list[str]:
    """The buffers that are read or written at row and column: each has such images, and there are no conditions."""
    shapes = {x.name: x.type.shape for x in (*kernel.inputs, *kernel.outputs)}
    accesses = (a for s in walk(kernel.body) if (a := access(s)))
    used = [(name, index) for name, index in accesses if any({row, column} & set(i.vars) for i in index)]
    for name, index in used:
        steps = [(i.coefficient(row), i.coefficient(column)) for i in index[2:]]
        if name not in shapes or shapes[name][2:] != image or steps != [(1, 0), (0, 1)]:
            return []
    guards = {v for s in walk(kernel.body) if isinstance(s, If) for c in s.conds for v in c.vars}
    return [] if guards & {row, column} else list(dict.fromkeys(name for name, _ in used))


@because("the plane is computed first and read while it is in the near cache")
def planes(b: ScheduleBuilder, plane: str, channel: str, reader: str) -> Suffix:
    """Separate the two nests inside of the loop `channel` that share the local `plane`.

        each c in 0..4 {                                 for ph {
          each oh { each ow { plane[oh, ow] = .. } }       each oh among the rows new to ph {
          each ph { each pw { y[..] = max(plane[..]) } }     each c { each ow { plane[oh, c, ow] = .. } }
        }                                           ->     }
                                                           each c.second { each pw { y[..] = max(plane[..]) } }
                                                         }

    Windows may overlap, extend beyond the edge or touch padding: every element is computed once and read from cache.

    The same row of all planes is read and stored together: the second nest's loop over rows, `reader`, becomes the
    outermost one. Planes with one axis have no rows: `reader` is "". If the nests share an output instead of a local,
    `plane` is "".

    Returns:
        Where to find the loops of the second nest.
    """
    part = b.detach((channel,), 1, "second")
    if not reader:
        return part
    b.add(Reorder((part(reader), part(channel))))
    if plane:
        axes = len(b.kernel.buffers()[plane].type.shape)
        b.add(Permute(plane, (1, 0, *range(2, axes))))
    return part


@because("rows are read as soon as they are computed, while they are in the nearest cache")
def row_by_row(b: ScheduleBuilder, plane: str, producer: str, reader: str) -> None:
    """Run each iteration of `reader` as soon as the rows of `plane` that it reads are there, if all rows are read."""
    nests = loops_named(b.kernel.body, reader)
    read = next(s.index for s in walk((*nests,)) if isinstance(s, Load) and s.buffer == plane)
    index = next(i for i in read if i.coefficient(reader))
    stride = index.coefficient(reader)
    last = (index - Index.var(reader) * stride).bounds({v: (0, n - 1) for v, n in extents(b.kernel).items()})
    if last is not None:
        b.fits(Interleave(reader, producer, stride, last[1] + 1))


@because("neighbouring windows share what they read; their results stay in registers")
def window_columns(b: ScheduleBuilder, column: str, size: int, vector: bool = False, clipped: bool = True) -> None:
    """Cut a loop over windows into tiles held in registers.

    each column in 0..16 {                      each column_o in 0..2 {
      best[] = -inf                               each column_i in 0..8 { best[column_i] = -inf }
      for i in 0..3 { for j in 0..3 {             for i in max(0, ..)..min(3, ..) { for j in 0..3 {
        if .. { best[] = max(x[..], best[]) }  ->   each column_i in 0..8 { if .. { best[column_i] = max(x[..], ..) } }
      } }                                         } }
      y[column] = best[]                          each column_i in 0..8 { y[8*column_o + column_i] = best[column_i] }
    }                                           }                                        and the tile at the border

    Only rows inside of the image are visited, and only the tiles at the borders have conditions on columns.

    Args:
        vector: whether tiles are lanes instead.
        clipped: whether rows outside of the image are skipped.
    """
    rows, columns = window_loops(b, column)
    edges = edge_tiles(b.kernel, column, size)
    for row in rows if clipped else ():
        b.fits(Clip(row))
    if vector:
        tiles, _ = lanes(b, column, size, "guard")
    else:
        ((tiles, _),) = register_tile(b, (column, size))
    if any(edges):
        b.add(Peel(tiles, *edges))
    b.add(*(Unroll(loop) for loop in columns))


def window_loops(b: ScheduleBuilder, column: str) -> tuple[list[Handle], list[Handle]]:
    """The loops over the rows of a window and those over its columns, which move together with `column`."""
    (nest, *_) = loops_named(b.kernel.body, column)
    along = used_with((nest,), column)
    inner = [Handle(s.var) for s in walk(nest.body) if isinstance(s, Loop) and s.kind != "each"]
    return [v for v in inner if v not in along], [v for v in inner if v in along]


@because("the results that pooling reads together are computed together, and never stored")
def whole_windows(b: ScheduleBuilder, cells: Sequence[str], end: int) -> None:
    """Give the sums under the loops `cells`, which are the statements up to number `end`, a nest of their own before
    the rest.

        each pw {                                          each pw {
          best[] = -inf                                      each i in 0..2 { each j in 0..2 { acc[i, j] = .. } }
          for i in 0..2 { for j in 0..2 {                    sum k { each i { each j { acc[i, j] += .. } } }
            acc[] = .. sum k { acc[] += .. }           ->    best[] = -inf
            best[] = max(acc[], best[])                      for i { for j { best[] = max(acc[i, j], best[]) } }
          } }                                                y[pw] = best[]
          y[pw] = best[]                                   }
        }

    This fits windows that do not overlap; their sums are never stored. A mean needs no such separation, since it adds
    up the cells one after another, but where several of them are computed together.
    """
    pooling = b.detach(tuple(cells), end, "second")
    b.add(Advance(cells[0]), *(Unroll(pooling(cell)) for cell in cells))


def limit_rows(b: ScheduleBuilder, s: BatchSum, register_loops: tuple[str, ...] = ()) -> None:
    """Restrict rows of taps, and row phases, to those that exist; phases without taps get code of their own.

    Args:
        register_loops: loops in registers, whose iterations cannot have loops of different lengths.
    """
    for x in s.row_phases:
        if x.reached < b.extent(x.phase):
            b.add(Peel(x.phase, x.reached))
        else:
            b.fits(Clip(x.phase))
    for tap in filter(None, s.row_taps):
        if not used_with(b.kernel.body, tap) & set(register_loops):
            b.fits(Clip(tap))
