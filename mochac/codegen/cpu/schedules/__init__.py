"""Chooses the schedule of a kernel for a CPU: one rule per file, tried in the order of RULES.

A rule looks at the kernel's root op and its loops, never at layers or nets. A user's own op may bring a rule, which is
tried first. The generic rule takes every kernel that no tuned rule takes, so everything compiles. `variants` yields the
other schedules that the rules could have chosen, for a search (mochac/tuning).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from mochac.codegen.analysis.parted_sum import of_one_part
from mochac.codegen.cpu.schedules import (
    batch_sums,
    blockings,
    contractions,
    gates,
    generic,
    items,
    product_natural,
    product_packed,
    product_panels,
    product_rows,
    random,
    relayout,
    rows,
    small_blocks,
    transposed,
    weight_gradient_channels,
    weight_gradients,
    windows,
    winograd,
    winograd_filters,
    winograd_gradient,
)
from mochac.codegen.cpu.schedules.picking import Picks, drawn, neighbours, pick, replay
from mochac.codegen.cpu.target import CpuTarget
from mochac.codegen.nesting import Nested
from mochac.ir.applying import fitted, misfit
from mochac.ir.kernel import Accum, Kernel, walk
from mochac.ir.schedule import Schedule, ScheduleError, Step
from mochac.ir.steps.prefetch_block import PrefetchBlock
from mochac.ir.steps.prefetch_epilogue import PrefetchEpilogue
from mochac.ir.steps.prefetch_tile import PrefetchTile
from mochac.ir.steps.run import Parallel, Vector

Rule = Callable[[Kernel, CpuTarget], Schedule | None]
PREFETCHES = (PrefetchTile, PrefetchBlock, PrefetchEpilogue)
"""Steps that only prefetch and compute nothing."""

BLOCKINGS = 32
"""Blockings that are drawn for a search to start from."""

RULES: tuple[Rule, ...] = (
    gates.rule,
    winograd.rule,
    winograd_gradient.rule,
    winograd_filters.rule,
    batch_sums.rule,
    weight_gradient_channels.rule,
    weight_gradients.rule,
    product_packed.rule,
    product_rows.rule,
    product_natural.rule,
    relayout.rule,
    transposed.rule,
    windows.rule,
    random.rule,
    product_panels.rule,
    contractions.rule,
    small_blocks.rule,
    rows.rule,
    generic.rule,
)


WHOLE: tuple[Rule, ...] = (gates.rule,)
"""Rules that see gates, and so sums over the parts of a batch, as they are; others see one of them (parted_sum.py)."""
NOT_FOR_ITEMS: tuple[Rule, ...] = (product_packed.rule,)
"""Rules that leave out the parts of joined kernels whose items are one strip: as in batched products, their factors
meet once only, and packing one does not pay (product_packed.py; scores of 64 x 64 x 32: 7,300 cycles packed, 4,700
transposed, by the model of Zen 5). Of several strips, each would transpose the other factor anew."""


def choose(kernel: Kernel, target: CpuTarget) -> Schedule:
    """The schedule of the first rule that takes the kernel."""
    return next(_taking(Nested.of(kernel), target))[1]


def _taking(nested: Nested, target: CpuTarget, without: tuple[Rule, ...] = ()) -> Iterator[tuple[Rule, Schedule]]:
    """The rules that take the kernel, in order, each with its schedule; the last of RULES takes every kernel.

    A tuned rule only looks at the sum. Constants, broadcasts or an epilogue may leave the kernel in a form that one of
    its steps refuses; then the next rule is tried.
    """
    joined = _joined(nested.staged, target)
    if joined is not None:
        yield _joined, joined
        return
    own = nested.own_rule("cpu")
    if own and (schedule := nested.schedule(own, target)):
        yield own, schedule
    refused: list[str] = []
    for rule in (rule for rule in RULES if rule not in without):
        schedule = _tried(rule, nested, target, refused)
        if schedule is None:
            continue
        if rule is RULES[-1] or fitted(schedule, nested.staged) is not None:
            yield rule, replace(schedule, refused=tuple(refused)) if refused else schedule
        else:
            refused.append(f"{_name(rule)}: {misfit(schedule, nested.staged)}")


def _joined(kernel: Kernel, target: CpuTarget) -> Schedule | None:
    """The rule of joined kernels, whose parts are scheduled by others."""
    return items.rule(kernel, target, _part)


def _part(kernel: Kernel, target: CpuTarget, whole: bool) -> Schedule:
    """The schedule of a part of a joined kernel, for a whole item or for one of several strips."""
    return next(_taking(Nested.of(kernel), target, NOT_FOR_ITEMS if whole else ()))[1]


def _name(rule: Rule) -> str:
    """The file of a rule."""
    return rule.__module__.rpartition(".")[2]


def _tried(rule: Rule, nested: Nested, target: CpuTarget, refused: list[str] | None = None) -> Schedule | None:
    """A rule's schedule; None if the rule is not for this kernel, or a step does not fit: `refused` gets the reason."""
    seen = of_one_part if rule not in WHOLE else lambda kernel: kernel
    try:
        return nested.schedule(lambda kernel, target: rule(seen(kernel), target), target)
    except ScheduleError as error:
        if refused is not None:
            refused.append(f"{_name(rule)}: {str(error).partition(chr(10))[0]}")
        return None


@dataclass(frozen=True)
class ScheduleVariant:
    """A schedule that a rule can choose, with the rule and its picks."""

    schedule: Schedule
    rule: Rule
    picks: Picks = ()


def variants(kernel: Kernel, target: CpuTarget, near: ScheduleVariant | None = None) -> Iterator[ScheduleVariant]:
    """Schedules to try, without duplicates; some may not fit the kernel or the registers.

    Args:
        near: the variant to vary, one pick at a time. None: start with the rules' choice, then vary its picks, then
            continue with the schedules of the other rules that take the kernel, and with some blockings.
    """
    nested = Nested.of(kernel)
    taking = [] if near else list(_taking(nested, target))
    start = near or ScheduleVariant(taking[0][1], taking[0][0])
    seen = {start.schedule.steps}
    if near is None:
        yield start
    others = [] if near else [*_others(nested, target, start, [r for r, _ in taking[1:]]), *_blockings(nested, target)]
    for variant in (*_near(nested, target, start), *others):
        if variant.schedule.steps not in seen:
            seen.add(variant.schedule.steps)
            yield variant


def _near(nested: Nested, target: CpuTarget, start: ScheduleVariant) -> Iterator[ScheduleVariant]:
    def varied() -> Schedule | None:
        schedule = _tried(start.rule, nested, target)
        return schedule and _common_picks(schedule)

    for picks, schedule in neighbours(varied, start.picks):
        if schedule is not None:
            yield ScheduleVariant(schedule, start.rule, picks)


def _others(nested: Nested, target: CpuTarget, start: ScheduleVariant, rules: list[Rule]) -> Iterator[ScheduleVariant]:
    """Schedules of other rules; without scalar code where there is vector code, since it never wins and runs long."""
    vectors = any(isinstance(step, Vector) for step in start.schedule.steps)
    for rule in rules:
        schedule, _ = replay(lambda rule=rule: _tried(rule, nested, target))
        if schedule is not None and (not vectors or any(isinstance(step, Vector) for step in schedule.steps)):
            yield ScheduleVariant(schedule, rule)


def _blockings(nested: Nested, target: CpuTarget) -> Iterator[ScheduleVariant]:
    """Some blockings, if the kernel is a contraction."""
    if not any(isinstance(s, Accum) and s.fn == "fma" for s in walk(nested.kernel.body)):
        return
    for picks in drawn(BLOCKINGS):
        schedule, _ = replay(lambda: _tried(blockings.rule, nested, target), picks)
        if schedule is not None:
            yield ScheduleVariant(schedule, blockings.rule, picks)


def _common_picks(schedule: Schedule) -> Schedule:
    """Options for any schedule: without prefetching, with fewer parallel loops."""
    steps = schedule.steps
    if any(isinstance(step, PREFETCHES) for step in steps):
        steps = pick(steps, tuple(step for step in steps if not isinstance(step, PREFETCHES)))
    return replace(schedule, steps=tuple(map(_fewer_parallel, steps)))


def _fewer_parallel(step: Step) -> Step:
    if isinstance(step, Parallel) and len(step.loops) > 1:
        return Parallel(pick(*(step.loops[:n] for n in range(len(step.loops), 0, -1))))
    return step
