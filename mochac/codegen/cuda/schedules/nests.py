"""What the rules ask about a naive kernel: its outer band, its inner loops.

Rules of this folder share it. It decides nothing.
"""

from __future__ import annotations

from mochac.ir.kernel import Kernel, Loop, Stmt, walk


def band(body: tuple[Stmt, ...], kind: str) -> list[Loop]:
    """The outermost perfectly nested loops of one kind."""
    nested: list[Loop] = []
    while len(body) == 1 and isinstance(body[0], Loop) and body[0].kind == kind:
        nested.append(body[0])
        body = body[0].body
    return nested


def inner_loops(kernel: Kernel) -> list[Loop]:
    """All loops, outer first, in order."""
    return [s for s in walk(kernel.body) if isinstance(s, Loop)]


def loops(kernel: Kernel) -> dict[str, Loop]:
    """All loops by variable (naive kernels have one loop per variable), outer first."""
    return {loop.var: loop for loop in inner_loops(kernel)}


def extents(kernel: Kernel) -> dict[str, int]:
    """Constant extents by variable."""
    return {var: loop.extent for var, loop in loops(kernel).items() if loop.extent is not None}
