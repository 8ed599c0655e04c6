"""sigmoid_cross_entropy: -t log(sigmoid(x)) - (1 - t) log(1 - sigmoid(x)) of a logit x and a probability t.

BinaryCrossEntropyLossLayer(logits=True) uses it. No sigmoid is rounded to 0 or 1 on the way: the value is finite for
all finite logits, and the derivative sigmoid(x) - t is not 0 when x is on the wrong side.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mochac.ir.build import GraphBuilder
from mochac.ir.functions.transcendental import emit_exp, log1p
from mochac.ir.graph import Value
from mochac.ir.scalar import Emitter, Function, Reg, floating, function

Args = tuple[Value, ...]


def emit(e: Emitter, x: Reg, t: Reg) -> Reg:
    """|x| (1 - t if x > 0 else t) + log(1 + e^-|x|); no two terms cancel. Largest error 2.02 / 2.01 ulp."""
    zero, one = (e.const(v, x.dtype, x.lanes) for v in (0.0, 1.0))
    size = e.intrinsic("fabs", x)
    wrong = e.select(e.compare("fcmp", "ogt", x, zero), e.binary("fsub", one, t), t)
    return e.binary("fadd", e.binary("fmul", size, wrong), log1p(e, emit_exp(e, e.unary("fneg", size))))


def reference(x: Any, t: Any) -> Any:
    x, t = np.asarray(x), np.asarray(t)
    with np.errstate(under="ignore", invalid="ignore"):
        return np.abs(x) * np.where(x > 0, 1 - t, t) + np.log1p(np.exp(-np.abs(x)))


def derivative(b: GraphBuilder, dy: Value, args: Args, y: Value) -> Args:
    x, t = args
    return b.op("mul", dy, b.op("sub", b.op("sigmoid", x), t)), b.op("neg", b.op("mul", dy, x))


function(
    Function(
        name="sigmoid_cross_entropy",
        arity=2,
        result=floating,
        numpy=reference,
        llvm=emit,
        cuda={
            "f32": "(fabsf({0}) * ({0} > 0.0f ? 1.0f - {1} : {1}) + log1pf(expf(-fabsf({0}))))",
            "f64": "(fabs({0}) * ({0} > 0.0 ? 1.0 - {1} : {1}) + log1p(exp(-fabs({0}))))",
        },
        derivative=derivative,
        domain=((-60.0, 60.0), (0.0, 1.0)),
        ulp=2.1,
    )
)
