"""Instructions in place of intrinsics that a CPU lacks: LLVM would call functions of a mathematical library instead."""

from __future__ import annotations

from mochac.ir.scalar import Emitter, Reg

ROUNDINGS = ("floor", "ceil", "trunc", "roundeven")
WHOLE = {"f32": 2.0**23, "f64": 2.0**52}
"""From this magnitude on, every number is an integer."""


def replaced(e: Emitter, name: str, args: tuple[Reg, ...]) -> Reg:
    """The value of an intrinsic: of a rounding, or of fma, which is rounded twice then."""
    if name == "fma":
        return e.binary("fadd", e.binary("fmul", args[0], args[1]), args[2])
    (x,) = args
    size = e.intrinsic("fabs", x)
    nearest = _nearest(e, size if name == "trunc" else x)
    one, zero = (e.const(value, x.dtype, x.lanes) for value in (1.0, 0.0))
    if name in ("floor", "trunc"):
        above = e.compare("fcmp", "ogt", nearest, size if name == "trunc" else x)
        nearest = e.binary("fsub", nearest, e.select(above, one, zero))
    elif name == "ceil":
        nearest = e.binary("fadd", nearest, e.select(e.compare("fcmp", "olt", nearest, x), one, zero))
    small = e.compare("fcmp", "olt", size, e.const(WHOLE[x.dtype], x.dtype, x.lanes))
    return e.select(small, e.intrinsic("copysign", nearest, x), x)


def _nearest(e: Emitter, x: Reg) -> Reg:
    """The nearest integer, the even one of two, of a number below WHOLE: adding WHOLE rounds all fractions away."""
    whole = e.intrinsic("copysign", e.const(WHOLE[x.dtype], x.dtype, x.lanes), x)
    return e.binary("fsub", e.binary("fadd", x, whole), whole)
