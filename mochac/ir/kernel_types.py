"""Dtypes of the values named in a kernel, derived from its buffers and the dtype rules of the scalar table.

Steps that turn a value into a local use them, and so does the verifier.
"""

from __future__ import annotations

from collections.abc import Mapping

from mochac.ir.index import Index
from mochac.ir.kernel import Buffer, Const, Let, Load, Operand, Stmt, walk
from mochac.ir.scalar import FUNCTIONS


def operand_dtype(operand: Operand, names: Mapping[str, str]) -> str:
    """Dtype of one operand; an index counts as i32."""
    if isinstance(operand, Const):
        return operand.dtype
    return "i32" if isinstance(operand, Index) else names[operand]


def name_dtypes(body: tuple[Stmt, ...], buffers: Mapping[str, Buffer]) -> dict[str, str]:
    """Dtype of every Let and Load in a body, in order."""
    names: dict[str, str] = {}
    for stmt in walk(body):
        if isinstance(stmt, Load):
            names[stmt.name] = buffers[stmt.buffer].type.dtype
        elif isinstance(stmt, Let):
            names[stmt.name] = FUNCTIONS[stmt.fn].result(tuple(operand_dtype(a, names) for a in stmt.args))
    return names
