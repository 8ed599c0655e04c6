"""The tail of a batch in the weight gradient of a convolution: lanes = columns and samples together.

    for co-tile:  pack dy;  for ci:  pack x;  for kh:  acc[kw][r] from scratch;  for oh, p-tile over ow * samples + n:
        acc += x * dy;  then sum lanes, epilogue

Lanes hold partial sums, so those of the full blocks and of the tail use the same accumulators. conv_dw_mixed decides
whether packing pays, and adds these steps to its own.
"""

from __future__ import annotations

from dataclasses import dataclass

from mochac.codegen.analysis.nests import accesses, float_dtype, read_once, used_with
from mochac.codegen.cpu.schedules.tail import Tail
from mochac.codegen.cpu.schedules.tail_cost import PACK_CYCLES, WORTH, shared
from mochac.codegen.cpu.schedules.tiles import RegisterTile
from mochac.ir.index import Index
from mochac.ir.kernel import Kernel
from mochac.ir.schedule import Step
from mochac.ir.steps.cut import Cut
from mochac.ir.steps.flatten import Flatten
from mochac.ir.steps.merge import Merge
from mochac.ir.steps.pack import Pack
from mochac.ir.steps.peel import Peel
from mochac.ir.steps.rename import Rename
from mochac.ir.steps.reorder import Reorder
from mochac.ir.steps.run import Vector
from mochac.ir.steps.split import Split
from mochac.ir.types import DTYPES

L1_BYTES = 1 << 15
"""Gradients of one tile of filters, read again for every channel and row of the filter, should stay in L1."""
L2_BYTES_PER_CYCLE = 32
"""Bandwidth of L2."""
GROUP_BYTES = 1 << 19


@dataclass(frozen=True)
class ConvDwTail(Tail):
    """The tail, with the gradients of its images, and the number of filter tiles that share a packed image."""

    gradient: str
    columns: int
    group: int = 1

    @property
    def loops(self) -> tuple[str, ...]:
        """The loops past which filters and taps are distributed."""
        return (f"oh{self.suffix}", f"v{self.suffix}")


def tail_of(kernel: Kernel, extent: dict[str, int], lanes: int, tile: RegisterTile) -> ConvDwTail | None:
    """How to compute the tail without padding; None if there is none, or if padding it to a whole block is cheaper."""
    samples, columns = extent["n"] % lanes, extent["ow"]
    image = _read(kernel, Index.var("ci"))
    gradient = _read(kernel, Index.var("co"))
    if not samples or image is None or gradient is None or _stride(kernel, image) != 1:
        return None
    if extent["n"] > lanes and _exceeds_l2_bandwidth(kernel, extent, lanes, tile):
        return None
    per_step = tile.rows * extent["kw"] / 2
    pieces = 1 if samples & (samples - 1) == 0 else 2
    group = _group(kernel, extent, samples, tile) if extent["n"] < lanes else 1
    image_columns, gradient_columns = (columns + extent["kw"] - 1) / group, columns * tile.rows / extent["ci"]
    packing = PACK_CYCLES * pieces * (image_columns + gradient_columns) / extent["kh"]
    exact = -(-columns * samples // lanes) * per_step + packing
    tail = ConvDwTail(samples, extent["n"], lanes, image, gradient, columns, group)
    return tail if exact < WORTH * columns * per_step else None


def _exceeds_l2_bandwidth(kernel: Kernel, extent: dict[str, int], lanes: int, tile: RegisterTile) -> bool:
    """Whether full blocks need gradients from L2 faster than it delivers them: one vector per filter for kw
    multiply-adds. The loop order of rule conv_dw then gains more than idle lanes cost."""
    vector = lanes * DTYPES[float_dtype(kernel)].itemsize
    slab = tile.rows * extent["oh"] * extent["ow"] * vector
    return slab > L1_BYTES and vector / (extent["kw"] / 2) > L2_BYTES_PER_CYCLE


def _group(kernel: Kernel, extent: dict[str, int], samples: int, tile: RegisterTile) -> int:
    """Filter tiles that share a packed image: as many as keep their gradients in cache and leave items for threads."""
    tiles = -(-extent["co"] // tile.rows)
    size = tile.rows * extent["oh"] * extent["ow"] * samples * DTYPES[float_dtype(kernel)].itemsize
    return shared(tiles, max(1, GROUP_BYTES // size))


def _read(kernel: Kernel, channel: Index) -> str | None:
    """The only blocked buffer of images that is read at the samples and this channel, or None."""
    read = ((b, i) for b, i, _ in accesses(kernel) if b.type.lanes and len(i) == 4)
    buffers = [b.name for b, i in read if i[:2] == (Index.var("n"), channel)]
    return buffers[0] if len(buffers) == 1 and read_once(kernel, buffers[0]) else None


def _stride(kernel: Kernel, image: str) -> int:
    """Columns of the image from one column of the gradient to the next; 0 if windows do not move by columns."""
    (index,) = (i for b, i, _ in accesses(kernel) if b.name == image)
    return index[3].coefficient("ow") if used_with(kernel, "ow") >= {"kw"} else 0


def packing(tail: ConvDwTail) -> tuple[Step, ...]:
    """Steps before the lanes become partial sums; filters are already split into (ct, r), samples into (q, lane)."""
    s = tail.suffix
    over = tail.columns * tail.samples % tail.lanes > 0
    shared = ("ct", "r") if tail.group > 1 else ("r",)
    return (
        Reorder((f"oh{s}", f"ow{s}", f"n{s}")),
        Pack(tail.gradient, f"oh{s}", (1, 2, 3, 0), over=shared),
        Pack(tail.image, f"oh{s}", (1, 2, 3, 0), (3,), ("kh", "kw")),
        Flatten(f"{tail.gradient}.pack", 2),
        Flatten(f"{tail.image}.pack", 2),
        Merge(f"ow{s}", f"n{s}", f"p{s}"),
        Split(f"p{s}", tail.lanes, f"v{s}", f"lane{s}", "guard"),
        *((Rename(f"lane{s}", "lane", f"v{s}"),) if s else ()),
        *((Peel(f"v{s}", 0, 1),) if over else ()),
    )


def cut_tail(tail: ConvDwTail) -> tuple[Step, ...]:
    """The step that gives the tail loops of its own."""
    return (Cut("n", tail.whole, tail.suffix),) if tail.whole else ()


def copies() -> tuple[Step, ...]:
    """Copy whole runs of samples at once."""
    return (Vector("pack.0"),)
