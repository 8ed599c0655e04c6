"""What limits a step, in sentences: of the whole step, and of a kernel."""

from __future__ import annotations

from mochac.inspect.roofline import ARITHMETIC
from mochac.report.facts import StepFacts, Timed
from mochac.runtime.support.columns import duration, unit

NEAR_ROOF = 75.0
"""Percent of its roof from which a kernel is at its limit."""
BY_INSTRUCTIONS = 0.7
"""Part of the predicted cycles from which the instructions are what counts."""
WASTED = 1.1
"""Operations executed for each one of the formula, from which they are worth a word."""
SMALL_S = 5e-6
"""A kernel that takes less is too short for its work to matter."""


def step_sentence(facts: StepFacts) -> str:
    """How fast a step is, and how near to the peak of the machine."""
    p = facts.profile
    percent = 100 * p.gflops / p.peak_gflops
    threads = f"{p.threads} thread{'s' if p.threads != 1 else ''}"
    return (
        f"A step takes {duration(p.step_s)} on {threads}: {p.samples_per_s:,.0f} samples a second, "
        f"{p.gflops:.4g} GFLOP/s, {percent:.0f} % of the {p.peak_gflops:.4g} GFLOP/s that {p.peak_by}."
    )


def elsewhere_sentence(facts: StepFacts) -> str:
    """Where the time outside of kernels goes."""
    p = facts.profile
    waits = [(p.barriers_s, "at barriers between phases"), (p.between_s, "between steps")]
    parts = [f"{duration(s)} ({s / p.clocked_s:.1%}) {where}" for s, where in waits if s > 0.001 * p.clocked_s]
    return f"Outside of kernels, a step spends {' and '.join(parts)}." if parts else ""


def limit(facts: StepFacts, kernel: Timed) -> str:
    """What keeps a kernel from being faster."""
    row, record = kernel.time, kernel.record
    near = row.percent_roof >= NEAR_ROOF
    if row.bound_by == ARITHMETIC:
        bound = "Its multiply-adds alone" if near else "Its multiply-adds at the measured peak"
    else:
        bound = f"Moving its bytes through {row.bound_by}"
    if near:
        at = f"{bound} would take {row.percent_roof:.0f} % of its time: it is near the limit of this machine."
        return at + _extra(kernel)
    words = f"{bound} would take {row.percent_roof:.0f} % of its time. "
    if record.items < facts.profile.threads:
        return words + f"It has work for only {record.items} of {facts.profile.threads} threads."
    return words + (_model(facts, kernel) or "No model of this machine says where the rest goes.") + _extra(kernel)


def _model(facts: StepFacts, kernel: Timed) -> str:
    """What the model of the machine says about a kernel far from its roof."""
    prediction, seconds = kernel.record.predicted, kernel.time.predicted
    if prediction is None or not seconds:
        return ""
    if kernel.time.seconds > 1.6 * seconds:
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
        return f"Its instructions limit it: {what}, they fill {share:.0%} of the predicted time."
    moved = [f"{unit(c.n_bytes, 'B')} beyond {c.level}" for c in prediction.crossings if c.n_bytes >= 1]
    far = f": it moves {', '.join(moved)}" if moved else ""
    return f"It waits for memory for {1 - share:.0%} of the predicted time{far}."


def _extra(kernel: Timed) -> str:
    executed = kernel.time.executed
    return f" It executes {executed:.2f} times the operations of its formula." if executed > WASTED else ""
