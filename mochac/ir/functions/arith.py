"""Arithmetic rows: add sub mul div fma neg abs sign square sqrt max min.

Integers wrap around, as in NumPy. max and min propagate a NaN of either argument, like np.maximum and np.minimum.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np

from mochac.ir.build import GraphBuilder
from mochac.ir.graph import Value
from mochac.ir.scalar import Emitter, Function, Reg, floating, floats, function, numeric
from mochac.ir.types import FLOATS

Args = tuple[Value, ...]
WIDE = (-100.0, 100.0)


def opcode(name: str) -> Callable[[Emitter, Reg, Reg], Reg]:
    """One instruction: f<name> on floats, <name> on integers."""
    return lambda e, a, b: e.binary(("f" if a.dtype in FLOATS else "") + name, a, b)


def less(e: Emitter, a: Reg, b: Reg) -> Reg:
    """a < b, false on NaN."""
    if a.dtype in FLOATS:
        return e.compare("fcmp", "olt", a, b)
    return e.compare("icmp", "ult" if a.dtype[0] == "u" else "slt", a, b)


def emit_fma(e: Emitter, a: Reg, b: Reg, c: Reg) -> Reg:
    if a.dtype in FLOATS:
        return e.intrinsic("fma", a, b, c)
    return e.binary("add", e.binary("mul", a, b), c)


def emit_neg(e: Emitter, a: Reg) -> Reg:
    if a.dtype in FLOATS:
        return e.unary("fneg", a)
    return e.binary("sub", e.const(0, a.dtype, a.lanes), a)


def emit_abs(e: Emitter, a: Reg) -> Reg:
    if a.dtype in FLOATS:
        return e.intrinsic("fabs", a)
    if a.dtype[0] == "u":
        return a
    return e.select(less(e, a, e.const(0, a.dtype, a.lanes)), emit_neg(e, a), a)


def emit_sign(e: Emitter, a: Reg) -> Reg:
    """Zero and NaN are returned unchanged."""
    zero, one, minus = (e.const(v, a.dtype, a.lanes) for v in (0, 1, -1))
    below = a if a.dtype[0] == "u" else e.select(less(e, a, zero), minus, a)
    return e.select(less(e, zero, a), one, below)


def emit_max(e: Emitter, a: Reg, b: Reg) -> Reg:
    """(b < a ? a : b) is one x86 max instruction, which returns b on NaN; the second select restores a NaN of a."""
    larger = e.select(less(e, b, a), a, b)
    return e.select(e.compare("fcmp", "uno", a, a), a, larger) if a.dtype in FLOATS else larger


def emit_min(e: Emitter, a: Reg, b: Reg) -> Reg:
    """The mirror image of emit_max."""
    smaller = e.select(less(e, a, b), a, b)
    return e.select(e.compare("fcmp", "uno", a, a), a, smaller) if a.dtype in FLOATS else smaller


def numpy_fma(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
    """Rounded once in float32 (through float64, whose product is exact); float64 rounds the product too."""
    if np.result_type(a) == np.float32:
        wide = np.asarray(a, np.float64) * np.asarray(b, np.float64) + np.asarray(c, np.float64)
        with np.errstate(over="ignore"):
            return wide.astype(np.float32)
    return a * b + c


def routed(b: GraphBuilder, mask: Value, dy: Value) -> tuple[Value, Value]:
    """dy where the mask holds and zero elsewhere, and vice versa."""
    zero = b.const(0.0, dy.type)
    return b.op("select", mask, dy, zero), b.op("select", mask, zero, dy)


def wrapping(text: str) -> dict[str, str]:
    """The `cuda` column of integer arithmetic. Signed numbers are computed as unsigned ones, because they must wrap and
    signed overflow is undefined in C. (The printer narrows 8-bit results, which C computes in int.)"""

    def through(kind: str) -> str:
        return re.sub(r"(\{\d\})", rf"(unsigned {kind})\1", text)

    return {"": text, "i32": f"((int){through('int')})", "i64": f"((long long){through('long long')})"}


def unsigned(text: str) -> dict[str, str]:
    """The entries of a `cuda` column for numbers that are never negative."""
    return dict.fromkeys(("u8", "u32", "u64"), text)


def chosen(sign: str) -> dict[str, str]:
    """The `cuda` column of max and min: a NaN of {0} is returned, and so is a NaN of {1}, since comparisons fail."""
    floating = f"({{0}} {sign} {{1}} || {{0}} != {{0}} ? {{0}} : {{1}})"
    return {"": f"({{0}} {sign} {{1}} ? {{0}} : {{1}})", "f32": floating, "f64": floating}


def no_gradient(b: GraphBuilder, dy: Value, args: Args, y: Value) -> tuple[Value | None, ...]:
    """The derivative of step functions: 0 wherever it exists."""
    return (None,) * len(args)


def d_div(b: GraphBuilder, dy: Value, args: Args, y: Value) -> Args:
    da = b.op("div", dy, args[1])
    return da, b.op("neg", b.op("mul", da, y))


function(
    Function(
        name="add",
        arity=2,
        result=numeric,
        numpy=np.add,
        llvm=opcode("add"),
        cuda=wrapping("({0} + {1})"),
        derivative=lambda b, dy, args, y: (dy, dy),
        domain=(WIDE, WIDE),
        commutative=True,
        onnx="Add({0}, {1})",
    )
)
function(
    Function(
        name="sub",
        arity=2,
        result=numeric,
        numpy=np.subtract,
        llvm=opcode("sub"),
        cuda=wrapping("({0} - {1})"),
        derivative=lambda b, dy, args, y: (dy, b.op("neg", dy)),
        domain=(WIDE, WIDE),
        onnx="Sub({0}, {1})",
    )
)
function(
    Function(
        name="mul",
        arity=2,
        result=numeric,
        numpy=np.multiply,
        llvm=opcode("mul"),
        cuda=wrapping("({0} * {1})"),
        derivative=lambda b, dy, args, y: (b.op("mul", dy, args[1]), b.op("mul", dy, args[0])),
        domain=(WIDE, WIDE),
        commutative=True,
        onnx="Mul({0}, {1})",
    )
)
function(
    Function(
        name="div",
        arity=2,
        result=floating,
        numpy=np.divide,
        llvm=opcode("div"),
        cuda={"": "({0} / {1})"},
        derivative=d_div,
        domain=(WIDE, (0.1, 50.0)),
        onnx="Div({0}, {1})",
    )
)
function(
    Function(
        name="fma",
        arity=3,
        result=numeric,
        numpy=numpy_fma,
        llvm=emit_fma,
        cuda={**wrapping("({0} * {1} + {2})"), **floats("fma~({0}, {1}, {2})")},
        derivative=lambda b, dy, args, y: (b.op("mul", dy, args[1]), b.op("mul", dy, args[0]), dy),
        domain=(WIDE, WIDE, WIDE),
        onnx="Add(Mul({0}, {1}), {2})",
    )
)
function(
    Function(
        name="neg",
        arity=1,
        result=numeric,
        numpy=np.negative,
        llvm=emit_neg,
        cuda=wrapping("(-{0})"),
        derivative=lambda b, dy, args, y: (b.op("neg", dy),),
        domain=(WIDE,),
        onnx="Neg({0})",
    )
)
function(
    Function(
        name="abs",
        arity=1,
        result=numeric,
        numpy=np.abs,
        llvm=emit_abs,
        cuda={
            **{dtype: f"({{0}} < 0 ? {negated} : {{0}})" for dtype, negated in wrapping("(-{0})").items()},
            **unsigned("{0}"),
            **floats("fabs~({0})"),
        },
        derivative=lambda b, dy, args, y: (b.op("mul", dy, b.op("sign", args[0])),),
        domain=(WIDE,),
        onnx="Abs({0})",
    )
)
function(
    Function(
        name="sign",
        arity=1,
        result=numeric,
        numpy=np.sign,
        llvm=emit_sign,
        cuda={"": "({0} > 0 ? 1 : ({0} < 0 ? -1 : {0}))", **unsigned("({0} > 0 ? 1 : {0})")},
        derivative=no_gradient,
        domain=(WIDE,),
        onnx="Sign({0})",
    )
)
function(
    Function(
        name="square",
        arity=1,
        result=numeric,
        numpy=np.square,
        llvm=lambda e, a: opcode("mul")(e, a, a),
        cuda=wrapping("({0} * {0})"),
        derivative=lambda b, dy, args, y: (b.op("mul", dy, b.scaled(args[0], 2.0)),),
        domain=(WIDE,),
        onnx="Mul({0}, {0})",
    )
)
function(
    Function(
        name="sqrt",
        arity=1,
        result=floating,
        numpy=np.sqrt,
        llvm=lambda e, a: e.intrinsic("sqrt", a),
        cuda=floats("sqrt~({0})"),
        derivative=lambda b, dy, args, y: (b.op("div", b.scaled(dy, 0.5), y),),
        domain=((0.01, 100.0),),
        onnx="Sqrt({0})",
    )
)
function(
    Function(
        name="max",
        arity=2,
        result=numeric,
        numpy=np.maximum,
        llvm=emit_max,
        cuda=chosen(">"),
        derivative=lambda b, dy, args, y: routed(b, b.op("ge", *args), dy),
        domain=(WIDE, WIDE),
        picks=True,
        onnx="Max({0}, {1})",
    )
)
function(
    Function(
        name="min",
        arity=2,
        result=numeric,
        numpy=np.minimum,
        llvm=emit_min,
        cuda=chosen("<"),
        derivative=lambda b, dy, args, y: routed(b, b.op("le", *args), dy),
        domain=(WIDE, WIDE),
        picks=True,
        onnx="Min({0}, {1})",
    )
)


def rounding(intrinsic: str) -> Callable[[Emitter, Reg], Reg]:
    return lambda e, a: e.intrinsic(intrinsic, a)


def row(name: str, numpy: Callable[..., Any], intrinsic: str, c: str, onnx: str) -> None:
    function(
        Function(
            name=name,
            arity=1,
            result=floating,
            numpy=numpy,
            llvm=rounding(intrinsic),
            cuda=floats(f"{c}~({{0}})"),
            derivative=no_gradient,
            domain=((-9.0, 9.0),),
            monotone=True,
            onnx=onnx,
        )
    )


row("floor", np.floor, "floor", "floor", "Floor({0})")
row("ceil", np.ceil, "ceil", "ceil", "Ceil({0})")
row("trunc", np.trunc, "trunc", "trunc", "Mul(Sign({0}), Floor(Abs({0})))")
row("round", np.rint, "roundeven", "rint", "Round({0})")
