"""CompiledPlan: what the runtime needs of a plan, and a way back to how it came about.

plan_cache.py makes it. It is apart from the pipeline so that a plan found in the cache does not load the compiler.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mochac.ir.program import Plan

if TYPE_CHECKING:
    from mochac.lowering.lowered import Lowered


@dataclass(frozen=True)
class CompiledPlan:
    """A plan and its object code; `lowered` gives every stage, lowering again where the plan came from the cache."""

    plan: Plan
    objects: list[bytes]
    lowered: Callable[[], Lowered]
