"""Planes: what a tile of channels computes is kept as planes in scratch, and read as soon as its rows are complete.

    each c in 0..4 {                                 for ph {
      each oh { each ow { plane[oh, ow] = .. } }       each oh among the rows new to ph {
      each ph { each pw { y[..] = max(plane[..]) } }     each c { each ow { plane[c, oh, ow] = .. } }
    }                                           ->     }
                                                       each c.second { each pw { y[..] = max(plane[c.second, ..]) } }
                                                     }

Windows may overlap, extend beyond the edge or touch padding: every element is computed once and read from cache.
"""

from __future__ import annotations

from collections.abc import Sequence

from mochac.ir.index import Index
from mochac.ir.kernel import Load, loops_named, walk
from mochac.ir.nest import extents
from mochac.ir.schedule_builder import ScheduleBuilder, Suffix
from mochac.ir.steps.interleave import Interleave
from mochac.ir.steps.reorder import Reorder


def planes(b: ScheduleBuilder, channel: str, plane: str, producer: str, reader: Sequence[str]) -> Suffix:
    """Compute the planes of all iterations of `channel`, and read them row by row if the windows cover all rows.

    Args:
        plane: the local between the two nests inside of `channel`.
        producer: the first nest's loop over rows.
        reader: the second nest's loops, that over rows first.

    Returns:
        Where to find the loops of the reader.
    """
    part = b.detach((channel,), 1, "second")
    row = part(reader[0])
    b.add(Reorder((row, part(channel))))
    (nest,) = loops_named(b.kernel.body, row)
    read = next(s.index for s in walk((nest,)) if isinstance(s, Load) and s.buffer == plane)
    index = next(i for i in read if i.coefficient(row))
    stride = index.coefficient(row)
    inner = {v: (0, n - 1) for v, n in extents(b.kernel).items()}
    last = (index - Index.var(row) * stride).bounds(inner)
    if last is not None:
        b.fits(Interleave(row, producer, stride, last[1] + 1))
    return part
