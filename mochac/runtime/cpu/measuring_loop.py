"""A loop that measures the machine, as a plan with one launch: run on threads as mochac's kernels are."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from mochac.base.files.cache import Cache
from mochac.ir.plan import Launch, Placement, Plan
from mochac.ir.types import TensorType, dtype_name
from mochac.runtime.cpu.executor import CpuExecutor

FLOPS = 10**12
"""Stated operations: so many that all threads share the launch."""
RESULT_FLOATS = 32
"""Floats that each thread stores, in cache lines of its own."""


def measuring_loop(
    symbol: str, image: bytes, states: Mapping[str, np.ndarray], threads: int, cache: Cache | None
) -> CpuExecutor:
    """A plan in which each thread runs one item of a function.

    Args:
        symbol, image: the function, and the object code with it. Its arguments are the states, then the results.
        states: aligned arrays that it reads.
    """
    types = {key: TensorType(dtype_name(array.dtype), array.shape) for key, array in states.items()}
    result = TensorType("f32", (threads * RESULT_FLOATS,))
    placements = (
        *(Placement(key, type, "state", key) for key, type in types.items()),
        Placement("result", result, "arena"),
    )
    launch = Launch(symbol, symbol, (*states, "result"), threads, 0, flops=FLOPS)
    n_bytes = result.storage_bytes
    plan = Plan(symbol, placements, (launch,), (), (("result", "result"),), n_bytes, n_bytes)
    return CpuExecutor(plan, [image], states, threads, cache=cache, yielding=False)
