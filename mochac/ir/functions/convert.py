"""Conversions: to_f32 to_f64 to_i8 to_u8 to_i16 to_i32 to_u32 to_i64 to_u64, from any dtype.

Conversions of floats to integers truncate; the result must fit (it is undefined in C and NumPy otherwise). Index
operands of kernels have dtype i32. The cotangent of a conversion between floats is converted back; no gradient flows
through integers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from mochac.ir.build import GraphBuilder
from mochac.ir.graph import Value
from mochac.ir.scalar import Emitter, Function, Reg, function, to
from mochac.ir.types import DTYPES, FLOATS

C_TYPES = {
    "f32": "float",
    "f64": "double",
    "i8": "signed char",
    "u8": "unsigned char",
    "i16": "short",
    "i32": "int",
    "u32": "unsigned int",
    "i64": "long long",
    "u64": "unsigned long long",
}


def opcode_of(source: str, target: str) -> str:
    """The LLVM cast between two different dtypes; "" if the bits stay the same."""
    unsigned = source[0] in "ub"
    if source in FLOATS and target in FLOATS:
        return "fpext" if target == "f64" else "fptrunc"
    if source in FLOATS:
        return "fptoui" if target[0] == "u" else "fptosi"
    if target in FLOATS:
        return "uitofp" if unsigned else "sitofp"
    before = 0 if source == "bool" else DTYPES[source].itemsize
    after = DTYPES[target].itemsize
    if before == after:
        return ""
    return "trunc" if after < before else ("zext" if unsigned else "sext")


def emitter(target: str) -> Callable[[Emitter, Reg], Reg]:
    def emit(e: Emitter, a: Reg) -> Reg:
        if a.dtype == target:
            return a
        opcode = opcode_of(a.dtype, target)
        return e.cast(opcode, a, target) if opcode else Reg(a.text, target, a.lanes)

    return emit


def definition(target: str) -> Callable[[Any], np.ndarray]:
    return lambda a: np.asarray(a).astype(DTYPES[target])


def derivative(b: GraphBuilder, dy: Value, args: tuple[Value, ...], y: Value) -> tuple[Value | None, ...]:
    source = args[0].type.dtype
    if source not in FLOATS or dy.type.dtype not in FLOATS:
        return (None,)
    return (dy if dy.type.dtype == source else b.op(f"to_{source}", dy),)


for target, c_type in C_TYPES.items():
    function(
        Function(
            name=f"to_{target}",
            arity=1,
            result=to(target),
            numpy=definition(target),
            llvm=emitter(target),
            cuda={"": f"(({c_type}){{0}})"},
            derivative=derivative if target in FLOATS else None,
            domain=((0.0, 100.0),),
        )
    )
