"""log_above(x, least): log(max(x, least)), for the probabilities in losses.

The derivative is 1 / max(x, least) everywhere. That of a clamp would be 0 below `least`, so predictions that are
completely wrong would never improve.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mochac.ir.build import GraphBuilder
from mochac.ir.functions.arith import emit_max
from mochac.ir.functions.transcendental import emit_log, numpy_log
from mochac.ir.graph import Value
from mochac.ir.scalar import Emitter, Function, Reg, floating, function

Args = tuple[Value, ...]


def emit(e: Emitter, x: Reg, least: Reg) -> Reg:
    return emit_log(e, emit_max(e, x, least))


def reference(x: Any, least: Any) -> Any:
    return numpy_log(np.maximum(x, least))


def derivative(b: GraphBuilder, dy: Value, args: Args, y: Value) -> tuple[Value | None, ...]:
    return b.op("div", dy, b.op("max", *args)), None


function(
    Function(
        name="log_above",
        arity=2,
        result=floating,
        numpy=reference,
        llvm=emit,
        cuda={
            "f32": "logf({0} > {1} || {0} != {0} ? {0} : {1})",
            "f64": "log({0} > {1} || {0} != {0} ? {0} : {1})",
        },
        derivative=derivative,
        domain=((0.01, 100.0), (1e-6, 1e-3)),
        ulp=1.0,
        onnx="Log(Max({0}, {1}))",
    )
)
