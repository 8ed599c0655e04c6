"""The tail of a batch in convolutions that are pooled plane by plane.

    for c-tile:  pack x;  for oh, p-tile over ow * samples + n:  convolve into scratch;  each r, ph, pw:  pool samples

conv_plane decides whether packing pays, and adds these steps to its own.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from mochac.codegen.cpu.schedules.conv_tail import PACK_CYCLES, WORTH, image_of, shared, valid_share
from mochac.codegen.cpu.schedules.nests import block_lanes, edge_tiles, float_dtype, is_guarded, read_once
from mochac.codegen.cpu.schedules.tail import Tail
from mochac.codegen.cpu.schedules.tiles import RegisterTile, best_tile, total_cost
from mochac.codegen.cpu.schedules.windows import clips
from mochac.codegen.cpu.target import CpuTarget
from mochac.ir.kernel import Kernel
from mochac.ir.nest import extents
from mochac.ir.schedule import Step
from mochac.ir.steps.clip import Clip
from mochac.ir.steps.cut import Cut
from mochac.ir.steps.distribute import Distribute
from mochac.ir.steps.fission import Fission
from mochac.ir.steps.flatten import Flatten
from mochac.ir.steps.merge import Merge
from mochac.ir.steps.pack import Pack
from mochac.ir.steps.peel import Peel
from mochac.ir.steps.permute import Permute
from mochac.ir.steps.reorder import Reorder
from mochac.ir.steps.run import Unroll, Vector
from mochac.ir.steps.split import Split
from mochac.ir.types import DTYPES

PACK_BYTES = 1 << 20
"""Maximum size of the packed image of all samples, which must stay in L2."""


@dataclass(frozen=True)
class ConvPlaneTail(Tail):
    """The tail, in tiles of channels x vectors."""

    tile: RegisterTile


def tail_of(kernel: Kernel, target: CpuTarget, padded: RegisterTile) -> ConvPlaneTail | None:
    """How to compute the tail without padding; None if there is none, or if padding it to a whole block is cheaper."""
    extent, lanes = extents(kernel), block_lanes(kernel)
    samples = extent["n"] % lanes
    image = image_of(kernel, "ow", "kw") if samples else None
    if image is None or not read_once(kernel, image):
        return None
    height, width = extent["oh"] + extent["kh"] - 1, extent["ow"] + extent["kw"] - 1
    size = extent["ci"] * height * width * samples * DTYPES[float_dtype(kernel)].itemsize
    vectors = -(-extent["ow"] * samples // lanes)
    tile = best_tile(extent["c"], vectors, target.registers, max_columns=8)
    if extent["n"] < lanes:
        tile = replace(tile, rows=shared(extent["c"], tile.rows))
    packed = PACK_CYCLES * width * -(-extent["c"] // tile.rows) / (extent["kh"] * extent["kw"])
    idle = total_cost(extent["c"], extent["ow"], padded) * valid_share(kernel, ("ow", "kw"))
    exact = total_cost(extent["c"], vectors, tile) + packed
    return (
        ConvPlaneTail(samples, extent["n"], lanes, image, tile) if size <= PACK_BYTES and exact < WORTH * idle else None
    )


def tail_steps(
    kernel: Kernel, tail: ConvPlaneTail, plane: str, windows: tuple[tuple[str, ...], tuple[str, ...]], pooled: int
) -> tuple[Step, ...]:
    """Split, pack, separate the convolution from its pooling, run columns and samples together: see the nest above.

    `plane` is the local between convolution and pooling, `windows` are the loops over window rows and columns, `pooled`
    is the number of result columns in registers.
    """
    s, extent, (rows, columns) = tail.suffix, extents(kernel), windows
    alone = tail.samples == 1
    pooled = min(tail.lanes, extent["pw"]) if alone else pooled
    edges = edge_tiles(kernel, "pw", pooled)
    inward = ("n.out", f"u{s}") if alone else (f"u{s}", "n.out")
    vectors, over = divmod(extent["ow"] * tail.samples, tail.lanes)
    limits = [step.loop for step in clips(kernel, rows) if isinstance(step, Clip)]
    return (
        *((Cut("n", tail.whole, s),) if s else ()),
        Reorder((f"c{s}", f"n{s}")),
        Split(f"c{s}", tail.tile.rows, f"ct{s}", f"r{s}", "cut"),
        Pack(tail.image, f"r{s}", (1, 2, 3, 0), (3,)),
        Flatten(f"{tail.image}.pack", 2),
        Fission(f"n{s}", 1, "n.out"),
        Fission(f"r{s}", 1, "r.out"),
        Permute(f"{plane}{s}", (0, 2, 3, 1)),
        Flatten(f"{plane}{s}", 2),
        Reorder((f"oh{s}", f"ow{s}", f"n{s}")),
        Merge(f"ow{s}", f"n{s}", f"p{s}"),
        Split(f"p{s}", tail.lanes, f"v{s}", f"lane{s}", "guard"),
        Split(f"v{s}", tail.tile.columns, f"wt{s}", f"t{s}", "cut"),
        Split(f"pw{s}", pooled, f"pt{s}", f"u{s}", "guard" if alone else "cut"),
        *((Clip(f"kh{s}"),) if is_guarded(kernel, "kh") else ()),
        *(Clip(f"{var}{s}") for var in limits),
        *(Distribute(f"{var}{s}", ("*",)) for var in ("r", "t", "lane")),
        *(Distribute(var, ("*",)) for var in inward),
        *((Peel(f"wt{s}", 0, 1),) if over and vectors >= tail.tile.columns else ()),
        *((Peel(f"pt{s}", *edges),) if any(edges) else ()),
        *(Unroll(f"{var}{s}") for var in ("r", "t", "kw", *columns)),
        Unroll(inward[0]),
        Vector(f"lane{s}"),
        Vector(inward[1]),
        Vector("pack.0"),
    )
