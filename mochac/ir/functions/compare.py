"""Comparisons (lt le gt ge eq ne isnan), logic on bools (and or not), selection, clip and huber.

With a NaN, every comparison but `ne` is false, as in NumPy and C. Comparisons have no derivative.

    clip(x, low, high)   x clamped to low..high, low <= high; NaN stays NaN
    huber(d, delta)      d^2 / 2 if |d| <= delta, else delta (|d| - delta / 2); the derivative is clip(d, -delta, delta)

Functions whose formula is inf - inf or 0 * inf for large x clip it first, to where their results no longer change.
Source: Huber 1964, "Robust estimation of a location parameter".
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from mochac.ir.build import GraphBuilder
from mochac.ir.functions.arith import emit_min
from mochac.ir.graph import Value
from mochac.ir.scalar import Emitter, Function, Reg, boolean, floating, floats, function, same
from mochac.ir.types import FLOATS


def logical(dtypes: tuple[str, ...]) -> str:
    """Dtype rule: bool in, bool out."""
    if same(dtypes) != "bool":
        raise ValueError(f"operands are {dtypes[0]}, expected bool")
    return "bool"


def test_of_float(dtypes: tuple[str, ...]) -> str:
    """Dtype rule: one real number in, bool out."""
    floating(dtypes)
    return "bool"


def predicate(name: str) -> Callable[[Emitter, Reg, Reg], Reg]:
    def emit(e: Emitter, a: Reg, b: Reg) -> Reg:
        if a.dtype in FLOATS:
            return e.compare("fcmp", ("u" if name == "ne" else "o") + name, a, b)
        if name in ("eq", "ne"):
            return e.compare("icmp", name, a, b)
        return e.compare("icmp", ("u" if a.dtype[0] in "ub" else "s") + name, a, b)

    return emit


def row(name: str, symbol: str, numpy: np.ufunc, onnx: str, commutative: bool = False) -> None:
    function(
        Function(
            name=name,
            arity=2,
            result=boolean,
            numpy=numpy,
            llvm=predicate(name),
            cuda={"": f"({{0}} {symbol} {{1}})"},
            domain=((-2.0, 2.0), (-2.0, 2.0)),
            commutative=commutative,
            onnx=onnx,
        )
    )


row("lt", "<", np.less, "Less({0}, {1})")
row("le", "<=", np.less_equal, "LessOrEqual({0}, {1})")
row("gt", ">", np.greater, "Greater({0}, {1})")
row("ge", ">=", np.greater_equal, "GreaterOrEqual({0}, {1})")
row("eq", "==", np.equal, "Equal({0}, {1})", commutative=True)
row("ne", "!=", np.not_equal, "Not(Equal({0}, {1}))", commutative=True)

function(
    Function(
        name="isnan",
        arity=1,
        result=test_of_float,
        numpy=np.isnan,
        llvm=lambda e, a: e.compare("fcmp", "uno", a, a),
        cuda={"": "({0} != {0})"},
        onnx="IsNaN({0})",
    )
)
function(
    Function(
        name="and",
        arity=2,
        result=logical,
        numpy=np.logical_and,
        llvm=lambda e, a, b: e.binary("and", a, b),
        cuda={"": "({0} && {1})"},
        domain=((0, 1), (0, 1)),
        commutative=True,
        lazy=True,
        onnx="And({0}, {1})",
    )
)
function(
    Function(
        name="or",
        arity=2,
        result=logical,
        numpy=np.logical_or,
        llvm=lambda e, a, b: e.binary("or", a, b),
        cuda={"": "({0} || {1})"},
        domain=((0, 1), (0, 1)),
        commutative=True,
        lazy=True,
        onnx="Or({0}, {1})",
    )
)
function(
    Function(
        name="not",
        arity=1,
        result=logical,
        numpy=np.logical_not,
        llvm=lambda e, a: e.binary("xor", a, e.const(1, "bool", a.lanes)),
        cuda={"": "(!{0})"},
        domain=((0, 1),),
        onnx="Not({0})",
    )
)


def choice(dtypes: tuple[str, ...]) -> str:
    """Dtype rule: bool, then two operands of one dtype."""
    if dtypes[0] != "bool":
        raise ValueError(f"the first operand is {dtypes[0]}, expected bool")
    return same(dtypes[1:])


def derivative_select(b: GraphBuilder, dy: Value, args: tuple[Value, ...], y: Value) -> tuple[Value | None, ...]:
    zero = b.const(0.0, dy.type)
    return None, b.op("select", args[0], dy, zero), b.op("select", args[0], zero, dy)


function(
    Function(
        name="select",
        arity=3,
        result=choice,
        numpy=np.where,
        llvm=lambda e, mask, a, b: e.select(mask, a, b),
        cuda={"": "({0} ? {1} : {2})"},
        derivative=derivative_select,
        domain=((0, 1), (-2.0, 2.0), (-2.0, 2.0)),
        picks=True,
        lazy=True,
        onnx="Where({0}, {1}, {2})",
    )
)


def at_least(e: Emitter, x: Reg, low: Reg) -> Reg:
    """(x < low ? low : x), one x86 max instruction that keeps a NaN of x."""
    return e.select(e.compare("fcmp", "olt", x, low), low, x)


def at_most(e: Emitter, x: Reg, high: Reg) -> Reg:
    """(x > high ? high : x), one x86 min instruction that keeps a NaN of x."""
    return e.select(e.compare("fcmp", "ogt", x, high), high, x)


def emit_clip(e: Emitter, x: Reg, low: Reg, high: Reg) -> Reg:
    return at_most(e, at_least(e, x, low), high)


def within(e: Emitter, x: Reg, bound: float) -> Reg:
    """x, clipped to +-bound."""
    low, high = (e.const(v, x.dtype, x.lanes) for v in (-bound, bound))
    return emit_clip(e, x, low, high)


def derivative_clip(b: GraphBuilder, dy: Value, args: tuple[Value, ...], y: Value) -> tuple[Value, ...]:
    """dy goes to x between the bounds, elsewhere to the bound that x is clipped to."""
    x, low, high = args
    zero = b.const(0.0, dy.type)
    above, below = b.op("gt", x, high), b.op("lt", x, low)
    to_x = b.op("select", b.op("or", above, below), zero, dy)
    return to_x, b.op("select", below, dy, zero), b.op("select", above, dy, zero)


function(
    Function(
        name="clip",
        arity=3,
        result=floating,
        numpy=np.clip,
        llvm=emit_clip,
        cuda={"": "({0} < {1} ? {1} : {0} > {2} ? {2} : {0})"},
        derivative=derivative_clip,
        domain=((-3.0, 3.0), (-2.0, -0.5), (0.5, 2.0)),
        picks=True,
        onnx="Clip({0}, {1}, {2})",
    )
)


Args = tuple[Value, ...]


def emit_huber(e: Emitter, d: Reg, delta: Reg) -> Reg:
    """m (|d| - m / 2) with m = min(|d|, delta)."""
    size = e.intrinsic("fabs", d)
    near = emit_min(e, size, delta)
    half = e.binary("fmul", near, e.const(0.5, d.dtype, d.lanes))
    return e.binary("fmul", near, e.binary("fsub", size, half))


def reference(d: Any, delta: Any) -> Any:
    size = np.abs(d)
    near = np.minimum(size, delta)
    with np.errstate(invalid="ignore"):
        return near * (size - near / 2)


def derivative_huber(b: GraphBuilder, dy: Value, args: Args, y: Value) -> Args:
    d, delta = args
    slope = b.op("max", b.op("min", d, delta), b.op("neg", delta))
    beyond = b.op("relu", b.op("sub", b.op("abs", d), delta))
    return b.op("mul", dy, slope), b.op("mul", dy, beyond)


function(
    Function(
        name="huber",
        arity=2,
        result=floating,
        numpy=reference,
        llvm=emit_huber,
        cuda=floats("(fmin~(fabs~({0}), {1}) * (fabs~({0}) - fmin~(fabs~({0}), {1}) * 0.5~))"),
        derivative=derivative_huber,
        domain=((-3.0, 3.0), (0.1, 2.0)),
        ulp=1.5,
        onnx="Where(LessOrEqual(Abs({0}), {1}), Mul(Mul({0}, {0}), 0.5), Mul({1}, Sub(Abs({0}), Mul({1}, 0.5))))",
    )
)
