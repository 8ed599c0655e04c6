"""The tail of a batch, for the weight gradient of a convolution: lanes = columns and samples.

    for co-tile:  pack dy;  for ci:  pack x;  for kh:  acc[kw][r] from scratch;  for oh, p-tile over ow * samples + n:
        acc += x * dy;  then sum lanes, epilogue

The lanes hold partial sums, so those of full blocks and these meet in the same accumulators. conv_dw asks whether it
pays and puts the steps beside its own.
"""

from __future__ import annotations

from dataclasses import dataclass

from mochac.codegen.cpu.schedules.conv_tail import PACK_CYCLES, WORTH, shared
from mochac.codegen.cpu.schedules.nests import accesses, float_dtype, read_once, used_with
from mochac.codegen.cpu.schedules.tail import Tail
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

NEAR_BYTES = 1 << 15
"""Of the gradient of one tile of filters, read again for every channel and row of the filter, in the first cache."""
FAR_BYTES_A_CYCLE = 32
"""What the second cache gives."""
GROUP_BYTES = 1 << 19


@dataclass(frozen=True)
class ConvDwTail(Tail):
    """The tail; the gradients of its images, and tiles of filters that share a packed image."""

    gradient: str
    columns: int
    group: int = 1

    @property
    def loops(self) -> tuple[str, ...]:
        """The loops that filters and taps are distributed past."""
        return (f"oh{self.suffix}", f"v{self.suffix}")


def tail_of(kernel: Kernel, extent: dict[str, int], lanes: int, tile: RegisterTile) -> ConvDwTail | None:
    """How to compute the tail exactly; None if there is none, or if padding it to a whole block is cheaper."""
    samples, columns = extent["n"] % lanes, extent["ow"]
    image = _read(kernel, Index.var("ci"))
    gradient = _read(kernel, Index.var("co"))
    if not samples or image is None or gradient is None or _stride(kernel, image) != 1:
        return None
    if extent["n"] > lanes and _starves(kernel, extent, lanes, tile):
        return None
    per_step = tile.rows * extent["kw"] / 2
    pieces = 1 if samples & (samples - 1) == 0 else 2
    group = _group(kernel, extent, samples, tile) if extent["n"] < lanes else 1
    image_columns, gradient_columns = (columns + extent["kw"] - 1) / group, columns * tile.rows / extent["ci"]
    packing = PACK_CYCLES * pieces * (image_columns + gradient_columns) / extent["kh"]
    exact = -(-columns * samples // lanes) * per_step + packing
    tail = ConvDwTail(samples, extent["n"], lanes, image, gradient, columns, group)
    return tail if exact < WORTH * columns * per_step else None


def _starves(kernel: Kernel, extent: dict[str, int], lanes: int, tile: RegisterTile) -> bool:
    """Whether full blocks of gradients come from the second cache, faster than it gives: a vector of each filter for
    kw multiply-adds. Rule conv_dw's own order of loops then gains more than idle lanes cost."""
    vector = lanes * DTYPES[float_dtype(kernel)].itemsize
    slab = tile.rows * extent["oh"] * extent["ow"] * vector
    return slab > NEAR_BYTES and vector / (extent["kw"] / 2) > FAR_BYTES_A_CYCLE


def _group(kernel: Kernel, extent: dict[str, int], samples: int, tile: RegisterTile) -> int:
    """Tiles that share a packed image: many, as long as their gradients stay near, in groups that threads can share."""
    tiles = -(-extent["co"] // tile.rows)
    size = tile.rows * extent["oh"] * extent["ow"] * samples * DTYPES[float_dtype(kernel)].itemsize
    return shared(tiles, max(1, GROUP_BYTES // size))


def _read(kernel: Kernel, channel: Index) -> str | None:
    """The one blocked buffer of images that is read at samples and this channel."""
    read = ((b, i) for b, i, _ in accesses(kernel) if b.type.lanes and len(i) == 4)
    buffers = [b.name for b, i in read if i[:2] == (Index.var("n"), channel)]
    return buffers[0] if len(buffers) == 1 and read_once(kernel, buffers[0]) else None


def _stride(kernel: Kernel, image: str) -> int:
    """Columns of the image from one column of the gradient to the next, 0 if windows do not move by columns."""
    (index,) = (i for b, i, _ in accesses(kernel) if b.name == image)
    return index[3].coefficient("ow") if used_with(kernel, "ow") >= {"kw"} else 0


def packing(tail: ConvDwTail) -> tuple[Step, ...]:
    """Steps before the lanes become partial sums; filters are cut into (ct, r) already, samples into (q, lane)."""
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
    """Copies move whole runs of samples."""
    return (Vector("pack.0"),)
