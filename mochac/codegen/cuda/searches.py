"""Loops that only act where a number names a row, as those over the ids of an embedding: the threads of a warp test 32
numbers together.

    for n { t = ids[n]; if (lo <= t < hi) { .. } }  ->  for n_first { hit = lo <= ids[n_first + lane] < hi;
                                                           for each hit of the warp, in order: .. }

All warps of a block test the same numbers, so they agree, and barriers inside are reached by all threads together.
"""

from __future__ import annotations

from mochac.ir.grids import WARP
from mochac.ir.kernel import Kernel, Let, Load, Loop, written_buffers


def is_search(loop: Loop, kernel: Kernel) -> bool:
    """Whether a loop, which all threads of a block run together, does nothing but search, and is long enough."""
    *values, last = loop.body
    if loop.lo.const != 0 or (loop.extent or 0) < WARP or kernel.block < WARP or kernel.block % WARP:
        return False
    found = {s.name for s in values if isinstance(s, (Let, Load)) and loop.var in _variables(s)}
    written = written_buffers(kernel.body)
    plain = all(isinstance(s, Let) or (isinstance(s, Load) and s.buffer not in written) for s in values)
    return plain and isinstance(last, Loop) and last.at in found


def _variables(stmt: Let | Load) -> set[str]:
    """Variables of the indices of a statement."""
    return {v for i in stmt.index for v in i.vars} if isinstance(stmt, Load) else set()
