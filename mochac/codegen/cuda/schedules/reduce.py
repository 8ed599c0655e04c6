"""Sums with few results: one block per result, its threads share the terms.

    for each result (block):  parts over r0, r1, ... by threads;  one tree joins them;  epilogue

Bias gradients, losses, norms, statistics: where a thread per result would leave most of the device idle.
"""

from __future__ import annotations

import math

from mochac.codegen.cuda.schedules.nests import band
from mochac.codegen.cuda.target import CudaTarget
from mochac.ir.kernel import Kernel, Loop, Stmt
from mochac.ir.schedule import Schedule, Step
from mochac.ir.steps.grid import Blocks, Lanes

MIN_TERMS = 64
MAX_LANES = 256
ENOUGH = 64
"""Results a multiprocessor that keep it busy with a thread each."""


def rule(kernel: Kernel, target: CudaTarget) -> Schedule | None:
    """The schedule, or None when threads alone have enough to do or the terms are few."""
    outer = band(kernel.body, "each")
    body = outer[-1].body if outer else kernel.body
    nests = [[loop.var for loop in band((s,), s.kind)] for s in body if isinstance(s, Loop)]
    terms = [_terms(s) for s in body if isinstance(s, Loop)]
    results = math.prod(loop.extent or 0 for loop in outer)
    if not terms or any(s.kind == "for" for s in body if isinstance(s, Loop)) or max(terms) < MIN_TERMS:
        return None
    if results > ENOUGH * target.multiprocessors:
        return None
    if any(s.kind != "sum" for s in body if isinstance(s, Loop)) and not _row(body):
        return None
    lanes = min(MAX_LANES, 1 << (max(terms) - 1).bit_length() if max(terms) < MAX_LANES else MAX_LANES)
    steps: list[Step] = [Blocks(tuple(loop.var for loop in outer))] if outer else []
    steps += [Lanes(tuple(names), lanes) for names in nests]
    return Schedule("reduce.block", tuple(steps))


def _row(body: tuple[Stmt, ...]) -> bool:
    """Whether loops over results stand beside the sums, as in a softmax."""
    return any(isinstance(s, Loop) and s.kind == "sum" for s in body)


def _terms(loop: Loop) -> int:
    return math.prod(x.extent or 0 for x in band((loop,), loop.kind))
