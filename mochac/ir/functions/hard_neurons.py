"""Neurons made of straight lines: hard_sigmoid, x / 6 + 1/2 between 0 and 1, and hard_swish, x times that.

Howard et al. 2019, "Searching for MobileNetV3" (arXiv:1905.02244); as in PyTorch.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mochac.ir.build import GraphBuilder
from mochac.ir.functions.clip import at_least, at_most
from mochac.ir.graph import Value
from mochac.ir.scalar import Emitter, Function, Reg, floating, function

Args = tuple[Value, ...]
SIXTH = 1 / 6
LOW = -4.0
"""Here and below, hard_sigmoid is 0."""


def emit_hard_sigmoid(e: Emitter, x: Reg) -> Reg:
    """min(max(x / 6 + 1/2, 0), 1), which keeps a NaN."""
    zero, half, one, sixth = (e.const(v, x.dtype, x.lanes) for v in (0.0, 0.5, 1.0, SIXTH))
    return at_most(e, at_least(e, e.intrinsic("fma", x, sixth, half), zero), one)


def emit_hard_swish(e: Emitter, x: Reg) -> Reg:
    return e.binary("fmul", at_least(e, x, e.const(LOW, x.dtype, x.lanes)), emit_hard_sigmoid(e, x))


def numpy_hard_sigmoid(x: Any) -> Any:
    x = np.asarray(x)
    return np.clip(x / x.dtype.type(6) + x.dtype.type(0.5), 0, 1)


def numpy_hard_swish(x: Any) -> Any:
    return np.maximum(x, LOW) * numpy_hard_sigmoid(x)


def d_hard_sigmoid(b: GraphBuilder, dy: Value, args: Args, y: Value) -> Args:
    """dy / 6 where 0 < y < 1, else 0."""
    zero = b.const(0.0, y.type)
    inside = b.op("and", b.op("gt", y, zero), b.op("lt", y, b.const(1.0, y.type)))
    return (b.op("select", inside, b.scaled(dy, SIXTH), zero),)


def d_hard_swish(b: GraphBuilder, dy: Value, args: Args, y: Value) -> Args:
    """dy * (x / 3 + 1/2) where |x| < 3, dy above, 0 below."""
    (x,) = args
    three, zero = b.const(3.0, y.type), b.const(0.0, y.type)
    slope = b.op("fma", x, b.const(1 / 3, y.type), b.const(0.5, y.type))
    below = b.op("select", b.op("gt", x, b.op("neg", three)), b.op("mul", dy, slope), zero)
    return (b.op("select", b.op("lt", x, three), below, dy),)


function(
    Function(
        name="hard_sigmoid",
        arity=1,
        result=floating,
        numpy=numpy_hard_sigmoid,
        llvm=emit_hard_sigmoid,
        cuda={
            "f32": "({0} < -3.0f ? 0.0f : {0} > 3.0f ? 1.0f : fmaf({0}, 0.166666672f, 0.5f))",
            "f64": "({0} < -3.0 ? 0.0 : {0} > 3.0 ? 1.0 : fma({0}, 0.16666666666666666, 0.5))",
        },
        derivative=d_hard_sigmoid,
        domain=((-2.5, 5.0),),
        ulp=3.0,
        monotone=True,
        onnx="HardSigmoid<alpha=0.16666667, beta=0.5>({0})",
    )
)
function(
    Function(
        name="hard_swish",
        arity=1,
        result=floating,
        numpy=numpy_hard_swish,
        llvm=emit_hard_swish,
        cuda={
            "f32": "({0} < -3.0f ? 0.0f : {0} > 3.0f ? {0} : {0} * fmaf({0}, 0.166666672f, 0.5f))",
            "f64": "({0} < -3.0 ? 0.0 : {0} > 3.0 ? {0} : {0} * fma({0}, 0.16666666666666666, 0.5))",
        },
        derivative=d_hard_swish,
        domain=((-2.5, 5.0),),
        ulp=4.0,
        onnx="HardSwish({0})",
    )
)
