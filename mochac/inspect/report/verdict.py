"""Sentences about what limits the whole step, and each kernel, and what to try."""

from __future__ import annotations

from mochac.base.support.array_like import duration, unit
from mochac.base.support.times import default_threads
from mochac.codegen.generator import LibraryCode
from mochac.inspect.report.facts import StepFacts, Timed
from mochac.inspect.roofline import ARITHMETIC
from mochac.ir.op import OPS
from mochac.lowering.tuning.schedules import BY_RULE

NEAR_ROOF = 75.0
"""Percent of its roof from which a kernel is at its limit."""
BY_INSTRUCTIONS = 0.7
"""From this part of the predicted cycles on, instructions are the limit."""
WASTED = 1.1
"""From this number of executed operations per operation of the formula on, the waste is mentioned."""
SKIPPED = 0.98
"""Up to this number of executed operations per operation of the formula, skipped operations are mentioned."""
NEGLIGIBLE = 0.01
"""Share of a step below which a kernel is not worth advice."""
SMALL_S = 5e-6
"""A kernel that takes less time is too short for its work to matter."""
FAR = 1.6
"""If the measured time differs from the predicted one by more than this factor, the prediction does not explain it."""


def step_sentence(facts: StepFacts) -> str:
    """How fast a step is, and how close to the peak of the machine."""
    p = facts.profile
    threads = f"{p.threads} thread{'s' if p.threads != 1 else ''}"
    return (
        f"A step takes {duration(p.step_s)} on {threads} (median of {_runs(p.runs, p.run_steps)}): "
        f"{p.samples_per_s:,.0f} samples a second, {p.gflops:.4g} GFLOP/s, {percent(p.gflops / p.peak_gflops)} of the "
        f"{p.peak_gflops:.4g} GFLOP/s that {p.peak_by}."
    )


def busy_sentence(facts: StepFacts) -> str:
    """How far the times of a busy machine may be off; "" if it was idle."""
    p = facts.profile
    if not p.busy:
        return ""
    quickest = sum(kernel.time.range_s[0] if kernel.time.range_s else kernel.time.seconds for kernel in facts.kernels)
    return (
        f"The machine was busy with other work while this was measured: {'; '.join(p.doubts)}. The quickest runs "
        f"of the kernels add up to {duration(quickest)}; a step with clocks took {duration(p.clocked_s)}. Times, "
        "shares and the order of kernels below include other work: make the report again when the machine is idle."
    )


def base_sentence(facts: StepFacts) -> str:
    """The total of which times and shares of kernels are parts, and why that is not the time of a step."""
    p = facts.profile
    return (
        f"Times and shares of kernels are parts of {duration(p.clocked_s)}, which a step took with clocks between "
        f"kernels (the run with the median time of {_runs(p.runs, p.run_steps)}), not of the {duration(p.step_s)} "
        "without them."
    )


def threads_sentence(facts: StepFacts) -> str:
    """Which threads ran, where these are fewer than there are."""
    p = facts.profile
    if p.used_threads >= p.threads:
        return ""
    if p.used_threads == p.shared_by:
        return f"The plan has work for only {p.shared_by} of {p.threads} threads."
    return (
        f"Only {p.used_threads} of {p.threads} threads ran the timed step: the others were held back, or in use, while "
        "other work kept a CPU busy."
    )


def work_sentence(facts: StepFacts) -> str:
    """How much of its time a thread was at work in the step of the timeline; "" where no single launches are timed."""
    spans = facts.profile.spans
    if len(spans) < 2:
        return ""
    worked = float((spans[..., 1] - spans[..., 0]).sum()) / (len(spans) * max(float(spans.max()), 1e-9))
    return f"The threads are at work for {percent(worked)} of their time."


def elsewhere_sentence(facts: StepFacts) -> str:
    """Where the time outside of kernels goes."""
    p = facts.profile
    waits = [(p.barriers_s, "at barriers between phases"), (p.between_s, "between steps")]
    parts = [f"{duration(s)} ({percent(s / p.clocked_s, 1)}) {where}" for s, where in waits if s > 0.001 * p.clocked_s]
    return f"Outside of kernels, it spends {' and '.join(parts)}." if parts else ""


def data_sentence(facts: StepFacts) -> str:
    """How long a step waits for its batch; "" if it does not."""
    p = facts.profile
    if not p.stall_s:
        return ""
    slowest, waits = p.slowest_input, "waited" if p.waits else "would wait"
    takes = f" '{slowest}' takes {duration(p.reads[slowest])} for a batch"
    return (
        f"In training, the data limits it: layer{takes}, and a step {waits} {duration(p.stall_s)} for it, "
        f"{percent(p.stall_s / (p.step_s + p.stall_s))} of the time."
    )


def limit(facts: StepFacts, kernel: Timed) -> str:
    """What keeps a kernel from being faster."""
    row, record = kernel.time, kernel.record
    of_time = percent(min(100.0, row.percent_roof) / 100)
    near = row.percent_roof >= NEAR_ROOF
    if row.bound_by == ARITHMETIC:
        bound = "Its multiply-adds alone" if near else "Its multiply-adds at the measured peak"
    else:
        bound = f"Moving its bytes through {row.bound_by}"
    if near:
        at = f"{bound} would take {of_time} of its time: it is near the limit of this machine."
        return at + _extra(kernel)
    words = f"{bound} would take {of_time} of its time. "
    if record.items < facts.profile.threads:
        return words + f"It has work for only {record.items} of {facts.profile.threads} threads."
    return words + (_model(kernel) or "No model of this machine says where the rest goes.") + _extra(kernel)


def gain(facts: StepFacts, kernel: Timed) -> str:
    """How long a step would take if the kernel reached its roof."""
    p, row = facts.profile, kernel.time
    saved = row.share * max(0.0, 1 - row.percent_roof / 100)
    return f"At its roof, a step would take {duration(p.step_s * (1 - saved))} instead of {duration(p.step_s)}."


def attempt(facts: StepFacts, kernel: Timed) -> str:
    """What may make a kernel faster."""
    record, p = kernel.record, facts.profile
    if p.busy:
        return "the report again when the machine is idle: other work may be what this time shows."
    if kernel.time.share < NEGLIGIBLE:
        return "nothing: a step would hardly be faster without it."
    if kernel.time.percent_roof >= NEAR_ROOF:
        threads = ", or more threads" if p.threads < default_threads() else ""
        return f"a layer with fewer operations or bytes{threads}; its code has little left to gain."
    if isinstance(record.scheduled.code, LibraryCode):
        return "the generated kernel instead of the library (libraries=False, --libraries none), and compare."
    if record.items < p.threads:
        return "a larger batch or more channels, which give all threads work."
    if record.origin == BY_RULE:
        return 'a search for a faster schedule: mochac.compile(net, tune="quick"), or --tune quick.'
    if "quick" in record.origin:
        return 'a longer search: tune="full", or --tune full; a quick one chose this schedule.'
    return "another shape of the layer: a search for schedules has already been made."


def off(kernel: Timed) -> bool:
    """Whether the measured time is far from the predicted one, either way, and long enough to matter."""
    return kernel.ratio is not None and kernel.time.seconds >= SMALL_S and not 1 / FAR <= kernel.ratio <= FAR


def roof_name(by: str) -> str:
    """What sets a roof, for people.

    >>> roof_name("peak"), roof_name("L2")
    ('arithmetic', 'L2')
    """
    return "arithmetic" if by == ARITHMETIC else by


def percent(part: float, digits: int = 0) -> str:
    """A part in percent.

    >>> percent(0.284), percent(0.284, 1)
    ('28 %', '28.4 %')
    """
    return f"{100 * part:.{digits}f} %"


def _runs(runs: int, steps: int) -> str:
    return f"{runs} run{'s' if runs != 1 else ''} of {steps} step{'s' if steps != 1 else ''}"


def _model(kernel: Timed) -> str:
    """What the model of the machine says about a kernel far from its roof."""
    prediction, seconds = kernel.record.predicted, kernel.time.predicted
    if prediction is None or not seconds:
        return ""
    if kernel.time.seconds > FAR * seconds:
        more = kernel.time.seconds / seconds
        if kernel.time.seconds < SMALL_S:
            return f"It is so short that starting it counts: it takes {more:.1f} times what the model expects."
        return (
            f"The model of the machine expects {duration(seconds)}, so it takes {more:.1f} times as long as its code "
            "explains: other work on the machine, or memory that the model does not see."
        )
    share = prediction.instructions / prediction.cycles
    if share >= BY_INSTRUCTIONS:
        what = "loads, stores, shuffles and loop ends included"
        return f"Its instructions limit it: {what}, they fill {percent(share)} of the predicted time."
    moved = [f"{unit(c.n_bytes, 'B')} beyond {c.level}" for c in prediction.crossings if c.n_bytes >= 1]
    far = f": it moves {', '.join(moved)}" if moved else ""
    return f"It waits for memory for {percent(1 - share)} of the predicted time{far}."


def _extra(kernel: Timed) -> str:
    executed = kernel.time.executed
    if executed and any(OPS[op].kind == "transform" for op in kernel.record.ops):
        return f" It computes by tiles, with {percent(executed)} of the operations of its formula."
    if kernel.time.bound_by == ARITHMETIC and 0 < executed < SKIPPED:
        return f" It skips {percent(1 - executed)} of the operations of its formula: taps on padding."
    return f" It executes {executed:.2f} times the operations of its formula." if executed > WASTED else ""
