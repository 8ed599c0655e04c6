"""The tail of a batch in convolutions fused with a max pooling whose windows do not overlap.

    for row-tile:  pack x;  for ph, c-tile:  for i, p-tile over (pw * window + j) * samples + n:  convolve into scratch;
        then for r, pw:  pool samples

conv_pool decides whether packing pays, and adds these steps to its own.
"""

from __future__ import annotations

from dataclasses import dataclass

from mochac.codegen.cpu.schedules.conv_tail import PACK_CYCLES, WORTH, item_rows, valid_share
from mochac.codegen.cpu.schedules.nests import block_lanes, is_guarded, read_once
from mochac.codegen.cpu.schedules.tail import Tail
from mochac.codegen.cpu.schedules.tiles import RegisterTile, best_tile, total_cost
from mochac.codegen.cpu.schedules.windows import column_tile
from mochac.codegen.cpu.target import CpuTarget
from mochac.ir.index import Index
from mochac.ir.kernel import Kernel, Load, Loop, walk
from mochac.ir.nest import extents, loops
from mochac.ir.schedule import Step
from mochac.ir.steps.advance import Advance
from mochac.ir.steps.clip import Clip
from mochac.ir.steps.cut import Cut
from mochac.ir.steps.distribute import Distribute
from mochac.ir.steps.fission import Fission
from mochac.ir.steps.flatten import Flatten
from mochac.ir.steps.merge import Merge
from mochac.ir.steps.pack import Pack
from mochac.ir.steps.peel import Peel
from mochac.ir.steps.permute import Permute
from mochac.ir.steps.place import Place
from mochac.ir.steps.reorder import Reorder
from mochac.ir.steps.run import Unroll, Vector
from mochac.ir.steps.split import Split

MOST_POOLED = 8
"""Maximum number of result columns in registers."""


@dataclass(frozen=True)
class ConvPoolTail(Tail):
    """The tail, in tiles of channels x vectors.

    Attributes:
        tile: channels x vectors in registers.
        rows: rows of an item.
        finished: the value that loads the finished sum.
        end: number of statements in a window cell up to that load.
    """

    tile: RegisterTile
    rows: int
    finished: str
    end: int


def tail_of(kernel: Kernel, target: CpuTarget, padded: RegisterTile) -> ConvPoolTail | None:
    """How to compute the tail without padding; None if there is none, or if padding it to a whole block is cheaper."""
    extent, lanes = extents(kernel), block_lanes(kernel)
    samples = extent["n"] % lanes
    image, end = _image(kernel, extent) if samples else None, _sum_end(kernel)
    if image is None or end is None:
        return None
    cells, columns = extent["i"] * extent["j"], extent["pw"] * extent["j"]
    vectors = -(-columns * samples // lanes)
    tile = best_tile(extent["c"], vectors, target.registers, max_columns=8)
    rows = item_rows(extent["ph"], lanes // samples, extent["n"] < lanes)
    idle = total_cost(extent["c"], extent["pw"], padded, cells) * valid_share(kernel, ("pw", "j", "kw"))
    reach, height = columns + extent["kw"] - 1, rows * extent["i"] + extent["kh"] - 1
    packed = PACK_CYCLES * reach * height / (rows * extent["kh"] * extent["kw"])
    exact = extent["i"] * total_cost(extent["c"], vectors, tile) + packed
    if exact >= WORTH * idle:
        return None
    finished = loops(kernel)["j"].body[end - 1]
    assert isinstance(finished, Load)
    return ConvPoolTail(samples, extent["n"], lanes, image, tile, rows, finished.name, end)


def _image(kernel: Kernel, extent: dict[str, int]) -> str | None:
    """The buffer that neighbouring windows read at neighbouring columns, with samples on axis 0."""
    taps = loops(kernel)["kw"].body
    reads = [s for s in walk(taps) if isinstance(s, Load) and s.index and s.index[0] == Index.var("n")]
    if len(reads) != 1 or len(reads[0].index) != 4 or not read_once(kernel, reads[0].buffer):
        return None
    along = reads[0].index[3]
    strides = tuple(along.coefficient(var) for var in ("pw", "j", "kw"))
    return reads[0].buffer if strides == (extent["j"], 1, 1) and len(along.vars) == 3 else None


def _sum_end(kernel: Kernel) -> int | None:
    """Number of statements in a window cell up to the load of the finished sum, None if there is no such load."""
    body = loops(kernel)["j"].body
    at = next((k for k, s in enumerate(body) if isinstance(s, Loop) and s.kind == "sum"), None)
    if at is None or at + 1 >= len(body):
        return None
    start, load = body[at - 1], body[at + 1]
    done = isinstance(load, Load) and load.buffer == getattr(start, "buffer", "") and is_local(kernel, load.buffer)
    return at + 2 if done else None


def is_local(kernel: Kernel, name: str) -> bool:
    """Whether a buffer is a local of the kernel."""
    return any(b.name == name for b in kernel.locals)


def tail_steps(kernel: Kernel, tail: ConvPoolTail) -> tuple[Step, ...]:
    """Split, pack, separate the sums from the pooling, run columns and samples together: see the nest above."""
    s, extent = tail.suffix, extents(kernel)
    kept = f"{tail.finished}{s}.kept"
    vectors, over = divmod(extent["pw"] * extent["j"] * tail.samples, tail.lanes)
    alone = tail.samples == 1
    pooled = min(tail.lanes, extent["pw"]) if alone else column_tile(extent["pw"], MOST_POOLED)
    inward = ("n.out", "u.out") if alone else ("u.out", "n.out")
    return (
        *((Cut("n", tail.whole, s),) if s else ()),
        Reorder(tuple(f"{var}{s}" for var in ("ph", "c", "pw", "n"))),
        Split(f"ph{s}", tail.rows, f"rows{s}", f"row{s}", "guard"),
        Pack(tail.image, f"row{s}", (1, 2, 3, 0), (3,)),
        Flatten(f"{tail.image}.pack", 2),
        Split(f"c{s}", tail.tile.rows, f"ct{s}", f"r{s}", "cut"),
        Fission(f"j{s}", tail.end, "j.out"),
        Fission(f"i{s}", 1, "i.out"),
        Advance(f"i{s}"),
        *(Fission(f"{var}{s}", 1, f"{var}.out") for var in ("n", "pw", "r")),
        Place(kept, "scratch"),
        Permute(kept, (0, 3, 1, 4, 2)),
        Flatten(kept, 2),
        Flatten(kept, 2),
        Reorder(tuple(f"{var}{s}" for var in ("i", "pw", "j", "n"))),
        Merge(f"pw{s}", f"j{s}", f"ow{s}"),
        Merge(f"ow{s}", f"n{s}", f"p{s}"),
        Split(f"p{s}", tail.lanes, f"v{s}", f"lane{s}", "guard"),
        Split(f"v{s}", tail.tile.columns, f"wt{s}", f"t{s}", "cut"),
        Split("pw.out", pooled, "pt.out", "u.out", "guard" if alone else "cut"),
        *((Clip(f"kh{s}"),) if is_guarded(kernel, "kh") else ()),
        *(Distribute(var, ("*",)) for var in (f"r{s}", f"t{s}", f"lane{s}", *inward)),
        *((Peel(f"wt{s}", 0, 1),) if over and vectors >= tail.tile.columns else ()),
        *(Unroll(var) for var in (f"r{s}", f"t{s}", f"kw{s}", inward[0], "i.out", "j.out")),
        Vector(f"lane{s}"),
        Vector(inward[1]),
        Vector("pack.0"),
    )
