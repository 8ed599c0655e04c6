"""Which Schedule for which Kernel on this CPU: one rule a file, tried in the order of RULES.

driver calls `choose`; a rule looks at the kernel's root op and loops, never at layers or nets. An op of a user's own
may bring a rule, which is asked first. What no tuned rule wants, the generic rule takes, so that everything compiles.
"""

from __future__ import annotations

from collections.abc import Callable

from mochac.codegen.cpu.schedules import conv as conv_rule
from mochac.codegen.cpu.schedules import (
    conv_dw,
    conv_pool,
    generic,
    inner_product,
    inner_product_dw,
    inner_product_natural,
    inner_product_rows,
    relayout,
    windows,
)
from mochac.codegen.cpu.target import CpuTarget
from mochac.ir.kernel import Kernel
from mochac.ir.op import OPS
from mochac.ir.schedule import Schedule

Rule = Callable[[Kernel, CpuTarget], Schedule | None]

RULES: tuple[Rule, ...] = (
    conv_pool.rule,
    conv_rule.rule,
    conv_dw.rule,
    inner_product.rule,
    inner_product_rows.rule,
    inner_product_natural.rule,
    inner_product_dw.rule,
    relayout.rule,
    windows.rule,
    generic.rule,
)


def choose(kernel: Kernel, target: CpuTarget) -> Schedule:
    """The first rule's schedule that fits the kernel."""
    for rule in (*_own_rule(kernel), *RULES):
        schedule = rule(kernel, target)
        if schedule is not None:
            return schedule
    raise AssertionError("the generic rule takes every kernel")


def _own_rule(kernel: Kernel) -> list[Rule]:
    found = OPS[kernel.root].schedules.get("cpu") if kernel.root in OPS.foreign else None
    return [found] if found else []
