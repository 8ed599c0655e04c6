"""The schedule steps of a tiled contraction, given its form and the tile that the model chose.

tile of rows x columns (block):  copy panels, one ahead;  groups of threads: acc[r][s] += X[r, k] * W[k, s];  join
"""

from __future__ import annotations

from dataclasses import dataclass, field

from mochac.codegen.analysis.contraction import Contraction, Dims
from mochac.codegen.cuda.schedules.reads import reads
from mochac.codegen.cuda.schedules.tiles import VECTOR, BlockTile, Panel
from mochac.ir.schedule import Step
from mochac.ir.steps.distribute import Distribute
from mochac.ir.steps.exchange import Exchange
from mochac.ir.steps.fission import Fission
from mochac.ir.steps.grid import Blocks, Threads
from mochac.ir.steps.panels import Panels
from mochac.ir.steps.partial import Partial
from mochac.ir.steps.pipeline import Pipeline
from mochac.ir.steps.reorder import Reorder
from mochac.ir.steps.run import Unroll
from mochac.ir.steps.split import Split

UNROLLED = 1280
"""Maximum number of unrolled products of a thread."""


@dataclass
class _Cut:
    """Loops by their role; `order` is the order of results in memory; `scattered`: neighbouring threads hold results
    that are not neighbours."""

    splits: list[Step] = field(default_factory=list)
    blocks: list[str] = field(default_factory=list)
    threads: list[str] = field(default_factory=list)
    registers: list[str] = field(default_factory=list)
    order: list[str] = field(default_factory=list)
    scattered: bool = False


@dataclass(frozen=True)
class _Sum:
    """Loops of the sum: outside of a panel (the last one counts panels), over groups of threads, and inside."""

    splits: tuple[Step, ...]
    outside: tuple[str, ...]
    group: str
    inside: Dims


def steps(form: Contraction, tile: BlockTile, halves: int) -> tuple[Step, ...]:
    """The whole schedule; panels have `halves` halves of shared memory: 2 for double buffering, else 1."""
    cut, sums = _cut(form, tile), _sum(form, tile.panel, tile.groups)
    entered = (*sums.outside, *((sums.group,) if sums.group else ()))
    around = (*entered, *(var for var, _ in sums.inside))
    split = bool(sums.group)
    apart = not form.window and (split or cut.scattered)
    return (
        *cut.splits,
        *sums.splits,
        *((Partial(form.accumulator, sums.group, f"{sums.group}s"),) if split else ()),
        Reorder((*cut.blocks, *cut.threads, *cut.registers)),
        *(Fission(var, form.after if k == 0 else 1) for k, var in enumerate(reversed(form.window))),
        *(_apart(cut, form.after) if apart else ()),
        *(Distribute(var, around) for var in reversed(form.window)),
        *(Distribute(var, around) for var in reversed(cut.registers)),
        *(Distribute(var, entered) for var in reversed(cut.threads)),
        Panels(sums.outside[-1], tile.threads, (*((sums.group,) if split else ()), *cut.threads)),
        *((Pipeline(sums.outside[-1], halves == 2),) if _rounds(form, tile.panel) > 1 else ()),
        *(Unroll(var) for var in (*cut.registers, *form.window, *_unrolled(sums, tile))),
        Threads((*((sums.group,) if split else ()), *cut.threads), tile.threads),
        *(_joined(form, cut, sums, tile) if split or apart else ()),
        Blocks(tuple(cut.blocks)),
    )


def _cut(form: Contraction, tile: BlockTile) -> _Cut:
    cut, read = _Cut(blocks=[*form.shared]), reads(form)
    for k, side in enumerate((tile.rows, tile.columns)):
        for var, across, held in side.parts:
            outer, inner = f"{var}_b", f"{var}_i"
            if across * held == 1:
                cut.blocks.append(var)
                continue
            cut.splits.append(Split(var, across * held, outer, inner))
            cut.blocks.append(outer)
            if across > 1 and var == read[k].adjacent and held % VECTOR == 0:
                _vectors(cut, var, across, held)
                cut.scattered |= k == 1
            elif across > 1 and held > 1 and var == read[k].slides:
                cut.splits.append(Split(inner, held, f"{var}_t", f"{var}_r"))
                cut.threads.append(f"{var}_t")
                cut.registers.append(f"{var}_r")
                cut.order += [f"{var}_t", f"{var}_r"]
                cut.scattered |= k == 1
            elif across > 1 and held > 1:
                cut.splits.append(Split(inner, across, f"{var}_r", f"{var}_t"))
                cut.threads.append(f"{var}_t")
                cut.registers.append(f"{var}_r")
                cut.order += [f"{var}_r", f"{var}_t"]
            else:
                (cut.threads if across > 1 else cut.registers).append(inner)
                cut.order.append(inner)
                cut.scattered |= k == 1 and across == 1 and var == read[1].slides
    return cut


def _vectors(cut: _Cut, var: str, across: int, held: int) -> None:
    """Give each thread VECTOR neighbours, `held` / VECTOR times."""
    inner = f"{var}_i"
    if held > VECTOR:
        cut.splits.append(Split(inner, across * VECTOR, f"{var}_r", f"{var}_q"))
        cut.registers.append(f"{var}_r")
        cut.order.append(f"{var}_r")
        inner = f"{var}_q"
    cut.splits.append(Split(inner, VECTOR, f"{var}_t", f"{var}_v"))
    cut.threads.append(f"{var}_t")
    cut.registers.append(f"{var}_v")
    cut.order += [f"{var}_t", f"{var}_v"]


def _sum(form: Contraction, panel: Panel, groups: int) -> _Sum:
    outer, inner = form.terms[: panel.loop - 1], form.dims(form.terms[panel.loop :])
    var = form.terms[panel.loop - 1]
    extent = form.extent[var]
    splits, outside = list[Step](), (*outer, var)
    if panel.part > 1 or (extent == 1 and groups == 1) or not inner:
        splits.append(Split(var, panel.part, f"{var}_b", f"{var}_i"))
        outside, inner = (*outer, f"{var}_b"), ((f"{var}_i", panel.part), *inner)
    if groups == 1:
        return _Sum(tuple(splits), outside, "", inner)
    (var, extent), *rest = inner
    stem = var.removesuffix("_i")
    splits.append(Split(var, extent // groups, f"{stem}_g", f"{stem}_j"))
    return _Sum(tuple(splits), outside, f"{stem}_g", ((f"{stem}_j", extent // groups), *rest))


def _rounds(form: Contraction, panel: Panel) -> int:
    """Number of iterations of the loop that counts panels."""
    return -(-form.extent[form.terms[panel.loop - 1]] // panel.part)


def _apart(cut: _Cut, after: int) -> list[Step]:
    """Give what follows the sum loops of its own, so that threads may share results differently."""
    loops = (*cut.threads, *cut.registers)
    return [Fission(var, after if k == 0 else 1, f"{var}e") for k, var in enumerate(reversed(loops))]


def _joined(form: Contraction, cut: _Cut, sums: _Sum, tile: BlockTile) -> list[Step]:
    """All threads add up the groups' parts, each of contiguous results; under a window, only those of one group do."""
    shared: list[Step] = [Unroll(f"{sums.group}s")] if sums.group else []
    if form.window:
        shared.append(Threads(tuple(cut.threads), tile.threads))
    else:
        order = tuple(f"{var}e" for var in cut.order)
        shared += [Reorder(order), Threads(order, tile.threads)]
    return [*shared, Exchange(form.accumulator)]


def _unrolled(sums: _Sum, tile: BlockTile) -> list[str]:
    """Loops of the sum to unroll, from the innermost out, while their product stays small."""
    unrolled, products = list[str](), tile.rows.registers * tile.columns.registers
    for var, extent in reversed(sums.inside):
        products *= extent
        if unrolled and products > UNROLLED:
            break
        unrolled.append(var)
    return unrolled
