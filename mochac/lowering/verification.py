"""MOCHAC_VERIFY=1: verifies every stage and names the one that broke a rule. MOCHAC_DEBUG: prints stages to stderr.

A violation is an error in mochac and becomes an InternalError.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from time import perf_counter

from mochac.base.errors import InternalError
from mochac.ir.kernel_verify import KernelVerifyError, verify_kernel
from mochac.ir.passes.verify_plan import verify_plan
from mochac.ir.verifier import VerifyError, verify
from mochac.runtime.backend import Backend
from mochac.runtime.lowered import Lowered


def verify_all(lowered: Lowered, backend: Backend) -> None:
    """Run the verifiers of graphs, kernels and plan, and the backend's verifier of the generated code.

    Raises:
        InternalError: with the stage and the rule.
    """
    for name, graph in lowered.stages:
        _check(f"pass {name!r} broke the graph", lambda graph=graph: verify(graph))
    for k in lowered.kernels:
        _check(f"kernel {k.naive.name!r} is lowered wrongly", lambda k=k: verify_kernel(k.staged))
        _check(f"the nests of {k.naive.name!r} are put together wrongly", lambda k=k: verify_kernel(k.naive))
        _check(
            f"schedule {k.schedule.name!r} broke kernel {k.naive.name!r}",
            lambda k=k: verify_kernel(k.scheduled, printable=True),
        )
    launched = tuple(kernel for k in lowered.kernels for kernel, _ in k.launched(lowered.generator))
    _check("the plan breaks a rule", lambda: verify_plan(lowered.graph, launched, lowered.plan))
    _check(f"the generated {backend.language} is invalid", lambda: backend.verify(lowered.text))


def report(lowered: Lowered, level: int) -> None:
    """Print by level: 1 plan, 3 graph after every pass, 4 scheduled kernels, 5 LLVM IR; 2 is report_times."""
    plan = lowered.plan
    lines = [
        f"mochac: plan {plan.name}: {len(plan.launches)} kernels, {plan.phases} phases, arena {plan.arena_bytes} bytes"
    ]
    if level >= 3:
        lines += [f"# after {name}\n{graph}" for name, graph in lowered.stages]
    if level >= 4:
        lines += [f"{k.schedule}\n{k.scheduled}" for k in lowered.kernels]
    if level >= 5:
        lines.append(lowered.text)
    print("\n".join(lines), file=sys.stderr)


def report_times(lowered: Lowered, backend: Backend) -> None:
    """Compile time by stage and by kernel; for that, every kernel is compiled once more, alone, if that is fast."""
    lines = ["mochac: " + ", ".join(f"{s} {1e3 * t:.1f} ms" for s, t in lowered.seconds.items())]
    alone: dict[str, float] = {}
    for k in lowered.kernels if backend.times_kernels else ():
        if k.code.symbol not in alone:
            text = lowered.generator.module_text([k.code])
            begin = perf_counter()
            backend.compile(text)
            alone[k.code.symbol] = perf_counter() - begin
            spent = lowered.kernel_seconds.get(k.naive.name, 0.0)
            times = f"schedule and print {1e3 * spent:.1f} ms, object code {1e3 * alone[k.code.symbol]:.1f} ms"
            lines.append(f"mochac:   {k.naive.name}: {times}")
    print("\n".join(lines), file=sys.stderr)


def _check(what: str, verifier: Callable[[], None]) -> None:
    try:
        verifier()
    except (VerifyError, KernelVerifyError, ValueError, RuntimeError) as error:
        raise InternalError(what, details=str(error).splitlines()) from error
