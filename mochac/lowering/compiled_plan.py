"""CompiledPlan: the parts of a plan that the runtime needs, with access to the stages from which it was compiled.

It is separate from the pipeline so that loading a plan from the cache does not import the compiler.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from mochac.base.records import record
from mochac.ir.plan import Plan

if TYPE_CHECKING:
    from mochac.runtime.lowered import Lowered


@record
class CompiledPlan:
    """A plan and its object code; `lowered` returns every stage, by lowering again if the plan came from the cache."""

    plan: Plan
    objects: list[bytes]
    lowered: Callable[[], Lowered]
