"""Gates: a product and what reads equal parts of its columns together, one block of units after another.

    each a0, a1 {                              each unit_o, sample_o {                                   in parallel
      each f in 0..4 {                           each f in 0..4 { each n { each u {
        acc = 0; sum o { .. }; p[f] = acc  ->      acc = 0; sum o { .. }; p[f, n, u] = acc               by another rule
      }                                          } } }
      y[a0, a1] = g(p[0], p[1], ..)              each n { each u in vectors { y[..] = g(p[0, n, u], ..) } }
    }                                          }

The product of a gate is a product of some samples with some columns of the weight, which the rules of products
schedule. What a block passes to the gates stays near. Samples that a rule copies are copied once for all gates. The
loop over blocks of units is outermost: each thread then reads a part of the weight, which stays in its caches from step
to step.

`refuse` says whether a product and its gates are faster as one kernel than as two. Both ways are scheduled, and the
model of the CPU compares them. One kernel is taken only if the product's own rule also takes the product there: the
order of its sums, and so the bits of all results, are then the same.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from math import prod
from statistics import geometric_mean

from mochac.base.records import record
from mochac.codegen.analysis.nests import block_lanes, float_dtype
from mochac.codegen.combinators.tiles import lanes
from mochac.codegen.cpu.schedules import contractions, product_natural, product_packed
from mochac.codegen.cpu.schedules.judge import Rule
from mochac.codegen.cpu.schedules.picking import pick, replay
from mochac.codegen.cpu.schedules.tiles import FAR_COST, WORTH_TRYING, best_tile, total_cost
from mochac.codegen.cpu.target import CpuTarget
from mochac.codegen.prediction.prediction import Prediction, predicted
from mochac.ir.applying import apply
from mochac.ir.index import Index, Limit
from mochac.ir.kernel import Body, Buffer, Kernel, Loop, Store, accessed_buffers, loops_named, substitute, walk
from mochac.ir.nest import band, extents, indices
from mochac.ir.nest import loops as all_loops
from mochac.ir.schedule import Schedule, ScheduleError
from mochac.ir.schedule_builder import Handle, ScheduleBuilder
from mochac.ir.steps.merge import Distribute, Reorder
from mochac.ir.steps.run import Parallel
from mochac.ir.steps.storage import Permute

GATES = "gates"
"""The names of these schedules begin with this; the name of the product's schedule follows."""


@record
class LeastItem:
    """Minimum samples and units of the items of a rule for products; a product that has fewer is one item."""

    samples: int
    units: int


LEAST: dict[Rule, LeastItem] = {
    contractions.rule: LeastItem(1, 1),
    product_packed.rule: LeastItem(8, product_packed.LEAST_OUTPUTS),
    product_natural.rule: LeastItem(product_natural.FEW, 1),
}
"""By rule (Zen 4, bfloat16, a GRU of 64 units, batch 16: blocks of 8 x 32 take 0.8 of the time of 16 x 16)."""
IDLE = 0.5
"""Cost, as a share of the cycles, if there are half as many items as a team has threads."""
TIGHT = 1.15
"""How many times as long a tile takes if its accumulators only just keep the units busy, so that every delay shows
(1.14 by llvm-mca for Skylake)."""
PASSED_SHARE = 1 / 8
"""Share of L2 that may be filled by what an item passes to its gates."""
WEIGHT_SHARE = 1 / 2
"""Share of L2 that may be filled by a part of the weight that several blocks of samples read."""


@record
class Gates:
    """The loops of such a kernel, and the local that holds the gates of one result."""

    row: Handle
    column: Handle
    gate: Handle
    local: str


@record
class Item:
    """How much a thread computes at a time."""

    samples: int
    units: int


def rule(kernel: Kernel, target: CpuTarget, ranked: Callable[[Kernel], Iterable[Rule]]) -> Schedule | None:
    """The schedule; None if the kernel is no natural product with gates, or if no rule of products takes it. The rule
    that takes the product alone schedules the product of an item, too.

    Args:
        ranked: the rules that take a product, the quickest first.
    """
    found = None if block_lanes(kernel) else _gates(kernel)
    if found is None:
        return None
    whole = Item(extents(kernel)[found.row] // kernel.parts, extents(kernel)[found.column])
    takes = (r for r in ranked(_all_gates(kernel, found)) if r in LEAST and _takes(kernel, target, found, whole, r))
    of_product = next(takes, None)
    if of_product is None:
        return None
    items = _items(kernel, found, target, of_product)
    tried = (_scheduled(kernel, target, found, item, of_product) for item in (pick(*items), *items))
    return next(filter(None, tried), None)


def _takes(kernel: Kernel, target: CpuTarget, found: Gates, whole: Item, of_product: Rule) -> bool:
    """Whether a rule takes the whole product; a search varies what follows."""
    return replay(lambda: _scheduled(kernel, target, found, whole, of_product))[0] is not None


def _gates(kernel: Kernel) -> Gates | None:
    """The kernel as the gates of results of two loops, and what reads them without other loops; None if it has another
    form."""
    around = band(kernel.body, kind="each")
    first, *rest = around[-1].body if len(around) == 2 else ((),)
    if not isinstance(first, Loop) or first.kind != "each" or any(isinstance(s, Loop) for s in walk(tuple(rest))):
        return None
    last = first.body[-1]
    if not isinstance(last, Store) or last.index != (Index.var(first.var),):
        return None
    row, column = around
    strides = {(i.coefficient(first.var), i.coefficient(column.var)) for s in walk(first.body) for i in indices(s)}
    if any(gate != (column.extent or 0) * unit for gate, unit in strides - {(1, 0)}):
        return None  # sums over the parts of a batch
    return Gates(Handle(row.var), Handle(column.var), Handle(first.var), last.buffer)


def _scheduled(kernel: Kernel, target: CpuTarget, found: Gates, item: Item, of_product: Rule) -> Schedule | None:
    """The schedule with these items; None if the rule does not take their products."""
    b, count = ScheduleBuilder(kernel), target.lanes(float_dtype(kernel))
    b.reason = "a block of units of some samples is an item: what it passes to the gates stays near"
    samples, row = b.split(found.row, item.samples, "cut")
    units, column = b.split(found.column, item.units, "cut")
    b.add(Reorder((units, samples, row, column)))
    gates = b.detach((row, column), 1, "second")
    b.reason = "each gate is a product like others"
    b.add(Permute(found.local, _order(b.kernel, found.local, (found.gate, row, column))))
    b.add(Reorder((found.gate, row, column)))
    try:
        product = of_product(_product(b.kernel, found), target)
        if product is None:
            return None
        b.take_over(replace(product, steps=tuple(step for step in product.steps if not isinstance(step, Parallel))))
    except ScheduleError:
        return None
    b.reason = "samples are copied once for all gates"
    b.fits(Distribute(found.gate, tuple(v for x in product.steps if isinstance(x, Parallel) for v in x.loops)))
    lanes(b, gates(column), count, "guard")
    b.add(Parallel((units, samples)))
    return b.schedule(f"{GATES}.{product.name}")


def _order(kernel: Kernel, local: str, loops: Sequence[str]) -> tuple[int, ...]:
    """The dimensions of a local in the order of the loops that index them."""
    index = next(s.index for s in walk(kernel.body) if isinstance(s, Store) and s.buffer == local)
    return tuple(index.index(Index.var(loop)) for loop in loops)


def _all_gates(kernel: Kernel, found: Gates) -> Kernel:
    """The products of all gates as a kernel of their own, as if they were units side by side."""
    extent = extents(kernel)
    (loop,) = loops_named(kernel.body, found.gate)
    *rest, last = substitute(loop.body, {found.gate: Index.of(0)})
    columns = extent[found.gate] * extent[found.column]
    (local,) = (b for b in kernel.locals if b.name == found.local)
    body: Body = (*rest, replace(last, index=(Index.var(found.row), Index.var(found.column))))
    for var, n in ((found.column, columns), (found.row, extent[found.row])):
        body = (Loop(var, Limit.of(0), Limit.of(n), "each", "serial", body),)
    result = replace(local, type=local.type.with_(shape=(extent[found.row], columns), batch=True))
    return _alone(kernel, body, result).with_(parts=kernel.parts)


def _product(kernel: Kernel, found: Gates) -> Kernel:
    """The product of the first gate of the first item, as a kernel of its own."""
    (loop,) = loops_named(kernel.body, found.gate)
    inside = {s.var for s in walk(loop.body) if isinstance(s, Loop)}
    outside = {v: Index.of(0) for v in all_loops(kernel) if v not in inside}
    body = substitute(loop.body, outside)
    (local,) = (b for b in kernel.locals if b.name == found.local)
    return _alone(kernel, body, local)


def _alone(kernel: Kernel, body: Body, result: Buffer) -> Kernel:
    """Statements of a kernel as a kernel of their own, of which a local is the result."""
    used = accessed_buffers(body)
    return Kernel(
        kernel.name,
        tuple(b for b in kernel.inputs if b.name in used),
        (replace(result, space="global"),),
        tuple(b for b in kernel.locals if b.name in used - {result.name}),
        body,
        root=kernel.root,
    )


def _items(kernel: Kernel, found: Gates, target: CpuTarget, of_product: Rule) -> list[Item]:
    """Sizes of items, the best first: tiles are cheap, and threads have enough items."""
    extent, machine, count = extents(kernel), target.machine, target.lanes(float_dtype(kernel))
    rows, columns, gates = extent[found.row] // kernel.parts, extent[found.column], extent[found.gate]
    size, l2, least = target.vector_bytes // count, machine.l2.n_bytes, LEAST[of_product]
    (gate,) = loops_named(kernel.body, found.gate)
    terms = prod(s.extent or 1 for s in walk(gate.body) if isinstance(s, Loop))

    def cost(item: Item) -> tuple[bool, float]:
        blocks, items = rows // item.samples, rows * columns // (item.samples * item.units)
        high, wide = item.samples, -(-item.units // count)
        tile = best_tile(high, wide, machine)
        cycles = items * total_cost(high, wide, tile, machine)
        cycles *= TIGHT if tile.rows * tile.columns <= machine.accumulators else 1
        passed, weight = gates * item.samples * item.units * size, gates * item.units * terms * size
        far = passed > PASSED_SHARE * l2 or (blocks > 1 and weight > WEIGHT_SHARE * l2)
        again = (blocks - 1) * -(-columns // count) * FAR_COST * target.vector_bytes / machine.l2.bytes_per_cycle
        return far, (cycles + again) * (1 + IDLE * max(0, target.team / items - 1))

    high = [n for n in _divisors(rows) if n >= least.samples or n == rows]
    wide = [n for n in _divisors(columns) if (n >= least.units and n % count == 0) or n == columns]
    return sorted(itertools.starmap(Item, itertools.product(high, wide)), key=cost)[:WORTH_TRYING]


def _divisors(n: int) -> list[int]:
    return [k for k in range(1, n + 1) if n % k == 0]


THREADS = (1, 2, 4)
MAX_MEAN = 1.005
"""One kernel is better if it takes at most this many times as long, on average over these numbers of threads: what the
gates read needs no memory then."""
MOST = 1.1
"""It may take at most this many times as long on any of these numbers of threads, since the model is not more exact
(Zen 4, steps of a GRU of 64 units, batch 16, on one thread: predicted 1.08, measured 1.00)."""
BARRIER = 1000
"""Cycles that threads take to wait for each other between two kernels."""


def refuse(
    parts: Sequence[Kernel], joined: Kernel, target: CpuTarget, choose: Callable[[Kernel, CpuTarget], Schedule]
) -> str:
    """Why a product, what reads it, and both as one kernel should stay two; "" if they should not."""
    (product, *_), whole = found = [choose(kernel, target) for kernel in parts], choose(joined, target)
    if not whole.name.startswith(GATES):
        return "no rule of products takes a part of it"
    if whole.name != f"{GATES}.{product.name}":
        return f"{product.name} would no longer compute the product, but {whole.name.removeprefix(GATES + '.')}"
    separate = [_predicted(kernel, schedule, target) for kernel, schedule in zip(parts, found[0], strict=True)]
    one = _predicted(joined, whole, target)
    times = [one.slowest(n) / (sum(x.slowest(n) for x in separate) + BARRIER * (n > 1)) for n in THREADS]
    if max(times) <= MOST and geometric_mean(times) <= MAX_MEAN:
        return ""
    *some, last = (f"{x:.2f}" for x in times)
    *few, many = map(str, THREADS)
    return (
        f"one kernel is predicted to take {', '.join(some)} and {last} of the time of two on "
        f"{', '.join(few)} and {many} threads"
    )


def _predicted(kernel: Kernel, schedule: Schedule, target: CpuTarget) -> Prediction:
    return predicted(apply(schedule, kernel), target.machine)
