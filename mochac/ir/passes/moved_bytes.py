"""moved_bytes: the fewest bytes that a kernel must read and write, for explain and for sharing work among threads.

Every buffer counts once. Where data determine which rows of a buffer are accessed (loops `at` a value), only these rows
count.
"""

from __future__ import annotations

from math import prod

from mochac.ir.kernel import If, Kernel, Loop, Stmt, access


def moved_bytes(kernel: Kernel) -> int:
    """The bytes of a kernel's buffers that it accesses. An output that begins as an input is read and written."""
    rows: dict[str, int | None] = {}
    _count(kernel.body, (), rows)
    total = 0
    for buffer in (*kernel.inputs, *kernel.outputs):
        whole, elements = buffer.type.storage_bytes, rows.get(buffer.name)
        one = whole // max(1, buffer.type.elems)
        total += (whole if elements is None else min(whole, elements * one)) * (2 if buffer.begins else 1)
    begun = {b.begins for b in kernel.outputs}
    return total - sum(b.type.storage_bytes for b in kernel.inputs if b.name in begun)


def _count(body: tuple[Stmt, ...], around: tuple[Loop, ...], rows: dict[str, int | None]) -> None:
    """Add the elements that are accessed at rows that data name; None for buffers that are accessed otherwise, too."""
    for stmt in body:
        found = access(stmt)
        if isinstance(stmt, Loop):
            _count(stmt.body, (*around, stmt), rows)
        elif isinstance(stmt, If):
            _count(stmt.body, around, rows)
        elif found is not None:
            name, index = found
            used = {var for i in index for var in i.vars}
            named = any(loop.at and loop.var in used for loop in around)
            extents = [1 if loop.at else loop.extent for loop in around]
            if not named or None in extents:
                rows[name] = None
            elif rows.get(name, 0) is not None:
                rows[name] = max(rows.get(name) or 0, prod(n or 0 for n in extents))
