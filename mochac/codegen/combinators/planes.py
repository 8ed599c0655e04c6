"""Planes: what a tile of channels computes is kept as planes in scratch, and read as soon as its rows are complete.

    each c in 0..4 {                                 for ph {
      each oh { each ow { plane[oh, ow] = .. } }       each oh among the rows new to ph {
      each ph { each pw { y[..] = max(plane[..]) } }     each c { each ow { plane[oh, c, ow] = .. } }
    }                                           ->     }
                                                       each c.second { each pw { y[..] = max(plane[..]) } }
                                                     }

Windows may overlap, extend beyond the edge or touch padding: every element is computed once and read from cache.
"""

from __future__ import annotations

from mochac.ir.index import Index
from mochac.ir.kernel import Load, loops_named, walk
from mochac.ir.nest import extents
from mochac.ir.schedule_builder import ScheduleBuilder, Suffix, because
from mochac.ir.steps.jam import Interleave
from mochac.ir.steps.merge import Reorder
from mochac.ir.steps.storage import Permute


@because("the plane is computed first and read while it is in the near cache")
def planes(b: ScheduleBuilder, plane: str, channel: str, reader: str) -> Suffix:
    """Separate the two nests inside of the loop `channel` that share the local `plane`.

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
