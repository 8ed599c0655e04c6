"""Element types of the values named in a kernel.

Steps that turn a value into a local need them, and so does the verifier. They come from the buffers and the dtype rules
of the scalar table.
"""

from __future__ import annotations

from collections.abc import Mapping

from mochac.ir.index import Index
from mochac.ir.kernel import Buffer, Const, Let, Load, Operand, Stmt, walk
from mochac.ir.scalar import FUNCTIONS


def operand_dtype(operand: Operand, names: Mapping[str, str]) -> str:
    """Element type of one operand; an index counts as i32."""
    if isinstance(operand, Const):
        return operand.dtype
    return "i32" if isinstance(operand, Index) else names[operand]


def name_dtypes(body: tuple[Stmt, ...], buffers: Mapping[str, Buffer]) -> dict[str, str]:
    """Element type of every Let and Load in a body, in order."""
    names: dict[str, str] = {}
    for stmt in walk(body):
        if isinstance(stmt, Load):
            names[stmt.name] = buffers[stmt.buffer].type.dtype
        elif isinstance(stmt, Let):
            names[stmt.name] = FUNCTIONS[stmt.fn].result(tuple(operand_dtype(a, names) for a in stmt.args))
    return names
