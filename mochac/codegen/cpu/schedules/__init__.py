"""Chooses the schedule of a kernel for a CPU: rules, tried in the order of RULES.

A rule looks at the kernel's root op and its loops, never at layers or nets. A user's own op may bring a rule, which is
tried first. The generic rule takes every kernel that no tuned rule takes, so everything compiles. Where several rules
know a way to compute the same products, the model of the machine decides between them (judge.py). `variants` yields the
other schedules that the rules could have chosen, for a search (mochac/tuning).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from mochac.base.records import record
from mochac.codegen.analysis.plain import of_one_part, rows_of_one_part
from mochac.codegen.cpu.schedules import (
    batch_sums,
    blockings,
    contractions,
    gates,
    generic,
    joined_kernels,
    product_natural,
    product_packed,
    product_tiles,
    random,
    relayout,
    rows,
    small_blocks,
    weight_gradient_channels,
    weight_gradients,
    windows,
    winograd,
    winograd_gradient,
)
from mochac.codegen.cpu.schedules.judge import Judge, Rule
from mochac.codegen.cpu.schedules.picking import Picks, drawn, first_options, neighbours, pick, replay, weighed
from mochac.codegen.cpu.target import LEAST_TEAM, CpuTarget
from mochac.codegen.generator import Rival
from mochac.codegen.nesting import Nested, sum_alone
from mochac.ir.applying import fitted, misfit
from mochac.ir.kernel import Kernel, multiply_adds
from mochac.ir.schedule import Schedule, ScheduleError, Step
from mochac.ir.steps.prefetch import PrefetchBlock, PrefetchEpilogue
from mochac.ir.steps.prefetch_tile import PrefetchTile
from mochac.ir.steps.run import Parallel, Vector
from mochac.ir.steps.split_sum import Partial

PREFETCHES = (PrefetchTile, PrefetchBlock, PrefetchEpilogue)
"""Steps that only prefetch and compute nothing."""

BLOCKINGS = 32
"""Blockings that are drawn for a search to start from."""


def gated(kernel: Kernel, target: CpuTarget) -> Schedule | None:
    """The rule of products with gates, which other rules schedule."""
    return gates.rule(kernel, target, lambda product: (_plain(rule) for rule, _ in _taking(Nested.of(product), target)))


PRODUCTS: tuple[Rule, ...] = (
    contractions.rule,
    product_packed.rule,
    product_natural.rule,
    product_tiles.rule,
)
"""Rules for products of natural matrices, and for all other contractions; those with the least code first. Several may
take a kernel: the model of the machine decides."""
RULES: tuple[Rule, ...] = (
    gated,
    winograd.rule,
    winograd_gradient.winograd_gradient,
    winograd_gradient.winograd_filters,
    batch_sums.rule,
    weight_gradient_channels.rule,
    weight_gradients.rule,
    relayout.relayout,
    relayout.transposed,
    windows.rule,
    random.rule,
    *PRODUCTS,
    small_blocks.rule,
    rows.merged,
    rows.rule,
    generic.merged,
    generic.rule,
)
MERGING = (rows.merged, generic.merged)
"""Rules that are not for parts of joined kernels."""
WHOLE: tuple[Rule, ...] = (gated,)
"""Rules that see gates, and so sums over the parts of a batch, as they are; others see one of them (plain.py)."""


def choose(kernel: Kernel, target: CpuTarget) -> Schedule:
    """The schedule of the first rule that takes the kernel, of rivals of the one that is predicted to be quickest."""
    nested = Nested.of(kernel)
    return next(_taking(nested, target.holding(nested.kernel)))[1]


def offers(kernel: Kernel, target: CpuTarget) -> tuple[list[Rival], list[str]]:
    """The rivals of the schedule that is chosen, the quickest first; and the rules of which a step does not fit."""
    nested, refused = Nested.of(kernel), list[str]()
    if nested.own_rule("cpu"):
        return [], []
    target = target.holding(nested.kernel)
    chosen, schedule = next(_taking(nested, target))
    others, small = [r for r in _rivals(_plain(chosen)) if r is not _plain(chosen)], replace(target, team=LEAST_TEAM)
    fitting = {rule: found for rule in (chosen, *others) if (found := _fitting(rule, nested, small, refused))}
    if len(fitting) < 2:
        return [], [*schedule.refused]
    judge = _judge(fitting, nested, small, LEAST_TEAM)
    own = judge.cost(chosen)
    times = sorted((judge.cost(rule) / own, fitting[rule].name) for rule in fitting if rule is not chosen)
    return [Rival(name, n) for n, name in times], list(dict.fromkeys((*schedule.refused, *refused)))


def _taking(nested: Nested, target: CpuTarget, team: int = LEAST_TEAM) -> Iterator[tuple[Rule, Schedule]]:
    """The rules that take the kernel, in order, each with its schedule; the last of RULES takes every kernel.

    A tuned rule only looks at the sum. Constants, broadcasts or an epilogue may leave the kernel in a form that one of
    its steps refuses; then the next rule is tried. Rules take a kernel for the smallest team, since rules add up in
    different orders; then they schedule it for the target's team, if their steps fit.

    Args:
        team: the most threads that share the kernel, as far as the order of rivals depends on it.
    """
    by_items = joined(nested.staged, target)
    if by_items is not None:
        yield joined, by_items
        return
    own = nested.own_rule("cpu")
    if own and (schedule := nested.schedule(own, target)):
        yield own, schedule
    refused: list[str] = []
    for rules in _groups():
        if target.team == LEAST_TEAM:
            found = _ranked(rules, nested, target, team, refused)
        else:
            found = _ranked_for_few(rules, nested, target, team, refused)
        for rule, schedule in found:
            yield rule, replace(schedule, refused=tuple(refused)) if refused else schedule


def _ranked_for_few(
    rules: tuple[Rule, ...], nested: Nested, target: CpuTarget, team: int, refused: list[str]
) -> Iterator[tuple[Rule, Schedule]]:
    """The rules that take the kernel for the smallest team, in that order, with their schedules for the target's."""
    ranked = _ranked(rules, nested, replace(target, team=LEAST_TEAM), team, refused)
    while found := first_options(lambda: next(ranked, None)):
        yield found[0], _fitting(found[0], nested, target, []) or found[1]


def _groups() -> Iterator[tuple[Rule, ...]]:
    """RULES with those for products together, in the place of the first of them."""
    products = _rivals(PRODUCTS[0])
    for rule in RULES:
        if rule not in products:
            yield (rule,)
        elif rule is products[0]:
            yield products


def _rivals(rule: Rule) -> tuple[Rule, ...]:
    """A rule and its rivals."""
    return tuple(r for r in RULES if r in PRODUCTS) if rule in PRODUCTS else (rule,)


def _ranked(
    rules: tuple[Rule, ...], nested: Nested, target: CpuTarget, team: int, refused: list[str]
) -> Iterator[tuple[Rule, Schedule]]:
    """The rules that take the kernel, the quickest of rivals first. Of the options that a rule weighs, the quickest is
    taken if multiply-adds are predicted to wait for something else with the first, such as loads or spills."""
    fitting: dict[Rule, Schedule] = {}
    options: dict[Rule, list[Picks]] = {}
    judge: Judge | None = None
    waiting = iter(rules)
    for rule in waiting:
        schedule, others = weighed(lambda rule=rule: _fitting(rule, nested, target, refused))
        if schedule is not None:
            fitting[rule], options[rule] = schedule, others
            judge = judge or _judge(fitting, nested, target, team)
            if len(fitting) > 1 and judge.has_enough(fitting):
                break
    if judge is None:
        return
    ranked = judge.ranked(fitting)
    orders = {rule: _order(rule, schedule) for rule, schedule in fitting.items()}
    if len({*orders.values()}) > 1 and (alone := sum_alone(nested.staged)):
        best = next(_ranked(rules, Nested.of(alone), target, team, []), None)
        ranked.sort(key=lambda rule: best is not None and orders[rule] != _order(*best))
    for rule in ranked:
        if options[rule] and not judge.does_well(rule):
            rivals: list[Rule] = [Picked(rule, picks) for picks in options[rule]]
            found = {rival: schedule for rival in rivals if (schedule := _fitting(rival, nested, target, []))}
            fitting.update(found)
            rule = min((rule, *found), key=judge.cost)
        yield rule, fitting[rule]
    yield from ((rule, schedule) for rule in waiting if (schedule := _fitting(rule, nested, target, refused)))


def _order(rule: Rule, schedule: Schedule) -> Rule | None:
    """The rule, if it divides sums in its own way; None for those that add up term by term. The same terms in another
    order have other bits: what follows a product, which depends on what is fused, must not decide about it."""
    return _plain(rule) if _divides_sums(schedule) else None


def _divides_sums(schedule: Schedule) -> bool:
    """Whether lanes, or parts of a vector, hold partial sums."""
    return any(isinstance(step, Partial) for step in schedule.steps)


@record
class Picked:
    """A rule with some of its picks made."""

    rule: Rule
    picks: Picks

    def __call__(self, kernel: Kernel, target: CpuTarget) -> Schedule | None:
        return replay(lambda: self.rule(kernel, target), self.picks)[0]


def _judge(fitting: Mapping[Rule, Schedule], nested: Nested, target: CpuTarget, team: int) -> Judge:
    """Compares rules by their schedules for the rows of one part of a batch: sums of different rules have different
    orders, and so different bits."""
    kernel = rows_of_one_part(nested.kernel)
    own = kernel is nested.kernel

    def scheduled(rule: Rule) -> Kernel | None:
        schedule = fitting[rule] if own else _tried(rule, Nested.of(kernel), target)
        return schedule and fitted(schedule, nested.staged if own else kernel)

    return Judge(kernel, target, scheduled, team)


def _fitting(rule: Rule, nested: Nested, target: CpuTarget, refused: list[str]) -> Schedule | None:
    """A rule's schedule, if all of its steps fit."""
    schedule = _tried(rule, nested, target, refused)
    if schedule is not None and rule is not RULES[-1] and fitted(schedule, nested.staged) is None:
        refused.append(f"{_name(rule)}: {misfit(schedule, nested.staged)}")
        return None
    return schedule


def joined(kernel: Kernel, target: CpuTarget) -> Schedule | None:
    """The rules of joined kernels, whose parts are scheduled by others."""
    return factored(kernel, target) or joined_kernels.by_items(kernel, target, _part)


def factored(kernel: Kernel, target: CpuTarget) -> Schedule | None:
    """The rule of products that round factors, which others schedule."""
    return joined_kernels.by_factors(kernel, target, _products)


def _products(kernel: Kernel, target: CpuTarget) -> Iterator[Schedule]:
    """Schedules of the last part of a joined kernel, which a team computes."""
    return (schedule for rule, schedule in _taking(Nested.of(kernel), target) if rule is not RULES[-1])


def _part(kernel: Kernel, target: CpuTarget) -> Schedule:
    """The schedule of a part of a joined kernel, which one thread computes."""
    nested = Nested.of(kernel)
    taking = _taking(nested, target.holding(nested.kernel), team=1)
    return next(schedule for rule, schedule in taking if rule not in MERGING)


def _plain(rule: Rule) -> Rule:
    """A rule without its picks."""
    return rule.rule if isinstance(rule, Picked) else rule


def _name(rule: Rule) -> str:
    """The name of a rule: of its file, or of a function here."""
    rule = _plain(rule)
    return rule.__module__.rpartition(".")[2] if rule.__name__ == "rule" else rule.__name__


def _tried(rule: Rule, nested: Nested, target: CpuTarget, refused: list[str] | None = None) -> Schedule | None:
    """A rule's schedule; None if the rule is not for this kernel, or a step does not fit: `refused` gets the reason."""
    seen = of_one_part if rule not in WHOLE else lambda kernel: kernel
    try:
        return nested.schedule(lambda kernel, target: rule(seen(kernel), target), target)
    except ScheduleError as error:
        if refused is not None:
            refused.append(f"{_name(rule)}: {str(error).partition(chr(10))[0]}")
        return None


@record
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
    target = target.holding(nested.kernel)
    taking = [] if near else list(_taking(nested, target))
    start = near or _variant(*taking[0])
    seen = {start.schedule.steps}
    if near is None:
        yield start
    others = [] if near else [*_others(nested, target, start, [r for r, _ in taking[1:]]), *_blockings(nested, target)]
    for variant in (*_near(nested, target, start), *others):
        if variant.schedule.steps not in seen:
            seen.add(variant.schedule.steps)
            yield variant


def _variant(rule: Rule, schedule: Schedule) -> ScheduleVariant:
    if isinstance(rule, Picked):
        return ScheduleVariant(schedule, rule.rule, rule.picks)
    return ScheduleVariant(schedule, rule)


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
    if not multiply_adds(nested.kernel.body):
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
