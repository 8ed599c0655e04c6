"""floor, ceil, trunc (towards zero) and round (to the nearest integer; halves to even ones), whose slope is 0."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from mochac.ir.functions.arith import no_gradient
from mochac.ir.scalar import Emitter, Function, Reg, floating, function


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
            cuda={"f32": f"{c}f({{0}})", "f64": f"{c}({{0}})"},
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
